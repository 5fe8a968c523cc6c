"""Games for three and for four, over HTTP: who plays, who sees what, and whose the points are."""

import pytest

from service.use_cases.computer_seats import Thinking
from service.use_cases.verify_games import verify_all
from tests.recount import Line, as_counted, recount
from tests.service.table import ADA, BOB, EASY, KNOCKS, ON_REQUEST, SPECTATOR

CAY = {**BOB, "name": "Cay"}
DAN = {**BOB, "name": "Dan"}
OPEN = {"kind": "human"}
THREE = (ADA, BOB, CAY)
FOUR = (ADA, BOB, CAY, DAN)
SEAT_2_DEALS = {"first_dealer": "seat2"}
"""Of three, seat 2 then deals to seat 0, and seat 1 sits out."""
PARTNERS = {"four_player": "partnership"}
THREE_PLAY = ("0 pass", "2 pass", "0 draw stock", "0 knock KS", "2 lay_off")
FOUR_PLAY = ("0 pass", "1 pass", "0 draw stock", "0 knock KS", "1 lay_off")


def three(tables, *lines, rules=None, seats=THREE, **more):
    return tables(*lines, rules={**SEAT_2_DEALS, **(rules or {})}, seats=seats, **more)


def four(tables, *lines, rules=None, seats=FOUR, **more):
    return tables(*lines, rules={**PARTNERS, **(rules or {})}, seats=seats, **more)


def playing(view):
    return view["hand"]["playing_seats"]


def counted(view):
    """The score of the view, counted again from its hands."""
    lines = [
        Line(hand["outcome"], hand.get("winner_seat"), hand["points"])
        for hand in view["score"]["hands"]
    ]
    return recount(view["rules"], len(view["seats"]), lines)


class TestThreeSeats:
    def test_have_one_that_sits_out(self, tables):
        view = three(tables).view(SPECTATOR)
        assert playing(view) == [0, 2]
        assert view["hand"]["dealer_seat"] == 2
        assert [seat["sits_out"] for seat in view["seats"]] == [False, True, False]
        assert [seat["card_count"] for seat in view["seats"]] == [10, 0, 10]
        assert all("team" not in seat for seat in view["seats"])
        assert view["score"]["teams"] == []

    @pytest.mark.parametrize("count", range(len(THREE_PLAY)))
    def test_show_no_cards_to_the_one_that_sits_out(self, tables, count):
        table = three(tables, *THREE_PLAY[:count])
        you, watching = table.view(1)["you"], table.view(SPECTATOR)["you"]
        assert you == {**watching, "viewer": "seat", "seat": 1}
        assert (you["cards"], you["legal"]["actions"]) == ([], [])

    def test_let_the_one_that_sits_out_do_nothing_in_the_hand(self, tables):
        table = three(tables)
        assert table.refused("1 draw pile")["code"] == "not_your_turn"

    def test_let_any_of_them_ask_for_the_deal(self, tables):
        table = three(tables, *THREE_PLAY)
        assert table.view(1)["you"]["legal"]["actions"] == ["deal"]
        assert table.view(SPECTATOR)["to_act_seats"] == [0, 1, 2]
        view = table.play("1 deal")["game"]
        assert (playing(view), view["hand"]["dealer_seat"]) == ([0, 1], 0)
        assert [seat["sits_out"] for seat in view["seats"]] == [False, False, True]

    def test_may_be_left_by_the_loser(self, tables):
        table = three(tables, *THREE_PLAY, "2 deal", rules={"three_player": "loser_out"})
        view = table.view(SPECTATOR)
        assert (playing(view), view["hand"]["dealer_seat"]) == ([0, 1], 0)

    def test_have_totals_of_their_own(self, tables):
        view = three(tables, *THREE_PLAY).view()
        assert [total["total"] for total in view["score"]["totals"]] == [22, 0, 0]
        assert "winner_team" not in view["last_hand"]

    def test_leave_a_game_that_is_given_up_to_the_leader_of_the_others(self, tables):
        for seat, winner in ((0, 1), (1, 0), (2, 0)):
            view = three(tables, *THREE_PLAY, f"{seat} resign").view(SPECTATOR)
            assert (view["over"], view["winner_seat"]) == (True, winner)

    def test_may_give_up_while_sitting_out(self, tables):
        table = three(tables, *THREE_PLAY[:3])
        move = table.play("1 resign")["moves"][-1]
        assert move["result"]["outcome"] == "resigned"
        assert [side["seat"] for side in move["result"]["sides"]] == [0, 2]
        assert table.view()["winner_seat"] == 0

    def test_all_draw_for_the_first_deal(self, tables):
        view = tables(seats=THREE, rules={"first_dealer": "draw"}, deal=None).view()
        assert {draw["seat"] for draw in view["dealer_draw"]} == {0, 1, 2}
        dealer = view["hand"]["dealer_seat"]
        assert sorted(playing(view)) == sorted({dealer, (dealer + 1) % 3})


