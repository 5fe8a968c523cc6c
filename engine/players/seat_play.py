"""Lets a policy play a seat of a game: turns a view into a row, and what it decides into an action.

What rule options add to a turn is settled here, the same way for every policy: lay-offs, big gin,
several cards from the pile, the turn at the wall.
"""

from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from engine.actions import (
    Action,
    DealHand,
    Discard,
    Draw,
    DrawSource,
    Knock,
    KnockKind,
    LayOffs,
    Pass,
)
from engine.hand import Phase
from engine.legal import DrawOption, KnockOption
from engine.players.digging import best_dig, leaves_at_wall
from engine.players.policies import Policy
from engine.players.sight import sight_of
from engine.rules import Rules
from engine.views import GameView

SEED_BITS: Final = 64

_NEVER_USED: Final = np.random.default_rng(0)


@dataclass(frozen=True, slots=True)
class SeatPlay:
    """A computer player, made of a policy; ``chancy`` is one that leaves something to chance."""

    policy: Policy
    chancy: bool = True

    def __call__(self, view: GameView, rng: Random) -> Action:
        """Return the next action of the seat whose ``view`` it is, which has to be due."""
        legal = view.you.legal
        if "deal" in legal.actions:
            return DealHand()
        if "lay_off" in legal.actions:
            return LayOffs()
        if legal.draws:
            return self._before_the_draw(view, rng)
        return self._after_the_draw(view, rng)

    def _before_the_draw(self, view: GameView, rng: Random) -> Action:
        legal = view.you.legal
        top = next((draw for draw in legal.draws if draw.card is not None and not draw.cards), None)
        if "pass" in legal.actions and view.phase is not Phase.FIRST_UPCARD:
            assert top is not None, "at the wall the last discard may be taken"
            return _take(top) if leaves_at_wall(view, top) else Pass()
        instead: Action = Pass() if "pass" in legal.actions else Draw(DrawSource.STOCK)
        if all(draw.source is not DrawSource.STOCK for draw in legal.draws) and instead != Pass():
            assert top is not None, "there is something to draw"
            return _take(top)
        dig = best_dig(view)
        if dig is not None:
            return _take(dig)
        takes = top is not None and self.policy.takes(sight_of(view), self._chance(rng))[0]
        return _take(top) if top is not None and takes else instead

    def _after_the_draw(self, view: GameView, rng: Random) -> Action:
        legal = view.you.legal
        best = best_knock(legal.knocks, view.rules)
        if best is not None and (best.deadwood == 0 or not legal.discards):
            return knock_of(best)
        if not legal.discards:
            return Pass()
        if legal.discard_count > 1:
            return Discard(legal.discards[0].card)
        throws = self.policy.throws(sight_of(view), self._chance(rng))
        card = int(throws.card[0])
        if throws.knocks[0]:
            option = next((each for each in legal.knocks if each.discard == card), best)
            assert option is not None, "a policy knocks only where it may"
            return knock_of(option)
        return Discard(card)

    def _chance(self, rng: Random) -> np.random.Generator:
        return np.random.default_rng(rng.getrandbits(SEED_BITS)) if self.chancy else _NEVER_USED


def _take(draw: DrawOption) -> Draw:
    return Draw(draw.source, draw.card if draw.cards else None)


def knock_of(option: KnockOption) -> Knock:
    """Return the knock that ``option`` offers; the engine lays the cards out."""
    return Knock(option.kind, option.discard)


def best_knock(knocks: tuple[KnockOption, ...], rules: Rules) -> KnockOption | None:
    """Return the knock with the least deadwood; of gin and big gin that with the larger bonus."""
    if not knocks:
        return None
    return min(knocks, key=lambda option: (option.deadwood, -_bonus(option, rules)))


def _bonus(option: KnockOption, rules: Rules) -> int:
    return rules.big_gin_bonus if option.kind is KnockKind.BIG_GIN else rules.gin_bonus
