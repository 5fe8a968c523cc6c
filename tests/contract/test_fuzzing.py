"""No made-up request brings the service down, and every answer is as the document says.

``GIN_SWEEP_FUZZ`` requests, in scenarios of ten; ``make fuzz`` makes five thousand.
"""

import os

import pytest

from service.portal_keys import SCOPES
from service.use_cases.manage_keys import create_key
from tests.contract.documents import kept, operations
from tests.contract.fuzzing import fuzz
from tests.server import QUIET, Served, on_database

CASES = int(os.environ.get("GIN_SWEEP_FUZZ", "60"))
SHORT = {
    "GIN_AI_MAX_MS": "20",
    "GIN_LONGEST_WAIT_SECONDS": "0.05",
    "GIN_STREAM_SECONDS": "0.05",
}
"""So that nothing made up takes long: thinking, waiting for news, a stream."""

ENOUGH_FOR_ALL = 3000
"""So many requests reach every operation, as good as surely."""


@pytest.fixture
def hasty(store, database_url, session_settings, tmp_path):
    """The service over HTTP, on empty tables; it never waits for long."""
    environ = on_database(database_url, session_settings.secrets[0].decode()) | QUIET | SHORT
    with Served(tmp_path / "data", environ) as served:
        yield served


@pytest.mark.http
class TestMadeUpRequests:
    def test_are_all_answered_as_the_document_says(self, hasty, store):
        key = create_key(store, "fuzzing", SCOPES).key
        report = fuzz(hasty.url, key, CASES)
        assert report.faults == []
        assert report.seen.total() >= CASES
        assert max(report.statuses) < 500
        assert report.statuses[200] + report.statuses[201] > CASES // 10
        assert hasty.operate("verify").returncode == 0
        if CASES >= ENOUGH_FOR_ALL:
            asked = {name for name, _ in report.seen}
            assert asked == {operation["operationId"] for *_, operation in operations(kept())}
