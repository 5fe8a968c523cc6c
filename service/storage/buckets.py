"""The table of rate buckets: how much of each limit is used, by the database's own clock.

A bucket holds ``quota`` tokens and fills itself within ``seconds``; a request costs one. A row says
how many were missing and when; a bucket without a row is full.
"""

from typing import Any, Final, NamedTuple

from service.storage.pool import Connection

SWEPT: Final = 5_000
"""How many rows one sweep removes at most."""


class Claim(NamedTuple):
    """``tokens`` that are wanted of the bucket ``bucket`` of ``owner``."""

    owner: str
    bucket: str
    quota: int
    seconds: int
    tokens: int


class Grant(NamedTuple):
    """How many tokens were given, and how many (with the part of the next) the bucket still has."""

    tokens: int
    left: float


TAKE: Final = """
    INSERT INTO rate_buckets AS old (owner, bucket, used, granted)
    VALUES (%(owner)s, %(bucket)s, %(tokens)s::float8, %(tokens)s::float8)
    ON CONFLICT (owner, bucket) DO UPDATE SET (used, used_at, granted) = (
        SELECT missing + given, now(), given FROM (
            SELECT missing, greatest(least(
                %(tokens)s::float8, floor(%(quota)s::float8 - missing + 1e-6)), 0) AS given
            FROM (SELECT greatest(0, old.used - extract(epoch FROM now() - old.used_at)::float8
                * %(quota)s::float8 / %(seconds)s::float8) AS missing) AS of_old) AS of_claim)
    RETURNING granted, used"""
"""Takes what a claim asks for, or as much of it as there is. One row, locked for this statement.

``now()`` of a statement that had to wait is earlier than that of the one it waited for; the line on
which a bucket fills is the same seen from both.
"""

_SWEEP: Final = """
    DELETE FROM rate_buckets WHERE (owner, bucket) IN (
        SELECT owner, bucket FROM rate_buckets WHERE used_at < now() - make_interval(secs => %s)
        LIMIT %s FOR UPDATE SKIP LOCKED)"""


def values_of(claim: Claim) -> dict[str, Any]:
    """Return what :data:`TAKE` is filled with; numbers always of one type, for prepared plans."""
    return {
        "owner": claim.owner,
        "bucket": claim.bucket,
        "tokens": float(claim.tokens),
        "quota": float(claim.quota),
        "seconds": float(claim.seconds),
    }


def grant_of(claim: Claim, granted: int, used: float) -> Grant:
    """Return the grant that a row of :data:`TAKE` tells of."""
    return Grant(granted, claim.quota - used)


def take(conn: Connection, claim: Claim) -> Grant:
    """Take tokens out of a bucket."""
    row = conn.execute(TAKE, values_of(claim), binary=True).fetchone()
    assert row is not None
    return grant_of(claim, *row)


def sweep(conn: Connection, seconds: int) -> int:
    """Remove buckets that nobody has used for ``seconds``; return how many.

    They must be full by then. At most 5,000 go, those that are in use at the moment stay.
    """
    return conn.execute(_SWEEP, (float(seconds), SWEPT)).rowcount
