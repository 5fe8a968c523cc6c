"""Find out which portal has a key."""

from service.portal_keys import PortalKey
from service.storage import portals
from service.storage.portals import Portal
from service.use_cases.house import House
from service.use_cases.refusals import Refused


def find_portal(house: House, key: PortalKey) -> Portal | None:
    """Return the portal that has ``key``, or None if there is none, or the key was revoked."""
    with house.store.reading() as conn:
        return portals.by_key(conn, key.hash)


def portal_of(house: House, key: PortalKey) -> Portal:
    """Return the portal that has ``key``.

    :raises Refused: ``token_invalid`` if there is none, or the key was revoked.
    """
    portal = find_portal(house, key)
    if portal is None:
        raise Refused("token_invalid")
    return portal
