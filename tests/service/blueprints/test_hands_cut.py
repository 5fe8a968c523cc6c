"""Over HTTP: commit when sitting down, cut before each hand, and the deal with the last cut."""

import hashlib

import pytest

from service.use_cases.verify_games import verify_game
from tests.service.table import ADA, BOB, EASY, SPECTATOR, TIMED

OPEN = {"kind": "human"}


def nonce(seat, hand=1):
    return f"{seat}{hand}" * 32


def commit(seat, hand=1):
    return hashlib.sha256(f"GRD1|nonce|{nonce(seat, hand)}".encode()).hexdigest()


def seats(*contributing, people=(ADA, BOB)):
    return [
        {**each, "nonce_commit": commit(number)} if number in contributing else each
        for number, each in enumerate(people)
    ]


def cut(table, seat, hand=1, who=None, **changed):
    body = {"nonce": nonce(seat, hand), "next_nonce_commit": commit(seat, hand + 1), **changed}
    body = {name: value for name, value in body.items() if value is not None}
    return table.put(f"/hands/{hand}/cut", body, seat if who is None else who)


class TestAGameOfContributors:
    def test_waits_for_the_cuts_with_its_commitment_shown(self, tables):
        table = tables(seats=seats(0, 1), deal=None)
        game = table.made["game"]
        assert (game["status"], game["phase"], game["to_act_seats"]) == (
            "playing",
            "cutting",
            [0, 1],
        )
        assert table.made["moves"] == []
        assert "hand" not in game
        coming = game["next_hand"]
        assert coming["nonce_commits"] == [
            {"seat": seat, "nonce_commit": commit(seat)} for seat in (0, 1)
        ]
        assert coming["cuts"] == []
        assert table.view(0)["you"]["legal"]["actions"] == ["cut"]
        assert table.view(SPECTATOR)["you"]["legal"]["actions"] == []

    def test_is_dealt_by_the_last_cut_with_all_shares(self, tables):
        table = tables(seats=seats(0, 1), deal=None)
        commitment = table.made["game"]["next_hand"]["server_commit"]
        first = cut(table, 1)
        assert (first.status_code, first.json["moves"]) == (200, [])
        assert first.json["game"]["next_hand"]["cuts"] == [1]
        last = cut(table, 0)
        [deal] = last.json["moves"]
        assert deal["action"] == "deal"
        assert deal["deal"]["server_commit"] == commitment
        assert deal["deal"]["nonces"] == [
            {"seat": seat, "nonce_commit": commit(seat), "nonce": nonce(seat)} for seat in (0, 1)
        ]
        hand = last.json["game"]["hand"]
        assert (hand["contributors"], hand["server_commit"]) == ([0, 1], commitment)

    def test_is_answered_again_before_and_after_the_deal(self, tables):
        table = tables(seats=seats(0, 1), deal=None)
        cut(table, 1)
        again = cut(table, 1)
        assert (again.status_code, again.json["replayed"], again.json["moves"]) == (200, True, [])
        dealt = cut(table, 0)
        for seat in (0, 1):
            again = cut(table, seat)
            assert (again.status_code, again.json["replayed"]) == (200, True)
            assert [each["number"] for each in again.json["moves"]] == [
                each["number"] for each in dealt.json["moves"]
            ]

    def test_shows_nobody_what_was_opened_before_the_deal(self, tables):
        table = tables(seats=seats(0, 1), deal=None)
        answer = cut(table, 1)
        texts = [answer.text, *(table.get(who=who).text for who in (0, 1, SPECTATOR))]
        texts += [table.get("/updates?after=0", who).text for who in (0, SPECTATOR)]
        assert not any(nonce(1) in text for text in texts)

    def test_plays_on_to_the_next_cut(self, tables):
        table = tables(seats=seats(0), deal=None)
        cut(table, 0)
        view = table.play_on(lambda view: "next_hand" in view)
        assert (view["phase"], view["to_act_seats"]) == ("cutting", [0])
        asked = table.post("/hands", {"hand_number": 2}, 1)
        assert (asked.status_code, asked.json["code"]) == (409, "cut_pending")
        assert asked.json["params"] == {"to_act_seats": [0]}
        dealt = cut(table, 0, 2, next_nonce_commit=None)
        assert dealt.json["game"]["hand"]["number"] == 2
        view = table.play_on(lambda view: "next_hand" in view)
        assert (view["phase"], view["next_hand"]["nonce_commits"]) == ("hand_over", [])

    def test_has_the_computer_reply_once_it_is_dealt(self, tables):
        table = tables(
            seats=seats(0, people=(ADA, EASY)), deal=None, rules={"first_dealer": "seat0"}
        )
        answer = cut(table, 0)
        assert answer.json["moves"][0]["action"] == "deal"
        assert answer.json["moves"][1]["by"] == "ai"

    def test_is_found_right_by_verify(self, tables, answering):
        table = tables(seats=seats(0, 1), deal=None)
        cut(table, 1)
        for _ in range(2):
            assert verify_game(answering.house.store, answering.house.codec, table.id) is None
            cut(table, 0)


