"""What computer players think of hands that are played elsewhere."""

import pytest

from engine.players import weights
from service.use_cases import analyse_play, computer_seats
from tests.service.questions import Conditional
from tests.service.table import (
    DRAWN,
    EASY,
    KNOCKED,
    PASSED,
    SCORED,
    SPECTATOR,
    THROWN,
)
from tests.tables import NEAR_GIN
from tests.valuing import ANALYST

TEN = NEAR_GIN.split()
DRAW = {"phase": "draw", "cards": TEN, "stock_count": 20, "discard_pile": ["QH", "JS"]}
DISCARD = {
    "phase": "discard",
    "cards": [*TEN, "KS"],
    "stock_count": 20,
    "drawn_card": "KS",
    "drawn_from": "stock",
}
JACKS = {"kind": "set", "cards": ["JC", "JD", "JH"]}
KINGS = {"kind": "set", "cards": ["KC", "KD", "KH"]}
LAY_OFF = {
    "phase": "lay_off",
    "cards": TEN,
    "stock_count": 20,
    "knocker_melds": [JACKS, KINGS],
    "knocker_unmatched": ["2H", "2S", "3S", "AD"],
}
FULL = {"advice": "full"}


def suggest(answering, body):
    return answering.post("/v1/ai/suggestions", body)


def position(view, theirs):
    """A view said as a position; what the other side laid out is in the view as well."""
    you, hand = view["you"], view["hand"]
    own = next(seat for seat in view["seats"] if seat["seat"] == you["seat"])
    other = next(seat for seat in view["seats"] if seat["seat"] == theirs)
    knock = hand.get("knock")
    told = {
        "phase": view["phase"],
        "cards": you["cards"],
        "stock_count": hand["stock_count"],
        "upcard": hand["upcard"],
        "discard_pile": hand["discard_pile"],
        "known_cards": own["known_cards"],
        "opponent_known_cards": other["known_cards"],
        "opponent_card_count": other["card_count"],
        "dealer": own["dealer"],
        "turn": hand["turn"],
        "move_number": view["next_move"],
    }
    for name in ("drawn_card", "drawn_from"):
        if name in you:
            told[name] = you[name]
    if knock:
        told |= {"knocker_melds": knock["melds"], "knocker_unmatched": knock["unmatched"]}
    return told


class TestASuggestion:
    @pytest.mark.parametrize(
        ("lines", "who"), [((), 0), (PASSED, 0), (DRAWN, 0), (THROWN, 1), (KNOCKED, 1)]
    )
    def test_is_the_hint_that_a_game_here_would_give(self, tables, lines, who):
        table = tables(*lines, rules=FULL)
        asked = suggest(table.answering, position(table.view(who), 1 - who))
        assert asked.status_code == 200, asked.json
        hint = table.answering.post(f"{table.path}/hints", {}, table.tokens[who])
        assert asked.json == hint.json

    def test_needs_no_token_and_leaves_nothing(self, tables):
        table = tables(*DRAWN)
        before = table.view(SPECTATOR)
        answer = suggest(table.answering, DISCARD)
        assert answer.status_code == 200
        assert answer.json["for_move"] == 1
        after = table.view(SPECTATOR)
        assert after["version"] == before["version"]

    def test_has_the_number_of_the_move_that_was_sent(self, answering):
        answer = suggest(answering, {**DISCARD, "move_number": 31}).json
        assert answer["for_move"] == 31
        assert {each["move"]["move_number"] for each in answer["suggestions"]} == {31}

    def test_may_be_asked_of_an_advisor_by_name(self, answering):
        assert suggest(answering, {**DISCARD, "level": "plain"}).json["level"] == "plain"
        answer = suggest(answering, {**DISCARD, "level": "godlike"})
        assert answer.json["errors"] == [{"pointer": "/level", "code": "unknown_level"}]

    def test_goes_by_the_rules_that_are_sent(self, answering):
        straight = {"base": "straight"}
        knocks = [
            {each["move"]["action"] for each in suggest(answering, body).json["suggestions"]}
            for body in (DISCARD, {**DISCARD, "rules": straight})
        ]
        assert "knock" in knocks[0]
        assert "knock" not in knocks[1]

    def test_counts_against_the_limit_of_computers(self, answering):
        assert "ai" in suggest(answering, DISCARD).headers["RateLimit-Policy"]


