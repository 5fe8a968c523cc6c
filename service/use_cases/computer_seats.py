"""Let computer players answer: on views only, within their time, and with no lock held."""

import hmac
from dataclasses import dataclass
from random import Random
from time import monotonic
from typing import Final

from engine.game import Game, Mover, SeatKind, Transition
from engine.hand import Phase
from engine.players.levels import LEVELS, Player
from engine.progress import apply
from engine.views import view
from service.storage.occupants import Occupant

AUTO: Final = "auto"
ON_REQUEST: Final = "on_request"
SUBSTITUTE: Final = "easy"
"""The level that plays for a person who is out of time."""
LONGEST_REPLY: Final = 2048
"""More moves than a hand has that two computers play while the people sit out; a loop that went on
would be a bug. The time that there is ends most such replies, and playAiMove goes on.
"""


@dataclass(frozen=True, slots=True)
class Thinking:
    """The time that computer players have left within a request."""

    until: float

    @classmethod
    def within(cls, milliseconds: int) -> "Thinking":
        """Return the time from now on."""
        return cls(monotonic() + milliseconds / 1000)

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return monotonic() >= self.until


def with_replies(made: Transition, seats: tuple[Occupant, ...], thinking: Thinking) -> Transition:
    """Return ``made`` followed by the moves of the ``auto`` computer seats due after it."""
    for _ in range(LONGEST_REPLY):
        due = due_computer(made.game)
        if due is None or thinking.over or seats[due].mode != AUTO:
            return made
        step = _step(made.game, due, level_of(seats[due]))
        made = Transition(step.game, made.moves + step.moves)
    return made


def play_seat(
    game: Game, seat: int, choose: Player, *, whole_turn: bool, thinking: Thinking
) -> Transition:
    """Return the game after ``choose`` made one move of ``seat``, or its whole turn.

    The first move is made whatever the time.
    """
    made = _step(game, seat, choose)
    while whole_turn and not _ends_turn(made) and not thinking.over:
        step = _step(made.game, seat, choose)
        made = Transition(step.game, made.moves + step.moves)
    return made


def play_for_absent(game: Game, seat: int, thinking: Thinking) -> Transition:
    """Return the game after a computer made the turn of a person who is out of time, by the clock.

    The first move is made whatever the time.
    """
    choose = LEVELS[SUBSTITUTE].choose
    made = _step(game, seat, choose, Mover.CLOCK)
    while not _ends_turn(made) and not thinking.over:
        step = _step(made.game, seat, choose, Mover.CLOCK)
        made = Transition(step.game, made.moves + step.moves)
    return made


def _ends_turn(made: Transition) -> bool:
    """Whether the last move completed a turn: a draw asks for a discard, all else does not."""
    return made.game.phase is not Phase.DISCARD


def due_computer(game: Game) -> int | None:
    """Return the computer seat that has to act in the present hand, or None."""
    hand = game.hand
    if hand is None or hand.over or game.setup.seats[hand.to_act] is not SeatKind.AI:
        return None
    return hand.to_act


def level_of(computer: Occupant) -> Player:
    """Return how a computer plays."""
    return LEVELS[computer.level or ""].choose


def _step(game: Game, seat: int, choose: Player, by: Mover = Mover.AI) -> Transition:
    action = choose(view(game, seat), _chance(game, seat))
    return apply(game, seat, action, by)


def _chance(game: Game, seat: int) -> Random:
    """Return the player's chance: fixed by the game's secret, so that a retry thinks the same."""
    message = f"player|{seat}|{game.next_move}".encode()
    # Its seed is secret, and it decides no deal.
    return Random(hmac.digest(game.setup.deal_key, message, "sha256"))  # noqa: S311
