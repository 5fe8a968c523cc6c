"""The examples of the documents come from the real application: small stories that are recorded.

Chance is fixed, so each run plays the same cards; what differs all the same (times, tokens) is
normalised. ``GIN_TEST_RECORD=1`` writes the examples anew.
"""

import json
from dataclasses import replace

import pytest

from engine.errors import (
    DiscardPileEmpty,
    LayoutNotMinimal,
    MustKnockOrPass,
    PickupNotMelded,
    StockEmpty,
    WrongDiscardCount,
)
from service.app import create_app
from service.errors import Refusal
from service.problems import CATALOGUE
from tests.contract.documents import kept, operations
from tests.contract.examples import EXAMPLES, LIMITS, PUBLIC_URL, record, record_problem
from tests.contract.stories import FixedChance, Table, can, in_phase
from tests.service.framed import GAME, framed_app, raising

AGAINST_COMPUTER = {
    "rules": {"base": "short"},
    "seats": [
        {"kind": "human", "name": "Ada"},
        {"kind": "ai", "ai": {"level": "easy", "mode": "auto"}},
    ],
}

SELDOM = (
    StockEmpty(),
    DiscardPileEmpty(),
    LayoutNotMinimal(7),
    PickupNotMelded(card=0),
    MustKnockOrPass(),
    WrongDiscardCount(owed=2),
)
"""What no short story reaches."""


@pytest.fixture
def start(settings, empty_tables):
    """Start the application with the chance of a story; return a client of it."""
    houses = []

    def start(story: str):
        app = create_app(
            replace(settings, public_url=PUBLIC_URL, ai_max_ms=10_000, **LIMITS),
            FixedChance(story),
        )
        houses.append(app.extensions["gin-rummy"])
        return app.test_client()

    yield start
    for house in houses:
        house.store.close()


def noted(operation_id: str, answer, *, request: dict | None = None, kind: str = "answer"):
    """Record an answer, with the request that it answers; return it."""
    assert answer.status_code in {200, 201, 202}, answer.json
    if request is not None:
        record(operation_id, kind.replace("answer", "request"), request)
    record(operation_id, kind, answer.json if answer.is_json else answer.text)
    return answer


def refused(code: str, answer, *, whole: bool = False) -> None:
    """Record a refusal; the view that comes with it only once, it is long."""
    views = set() if whole else {"game", "moves", "score_sheet"}
    shown = {name: value for name, value in answer.json.items() if name not in views}
    assert answer.status_code == shown["status"]
    record_problem(code, shown)


class TestTheService:
    def test_and_its_rules(self, start):
        client = start("service")
        for operation_id, path in {
            "getService": "/",
            "getLiveness": "/health/live",
            "getReadiness": "/health/ready",
            "getProblem": "/v1/problems/deadwood_too_high",
            "getRuleSet": "/v1/rule-sets/traditional",
            "listAiLevels": "/v1/ai/levels",
        }.items():
            noted(operation_id, client.get(path))
        for operation_id, path in {
            "listProblems": "/v1/problems",
            "listRuleSets": "/v1/rule-sets",
        }.items():
            items = client.get(path).json["items"]
            record(operation_id, "answer", {"items": items[:2]})
        wanted = {"base": "short", "knock_limit": 9}
        noted("resolveRules", client.post("/v1/rule-sets/resolutions", json=wanted), request=wanted)


class TestAGameAgainstTheComputer:
    def test_from_its_making_to_its_score(self, start):
        client = start("computer")
        made = client.post("/v1/games", json=AGAINST_COMPUTER)
        noted("createGame", made, request=AGAINST_COMPUTER)
        token = made.json["tokens"][0]["token"]
        at, headers = f"/v1/games/{made.json['game']['id']}", {"Authorization": f"Bearer {token}"}
        noted("getGame", client.get(at, headers=headers))
        noted("getScore", client.get(f"{at}/score", headers=headers))
        updates = client.get(f"{at}/updates?after=1", headers=headers)
        noted("getUpdates", updates)

    def test_that_waits_to_be_asked(self, start):
        client = start("asked")
        seats = [{"kind": "human"}, {"kind": "ai", "ai": {"level": "easy", "mode": "on_request"}}]
        made = client.post("/v1/games", json={"seats": seats}).json
        at = f"/v1/games/{made['game']['id']}"
        headers = {"Authorization": f"Bearer {made['tokens'][0]['token']}"}
        game = made["game"]
        while not game["ai_pending"]:
            body = {"action": "pass", "move_number": game["next_move"]}
            game = client.post(f"{at}/turns", json=body, headers=headers).json["game"]
        wanted = {"seat": 1, "until": "move", "move_number": game["next_move"]}
        answer = client.post(f"{at}/ai-moves", json=wanted, headers=headers)
        noted("playAiMove", answer, request=wanted)


