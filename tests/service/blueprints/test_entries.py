"""From hands as they are sent to entries: each of the three ways, and what cannot be."""

import pytest

from tests.service.sheets import won

MINE = ["2C", "3C", "4C", "AD", "7D", "QD", "7H", "QH", "7S", "QS"]
THEIRS = ["5C", "7C", "8C", "4D", "8D", "KD", "8H", "KH", "9S", "KS"]


def sides(first=0, second=1, **more):
    return [{"seat": first, "cards": MINE, **more}, {"seat": second, "cards": THEIRS}]


def knock(knocker=0, kind="knock", **more):
    return {"kind": kind, "knocker_seat": knocker, "sides": sides(), **more}


def counts(mine, theirs, first=0, second=1):
    return [{"seat": first, "deadwood": mine}, {"seat": second, "deadwood": theirs}]


@pytest.fixture
def score(answering):
    def ask(hand, seats=2, **rules):
        body = {"hands": [hand], "seats": seats, "rules": rules}
        return answering.post("/v1/scoring/games", body)

    return ask


class TestAHandByPoints:
    @pytest.mark.parametrize(
        ("hand", "outcome"),
        [
            (won(0, 25), "knock"),
            (won(0, 25, outcome="gin"), "gin"),
            (won(0, 56, outcome="big_gin"), "big_gin"),
            (won(0, 25, outcome="undercut"), "undercut"),
            (won(0, 0), "knock"),
            ({"outcome": "drawn"}, "drawn"),
            ({"outcome": "void", "points": 0}, "void"),
            ({"outcome": "resigned"}, "resigned"),
        ],
    )
    def test_comes_to_what_it_says(self, score, hand, outcome):
        [scored] = score(hand).json["hands"]
        assert (scored["outcome"], scored["points"]) == (outcome, hand.get("points", 0))
        assert scored.get("winner_seat") == hand.get("winner_seat")

    def test_names_the_knocker_where_only_one_can_have_been(self, score):
        [scored] = score(won(0, 28, outcome="undercut")).json["hands"]
        assert scored["knocker_seat"] == 1
        [scored] = score(won(0, 28, outcome="undercut"), seats=3).json["hands"]
        assert "knocker_seat" not in scored
        [scored] = score(won(0, 28, outcome="undercut", knocker_seat=2), seats=3).json["hands"]
        assert scored["knocker_seat"] == 2


class TestAHandByCards:
    def test_is_scored_by_the_server(self, score):
        scored = score(knock()).json
        assert scored["hands"][0]["points"] == 12
        assert scored["totals"][0]["total"] == 12

    def test_may_be_told_in_any_order(self, score):
        hand = {**knock(), "sides": sides()[::-1]}
        assert score(hand).json == score(knock()).json

    def test_is_scored_by_the_rules(self, score):
        hand = {**knock(), "upcard": "TS"}
        assert score(hand, base="oklahoma").json["hands"][0]["points"] == 24
        gin = {"kind": "gin", "knocker_seat": 1, "sides": counts(30, 0)}
        assert score(gin, gin_bonus=20).json["hands"][0]["points"] == 50

    def test_is_an_undercut_if_the_counts_say_so(self, score):
        [scored] = score({**knock(), "sides": counts(8, 5)}).json["hands"]
        assert (scored["outcome"], scored["winner_seat"], scored["points"]) == ("undercut", 1, 28)
        assert scored["knocker_seat"] == 0

    def test_is_played_by_two_of_three_or_by_opponents_of_four(self, score):
        for seats, pair in ((3, (0, 2)), (4, (2, 1))):
            hand = {**knock(pair[0]), "sides": counts(3, 20, *pair)}
            [scored] = score(hand, seats).json["hands"]
            assert (scored["winner_seat"], scored["points"]) == (pair[0], 17)


class TestTwoHandsAtOnce:
    def test_are_told_each_in_its_own_way(self, score):
        tables = [won(0, 30), {"kind": "knock", "knocker_seat": 3, "sides": counts(3, 20, 3, 2)}]
        [scored] = score({"tables": tables}, seats=4).json["hands"]
        assert (scored["outcome"], scored["winner_team"], scored["points"]) == ("net", 0, 13)

    def test_of_equal_points_are_nobodys(self, score):
        answer = score({"tables": [won(0, 30), won(3, 30)]}, seats=4).json
        assert (answer["hands"][0]["points"], "winner_team" in answer["hands"][0]) == (0, False)
        assert [team["boxes"] for team in answer["teams"]] == [0, 0]


