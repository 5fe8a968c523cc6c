"""Every code of the catalogue is raised over HTTP, with its own status and the params it names."""

from dataclasses import replace

import pytest

from service.problems import CATALOGUE, FIELD_CODES
from tests.contract.tour import OVER_HTTP, PLANTED


def codes_of(problem):
    return {problem["code"]} | {error["code"] for error in problem.get("errors", ())}


def params_of(problem, code):
    """The params that come with ``code``: the problem's own, or those of one of its errors."""
    if problem["code"] == code:
        return problem.get("params", {})
    return next(e.get("params", {}) for e in problem["errors"] if e["code"] == code)


def check(code, answer):
    problem, kind = answer.json, CATALOGUE[code]
    assert code in codes_of(problem)
    assert answer.status_code == kind.status
    assert problem["retryable"] == (kind.retryable if code not in FIELD_CODES else False)
    assert set(params_of(problem, code)) <= set(kind.params)
    if code not in FIELD_CODES:
        assert problem["title"] == kind.title
        assert set(params_of(problem, code)) == set(kind.params)
        assert problem["type"].endswith(f"/v1/problems/{code}")


@pytest.fixture
def unmigrated(settings, empty_database_url):
    """The settings of a database that is there and empty."""
    return replace(settings, database_url=empty_database_url)


class TestEveryCode:
    @pytest.mark.parametrize("code", OVER_HTTP)
    def test_is_met_by_what_a_client_sends(self, tables, code):
        check(code, OVER_HTTP[code](tables))

    @pytest.mark.parametrize("code", PLANTED)
    def test_that_is_not_is_met_with_something_planted(self, tables, unmigrated, code):
        reason, ask = PLANTED[code]
        assert reason
        check(code, ask(tables, unmigrated))

    def test_stands_in_the_catalogue_and_on_the_tour(self):
        assert OVER_HTTP.keys() | PLANTED.keys() == CATALOGUE.keys()
        assert not OVER_HTTP.keys() & PLANTED.keys()

    def test_leads_to_its_description(self, answering):
        for code in CATALOGUE:
            assert answering.get(f"/v1/problems/{code}").json["code"] == code


OF_A_SHEET = (
    "version_mismatch",
    "confirmation_required",
    "hand_number_too_high",
    "score_sheet_full",
)


class TestARefusedChangeOfAScoreSheet:
    @pytest.mark.parametrize("code", OF_A_SHEET)
    def test_shows_the_sheet_as_it_stands(self, tables, unmigrated, code):
        ask = OVER_HTTP.get(code)
        answer = ask(tables) if ask else PLANTED[code][1](tables, unmigrated)
        sheet = answer.json["score_sheet"]
        assert answer.json["instance"].startswith(f"/v1/score-sheets/{sheet['id']}/")
        assert len(sheet["entries"]) == len(sheet["score"]["hands"]) > 0

    @pytest.mark.parametrize("code", OVER_HTTP)
    def test_shows_none_otherwise(self, tables, code):
        if code not in OF_A_SHEET:
            assert "score_sheet" not in OVER_HTTP[code](tables).json


class TestARefusedMove:
    """Whatever the reason of the game: nothing is changed, and the caller sees where it stands."""

    OF_A_GAME = tuple(
        code
        for code, kind in CATALOGUE.items()
        if kind.status == 409
        and code
        not in {
            "seat_taken",
            "game_full",
            "already_joined",
            "idempotency_in_progress",
            *OF_A_SHEET,
        }
    )

    @pytest.mark.parametrize("code", [code for code in OF_A_GAME if code in OVER_HTTP])
    def test_shows_the_game_and_what_is_legal(self, tables, code):
        problem = OVER_HTTP[code](tables).json
        assert problem["instance"].startswith(f"/v1/games/{problem['game']['id']}/")
        assert problem["game"]["you"]["viewer"] == "seat"
        assert "actions" in problem["game"]["you"]["legal"]
        assert ("moves" in problem) == (code == "stale_move")

    @pytest.mark.parametrize("code", OVER_HTTP)
    def test_has_no_game_otherwise(self, tables, code):
        if code not in self.OF_A_GAME:
            assert not {"game", "moves"} & OVER_HTTP[code](tables).json.keys()
