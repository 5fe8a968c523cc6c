"""Fold every log and compare it with the snapshot. A difference is reported, never repaired."""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.replay import replay
from service.storage import game_lists, games, moves, pool
from service.storage.codec import Codec
from service.storage.games import StoredGame
from service.storage.pool import Connection, Store
from service.storage.sealing import SealBroken

BATCH = 200


@dataclass(frozen=True, slots=True)
class Finding:
    """A game whose log and snapshot do not belong together, and why."""

    game_id: str
    problem: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many games were looked at, and what was found."""

    games: int
    findings: tuple[Finding, ...]


def verify_all(store: Store, codec: Codec) -> Verdict:
    """Verify every game, each in one snapshot of the database."""
    count, findings = 0, []
    for game_id in _ids(store):
        count += 1
        problem = verify_game(store, codec, game_id)
        if problem is not None:
            findings.append(Finding(game_id, problem))
    return Verdict(count, tuple(findings))


def _ids(store: Store) -> Iterator[str]:
    last = ""
    while True:
        with store.reading() as conn:
            batch = game_lists.ids_after(conn, last, BATCH)
        yield from batch
        if len(batch) < BATCH:
            return
        last = batch[-1]


def verify_game(store: Store, codec: Codec, game_id: str) -> str | None:
    """Return what is wrong with a game, or None if its log leads to its snapshot."""
    with store.reading() as conn, conn.transaction():
        pool.read_consistently(conn)
        try:
            stored = games.load(conn, codec, game_id, deleted=True)
            return None if stored is None else _compare(conn, codec, stored)
        except SealBroken as broken:
            return str(broken)


def _compare(conn: Connection, codec: Codec, stored: StoredGame) -> str | None:
    game_id = stored.game.setup.id
    log = moves.numbered_from(conn, codec, game_id, 1)
    if [logged.move.number for logged in log] != list(range(1, stored.game.next_move)):
        return "the log has a hole or a move too many"
    said = moves.changes(conn, codec, game_id)
    entries = [(logged.version, logged.move) for logged in log]
    whole = sorted(
        [*entries, *((each.version, each.change) for each in said)], key=lambda entry: entry[0]
    )
    if [version for version, _ in whole] != list(range(1, stored.version + 1)):
        return "moves and changes do not make up all versions"
    facts = [fact for _, fact in whole if fact is not None]
    if replay(stored.game.setup, facts) != stored.game:
        return "the log leads to another state than the snapshot"
    if games.status_of(stored.game) != stored.status:
        return "the status is not that of the state"
    return None
