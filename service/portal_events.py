"""What a portal is told about its games: which events follow from what happened, and their facts.

Public facts alone, enough for a table of results; never a card, and never who plays: names,
references and metadata stand with the game and are read there when an event is told. Pure: knows
no database, no clock and no HTTP.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.columns import SeatTotal
from engine.events import Change, ChangeKind, Dealt
from engine.game import Game, Move, Mover
from engine.scoring import HandResult
from engine.settlement import GameScore, settle

GAME_CREATED: Final = "game_created"
SEAT_JOINED: Final = "seat_joined"
SEAT_LEFT: Final = "seat_left"
HAND_DEALT: Final = "hand_dealt"
HAND_ENDED: Final = "hand_ended"
GAME_ENDED: Final = "game_ended"
GAME_ABANDONED: Final = "game_abandoned"
REMATCH_CREATED: Final = "rematch_created"
TURN_DEADLINE_PASSED: Final = "turn_deadline_passed"
TYPES: Final = (
    GAME_CREATED,
    SEAT_JOINED,
    SEAT_LEFT,
    HAND_DEALT,
    HAND_ENDED,
    GAME_ENDED,
    GAME_ABANDONED,
    REMATCH_CREATED,
    TURN_DEADLINE_PASSED,
)
"""What can happen to a game, as far as its portal is told."""

JOINED: Final = "joined"
LEFT: Final = "left"
ROTATED: Final = "rotated"
"""What happens to a seat, as the log of changes names it."""

PING: Final = "ping"
"""Sent when a portal asks for it, to one webhook alone; never in the feed."""

Facts = Mapping[str, Any]

_OF_TIME: Final = (ChangeKind.OUT_OF_TIME, ChangeKind.TAKEN_OVER, ChangeKind.CONFIRMED_BY_CLOCK)


@dataclass(frozen=True, slots=True)
class Told:
    """An event of the version ``version`` of a game, with its public facts by their wire names."""

    type: str
    version: int
    facts: Facts


def of_creation(
    game: Game, moves: Sequence[Move], changes: Sequence[Change] = ()
) -> tuple[Told, ...]:
    """Return the events of a new game, whose making is version 1, and of its first ``moves``.

    Before them came ``changes``, each a version of its own.
    """
    made, first = Told(GAME_CREATED, 1, {}), 2 + len(changes)
    end = first - 1 + len(moves)
    return (made, *_of_moves(game, moves, first), *_of_the_end(None, game, end))


def of_play(
    before: Game, game: Game, moves: Sequence[Move], version: int, changes: Sequence[Change] = ()
) -> tuple[Told, ...]:
    """Return the events of ``changes`` and ``moves`` that led from ``before`` to ``game``.

    ``version`` is that of ``game``; each change and each move has made one. Of one version the end
    of a hand comes before that of the game.
    """
    first = version - len(changes) - len(moves) + 1
    told = [
        Told(TURN_DEADLINE_PASSED, first + index, _late(game, change.seat))
        for index, change in enumerate(changes)
        if change.kind in _OF_TIME
    ]
    return (
        *told,
        *_of_moves(game, moves, first + len(changes)),
        *_of_the_end(before, game, version),
    )


def of_seat(
    joined: bool,
    seat: int,
    before: Game,
    game: Game,
    moves: Sequence[Move],
    version: int,
    changes: Sequence[Change] = (),
) -> tuple[Told, ...]:
    """Return the events of a seat that was taken or left; then came ``changes`` and ``moves``.

    ``version`` is that of ``game``, the last one.
    """
    first = version - len(moves) - len(changes)
    sat = Told(SEAT_JOINED if joined else SEAT_LEFT, first, {"seat": seat})
    return (sat, *of_play(before, game, moves, version, changes))


def of_change(
    what: tuple[str, int] | None,
    before: Game,
    game: Game,
    moves: Sequence[Move],
    version: int,
    changes: Sequence[Change] = (),
) -> tuple[Told, ...]:
    """Return the events of :func:`of_play`; ``what`` happened to which seat first, if that is told.

    That a seat has other tokens now is nothing that a portal is told.
    """
    if what is None:
        return of_play(before, game, moves, version, changes)
    kind, seat = what
    if kind == ROTATED:
        return ()
    return of_seat(kind == JOINED, seat, before, game, moves, version, changes)


def of_rematch(version: int, rematch_game_id: str) -> Told:
    """Return the event of a game that is played once more, in another one."""
    return Told(REMATCH_CREATED, version, {"rematch_game_id": rematch_game_id})


def _of_moves(game: Game, moves: Sequence[Move], version: int) -> Iterator[Told]:
    for index, move in enumerate(moves):
        event, number = move.event, version + index
        if move.by is Mover.CLOCK and index == 0:
            yield Told(TURN_DEADLINE_PASSED, number, _late(game, move.seat))
        if isinstance(event, Dealt):
            yield Told(HAND_DEALT, number, {"hand_number": event.hand_number})
        result: HandResult | None = getattr(event, "result", None)
        if result is not None:
            yield Told(HAND_ENDED, number, _hand(game, result))


def _of_the_end(before: Game | None, game: Game, version: int) -> Iterator[Told]:
    if not game.over or (before is not None and before.over):
        return
    if game.abandoned:
        yield Told(GAME_ABANDONED, version, _with_totals({}, game.score))
    else:
        yield Told(GAME_ENDED, version, _with_totals(_winner(game.score), game.score))


def _late(game: Game, seat: int | None) -> Facts:
    number = {} if game.hand is None else {"hand_number": game.hand.number}
    return number if seat is None else {**number, "seat": seat}


def _hand(game: Game, result: HandResult) -> Facts:
    so_far = tuple(hand for hand in game.hands if hand.hand_number <= result.hand_number)
    score = settle(game.rules, game.seat_count, so_far)
    facts = {
        "hand_number": result.hand_number,
        "outcome": result.outcome.value,
        "points": result.points,
        **_winner(result),
    }
    return _with_totals(facts, score)


def _winner(of: GameScore | HandResult) -> dict[str, Any]:
    facts = {"winner_seat": of.winner, "winner_team": of.winner_team}
    return {name: value for name, value in facts.items() if value is not None}


def _with_totals(facts: dict[str, Any], score: GameScore) -> Facts:
    return {**facts, "totals": [_total(each) for each in score.totals]}


def _total(of: SeatTotal) -> dict[str, int]:
    return {
        "seat": of.seat,
        "hand_points": of.hand_points,
        "boxes": of.boxes,
        "bonus_points": of.bonus_points,
        "total": of.total,
    }
