import dataclasses

import pytest

from engine.actions import DealHand, Resign
from engine.agreements import abandon
from engine.cards import CARD_NAMES
from engine.clock import expire
from engine.cutting import seated
from engine.events import Change, ChangeKind
from engine.game import Mover, SeatKind, Setup, new_game
from engine.notation import parse_action
from engine.progress import apply, begin
from engine.rules import Rules
from service import portal_events
from service.portal_events import (
    TYPES,
    Told,
    of_change,
    of_creation,
    of_play,
    of_rematch,
    of_seat,
)
from tests.service.table import KNOCKED, KNOCKS, SCORED, THROWN

PEOPLE = (SeatKind.HUMAN, SeatKind.HUMAN)
RULES = Rules(first_dealer="seat1")


def setup(**rules):
    return Setup("g_1", dataclasses.replace(RULES, **rules), PEOPLE, bytes(32), (KNOCKS, KNOCKS))


def played(*lines, **rules):
    """The game after these lines, the one before the last of them, and the moves of the last."""
    made = begin(setup(**rules))
    before = new_game(made.game.setup)
    for line in lines:
        seat, _, words = line.partition(" ")
        before, made = made.game, apply(made.game, int(seat), parse_action(words))
    return before, made.game, made.moves


def types(told):
    return [each.type for each in told]


class TestANewGame:
    def test_was_created_and_perhaps_dealt(self):
        made = begin(setup())
        told = of_creation(made.game, made.moves)
        assert told[0] == Told("game_created", 1, {})
        assert told[-1] == Told("hand_dealt", 1 + len(made.moves), {"hand_number": 1})
        assert types(told) == ["game_created", "hand_dealt"]

    def test_that_waits_was_created(self):
        assert of_creation(new_game(setup()), ()) == (Told("game_created", 1, {}),)


class TestASeatThatCommits:
    """Of three the one who sits out has a share in a later shuffle: a version before the deal."""

    @pytest.fixture
    def sat(self):
        three = dataclasses.replace(setup(), seats=(SeatKind.HUMAN,) * 3, decks=())
        sat = seated(new_game(three), {0: "1" * 64}, complete=True)
        assert (len(sat.changes), len(sat.moves)) == (1, 1)
        return sat

    def test_comes_between_the_making_of_a_game_and_its_deal(self, sat):
        made, dealt = of_creation(sat.game, sat.moves, sat.changes)
        assert (made.version, dealt.version) == (1, 3)

    def test_comes_between_its_joining_and_the_deal(self, sat):
        waiting = new_game(sat.game.setup)
        for what in (("joined", 0), None):
            told = of_change(what, waiting, sat.game, sat.moves, 4, sat.changes)
            dealt = ("hand_dealt", 4)
            joined = [("seat_joined", 2)] if what else []
            assert [(each.type, each.version) for each in told] == [*joined, dealt]


