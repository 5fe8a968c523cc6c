"""The cases of the case file over HTTP: each that a whole legal position can carry.

The position is a sandbox game dealt from a deck made for it; what a case is about is then sent and
read as any client would. Every case of a turn, a knock, lay-offs or a score can be dealt so.
"""

import json
from pathlib import Path

import pytest

from engine.cards import CARD_NAMES, POINTS, card_name, parse_card
from engine.hand import HAND_SIZE
from tests.cases import words
from tests.service.table import meld_of
from tests.tables import deck

CASES = json.loads((Path(__file__).parents[1] / "cases" / "rules_cases.json").read_text("utf-8"))


def cases(kind, op):
    return [
        pytest.param(case, case["input"], case["expected"], id=case["id"])
        for case in CASES["cases"]
        if (case["kind"], case["op"]) == (kind, op)
    ]


def sandbox(tables, case, hands, upcard, stock, dealer=1):
    """A game of the case's rules in which seat 0 and seat 1 were dealt ``hands``."""
    dealt = deck(*map(" ".join, hands), upcard=upcard, stock=" ".join(stock), dealer=dealer)
    rules = {**case["input"].get("rules", {}), "first_dealer": f"seat{dealer}"}
    return tables(rules=rules, deal=None, deck=list(map(card_name, dealt)))


def free(*held):
    """The cards that nobody of ``held`` has, cheapest first."""
    taken = {name for cards in held for name in cards}
    names = [name for name in CARD_NAMES if name not in taken]
    return sorted(names, key=lambda name: POINTS[parse_card(name)])


def about_to_throw(tables, case, mine, theirs, upcard, drawn):
    """A game in which seat 0 holds ``mine`` with ``drawn`` among them and has to throw.

    An upcard that somebody holds was taken: by seat 0, whose draw it was, or by seat 1 before.
    """
    kept = [name for name in mine if name != drawn]
    if upcard in theirs:
        spare = free(mine, theirs)[-1]
        before = [spare if name == upcard else name for name in theirs]
        lines = ["0 pass", "1 draw pile", f"1 discard {spare}", "0 draw stock"]
        table = sandbox(tables, case, (kept, before), upcard, [drawn])
    elif upcard in mine:
        kept = [name for name in mine if name != upcard]
        lines = ["0 draw pile"]
        table = sandbox(tables, case, (kept, theirs), upcard, [])
    else:
        lines = ["0 pass", "1 pass", "0 draw stock"]
        first = upcard or free(mine, theirs)[-1]
        table = sandbox(tables, case, (kept, theirs), first, [drawn])
    table.play(*lines)
    return table


def code_of(answer):
    problem = answer.json
    return problem["errors"][0]["code"] if "errors" in problem else problem["code"]


class TestTurns:
    @pytest.mark.parametrize(("case", "given", "expected"), cases("turn", "play"))
    def test_play(self, tables, case, given, expected):
        table = sandbox(
            tables, case, given["hands"], given["upcard"], given["stock"], given["dealer"]
        )
        *before, last = given["actions"]
        for action in before:
            assert self.act(table, action).status_code in {200, 201}
        answer = self.act(table, last)
        if expected["legal"]:
            assert answer.status_code in {200, 201}, answer.json
        else:
            assert code_of(answer) in words.ERRORS[expected["error"]]
        self.compare(table, expected)

    def act(self, table, action):
        if action["action"] == "confirm":
            return table.put("/hands/1/confirmation", None, action["player"])
        return table.send(words.action_of(action))

    def compare(self, table, expected):
        view = table.view(expected["to_act"] or 0)
        hand, legal = view["hand"], view["you"]["legal"]
        over = expected["phase"] in {"over", "pending_confirmation"}
        phase = "hand_over" if view["phase"] == "game_over" else view["phase"]
        assert phase == words.PHASES[expected["phase"]]
        assert over or view["to_act_seats"] == [expected["to_act"]]
        assert hand["stock_count"] == expected["stock_left"]
        thrown = hand.get("knock", {}).get("discard", hand.get("top_discard"))
        assert thrown == expected["discard_top"]
        result = view.get("last_hand")
        wanted = expected["hand_result"]
        if wanted is None:
            assert result is None
        else:
            assert result["outcome"] == words.RESULTS[wanted["result"]]
            assert result["points"] == wanted["points"]
            assert result.get("winner_seat") == wanted.get("winner")
        assert legal["discard_count"] == expected.get("must_discard", 0)
        barred = [each["card"] for each in legal["barred"]]
        assert barred == [card for card in [expected.get("may_not_discard")] if card]
        sizes = [seat["card_count"] for seat in view["seats"]]
        assert sizes == expected.get("hand_sizes", sizes)


