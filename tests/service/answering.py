"""A client that holds every answer to the OpenAPI document, more strictly than clients do.

Nothing may be sent that the document does not name, and a problem's code has to be one that its
operation declares.
"""

from service.document import api_of
from service.feed import EVENT_STREAM
from tests.contract.validity import Answers
from tests.events import events

PROBLEM_JSON = "application/problem+json"
OF_EVERY_ADDRESS = {"not_found", "method_not_allowed"}


class Answering:
    """Sends requests to an application in this process."""

    def __init__(self, app) -> None:
        self.app = app
        self.house = app.extensions["gin-rummy"]
        self.client = app.test_client()
        self._answers = Answers(api_of(app).document())

    def send(self, method, path, body=None, token=None, **options):
        """Return the answer; ``headers`` and ``data`` go as they are."""
        headers = dict(options.pop("headers", {}))
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            options["json"] = body
        answer = self.client.open(path, method=method, headers=headers, **options)
        self.check(method, path, answer)
        return answer

    def get(self, path, token=None, **options):
        return self.send("GET", path, None, token, **options)

    def post(self, path, body=None, token=None, **options):
        return self.send("POST", path, body, token, **options)

    def put(self, path, body=None, token=None, **options):
        return self.send("PUT", path, body, token, **options)

    def check(self, method, path, answer) -> None:
        """Assert that the document allows ``answer``."""
        assert answer.headers["Request-Id"]
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        if answer.status_code in {204, 304}:
            said = self._answers.operation_of(method, path)["responses"]
            assert str(answer.status_code) in said
            assert answer.data == b""
            return
        if answer.mimetype == EVENT_STREAM:
            assert answer.cache_control.no_store
            for event in () if method == "HEAD" else events(answer.data):
                assert self._answers.faults(method, path, 200, answer.headers, event.update) == []
            return
        problem = answer.json if answer.status_code >= 400 else None
        if problem is not None:
            self._check_problem(answer, problem)
            if problem["code"] in OF_EVERY_ADDRESS:
                return
            said = self._answers.operation_of(method, path)["description"]
            assert f"`{problem['code']}`" in said, problem["code"]
        if answer.status_code == 204:
            assert "204" in self._answers.operation_of(method, path)["responses"]
            assert answer.data == b""
            return
        body = answer.text if answer.mimetype.startswith("text/") else answer.json
        faults = self._answers.faults(method, path, answer.status_code, answer.headers, body)
        assert faults == []

    @staticmethod
    def _check_problem(answer, problem) -> None:
        assert answer.content_type == PROBLEM_JSON
        assert problem["status"] == answer.status_code
        assert bool(problem.get("errors")) == (problem["code"] == "validation_failed")
