"""Games between players on the same deals: what :mod:`engine.simulation` measures.

A *deal* here is all the decks of one game, hand by hand; they follow from a seed and the number of
the deal. Each deal is played once for every way in which the players can go round the seats, so
that luck falls to all of them alike. With two players that is a pair of mirrored games: in the
second one each has the seat, and so the cards, that the other one had.

Pure: time is read from the clock that the caller gives.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from engine.actions import Action, DealHand
from engine.errors import EngineError
from engine.game import Game, Mover, SeatKind, Setup
from engine.hand import Phase
from engine.progress import apply, begin
from engine.rules import Rules
from engine.scoring import HandOutcome
from engine.seating import side_of, sides
from engine.views import GameView, view

MOST_HANDS: Final = 2000
"""A game that is not decided after so many hands is broken off: nobody wins it."""

Choose: TypeAlias = Callable[[GameView, Random], Action]
"""Chooses an action for the seat whose view it gets."""

Clock: TypeAlias = Callable[[], int]
"""The time, in nanoseconds, since whenever."""


class PlayFailed(Exception):
    """A player broke down, or did what may not be done; the message says who, where and what."""


@dataclass(frozen=True, slots=True)
class Match:
    """What is played. The players are as many as there are sides; partners are one player."""

    rules: Rules
    seats: int
    seed: int

    @property
    def games_per_deal(self) -> int:
        """How many games are played on each deal: one for each player in the first seat."""
        return len(sides(self.seats))


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """How a hand ended: between which two players, and who won how many points."""

    players: tuple[int, int]
    outcome: HandOutcome
    winner: int | None
    points: int


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game: who won it, its hands, and how long each decision took, in ns, by player.

    Without a winner it is a tie, which there is in Hollywood only; or it was not finished.
    """

    winner: int | None
    finished: bool
    hands: tuple[PlayedHand, ...]
    times: tuple[tuple[int, ...], ...]


def play_deal(
    match: Match, players: Sequence[Choose], number: int, clock: Clock
) -> tuple[PlayedGame, ...]:
    """Return all games on deal ``number``. Nothing but the times depends on anything else.

    :raises PlayFailed: if a player breaks down or chooses what is illegal.
    """
    assert len(players) == match.games_per_deal, "one player for each side"
    return tuple(
        _Playing(match, players, number, shift, clock).play() for shift in range(len(players))
    )


def setup(match: Match, number: int) -> Setup:
    """Return the setting of every game on deal ``number``."""
    name = f"simulation-{match.seed}-{number}"
    key = hashlib.sha256(name.encode()).digest()
    return Setup(name, match.rules, (SeatKind.AI,) * match.seats, key)


class _Playing:
    """One game while it is played. Player p has the side p - ``shift``, going round."""

    def __init__(
        self, match: Match, players: Sequence[Choose], number: int, shift: int, clock: Clock
    ) -> None:
        self._match = match
        self._players = players
        self._number, self._shift = number, shift
        self._clock = clock
        names = (f"{match.seed}|{number}|{shift}|{player}" for player in range(len(players)))
        self._dice = [Random(name) for name in names]  # noqa: S311 - a player's chance deals nothing
        self._times: list[list[int]] = [[] for _ in players]

    def play(self) -> PlayedGame:
        game, hands = begin(setup(self._match, self._number)).game, list[PlayedHand]()
        while not game.over and len(hands) < MOST_HANDS:
            [seat, *_] = game.to_act_seats
            if game.phase is Phase.HAND_OVER:
                game = apply(game, seat, DealHand(), Mover.AI).game
            else:
                game = self._move(game, seat)
            if len(game.hands) > len(hands):
                hands.append(self._played(game))
        score = game.score
        side = score.winner if score.winner_team is None else score.winner_team
        return PlayedGame(
            winner=None if side is None else self._player(side),
            finished=game.over,
            hands=tuple(hands),
            times=tuple(map(tuple, self._times)),
        )

    def _player(self, seat: int) -> int:
        """Return who plays ``seat``; a side has the number of its first seat."""
        return (side_of(self._match.seats, seat) + self._shift) % len(self._players)

    def _move(self, game: Game, seat: int) -> Game:
        player = self._player(seat)
        shown = view(game, seat)
        try:
            start = self._clock()
            action = self._players[player](shown, self._dice[player])
            self._times[player].append(self._clock() - start)
        except Exception as error:
            raise self._failed(game, player, f"broke down: {error!r}") from error
        try:
            return apply(game, seat, action, Mover.AI).game
        except EngineError as error:
            raise self._failed(game, player, f"chose {action}: {error}") from error

    def _failed(self, game: Game, player: int, how: str) -> PlayFailed:
        place = f"deal {self._number}, game {self._shift + 1}, move {game.next_move}"
        return PlayFailed(f"player {player + 1} ({place}) {how}")

    def _played(self, game: Game) -> PlayedHand:
        hand, result = game.hand, game.last_result
        assert hand is not None
        assert result is not None, "each hand of the score has its result"
        first, second = map(self._player, hand.playing_seats)
        return PlayedHand(
            players=(first, second),
            outcome=result.outcome,
            winner=None if result.winner is None else self._player(result.winner),
            points=result.points,
        )
