"""The examples of following a game, recorded as in :mod:`tests.contract.test_recorded`."""

import pytest

from service.errors import Refusal
from service.use_cases.keep_presence import tell_presence
from tests.contract.examples import record
from tests.contract.test_recorded import AGAINST_COMPUTER, noted, refused, start
from tests.events import events
from tests.service.framed import GAME, framed_app, raising

__all__ = ["start"]

TWO = {
    "seats": [
        {"kind": "human", "name": "Ada"},
        {"kind": "human", "name": "Grace", "seating": "granted"},
    ]
}


class TestAStream:
    def test_is_recorded_by_its_event_and_its_ticket(self, start):
        client = start("computer")
        made = client.post("/v1/games", json=AGAINST_COMPUTER).json
        at = f"/v1/games/{made['game']['id']}"
        headers = {"Authorization": f"Bearer {made['tokens'][0]['token']}"}
        [event] = events(client.get(f"{at}/updates/stream?after=1", headers=headers).data)
        record("streamUpdates", "answer", event.update)
        noted("createStreamTicket", client.post(f"{at}/stream-tickets", headers=headers))

    def test_tells_who_comes_to_the_table(self, start):
        client = start("presence")
        house = client.application.extensions["gin-rummy"]
        made = client.post("/v1/games", json=TWO).json
        at, version = f"/v1/games/{made['game']['id']}", made["game"]["version"]
        onlooker = {"Authorization": f"Bearer {made['spectator_token']}"}
        player = {"Authorization": f"Bearer {made['tokens'][0]['token']}"}
        assert not any(seat["online"] for seat in made["game"]["seats"])
        house.presence.open(lambda: None)
        assert client.get(at, headers=player).status_code == 200
        tell_presence(house)
        told = client.get(f"{at}/updates?after={version}", headers=onlooker)
        assert [seat["online"] for seat in told.json["game"]["seats"]] == [True, False]
        noted("getUpdates", told, kind="answer_presence")

    @pytest.mark.parametrize("code", ["token_expired", "stream_capacity"])
    def test_that_is_refused_is_seen_in_the_frame_alone(self, code):
        client = framed_app(raising(Refusal(code)))[0].test_client()
        refused(code, client.post(f"{GAME}/turns"))