class TestAGameOfTwo:
    def test_who_meet_by_invitation(self, start):
        client = start("invitation")
        made = client.post("/v1/games", json={}).json
        code = made["join_code"]
        noted("getInvitation", client.get(f"/v1/invitations/{code}"))
        wanted = {"join_code": code, "name": "Grace"}
        joined = client.post(f"/v1/games/{made['game']['id']}/joins", json=wanted)
        noted("joinGame", joined, request=wanted)

    def test_from_the_first_card_to_the_second_hand(self, start):
        table = Table(start("hand"))
        table.until(in_phase("draw"))
        wanted = {"action": "draw", "source": "stock", "move_number": table.game["next_move"]}
        noted("playTurn", table.turn(action="draw", source="stock"), request=wanted)
        card = table.legal["discards"][0]["card"]
        wanted = {"action": "discard", "card": card, "move_number": table.game["next_move"]}
        noted("makeMove", table.act("/moves", wanted), request=wanted)
        again = table.send("/moves", wanted, table.tokens[1 - table.seat])
        assert again.status_code == 200
        noted("makeMove", again, kind="answer_replayed")
        table.until(in_phase("draw"))
        number = table.game["next_move"]
        wanted = {"action": "draw", "source": "discard_pile", "move_number": number}
        put = table.act(f"/moves/{number}", wanted, method="PUT")
        noted("putMove", put, request=wanted)
        self.knock_and_lay_off(table)
        self.read_what_happened(table)
        deal = {"hand_number": 2}
        noted("dealHand", table.send("/hands", deal, table.tokens[1]), request=deal)
        table.game = table.view(0)
        wanted = {"move_number": table.game["next_move"]}
        noted("resign", table.act("/resignations", {}), request=wanted)

    def knock_and_lay_off(self, table: Table) -> None:
        table.until(can("knock"))
        best = table.legal["knocks"][0]
        wanted = {"discard": best["discard"], "move_number": table.game["next_move"]}
        noted("knock", table.act("/knocks", {"discard": best["discard"]}), request=wanted)
        wanted = {"move_number": table.game["next_move"]}
        noted("layOff", table.act("/knocks/1/lay-offs", {}), request=wanted)

    def read_what_happened(self, table: Table) -> None:
        for operation_id, path in {
            "listMoves": "/moves?limit=2",
            "getMove": "/moves/3",
            "listTurns": "/turns?limit=1",
            "listKnocks": "/knocks",
            "getKnock": "/knocks/1",
            "listHands": "/hands",
        }.items():
            noted(operation_id, table.get(path))
        hand = table.get("/hands/1").json
        record("getHand", "answer", {**hand, "moves": hand["moves"][-2:]})


class TestProblemsOfACall:
    def test_are_seen(self, start):
        client = start("calls")
        at = "/v1/rule-sets/resolutions"
        refused("malformed_json", client.post(at, data="{", content_type="application/json"))
        refused("unsupported_media_type", client.post(at, data="{}", content_type="text/plain"))
        large = b" " * 70_000
        refused("too_large", client.post(at, data=large, content_type="application/json"))
        refused("method_not_allowed", client.delete(at))
        refused("not_acceptable", client.get("/v1/problems", headers={"Accept": "text/html"}))
        refused("not_found", client.get("/v1/nowhere"))
        refused("validation_failed", client.post(at, json={"target": 5, "hollywod": True}))

    def test_of_a_token_are_seen(self, start):
        table = Table(start("tokens"))
        refused("token_missing", table.client.get(table.at))
        refused("token_invalid", table.get(token="grs_nonsense"))
        body = {"action": "pass", "move_number": table.game["next_move"]}
        refused("spectator_read_only", table.send("/turns", body, table.watcher))
        wish = {"seat": table.seat, "move_number": table.game["next_move"]}
        refused("not_your_seat", table.send("/ai-moves", wish, table.tokens[1 - table.seat]))
        refused("hints_disabled", table.send("/ai-moves", wish, table.tokens[table.seat]))

    @pytest.mark.parametrize("code", ["internal", "busy", "outcome_unknown", "maintenance"])
    def test_of_the_server_are_seen_in_the_frame_alone(self, code):
        client = framed_app(raising(Refusal(code)))[0].test_client()
        refused(code, client.post(f"{GAME}/turns"))


