"""Open a game for whoever holds a token of it, or a key of the portal whose game it is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from engine.game import SeatKind
from engine.move_views import SPECTATOR, Viewer
from service.allowances import Charge
from service.portal_keys import GAMES_READ, PortalKey
from service.storage import games, portals
from service.storage.games import PLAYING, WAITING, StoredGame
from service.storage.portals import Portal
from service.storage.seat_tokens import number_of
from service.tokens import Token, TokenKind
from service.use_cases.expire_overdue import brought_up_to_time
from service.use_cases.house import House
from service.use_cases.refusals import Refused
from service.use_cases.spend import load_and_spend, spend

ChargePortal: TypeAlias = Callable[[Portal | None], Charge | None]
"""Tells what a request with a key counts against, once it is known whose it is, if anybody's."""


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

    @property
    def version(self) -> int | None:
        """That of the caller's seat token."""
        return None if self.seat is None else self.stored.seats[self.seat].token_version

    def now(self, stored: StoredGame) -> "Opened":
        """Return the game as it stands now, for the same caller."""
        caller = (self.seat, self.viewer, self.portal, self.metadata, self.device)
        return Opened(stored, *caller)


def open_game(
    house: House,
    caller: Token | PortalKey,
    game_id: str,
    charge: Charge | None = None,
    charge_portal: ChargePortal | None = None,
) -> Opened:
    """Return the game ``game_id`` as the holder of a token or key sees it.

    If the time of who is due has run out, what follows from that has happened first. ``charge`` is
    what the request counts against, if it is counted; for a key ``charge_portal`` tells it.

    :raises Refused: ``not_found`` if there is no such game, the token is that of another one, or
        the game is not the portal's; ``token_invalid`` if the token or key was ended;
        ``token_expired`` if the game is archived; ``rate_limited``.
    :raises Busy: if others kept changing a game that is overdue.
    """
    if isinstance(caller, PortalKey):
        return _open_for_portal(house, caller, game_id, charge_portal)
    if caller.game_id != game_id:
        raise Refused("not_found")
    stored = load_and_spend(house, game_id, charge) if charge else load(house, game_id)
    if stored is None:
        raise Refused("not_found")
    opened = opened_by(caller, stored)
    if opened.viewer is not None and stored.status in (WAITING, PLAYING):
        house.presence.see(game_id, opened.viewer)
    return _in_time(house, opened)


def _open_for_portal(
    house: House, key: PortalKey, game_id: str, charge_portal: ChargePortal | None
) -> Opened:
    with house.store.reading() as conn:
        portal, found = portals.load_game(conn, house.codec, key.hash, game_id)
    charge = charge_portal(portal) if charge_portal else None
    if charge is not None:
        spend(house, charge)
    if portal is None:
        raise Refused("token_invalid")
    if found is None:
        raise Refused("not_found")
    return _in_time(house, Opened(found.stored, None, SPECTATOR, portal, found.metadata))


def look_for_portal(house: House, key: PortalKey, game_id: str) -> Opened | None:
    """Return the game as the portal with ``key`` may see it by now; None if it may no longer.

    Nothing is counted: this is for who was let in and goes on following.
    """
    with house.store.reading() as conn:
        portal, found = portals.load_game(conn, house.codec, key.hash, game_id)
    if portal is None or found is None or GAMES_READ not in portal.scopes:
        return None
    return Opened(found.stored, None, SPECTATOR, portal, found.metadata)


def _in_time(house: House, opened: Opened) -> Opened:
    """Return the game after what follows if the time of who is due has run out."""
    if not opened.stored.overdue:
        return opened
    return opened.now(brought_up_to_time(house, opened.stored))


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