class TestScores:
    @pytest.mark.parametrize(("case", "given", "expected"), cases("score", "hand"))
    def test_hand(self, tables, case, given, expected):
        mine, theirs, upcard = given["knocker_hand"], given["defender_hand"], given["upcard"]
        body = {"action": given["declare"]}
        drawn = mine[-1] if mine[-1] != upcard else mine[0]
        if given["declare"] != "big_gin":
            drawn = next(name for name in free(mine, theirs) if name != upcard)
            mine, body["card"] = [*mine, drawn], drawn
        table = about_to_throw(tables, case, mine, theirs, upcard, drawn)
        if given["knocker_melds"] is not None:
            body["melds"] = [meld_named(meld) for meld in given["knocker_melds"]]
        answer = table.post("/moves", {**body, "move_number": table.next_move})
        if not expected["legal"]:
            assert code_of(answer) in words.ERRORS[expected["error"]]
            return
        assert answer.status_code == 201, answer.json
        if answer.json["game"]["phase"] == "lay_off":
            table.play("1 lay_off")
        result = table.view()["last_hand"]
        lines = {line["code"]: line["points"] for line in result["lines"]}
        assert {
            "legal": True,
            "result": result["outcome"],
            "winner": "knocker" if result["winner_seat"] == 0 else "defender",
            "knocker_deadwood": result["sides"][0]["deadwood"],
            "defender_deadwood": result["sides"][1]["deadwood"],
            "difference": lines["deadwood_difference"],
            "bonus": sum(points for code, points in lines.items() if code.endswith("_bonus")),
            "points": result["points"],
        } == expected


class TestLayOffs:
    def knocked(self, tables, case, melds, theirs):
        """A game in which seat 0 knocked with ``melds`` first, and the cheapest other cards.

        One meld alone would leave too much: three twos, which nobody's case is about, help it.
        """
        if len(melds) == 1:
            melds = [*melds, [name for name in free(*melds, theirs) if name[0] == "2"][:3]]
        melded = [name for meld in melds for name in meld]
        others = free(melded, theirs)
        mine = [*melded, *others[: HAND_SIZE - len(melded)]]
        drawn = others[-1]
        table = about_to_throw(tables, case, [*mine, drawn], theirs, None, drawn)
        laid_out = [meld_named(meld) for meld in melds]
        body = {"action": "knock", "card": drawn, "melds": laid_out}
        answer = table.post("/moves", {**body, "move_number": table.next_move})
        assert answer.status_code == 201, answer.json
        return table

    @pytest.mark.parametrize(("case", "given", "expected"), cases("layoff", "best"))
    def test_best(self, tables, case, given, expected):
        table = self.knocked(tables, case, given["knocker_melds"], given["defender_hand"])
        best = table.view(1)["you"]["legal"]["lay_offs"]["best"]
        assert best["deadwood"] == expected["defender_deadwood"]
        made = [{"card": card, "meld": meld} for card, meld in expected["witness"]["layoffs"]]
        body = {"move_number": table.next_move, "lay_offs": made}
        answer = table.post("/knocks/1/lay-offs", body, 1)
        assert answer.status_code == 201
        result = answer.json["game"]["last_hand"]
        assert result["sides"][1]["deadwood"] == expected["defender_deadwood"]

    @pytest.mark.parametrize(("case", "given", "expected"), cases("layoff", "legal"))
    def test_legal(self, tables, case, given, expected):
        card, melds = given["card"], given["knocker_melds"]
        melded = [name for meld in melds for name in meld]
        others = [name for name in reversed(free(melded)) if name != card]
        theirs = [card, *others[1:HAND_SIZE]]
        table = self.knocked(tables, case, melds, theirs)
        made = [{"card": card, "meld": given["meld"]}]
        body = {"move_number": table.next_move, "lay_offs": made}
        answer = table.post("/knocks/1/lay-offs", body, 1)
        if expected["legal"]:
            assert answer.status_code == 201
        else:
            assert code_of(answer) in {"layoff_not_possible", "meld_not_found"}


class TestKnockOptions:
    @pytest.mark.parametrize(("case", "given", "expected"), cases("knock", "options"))
    def test_options(self, tables, case, given, expected):
        mine, taken, upcard = given["hand"], given["taken_from_discard"], given["upcard"]
        theirs = [name for name in free(mine) if name != upcard][:HAND_SIZE]
        drawn = taken or next(name for name in reversed(mine) if name != upcard)
        table = about_to_throw(tables, case, mine, theirs, taken or upcard, drawn)
        view = table.view()
        legal = view["you"]["legal"]
        knocks = [knock for knock in legal["knocks"] if knock["kind"] != "big_gin"]
        least = min(each["deadwood"] for each in legal["discards"])
        assert {
            "limit": view["hand"]["knock_limit"],
            "deadwood_after_discard": {
                each["card"]: each["deadwood"] for each in legal["discards"]
            },
            "legal_knock_discards": sorted(knock["discard"] for knock in knocks),
            "gin_discards": sorted(knock["discard"] for knock in knocks if knock["kind"] == "gin"),
            "can_knock": bool(knocks),
            "can_gin": any(knock["kind"] == "gin" for knock in knocks),
            "big_gin_cards": view["you"]["best"]["deadwood"] == 0,
            "can_big_gin": any(knock["kind"] == "big_gin" for knock in legal["knocks"]),
            "best_discards": sorted(
                each["card"] for each in legal["discards"] if each["deadwood"] == least
            ),
        } == {
            key: sorted(value) if isinstance(value, list) else value
            for key, value in expected.items()
        }


def meld_named(names):
    mask = 0
    for name in names:
        mask |= 1 << parse_card(name)
    return meld_of(mask)