class TestProblemsOfAGame:
    def test_that_waits_for_players(self, start):
        client = start("waiting")
        made = client.post("/v1/games", json={}).json
        at, token = f"/v1/games/{made['game']['id']}", made["tokens"][0]["token"]
        headers = {"Authorization": f"Bearer {token}"}
        body = {"action": "pass", "move_number": 1}
        refused("game_not_started", client.post(f"{at}/turns", json=body, headers=headers))
        join = {"join_code": made["join_code"]}
        refused("seat_taken", client.post(f"{at}/joins", json={**join, "seat": 0}))
        refused("already_joined", client.post(f"{at}/joins", json=join, headers=headers))
        assert client.post(f"{at}/joins", json=join).status_code == 201
        refused("game_full", client.post(f"{at}/joins", json=join))

    def test_in_play(self, start):
        table = Table(start("play"))
        number = table.game["next_move"]
        other = 1 - table.seat
        refused("not_your_turn", table.act("/turns", {"action": "pass"}, seat=other))
        refused("wrong_phase", table.turn(action="discard", card="AC"))
        hand = {"hand_number": 2}
        refused("hand_in_progress", table.send("/hands", hand, table.tokens[0]))
        table.until(in_phase("draw"))
        refused("must_draw_stock", table.turn(action="draw", source="discard_pile"))
        stale = {"action": "draw", "source": "stock", "move_number": number}
        refused("stale_move", table.send("/turns", stale, table.tokens[table.seat]), whole=True)

    def test_between_hands_and_after(self, start):
        table = Table(start("after"))
        table.until(can("knock"))
        kind = table.legal["knocks"][0]
        table.act("/knocks", {"discard": kind["discard"]})
        table.act("/knocks/1/lay-offs", {})
        number = table.game["next_move"]
        body = {"action": "draw", "source": "stock", "move_number": number}
        refused("hand_over", table.send("/turns", body, table.tokens[0]))
        resigned = table.send("/resignations", {"move_number": number}, table.tokens[0]).json
        body["move_number"] = resigned["game"]["next_move"]
        refused("game_over", table.send("/turns", body, table.tokens[0]))

    def test_without_a_computer(self, start):
        client = start("computer")
        made = client.post("/v1/games", json=AGAINST_COMPUTER).json
        at = f"/v1/games/{made['game']['id']}/ai-moves"
        headers = {"Authorization": f"Bearer {made['tokens'][0]['token']}"}
        body = {"seat": 1, "move_number": made["game"]["next_move"]}
        refused("no_ai_to_move", client.post(at, json=body, headers=headers))


class TestProblemsOfCards:
    def test_drawn_and_thrown(self, start):
        table = Table(start("cards"), {"discard_drawn": "any_drawn"})
        table.until(in_phase("draw"))
        table.turn(action="draw", source="stock")
        view = table.view()
        refused("card_just_drawn", table.turn(action="discard", card=view["you"]["drawn_card"]))
        absent = view["hand"]["discard_pile"][0]
        refused("card_not_in_hand", table.turn(action="discard", card=absent))
        table.turn(action="discard", card=view["you"]["legal"]["discards"][0]["card"])
        pile = table.view()["hand"]["discard_pile"]
        draw = {"action": "draw", "source": "discard_pile"}
        refused("only_top_discard", table.turn(**draw, card=pile[0]))
        held = table.view()["you"]["cards"][0]
        refused("card_not_in_discards", table.turn(**draw, card=held))
        table.turn(**draw)
        refused("card_just_taken", table.turn(action="discard", card=pile[-1]))

    def test_knocked_with(self, start):
        table = Table(start("knocks"))
        table.until(can("discard"))
        card = table.legal["discards"][0]["card"]
        refused("deadwood_too_high", table.act("/knocks", {"discard": card}))
        refused("not_gin", table.act("/knocks", {"kind": "gin", "discard": card}))
        refused("big_gin_not_enabled", table.act("/knocks", {"kind": "big_gin"}))
        absent = [{"kind": "set", "cards": ["AC", "AD", "AH", "AS"]}]
        body = {"discard": card, "melds": absent}
        refused("meld_not_in_hand", table.act("/knocks", body))
        big = Table(start("big"), {"big_gin": True})
        big.until(can("discard"))
        refused("not_big_gin", big.act("/knocks", {"kind": "big_gin"}))

    def test_laid_off(self, start):
        table = Table(start("lay-offs"))
        table.until(can("knock"))
        table.act("/knocks", {"discard": table.legal["knocks"][0]["discard"]})
        view = table.view()
        melds, held = view["hand"]["knock"]["melds"], view["you"]["cards"]
        fits = {
            (each["card"], each["meld"]) for each in view["you"]["legal"]["lay_offs"]["possible"]
        }
        card = next(card for card in held if (card, 0) not in fits)
        lay = {"lay_offs": [{"card": card, "meld": len(melds)}]}
        refused("meld_not_found", table.act("/knocks/1/lay-offs", lay))
        lay = {"lay_offs": [{"card": card, "meld": 0}]}
        refused("layoff_not_possible", table.act("/knocks/1/lay-offs", lay))

    @pytest.mark.parametrize("error", SELDOM)
    def test_that_no_short_story_reaches_are_seen_in_the_frame_alone(self, error):
        client = framed_app(raising(error))[0].test_client()
        refused(error.code, client.post(f"{GAME}/turns"))


