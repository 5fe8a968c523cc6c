"""Whole games for tests under any playable rules, by seats that do anything the rules allow."""

import os
from dataclasses import dataclass, replace
from random import Random

from engine.actions import (
    Claim,
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
from engine.advice import gives_hints, take_hint
from engine.agreements import confirm, consent
from engine.clock import expire
from engine.errors import EngineError
from engine.events import Change
from engine.game import Game, Move, Mover, SeatKind, Setup
from engine.hand import Phase
from engine.layoffs import LayOff
from engine.legal import legal
from engine.melds import arrangements
from engine.players import easy
from engine.progress import apply, begin
from engine.rules import CHOICES, RANGES, SWITCHES, resolve
from engine.views import view

UNREAD_WITHOUT = {
    "knock_limit": ("knock_mode", {"standard", "oklahoma"}),
    "oklahoma_ace": ("knock_mode", {"oklahoma"}),
    "big_gin_bonus": ("big_gin", {True}),
    "max_recycles": ("recycle", {"unshuffled", "shuffled"}),
    "multi_pickup_return": ("multi_pickup", {True}),
}
"""Options that contradict the rules unless another one has one of these values."""

SEATS = (2, 2, 3, 4)
READ_WITH = {"three_player": 3, "four_player": 4}
"""Options that only so many seats have a use for."""

HANDS_AT_MOST = 12
LATE = 0.003
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


def random_rules(rng, seats=2):
    """Rules for so many seats in which each option has any of its values."""
    chosen = {}
    for name, values in sorted(CHOICES.items()):
        chosen[name] = rng.choice(values)
    for name in sorted(SWITCHES):
        chosen[name] = rng.choice((False, True))
    for name, (least, greatest) in sorted(RANGES.items()):
        any_number = (least, greatest, rng.randint(least, greatest))
        chosen[name] = rng.choice(any_number)
    chosen["turn_seconds"] = rng.choice([0, 3600, RANGES["turn_seconds"][1]])
    chosen["target"] = rng.choice([10, 50, 100, 150])
    chosen["max_turns"] = rng.choice([50, 60, 200])
    chosen["first_dealer"] = rng.choice(["draw", *(f"seat{seat}" for seat in range(seats))])
    chosen["four_player"] = "partnership"
    chosen["hollywood"] &= seats != 3
    for name, (other, values) in UNREAD_WITHOUT.items():
        if chosen[other] not in values:
            del chosen[name]
    if chosen["recycle"] != "never":
        del chosen["stock_end"]
    if chosen["multi_pickup"]:
        chosen["discard_view"] = "spread"
    for name, read in READ_WITH.items():
        if seats != read:
            del chosen[name]
    return resolve("standard", chosen)


def random_setup(rng):
    seats = rng.choice(SEATS)
    kinds = tuple(rng.choice(list(SeatKind)) for _ in range(seats))
    rules = random_rules(rng, seats)
    return Setup(f"g_{rng.randrange(1 << 32)}", rules, kinds, rng.randbytes(32))


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
    draws = [
        Draw(draw.source, draw.card if draw.cards else rng.choice([None, draw.card]))
        for draw in options.draws
    ]
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


@dataclass(frozen=True)
class Step:
    """The game after somebody did something: a move with what followed, or changes."""

    game: Game
    moves: tuple
    changes: tuple[Change, ...] = ()

    @property
    def log(self):
        """What the log holds of it, in order."""
        return self.changes + self.moves


def _said(game, seat, rng):
    """What the seats say beside their play: they confirm, ask for hints, seldom for a void."""
    if game.phase is Phase.CONFIRMING:
        agreed = confirm(game, seat)
    elif gives_hints(game.rules) and not game.hand.over and rng.random() < 0.1:
        agreed = take_hint(game, seat)
    else:
        kinds = {game.setup.seats[each] for each in game.hand.playing_seats}
        if game.hand.over or kinds != {SeatKind.HUMAN} or rng.random() > 0.02:
            return None
        agreed = consent(game, rng.choice(game.hand.playing_seats), void=rng.random() < 0.5)
    return agreed.change and Step(agreed.game, agreed.moves, (agreed.change,))


def out_of_time(game, rng):
    """What follows when the time of who is due runs out, a computer's turn included."""
    expired = expire(game)
    if expired is None:
        return None
    game, moves, seat = expired.game, expired.moves, expired.plays_for
    while seat is not None:
        made = apply(game, seat, easy.choose(view(game, seat), rng), Mover.CLOCK)
        game, moves = made.game, moves + made.moves
        seat = seat if game.phase is Phase.DISCARD else None
    return Step(game, moves, expired.changes)


def _by_the_clock(game, rng, late):
    """Now and then somebody is out of time, and now and then the game is claimed for it."""
    if game.late_seat is not None and rng.random() < 0.3:
        made = apply(game, rng.choice(game.claimants), Claim()) if game.claimants else None
        return made and Step(made.game, made.moves)
    return out_of_time(game, rng) if rng.random() < late else None


def steps(seed, late=LATE, **options):
    """A whole game from ``seed``: each step, the first one with the deal.

    ``late`` is how often the time of who is due runs out, where there is a clock. ``options`` of
    the rules are as given.
    """
    rng = Random(seed)
    setup = random_setup(rng)
    made = begin(replace(setup, rules=replace(setup.rules, **options)))
    yield Step(made.game, made.moves)
    game = made.game
    careless = [rng.random() < 0.3 for _ in game.setup.seats]
    while not game.over and len(game.hands) < HANDS_AT_MOST:
        seat = rng.choice(game.to_act_seats)
        said = _by_the_clock(game, rng, late) or _said(game, seat, rng)
        if said is not None:
            yield said
            game = said.game
            continue
        if rng.random() < 0.0003:
            action = Resign()
        elif careless[seat]:
            action = anything(game, seat, rng)
        else:
            action = easy.choose(view(game, seat), rng)
        played_for = gives_hints(game.rules) and rng.random() < 0.1
        made = apply(game, seat, action, Mover.AI if played_for else Mover.PLAYER)
        yield Step(made.game, made.moves)
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
    for game, log, rng in logged(seed, share):
        yield game, [entry for entry in log if isinstance(entry, Move)], rng


def logged(seed, share):
    """Some positions of a game, each with the whole log of the game until then."""
    rng = Random(-seed)
    moves = []
    for made in steps(seed):
        moves += made.log
        if rng.random() < share:
            yield made.game, moves, rng
