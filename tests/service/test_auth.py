"""The header that says who calls."""

import pytest
from flask import Flask

from service.auth import caller_of_request, portal_key_of_request, sheet_caller_of_request
from service.errors import Refusal
from service.portal_keys import PortalKey, hash_of, new_key
from service.tokens import SheetToken, Token, TokenKind, Tokens

TOKENS = Tokens([b"s" * 32])
GAME = "g_" + "A" * 22
SEAT = TOKENS.seat(GAME, 1, 0)
SHEET = SheetToken(TokenKind.SHEET_EDITOR, "ss_" + "A" * 22)


def token_of(header, read=caller_of_request):
    headers = {} if header is None else {"Authorization": header}
    with Flask("auth").test_request_context("/", headers=headers):
        return read(TOKENS)


def code_of(header):
    with pytest.raises(Refusal) as caught:
        token_of(header)
    return caught.value.kind.code


class TestTheHeader:
    @pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
    def test_names_the_scheme_in_any_case(self, scheme):
        assert token_of(f"{scheme} {SEAT}") == Token(TokenKind.SEAT, GAME, 1)

    @pytest.mark.parametrize("header", [None, ""])
    def test_that_is_missing(self, header):
        assert code_of(header) == "token_missing"

    @pytest.mark.parametrize(
        "header",
        ["Bearer", "Bearer ", f"Bearer{SEAT}", f"Basic {SEAT}", SEAT, f"Token {SEAT}", "Bearer x"],
    )
    def test_that_is_none_of_ours(self, header):
        assert code_of(header) == "token_invalid"

    def test_does_not_repeat_the_token_in_what_it_raises(self):
        with pytest.raises(Refusal) as caught:
            token_of(f"Bearer {SEAT}x")
        assert SEAT not in repr(caught.value)
        assert caught.value.__cause__ is None


class TestATokenOfSomethingElse:
    def test_finds_nothing(self):
        written = TOKENS.write_sheet(SHEET)
        assert token_of(f"Bearer {written}", sheet_caller_of_request) == SHEET
        for token, read in ((written, caller_of_request), (SEAT, sheet_caller_of_request)):
            with pytest.raises(Refusal) as caught:
                token_of(f"Bearer {token}", read)
            assert caught.value.kind.code == "not_found"


class TestAPortalKey:
    def test_is_read_as_what_it_is_looked_up_by(self):
        key = new_key()
        assert token_of(f"Bearer {key}") == PortalKey(hash_of(key))

    @pytest.mark.parametrize("text", ["grk_", "grk_x", "grk_" + "A" * 44, "grk_" + "=" * 43])
    def test_of_another_shape_is_none(self, text):
        assert code_of(f"Bearer {text}") == "token_invalid"

    def test_calls_about_sheets_as_well(self):
        key = new_key()
        assert token_of(f"Bearer {key}", sheet_caller_of_request) == PortalKey(hash_of(key))

    def test_is_looked_for_among_all_tokens(self):
        key, sheet = new_key(), TOKENS.write_sheet(SHEET)
        assert token_of(f"Bearer {key}", portal_key_of_request) == PortalKey(hash_of(key))
        assert token_of(f"Bearer {SEAT}", portal_key_of_request) is None
        assert token_of(f"Bearer {sheet}", portal_key_of_request) is None
