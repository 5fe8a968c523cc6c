"""The proof of a hand once it may be shown, the checking of any, and the public counts."""

from dataclasses import replace

import pytest

from service.storage import games
from tests.cases.fair_deals import FALSE, FULL, MALFORMED, VECTORS, told
from tests.service.questions import ForViewers
from tests.service.table import (
    BOTH,
    DRAWN,
    KNOCKED,
    PASSED,
    SCORED,
    SPECTATOR,
    THROWN,
    TIMED,
    Table,
)

PROOF = "/hands/1/proof"
VERIFICATIONS = "/v1/fairness/verifications"
STATS = "/v1/fairness/stats"
OF_A_DEAL = (
    *("game_id", "hand_number", "server_commit", "seed", "nonce0", "nonce1", "deck"),
    *("dealer_draw", "draw_nonce0", "draw_nonce1"),
)
DRAW = {"first_dealer": "draw"}


def as_told(proof):
    """What a client that trusts the commitments of a proof has checked."""
    return {name: proof[name] for name in OF_A_DEAL if name in proof}


def void(table):
    for seat in (0, 1):
        table.put("/hands/1/void-consent", {"consent": True}, seat)


def checked(answering, deal):
    answer = answering.post(VERIFICATIONS, deal)
    assert answer.status_code == 200, answer.json
    return answer.json


class TestGetHandProof(ForViewers):
    path = PROOF
    phase = "hand_over"


class TestAProof:
    def test_shows_what_the_whole_deal_followed_from(self, tables):
        table = tables(deal=None, rules=DRAW)
        view = table.view()
        table.play("1 resign")
        proof = table.get(PROOF).json
        assert proof["scheme"] == "GRD1"
        assert (proof["game_id"], proof["hand_number"]) == (table.id, 1)
        assert proof["server_commit"] == view["hand"]["server_commit"]
        assert proof["dealer_draw"] == view["dealer_draw"] != []
        assert (proof["nonces"], proof["contributors"]) == ([], [])
        assert proof["playing_seats"] == [0, 1]
        assert len(set(proof["deck"])) == 52
        assert proof["deck"][20] == view["hand"]["upcard"]
        assert not proof.keys() & {"nonce0", "nonce1", "draw_nonce0", "draw_nonce1"}
        verdict = checked(table.answering, as_told(proof))
        assert [check["code"] for check in verdict["checks"]] == [
            *("seed_matches_commit", "deck_follows", "draw_follows")
        ]
        assert verdict["valid"]
        assert verdict["deck"] == proof["deck"]

    def test_is_the_same_for_everybody_at_the_table(self, tables):
        table = tables(*SCORED)
        assert table.get(PROOF, 0).json == table.get(PROOF, 1).json
        assert table.get(PROOF, 0).json == table.get(PROOF, SPECTATOR).json

    def test_of_the_next_hand_has_another_seed_and_no_draw(self, tables):
        table = tables(deal=None, rules=DRAW)
        void(table)
        table.play("0 deal", "1 resign")
        first, second = table.get(PROOF).json, table.get("/hands/2/proof").json
        assert second["dealer_draw"] == []
        assert second["seed"] != first["seed"]
        assert checked(table.answering, as_told(second))["valid"]

    @pytest.mark.parametrize("seats", [3, 4])
    def test_agrees_with_itself_with_more_seats(self, tables, seats):
        people = [{"kind": "human", "name": name, "seating": "granted"} for name in "ABCD"[:seats]]
        rules = {**DRAW, "four_player": "partnership"} if seats == 4 else DRAW
        table = tables(deal=None, rules=rules, seats=people)
        table.play("0 resign")
        assert checked(table.answering, as_told(table.get(PROOF).json))["valid"]

    def test_of_a_hand_that_was_never_dealt_is_not_there(self, tables):
        table = tables(*SCORED)
        assert table.get("/hands/2/proof").status_code == 404
        assert tables.at("waiting").get(PROOF).status_code == 404


class TestWhenAProofOpens:
    def refused(self, table, path=PROOF):
        answer = table.get(path)
        assert answer.status_code == 409
        for name in ("seed", "deck"):
            assert f'"{name}"' not in answer.text
        return answer.json["code"]

    @pytest.mark.parametrize("lines", [(), PASSED, DRAWN, THROWN, KNOCKED])
    def test_is_not_while_the_hand_is_played(self, tables, lines):
        assert self.refused(tables(*lines)) == "hand_in_progress"

    def test_is_with_the_end_of_the_hand(self, tables):
        table = tables(*SCORED)
        assert table.get(PROOF).status_code == 200
        table.play("0 deal")
        assert table.get(PROOF).status_code == 200
        assert self.refused(table, "/hands/2/proof") == "hand_in_progress"

    def test_is_before_the_score_is_confirmed(self, tables):
        assert tables(*SCORED, rules=BOTH).get(PROOF).status_code == 200

    def test_is_with_the_end_of_the_game_where_the_rules_say_so(self, tables):
        table = tables(*SCORED, rules={"reveal": "game"})
        assert self.refused(table) == "game_in_progress"
        table.play("0 deal")
        assert self.refused(table) == "game_in_progress"
        assert self.refused(table, "/hands/2/proof") == "hand_in_progress"
        table.play("0 resign")
        assert table.get(PROOF).status_code == 200
        assert table.get("/hands/2/proof").status_code == 200

    def test_is_with_a_void(self, tables):
        table = tables(*DRAWN, deal=None)
        void(table)
        proof = table.get(PROOF).json
        assert checked(table.answering, as_told(proof))["valid"]

    def test_is_with_a_claim(self, tables):
        table = tables(*THROWN, rules=TIMED)
        table.time_passes()
        table.play("0 claim")
        assert table.get(PROOF).status_code == 200


