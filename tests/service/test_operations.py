"""An operation is declared once, for its route and for the document."""

import pytest

from service.operations import (
    LIMITED,
    LIMITS,
    PERHAPS_PORTAL,
    PORTAL,
    SEAT,
    TAGS,
    VIEWER,
    Blueprint,
)
from service.schemas.games import Update
from service.schemas.moves import TURN_REQUEST
from service.settings import load
from tests.service.framed import framed_app

PATH = "/v1/games/<game:game_id>/moves/<ordinal:move_number>"


def declared(**how) -> dict:
    """Return the document's entry of an operation declared so."""
    doors = Blueprint("moves")
    doors.operation("PUT", PATH, id="putMove", says="Play.\nAt once.", answer=Update, **how)(
        lambda game_id, move_number: {"game": game_id, "move": move_number}
    )
    _, api = framed_app(doors)
    return api.document()["paths"]["/v1/games/{game_id}/moves/{move_number}"]["put"]


class TestADeclaration:
    def test_says_who_may_call(self):
        assert declared()["security"] == []
        assert declared(who=SEAT)["security"] == [{"seatToken": []}]
        viewers = [{"seatToken": []}, {"spectatorToken": []}, {"portalKey": []}]
        assert declared(who=VIEWER)["security"] == viewers
        assert declared(who=PERHAPS_PORTAL)["security"] == [{}, {"portalKey": []}]
        assert declared(who=None)["security"] == [{}, {"seatToken": []}]

    def test_of_a_token_says_what_happens_without(self):
        assert "token_missing" in declared(who=SEAT)["description"]
        assert "token_missing" not in declared()["description"]

    def test_of_a_portal_says_what_happens_without_the_scope(self):
        assert "scope_missing" in declared(who=PORTAL)["description"]
        assert "token_expired" not in declared(who=PORTAL)["description"]
        assert "scope_missing" not in declared(who=SEAT)["description"]
        assert "token_missing" not in declared(who=PERHAPS_PORTAL)["description"]

    def test_without_content_is_204_and_may_be_guarded(self):
        said = declared(empty=True, guarded=True)
        assert set(said["responses"]) == {"204", "default"}
        assert "content" not in said["responses"]["204"]
        assert [each["name"] for each in said["parameters"] if each["in"] == "header"] == [
            "If-Match"
        ]

    def test_may_have_a_body_that_is_optional(self):
        assert not declared(body=TURN_REQUEST, body_needed=False)["requestBody"]["required"]
        assert declared(body=TURN_REQUEST)["requestBody"]["required"]

    def test_may_create_what_has_no_address(self):
        made = declared(created=True, located=False)["responses"]["201"]
        assert "Location" not in made["headers"]

    def test_has_its_first_line_as_summary(self):
        said = declared()
        assert said["summary"] == "Play"
        assert said["description"].startswith("Play. At once.\n\nRate limit: ")
        assert "\n\nProblems: `" in said["description"]

    def test_of_a_write_may_need_the_version_that_was_looked_at(self):
        said = declared(if_match=True, headers=["ETag"])
        [parameter] = said["parameters"][-1:]
        assert (parameter["name"], parameter["required"]) == ("If-Match", True)
        assert "`version_required`" in said["description"]
        assert set(said["responses"]) == {"200", "default"}, "304 is for GET"

    def test_may_have_nothing_to_answer(self):
        responses = declared(empty=True)["responses"]
        assert set(responses) == {"204", "default"}
        assert "content" not in responses["204"]

    def test_of_a_move_is_created_or_replayed(self):
        responses = declared(created=True, replayable=True, body=TURN_REQUEST)["responses"]
        assert set(responses) == {"201", "200", "default"}
        shapes = [responses[status]["content"] for status in ("200", "201")]
        assert shapes[0] == shapes[1]
        assert "Location" not in responses["200"]["headers"]

    def test_of_one_that_takes_a_key_says_so(self):
        keyed, plain = declared(created=True, keyed=True), declared(created=True)
        [header] = [each for each in keyed["parameters"] if each["in"] == "header"]
        assert (header["name"], header.get("required", False)) == ("Idempotency-Key", False)
        replayed = {"$ref": "#/components/headers/Idempotency-Replayed"}
        assert keyed["responses"]["201"]["headers"]["Idempotency-Replayed"] == replayed
        assert "`idempotency_in_progress`" in keyed["description"]
        assert "dempotency" not in str(plain)

    def test_knows_no_code_that_the_catalogue_does_not(self):
        with pytest.raises(KeyError):
            declared(codes=["no_such_code"])

    def test_says_which_limit_it_counts_against(self):
        for limit in LIMITS:
            said = declared(limit=limit)
            assert f"Rate limit: `{limit}`. {LIMITS[limit]}" in said["description"]
            assert "`rate_limited`" in said["description"]
            assert set(LIMITED) < said["responses"]["200"]["headers"].keys()

    def test_of_a_free_operation_says_nothing_of_limits(self):
        said = declared(limit=None)
        assert "limit" not in said["description"]
        assert not set(LIMITED) & said["responses"]["200"]["headers"].keys()

    def test_knows_no_limit_that_there_is_not(self):
        with pytest.raises(KeyError):
            declared(limit="no_such_limit")

    def test_knows_the_limits_that_can_be_set(self):
        assert load({}).limits.keys() == LIMITS.keys()

    def test_belongs_to_a_known_tag(self):
        with pytest.raises(KeyError):
            Blueprint("rooms")
        assert all(Blueprint(tag).name == tag for tag in TAGS)


class TestAText:
    def test_is_of_its_media_type(self):
        doors = Blueprint("games")
        doors.operation("GET", "/v1/x", id="getText", says="Look.", answer=None, text="text/csv")(
            lambda: ("a,b", 200, {"Content-Type": "text/csv; charset=utf-8"})
        )
        app, api = framed_app(doors)
        responses = api.document()["paths"]["/v1/x"]["get"]["responses"]
        assert set(responses["200"]["content"]) == {"text/csv"}
        for accept, status in (("text/csv", 200), ("application/json", 200), ("text/plain", 406)):
            answer = app.test_client().get("/v1/x", headers={"Accept": accept})
            assert answer.status_code == status, accept


class TestAPath:
    @pytest.fixture
    def client(self):
        doors = Blueprint("moves")
        doors.operation("PUT", PATH, id="putMove", says="Play.", answer=Update)(
            lambda game_id, move_number: {"game": game_id, "move": move_number}
        )
        return framed_app(doors)[0].test_client()

    GAME = "g_" + "A-_9" * 5 + "Az"

    def test_hands_over_numbers_as_numbers(self, client):
        answer = client.put(f"/v1/games/{self.GAME}/moves/12")
        assert answer.json == {"game": self.GAME, "move": 12}

    @pytest.mark.parametrize(
        "number", ["0", "01", "-1", "1.0", "x", "1_0", "٣", "1" * 10, "", "1 "]
    )
    def test_takes_no_number_that_no_move_has(self, client, number):
        assert client.put(f"/v1/games/{self.GAME}/moves/{number}").status_code in {404, 405}
        assert client.put(f"/v1/games/{self.GAME}/moves/{number}").status_code != 200

    @pytest.mark.parametrize(
        "game", ["g_", "x_" + "A" * 22, "g_" + "A" * 21 + ".", "g_" + "A" * 23]
    )
    def test_takes_no_id_that_no_game_has(self, client, game):
        assert client.put(f"/v1/games/{game}/moves/1").status_code == 404
