"""All that must hold of a hand, in one pass over many games under any rules.

The games are played until ``GIN_SWEEP_OPTION_HANDS`` hands are over.
"""

import os
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from engine.cards import each_card
from engine.hand import Phase
from engine.legal import legal
from engine.notation import parse_position, position_name
from engine.record import game_record, play_record
from engine.replay import replay
from tests.properties.test_engine import listed
from tests.random_games import PLAYS, refusal, steps

HANDS = int(os.environ.get("GIN_SWEEP_OPTION_HANDS", "80"))
PARTS = 8
ENOUGH = 40
"""So many hands never end all in the same way."""


def holds(table, rng):
    """What must hold of every position."""
    hand = table.hand
    thrown = [hand.knock.discard] if hand.knock and hand.knock.discard is not None else []
    held = [card for cards in hand.holdings for card in each_card(cards)]
    assert sorted([*held, *hand.stock, *hand.discard_pile, *thrown]) == list(range(52))
    assert hand.turn <= table.rules.max_turns
    if not table.over:
        assert table.to_act_seats
        assert all(legal(table, seat).actions for seat in table.to_act_seats)
    if rng.random() < 0.2 and hand.phase in {Phase.DRAW, Phase.DISCARD, Phase.LAY_OFF}:
        seat, play = hand.to_act, rng.choice(PLAYS)
        assert (refusal(table, seat, play) is None) == (play in listed(table, seat))
        assert parse_position(position_name(hand), table.rules) == hand


def can_be_told_again(setup, table, log):
    """Whether log and record of a game lead to it."""
    assert replay(setup, log) == table
    record = game_record(setup, [entry for entry in log if hasattr(entry, "event")])
    beside = ("void_consents", "confirmed_by", "hints", "late_seat", "away_seats")
    said = {name: getattr(table, name) for name in beside}
    told = replace(play_record(record), setup=setup, last_move=table.last_move, **said)
    assert told == table


@pytest.mark.parametrize("part", range(PARTS))
class TestManyHands:
    def test_keep_the_laws(self, part):
        hands, seed, seen = 0, part, Counter()
        while hands < HANDS // PARTS:
            rng, log, table = Random(seed), [], None
            for step in steps(f"{seed}"):
                table = step.game
                log += step.log
                holds(table, rng)
            can_be_told_again(table.setup, table, log)
            hands += len(table.hands)
            seen.update(result.outcome for result in table.hands)
            seed += PARTS
        assert len(seen) > 1 or seen.total() < ENOUGH, "hands end in more than one way"
