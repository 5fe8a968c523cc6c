"""Requests made up from the document, one after another, each fed by the answers before it.

Schemathesis makes them and follows ids from answer to request. What it cannot know is added here:
whose token a request needs, the game that is going on, and the number of its next move; without
them hardly a request would come past the door.
"""

import contextlib
import json
from collections import Counter
from random import Random

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.errors import Flaky
from requests.structures import CaseInsensitiveDict
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.contract.validity import Answers

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
OFTEN = 0.8
"""How often a request gets what it needs; the others get what was made up, or another's."""

TABLE = {"seats": [{"kind": "human"}, {"kind": "ai", "ai": {"level": "easy"}}]}
OPEN_TABLE = {"seats": [{"kind": "human"}, {"kind": "human", "seating": "open"}]}


class Known:
    """What the answers so far have told: games, sheets and webhooks, and the tokens for them."""

    def __init__(self, key: str, rng: Random) -> None:
        self._key = key
        self._rng = rng
        self._tokens: dict[str, list[str]] = {}
        self._views: dict[str, dict] = {}
        self._ids: dict[str, list[str]] = {}

    def learn(self, found: object) -> None:
        """Take ids and tokens from an answer, wherever they are."""
        if not isinstance(found, dict):
            return
        game = found.get("game", found)
        if isinstance(game, dict) and "next_move" in game and "id" in game:
            self._views[game["id"]] = game
            self._remember("game_id", game["id"])
            self._grant(game["id"], found)
        sheet = found.get("score_sheet", found)
        if isinstance(sheet, dict) and str(sheet.get("id", "")).startswith("ss_"):
            self._remember("score_sheet_id", sheet["id"])
            self._grant(sheet["id"], found)
        if str(found.get("id", "")).startswith("wh_"):
            self._remember("webhook_id", found["id"])
        if "join_code" in found:
            self._remember("join_code", found["join_code"])

    def _remember(self, name: str, value: str) -> None:
        ids = self._ids.setdefault(name, [])
        if value not in ids:
            ids.append(value)

    def _grant(self, owner: str, found: dict) -> None:
        tokens = self._tokens.setdefault(owner, [])
        tokens += [grant["token"] for grant in found.get("tokens", ()) if "token" in grant]
        tokens += [value for name, value in found.items() if name.endswith("token")]

    def complete(self, case: schemathesis.Case) -> str:
        """Give a request what it needs, often: ids, the number of the next move; return a token."""
        path = case.path_parameters or {}
        for name in path.keys() & self._ids.keys():
            if self._rng.random() < OFTEN:
                path[name] = self._rng.choice(self._ids[name])
        view = self._views.get(str(path.get("game_id")))
        if view:
            self._number(case, view)
        return self._token(path)

    def _number(self, case: schemathesis.Case, view: dict) -> None:
        numbers = {"move_number": view["next_move"]}
        hand = view.get("next_hand") or view.get("hand")
        if hand:
            numbers["hand_number"] = hand["number"]
        for place in (case.body, case.path_parameters):
            for name in numbers.keys() & (place.keys() if isinstance(place, dict) else set()):
                if self._rng.random() < OFTEN:
                    place[name] = numbers[name]

    def _token(self, path: dict) -> str:
        owner = path.get("game_id") or path.get("score_sheet_id")
        own = self._tokens.get(str(owner))
        if own and self._rng.random() < OFTEN:
            return self._rng.choice([*own[:1], *own, self._key])  # its maker's first
        anybody = [token for tokens in self._tokens.values() for token in tokens]
        return self._rng.choice([self._key, self._key, *anybody[:1]])


class Report:
    """What came of it: answers by operation and status, problems by code, and every fault."""

    def __init__(self) -> None:
        self.seen: Counter[tuple[str, int]] = Counter()
        self.refused: Counter[str] = Counter()
        self.faults: list[str] = []

    @property
    def statuses(self) -> Counter[int]:
        statuses: Counter[int] = Counter()
        for (_, status), times in self.seen.items():
            statuses[status] += times
        return statuses


def fuzz(url: str, key: str, cases: int, *, steps: int = 10) -> Report:
    """Ask the service at ``url`` so many times; ``key`` is a portal's, with every scope.

    A fault is noted and not raised: a service that deals at random gives no second answer like
    its first, so a scenario can be neither repeated nor shortened. For the same reason a scenario
    ends where Hypothesis finds that it went another way than before.
    """
    report = Report()
    schema = schemathesis.openapi.from_url(f"{url}/openapi.json")
    scenarios = settings(
        max_examples=max(1, cases // steps),
        stateful_step_count=steps,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        deadline=None,
        database=None,
    )
    for number in range(cases):
        if report.seen.total() >= cases:
            break
        with contextlib.suppress(Flaky):
            seed(number)(machine(schema, url, key, report)).run(settings=scenarios)
    return report


def machine(schema: schemathesis.BaseSchema, url: str, key: str, report: Report) -> type:
    """Return what plays one scenario after another and tells ``report`` what came of it."""
    answers = Answers(schema.raw_schema)

    class Machine(schema.as_state_machine()):
        def setup(self) -> None:
            self.known = Known(key, Random(report.seen.total()))
            for table in (TABLE, OPEN_TABLE):
                made = requests.post(
                    f"{url}/v1/games",
                    json=table,
                    headers={"Authorization": f"Bearer {key}"},
                    timeout=60,
                )
                assert made.status_code == 201, made.text
                self.known.learn(made.json())

        def before_call(self, case: schemathesis.Case) -> None:
            self.token = self.known.complete(case)

        def get_call_kwargs(self, case: schemathesis.Case) -> dict:
            return {"timeout": 60, "headers": {"Authorization": f"Bearer {self.token}"}}

        def after_call(self, response, case: schemathesis.Case) -> None:
            operation = case.operation.definition.raw["operationId"]
            report.seen[operation, response.status_code] += 1
            found = body(response)
            if response.status_code >= 400 and isinstance(found, dict):
                report.refused[found.get("code")] += 1
            self.known.learn(found)

        def validate_response(self, response, case: schemathesis.Case, **_: object) -> None:
            asked = f"{case.as_curl_command()}: {response.status_code}"
            # The document tells of one message; Schemathesis takes it for a whole event.
            checks = [
                check
                for check in CHECKS
                if check is not response_schema_conformance or not is_stream(response)
            ]
            try:
                case.validate_response(response, checks=checks)
            except FailureGroup as group:
                report.faults += [f"{asked} {failure}" for failure in group.exceptions]
            report.faults += [
                f"{asked} {fault}"
                for found in messages(response)
                for fault in answers.faults(
                    case.operation.method.upper(),
                    case.formatted_path,
                    response.status_code,
                    CaseInsensitiveDict({k: ",".join(of) for k, of in response.headers.items()}),
                    found,
                )
            ]

    return Machine


def is_stream(response) -> bool:
    """Tell whether it is a stream of events."""
    return "text/event-stream" in ",".join(response.headers.get("content-type", [""]))


def messages(response) -> list:
    """Return what an answer says: its body, or of a stream each message that came."""
    if not is_stream(response):
        return [body(response)]
    lines = response.content.decode().splitlines()
    return [json.loads(line.removeprefix("data:")) for line in lines if line.startswith("data:")]


def body(response):
    """Return the body of an answer as a value, or as its text where it is no JSON."""
    text = response.content.decode() if response.content else ""
    media = ",".join(response.headers.get("content-type", [""]))
    return json.loads(text) if "json" in media and text else text
