"""Open a score sheet for whoever holds a token of it, or a key of its portal; and delete it."""

from dataclasses import dataclass

from service.portal_keys import SCORING, PortalKey
from service.storage import portals, score_sheets, sheet_ends
from service.storage.portals import Portal
from service.storage.score_sheets import StoredSheet
from service.tokens import SheetToken
from service.use_cases.house import House
from service.use_cases.open_game import ChargePortal, check_scope
from service.use_cases.refusals import Refused
from service.use_cases.spend import spend


@dataclass(frozen=True, slots=True)
class OpenedSheet:
    """A score sheet, and who looks at it: its portal, else somebody with a token of it."""

    stored: StoredSheet
    portal: Portal | None = None


def open_score_sheet(
    house: House,
    caller: SheetToken | PortalKey,
    sheet_id: str,
    charge_portal: ChargePortal | None = None,
) -> OpenedSheet:
    """Return the sheet for the holder of a token of it, or of a key of its portal.

    For a key ``charge_portal`` tells what the request counts against.

    :raises Refused: ``not_found`` if there is no such sheet, the token is that of another one, or
        the sheet is not the portal's; ``token_invalid`` if there is no such key, or no more;
        ``scope_missing``; ``rate_limited``.
    """
    if isinstance(caller, PortalKey):
        portal, stored = _of_portal(house, caller, sheet_id, charge_portal)
        if stored is None:
            raise Refused("not_found")
        check_scope(portal, SCORING)
        return OpenedSheet(stored, portal)
    if caller.sheet_id != sheet_id:
        raise Refused("not_found")
    return OpenedSheet(load_sheet(house, sheet_id))


def check_may_write(caller: SheetToken | PortalKey) -> None:
    """Refuse the token of those who only look with ``share_token_read_only``."""
    if isinstance(caller, SheetToken) and not caller.may_write:
        raise Refused("share_token_read_only")


def delete_score_sheet(
    house: House,
    caller: SheetToken | PortalKey,
    sheet_id: str,
    charge_portal: ChargePortal | None = None,
) -> None:
    """Delete the sheet with its whole history; one that is gone already is no error.

    :raises Refused: as :func:`open_score_sheet`; ``share_token_read_only``. Whoever has the token
        of a sheet that is gone is not refused, nor is the portal whose it was.
    """
    if isinstance(caller, PortalKey):
        portal, stored = _of_portal(house, caller, sheet_id, charge_portal)
        if stored is None and not _deleted_before(house, portal, sheet_id):
            raise Refused("not_found")
        check_scope(portal, SCORING)
    elif caller.sheet_id != sheet_id:
        raise Refused("not_found")
    check_may_write(caller)
    with house.store.writing() as conn:
        sheet_ends.delete(conn, [sheet_id])


def load_sheet(house: House, sheet_id: str) -> StoredSheet:
    """Return the sheet.

    :raises Refused: ``not_found`` if there is none.
    """
    with house.store.reading() as conn:
        stored = score_sheets.load(conn, sheet_id)
    if stored is None:
        raise Refused("not_found")
    return stored


def _of_portal(
    house: House, key: PortalKey, sheet_id: str, charge_portal: ChargePortal | None
) -> tuple[Portal, StoredSheet | None]:
    """Return the portal that has ``key``, and its sheet; a sheet of others is None like none."""
    with house.store.reading() as conn:
        portal, stored = portals.load_sheet(conn, key.hash, sheet_id)
    charge = charge_portal(portal) if charge_portal else None
    if charge is not None:
        spend(house, charge)
    if portal is None:
        raise Refused("token_invalid")
    return portal, stored


def _deleted_before(house: House, portal: Portal, sheet_id: str) -> bool:
    with house.store.reading() as conn:
        return sheet_ends.was_deleted(conn, sheet_id, portal.id)
