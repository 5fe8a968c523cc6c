"""Count a request against the limit of whoever sends it."""

from service.allowances import Charge
from service.storage import buckets, games
from service.storage.errors import StorageError
from service.storage.games import StoredGame
from service.use_cases.house import House
from service.use_cases.refusals import Refused


def spend(house: House, charge: Charge) -> None:
    """Count a request that needs no game.

    While the database is away nothing is counted: a request that needs none is answered all the
    same, and one that needs it fails by itself.

    :raises Refused: ``rate_limited``.
    """
    allowances = house.allowances
    if allowances.away:
        return
    claim = allowances.spend(charge)
    if claim is not None:
        try:
            with house.store.reading() as conn:
                grant = buckets.take(conn, claim)
                if allowances.sweep_is_due():
                    buckets.sweep(conn, allowances.longest)
        except StorageError:
            allowances.lost()
            return
        allowances.settle(charge, grant)
    check(charge)


def load_and_spend(house: House, game_id: str, charge: Charge) -> StoredGame | None:
    """Return the game that owns the charge's bucket, or None; count the request, in one statement.

    :raises Refused: ``rate_limited``.
    """
    claim = house.allowances.spend(charge)
    if claim is None:
        check(charge)
    with house.store.reading() as conn:
        if claim is None:
            return games.load(conn, house.codec, game_id)
        stored, grant = games.load_charged(conn, house.codec, claim)
    house.allowances.settle(charge, grant)
    check(charge)
    return stored


def check(charge: Charge) -> None:
    """Refuse a request that was counted and is one too many.

    :raises Refused: ``rate_limited``.
    """
    standing = charge.standing
    if standing is not None and not standing.allowed:
        params = {"policy": charge.allowance.name, "retry_after_seconds": standing.wait}
        raise Refused("rate_limited", params)
