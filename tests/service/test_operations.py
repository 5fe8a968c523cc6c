"""An operation is declared once, for its route and for the document."""

import pytest

from service.operations import PERHAPS_PORTAL, PORTAL, SEAT, TAGS, VIEWER, Blueprint
from service.schemas.games import Update
from service.schemas.moves import TURN_REQUEST
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
        said = declared(no_content=True, guarded=True)
        assert set(said["responses"]) == {"204", "default"}
        assert "content" not in said["responses"]["204"]
        assert [each["name"] for each in said["parameters"] if each["in"] == "header"] == [
            "If-Match"
        ]

    def test_may_have_a_body_that_is_optional(self):
        assert not declared(body=TURN_REQUEST, optional_body=True)["requestBody"]["required"]
        assert declared(body=TURN_REQUEST)["requestBody"]["required"]

    def test_may_create_what_has_no_address(self):
        made = declared(created=True, located=False)["responses"]["201"]
        assert "Location" not in made["headers"]

    def test_has_its_first_line_as_summary(self):
        said = declared()
        assert said["summary"] == "Play"
        assert said["description"].startswith("Play. At once.\n\nProblems: ")

    def test_of_a_move_is_created_or_replayed(self):
        responses = declared(created=True, replayable=True, body=TURN_REQUEST)["responses"]
        assert set(responses) == {"201", "200", "default"}
        shapes = [responses[status]["content"] for status in ("200", "201")]
        assert shapes[0] == shapes[1]
        assert "Location" not in responses["200"]["headers"]

    def test_knows_no_code_that_the_catalogue_does_not(self):
        with pytest.raises(KeyError):
            declared(codes=["no_such_code"])

    def test_belongs_to_a_known_tag(self):
        with pytest.raises(KeyError):
            Blueprint("rooms")
        assert all(Blueprint(tag).name == tag for tag in TAGS)


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
