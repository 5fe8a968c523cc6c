"""Make, list, rotate and revoke portal keys, for the operator.

A key is returned once, when it is made; afterwards nobody can tell it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from service.portal_keys import SCOPES, hash_of, new_id, new_key
from service.storage import portals
from service.storage.errors import NoSuchKey
from service.storage.pool import Store
from service.storage.portals import KeyInfo


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made: its id, by which it is named, and the key itself, a secret."""

    id: str
    key: str


class UnknownScope(ValueError):
    """There is no such scope."""


def create_key(store: Store, portal: str, scopes: Sequence[str]) -> NewKey:
    """Make a key of the portal named ``portal``, which is made with its first key.

    :raises UnknownScope: for a scope that there is not, or none at all.
    """
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown or not scopes:
        said = ", ".join(unknown) or "none"
        raise UnknownScope(f"the scopes are {', '.join(SCOPES)}, not {said}")
    made = NewKey(new_id("k"), new_key())
    in_order = [scope for scope in SCOPES if scope in scopes]
    with store.writing() as conn:
        owner = (new_id("p"), portal)
        portals.add_key(conn, owner, made.id, hash_of(made.key), in_order)
    return made


def list_keys(store: Store) -> list[KeyInfo]:
    """Return every key of every portal, without the keys themselves."""
    with store.reading() as conn:
        return portals.keys(conn)


def rotate_key(store: Store, key_id: str) -> NewKey:
    """Make a key in the place of ``key_id``, which stays good until it is revoked.

    :raises NoSuchKey: if that key is unknown or revoked, or was rotated and its successor lives.
    """
    made = NewKey(new_id("k"), new_key())
    with store.writing() as conn:
        if not portals.rotate_key(conn, key_id, made.id, hash_of(made.key)):
            raise NoSuchKey(f"{key_id} is no living key without a successor: see `keys list`")
    return made


def revoke_key(store: Store, key_id: str) -> None:
    """End a key at once; again changes nothing.

    :raises NoSuchKey: if there is none.
    """
    with store.writing() as conn:
        portals.revoke_key(conn, key_id)
