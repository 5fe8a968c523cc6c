"""Tokens: derived from the secret, and told from any other text."""

import base64
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.tokens import SheetToken, Token, TokenInvalid, TokenKind, Tokens

OLD, NEW = b"o" * 32, b"n" * 32
TOKENS = Tokens([NEW])
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

game_ids = st.binary(min_size=16, max_size=16).map(
    lambda raw: "g_" + base64.urlsafe_b64encode(raw).decode().rstrip("=")
)


class TestAToken:
    @given(game_ids, st.integers(0, 3), st.integers(0, 65535), st.integers(0, 65535))
    def test_says_what_was_written(self, game_id, seat, version, device):
        token = Token(TokenKind.SEAT, game_id, seat, version, device)
        assert TOKENS.read(TOKENS.write(token)) == token

    @given(game_ids)
    def test_of_a_spectator_has_no_seat(self, game_id):
        assert TOKENS.read(TOKENS.spectator(game_id)) == Token(TokenKind.SPECTATOR, game_id, None)

    @given(game_ids)
    def test_shows_its_kind_and_goes_into_a_header(self, game_id):
        for text, prefix in (
            (TOKENS.seat(game_id, 0, 0), "grs_"),
            (TOKENS.spectator(game_id), "grv_"),
        ):
            assert text.startswith(prefix)
            assert set(text[4:]) <= set(LETTERS)

    @given(game_ids)
    def test_is_the_same_each_time(self, game_id):
        assert TOKENS.seat(game_id, 1, 0) == Tokens([NEW, OLD]).seat(game_id, 1, 0)

    @given(game_ids, game_ids, st.integers(0, 3), st.integers(0, 3))
    def test_is_another_for_another_seat_or_game(self, one, other, first, second):
        if (one, first) != (other, second):
            assert TOKENS.seat(one, first, 0) != TOKENS.seat(other, second, 0)


sheet_kinds = st.sampled_from([TokenKind.SHEET_EDITOR, TokenKind.SHEET_READER])
sheet_ids = game_ids.map(lambda game_id: "ss_" + game_id.removeprefix("g_"))


class TestATokenOfAScoreSheet:
    @given(sheet_kinds, sheet_ids)
    def test_says_what_was_written(self, kind, sheet_id):
        token = SheetToken(kind, sheet_id)
        written = TOKENS.write_sheet(token)
        assert TOKENS.read(written) == token
        assert written.startswith(kind.value)
        assert token.may_write == (kind is TokenKind.SHEET_EDITOR)

    @given(sheet_kinds, sheet_ids)
    def test_is_good_for_no_other_kind(self, kind, sheet_id):
        written = TOKENS.write_sheet(SheetToken(kind, sheet_id))
        for other in TokenKind:
            if other is not kind:
                with pytest.raises(TokenInvalid):
                    TOKENS.read(other + written[4:])


class TestAForgedToken:
    TOKEN = TOKENS.seat("g_" + "A" * 22, 0, 0)

    def test_of_any_one_letter_is_refused(self):
        for place in range(len(self.TOKEN)):
            for letter in LETTERS:
                forged = self.TOKEN[:place] + letter + self.TOKEN[place + 1 :]
                if forged != self.TOKEN:
                    with pytest.raises(TokenInvalid):
                        TOKENS.read(forged)

    def test_of_random_letters_is_refused(self):
        rng = random.Random(1)
        for _ in range(10_000):
            forged = "grs_" + "".join(rng.choices(LETTERS, k=56))
            with pytest.raises(TokenInvalid):
                TOKENS.read(forged)

    @given(st.text())
    def test_of_any_text_is_refused(self, text):
        for forged in (text, f"grs_{text}", f"grs_{text}"[:60].ljust(60, "A")):
            with pytest.raises(TokenInvalid):
                TOKENS.read(forged)

    @pytest.mark.parametrize("change", [" {}", "{} ", "{}\n", "{}=", "{}A"])
    def test_with_something_beside_it_is_refused(self, change):
        with pytest.raises(TokenInvalid):
            TOKENS.read(change.format(self.TOKEN))

    def test_of_a_seat_is_not_one_of_a_spectator(self):
        with pytest.raises(TokenInvalid):
            TOKENS.read("grv_" + self.TOKEN[4:])


class TestRotatedSecrets:
    GAME = "g_" + "A" * 22

    def test_leave_tokens_of_the_old_one_good(self):
        token = Tokens([OLD]).seat(self.GAME, 0, 0)
        assert Tokens([NEW, OLD]).read(token).seat == 0

    def test_write_with_the_first(self):
        token = Tokens([NEW, OLD]).seat(self.GAME, 0, 0)
        assert Tokens([NEW]).read(token).seat == 0
        with pytest.raises(TokenInvalid):
            Tokens([OLD]).read(token)

    def test_that_are_gone_open_nothing(self):
        with pytest.raises(TokenInvalid):
            Tokens([NEW]).read(Tokens([OLD]).seat(self.GAME, 0, 0))
