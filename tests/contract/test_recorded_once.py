"""More examples of the documents: a request sent again under its Idempotency-Key.

See :mod:`tests.contract.test_recorded`, which looks after all examples together.
"""

from dataclasses import replace

import pytest

from service.app import create_app
from service.errors import Refusal
from tests.contract.examples import PUBLIC_URL
from tests.contract.stories import FixedChance
from tests.contract.test_recorded import noted, refused
from tests.service.framed import GAME, framed_app, raising

KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324"


@pytest.fixture
def client(settings, empty_tables):
    app = create_app(replace(settings, public_url=PUBLIC_URL), FixedChance("once"))
    yield app.test_client()
    app.extensions["gin-rummy"].store.close()


class TestALostAnswer:
    def test_of_a_join_is_given_again(self, client):
        made = client.post("/v1/games", json={}, headers={"Idempotency-Key": KEY}).json
        wanted = {"join_code": made["join_code"], "name": "Grace"}
        at = f"/v1/games/{made['game']['id']}/joins"
        first, again = (
            client.post(at, json=wanted, headers={"Idempotency-Key": KEY}) for _ in range(2)
        )
        assert (again.headers["Idempotency-Replayed"], again.data) == ("true", first.data)
        noted("joinGame", again, kind="answer_replayed")


class TestProblemsOfAKey:
    def test_that_is_none_are_seen(self, client):
        answer = client.post("/v1/games", json={}, headers={"Idempotency-Key": KEY[:8]})
        refused("idempotency_key_invalid", answer)

    @pytest.mark.parametrize("code", ["idempotency_in_progress", "idempotency_key_reused"])
    def test_that_others_have_are_seen_in_the_frame_alone(self, code):
        client = framed_app(raising(Refusal(code)))[0].test_client()
        refused(code, client.post(f"{GAME}/turns"))
