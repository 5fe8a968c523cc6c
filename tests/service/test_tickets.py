"""Stream tickets: signed, for one viewer of one game, for a minute and then for a day."""

from datetime import UTC, datetime, timedelta

import pytest

from service.tickets import Ticket, Tickets
from service.tokens import Token, TokenInvalid, TokenKind, Tokens

SECRET, OLD = b"s" * 32, b"o" * 32
GAME = "g_0123456789abcdefghijAA"
AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SEAT = Ticket(Token(TokenKind.SEAT, GAME, 3, 7, 9), AT)
SPECTATOR = Ticket(Token(TokenKind.SPECTATOR, GAME, None), AT)


class TestATicket:
    @pytest.mark.parametrize("ticket", [SEAT, SPECTATOR])
    def test_is_read_as_it_was_written(self, ticket):
        assert Tickets([SECRET]).read(Tickets([SECRET]).write(ticket)) == ticket

    def test_goes_into_an_address_as_it_is(self):
        for second in range(200):
            text = Tickets([SECRET]).write(Ticket(SEAT.token, AT + timedelta(seconds=second)))
            assert text.startswith("grt_")
            assert text.replace("-", "").replace("_", "").isalnum()
            assert len(text) == 68

    def test_is_good_under_an_older_secret(self):
        text = Tickets([OLD]).write(SEAT)
        assert Tickets([SECRET, OLD]).read(text) == SEAT

    def test_of_another_secret_is_none(self):
        with pytest.raises(TokenInvalid):
            Tickets([SECRET]).read(Tickets([OLD]).write(SEAT))

    def test_with_one_letter_changed_is_none(self):
        text = Tickets([SECRET]).write(SEAT)
        for place in range(len(text)):
            other = "A" if text[place] != "A" else "B"
            with pytest.raises(TokenInvalid):
                Tickets([SECRET]).read(text[:place] + other + text[place + 1 :])

    @pytest.mark.parametrize(
        "text", ["", "grt_", "grt_x", "grt_é", "x" * 68, "grs_" + "A" * 64, "grt_" + "A" * 64]
    )
    def test_is_not_anything_else(self, text):
        with pytest.raises(TokenInvalid):
            Tickets([SECRET]).read(text)

    def test_is_no_token_and_a_token_is_no_ticket(self):
        tokens, tickets = Tokens([SECRET]), Tickets([SECRET])
        with pytest.raises(TokenInvalid):
            tokens.read(tickets.write(SEAT))
        for token in (tokens.seat(GAME, 0, 0), tokens.spectator(GAME)):
            for text in (token, "grt_" + token[4:]):
                with pytest.raises(TokenInvalid):
                    tickets.read(text)


class TestItsTime:
    @pytest.mark.parametrize(
        ("seconds", "begins", "goes_on"),
        [(0, True, True), (59, True, True), (60, False, True), (86_399, False, True),
         (86_400, False, False)],
    )  # fmt: skip
    def test_is_a_minute_to_begin_and_a_day_to_go_on(self, seconds, begins, goes_on):
        at = AT + timedelta(seconds=seconds)
        assert SEAT.holds(at, begun=False) == begins
        assert SEAT.holds(at, begun=True) == goes_on
