"""Requests sent several times at the same moment, and the judge of what they did.

What is judged is found in the document and in the answers: where an Idempotency-Key was sent, one
answer is no repetition by its header; where answers say ``replayed``, one says it is not. What was
done is counted in the database: every table but those of :data:`UNCOUNTED`.
"""

import contextlib
import json
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection
from random import Random
from types import MappingProxyType
from uuid import uuid4

import psycopg
from psycopg import sql

from tests.contract.documents import operations
from tests.faults.race import TOGETHER_SECONDS, at_once
from tests.faults.telling import WORKER

WITHIN_SECONDS = 0.05
"""Copies sent within so much time are sent together."""

TRIES = 20
UNCOUNTED = {"schema_migrations", "rate_buckets", "fair_counts"}
"""Tables whose rows tell nothing of what was done: they hold counts."""

KEY, REPLAYED = "Idempotency-Key", "Idempotency-Replayed"
TIMES = {"server_time", "updated_at"}
"""Members that tell when an answer was made, or when the same was written last."""

NOT_YET = {(409, "idempotency_in_progress"), (503, "busy"), (503, "outcome_unknown")}
"""Answers after which a client has to ask again."""


@dataclass(frozen=True)
class Ask:
    """A request that is sent several times.

    ``rows`` is what it adds to each table when it is done once, beside the moves that its answer
    tells of. What it removes is not counted.
    """

    name: str
    method: str
    path: str
    token: str | None = None
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, int] = field(default_factory=dict)

    @property
    def keyed(self) -> bool:
        """Whether it carries an Idempotency-Key."""
        return KEY in self.headers


@dataclass(frozen=True)
class Told:
    """An answer, the process that gave it, and from when to when its request was sent."""

    status: int
    body: dict
    again: bool = False
    worker: str = ""
    sent: tuple[float, float] = (0, 0)


def timeless(value):
    """Return an answer without what tells only when it was made."""
    if isinstance(value, Mapping):
        return {name: timeless(inner) for name, inner in value.items() if name not in TIMES}
    return value


# --- the judge


def verdict(ask: Ask, answers: Sequence[Told]) -> str | None:
    """Return what is wrong with the answers to copies of one request, or None."""
    refused = [each for each in answers if each.status >= 400]
    if refused:
        body = {name: refused[0].body.get(name) for name in ("code", "errors")}
        return f"{len(refused)} answers of {len(answers)} refuse it: {refused[0].status} {body}"
    if ask.keyed:
        return _of_keyed(answers)
    if any("replayed" in each.body for each in answers):
        return _of_marked(answers)
    if all("token" in each.body and "game" in each.body for each in answers):  # sat down again
        answers = [replace(each, body={**each.body, "moves": []}) for each in answers]
    return _alike([timeless(each.body) for each in answers])


def _of_keyed(answers: Sequence[Told]) -> str | None:
    firsts = [each for each in answers if not each.again]
    if len(firsts) != 1:
        return f"{len(firsts)} answers of {len(answers)} are no repetition"
    return _alike([(each.status, each.body) for each in answers])


def _of_marked(answers: Sequence[Told]) -> str | None:
    firsts = [each for each in answers if not each.body["replayed"]]
    if len(firsts) != 1:
        return f"{len(firsts)} answers of {len(answers)} are not replayed"
    if any(each.status != 200 for each in answers if each is not firsts[0]):
        return f"statuses {sorted(each.status for each in answers)}"
    return _alike([timeless({**each.body, "replayed": False}) for each in answers])


def _alike(values: Sequence[object]) -> str | None:
    return None if all(value == values[0] for value in values) else "answers are not alike"


def growth_verdict(ask: Ask, answers: Sequence[Told], grown: Mapping[str, int]) -> str | None:
    """Return what is wrong with how many rows each table has more than before, or None.

    ``versions`` is the sum of all versions: every row that makes one makes one.
    """
    moves = max((len(each.body.get("moves", ())) for each in answers), default=0)
    expected = +Counter({**ask.rows, "moves": moves})
    found = +Counter({table: rows for table, rows in grown.items() if table != "versions"})
    if found != expected:
        return f"rows {dict(found)} instead of {dict(expected)}"
    made = [grown.get(each, 0) for each in MAKE_VERSIONS]
    if min(made) >= 0 and grown.get("versions", 0) != sum(made):
        return f"{grown.get('versions', 0)} versions for {sum(made)} changes"
    return None


MAKE_VERSIONS = ("moves", "changes", "score_sheets", "score_sheet_changes")


def counts(conn: psycopg.Connection) -> Counter:
    """Return the number of rows of every table that counts, and the sum of all versions."""
    names = [
        name
        for (name,) in conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        if name not in UNCOUNTED
    ]
    query = sql.SQL("SELECT {}, {}").format(
        sql.SQL(", ").join(
            sql.SQL("(SELECT count(*) FROM {})").format(sql.Identifier(name)) for name in names
        ),
        sql.SQL(
            "(SELECT coalesce(sum(version), 0) FROM games)::int"
            " + (SELECT coalesce(sum(version), 0) FROM score_sheets)::int"
        ),
    )
    return Counter(dict(zip([*names, "versions"], conn.execute(query).fetchone(), strict=True)))


