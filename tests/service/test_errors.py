"""Every error answer is a problem, whatever went wrong."""

import logging

import pytest

from engine import errors as engine_errors
from engine.errors import BadCard, ContradictoryRules, DuplicateCard, EngineError
from service.errors import Refusal, field_error, invalid, problem, refusal_of
from service.problems import CATALOGUE, FIELD_CODES
from tests.service.framed import GAME, PUBLIC_URL, OutOfOrderError, framed_app, raising


def answer_to(error: Exception):
    app, _ = framed_app(raising(error))
    return app.test_client().post(f"{GAME}/turns")


def engine_error_types() -> list[type[EngineError]]:
    found = [kind for kind in vars(engine_errors).values() if isinstance(kind, type)]
    return [kind for kind in found if issubclass(kind, EngineError) and "code" in vars(kind)]


class TestARefusal:
    def test_is_sent_as_problem_json_with_an_address_that_explains_it(self):
        answer = answer_to(Refusal("stale_move", params={"expected_move": 7}, moves=[], game={}))
        assert answer.status_code == 409
        assert answer.content_type == "application/problem+json"
        assert answer.json == {
            "type": f"{PUBLIC_URL}/v1/problems/stale_move",
            "title": CATALOGUE["stale_move"].title,
            "status": 409,
            "code": "stale_move",
            "instance": f"{GAME}/turns",
            "retryable": False,
            "params": {"expected_move": 7},
            "moves": [],
            "game": {},
        }

    def test_leaves_away_what_it_does_not_have(self):
        assert answer_to(Refusal("game_full")).json.keys() == {
            "type", "title", "status", "code", "instance", "retryable",
        }  # fmt: skip

    def test_has_to_stand_in_the_catalogue(self):
        with pytest.raises(KeyError):
            Refusal("no_such_code")
        with pytest.raises(KeyError):
            field_error("/x", "no_such_code")

    def test_for_want_of_a_token_says_which_scheme(self):
        for code in ("token_missing", "token_invalid"):
            assert answer_to(Refusal(code)).headers["WWW-Authenticate"] == "Bearer"

    def test_that_may_pass_says_when_to_come_back(self):
        answer = answer_to(Refusal("busy"))
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "1"
        assert answer.json["params"] == {"retry_after_seconds": 1}
        assert answer.json["retryable"] is True
        later = answer_to(Refusal("maintenance", params={"retry_after_seconds": 30}))
        assert later.headers["Retry-After"] == "30"

    def test_of_a_part_behind_the_frame_has_the_code_that_it_was_given(self):
        answer = answer_to(OutOfOrderError("where and how"))
        assert answer.json["code"] == "busy"
        assert "where and how" not in answer.text


class TestWhatTheEngineRefuses:
    def test_keeps_code_and_facts_with_cards_by_name(self):
        answer = answer_to(engine_errors.CardNotInHand(35))
        assert (answer.status_code, answer.json["code"]) == (409, "card_not_in_hand")
        assert answer.json["params"] == {"card": "TH"}

    def test_shows_the_game_where_it_is_given(self):
        refusal = refusal_of(engine_errors.GameOver(), game={"id": "g"}, moves=[])
        assert (refusal.kind.code, refusal.game, refusal.moves) == ("game_over", {"id": "g"}, [])

    def test_lists_come_as_lists(self):
        assert answer_to(engine_errors.NotYourTurn((1,))).json["params"] == {"to_act_seats": [1]}

    def test_as_bad_input_is_a_fault_at_its_place(self):
        refusal = refusal_of(DuplicateCard(0), "/cards/3")
        assert refusal.kind.code == "validation_failed"
        assert refusal.errors == [
            {"pointer": "/cards/3", "code": "duplicate_card", "params": {"card": "AC"}}
        ]
        assert refusal_of(BadCard("1X"), "/card").errors == [
            {"pointer": "/card", "code": "bad_card"}
        ]

    def test_as_a_contradiction_names_both_options(self):
        errors = refusal_of(ContradictoryRules("stock_end", "recycle"), "/rules").errors
        assert errors == [
            {
                "pointer": "/rules/stock_end",
                "code": "contradictory_rules",
                "params": {"option": "recycle"},
            },
            {
                "pointer": "/rules/recycle",
                "code": "contradictory_rules",
                "params": {"option": "stock_end"},
            },
        ]

    @pytest.mark.parametrize("kind", engine_error_types(), ids=lambda kind: kind.__name__)
    def test_stands_in_the_catalogue(self, kind):
        if kind is EngineError:
            assert kind.code not in CATALOGUE  # it is only ever raised as one of its kinds
        else:
            assert kind.code in CATALOGUE


class TestAWrongRequest:
    def test_names_each_fault(self):
        faults = [field_error("/card", "bad_card"), field_error("#query/limit", "wrong_type")]
        answer = answer_to(invalid(faults))
        assert answer.status_code == 422
        assert answer.json["errors"] == faults


class TestABug:
    def test_shows_nothing_but_the_id_under_which_it_is_logged(self, caplog):
        with caplog.at_level(logging.ERROR):
            answer = answer_to(ZeroDivisionError("the king of hearts"))
        assert answer.status_code == 500
        assert answer.json["code"] == "internal"
        assert "king" not in answer.text
        assert answer.headers["Request-Id"] in caplog.text
        assert "ZeroDivisionError" in caplog.text


class TestTheCatalogue:
    def test_has_a_sentence_and_a_status_for_each_code(self):
        for code, kind in CATALOGUE.items():
            assert kind.code == code
            assert kind.title
            assert kind.description
            assert 400 <= kind.status <= 599

    def test_codes_of_fields_are_of_wrong_requests(self):
        assert {CATALOGUE[code].status for code in FIELD_CODES} == {422}
        assert "validation_failed" not in FIELD_CODES

    def test_says_of_what_may_pass_that_it_is_retryable(self):
        passing = {code for code, kind in CATALOGUE.items() if kind.retryable}
        unavailable = {code for code, kind in CATALOGUE.items() if kind.status == 503}
        assert passing == {*unavailable, "idempotency_in_progress", "rate_limited"}

    def test_each_entry_can_be_sent(self):
        app, _ = framed_app()
        with app.test_request_context("/x"):
            for code, kind in CATALOGUE.items():
                assert problem(Refusal(code))["status"] == kind.status
