"""Play a whole game.

python play.py [http://localhost:8000]         against the computer
python play.py http://localhost:8000 invite    against whoever has the join code that is shown
python play.py http://localhost:8000 CODE      against the person who showed it
"""

import sys
from collections.abc import Sequence

from gin_rummy_client.models import AiSettings, Game, Move, Seating, SeatKind, SeatRequest
from gin_rummy_client.types import Unset
from seat import Seat, create, join
from table import Table

COMPUTER = SeatRequest(SeatKind.AI, ai=AiSettings("easy"))
ANYBODY = SeatRequest(SeatKind.HUMAN, seating=Seating.OPEN)


def name(game: Game, seat: int | Unset) -> str:
    """Return who sits there."""
    if isinstance(seat, Unset):
        return "the house"
    return game.seats[seat].name or "the computer"


def show(move: Move, game: Game) -> None:
    """Print a move, and the end of a hand."""
    print(move.number, name(game, move.seat), move.action, move.source or "", move.card or "")
    if result := move.result:
        winner = name(game, result.winner_seat)
        print(f"hand {result.hand_number}: {result.outcome}, {result.points} for {winner}")


def play(seat: Seat, game: Game, moves: Sequence[Move]) -> Game:
    """Play a game to its end, and check each deal once its hand is over."""

    def take(move: Move, view: Game) -> None:
        seat.witness.saw(move)
        show(move, view)

    table, checked = Table(game, moves, take), 0
    while True:
        over = table.game.last_hand.hand_number if table.game.last_hand else 0
        if checked < over:
            checked += 1
            seat.check_deal(checked)
            print(f"hand {checked}: dealt fairly")
        elif table.game.over:
            return table.game
        else:
            table.take(seat.act(table.game) or seat.wait(table.game))


def main(api: str = "http://localhost:8000", code: str = "") -> None:
    """Sit down, play, and say how it ended."""
    if code not in {"", "invite"}:
        seat, joined = join(api, "Bob", code)
        with seat.client:
            game = play(seat, joined.game, joined.moves)
    else:
        seat, made = create(api, "Ada", ANYBODY if code else COMPUTER)
        if made.join_code:
            print("join with", made.join_code, flush=True)
        with seat.client:
            game = play(seat, made.game, made.moves)
    print("over:", *(f"{name(game, each.seat)} {each.total}" for each in game.score.totals))


if __name__ == "__main__":
    main(*sys.argv[1:])
