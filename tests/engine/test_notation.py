from dataclasses import replace
from random import Random

import pytest

from engine.actions import (
    DealHand,
    Discard,
    Draw,
    DrawSource,
    Knock,
    KnockKind,
    LayOffs,
    Pass,
    Resign,
)
from engine.cards import parse_card
from engine.layoffs import LayOff
from engine.notation import (
    NotationError,
    action_name,
    parse_action,
    parse_position,
    parse_row,
    position_name,
    row_name,
)
from engine.rules import PRESETS, STANDARD
from tests.tables import cards, discarding, play, row, stock_runs_down, table

SEVEN = parse_card("7H")
MELDS = (cards("AC 2C 3C"), cards("4D 5D 6D"))

ACTIONS = {
    "pass": Pass(),
    "draw stock": Draw(DrawSource.STOCK),
    "draw pile": Draw(DrawSource.DISCARD_PILE),
    "draw pile 7H": Draw(DrawSource.DISCARD_PILE, SEVEN),
    "discard 7H": Discard(SEVEN),
    "knock 7H": Knock(KnockKind.KNOCK, SEVEN),
    "knock 7H -": Knock(KnockKind.KNOCK, SEVEN, ()),
    "knock 7H AC2C3C 4D5D6D": Knock(KnockKind.KNOCK, SEVEN, MELDS),
    "gin 7H": Knock(KnockKind.GIN, SEVEN),
    "gin 7H 4D5D6D AC2C3C": Knock(KnockKind.GIN, SEVEN, MELDS[::-1]),
    "big_gin": Knock(KnockKind.BIG_GIN),
    "big_gin AC2C3C 4D5D6D": Knock(KnockKind.BIG_GIN, None, MELDS),
    "lay_off": LayOffs(),
    "lay_off -": LayOffs(()),
    "lay_off 7H>0 AC>11": LayOffs((LayOff(SEVEN, 0), LayOff(0, 11))),
    "lay_off 7H>0 melds AC2C3C": LayOffs((LayOff(SEVEN, 0),), MELDS[:1]),
    "lay_off - melds -": LayOffs((), ()),
    "lay_off melds AC2C3C 4D5D6D": LayOffs(None, MELDS),
    "deal": DealHand(),
    "resign": Resign(),
}


class TestAnAction:
    @pytest.mark.parametrize(("text", "action"), ACTIONS.items(), ids=str)
    def test_is_written_and_read(self, text, action):
        assert action_name(action) == text
        assert parse_action(text) == action

    def test_may_be_written_with_small_letters_for_cards(self):
        assert parse_action("discard 7h") == Discard(SEVEN)

    def test_that_throws_nothing_is_big_gin_and_one_that_throws_is_not(self):
        assert action_name(Knock(KnockKind.KNOCK)) == "big_gin"
        assert action_name(Knock(KnockKind.BIG_GIN, SEVEN)) == "gin 7H"

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "fold",
            "pass 7H",
            "Pass",
            "draw",
            "draw deck",
            "draw stock 7H",
            "draw pile 7H 8H",
            "draw pile 7X",
            "discard",
            "discard 7",
            "discard 7H 8H",
            "knock",
            "knock AC2C3C",
            "knock 7H AC2C2C",
            "gin",
            "big_gin ACAC",
            "lay_off 7H",
            "lay_off 7H>",
            "lay_off 7H>a",
            "lay_off 7H>0>1",
            "lay_off melds",
            "lay_off - 7H>0",
            "deal 1",
            "resign now",
            " pass",
            "pass ",
        ],
    )
    def test_that_is_none_is_refused(self, text):
        with pytest.raises(NotationError, match="no action"):
            parse_action(text)


class TestARow:
    def test_keeps_its_order(self):
        assert row_name(row("KS 4D 7H")) == "KS4D7H"
        assert parse_row("KS4D7H") == row("KS 4D 7H")

    def test_of_nothing_is_a_dash(self):
        assert row_name(()) == "-"
        assert parse_row("-") == ()


HELD = "2C3C4D5D6D7H8H9HTS"
STOCK = "KSQS4S6C7C8C9CTCJCQCKCAD2D3D7DTDQDKDAH2H3H4H5H6HTHAS5S6S7S8S9S"
KNOCK = "0:knock:TS:AC2C3C,4D5D6D,7H8H9H"
THEIRS = "4C5C8D9DJDJHQHKH2S3S"