class TestAPositionThatCannotBe:
    @pytest.mark.parametrize(
        ("body", "pointer", "code"),
        [
            ({**DRAW, "phase": "hand_over"}, "/phase", "unknown_value"),
            ({**DRAW, "drawn_card": "TS"}, "/drawn_card", "field_not_allowed"),
            ({**DRAW, "knocker_melds": [JACKS]}, "/knocker_melds", "field_not_allowed"),
            ({**DRAW, "hidden": ["AC"]}, "/hidden", "unknown_field"),
            ({**DRAW, "cards": TEN[:9]}, "/cards", "wrong_card_count"),
            ({**DRAW, "cards": [*TEN[:9], "AC"]}, "/cards/9", "duplicate_card"),
            ({**DRAW, "discard_pile": []}, "/discard_pile", "wrong_card_count"),
            ({**DRAW, "discard_pile": ["QH", "QH"]}, "/discard_pile/1", "duplicate_card"),
            ({**DRAW, "discard_pile": ["QH", "TS"]}, "/discard_pile/1", "duplicate_card"),
            ({**DRAW, "stock_count": 2}, "/stock_count", "out_of_range"),
            ({**DRAW, "opponent_card_count": 11}, "/opponent_card_count", "out_of_range"),
            ({**DRAW, "opponent_known_cards": ["AC"]}, "/opponent_known_cards/0", "duplicate_card"),
            ({**DRAW, "known_cards": ["KS"]}, "/known_cards/0", "card_not_in_hand"),
            ({**DRAW, "turn": 3}, "/turn", "out_of_range"),
            ({**DRAW, "rules": {"base": "oklahoma"}}, "/upcard", "required"),
            ({**DRAW, "rules": {"base": "canasta"}}, "/rules/base", "unknown_rule_set"),
            ({**DISCARD, "drawn_card": "QH"}, "/drawn_card", "card_not_in_hand"),
            ({"phase": "discard", "cards": [], "stock_count": 20}, "/cards", "wrong_card_count"),
            ({**LAY_OFF, "knocker_unmatched": ["2H"]}, "/knocker_unmatched", "wrong_card_count"),
            (
                {**LAY_OFF, "knocker_melds": [{"kind": "set", "cards": ["JC", "JD", "QH"]}]},
                "/knocker_melds/0/cards",
                "not_a_set",
            ),
            (
                {**LAY_OFF, "knocker_melds": [JACKS, {"kind": "run", "cards": ["JH", "QH", "KH"]}]},
                "/knocker_melds/1/cards",
                "card_in_two_melds",
            ),
            (
                {**LAY_OFF, "knocker_unmatched": ["9D", "9C", "3S", "AD"]},
                "/knocker_unmatched",
                "deadwood_too_high",
            ),
        ],
    )
    def test_is_refused_with_the_field_that_says_so(self, answering, body, pointer, code):
        answer = suggest(answering, body)
        assert (answer.status_code, answer.json["code"]) == (422, "validation_failed")
        assert [(each["pointer"], each["code"]) for each in answer.json["errors"]] == [
            (pointer, code)
        ]

    @pytest.mark.parametrize("missing", ["drawn_card", "drawn_from"])
    def test_is_refused_with_half_of_what_was_drawn(self, answering, missing):
        body = {name: value for name, value in DISCARD.items() if name != missing}
        answer = suggest(answering, body)
        assert answer.json["errors"] == [{"pointer": f"/{missing}", "code": "required"}]

    def test_is_a_lay_off_without_melds_to_lay_off_on(self, answering):
        body = {name: value for name, value in LAY_OFF.items() if name != "knocker_melds"}
        answer = suggest(answering, body)
        assert answer.json["errors"] == [{"pointer": "/knocker_melds", "code": "required"}]


@pytest.fixture
def judged(monkeypatch):
    """Lets play be judged by a simple analyst."""
    monkeypatch.setattr(analyse_play, "ANALYSTS", {"simple": ANALYST})


OVER = {"target": 10}


@pytest.mark.usefixtures("judged")
class TestGetGameAnalysis(Conditional):
    path = "/analysis"
    phase = "game_over"
    mark = f"-{weights.mark()}"


@pytest.mark.usefixtures("judged")
class TestGetHandAnalysis(Conditional):
    path = "/hands/1/analysis"
    phase = "game_over"
    mark = f"-{weights.mark()}"


