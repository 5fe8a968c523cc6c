"""Score sheets when several write at once, and when everything is killed while somebody writes.

``GIN_SWEEP_SHEET_RACES`` rounds of two editors against the real service, which has two processes.
"""

import contextlib
import http.client
import os
import threading
from collections import Counter
from functools import partial

import pytest

from tests.faults.race import CLIENTS, at_once
from tests.server import Caller
from tests.service.processes import gone

ROUNDS = int(os.environ.get("GIN_SWEEP_SHEET_RACES", "20"))
ANSWERS_BEFORE_THE_KILL = 12


class Sheet:
    """A score sheet of the real service, and editors of it."""

    def __init__(self, port: int) -> None:
        with contextlib.closing(Caller(port)) as call:
            status, made = call("POST", "/v1/score-sheets", {"names": ["Ada", "Bob"]})
        assert status == 201, made
        self.path = f"/v1/score-sheets/{made['score_sheet']['id']}"
        self.token = made["edit_token"]
        self.seen = made["score_sheet"]

    def editor(self, port: int) -> Caller:
        return Caller(port, self.token)

    def put(self, call: Caller, number: int, body: dict, etag: str) -> tuple[int, dict]:
        return call("PUT", f"{self.path}/hands/{number}", body, headers={"If-Match": etag})


def points_of(sheet: dict) -> list[int]:
    return [entry["points"] for entry in sheet["entries"]]


@pytest.fixture
def editors(served):
    """A new sheet and its editors, each with a connection of its own."""
    with contextlib.ExitStack() as stack:
        sheet = Sheet(served.port)
        yield (
            sheet,
            [
                stack.enter_context(contextlib.closing(sheet.editor(served.port)))
                for _ in range(CLIENTS)
            ],
        )


@pytest.mark.http
class TestTwoEditorsAtOnce:
    def test_of_whom_one_wins_and_the_other_is_shown_the_sheet(self, editors):
        sheet, (one, other, *_) = editors
        acknowledged = []
        for number in range(1, ROUNDS + 1):
            etag = one("GET", sheet.path)[1]["etag"]
            bodies = [{"winner_seat": seat, "points": 10 * number + seat} for seat in (0, 1)]
            told = at_once(
                [
                    partial(sheet.put, call, number, body, etag)
                    for call, body in zip((one, other), bodies, strict=True)
                ]
            )
            assert sorted(status for status, _ in told) == [200, 412]
            [winner] = [place for place, (status, _) in enumerate(told) if status == 200]
            accepted, refused = told[winner][1], told[1 - winner][1]
            acknowledged.append(bodies[winner]["points"])
            assert points_of(accepted) == acknowledged
            assert (refused["code"], refused["score_sheet"]) == ("version_mismatch", accepted)
            again = sheet.put(other, number, bodies[winner], etag)
            assert again == (200, accepted)
        assert points_of(one("GET", sheet.path)[1]) == acknowledged

    def test_of_whom_both_are_content_if_they_say_the_same(self, editors):
        sheet, calls = editors
        for number in range(1, 6):
            etag = calls[0]("GET", sheet.path)[1]["etag"]
            body = {"winner_seat": 0, "points": number, "by": "Ada"}
            told = at_once([partial(sheet.put, call, number, body, etag) for call in calls])
            assert {status for status, _ in told} == {200}
            assert all(points_of(seen) == list(range(1, number + 1)) for _, seen in told)
        assert calls[0]("GET", sheet.path)[1]["version"] == 6

    def test_of_whom_one_corrects_and_the_other_deletes(self, editors):
        sheet, (one, other, *_) = editors
        seen, won = Counter(), {"winner_seat": 0, "points": 25}
        for _ in range(ROUNDS):
            etag = sheet.put(one, 1, won, one("GET", sheet.path)[1]["etag"])[1]["etag"]
            right = {"winner_seat": 1, "points": 7, "by": "Bob"}
            gone_too = partial(
                other, "DELETE", f"{sheet.path}/hands/1?by=Ada", headers={"If-Match": etag}
            )
            told = at_once([partial(sheet.put, one, 1, right, etag), gone_too])
            assert sorted(status for status, _ in told) == [200, 412]
            now = one("GET", sheet.path)[1]
            corrected = told[0][0] == 200
            assert points_of(now) == ([7] if corrected else [])
            seen[corrected] += 1
            if corrected:
                path = f"{sheet.path}/hands/1?by=Ada"
                assert one("DELETE", path, headers={"If-Match": now["etag"]})[0] == 200
        now = one("GET", sheet.path)[1]
        assert len(now["deleted"]) == seen.total() == ROUNDS
        assert sum(bool(hand["history"]) for hand in now["deleted"]) == seen[True]


class Keeper:
    """Enters one hand after another until the service is gone; knows what was not answered."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.sheet = Sheet(port)
        self.etag = self.sheet.seen["etag"]
        self.acknowledged: list[int] = []
        self.unanswered: tuple[int, dict, str] | None = None

    def keep(self, enough: threading.Event) -> None:
        with (
            contextlib.closing(self.sheet.editor(self.port)) as call,
            contextlib.suppress(OSError, http.client.HTTPException),
        ):
            while len(self.acknowledged) < 480:
                number = len(self.acknowledged) + 1
                body = {"winner_seat": number % 2, "points": number}
                self.unanswered = (number, body, self.etag)
                status, told = self.sheet.put(call, *self.unanswered)
                if status == 503:  # the database died first: whether it was done is not known
                    assert enough.is_set(), told
                    return
                assert status == 200, told
                self._learn(told)
                if len(self.acknowledged) == ANSWERS_BEFORE_THE_KILL:
                    enough.set()

    def _learn(self, told: dict) -> None:
        self.acknowledged, self.etag = points_of(told), told["etag"]
        self.unanswered = None

    def go_on(self) -> None:
        """Look whether all is there, and send what was not answered once more."""
        with contextlib.closing(self.sheet.editor(self.port)) as call:
            before = list(self.acknowledged)
            now = call("GET", self.sheet.path)[1]
            assert points_of(now)[: len(before)] == before
            assert len(points_of(now)) - len(before) in {0, 1}
            assert self.unanswered is not None
            status, told = self.sheet.put(call, *self.unanswered)
            assert status == 200, told
            assert points_of(told) == [*before, len(before) + 1]
            assert sum(hand["points"] for hand in told["score"]["hands"]) == sum(points_of(told))
            again = self.sheet.put(call, *self.unanswered)
            assert again == (200, told)


@pytest.mark.http
class TestAScoreSheet:
    def test_has_all_that_was_acknowledged_after_everything_was_killed(self, run):
        service = run()
        keeper, enough = Keeper(service.port), threading.Event()
        writing = threading.Thread(target=keeper.keep, args=(enough,))
        writing.start()
        assert enough.wait(60)
        everything = service.everything()
        assert len(everything) > 6  # launcher, gunicorn and its workers, the database's processes
        service.kill()
        writing.join(60)
        assert not writing.is_alive()
        assert all(map(gone, everything))
        run()
        keeper.go_on()
