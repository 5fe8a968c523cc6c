"""The cases of the case file that a score keeper meets, over HTTP: at once, and hand by hand.

A game is scored as a whole by scoreGame, and entered into a score sheet; both come to the same.
"""

import pytest

from tests.cases import words
from tests.contract.test_cases_over_http import cases, code_of, meld_named
from tests.service.sheets import FOUR, Sheets, won


@pytest.fixture
def sheets(answering):
    return Sheets(answering)


def both(answering, sheets, hands, rules, names=("Ada", "Bob")):
    """The score of ``hands``, told at once and entered one after another."""
    body = {"hands": hands, "rules": rules, "seats": len(names)}
    answer = answering.post("/v1/scoring/games", body)
    assert answer.status_code == 200, answer.json
    assert sheets(*hands, names=names, **rules).seen["score"] == answer.json
    return answer.json


def rules_of(case):
    """The rules of a case as a request has them: only what differs from the defaults."""
    rules = dict(case["input"].get("rules", {}))
    if "first_dealer" in rules:
        rules["first_dealer"] = f"seat{rules['first_dealer']}"
    return rules


def settled(column):
    """A column in the words of the case file."""
    running = {row["seat"]: row["running_total"] for row in column["rows"]}
    found = {
        "scores": [running.get(seat, 0) for seat in (0, 1)],
        "hands_won": [total["boxes"] for total in column["totals"]],
        "over": column["complete"],
        "winner": column.get("winner_seat"),
    }
    if column["complete"]:
        winner, loser = (column["totals"][seat ^ column["winner_seat"]] for seat in (0, 1))
        found["shutout"] = loser["hand_points"] == 0
        found["final"] = [total["total"] for total in column["totals"]]
        found["margin"] = winner["total"] - loser["total"]
    return found


class TestSettling:
    @pytest.mark.parametrize(("case", "given", "expected"), cases("match", "settle"))
    def test_comes_to_what_the_case_says(self, answering, sheets, case, given, expected):
        hands = [won(hand["winner"], hand["points"]) for hand in given["hands"]]
        score = both(answering, sheets, hands, rules_of(case))
        wanted = {name: value for name, value in expected.items() if name != "next_dealer"}
        if "columns" not in expected:
            [column] = score["columns"]
            assert settled(column) == wanted
            assert score.get("winner_seat") == wanted["winner"]
            assert score.get("margin") == wanted.get("margin")
            return
        closed = [column["totals"] for column in score["columns"] if column["complete"]]
        net = sum(totals[0]["total"] - totals[1]["total"] for totals in closed)
        assert {
            "columns": [settled(column) for column in score["columns"]],
            "over": score["complete"],
            "net_to_player_0": net,
        } == wanted
        if score["complete"]:
            assert score.get("winner_seat") == (None if net == 0 else int(net < 0))
            assert score["margin"] == abs(net)


class TestTwoHandsAtOnce:
    @pytest.mark.parametrize(("case", "given", "expected"), cases("match", "team_hand"))
    def test_come_to_what_the_case_says(self, answering, sheets, case, given, expected):
        at_tables = ((0, 1), (2, 3))  # the first of each is of team 0
        tables = [
            won(seats[table["winner_team"]], table["points"])
            for seats, table in zip(at_tables, given["tables"], strict=True)
        ]
        score = both(answering, sheets, [{"tables": tables}], {}, FOUR)
        [hand] = score["hands"]
        assert hand["points"] == expected["points"]
        assert hand.get("winner_team") == expected["winner_team"]
        assert "winner_seat" not in hand
        boxes = [team["boxes"] for team in score["teams"]]
        assert boxes == [int(team == expected["winner_team"]) for team in (0, 1)]


class TestCorrections:
    @pytest.mark.parametrize(("case", "given", "expected"), cases("match", "correction"))
    def test_count_as_the_case_says(self, answering, sheets, case, given, expected):
        sheet = sheets(won(0, given["old_points"]))
        if given["next_hand_dealt"]:
            sheet.enter(won(1, 5))
        names = [sheet.seen["names"][seat] for seat in given["confirmed_by"]]
        said = {"by": names[0], "confirmed_by": names} if names else {}
        answer = sheet.put(1, won(0, given["new_points"], **said))
        assert answer.status_code == (200 if expected["accepted"] else 409)
        if not expected["accepted"]:
            assert answer.json["code"] == "confirmation_required"
        after = sheet.get().json
        assert after["entries"][0]["points"] == expected["points"]
        assert after["score"]["totals"][0]["total"] == expected["points"]
        hands = [won(0, expected["points"]), won(1, 5)][: len(after["entries"])]
        assert after["score"] == both(answering, sheets, hands, {})


class TestHandsByCards:
    @pytest.mark.parametrize(("case", "given", "expected"), cases("score", "hand"))
    def test_come_to_what_the_case_says(self, answering, sheets, case, given, expected):
        sides = [
            {"seat": 0, "cards": given["knocker_hand"]},
            {"seat": 1, "cards": given["defender_hand"]},
        ]
        if given["knocker_melds"] is not None:
            sides[0]["melds"] = [meld_named(meld) for meld in given["knocker_melds"]]
        hand = {"kind": given["declare"], "knocker_seat": 0, "sides": sides}
        if given["upcard"] is not None:
            hand["upcard"] = given["upcard"]
        rules = rules_of(case)
        if not expected["legal"]:
            for answer in (
                answering.post("/v1/scoring/games", {"hands": [hand], "rules": rules}),
                sheets(**rules).put(1, hand),
            ):
                assert answer.status_code == 422
                assert code_of(answer) in words.ERRORS[expected["error"]]
            return
        score = both(answering, sheets, [hand], rules)
        [entry] = sheets(hand, **rules).seen["entries"]
        lines = {line["code"]: line["points"] for line in entry["lines"]}
        assert {
            "legal": True,
            "result": entry["outcome"],
            "winner": "knocker" if entry["winner_seat"] == 0 else "defender",
            "knocker_deadwood": entry["sides"][0]["deadwood"],
            "defender_deadwood": entry["sides"][1]["deadwood"],
            "difference": lines["deadwood_difference"],
            "bonus": sum(points for code, points in lines.items() if code.endswith("_bonus")),
            "points": entry["points"],
        } == expected
        assert score["totals"][entry["winner_seat"]]["hand_points"] == expected["points"]
