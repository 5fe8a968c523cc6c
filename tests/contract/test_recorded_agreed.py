"""More examples of the documents: what seats agree on, their notes, and games with chosen cards.

See :mod:`tests.contract.test_recorded`, which looks after all examples together.
"""

from dataclasses import replace

import pytest

from service.app import create_app
from service.settings import Limit
from tests.contract.examples import PUBLIC_URL, record
from tests.contract.stories import FixedChance, Table, in_phase
from tests.contract.test_recorded import AGAINST_COMPUTER, noted, refused

RUN = {"kind": "run", "cards": ["AC", "2C", "3C"]}


@pytest.fixture
def start(settings, empty_tables):
    """Start the application with the chance of a story; return a client of it."""
    houses = []

    def start(story: str, **changes):
        changed = replace(settings, public_url=PUBLIC_URL, ai_max_ms=10_000, **changes)
        app = create_app(changed, FixedChance(story))
        houses.append(app.extensions["gin-rummy"])
        return app.test_client()

    yield start
    for house in houses:
        house.store.close()


class TestALimit:
    def test_that_is_used_up(self, start):
        table = Table(start("limited", limit_default=Limit(1, 60)))
        table.get()
        refused("rate_limited", table.get())


class TestWhatSeatsAgreeOn:
    def test_is_the_score_of_a_hand(self, start):
        rules = {"confirm_score": "both", "first_dealer": "seat1"}
        table = Table(start("confirmed"), rules)
        table.until(lambda game: "knock" in game["you"]["legal"]["actions"])
        table.act("/knocks", {"discard": table.legal["knocks"][0]["discard"]})
        if table.game["phase"] == "lay_off":
            table.act("/knocks/1/lay-offs", {})
        deal = {"hand_number": 2}
        refused("confirmation_pending", table.send("/hands", deal, table.tokens[0]))
        noted("confirmHand", table.send("/hands/1/confirmation", None, table.tokens[0], "PUT"))

    def test_is_that_a_hand_is_void(self, start):
        table = Table(start("void"))
        wanted, path = {"consent": True}, "/hands/1/void-consent"
        noted("consentVoid", table.send(path, wanted, table.tokens[0], "PUT"), request=wanted)
        void = table.send(path, wanted, table.tokens[1], "PUT")
        noted("consentVoid", void, kind="answer_void")

    def test_is_never_a_void_against_a_computer(self, start):
        client = start("computer")
        made = client.post("/v1/games", json=AGAINST_COMPUTER).json
        path = f"/v1/games/{made['game']['id']}/hands/1/void-consent"
        headers = {"Authorization": f"Bearer {made['tokens'][0]['token']}"}
        answer = client.put(path, json={"consent": True}, headers=headers)
        refused("void_not_possible", answer)


class TestAdvice:
    def test_is_a_hint(self, start):
        table = Table(start("hint"), {"advice": "full"})
        table.until(in_phase("draw"))
        token, wanted = table.tokens[table.seat], {"level": "plain"}
        noted("createHint", table.send("/hints", wanted, token), request=wanted)
        table.turn(action="draw", source="stock")
        answer = noted("createHint", table.send("/hints", {}, token), kind="answer_discard")
        assert answer.json["suggestions"]

    def test_is_to_be_played_for(self, start):
        table = Table(start("played for"), {"advice": "full"})
        wanted = {"seat": table.seat, "move_number": table.game["next_move"]}
        answer = table.send("/ai-moves", wanted, table.tokens[table.seat])
        noted("playAiMove", answer, request=wanted, kind="answer_for_a_person")


class TestWhoIsOutOfTime:
    def test_may_have_the_game_claimed(self, start):
        client = start("claim")
        wanted = {"scenario": "opponent_gone"}
        made = client.post("/v1/games", json=wanted).json
        at = f"/v1/games/{made['game']['id']}"
        headers = {"Authorization": f"Bearer {made['tokens'][0]['token']}"}
        body = {"move_number": made["game"]["next_move"]}
        answer = client.post(f"{at}/claims", json=body, headers=headers)
        noted("claimWin", answer, request=body)
        table = Table(start("in time"), {"turn_seconds": 60})
        waits = next(seat for seat in (0, 1) if not table.view(seat)["you"]["legal"]["actions"])
        refused("not_claimable_yet", table.act("/claims", {}, waits))


class TestWhatASeatKeepsToItself:
    def test_are_its_notes(self, start):
        table = Table(start("notes"))
        wanted = {"text": "holds queens\nwaits for a heart"}
        answer = table.send("/notes", wanted, table.tokens[0], "PUT")
        noted("putNotes", answer, request=wanted)
        noted("getNotes", table.get("/notes"))
        without = Table(start("no notes"), {"notes": False})
        refused("notes_disabled", without.get("/notes"))

    def test_is_a_lay_out_that_it_asks_about(self, start):
        client = start("check")
        made = client.post("/v1/games", json={"scenario": "can_knock"}).json
        headers = {"Authorization": f"Bearer {made['tokens'][0]['token']}"}
        path = f"/v1/games/{made['game']['id']}/melds/checks"
        wanted = {"melds": [RUN, {"kind": "run", "cards": ["4D", "5D", "6D"]}]}
        answer = client.post(path, json=wanted, headers=headers)
        noted("checkGameMelds", answer, request=wanted)
        wrong = {"melds": [{"kind": "set", "cards": ["AC", "2C", "QH"]}]}
        answer = client.post(path, json=wrong, headers=headers)
        record("checkGameMelds", "answer_not_valid", answer.json)


class TestGamesWithChosenCards:
    def test_are_at_a_scenario(self, start):
        client = start("scenario")
        items = client.get("/v1/sandbox/scenarios").json["items"]
        record("listScenarios", "answer", {"items": items[:3]})
        wanted = {"scenario": "lay_off_run_and_set"}
        assert client.post("/v1/games", json=wanted).status_code == 201
        record("createGame", "request_scenario", wanted)
        strict = start("strict", sandbox=False)
        refused("sandbox_only", strict.post("/v1/games", json=wanted))

    def test_have_a_record_like_all_games(self, start):
        client = start("record")
        made = client.post("/v1/games", json={"scenario": "undercut_ahead"}).json
        at = f"/v1/games/{made['game']['id']}"
        headers = {"Authorization": f"Bearer {made['tokens'][0]['token']}"}
        refused("game_in_progress", client.get(f"{at}/notation", headers=headers))
        body = {"move_number": made["game"]["next_move"]}
        assert client.post(f"{at}/resignations", json=body, headers=headers).status_code == 201
        answer = client.get(f"{at}/notation", headers=headers)
        assert answer.status_code == 200
        record("getNotation", "answer", answer.text)