@pytest.mark.usefixtures("judged")
class TestAnAnalysis:
    def test_tells_each_decision_of_each_seat_and_adds_up(self, tables):
        table = tables(*SCORED, rules=OVER)
        told = table.get("/analysis").json
        assert (told["game_id"], told["complete"], told["level"]) == (table.id, True, "simple")
        assert "hand_number" not in told
        assert [each["played"]["action"] for each in told["decisions"]] == [
            "pass", "pass", "knock", "lay_off"
        ]  # fmt: skip
        for seat in told["seats"]:
            own = [each for each in told["decisions"] if each["seat"] == seat["seat"]]
            assert seat["decisions"] == len(own)
            assert seat["loss"] == pytest.approx(sum(each["loss"] for each in own))
            drawn = [each["luck"] for each in told["draws"] if each["seat"] == seat["seat"]]
            assert seat["luck"] == pytest.approx(sum(drawn))

    def test_says_the_loss_as_the_options_do(self, tables):
        told = tables(*DRAWN, "0 discard TS", "1 resign").get("/analysis").json
        thrown = told["decisions"][-1]
        played = next(each for each in thrown["options"] if each["move"] == thrown["played"])
        assert thrown["loss"] == thrown["options"][0]["value"] - played["value"]
        assert thrown["verdict_code"] == "blunder"

    def test_is_the_same_for_everybody(self, tables):
        table = tables(*SCORED, rules=OVER)
        told = [table.get("/analysis", who).json for who in (0, 1, SPECTATOR)]
        assert told[0] == told[1] == told[2]

    def test_is_another_one_once_the_weights_are_others(self, tables, monkeypatch):
        """Or a client would keep for good what was judged by weights that are gone."""
        table = tables(*SCORED, rules=OVER)
        tag = table.get("/analysis").headers["ETag"]
        assert table.get("/analysis", headers={"If-None-Match": tag}).status_code == 304
        monkeypatch.setattr("service.blueprints.advice.mark", lambda: "0123abcd")
        assert table.get("/analysis", headers={"If-None-Match": tag}).status_code == 200

    def test_is_of_one_hand_where_that_is_asked_for(self, tables):
        table = tables(*SCORED, "0 deal", "0 resign", rules=FULL)
        told = table.get("/hands/1/analysis").json
        assert told["hand_number"] == 1
        assert {each["hand_number"] for each in told["decisions"]} == {1}

    def test_judges_computers_too(self, tables):
        table = tables("0 draw pile", "0 discard TS", "0 resign", seats=({"kind": "human"}, EASY))
        told = table.get("/analysis").json
        assert {each["seat"] for each in told["decisions"]} == {0, 1}


@pytest.mark.usefixtures("judged")
class TestARefusedAnalysis:
    def test_is_of_a_game_that_goes_on(self, tables):
        table = tables(*SCORED)
        for path in ("/analysis", "/hands/1/analysis"):
            answer = table.get(path)
            assert (answer.status_code, answer.json["code"]) == (409, "game_in_progress")
            assert answer.json["game"]["id"] == table.id

    def test_is_not_of_a_hand_that_is_over_where_advice_is_full(self, tables):
        table = tables(*SCORED, rules=FULL)
        assert table.get("/hands/1/analysis").status_code == 200
        table.play("0 deal")
        assert table.get("/hands/1/analysis").status_code == 200
        assert table.get("/hands/2/analysis").json["code"] == "game_in_progress"
        assert table.get("/analysis").json["code"] == "game_in_progress"

    def test_is_of_a_hand_that_was_not_dealt(self, tables):
        answer = tables(*SCORED, rules=OVER).get("/hands/2/analysis")
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")

    @pytest.mark.parametrize(
        ("query", "name", "code"),
        [
            ("level=plain", "level", "unknown_level"),
            ("after=-1", "after", "out_of_range"),
            ("after=x", "after", "wrong_type"),
            ("hand=1", "hand", "unknown_field"),
        ],
    )
    def test_is_one_asked_for_wrongly(self, tables, query, name, code):
        answer = tables(*SCORED, rules=OVER).get(f"/analysis?{query}")
        assert answer.status_code == 422
        (error,) = answer.json["errors"]
        assert (error["pointer"], error["code"]) == (f"#query/{name}", code)


@pytest.mark.usefixtures("judged")
class TestAnAnalysisThatTakesLonger:
    @pytest.fixture
    def stopped(self, monkeypatch):
        """Lets the time be up whenever somebody looks at the clock."""
        clock = iter(range(10**9))
        monkeypatch.setattr(computer_seats, "monotonic", lambda: 10.0 * next(clock))

    def test_comes_in_parts_that_add_up(self, tables, stopped):
        table = tables(*SCORED, rules=OVER)
        decisions, draws, after = [], [], 0
        while after is not None:
            answer = table.get(f"/analysis?after={after}")
            part = answer.json
            assert answer.status_code == (200 if part["complete"] else 202)
            assert ("ETag" in answer.headers) is part["complete"]
            assert answer.headers.get("Retry-After") == (None if part["complete"] else "1")
            decisions += part["decisions"]
            draws += part["draws"]
            after = part.get("next_after")
        assert [each["played"]["action"] for each in decisions] == [
            "pass", "pass", "knock", "lay_off"
        ]  # fmt: skip
        assert len(draws) == 1