class TestAPosition:
    @pytest.mark.parametrize(
        ("lines", "text"),
        [
            ([], f"first_upcard 0 0 1 1>0 AC{HELD}/{THEIRS} JS {STOCK} JS - - -"),
            (["0 pass"], f"first_upcard 1 0 1 1>0 AC{HELD}/{THEIRS} JS {STOCK} JS - - -"),
            (["0 pass", "1 pass"], f"draw! 0 0 1 1>0 AC{HELD}/{THEIRS} JS {STOCK} JS - - -"),
            (
                ["0 draw pile"],
                f"discard 0 1 1 1>0 AC{HELD}JS*/{THEIRS} - {STOCK} JS pile:JS - -",
            ),
            (
                ["0 pass", "1 pass", "0 draw stock"],
                f"discard 0 1 1 1>0 AC{HELD}KS/{THEIRS} JS {STOCK[2:]} JS stock:KS - -",
            ),
            (
                ["0 draw pile", "0 discard AC"],
                f"draw 1 1 1 1>0 {HELD}JS*/{THEIRS} AC {STOCK} JS - - -",
            ),
            (
                ["0 draw pile", "0 knock TS"],
                f"lay_off 1 1 1 1>0 AC{HELD[:-2]}JS*/{THEIRS} - {STOCK} JS - {KNOCK} -",
            ),
        ],
    )
    def test_is_one_line_of_twelve_fields(self, lines, text):
        hand = play(table(), *lines).hand
        assert position_name(hand) == text
        assert parse_position(text) == hand

    @pytest.mark.parametrize(
        ("game", "rules"),
        [
            (stock_runs_down(play(table(), "0 pass", "1 pass"), 2), STANDARD),
            (play(table(), "0 pass", "1 pass", "0 resign"), STANDARD),
            (play(table(), "0 draw pile", "0 knock TS", "1 lay_off"), STANDARD),
            (
                play(
                    table(),
                    "0 draw pile",
                    "0 knock TS 4D5D6D AC2C3C 7H8H9H",
                ),
                STANDARD,
            ),
            (
                play(
                    table(PRESETS["oklahoma"], upcard="AS", stock="TH"),
                    *("0 pass", "1 pass", "0 draw stock", "0 gin TS"),
                ),
                PRESETS["oklahoma"],
            ),
            (
                play(
                    discarding(
                        "AC 2C 3C 4C 5D 6D 7D 9H TH JH QH",
                        "7C 8C 8D 9D JD KC KH 2S 3S 5S",
                        PRESETS["big_gin"],
                    ),
                    "0 big_gin",
                ),
                PRESETS["big_gin"],
            ),
        ],
        ids=["drawn", "resigned", "scored", "own order", "gin", "big gin"],
    )
    def test_of_a_hand_near_or_at_its_end_is_read_as_it_was_written(self, game, rules):
        assert parse_position(position_name(game.hand), rules) == game.hand

    def test_of_a_gin_is_scored_by_the_rules_given(self):
        hand = play(
            table(upcard="AS", stock="TH"), "0 pass", "1 pass", "0 draw stock", "0 gin TS"
        ).hand
        doubled = parse_position(position_name(hand), replace(STANDARD, spade_doubles="all"))
        assert doubled.knock.result.points == 2 * hand.knock.result.points

    def test_keeps_the_commitment_and_the_seats_that_sit_out(self):
        hand = table().hand
        three = replace(hand, holdings=(*hand.holdings, 0), taken=(0, 0, 0), server_commit="c0ffee")
        assert position_name(three).split(" ")[5].endswith("/-")
        assert parse_position(position_name(three)) == three

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("first_upcard", "bidding"),
            (" JS KS", " JS QS KS"),
            ("KSQS", "KSKS"),
            ("KSQS", "QS"),
            ("1>0", "10"),
            ("AC2C", "AX2C"),
            (" - - -", " - -"),
            (" - - -", " hand:7H - -"),
            (" - - -", " pile:7H:x - -"),
            (" - - -", " pile:7H:1:2 - -"),
            (" JS - - -", "~x JS - - -"),
            ("first_upcard 0", "first_upcard^! 0"),
            (" - - -", " - 0:fold:-:- -"),
            (" - - -", " - 0 -"),
            ("first_upcard 0", "first_upcard x"),
        ],
    )
    def test_that_is_none_is_refused(self, old, new):
        text = position_name(table().hand)
        assert old in text
        with pytest.raises(NotationError):
            parse_position(text.replace(old, new, 1))

    def test_with_any_slip_of_the_pen_is_refused_or_another_position(self):
        rng = Random(1)
        text = position_name(play(table(), "0 draw pile", "0 knock TS").hand)
        refused = 0
        for _ in range(500):
            at = rng.randrange(len(text))
            slip = rng.choice(["", " ", "-", "0", "1", "A", "S", "*", ":", text[at] * 2])
            try:
                parse_position(text[:at] + slip + text[at + 1 :])
            except NotationError:
                refused += 1
        assert refused > 400
