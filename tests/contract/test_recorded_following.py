"""The examples of following a game, recorded as in :mod:`tests.contract.test_recorded`."""

import pytest

from service.errors import Refusal
from tests.contract.examples import record
from tests.contract.test_recorded import AGAINST_COMPUTER, noted, refused, start
from tests.events import events
from tests.service.framed import GAME, framed_app, raising

__all__ = ["start"]


class TestAStream:
    def test_is_recorded_by_its_event_and_its_ticket(self, start):
        client = start("computer")
        made = client.post("/v1/games", json=AGAINST_COMPUTER).json
        at = f"/v1/games/{made['game']['id']}"
        headers = {"Authorization": f"Bearer {made['tokens'][0]['token']}"}
        [event] = events(client.get(f"{at}/updates/stream?after=1", headers=headers).data)
        record("streamUpdates", "answer", event.update)
        noted("createStreamTicket", client.post(f"{at}/stream-tickets", headers=headers))

    @pytest.mark.parametrize("code", ["token_expired", "stream_capacity"])
    def test_that_is_refused_is_seen_in_the_frame_alone(self, code):
        client = framed_app(raising(Refusal(code)))[0].test_client()
        refused(code, client.post(f"{GAME}/turns"))