class TestFourSeats:
    def test_are_two_teams_of_which_one_each_plays(self, tables):
        view = four(tables).view(SPECTATOR)
        assert [seat["team"] for seat in view["seats"]] == [0, 1, 0, 1]
        assert [seat["sits_out"] for seat in view["seats"]] == [False, False, True, True]
        assert [team["seats"] for team in view["score"]["teams"]] == [[0, 2], [1, 3]]

    def test_show_a_partner_nothing_of_the_others_cards(self, tables):
        table = four(tables, "0 draw pile")
        watching = table.view(SPECTATOR)["you"]
        for seat in (2, 3):
            assert table.view(seat)["you"] == {**watching, "viewer": "seat", "seat": seat}

    def test_play_in_their_round_and_deal_by_teams_in_turn(self, tables):
        table, seen = four(tables, rules={"target": 1000}), []
        for number in range(5):
            view = table.play_on(lambda view: view["phase"] == "hand_over" or view["over"])
            seen.append((playing(view), view["hand"]["dealer_seat"] % 2))
            table.play(f"{number % 4} deal")
        assert [pair for pair, _ in seen] == [[0, 1], [2, 3], [0, 3], [1, 2], [0, 1]]
        assert [team for _, team in seen] == [1, 0, 1, 0, 1]

    def test_win_and_lose_as_teams(self, tables):
        view = four(tables, *FOUR_PLAY, rules={"target": 20, "game_bonus": 100}).view(3)
        assert (view["over"], view["winner_team"]) == (True, 0)
        assert "winner_seat" not in view
        assert "winner_seat" not in view["score"]
        assert (view["last_hand"]["winner_seat"], view["last_hand"]["winner_team"]) == (0, 0)
        assert [team["total"] for team in view["score"]["teams"]] == [122, 0]
        assert as_counted(view["score"]) == counted(view)

    def test_list_the_team_that_won_a_hand(self, tables):
        table = four(tables, *FOUR_PLAY)
        [hand] = table.get("/hands").json["items"]
        assert (hand["winner_seat"], hand["winner_team"]) == (0, 0)
        for path in ("/hands/1", "/knocks/1"):
            assert table.get(path).json["result"]["winner_team"] == 0

    @pytest.mark.parametrize(("seat", "team"), [(0, 1), (1, 0), (2, 1), (3, 0)])
    def test_give_a_game_up_to_the_other_team(self, tables, seat, team):
        view = four(tables, *FOUR_PLAY, f"{seat} resign").view(SPECTATOR)
        assert (view["winner_team"], view["score"]["winner_team"]) == (team, team)
        assert "winner_seat" not in view

    def test_of_whom_the_first_two_draw_for_the_first_deal(self, tables):
        view = four(tables, rules={"first_dealer": "draw"}, deal=None).view()
        assert {draw["seat"] for draw in view["dealer_draw"]} == {0, 1}
        assert playing(view) == [0, 1]

    @pytest.mark.parametrize("dealer", [2, 3])
    def test_may_begin_with_the_other_two(self, tables, dealer):
        view = four(tables, rules={"first_dealer": f"seat{dealer}"}).view()
        assert (playing(view), view["hand"]["dealer_seat"]) == ([2, 3], dealer)

    def test_may_be_taken_one_by_one(self, tables):
        table = four(tables, seats=(ADA, OPEN, OPEN, OPEN))
        assert table.view()["phase"] == "waiting"
        assert [table.join().json["seat"] for _ in range(3)] == [1, 2, 3]
        assert playing(table.view()) == [0, 1]


