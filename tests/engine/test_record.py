from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from engine.actions import Discard, Draw, DrawSource, Pass
from engine.cards import card_name
from engine.game import SeatKind, Setup
from engine.notation import NotationError, row_name
from engine.players import easy
from engine.progress import apply, begin
from engine.record import event_name, game_record, play_record
from engine.rules import resolve
from engine.views import view
from tests.tables import play, setup, table, transition

GOLDEN = Path(__file__).parents[1] / "cases" / "golden_game.txt"
KEY = bytes([173, 0, *range(2, 32)])


def golden_game():
    """A game that never changes: its deals follow from a fixed key, its play from fixed dice."""
    rules = resolve("traditional", {"big_gin": True})
    made = begin(Setup("g_golden", rules, (SeatKind.AI, SeatKind.AI), KEY))
    game, moves, rng = made.game, list(made.moves), Random(1)
    while not game.over:
        seat = game.to_act_seats[0]
        made = apply(game, seat, easy.choose(view(game, seat), rng))
        game = made.game
        moves += made.moves
    return game, game_record(game.setup, moves)


class TestTheGoldenGame:
    """A whole game as it was first played and read through; whoever changes it has to say why."""

    def test_is_played_again_move_by_move(self):
        _, record = golden_game()
        assert record == GOLDEN.read_text(encoding="ascii")

    def test_is_led_to_by_the_rules_from_its_record_alone(self):
        game, record = golden_game()
        played = play_record(record)
        assert (played.hands, played.score, played.hand) == (game.hands, game.score, game.hand)

    def test_has_a_drawn_hand_a_knock_an_undercut_and_gin(self):
        game, _ = golden_game()
        assert {hand.outcome for hand in game.hands} >= {"drawn", "knock", "undercut", "gin"}
        assert game.score.complete


class TestALine:
    @pytest.mark.parametrize(
        ("before", "line", "written"),
        [
            ([], "0 pass", ["pass"]),
            ([], "0 draw pile", ["draw pile JS"]),
            (["0 pass", "1 pass"], "0 draw stock", ["draw stock = KS"]),
            (["0 draw pile"], "0 discard TS", ["discard TS"]),
            (["0 draw pile"], "0 knock TS", ["knock TS AC2C3C 4D5D6D 7H8H9H"]),
            (
                ["0 draw pile", "0 knock TS"],
                "1 lay_off",
                ["lay_off 4C>0 5C>0 melds JHQHKH = knock 0 22"],
            ),
            (
                ["0 draw pile", "0 knock TS"],
                "1 lay_off - melds -",
                ["lay_off - melds - = knock 0 61"],
            ),
            ([], "0 resign", ["resign = resigned"]),
        ],
    )
    def test_says_what_does_not_follow_from_the_lines_before(self, before, line, written):
        moves = transition(play(table(), *before), line).moves
        assert [event_name(move.event) for move in moves] == written


class TestARecord:
    def text(self):
        made = begin(setup(resolve("short", {"big_gin": True})))
        return game_record(made.game.setup, made.moves)

    def test_begins_with_the_game_its_rules_and_its_seats(self):
        assert self.text().split("\n")[:3] == [
            "game g_table",
            "rules big_gin=true target=50",
            "seats human human",
        ]

    def test_holds_the_rules_that_differ_from_the_standard(self):
        assert play_record(self.text()).rules == resolve("short", {"big_gin": True})

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (" = gin ", " = knock "),
            ("draw stock = ", "draw pile = "),
            (" discard ", " knock "),
            ("= undercut", "= gin"),
            ("\n3 ", "\n4 "),
            ("deal 2 ", "deal 1 "),
            ("deal 1 1>0", "deal 1 0>1"),
            ("dealer_draw 0:", "dealer_draw 1:"),
            (" pass", " resign"),
            ("hand_drawn", "pass"),
            ("1 - dealer_draw", "1 - dealer_drew"),
            ("seats ai ai", "seats ai"),
            ("seats ai ai", "seats ai cat"),
            ("rules big_gin=true", "rules big_gin=maybe"),
            ("rules big_gin=true", "rules biggin=true"),
            ("rules big_gin=true", "laws big_gin=true"),
            ("game_bonus=100", "game_bonus=lots"),
        ],
    )
    def test_that_was_tampered_with_is_refused(self, old, new):
        record = GOLDEN.read_text(encoding="ascii")
        assert old in record
        with pytest.raises(NotationError):
            play_record(record.replace(old, new, 1))

    @pytest.mark.parametrize("how", ["unshuffled", "shuffled"])
    def test_tells_what_became_the_stock(self, how):
        game, moves = recycled(how)
        record = game_record(game.setup, moves)
        stock = row_name(moves[-1].event.recycled)
        assert f"discard {card_name(moves[-1].event.card)} = {stock}\n" in record
        assert replace(play_record(record), setup=game.setup, last_move=game.last_move) == game

    def test_that_tells_another_stock_than_the_discards_is_refused(self):
        game, moves = recycled("shuffled")
        record = game_record(game.setup, moves)
        with pytest.raises(NotationError):
            play_record(record.replace(row_name(moves[-1].event.recycled), "KSQS"))
        game, moves = recycled("unshuffled")
        record = game_record(game.setup, moves)
        stock = moves[-1].event.recycled
        other = row_name((stock[1], stock[0], *stock[2:]))
        with pytest.raises(NotationError):
            play_record(record.replace(row_name(stock), other))

    def test_with_two_draws_exchanged_is_refused(self):
        lines = GOLDEN.read_text(encoding="ascii").split("\n")
        at = next(number for number, line in enumerate(lines) if "draw stock" in line)
        card = lines[at].rsplit(" ", 1)[1]
        other = next(line.rsplit(" ", 1)[1] for line in lines[at + 1 :] if "draw stock" in line)
        lines[at] = lines[at].replace(card, other)
        with pytest.raises(NotationError, match=card):
            play_record("\n".join(lines))

    @pytest.mark.parametrize(
        "text", ["", "game g", "game g\nrules\n", "game g\nrules\nseats ai\nx"]
    )
    def test_that_is_none_is_refused(self, text):
        with pytest.raises(NotationError):
            play_record(text)

    def test_with_any_slip_of_the_pen_is_refused_or_another_game(self):
        record = GOLDEN.read_text(encoding="ascii")
        rng = Random(1)
        refused = 0
        for _ in range(100):
            at = rng.randrange(len(record))
            slip = rng.choice(["", " ", "\n", "-", "1", "A", "S", record[at] * 2])
            try:
                play_record(record[:at] + slip + record[at + 1 :])
            except NotationError:
                refused += 1
        assert refused > 50  # the rest are slips in seeds, commitments and cards nobody drew


def recycled(how):
    """A game, and its moves, in which the discards have just become the stock."""
    rules = resolve("standard", {"recycle": how, "first_dealer": "seat1"})
    made = begin(Setup("g_1", rules, (SeatKind.HUMAN, SeatKind.HUMAN), bytes(32)))
    game, moves = made.game, list(made.moves)
    while not game.hand.recycles:
        hand = game.hand
        action = {
            "first_upcard": Pass(),
            "draw": Draw(DrawSource.STOCK),
            "discard": Discard(hand.drawn_card or 0),
        }[hand.phase]
        made = apply(game, hand.to_act, action)
        game, moves = made.game, [*moves, *made.moves]
    return game, moves
