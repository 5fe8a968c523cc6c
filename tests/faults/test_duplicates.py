"""Every request that keeps something, sent several times at once: it is done once.

``GIN_SWEEP_DUPLICATES`` operations, each sent two to five times within 50 ms, on connections of
their own, to a real service of four processes.
"""

import logging
import os
from random import Random

import psycopg
import pytest

from service.portal_keys import SCOPES
from tests.contract.documents import kept
from tests.faults import keeping
from tests.faults.duplicates import BROKEN_LOGS, Ask, Sender, Told, growth_verdict, verdict
from tests.faults.telling import APPLICATION
from tests.server import QUIET, Served, on_database

OPERATIONS = int(os.environ.get("GIN_SWEEP_DUPLICATES", "100"))
ROUNDS = 40
"""Enough to reach each operation with all copies together, on a slow machine as well."""

LATE = max(OPERATIONS, 2000)
"""So often the stories are told at least, until they have reached every operation."""

WORKERS = 4
SECRET = "a-secret-that-only-the-tests-know-0123456789"

KEYED = Ask("createGame", "POST", "/v1/games", headers={"Idempotency-Key": "k" * 22})
MOVE = Ask("makeMove", "POST", "/v1/games/g/moves", rows={})
NOTES = Ask("putNotes", "PUT", "/v1/games/g/notes", rows={"notes": 1})


@pytest.fixture
def served(database_url, empty_tables, tmp_path):
    """The service in four processes, each of which says that an answer is its own."""
    quiet = {**on_database(database_url, SECRET), **QUIET}
    environ = {**quiet, "GIN_WORKERS": str(WORKERS)}
    with Served(tmp_path / "data", environ, application=APPLICATION) as served:
        yield served


def portal_key(served: Served) -> str:
    """Make a key of a portal, as an operator does."""
    words = ("keys", "create", "--portal", "arcade", "--scopes", ",".join(SCOPES))
    made = served.operate(*words)
    assert made.returncode == 0, made.stderr
    [key] = [word for word in made.stdout.split() if word.startswith("grk_")]
    return key


@pytest.mark.http
class TestARequestSentSeveralTimesAtOnce:
    def test_is_done_once_whatever_it_asks_for(self, served, database_url):

        def reached(send):
            return keeping.missing(document, set(send.sent))

        document, rng, rounds = kept(), Random(OPERATIONS), 0
        key = portal_key(served)
        with psycopg.connect(database_url, autocommit=True) as conn:
            send = Sender(served.port, conn, document, rng)
            while send.sent.total() < OPERATIONS or (reached(send) and rounds < ROUNDS):
                for story in keeping.STORIES:
                    story(send, served.port, rng)
                for story in (keeping.portal, keeping.hooks):
                    story(send, served.port, rng, key)
                assert conn.execute(BROKEN_LOGS).fetchall() == []
                rounds += 1
                assert send.late < LATE, "this machine never sends two requests together"
            [(games,)] = conn.execute("SELECT count(*) FROM games").fetchall()
        assert reached(send) is None
        assert send.shared > 0, "no two copies came to different processes"
        assert served.operate("verify").stdout == f"{games} games, 0 findings\n"
        logging.getLogger(__name__).info("%s", send)


def told(status=200, *, again=False, **body) -> Told:
    return Told(status, body, again)


FIRST = told(201, moves=[{"number": 3}], replayed=False, game={"version": 4, "server_time": "a"})
REPEATED = told(200, moves=[{"number": 3}], replayed=True, game={"version": 4, "server_time": "b"})


class TestTheJudge:
    """What it must not let pass."""

    def test_is_content_with_one_that_was_done_and_others_that_say_so(self):
        assert verdict(MOVE, [REPEATED, FIRST, REPEATED]) is None
        assert growth_verdict(MOVE, [FIRST, REPEATED], {"moves": 1, "versions": 1}) is None

    @pytest.mark.parametrize(
        ("answers", "said"),
        [
            ([FIRST, FIRST], "2 answers of 2 are not replayed"),
            ([REPEATED, REPEATED], "0 answers of 2 are not replayed"),
            ([FIRST, told(201, **REPEATED.body)], "statuses [201, 201]"),
            ([FIRST, told(**{**REPEATED.body, "moves": []})], "answers are not alike"),
            ([FIRST, told(409, code="stale_move")], "1 answers of 2 refuse it: 409"),
        ],
    )
    def test_sees_a_move_that_is_not_answered_as_one(self, answers, said):
        assert verdict(MOVE, answers).startswith(said)

    @pytest.mark.parametrize(
        ("answers", "said"),
        [
            ([told(201, id=1)] * 2, "2 answers of 2 are no repetition"),
            ([told(201, id=1, again=True)] * 2, "0 answers of 2 are no repetition"),
            ([told(201, id=1), told(201, id=2, again=True)], "answers are not alike"),
            ([told(201, id=1), told(200, id=1, again=True)], "answers are not alike"),
        ],
    )
    def test_sees_a_key_that_is_not_kept(self, answers, said):
        assert verdict(KEYED, answers) == said

    def test_sees_answers_that_are_not_alike_without_any_mark(self):
        assert (
            verdict(NOTES, [told(text="a", updated_at="1"), told(text="a", updated_at="2")]) is None
        )
        assert verdict(NOTES, [told(text="a"), told(text="b")]) == "answers are not alike"

    @pytest.mark.parametrize(
        ("grown", "said"),
        [
            ({"moves": 2, "versions": 2}, "rows {'moves': 2} instead of {'moves': 1}"),
            ({"moves": 1, "notes": 1, "versions": 1}, "rows {'moves': 1, 'notes': 1} instead of"),
            ({"moves": 1, "versions": 2}, "2 versions for 1 changes"),
            ({}, "rows {} instead of {'moves': 1}"),
        ],
    )
    def test_sees_what_was_done_twice_or_not_at_all(self, grown, said):
        assert growth_verdict(MOVE, [FIRST, REPEATED], grown).startswith(said)


class TestTheDocument:
    def test_names_an_operation_that_is_neither_sent_nor_excepted(self):
        document = kept()
        document["paths"]["/v1/new"] = {"post": {"operationId": "createNew"}}
        told = keeping.missing(document, all_but_excepted())
        assert told is not None
        assert told.startswith("createNew: in the document, but never sent")

    def test_has_lost_an_operation_that_is_excepted(self):
        document = kept()
        del document["paths"]["/v1/scoring/games"]
        assert "scoreGame" in keeping.missing(document, all_but_excepted())


def all_but_excepted() -> set[str]:
    """The operations that may change something and are not excepted."""
    return {
        operation["operationId"]
        for path in kept()["paths"].values()
        for method, operation in path.items()
        if method in {"post", "put", "delete"}
    } - set(keeping.EXCEPTED)
