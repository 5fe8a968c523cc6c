"""More examples of the documents: games that are scored elsewhere, and score sheets.

See :mod:`tests.contract.test_recorded`, which looks after all examples together.
"""

from dataclasses import replace

import pytest

from service.app import create_app
from service.errors import Refusal
from tests.contract.examples import PUBLIC_URL, record
from tests.contract.stories import FixedChance
from tests.contract.test_recorded import noted, refused
from tests.service.framed import GAME, framed_app, raising

KNOCK = {
    "kind": "knock",
    "knocker_seat": 0,
    "sides": [
        {"seat": 0, "cards": ["2C", "3C", "4C", "AD", "7D", "QD", "7H", "QH", "7S", "QS"]},
        {"seat": 1, "cards": ["5C", "7C", "8C", "4D", "8D", "KD", "8H", "KH", "9S", "KS"]},
    ],
}


@pytest.fixture
def client(settings, empty_tables):
    app = create_app(replace(settings, public_url=PUBLIC_URL), FixedChance("sheets"))
    yield app.test_client()
    app.extensions["gin-rummy"].store.close()


class Keeper:
    """Somebody who keeps a score sheet."""

    def __init__(self, client) -> None:
        self.client = client
        wanted = {"names": ["Ada", "Grace"], "rules": {"base": "traditional"}}
        made = client.post("/v1/score-sheets", json=wanted)
        noted("createScoreSheet", made, request=wanted)
        self.made, self.etag = made.json, made.headers["ETag"]
        self.at = f"/v1/score-sheets/{self.made['score_sheet']['id']}"

    def ask(self, method, path="", body=None, token="edit_token", etag=None):
        headers = {"Authorization": f"Bearer {self.made[token]}", "If-Match": etag or self.etag}
        answer = self.client.open(self.at + path, method=method, json=body, headers=headers)
        self.etag = answer.headers.get("ETag", self.etag)
        return answer


class TestAGameKeptElsewhere:
    def test_is_scored(self, client):
        wanted = {
            "rules": {"base": "hollywood", "target": 50},
            "hands": [{"winner_seat": 0, "points": 41, "outcome": "gin"}, KNOCK],
        }
        noted("scoreGame", client.post("/v1/scoring/games", json=wanted), request=wanted)
        tables = [{"winner_seat": 0, "points": 30}, {"winner_seat": 3, "points": 29}]
        wanted = {"seats": 4, "hands": [{"tables": tables}]}
        answer = client.post("/v1/scoring/games", json=wanted)
        record("scoreGame", "request_tables", wanted)
        noted("scoreGame", answer, kind="answer_tables")


class TestAScoreSheet:
    def test_from_its_first_hand_to_a_correction(self, client):
        keeper = Keeper(client)
        wanted = {"outcome": "gin", "winner_seat": 0, "points": 41, "by": "Ada"}
        noted("putScoreSheetHand", keeper.ask("PUT", "/hands/1", wanted), request=wanted)
        record("putScoreSheetHand", "request_cards", KNOCK)
        assert keeper.ask("PUT", "/hands/2", KNOCK).status_code == 200
        wrong = {**wanted, "points": 14}
        refused("confirmation_required", keeper.ask("PUT", "/hands/1", wrong))
        said = {"confirmed_by": ["Ada", "Grace"], "reason": "41 and 14 were mixed up"}
        right = {**wrong, **said}
        answer = keeper.ask("PUT", "/hands/1", right)
        assert answer.status_code == 200
        record("putScoreSheetHand", "request_correction", right)
        noted("getScoreSheet", keeper.ask("GET", token="share_token"))
        noted("getScoreSheetPad", keeper.ask("GET", "/pad"))
        noted("getScoreSheetCsv", keeper.ask("GET", "/csv"))
        noted("deleteScoreSheetHand", keeper.ask("DELETE", "/hands/2?by=Ada&reason=misdeal"))

    def test_is_not_changed_by_whoever_may_not_or_has_not_looked(self, client):
        keeper = Keeper(client)
        wanted = {"winner_seat": 0, "points": 41}
        stale = keeper.etag
        refused("share_token_read_only", keeper.ask("PUT", "/hands/1", wanted, "share_token"))
        refused("hand_number_too_high", keeper.ask("PUT", "/hands/2", wanted))
        assert keeper.ask("PUT", "/hands/1", wanted).status_code == 200
        other = {"winner_seat": 1, "points": 7}
        refused("version_mismatch", keeper.ask("PUT", "/hands/1", other, etag=stale), whole=True)
        headers = {"Authorization": f"Bearer {keeper.made['edit_token']}"}
        answer = client.put(f"{keeper.at}/hands/1", json=other, headers=headers)
        refused("version_required", answer)

    def test_that_is_full_is_seen_in_the_frame_alone(self):
        client = framed_app(raising(Refusal("score_sheet_full", params={"max": 500})))[0]
        refused("score_sheet_full", client.test_client().post(f"{GAME}/turns"))

    @pytest.mark.parametrize(
        ("code", "path", "body"),
        [
            ("duplicate_name", "/v1/score-sheets", {"names": ["Ada", "Ada"]}),
            (
                "contradictory_fields",
                "/v1/scoring/games",
                {"hands": [{"winner_seat": 0, "knocker_seat": 1, "points": 25}]},
            ),
        ],
    )
    def test_has_fields_that_fit_together(self, client, code, path, body):
        refused(code, client.post(path, json=body))
