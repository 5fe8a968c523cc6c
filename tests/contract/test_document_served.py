"""The documents that are kept, those that are served, and the routes say the same.

``GIN_TEST_RECORD=1`` writes the kept ones anew.
"""

import pytest

from service.app import create_app
from service.document import api_of
from tests.contract.documents import FILES, METHODS, OPENAPI, kept, operations
from tests.contract.examples import RECORDING

UNDOCUMENTED = {"/openapi.json", "/openapi-3.0.json", "/static/<path:filename>"}


@pytest.fixture
def app(settings):
    return create_app(settings)


class TestTheDocuments:
    @pytest.mark.parametrize("name", FILES)
    def test_are_served_as_they_are_kept(self, app, name):
        if RECORDING:
            api_of(app).write(OPENAPI)
        answer = app.test_client().get(f"/{name}")
        assert answer.content_type == "application/json"
        assert answer.data == (OPENAPI / name).read_bytes()

    def test_name_every_route_and_no_other(self, app):
        routed = {
            (method.upper(), api_of(app).path_of(rule))
            for rule in app.url_map.iter_rules()
            for method in METHODS
            if method.upper() in rule.methods - {"HEAD", "OPTIONS"}
            and rule.rule not in UNDOCUMENTED
            and not rule.rule.startswith("/docs")
        }
        documented = {(method, path) for method, path, _ in operations(kept())}
        assert routed == documented
