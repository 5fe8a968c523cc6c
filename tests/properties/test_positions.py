"""Whatever is told of a position is either refused with its field or advised, by every advisor."""

import os
from dataclasses import fields, replace
from random import Random

import pytest

from engine.actions import DrawSource
from engine.cards import cards_of
from engine.hand import Phase
from engine.hand_scores import Mistold
from engine.players.levels import ADVISORS
from engine.position_views import position_view
from engine.positions import MOST_HELD, Position
from tests.random_games import random_rules

POSITIONS = int(os.environ.get("GIN_SWEEP_POSITIONS", "80"))
PHASES = (Phase.FIRST_UPCARD, Phase.DRAW, Phase.DISCARD)
NAMES = {field.name for field in fields(Position)}


def told(rng):
    """A position that is nearly right, with more or less of what might be told of it."""
    rules, deck = random_rules(rng), rng.sample(range(52), 52)
    phase = rng.choice(PHASES)
    several = rules.multi_pickup and rng.random() < 0.5
    held = rng.randint(10, MOST_HELD) if several else 10 + (phase is Phase.DISCARD)
    cards, rest = deck[:held], deck[held:]
    stock = 31 if phase is Phase.FIRST_UPCARD else rng.randint(0, 31)
    lying = max(0, 42 - held - stock)
    known = rng.choice([lying, lying, 1, 0])
    position = Position(
        phase,
        cards_of(cards),
        stock,
        rules,
        upcard=rng.choice([None, rest[lying - 1], cards[0]]) if lying else None,
        discard_pile=tuple(rest[max(0, lying - known) : lying]),
        known_cards=cards_of(rng.sample(cards, rng.randrange(3))),
        opponent_known_cards=cards_of(rest[lying : lying + rng.randrange(4)]),
        dealer=rng.random() < 0.5,
        turn=rng.choice([None, None, 31 - stock, rng.randrange(60)]),
    )
    if phase is Phase.DISCARD and rng.random() < 0.7:
        source = rng.choice(list(DrawSource))
        position = replace(position, drawn_card=rng.choice(cards), drawn_from=source)
    return position


def view_or_fault(position):
    try:
        return position_view(position)
    except Mistold as error:
        return error


@pytest.mark.parametrize("advise", ADVISORS.values(), ids=ADVISORS)
def test_is_refused_with_its_field_or_advised(advise):
    rng = Random("positions")
    advised = dict.fromkeys(PHASES, 0)
    for _ in range(POSITIONS):
        position = told(rng)
        seen = view_or_fault(position)
        if isinstance(seen, Mistold):
            assert seen.place[0] in NAMES
            continue
        options = [each.action for each in advise(seen)]
        legal = seen.you.legal
        assert options
        assert len(options) >= len(legal.discards) + len(legal.draws)
        advised[position.phase] += 1
    assert min(advised.values()) > 0, advised
