"""Judge how a hand or a game was played, as far as the time of one request goes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from engine.events import Dealt
from engine.game import Move, new_game
from engine.players.analysis import Analyst, analyse
from engine.players.levels import ADVISORS
from engine.players.verdicts import MoveAnalysis, SeatAnalysis, seat_analyses
from engine.players.worth import worth_of_draws
from service.storage import moves
from service.storage.games import StoredGame
from service.use_cases.computer_seats import Thinking
from service.use_cases.house import House
from service.use_cases.read_log import hand_is_over
from service.use_cases.refusals import Refused

ANALYSTS: Final[Mapping[str, Analyst]] = {"master": Analyst(ADVISORS["master"], worth_of_draws)}
"""Who says what play was worth, by the name of the advisor; the strongest last."""


@dataclass(frozen=True, slots=True)
class PlayAnalysis:
    """What was said of a hand, or of a game (``hand_number`` None), with the sums of each seat.

    ``next_after`` is the number of the last move that was looked at if there was no time for more;
    the sums are then those of this part.
    """

    hand_number: int | None
    level: str
    seats: tuple[SeatAnalysis, ...]
    found: tuple[MoveAnalysis, ...]
    next_after: int | None = None

    @property
    def complete(self) -> bool:
        """Whether nothing follows."""
        return self.next_after is None


def check_may_analyse(stored: StoredGame, hand_number: int | None) -> None:
    """Refuse to judge play that goes on, or that might still tell something.

    A hand may be judged before its game is over with ``advice: full`` and ``reveal: hand``.

    :raises Refused: ``not_found`` if the hand was not dealt, ``game_in_progress``.
    """
    game = stored.game
    if hand_number is not None and (game.hand is None or hand_number > game.hand.number):
        raise Refused("not_found")
    if game.over:
        return
    told = game.rules.advice == "full" and game.rules.reveal == "hand"
    if hand_number is None or not told or not hand_is_over(stored, hand_number):
        raise Refused("game_in_progress", stored=stored)


def analyst_of(level: str | None) -> str:
    """Return the name of who judges, the strongest without a ``level``.

    :raises Refused: ``unknown_level``.
    """
    name = list(ANALYSTS)[-1] if level is None else level
    if name not in ANALYSTS:
        raise Refused("unknown_level", pointer="#query/level")
    return name


def analyse_play(
    house: House, stored: StoredGame, hand_number: int | None, level: str, after: int = 0
) -> PlayAnalysis:
    """Return what there is to say of the moves above the number ``after``, of a hand or the game.

    It stops when the time of computer players within one request is over, after one move at the
    least, so that who asks again from there comes to an end. ``level`` is one of :data:`ANALYSTS`.
    """
    thinking = Thinking.within(house.ai_max_ms)
    log = _log(house, stored, hand_number)
    judged = analyse(
        new_game(stored.game.setup), log, ANALYSTS[level], hand_number=hand_number, after=after
    )
    found: list[MoveAnalysis] = []
    rest = None
    for each in judged:
        found.append(each)
        if thinking.over and each.number < log[-1].number:
            rest = each.number
            break
    seats = seat_analyses(_seats(stored, log, hand_number), found)
    return PlayAnalysis(hand_number, level, seats, tuple(found), rest)


def _log(house: House, stored: StoredGame, hand_number: int | None) -> list[Move]:
    """Return the moves of the game, of a hand those up to its end."""
    with house.store.reading() as conn:
        logged = moves.numbered_from(conn, house.codec, stored.game.setup.id, 1)
    made = (each.move for each in logged)
    return [each for each in made if hand_number is None or each.hand_number <= hand_number]


def _seats(stored: StoredGame, log: Iterable[Move], hand_number: int | None) -> Iterable[int]:
    """Return the seats of the game, of a hand those that played it."""
    if hand_number is None:
        return range(stored.game.seat_count)
    facts = (each.event for each in log if each.hand_number == hand_number)
    dealt = next(fact for fact in facts if isinstance(fact, Dealt))
    return sorted((dealt.dealer, dealt.nondealer))
