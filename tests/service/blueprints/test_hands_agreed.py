"""What both seats of a hand have to agree on: its score, and its void."""

import pytest

from tests.service.questions import ForAPerson
from tests.service.table import (
    ADA,
    BOTH,
    DRAWN,
    EASY,
    KNOCKED,
    LINES,
    PASSED,
    SCORED,
    SPECTATOR,
    THROWN,
    cards_in,
)
from tests.tables import NEAR_GIN, OTHER

CONFIRMATION = "/hands/1/confirmation"
CONSENT = "/hands/1/void-consent"


def codes(answer):
    return answer.status_code, answer.json["code"]


def consent(table, seat, hand=1, *, void=True):
    return table.put(f"/hands/{hand}/void-consent", {"consent": void}, seat)


@pytest.fixture
def table(tables):
    return tables.at("confirming")


class TestConfirmHand(ForAPerson):
    method = "PUT"
    path = CONFIRMATION
    phase = "confirming"


class TestAConfirmation:
    def test_is_waited_for(self, table):
        view = table.view(SPECTATOR)
        assert (view["phase"], view["to_act_seats"]) == ("confirming", [0, 1])
        assert (view["confirmed_by"], view["next_hand"]["number"]) == ([], 2)
        assert view["last_hand"]["points"] == 22
        for seat in (0, 1):
            assert table.view(seat)["you"]["legal"]["actions"] == ["confirm"]

    @pytest.mark.parametrize("order", [(0, 1), (1, 0)])
    def test_of_both_seats_in_any_order_opens_the_deal(self, table, order):
        version = table.view()["version"]
        first, second = (table.confirm(seat).json for seat in order)
        assert (first["moves"], first["replayed"], second["replayed"]) == ([], False, False)
        assert [each["game"]["version"] for each in (first, second)] == [version + 1, version + 2]
        assert first["game"]["confirmed_by"] == [order[0]]
        assert first["game"]["phase"] == "confirming"
        assert (second["game"]["confirmed_by"], second["game"]["phase"]) == ([0, 1], "hand_over")
        assert table.play("0 deal")["game"]["confirmed_by"] == []

    def test_again_is_answered_and_no_version(self, table):
        first = table.confirm(1).json
        again = table.confirm(1).json
        assert (again["replayed"], again["moves"]) == (True, [])
        assert again["game"]["version"] == first["game"]["version"]
        table.confirm(0)
        table.play("0 deal")
        late = table.put(CONFIRMATION, None, 1)
        assert (late.status_code, late.json["replayed"]) == (200, True)
        assert late.json["game"]["hand"]["number"] == 2

    def test_is_seen_by_the_others(self, table):
        version = table.view()["version"]
        table.confirm(1)
        update = table.get(f"/updates?after={version}", SPECTATOR).json
        assert (update["moves"], update["reset"]) == ([], False)
        assert update["game"]["confirmed_by"] == [1]

    def test_is_pending_when_the_deal_is_asked_for(self, table):
        table.confirm(0)
        answer = table.post("/hands", {"hand_number": 2})
        assert codes(answer) == (409, "confirmation_pending")
        assert answer.json["params"] == {"to_act_seats": [1]}
        assert answer.json["game"]["phase"] == "confirming"

    def test_comes_before_the_end_of_the_game(self, tables):
        table = tables(*SCORED, rules={**BOTH, "target": 10})
        view = table.view()
        assert (view["over"], view["status"], view["phase"]) == (False, "playing", "confirming")
        assert not {"winner_seat", "next_hand"} & view.keys()
        table.confirm(0)
        game = table.confirm(1).json["game"]
        assert (game["over"], game["status"], game["winner_seat"]) == (True, "finished", 0)
        assert table.confirm(1).json["replayed"]

    def test_is_given_by_a_computer_at_once(self, tables):
        table = tables(*DRAWN[:1], rules=BOTH, seats=(ADA, EASY))
        table.play_on(until=lambda view: view["phase"] == "confirming", limit=400)
        assert table.view()["confirmed_by"] == [1]
        assert table.confirm(0).json["game"]["phase"] == "hand_over"

    @pytest.mark.parametrize("phase", LINES)
    def test_is_for_no_other_time(self, tables, phase):
        table = tables(*LINES[phase])
        answer = table.put(CONFIRMATION, None)
        assert codes(answer) == (409, "wrong_phase")
        assert answer.json["params"] == {"phase": phase}

    def test_of_a_hand_that_was_not_dealt_is_not_found(self, table):
        assert codes(table.put("/hands/2/confirmation", None)) == (404, "not_found")

    def test_waits_for_the_deal(self, tables):
        answer = tables.at("waiting").put(CONFIRMATION, None)
        assert codes(answer) == (409, "game_not_started")

    def test_comes_too_late_when_the_game_was_given_up(self, table):
        table.play("1 resign")
        assert codes(table.put(CONFIRMATION, None)) == (409, "game_over")

    def test_is_of_the_seats_that_played(self, tables):
        seats = [{**ADA, "seating": "granted"}] * 3
        table = tables(rules={**BOTH, "first_dealer": "seat0"}, seats=seats, deal=None)
        table.play_on(until=lambda view: view["phase"] == "confirming")
        (out,) = (seat["seat"] for seat in table.view()["seats"] if seat["sits_out"])
        answer = table.put(f"/hands/{table.view()['hand']['number']}/confirmation", None, out)
        assert codes(answer) == (409, "not_your_turn")
        assert out not in answer.json["params"]["to_act_seats"]