BROKEN_LOGS = """
    SELECT id FROM games WHERE next_move - 1 IS DISTINCT FROM (
            SELECT coalesce(max(number), 0) FROM moves WHERE game_id = id)
        OR next_move - 1 <> (SELECT count(*) FROM moves WHERE game_id = id)
        OR version <> (SELECT count(*) FROM moves WHERE game_id = id)
            + (SELECT count(*) FROM changes WHERE game_id = id)"""
"""Games whose log has a hole or a double: their moves and changes are not what they count."""


# --- sending


class _Line:
    """A connection that is open already, and one copy to send over it."""

    def __init__(self, port: int, ask: Ask) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=TOGETHER_SECONDS)
        self._connection.connect()
        self._ask = ask
        self._data = None if ask.body is None else json.dumps(ask.body).encode()
        self._headers = {"Content-Type": "application/json", **ask.headers}
        if ask.token:
            self._headers["Authorization"] = f"Bearer {ask.token}"

    def send(self) -> Told:
        begun = time.monotonic()
        self._connection.request(self._ask.method, self._ask.path, self._data, self._headers)
        sent = begun, time.monotonic()
        answer = self._connection.getresponse()
        text = answer.read()
        body = json.loads(text) if text else {}
        again = answer.headers.get(REPLAYED) == "true"
        return Told(answer.status, body, again, answer.headers.get(WORKER, ""), sent)

    def close(self) -> None:
        self._connection.close()


def copies_of(port: int, ask: Ask, number: int) -> list[Told]:
    """Send so many copies together, each on its own connection; return their answers."""
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(contextlib.closing(_Line(port, ask))) for _ in range(number)]
        return at_once([line.send for line in lines])


class Sender:
    """Sends every request several times at once, and judges it; remembers what it sent.

    :ivar sent: how often each operation was sent with all copies together.
    :ivar late: requests whose copies were not sent together, which count for nothing.
    :ivar shared: requests whose copies came to several processes.
    :ivar asked_again: answers that said no more than that they were to be asked for again.
    """

    def __init__(self, port: int, conn: psycopg.Connection, document: dict, rng: Random) -> None:
        self.sent: Counter = Counter()
        self.copies = self.late = self.asked_again = self.shared = 0
        self.rng = rng
        self._port, self._conn = port, conn
        self._named = [
            (method, re.compile(re.sub(r"{\w+}", "[^/]+", path)), operation["operationId"])
            for method, path, operation in operations(document)
        ]

    def __str__(self) -> str:
        """Say what was sent, and how."""
        return (
            f"{self.sent.total()} operations in {self.copies} requests, {self.late} more sent late,"
            f" {self.shared} answered by several processes, {self.asked_again} asked again:"
            f" {dict(self.sent)}"
        )

    def name_of(self, method: str, path: str) -> str:
        """Return the id of the operation at an address."""
        plain = path.partition("?")[0]
        [name] = [
            name for of, pattern, name in self._named if of == method and pattern.fullmatch(plain)
        ]
        return name

    def __call__(
        self,
        method: str,
        path: str,
        token: str | None = None,
        body: object = None,
        rows: Mapping[str, int] = MappingProxyType({}),
        *,
        keyed: bool = False,
        etag: str | None = None,
    ) -> dict:
        """Send a request two to five times at once; return the body of the first answer.

        ``rows`` as in :class:`Ask`; with ``keyed`` an Idempotency-Key goes with it, which makes a
        row of its own.
        """
        headers = {KEY: str(uuid4())} if keyed else {}
        headers |= {"If-Match": etag} if etag else {}
        rows = {**rows, "idempotency_keys": 1} if keyed else rows
        ask = Ask(self.name_of(method, path), method, path, token, body, headers, rows)
        before = counts(self._conn)
        answers = copies_of(self._port, ask, self.rng.randint(2, 5))
        self._count(ask, answers)
        answers = [self._settled(ask, each) for each in answers]
        grown = counts(self._conn)
        grown.subtract(before)
        wrong = verdict(ask, answers) or growth_verdict(ask, answers, grown)
        said = [(each.status, each.again, each.body.get("replayed")) for each in answers]
        assert wrong is None, f"{ask.name} {len(answers)} times: {wrong}\n{ask}\n{said}"
        return max(answers, key=lambda each: len(each.body.get("moves", ()))).body

    def _count(self, ask: Ask, answers: Sequence[Told]) -> None:
        begun, ended = (
            edge(each.sent[at] for each in answers) for at, edge in ((0, min), (1, max))
        )
        self.copies += len(answers)
        self.shared += len({each.worker for each in answers}) > 1
        if ended - begun <= WITHIN_SECONDS:
            self.sent[ask.name] += 1
        else:
            self.late += 1

    def _settled(self, ask: Ask, told: Told) -> Told:
        """Return the answer to a copy, asked for again as long as it is none."""
        for _ in range(TRIES):
            if (told.status, told.body.get("code")) not in NOT_YET:
                return told
            self.asked_again += 1
            [told] = copies_of(self._port, ask, 1)
        raise AssertionError(f"{ask.name}: still {told.body}")
