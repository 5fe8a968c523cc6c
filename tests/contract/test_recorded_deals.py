"""The examples of the fair deal.

See :mod:`tests.contract.test_recorded`, which looks after all examples together.
"""

from dataclasses import replace

import pytest

from service.app import create_app
from tests.cases.fair_deals import FULL
from tests.contract.examples import LIMITS, PUBLIC_URL, record
from tests.contract.stories import FixedChance, Table
from tests.contract.test_recorded import noted, refused

VERIFICATIONS = "/v1/fairness/verifications"


@pytest.fixture
def client(settings, empty_tables):
    app = create_app(replace(settings, public_url=PUBLIC_URL, **LIMITS), FixedChance("deals"))
    yield app.test_client()
    app.extensions["gin-rummy"].store.close()


class TestADeal:
    def test_that_is_over(self, client):
        table = Table(client)
        table.act("/resignations", {})
        noted("getHandProof", table.get("/hands/1/proof"))
        noted("getFairnessStats", client.get("/v1/fairness/stats"))

    def test_that_is_checked(self, client):
        """As it is: the numbers are those of a vector, and can be followed."""
        for kind, deal in {"": FULL, "_false": {**FULL, "game_id": "g_02"}}.items():
            answer = client.post(VERIFICATIONS, json=deal)
            record("verifyDeal", f"request{kind}", deal)
            record("verifyDeal", f"answer{kind}", answer.json)

    def test_that_is_told_wrongly(self, client):
        deal = {**FULL, "seed": FULL["seed"].upper()}
        refused("nonce_malformed", client.post(VERIFICATIONS, json=deal))

    def test_of_a_sandbox_proves_nothing(self, client):
        made = client.post("/v1/games", json={"scenario": "can_knock"}).json
        headers = {"Authorization": f"Bearer {made['tokens'][0]['token']}"}
        path = f"/v1/games/{made['game']['id']}/hands/1/proof"
        refused("sandbox_no_proof", client.get(path, headers=headers))
