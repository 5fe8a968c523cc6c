"""Open a game for whoever holds a token of it, or a key of the portal whose game it is."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.game import SeatKind
from engine.views import SPECTATOR, Viewer
from service.portal_keys import PortalKey
from service.storage import games, portals
from service.storage.games import StoredGame
from service.storage.portals import Portal
from service.storage.seat_tokens import number_of
from service.tokens import Token, TokenKind
from service.use_cases.house import House
from service.use_cases.refusals import Refused


@dataclass(frozen=True, slots=True)
class Opened:
    """A game, and as whom the caller looks at it.

    ``seat`` is that of a seat token, ``viewer`` the seat whose cards the caller sees. They differ
    for the token of a computer's seat: it lets the computer play, and sees what a spectator sees.
    A ``portal`` sees no cards either, and ``metadata`` is what it keeps with the game. ``device``
    tells the tokens of one seat apart.
    """

    stored: StoredGame
    seat: int | None
    viewer: Viewer
    portal: Portal | None = None
    metadata: Mapping[str, str] | None = None
    device: int | None = None

    def now(self, stored: StoredGame) -> "Opened":
        """Return the game as it stands now, for the same caller."""
        caller = (self.seat, self.viewer, self.portal, self.metadata, self.device)
        return Opened(stored, *caller)


def open_game(house: House, caller: Token | PortalKey, game_id: str) -> Opened:
    """Return the game ``game_id`` as the holder of a token or key sees it.

    :raises Refused: ``not_found`` if there is no such game, the token is that of another one, or
        the game is not the portal's; ``token_invalid`` if the token or key was ended;
        ``token_expired`` if the game is archived.
    """
    if isinstance(caller, PortalKey):
        return _open_for_portal(house, caller, game_id)
    if caller.game_id != game_id:
        raise Refused("not_found")
    stored = load(house, game_id)
    if stored is None:
        raise Refused("not_found")
    return opened_by(caller, stored)


def _open_for_portal(house: House, key: PortalKey, game_id: str) -> Opened:
    with house.store.reading() as conn:
        portal, found = portals.load_game(conn, house.codec, key.hash, game_id)
    if portal is None:
        raise Refused("token_invalid")
    if found is None:
        raise Refused("not_found")
    return Opened(found.stored, None, SPECTATOR, portal, found.metadata)


def load(house: House, game_id: str) -> StoredGame | None:
    """Return the game, or None if there is none."""
    with house.store.reading() as conn:
        return games.load(conn, house.codec, game_id)


def opened_by(token: Token, stored: StoredGame) -> Opened:
    """Return ``stored`` as the holder of ``token`` sees it."""
    if stored.archived:
        raise Refused("token_expired")
    if token.kind is TokenKind.SPECTATOR:
        return Opened(stored, None, SPECTATOR)
    if token.seat is None or token.seat >= len(stored.seats):
        raise Refused("token_invalid")
    occupant = stored.seats[token.seat]
    if not occupant.occupied or token.version != occupant.token_version:
        raise Refused("token_invalid")
    ended = stored.ended_tokens
    if ended and number_of(token.seat, token.version, token.device) in ended:
        raise Refused("token_invalid")
    viewer = token.seat if occupant.kind is SeatKind.HUMAN else SPECTATOR
    return Opened(stored, token.seat, viewer, device=token.device)


def check_scope(portal: Portal | None, scope: str) -> None:
    """Refuse a portal whose key lacks ``scope``, and whoever is no portal.

    :raises Refused: ``scope_missing``.
    """
    if portal is None or scope not in portal.scopes:
        raise Refused("scope_missing", {"scope": scope})


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
