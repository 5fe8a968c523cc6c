"""Read what happened in a game: moves, turns, knocks and hands."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from engine.events import DealerDrawn, Dealt, Knocked
from engine.fair_counts import open_hands
from engine.proofs import HandProof, proof_of
from engine.scoring import HandResult
from service.storage import moves
from service.storage.games import LoggedMove, StoredGame
from service.use_cases.house import House
from service.use_cases.refusals import Refused

FURTHEST_BEHIND: Final = 200
"""A reader that is more moves behind is told to draw the game afresh."""


@dataclass(frozen=True, slots=True)
class LoggedHand:
    """One hand of the log. ``open`` says that what was dealt and drawn in it may be told."""

    game_id: str
    dealt: Dealt
    moves: list[LoggedMove]
    over: bool
    open: bool

    @property
    def number(self) -> int:
        """The number of the hand."""
        return self.dealt.hand_number

    @property
    def proof(self) -> HandProof:
        """What its cards follow from; to be told only if the hand is ``open``."""
        facts = (logged.move.event for logged in self.moves)
        drawn = next((fact for fact in facts if isinstance(fact, DealerDrawn)), None)
        return proof_of(self.game_id, self.dealt, drawn)

    @property
    def knock(self) -> tuple[Knocked, HandResult | None] | None:
        """The knock that ended its play, with the result once there is one."""
        for logged in self.moves:
            if isinstance(logged.move.event, Knocked):
                return logged.move.event, self.result
        return None

    @property
    def result(self) -> HandResult | None:
        """How the hand ended, once it has."""
        for logged in reversed(self.moves):
            result: HandResult | None = getattr(logged.move.event, "result", None)
            if result is not None:
                return result
        return None

    @property
    def turn_count(self) -> int:
        """How many turns were begun."""
        return self.moves[-1].move.turn


@dataclass(frozen=True, slots=True)
class LoggedTurn:
    """One turn: from the draw to its discard, or to what followed a knock."""

    hand_number: int
    number: int
    over: bool
    moves: list[LoggedMove] = field(default_factory=list)

    @property
    def seat(self) -> int:
        """The seat whose turn it was: the one that drew."""
        seat = self.moves[0].move.seat
        assert seat is not None, "a turn begins with a draw"
        return seat

    @property
    def complete(self) -> bool:
        """Whether the turn has ended."""
        last = self.moves[-1].move
        return last.after.phase not in ("discard", "lay_off")


@dataclass(frozen=True, slots=True)
class Since:
    """What happened since a version; ``reset`` says that it cannot be told move by move."""

    moves: list[LoggedMove]
    reset: bool


def hand_is_over(stored: StoredGame, hand_number: int) -> bool:
    """Return whether a hand that was dealt has ended."""
    hand = stored.game.hand
    return hand is not None and (hand_number < hand.number or hand.over)


def is_open(stored: StoredGame, hand_number: int) -> bool:
    """Return whether what was dealt and drawn in a hand may be told.

    That is so once it is over, or with ``reveal: game`` once the game is (rules.md row 53).
    """
    return hand_number <= open_hands(stored.game)


def read_since(house: House, stored: StoredGame, version: int | None) -> Since:
    """Return the moves that were made after ``version``."""
    if version is None or version > stored.version or version < 1:
        return Since([], reset=True)
    if version == stored.version:
        return Since([], reset=False)
    limit = FURTHEST_BEHIND + 1
    with house.store.reading() as conn:
        since = moves.after_version(conn, house.codec, stored, version, limit)
    if len(since) > FURTHEST_BEHIND:
        return Since([], reset=True)
    return Since(_known(stored, since), reset=False)


def read_moves(
    house: House, stored: StoredGame, hand_number: int | None, after: int, limit: int
) -> list[LoggedMove]:
    """Return the moves with a number above ``after``, of all hands or one, at most ``limit``."""
    game_id = stored.game.setup.id
    with house.store.reading() as conn:
        if hand_number is None:
            found = moves.numbered_from(conn, house.codec, game_id, after + 1, limit)
        else:
            found = moves.page_of_hand(conn, house.codec, game_id, hand_number, after, limit)
    return _known(stored, found)


def read_move(house: House, stored: StoredGame, number: int) -> LoggedMove:
    """Return one move.

    :raises Refused: ``not_found`` if it has not been made.
    """
    found = read_moves(house, stored, None, number - 1, 1)
    if not found:
        raise Refused("not_found")
    return found[0]


def read_hands(house: House, stored: StoredGame, first: int, last: int) -> list[LoggedHand]:
    """Return the hands numbered from ``first`` to ``last``, as far as they were dealt."""
    with house.store.reading() as conn:
        found = moves.of_hands(conn, house.codec, stored.game.setup.id, first, last)
    by_hand = groupby(_known(stored, found), key=lambda logged: logged.move.hand_number)
    return [_hand(stored, number, list(of_hand)) for number, of_hand in by_hand]


def read_hand(house: House, stored: StoredGame, number: int) -> LoggedHand:
    """Return one hand.

    :raises Refused: ``not_found`` if it was not dealt.
    """
    found = read_hands(house, stored, number, number)
    if not found:
        raise Refused("not_found")
    return found[0]


def _hand(stored: StoredGame, number: int, of_hand: list[LoggedMove]) -> LoggedHand:
    dealt = next(move.move.event for move in of_hand if isinstance(move.move.event, Dealt))
    return LoggedHand(
        stored.game.setup.id, dealt, of_hand, hand_is_over(stored, number), is_open(stored, number)
    )


def turns_of(hand: LoggedHand) -> list[LoggedTurn]:
    """Return the turns of a hand; what came before the first draw is none."""
    by_turn = groupby(hand.moves, key=lambda logged: logged.move.turn)
    return [
        LoggedTurn(hand.number, number, hand.over, list(of_turn))
        for number, of_turn in by_turn
        if number > 0
    ]


def _known(stored: StoredGame, found: Iterable[LoggedMove]) -> list[LoggedMove]:
    """Leave out what was made after ``stored`` was read, so that moves and view belong together."""
    return [logged for logged in found if logged.move.number < stored.game.next_move]


def read_turns(
    house: House,
    stored: StoredGame,
    hand_number: int | None,
    after: tuple[int, int],
    limit: int,
) -> list[LoggedTurn]:
    """Return at most ``limit`` turns after turn ``after`` (hand, number), of all hands or one."""
    found: list[LoggedTurn] = []
    first = max(after[0], 1) if hand_number is None else hand_number
    last = stored.game.next_hand_number - 1 if hand_number is None else hand_number
    for number in range(first, last + 1):
        for hand in read_hands(house, stored, number, number):
            found += [turn for turn in turns_of(hand) if (turn.hand_number, turn.number) > after]
        if len(found) >= limit:
            break
    return found[:limit]


def read_knocked_hands(
    house: House, stored: StoredGame, after: int, limit: int
) -> list[LoggedHand]:
    """Return the hands above number ``after`` that were knocked, at most ``limit``."""
    hands = read_hands(house, stored, after + 1, stored.game.next_hand_number - 1)
    return [hand for hand in hands if hand.knock is not None][:limit]