class TestWhoeverJoins:
    def test_commits_as_it_sits_down(self, tables):
        table = tables(seats=seats(0, people=(ADA, OPEN)), deal=None)
        assert table.made["game"]["phase"] == "waiting"
        joined = table.join(nonce_commit=commit(1))
        assert joined.json["game"]["to_act_seats"] == [0, 1]
        assert joined.json["moves"] == []

    def test_need_not(self, tables):
        table = tables(seats=seats(0, people=(ADA, OPEN)), deal=None)
        assert table.join().json["game"]["to_act_seats"] == [0]

    def test_cannot_copy_a_commitment(self, tables):
        table = tables(seats=seats(0, people=(ADA, OPEN)), deal=None)
        body = {"join_code": table.join_code, "nonce_commit": commit(0)}
        answer = table.post("/joins", body, None)
        assert (answer.status_code, answer.json["code"]) == (422, "nonce_commit_reused")
        assert table.join(nonce_commit=commit(1)).status_code == 201

    def test_and_leaves_takes_the_commitment_along(self, tables, answering):
        three = (ADA, OPEN, OPEN)
        table = tables(seats=seats(people=three), deal=None)
        table.join(nonce_commit=commit(1))
        left = answering.send("DELETE", f"{table.path}/seats/1", None, table.tokens[1])
        assert left.status_code == 204
        table.join()
        table.join()
        assert table.view()["phase"] == "first_upcard"


class TestARematch:
    def test_begins_with_the_commitments_of_who_asks(self, tables):
        table = tables("0 resign")
        made = table.post("/rematches", {"nonce_commit": commit(0)}, 0)
        assert made.status_code == 201
        joined = table.post("/rematches", {"nonce_commit": commit(1)}, 1)
        assert joined.json["game"]["to_act_seats"] == [0, 1]

    def test_does_without(self, tables):
        table = tables("0 resign")
        table.post("/rematches", None, 0)
        assert table.post("/rematches", None, 1).json["game"]["phase"] == "first_upcard"


class TestACutThatIsRefused:
    @pytest.fixture
    def table(self, tables):
        return tables(seats=seats(0, 1), deal=None)

    @pytest.mark.parametrize("changed", ["0" * 63, "A" * 64, "0" * 65, "", "g" * 64, 7])
    @pytest.mark.parametrize("name", ["nonce", "next_nonce_commit"])
    def test_is_malformed(self, table, name, changed):
        answer = cut(table, 0, **{name: changed})
        assert (answer.status_code, answer.json["code"]) == (422, "validation_failed")
        [fault] = answer.json["errors"]
        code = "nonce_malformed" if isinstance(changed, str) else "wrong_type"
        assert (fault["pointer"], fault["code"]) == (f"/{name}", code)

    @pytest.mark.parametrize(
        ("changed", "code"),
        [
            ({"nonce": nonce(1)}, "nonce_mismatch"),
            ({"next_nonce_commit": commit(0)}, "nonce_commit_reused"),
            ({"next_nonce_commit": commit(1)}, "nonce_commit_reused"),
        ],
    )
    def test_is_wrong(self, table, changed, code):
        before = table.view()["version"]
        answer = cut(table, 0, **changed)
        assert (answer.status_code, answer.json["code"]) == (422, code)
        assert table.view()["version"] == before

    def test_is_of_another_hand(self, table):
        assert cut(table, 0, 2).status_code == 404

    def test_is_a_spectators(self, table):
        answer = cut(table, 0, who=SPECTATOR)
        assert (answer.status_code, answer.json["code"]) == (403, "spectator_read_only")

    def test_comes_too_late_or_too_early(self, tables):
        table = tables()
        answer = cut(table, 0, 2)
        assert (answer.status_code, answer.json["code"]) == (409, "wrong_phase")
        answer = cut(table, 0, 1)
        assert (answer.status_code, answer.json["code"]) == (409, "wrong_phase")

    def test_is_another_one_than_was_made(self, table):
        cut(table, 0)
        cut(table, 1)
        answer = cut(table, 0, nonce=nonce(1))
        assert (answer.status_code, answer.json["code"]) == (422, "nonce_mismatch")


