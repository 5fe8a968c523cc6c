"""More examples of the documents: what computer players think of a position, and of play.

See :mod:`tests.contract.test_recorded`, which looks after all examples together.
"""

from dataclasses import replace

import pytest

from service.app import create_app
from tests.contract.examples import PUBLIC_URL, record
from tests.contract.stories import FixedChance
from tests.contract.test_recorded import noted

OPTIONS_SHOWN = 2
"""So many options of each decision stand in an example; there is one for each card otherwise."""

TEN = ["AC", "2C", "3C", "4D", "5D", "6D", "7H", "8H", "9H", "TS"]
POSITION = {
    "phase": "discard",
    "cards": [*TEN, "KS"],
    "stock_count": 24,
    "discard_pile": ["JS", "QD", "4C", "TD", "9C"],
    "opponent_known_cards": ["8D"],
    "drawn_card": "KS",
    "drawn_from": "stock",
    "turn": 9,
    "move_number": 20,
}
LAY_OFF = {
    "phase": "lay_off",
    "cards": ["4C", "5C", "8D", "9D", "JD", "JH", "QH", "KH", "2S", "3S"],
    "stock_count": 20,
    "knocker_melds": [
        {"kind": "run", "cards": ["AC", "2C", "3C"]},
        {"kind": "run", "cards": ["4D", "5D", "6D"]},
        {"kind": "run", "cards": ["7H", "8H", "9H"]},
    ],
    "knocker_unmatched": ["TS"],
    "level": "master",
}


@pytest.fixture
def client(settings, empty_tables):
    app = create_app(
        replace(settings, public_url=PUBLIC_URL, ai_max_ms=10_000), FixedChance("advice")
    )
    yield app.test_client()
    app.extensions["gin-rummy"].store.close()


def shortened(analysis):
    """An analysis with the first options of each decision alone."""
    decisions = [
        {**each, "options": each["options"][:OPTIONS_SHOWN]} for each in analysis["decisions"]
    ]
    return {**analysis, "decisions": decisions}


class TestAPosition:
    def test_is_advised(self, client):
        answer = client.post("/v1/ai/suggestions", json=POSITION)
        noted("suggestMove", answer, request=POSITION)

    def test_may_be_a_lay_off(self, client):
        answer = client.post("/v1/ai/suggestions", json=LAY_OFF)
        noted("suggestMove", answer, request=LAY_OFF, kind="answer_lay_off")


class TestPlayThatIsOver:
    def test_is_judged(self, client):
        wanted = {"scenario": "can_knock", "seats": [{"kind": "human", "seating": "granted"}] * 2}
        made = client.post("/v1/games", json=wanted).json
        at = f"/v1/games/{made['game']['id']}"
        first, second = ({"Authorization": f"Bearer {each['token']}"} for each in made["tokens"])
        number = made["game"]["next_move"]
        body = {"action": "discard", "card": "9H", "move_number": number}
        assert client.post(f"{at}/moves", json=body, headers=first).status_code == 201
        body = {"action": "resign", "move_number": number + 1}
        assert client.post(f"{at}/moves", json=body, headers=second).status_code == 201
        for name, path in {
            "getHandAnalysis": f"{at}/hands/1/analysis",
            "getGameAnalysis": f"{at}/analysis",
        }.items():
            answer = client.get(path, headers=first)
            assert (answer.status_code, answer.json["complete"]) == (200, True)
            record(name, "answer", shortened(answer.json))
