"""The corpus of malformed requests, against a small application in the real frame.

What it does to the whole service, with rows counted, is seen elsewhere; here the corpus itself is
put to the proof.
"""

import json
from collections import Counter

import pytest

from tests.contract.malformed import Case, Good, cases, fault_of
from tests.service.framed import GAME, echoing, framed_app

PROBLEM = "application/problem+json"
GOOD = {
    "joinGame": Good(f"{GAME}/joins", {"join_code": "abc", "seat": 1}),
    "listMoves": Good(f"{GAME}/moves"),
    "getGame": Good(GAME),
}


@pytest.fixture(scope="module")
def framed():
    app, api = framed_app(echoing())
    return app.test_client(), api.document()


class TestTheCorpus:
    def test_is_refused_in_whole(self, framed):
        client, document = framed
        # The cursor of the small application is any text: signatures are the real one's business.
        sent = [case for case in cases(document, GOOD) if "?cursor" not in case.name]
        answers = [
            (case, client.open(case.path, method=case.method, headers=case.headers, data=case.body))
            for case in sent
        ]
        faults = [fault_of(case, a.status_code, a.content_type, a.data) for case, a in answers]
        assert [fault for fault in faults if fault] == []

    def test_reaches_every_kind_of_refusal(self, framed):
        _, document = framed
        seen = Counter(status for case in cases(document, GOOD) for status in case.status)
        assert set(seen) == {400, 404, 405, 406, 413, 415, 422}
        assert seen.total() > 250

    def test_has_names_that_tell_its_cases_apart(self, framed):
        names = Counter(case.name for case in cases(framed[1], GOOD))
        assert [name for name, count in names.items() if count > 1] == []

    def test_asks_for_a_good_request_of_each_operation(self, framed):
        with pytest.raises(KeyError):
            list(cases(framed[1], {}))

    def test_would_be_accepted_if_it_were_not_malformed(self, framed):
        client, _ = framed
        assert client.post(GOOD["joinGame"].path, json=GOOD["joinGame"].body).status_code == 201
        assert client.get(GOOD["listMoves"].path).status_code == 200
        assert client.get(GOOD["getGame"].path).status_code == 200


class TestTheJudge:
    CASE = Case("x", "POST", "/x", frozenset({422}))

    def judge(self, status=422, kind=PROBLEM, **body):
        text = json.dumps({"code": "validation_failed", "status": 422, **body}).encode()
        return fault_of(self.CASE, status, kind, text)

    def test_accepts_a_problem(self):
        assert self.judge(errors=[{"code": "required"}]) is None

    @pytest.mark.parametrize(
        "answer",
        [
            {"status": 500},
            {"status": 200},
            {"status": 400},
            {"kind": "text/html"},
            {"kind": "application/json"},
            {"code": "no_such_code"},
            {"errors": [{"code": "no_such_code"}]},
            {"detail": "Traceback (most recent call last)"},
        ],
        ids=repr,
    )
    def test_sees(self, answer):
        assert self.judge(**answer)
