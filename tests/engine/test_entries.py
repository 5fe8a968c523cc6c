"""A hand as a score keeper enters it: by points, by cards or counts, or two at once."""

import pytest

from engine.actions import KnockKind
from engine.cards import NO_CARDS, parse_card, parse_cards
from engine.entries import (
    entry_of_tables,
    entry_with_cards,
    entry_with_points,
    scored_hands,
)
from engine.hand_scores import HandSide, score_hand
from engine.rules import PRESETS, STANDARD
from engine.scoring import HandOutcome, ScoreLine

MINE = parse_cards(["2C", "3C", "4C", "AD", "7D", "QD", "7H", "QH", "7S", "QS"])
THEIRS = parse_cards(["5C", "7C", "8C", "4D", "8D", "KD", "8H", "KH", "9S", "KS"])


def by_cards(seats=2, knocker=0, defender=1, rules=STANDARD, upcard=None):
    sides = HandSide(knocker, MINE), HandSide(defender, THEIRS)
    scored = score_hand(KnockKind.KNOCK, *sides, rules, upcard)
    return entry_with_cards(seats, scored, upcard)


class TestAHandByPoints:
    @pytest.mark.parametrize(
        ("seats", "outcome", "winner", "knocker"),
        [
            (2, HandOutcome.KNOCK, 0, 0),
            (2, HandOutcome.GIN, 1, 1),
            (3, HandOutcome.BIG_GIN, 2, 2),
            (2, HandOutcome.UNDERCUT, 0, 1),
            (2, HandOutcome.UNDERCUT, 1, 0),
            (3, HandOutcome.UNDERCUT, 1, None),
            (4, HandOutcome.UNDERCUT, 1, None),
            (2, HandOutcome.DRAWN, None, None),
        ],
    )
    def test_was_knocked_by_whom_only_one_seat_can_have(self, seats, outcome, winner, knocker):
        entry = entry_with_points(seats, outcome, winner, 20 if winner else 0)
        assert (entry.winner, entry.knocker) == (winner, knocker)

    def test_was_knocked_by_whoever_is_told(self):
        assert entry_with_points(3, HandOutcome.UNDERCUT, 1, 28, 2).knocker == 2

    def test_is_a_teams_where_partners_play(self):
        teams = [entry_with_points(4, HandOutcome.GIN, seat, 9).winner_team for seat in range(4)]
        assert teams == [0, 1, 0, 1]
        assert entry_with_points(3, HandOutcome.GIN, 2, 9).winner_team is None


class TestAHandByCards:
    def test_is_scored_line_by_line(self):
        entry = by_cards()
        assert (entry.outcome, entry.winner, entry.points) == (HandOutcome.KNOCK, 0, 12)
        assert entry.lines == (ScoreLine("deadwood_difference", 12, 0),)
        assert [(side.seat, side.deadwood) for side in entry.sides] == [(0, 1), (1, 13)]

    def test_has_its_sides_by_seat(self):
        entry = by_cards(4, knocker=3, defender=0)
        assert [side.seat for side in entry.sides] == [0, 3]
        assert (entry.knocker, entry.winner, entry.winner_team) == (3, 3, 1)

    def test_counts_twice_for_a_spade(self):
        spade = parse_card("TS")
        entry = by_cards(rules=PRESETS["oklahoma"], upcard=spade)
        assert (entry.multiplier, entry.points, entry.upcard) == (2, 24, spade)

    def test_has_no_cards_of_a_side_that_was_only_counted(self):
        sides = HandSide(0, deadwood=3), HandSide(1, deadwood=20)
        entry = entry_with_cards(2, score_hand(KnockKind.KNOCK, *sides, STANDARD))
        assert [side.cards for side in entry.sides] == [NO_CARDS, NO_CARDS]
        assert entry.points == 17


class TestTwoHandsAtOnce:
    def test_are_one_entry_of_a_team_and_of_no_seat(self):
        tables = tuple(
            entry_with_points(4, HandOutcome.GIN, seat, points)
            for seat, points in ((0, 9), (3, 30))
        )
        entry = entry_of_tables(tables)
        assert (entry.outcome, entry.points) == (HandOutcome.NET, 21)
        assert (entry.winner, entry.knocker, entry.winner_team) == (None, None, 1)
        assert entry.tables == tables


class TestEntries:
    def test_are_numbered_for_the_score(self):
        entries = (entry_with_points(2, HandOutcome.DRAWN), by_cards())
        hands = scored_hands(entries)
        assert [(hand.hand_number, hand.winner, hand.points) for hand in hands] == [
            (1, None, 0),
            (2, 0, 12),
        ]
