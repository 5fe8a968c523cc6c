"""No level decides by anything but its view and its dice, ``GIN_SWEEP_PLAYER_WORLDS`` pairs each.

Each pair is a position in which a seat is due, and another one that the seat cannot tell from it.
Both are shown to the level, with the same dice, and what it does has to be the same. All first
positions come before all others, and these in another order: what a level remembers of a decision
may not tell in the next one either.
"""

import os
from collections import Counter
from functools import lru_cache
from itertools import islice
from random import Random

import pytest

from engine import views
from engine.actions import Discard
from engine.cards import each_card
from engine.game import Move
from engine.hand import Phase
from engine.players import easy
from engine.players.levels import LEVELS
from tests.other_worlds import OtherWorld
from tests.random_games import logged

PAIRS = int(os.environ.get("GIN_SWEEP_PLAYER_WORLDS", "80"))
PARTS = 4
TAKEN = {Phase.FIRST_UPCARD: 0.5, Phase.LAY_OFF: 1}
"""How often a position of a phase is taken, where not ``OFTEN``."""
OFTEN = 0.2
PEEKED = 80
"""So many pairs are enough to find who peeks."""


def pairs(seeds):
    """Positions in which a seat has to play, each with another world for it, and a seed."""
    for seed in seeds:
        for table, log, rng in logged(seed, 1):
            if table.hand.over or rng.random() > TAKEN.get(table.phase, OFTEN):
                continue
            number, seat = table.hand.number, table.hand.to_act
            past = [each for each in log if isinstance(each, Move) and each.hand_number == number]
            yield table, OtherWorld(table, past, seat, rng).game, seat, rng.randrange(1 << 32)


@lru_cache(PARTS)
def some(count, part=0):
    return list(islice(pairs(range(part, 1 << 32, PARTS)), count))


def decision(choose, game, seat, dice):
    return choose(views.view(game, seat), Random(dice))


def told_apart(choose, worlds):
    """The numbers of the ``worlds`` in which ``choose`` does one thing here and another there."""
    here = {
        number: decision(choose, game, seat, dice)
        for number, (game, _, seat, dice) in enumerate(worlds)
    }
    order = Random(1).sample(range(len(worlds)), len(worlds))
    there = {
        number: decision(choose, other, seat, dice)
        for number in order
        for _, other, seat, dice in [worlds[number]]
    }
    return [number for number in here if here[number] != there[number]]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", list(LEVELS))
class TestALevel:
    def test_does_the_same_whatever_it_cannot_know(self, name, part):
        assert told_apart(LEVELS[name].choose, some(PAIRS // PARTS, part)) == []


class TestThePairs:
    def test_are_of_all_phases_and_other_cards_lie_elsewhere(self):
        worlds = some(PEEKED)
        phases = Counter(game.phase for game, *_ in worlds)
        assert set(phases) == {Phase.FIRST_UPCARD, Phase.DRAW, Phase.DISCARD, Phase.LAY_OFF}
        held = [
            (game.hand.holdings[other_seat], other.hand.holdings[other_seat])
            for game, other, seat, _ in worlds
            if game.phase is not Phase.LAY_OFF
            for other_seat in [game.hand.other(seat)]
        ]
        assert sum(one != other for one, other in held) > 0.9 * len(held)


class TestAPlayerThatPeeks:
    """The very check above has to find each of them."""

    @pytest.fixture
    def shown(self, monkeypatch):
        """The games that views were made of, for a player to look at behind their back."""
        games, honest = [], views.view
        monkeypatch.setattr(
            views, "view", lambda game, viewer: games.append(game) or honest(game, viewer)
        )
        return games

    def test_at_the_other_seats_cards_is_found(self, shown):
        def choose(view, rng):
            action = easy.choose(view, rng)
            if not isinstance(action, Discard):
                return action
            hand = shown[-1].hand
            theirs = hand.holdings[hand.other(hand.to_act)]
            return Discard(
                min(
                    (each.card for each in view.you.legal.discards),
                    key=lambda card: min(abs(card - other) for other in each_card(theirs)),
                )
            )

        assert told_apart(choose, some(PEEKED))

    def test_at_the_top_of_the_stock_is_found(self, shown):
        def choose(view, rng):
            stock = shown[-1].hand.stock
            draws = view.you.legal.draws
            if len(draws) < 2 or not stock:
                return easy.choose(view, rng)
            good = easy.completes_meld(view.you.cards, stock[0])
            return easy.Draw(draws[0].source if good else draws[1].source)

        assert told_apart(choose, some(PEEKED))

    def test_at_the_clock_or_other_dice_is_found(self):
        dice = Random(1)
        assert told_apart(lambda view, _: easy.choose(view, dice), some(PEEKED))

    def test_at_what_it_did_before_is_found(self):
        """Not at a card, but its moves would differ from those of a process started anew."""
        seen = []

        def choose(view, rng):
            seen.append(view)
            if len(seen) % 3 == 0 and view.you.legal.discards:
                return Discard(view.you.legal.discards[-1].card)
            return easy.choose(view, rng)

        assert told_apart(choose, some(PEEKED))