class TestHollywood:
    def test_is_played_in_three_columns(self, tables):
        rules = {"base": "hollywood", "target": 20, "first_dealer": "seat1"}
        table = tables(*FOUR_PLAY, rules=rules, seats=(ADA, BOB))
        score = table.view()["score"]
        assert [column["complete"] for column in score["columns"]] == [True, False, False]
        assert not score["complete"]
        view = table.play_on()
        assert view["score"]["complete"]
        assert as_counted(view["score"]) == counted(view)
        assert table.get("/score").json == view["score"]


WITH_COMPUTERS = {
    "a person and two computers": ((ADA, EASY, EASY), {}),
    "two people and a computer, the loser out": ((EASY, ADA, BOB), {"three_player": "loser_out"}),
    "partners of a person and a computer each": ((ADA, EASY, EASY, BOB), PARTNERS),
    "a person, a partner and two computers": ((ADA, EASY, BOB, EASY), PARTNERS),
    "a person and three computers": ((EASY, EASY, EASY, ADA), PARTNERS),
}


class TestComputers:
    @pytest.mark.parametrize("name", WITH_COMPUTERS)
    def test_play_whole_games_with_people(self, tables, name):
        seats, rules = WITH_COMPUTERS[name]
        rules = {"base": "traditional", "first_dealer": "draw", **rules}
        table = tables(seats=seats, rules=rules, deal=None)
        view = table.play_on_with_computers()
        assert view["score"]["complete"]
        assert as_counted(view["score"]) == counted(view)
        verdict = verify_all(tables.answering.house.store, tables.answering.house.codec)
        assert (verdict.games, verdict.findings) == (1, ())

    def test_play_a_hand_to_its_end_while_the_only_person_sits_out(self, tables, monkeypatch):
        monkeypatch.setattr(Thinking, "over", property(lambda _: False))
        # Without knocks the two play until the stock is down for the last time.
        rules = {"knock_mode": "straight", "recycle": "shuffled", "max_recycles": 5}
        table = three(tables, seats=(EASY, ADA, EASY), rules=rules, deal=None)
        view = table.view(1)
        assert (view["phase"], view["hand"]["number"]) == ("hand_over", 1)
        assert len(table.made["moves"]) > 100
        assert not view["ai_pending"]
        assert view["you"]["legal"]["actions"] == ["deal"]

    def test_go_on_where_their_time_was_up_once_somebody_asks(self, tables, monkeypatch):
        monkeypatch.setattr(Thinking, "over", property(lambda _: True))
        table = three(tables, seats=(EASY, ADA, EASY))
        view = table.view(1)
        assert (view["ai_pending"], view["to_act_seats"]) == (True, [0])
        body = {"seat": 0, "move_number": view["next_move"]}
        assert table.post("/ai-moves", {**body, "seat": 2}, 1).json["code"] == "no_ai_to_move"
        answer = table.post("/ai-moves", body, 1)
        assert answer.status_code == 201
        assert {move["seat"] for move in answer.json["moves"]} == {0}

    @pytest.mark.parametrize(("count", "rules"), [(3, {}), (4, PARTNERS)])
    def test_play_among_themselves_when_asked(self, tables, count, rules):
        table = tables(seats=[ON_REQUEST] * count, rules={**rules, "target": 50}, deal=None)
        view = table.play_on_with_computers()
        assert view["over"]
        assert as_counted(view["score"]) == counted(view)

    def test_never_see_more_than_a_spectator_while_sitting_out(self, tables):
        table = three(tables, seats=(ADA, ON_REQUEST, BOB), deal=KNOCKS)
        view = table.view(0)
        body = {"seat": 1, "move_number": view["next_move"]}
        assert table.post("/ai-moves", body, 0).json["code"] == "no_ai_to_move"