class TestACommitmentThatIsRefused:
    @pytest.mark.parametrize(
        ("seat", "body"),
        [
            (1, {"seats": seats(1, people=(ADA, EASY))}),
            (1, {"seats": seats(1, people=(ADA, OPEN))}),
            (0, {"seats": seats(0), "scenario": "can_knock"}),
        ],
    )
    def test_stands_where_nobody_can_open_it_or_the_cards_are_chosen(self, answering, seat, body):
        answer = answering.post("/v1/games", body)
        assert answer.status_code == 422
        [fault] = answer.json["errors"]
        assert fault["pointer"] == f"/seats/{seat}/nonce_commit"
        assert fault["code"] == "field_not_allowed"

    def test_stands_twice(self, answering):
        twice = [{**each, "nonce_commit": commit(0)} for each in (ADA, BOB)]
        answer = answering.post("/v1/games", {"seats": twice})
        assert (answer.status_code, answer.json["code"]) == (422, "nonce_commit_reused")


ASKED = {
    "makeMove": ("POST", "/moves", {"action": "pass", "move_number": 1}),
    "playTurn": ("POST", "/turns", {"action": "pass", "move_number": 1}),
    "knock": ("POST", "/knocks", {"discard": "AS", "move_number": 1}),
    "createHint": ("POST", "/hints", {}),
    "playAiMove of a person": ("POST", "/ai-moves", {"seat": 0, "move_number": 1}),
    "playAiMove of a computer": ("POST", "/ai-moves", {"seat": 1, "move_number": 1}),
    "dealHand": ("POST", "/hands", {"hand_number": 1}),
    "confirmHand": ("PUT", "/hands/1/confirmation", None),
    "consentVoid": ("PUT", "/hands/1/void-consent", {"consent": True}),
}


class TestWhatElseIsAskedForWhileCuttingIsDue:
    """Everybody is there, so nobody has to be waited for but those who cut."""

    @pytest.mark.parametrize("name", ASKED)
    def test_says_who_has_still_to_cut(self, tables, answering, name):
        rules = {"advice": "full", "confirm_score": "both"}
        computer = {"kind": "ai", "ai": {"level": "easy", "mode": "on_request"}}
        table = tables(seats=seats(0, people=(ADA, computer)), deal=None, rules=rules)
        method, path, body = ASKED[name]
        answer = answering.send(method, table.path + path, body, table.tokens[0])
        assert (answer.status_code, answer.json["code"]) == (409, "cut_pending")
        assert answer.json["params"] == {"to_act_seats": [0]}


class TestWhoDoesNotCutInTime:
    def test_can_have_the_game_claimed(self, tables):
        table = tables(seats=seats(0, 1), deal=None, rules=TIMED)
        assert "turn_deadline" in table.made["game"]
        cut(table, 1)
        table.time_passes()
        assert table.view(1)["you"]["legal"]["actions"] == ["claim"]
        made = table.send("1 claim")
        assert (made.status_code, made.json["game"]["winner_seat"]) == (201, 1)

    @pytest.mark.parametrize("policy", ["forfeit", "ai_takes_over"])
    def test_loses(self, tables, policy):
        table = tables(seats=seats(0, 1), deal=None, rules={**TIMED, "timeout_policy": policy})
        cut(table, 1)
        table.time_passes()
        view = table.view()
        assert (view["over"], view["winner_seat"]) == (True, 1)
        late = cut(table, 0)
        assert (late.status_code, late.json["code"]) == (409, "game_over")

    def test_can_give_up(self, tables):
        table = tables(seats=seats(0, 1), deal=None)
        made = table.send("0 resign")
        assert (made.status_code, made.json["game"]["winner_seat"]) == (201, 1)