class TestASandbox:
    @pytest.fixture
    def table(self, tables):
        answer = tables.answering.post("/v1/games", {"scenario": "one_point_from_target"})
        return Table(tables.answering, answer.json)

    def test_proves_nothing_in_play_or_after(self, table):
        for path in (PROOF, "/hands/2/proof"):
            assert table.get(path).json["code"] == "sandbox_no_proof"
        table.play("0 resign")
        assert table.get("/hands/2/proof").json["code"] == "sandbox_no_proof"

    def test_is_not_counted(self, table):
        table.play("0 resign")
        stats = table.answering.get(STATS).json
        del stats["since"]
        assert set(stats.values()) == {0}


class TestVerifyDeal:
    @pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["server_commit"][:8])
    def test_finds_the_vectors_true(self, answering, vector):
        verdict = checked(answering, told(vector))
        assert verdict["valid"]
        assert verdict["deck"] == vector["deck"].split()

    @pytest.mark.parametrize("name", FALSE)
    def test_says_what_is_false(self, answering, name):
        deal, wrong = FALSE[name]
        verdict = checked(answering, deal)
        assert not verdict["valid"]
        assert {check["code"] for check in verdict["checks"] if not check["ok"]} == wrong

    @pytest.mark.parametrize("name", MALFORMED)
    def test_refuses_every_other_form(self, answering, name):
        deal, pointer, code = MALFORMED[name]
        answer = answering.post(VERIFICATIONS, deal)
        assert answer.status_code == 422
        [error] = answer.json["errors"]
        assert (error["pointer"], error["code"]) == (pointer, code)

    def test_says_which_nonce_is_not_what_was_committed_to(self, answering):
        deal = {**FULL, "nonce_commit1": FULL["nonce_commit0"]}
        assert [check for check in checked(answering, deal)["checks"] if not check["ok"]] == [
            {"code": "nonce_matches_commit", "ok": False, "nonce": 1}
        ]

    def test_takes_no_nonce_of_a_draw_that_is_not_told(self, answering):
        answer = answering.post(VERIFICATIONS, {**FULL, "draw_nonce0": FULL["nonce0"]})
        assert answer.json["errors"] == [
            {
                "pointer": "/draw_nonce0",
                "code": "field_not_allowed",
                "params": {"field": "draw_nonce0"},
            }
        ]

    def test_tells_the_deck_that_was_not_told(self, answering):
        deal = {name: value for name, value in FULL.items() if name != "deck"}
        verdict = checked(answering, deal)
        assert verdict["valid"]
        assert verdict["deck"] == FULL["deck"]


class TestTheCounts:
    def counts(self, answering):
        stats = answering.get(STATS).json
        assert stats.pop("since").endswith("Z")
        return {name: value for name, value in stats.items() if value}

    def test_are_nothing_at_first(self, answering):
        assert self.counts(answering) == {}

    def test_grow_with_each_deal_and_each_end(self, tables):
        table = tables()
        assert self.counts(tables.answering) == {"hands_dealt": 1}
        table.play(*SCORED)
        assert self.counts(tables.answering) == {"hands_dealt": 1, "seeds_revealed": 1}
        table.play("0 deal")
        assert self.counts(tables.answering) == {"hands_dealt": 2, "seeds_revealed": 1}
        table.play("0 resign")
        assert self.counts(tables.answering) == {"hands_dealt": 2, "seeds_revealed": 2}

    def test_grow_with_the_last_who_joins(self, tables):
        table = tables.at("waiting")
        assert self.counts(tables.answering) == {}
        table.join()
        assert self.counts(tables.answering) == {"hands_dealt": 1}

    def test_tell_of_voids(self, tables):
        table = tables()
        void(table)
        assert self.counts(tables.answering) == {
            "hands_dealt": 1,
            "seeds_revealed": 1,
            "hands_void": 1,
        }

    def test_do_not_count_a_request_twice(self, tables):
        table = tables(*KNOCKED)
        number = table.next_move
        for _ in range(2):
            answer = table.post("/moves", {"action": "lay_off", "move_number": number}, 1)
        assert answer.json["replayed"]
        for _ in range(2):
            table.post("/hands", {"hand_number": 2}, 0)
        assert self.counts(tables.answering) == {"hands_dealt": 2, "seeds_revealed": 1}

    def test_are_the_sum_over_all_games(self, tables):
        for _ in range(10):
            tables(*SCORED)
        assert self.counts(tables.answering) == {"hands_dealt": 10, "seeds_revealed": 10}

    def test_outlive_the_games(self, tables):
        tables(*SCORED)
        with tables.answering.house.store.writing() as conn:
            conn.execute("DELETE FROM moves")
            conn.execute("DELETE FROM games")
        assert self.counts(tables.answering) == {"hands_dealt": 1, "seeds_revealed": 1}

    def test_tell_of_a_seed_that_was_not_committed_to(self, tables):
        table = tables(*KNOCKED)
        house = table.answering.house
        with house.store.writing() as conn:
            stored = games.load(conn, house.codec, table.id)
            other = replace(stored.game.hand, server_commit="0" * 64)
            sealed = house.codec.write_state(replace(stored.game, hand=other))
            conn.execute("UPDATE games SET state = %b", (sealed,))
        table.play("1 lay_off")
        assert self.counts(tables.answering) == {"hands_dealt": 1, "seeds_due": 1}