class TestConsentVoid(ForAPerson):
    method = "PUT"
    path = CONSENT

    def body(self, table):
        return {"consent": True}

    @pytest.mark.parametrize("sent", ["true", 1, 0, []])
    def test_is_true_or_false(self, tables, sent):
        answer = tables().put(CONSENT, {"consent": sent})
        assert answer.json["errors"] == [{"pointer": "/consent", "code": "wrong_type"}]


class TestAVoid:
    def test_needs_both_seats(self, tables):
        table = tables(*THROWN)
        version = table.view()["version"]
        first = consent(table, 1).json
        assert (first["moves"], first["game"]["void_consents"]) == ([], [1])
        assert first["game"]["version"] == version + 1
        second = consent(table, 0).json
        (move,) = second["moves"]
        assert (move["action"], move["by"], move["version"]) == ("void_hand", "server", version + 3)
        assert "seat" not in move
        assert move["result"]["outcome"] == "void"
        game = second["game"]
        assert (game["phase"], game["void_consents"], game["version"]) == (
            "hand_over", [], version + 3,
        )  # fmt: skip

    def test_scores_nothing_and_the_same_seat_deals_again(self, tables):
        table = tables(*PASSED)
        for seat in (0, 1):
            consent(table, seat)
        view = table.view()
        assert [each["total"] for each in view["score"]["totals"]] == [0, 0]
        assert "winner_seat" not in view["last_hand"]
        game = table.play("1 deal")["game"]
        assert (game["hand"]["number"], game["hand"]["dealer_seat"]) == (2, 1)
        assert game["void_consents"] == []

    def test_shows_all_cards_like_any_end_of_a_hand(self, tables):
        table = tables(*DRAWN)
        hidden = table.get("/hands/1", SPECTATOR).json
        assert not set(NEAR_GIN.split()) & cards_in(hidden)
        assert not set(OTHER.split()) & cards_in(consent(table, 0).json)
        assert set(NEAR_GIN.split()) < cards_in(consent(table, 1).json)
        hand = table.get("/hands/1", SPECTATOR).json
        assert [each["cards"] for each in hand["dealt"]] == [NEAR_GIN.split(), OTHER.split()]
        assert [m["card"] for m in hand["moves"] if m["action"] == "draw"] == ["KS"]
        assert hand["result"]["outcome"] == "void"

    def test_can_be_taken_back(self, tables):
        table = tables(*DRAWN)
        consent(table, 0)
        back = consent(table, 0, void=False).json
        assert (back["game"]["void_consents"], back["replayed"]) == ([], False)
        assert consent(table, 1).json["game"]["void_consents"] == [1]

    def test_said_again_is_answered_and_no_version(self, tables):
        table = tables(*DRAWN)
        first = consent(table, 0).json
        again = consent(table, 0).json
        assert (again["replayed"], again["game"]["version"]) == (True, first["game"]["version"])
        assert consent(table, 1, void=False).json["replayed"]

    def test_that_has_come_is_answered_with_all_since(self, tables):
        table = tables(*DRAWN)
        consent(table, 0)
        first = consent(table, 1).json
        again = consent(table, 1).json
        assert (again["replayed"], again["moves"]) == (True, first["moves"])
        table.play("1 deal", "0 pass")
        late = consent(table, 0).json
        assert [move["action"] for move in late["moves"]] == ["void_hand", "deal", "pass"]
        assert late["game"]["void_consents"] == []

    def test_that_has_come_is_not_taken_back(self, tables):
        table = tables(*DRAWN)
        for seat in (0, 1):
            consent(table, seat)
        assert codes(consent(table, 0, void=False)) == (409, "hand_over")

    def test_comes_in_time_before_the_lay_off(self, tables):
        table = tables(*KNOCKED)
        for seat in (0, 1):
            assert consent(table, seat).status_code == 200
        assert table.view()["last_hand"]["outcome"] == "void"

    def test_does_not_come_after_the_hand(self, tables):
        for rules in ({}, BOTH):
            table = tables(*SCORED, rules=rules)
            assert codes(consent(table, 0)) == (409, "hand_over")
        table.confirm(0)
        table.confirm(1)
        table.play("0 deal")
        assert codes(consent(table, 0, 1)) == (409, "hand_over")

    def test_is_never_of_a_hand_with_a_computer(self, tables):
        table = tables(seats=(ADA, EASY))
        answer = consent(table, 0)
        assert codes(answer) == (409, "void_not_possible")
        assert answer.json["game"]["void_consents"] == []

    def test_of_a_hand_that_was_not_dealt_is_not_found(self, tables):
        assert codes(consent(tables(), 0, 2)) == (404, "not_found")

    def test_has_its_time(self, tables):
        assert codes(consent(tables.at("waiting"), 0)) == (409, "game_not_started")
        assert codes(consent(tables.at("game_over"), 0)) == (409, "game_over")

    def test_is_of_the_seats_that_play(self, tables):
        seats = [{**ADA, "seating": "granted"}] * 3
        table = tables(rules={"first_dealer": "seat0"}, seats=seats)
        answer = consent(table, 2)
        assert codes(answer) == (409, "not_your_turn")
        assert answer.json["params"] == {"to_act_seats": [0, 1]}
