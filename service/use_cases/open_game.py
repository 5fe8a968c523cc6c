"""Open a game for whoever holds a token of it."""

from dataclasses import dataclass, replace

from engine.game import SeatKind
from engine.move_views import SPECTATOR, Viewer
from service.allowances import Charge
from service.storage import games
from service.storage.games import StoredGame
from service.tokens import Token, TokenKind
from service.use_cases.expire_overdue import brought_up_to_time
from service.use_cases.house import House
from service.use_cases.refusals import Refused
from service.use_cases.spend import load_and_spend


@dataclass(frozen=True, slots=True)
class Opened:
    """A game, and as whom the caller looks at it.

    ``seat`` is that of a seat token, ``viewer`` the seat whose cards the caller sees. They differ
    for the token of a computer's seat: it lets the computer play, and sees what a spectator sees.
    """

    stored: StoredGame
    seat: int | None
    viewer: Viewer


def open_game(house: House, token: Token, game_id: str, charge: Charge | None = None) -> Opened:
    """Return the game ``game_id`` as the holder of ``token`` sees it.

    If the time of who is due has run out, what follows from that has happened first. ``charge`` is
    what the request counts against, if it is counted.

    :raises Refused: ``not_found`` if there is no such game, or the token is that of another one;
        ``token_invalid`` if the token was ended; ``rate_limited``.
    :raises Busy: if others kept changing a game that is overdue.
    """
    if token.game_id != game_id:
        raise Refused("not_found")
    stored = load_and_spend(house, game_id, charge) if charge else load(house, game_id)
    if stored is None:
        raise Refused("not_found")
    opened = opened_by(token, stored)
    if not stored.overdue:
        return opened
    return replace(opened, stored=brought_up_to_time(house, stored))


def load(house: House, game_id: str) -> StoredGame | None:
    """Return the game, or None if there is none."""
    with house.store.reading() as conn:
        return games.load(conn, house.codec, game_id)


def opened_by(token: Token, stored: StoredGame) -> Opened:
    """Return ``stored`` as the holder of ``token`` sees it."""
    if token.kind is TokenKind.SPECTATOR:
        return Opened(stored, None, SPECTATOR)
    if token.seat is None or token.seat >= len(stored.seats):
        raise Refused("token_invalid")
    occupant = stored.seats[token.seat]
    if not occupant.occupied or token.version != occupant.token_version:
        raise Refused("token_invalid")
    viewer = token.seat if occupant.kind is SeatKind.HUMAN else SPECTATOR
    return Opened(stored, token.seat, viewer)


def seat_of(opened: Opened) -> int:
    """Return the seat of the caller.

    :raises Refused: ``spectator_read_only`` if it has none.
    """
    if opened.seat is None:
        raise Refused("spectator_read_only")
    return opened.seat


def playing_seat_of(opened: Opened) -> int:
    """Return the seat that the caller itself plays.

    :raises Refused: ``spectator_read_only`` if there is none, ``not_your_seat`` if a computer does.
    """
    seat = seat_of(opened)
    if opened.viewer is None:
        raise Refused("not_your_seat")
    return seat
