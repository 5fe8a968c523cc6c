"""The problems that the cut before a hand can meet; a part of :mod:`tests.contract.tour`."""

import hashlib

from tests.service.table import ADA, BOB


def commit(nonce: str) -> str:
    """Return the commitment to a nonce."""
    return hashlib.sha256(f"GRD1|nonce|{nonce}".encode()).hexdigest()


MINE, YOURS = "0a" * 32, "0b" * 32
SEATS = [{**ADA, "nonce_commit": commit(MINE)}, {**BOB, "nonce_commit": commit(YOURS)}]


def _cut(nonce, **more):
    def ask(tables):
        table = tables(seats=SEATS, deal=None)
        return table.put("/hands/1/cut", {"nonce": nonce, **more})

    return ask


def _dealt(tables):
    return tables(seats=SEATS, deal=None).post("/hands", {"hand_number": 1})


CUTS = {
    "cut_pending": _dealt,
    "nonce_malformed": _cut("xyz"),
    "nonce_mismatch": _cut(YOURS),
    "nonce_commit_reused": _cut(MINE, next_nonce_commit=commit(YOURS)),
}
