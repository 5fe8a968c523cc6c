"""Examples of the documents, recorded from the real application and compared on each run.

A test calls :func:`record` with what was really sent or answered. What differs from run to run
(ids, tokens, times, commitments) is replaced by something fixed; the rest has to be the same as in
``openapi/examples``. ``GIN_TEST_RECORD=1`` writes the files instead. Cards have to be the same too:
record games whose deals are fixed.
"""

import json
import os
import re
from pathlib import Path

from service.settings import load
from tests.contract.documents import OPENAPI

EXAMPLES = OPENAPI / "examples"
RECORDING = os.environ.get("GIN_TEST_RECORD") == "1"
PUBLIC_URL = "https://api.example.org"
LIMITS = {f"limit_{name}": limit for name, limit in load({}).limits.items()}
"""The rate limits of a service for which none were set."""

VOLATILE = (
    (re.compile(r"\bss_[A-Za-z0-9_-]{22}"), "ss_5hE3tQ9kXw0bRtY6uIoP1a", 25),
    (re.compile(r"\bwh_[0-9a-f]{16}\b"), "wh_3b2e540d52e61e73", 19),
    (re.compile(r"\bevt_[0-9a-f]{32}\b"), "evt_f0643a929c834d1187277d86b9466c54", 36),
    (re.compile(r"\bd_[0-9a-f]{32}\b"), "d_000000000000002a9d1c6f4b8e7a5032", 34),
    (re.compile(r"whsec_[A-Za-z0-9+/=]+"), "whsec_c2VjcmV0U2VjcmV0U2VjcmV0U2VjcmV0U2VjcmU=", 0),
    (re.compile(r"gse_[A-Za-z0-9_.-]+"), "gse_editTokenEditTokenEditTo", 0),
    (re.compile(r"gsr_[A-Za-z0-9_.-]+"), "gsr_shareTokenShareTokenShar", 0),
    (re.compile(r"g_[A-Za-z0-9_-]{22}"), "g_8sK2vQ4nXw0bRtY6uIoP1a", 24),
    (re.compile(r"grs_[A-Za-z0-9_.-]+"), "grs_seatTokenSeatTokenSeatTo", 0),
    (re.compile(r"grt_[A-Za-z0-9_.-]+"), "grt_streamTicketStreamTicket", 0),
    (re.compile(r"grv_[A-Za-z0-9_.-]+"), "grv_spectatorTokenSpectatorT", 0),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"), "2026-03-01T12:00:00Z", 0),
    (re.compile(r"\b[0-9a-f]{64}\b"), "7f1f" * 16, 0),
)
JOIN_CODE = "jQ7mZ2xK"
EXACT = frozenset({"verifyDeal"})
"""Operations whose answers are the same in each run; nothing in them is replaced."""


def fixed(body):
    """Return ``body`` with what differs from run to run replaced; different ids stay different."""
    text = json.dumps(body, ensure_ascii=False)
    text = re.sub(r"https?://[^/\"]+(?=/v1/problems/)", PUBLIC_URL, text)
    text = re.sub(r'("join_code": )"[^"]*"', rf'\1"{JOIN_CODE}"', text)
    text = re.sub(r"(/v1/invitations/)[A-Za-z0-9_-]+", rf"\g<1>{JOIN_CODE}", text)
    for pattern, stand_in, length in VOLATILE:
        text = pattern.sub(_stand_ins(stand_in, length), text)
    return json.loads(text)


def _stand_ins(stand_in: str, length: int):
    seen: dict[str, str] = {}

    def replace(match: re.Match) -> str:
        found = match.group()
        if length == 0:
            return stand_in
        if found not in seen:
            mark = "" if not seen else str(len(seen) + 1)
            seen[found] = stand_in[: length - len(mark)] + mark
        return seen[found]

    return replace


def record(operation_id: str, kind: str, body) -> None:
    """Hold ``body`` to the example ``operation_id.kind``.

    ``kind`` begins with ``request`` or ``answer``, as in ``answer_replayed``; an operation may
    have several of each.
    """
    assert re.fullmatch(r"(request|answer)(_[a-z0-9_]+)?", kind), kind
    _compare(
        EXAMPLES / f"{operation_id}.{kind}.json", body if operation_id in EXACT else fixed(body)
    )


def record_problem(code: str, body) -> None:
    """Hold a problem to the example of ``code``: its own, or that of one of its ``errors``."""
    assert code == body["code"] or code in {error["code"] for error in body["errors"]}, body
    _compare(EXAMPLES / f"problem.{code}.json", fixed(body))


def _compare(path: Path, body) -> None:
    if RECORDING:
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(body, indent=2, ensure_ascii=False) + "\n")
    assert path.exists(), f"no example {path.name}: run the tests with GIN_TEST_RECORD=1"
    assert json.loads(path.read_text()) == body, f"{path.name} differs: see GIN_TEST_RECORD"
