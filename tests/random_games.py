"""Whole games for tests under any playable rules, by seats that do anything the rules allow."""

import os
from random import Random

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
from engine.errors import EngineError
from engine.game import SeatKind, Setup, apply, begin
from engine.layoffs import LayOff
from engine.legal import legal
from engine.melds import arrangements
from engine.players import easy
from engine.rules import CHOICES, PLAYABLE, RANGES, SWITCHES, resolve
from engine.views import view

UNREAD_WITHOUT = {
    "knock_limit": ("knock_mode", {"standard", "oklahoma"}),
    "oklahoma_ace": ("knock_mode", {"oklahoma"}),
    "big_gin_bonus": ("big_gin", {True}),
}
"""Options that contradict the rules unless another one has one of these values."""

NOT_FOR_TWO_SEATS = {"three_player", "four_player"}
HANDS_AT_MOST = 12
GAMES = int(os.environ.get("GIN_SWEEP_ENGINE_GAMES", "8"))

PLAYS = (
    Pass(),
    Draw(DrawSource.STOCK),
    Draw(DrawSource.DISCARD_PILE),
    *(Draw(DrawSource.DISCARD_PILE, card) for card in range(52)),
    *(Discard(card) for card in range(52)),
    *(Knock(kind, card) for kind in (KnockKind.KNOCK, KnockKind.GIN) for card in range(52)),
    Knock(KnockKind.BIG_GIN),
    LayOffs(),
    LayOffs(()),
    *(LayOffs((LayOff(card, meld),)) for card in range(52) for meld in range(4)),
)
"""Every action of play that names no lay-out and at most one lay-off."""


def random_rules(rng):
    """Rules in which each playable option has any of its values."""
    chosen = {}
    for name, values in sorted(CHOICES.items()):
        chosen[name] = rng.choice(PLAYABLE.get(name, values))
    for name in sorted(SWITCHES):
        chosen[name] = rng.choice(PLAYABLE.get(name, (False, True)))
    for name, (least, greatest) in sorted(RANGES.items()):
        any_number = (least, greatest, rng.randint(least, greatest))
        chosen[name] = rng.choice(PLAYABLE.get(name, any_number))
    chosen["target"] = rng.choice([10, 50, 100, 150])
    chosen["max_turns"] = rng.choice([50, 60, 200])
    for name, (other, values) in UNREAD_WITHOUT.items():
        if chosen[other] not in values:
            del chosen[name]
    for name in ("max_recycles", "multi_pickup_return", *NOT_FOR_TWO_SEATS):
        del chosen[name]
    return resolve("standard", chosen)


def random_setup(rng):
    kinds = tuple(rng.choice(list(SeatKind)) for _ in range(2))
    return Setup(f"g_{rng.randrange(1 << 32)}", random_rules(rng), kinds, rng.randbytes(32))


def anything(game, seat, rng):
    """Any action that is legal, whatever it is good for."""
    options = legal(game, seat)
    if "deal" in options.actions:
        return DealHand()
    if "lay_off" in options.actions:
        return _some_lay_offs(options, rng)
    if options.knocks and rng.random() < 0.2:
        knock = rng.choice(options.knocks)
        held = game.hand.holdings[seat]
        if knock.discard is not None:
            held ^= 1 << knock.discard
        own = rng.choice([None, *arrangements(held, 5)])
        return Knock(knock.kind, knock.discard, own and tuple(meld.cards for meld in own.melds))
    if options.discards:
        return Discard(rng.choice(options.discards).card)
    draws = [Draw(draw.source, rng.choice([None, draw.card])) for draw in options.draws]
    return rng.choice([*draws, Pass()] if "pass" in options.actions else draws)


def _some_lay_offs(options, rng):
    if rng.random() < 0.3:
        return LayOffs(None)
    made = []
    for fit in options.lay_offs.possible:
        before = fit.after is None or LayOff(fit.after, fit.meld) in made
        if before and fit.card not in {laid.card for laid in made} and rng.random() < 0.7:
            made.append(LayOff(fit.card, fit.meld))
    return LayOffs(tuple(made))


def steps(seed):
    """A whole game from ``seed``: each transition, the first one with the deal."""
    rng = Random(seed)
    made = begin(random_setup(rng))
    yield made
    game = made.game
    careless = [rng.random() < 0.3 for _ in range(2)]
    while not game.over and len(game.hands) < HANDS_AT_MOST:
        seat = rng.choice(game.to_act_seats)
        if rng.random() < 0.0003:
            action = Resign()
        elif careless[seat]:
            action = anything(game, seat, rng)
        else:
            action = easy.choose(view(game, seat), rng)
        made = apply(game, seat, action)
        yield made
        game = made.game


def refusal(table, seat, action):
    """The error with which ``action`` is refused, or None if it is accepted."""
    try:
        apply(table, seat, action)
    except EngineError as error:
        return error
    return None


def looked_at(seed, share):
    """Some positions of a game, each with the moves of the game until then."""
    rng = Random(-seed)
    moves = []
    for made in steps(seed):
        moves += made.moves
        if rng.random() < share:
            yield made.game, moves, rng