WRONG = {
    "nothing": ({}, "/outcome", "required"),
    "no points": ({"winner_seat": 0}, "/points", "required"),
    "no winner": ({"points": 25}, "/winner_seat", "required"),
    "gin of nobody": ({"outcome": "gin", "points": 25}, "/winner_seat", "required"),
    "a winner of a drawn hand": (won(0, 0, outcome="drawn"), "/winner_seat", "field_not_allowed"),
    "points of a drawn hand": ({"outcome": "drawn", "points": 5}, "/points", "out_of_range"),
    "points below zero": (won(0, -1), "/points", "out_of_range"),
    "points beyond all": (won(0, 10_001), "/points", "out_of_range"),
    "an unknown outcome": (won(0, 5, outcome="net"), "/outcome", "unknown_value"),
    "a knock of the loser": (won(0, 5, knocker_seat=1), "/knocker_seat", "contradictory_fields"),
    "an undercut of the knocker": (
        won(0, 30, outcome="undercut", knocker_seat=0), "/knocker_seat", "contradictory_fields"
    ),
    "an upcard beside points": (won(0, 5, upcard="TS"), "/upcard", "field_not_allowed"),
    "no such seat": (won(2, 5), "/winner_seat", "out_of_range"),
    "points beside sides": (knock(points=5), "/points", "field_not_allowed"),
    "no kind": ({"knocker_seat": 0, "sides": sides()}, "/kind", "required"),
    "no knocker": ({"kind": "gin", "sides": sides()}, "/knocker_seat", "required"),
    "no sides": ({"kind": "gin", "knocker_seat": 0}, "/sides", "required"),
    "one side": (knock(sides=sides()[:1]), "/sides", "out_of_range"),
    "a side of no seat": (
        knock(sides=[{"deadwood": 5}, {"deadwood": 9}]), "/sides/0/seat", "required"
    ),
    "two sides of a seat": (
        knock(sides=sides(0, 0)), "/sides/1/seat", "contradictory_fields"
    ),
    "a knocker who did not play": (knock(2), "/knocker_seat", "contradictory_fields"),
    "a side of no such seat": (
        knock(sides=sides(0, 2)), "/sides/1/seat", "out_of_range"
    ),
    "lay-offs of the knocker": (
        knock(sides=sides(lay_offs=[])), "/sides/0/lay_offs", "field_not_allowed"
    ),
    "too much deadwood": (
        knock(sides=counts(11, 20)), "/sides/0/deadwood", "deadwood_too_high"
    ),
    "gin with deadwood": (knock(kind="gin"), "/sides/0/cards", "not_gin"),
    "nine cards": (
        knock(sides=[{"seat": 0, "cards": MINE[:9]}, sides()[1]]), "/sides/0/cards",
        "wrong_card_count",
    ),
    "a card of both": (
        knock(sides=[{"seat": 0, "cards": MINE}, {"seat": 1, "cards": MINE}]), "/sides/1/cards",
        "duplicate_card",
    ),
    "big gin by rules without": (
        knock(kind="big_gin", sides=counts(0, 9)), "/kind", "big_gin_not_enabled"
    ),
    "tables of two": ({"tables": [won(0, 5), won(1, 7)]}, "/tables", "field_not_allowed"),
    "tables beside points": (
        {"tables": [won(0, 5), won(1, 7)], "points": 3}, "/points", "field_not_allowed"
    ),
    "one table": ({"tables": [won(0, 5)]}, "/tables", "out_of_range"),
    "who says it": (won(0, 5, by="Ada"), "/by", "field_not_allowed"),
}  # fmt: skip

WRONG_OF_FOUR = {
    "one seat at both tables": (
        {"tables": [won(0, 5), won(0, 7)]}, "/tables/1", "contradictory_fields"
    ),
    "partners against each other": (
        {"kind": "knock", "knocker_seat": 0, "sides": counts(3, 9, 0, 2)}, "/sides/1/seat",
        "contradictory_fields",
    ),
    "an undercut of the partner": (
        won(0, 30, outcome="undercut", knocker_seat=2), "/knocker_seat", "contradictory_fields"
    ),
    "a fault at a table": (
        {"tables": [won(0, 5), {"winner_seat": 1}]}, "/tables/1/points", "required"
    ),
    "too much deadwood at a table": (
        {"tables": [won(0, 5), {**knock(1), "sides": counts(11, 20, 1, 2)}]},
        "/tables/1/sides/0/deadwood", "deadwood_too_high",
    ),
}  # fmt: skip


class TestWhatCannotBe:
    @pytest.mark.parametrize("name", WRONG)
    def test_is_refused_where_it_stands(self, score, name):
        hand, pointer, code = WRONG[name]
        self.check(score(hand), pointer, code)

    @pytest.mark.parametrize("name", WRONG_OF_FOUR)
    def test_is_refused_of_partners(self, score, name):
        hand, pointer, code = WRONG_OF_FOUR[name]
        self.check(score(hand, seats=4), pointer, code)

    def check(self, answer, pointer, code):
        assert answer.status_code == 422, answer.json
        [error] = answer.json["errors"]
        assert (error["pointer"], error["code"]) == (f"/hands/0{pointer}", code)

    def test_misses_the_upcard_where_the_rules_ask_for_it(self, score):
        self.check(score(knock(), base="oklahoma"), "/upcard", "required")

    def test_names_what_it_contradicts(self, score):
        [error] = score(won(0, 5, knocker_seat=1)).json["errors"]
        assert error["params"] == {"field": "winner_seat"}