class TestProblemsOfFields:
    @pytest.mark.parametrize(
        ("code", "body"),
        [
            ("wrong_type", {"target": "50"}),
            ("unknown_value", {"layoff": "never"}),
            ("unknown_field", {"hollywod": True}),
            ("out_of_range", {"target": 5}),
            ("unknown_rule_set", {"base": "canasta"}),
            ("bad_text", {"base": "short\n"}),
            ("too_long", {"base": "s" * 65}),
            ("contradictory_rules", {"max_recycles": 2}),
        ],
    )
    def test_of_rules_are_seen(self, start, code, body):
        refused(code, start("fields").post("/v1/rule-sets/resolutions", json=body))

    @pytest.mark.parametrize(
        ("code", "body"),
        [
            ("required", {"seats": [{"kind": "human"}, {"kind": "ai"}]}),
            (
                "unknown_level",
                {"seats": [{"kind": "human"}, {"kind": "ai", "ai": {"level": "godlike"}}]},
            ),
        ],
    )
    def test_of_a_new_game_are_seen(self, start, code, body):
        refused(code, start("fields").post("/v1/games", json=body))

    @pytest.mark.parametrize(
        ("code", "body"),
        [
            ("field_not_allowed", {"action": "pass", "card": "AC"}),
            ("bad_card", {"action": "discard", "card": "1X"}),
            ("duplicate_card", {"action": "big_gin", "melds": ["run", "AC", "2C", "2C"]}),
            ("wrong_card_count", {"action": "big_gin", "melds": ["run", "AC", "2C"]}),
            ("not_a_set", {"action": "big_gin", "melds": ["set", "AC", "2C", "3C"]}),
            ("not_a_run", {"action": "big_gin", "melds": ["run", "AC", "2C", "4C"]}),
            ("run_wraps_ace", {"action": "big_gin", "melds": ["run", "QC", "KC", "AC"]}),
        ],
    )
    def test_of_a_move_are_seen(self, start, code, body):
        table = Table(start("moves"))
        if "melds" in body:
            kind, *cards = body["melds"]
            body = {**body, "melds": [{"kind": kind, "cards": cards}]}
        refused(code, table.act("/moves", body))

    def test_between_fields_are_seen(self, start):
        table = Table(start("moves"))
        melds = [
            {"kind": "run", "cards": ["AC", "2C", "3C"]},
            {"kind": "set", "cards": ["AC", "AD", "AH"]},
        ]
        refused("card_in_two_melds", table.act("/moves", {"action": "big_gin", "melds": melds}))
        other = table.act("/moves/9", {"action": "pass"}, method="PUT")
        refused("move_number_mismatch", other)
        refused("bad_cursor", table.get("/moves?cursor=nonsense"))


class TestTheExamples:
    def test_are_one_for_each_body_each_success_and_each_problem(self):
        names = {path.stem for path in EXAMPLES.glob("*.json")}
        wanted = {f"problem.{code}" for code in CATALOGUE}
        for *_, operation in operations(kept()):
            if operation["responses"].keys() & {"200", "201", "202"}:
                wanted.add(f"{operation['operationId']}.answer")
            if "requestBody" in operation:
                wanted.add(f"{operation['operationId']}.request")
        assert wanted - names == set()
        known = {name.split(".")[0] for name in wanted}
        assert {name.split(".")[0] for name in names} == known

    def test_are_written_to_be_read(self):
        for path in EXAMPLES.glob("*.json"):
            assert (
                json.dumps(json.loads(path.read_text()), indent=2, ensure_ascii=False) + ("\n")
                == path.read_text()
            )
