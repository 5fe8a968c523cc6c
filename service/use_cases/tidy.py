"""Remove rows whose time is over, so that nothing piles up where nobody asks for anything."""

from typing import Final

from service.storage import buckets, idempotency
from service.use_cases.house import House

AT_ONCE: Final = 1_000


def tidy(house: House) -> bool:
    """Remove kept answers and rate buckets that are of no use any more; return if there are more.

    :raises StorageError: if the database is away.
    """
    with house.store.writing() as conn:
        answers = idempotency.sweep(conn, AT_ONCE)
        swept = buckets.sweep(conn, house.allowances.longest)
    return answers == AT_ONCE or swept == buckets.SWEPT