class TestAMove:
    @pytest.mark.parametrize("lines", [THROWN[:count] for count in range(1, 5)])
    def test_of_play_tells_nothing(self, lines):
        before, game, moves = played(*lines)
        assert of_play(before, game, moves, 9) == ()

    def test_that_knocks_tells_nothing_yet(self):
        assert of_play(*played(*KNOCKED), 7) == ()

    def test_that_ends_a_hand_tells_its_result(self):
        [told] = of_play(*played(*SCORED), 9)
        assert (told.type, told.version) == ("hand_ended", 9)
        assert told.facts["outcome"] == "knock"
        assert (told.facts["winner_seat"], told.facts["points"]) == (0, 22)
        assert told.facts["hand_number"] == 1
        assert told.facts["totals"] == [
            {"seat": 0, "hand_points": 22, "boxes": 1, "bonus_points": 0, "total": 22},
            {"seat": 1, "hand_points": 0, "boxes": 0, "bonus_points": 0, "total": 0},
        ]

    def test_that_deals_tells_so(self):
        game = played(*SCORED)[1]
        made = apply(game, 0, DealHand())
        assert of_play(game, made.game, made.moves, 12) == (
            Told("hand_dealt", 12, {"hand_number": 2}),
        )

    def test_that_ends_the_game_tells_the_hand_first(self):
        told = of_play(*played(*SCORED, target=20, game_bonus=100), 9)
        assert types(told) == ["hand_ended", "game_ended"]
        assert {each.version for each in told} == {9}
        assert told[1].facts["winner_seat"] == 0
        assert told[0].facts["totals"] == told[1].facts["totals"]
        assert told[1].facts["totals"][0]["bonus_points"] > 0

    def test_that_resigns_ends_both(self):
        game = begin(setup()).game
        made = apply(game, 0, Resign())
        told = of_play(game, made.game, made.moves, 5)
        assert types(told) == ["hand_ended", "game_ended"]
        assert (told[0].facts["outcome"], told[0].facts["points"]) == ("resigned", 0)
        assert told[1].facts["winner_seat"] == 1

    def test_of_several_tells_each_with_its_own_version_and_totals(self):
        ended = played(*SCORED)
        dealt = apply(ended[1], 0, DealHand())
        told = of_play(ended[0], dealt.game, (*ended[2], *dealt.moves), 20)
        assert [(each.type, each.version) for each in told] == [
            ("hand_ended", 19),
            ("hand_dealt", 20),
        ]


class TestAChange:
    def test_that_ends_a_game_from_outside_tells_so(self):
        game = played(*THROWN)[1]
        agreed = abandon(game)
        [told] = of_play(game, agreed.game, (), 8, (agreed.change,))
        assert (told.type, told.version) == ("game_abandoned", 8)
        assert "winner_seat" not in told.facts

    def test_of_another_kind_tells_nothing(self):
        game = played(*THROWN)[1]
        for kind in (ChangeKind.HINTED, ChangeKind.CONSENTED, ChangeKind.CONFIRMED):
            assert of_play(game, game, (), 8, (Change(kind, 0),)) == ()

    @pytest.mark.parametrize("policy", ["claim", "ai_takes_over", "forfeit"])
    def test_of_time_that_ran_out_tells_whose(self, policy):
        game = played(*THROWN, turn_seconds=60, timeout_policy=policy)[1]
        expired = expire(game)
        told = of_play(game, expired.game, expired.moves, 9, expired.changes)
        assert told[0] == Told("turn_deadline_passed", 9, {"hand_number": 1, "seat": 1})
        if policy == "forfeit":
            assert expired.moves[0].by is Mover.CLOCK
            assert types(told[1:]) == ["hand_ended", "game_ended"]


class TestASeat:
    def test_that_was_taken_or_left_is_told(self):
        game = new_game(setup())
        assert of_seat(True, 1, game, game, (), 2) == (Told("seat_joined", 2, {"seat": 1}),)
        assert of_seat(False, 1, game, game, (), 3) == (Told("seat_left", 3, {"seat": 1}),)

    def test_that_was_the_last_free_one_has_the_hand_dealt(self):
        made = begin(setup())
        told = of_seat(True, 1, new_game(setup()), made.game, made.moves, 2 + len(made.moves))
        assert [(each.type, each.version) for each in told] == [
            ("seat_joined", 2),
            ("hand_dealt", 2 + len(made.moves)),
        ]


class TestARematch:
    def test_is_told_to_the_old_game(self):
        assert of_rematch(30, "g_2") == Told("rematch_created", 30, {"rematch_game_id": "g_2"})


class TestAllThatIsTold:
    def test_has_a_known_type_and_no_card(self):
        ended = played(*SCORED, target=20)
        all_told = [*of_creation(ended[1], ended[2]), *of_play(*ended, 9)]
        assert {each.type for each in all_told} <= set(TYPES)
        said = repr([each.facts for each in all_told])
        assert not any(f"'{name}'" in said for name in CARD_NAMES)
        assert "Ada" not in said

    def test_does_not_ping(self):
        assert portal_events.PING not in TYPES
