"""Every case of the case file that can be played, through the engine as a whole."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from engine.agreements import confirm
from engine.cards import card_name, card_names, parse_card, parse_cards
from engine.columns import ScoredHand
from engine.errors import BadInput, EngineError
from engine.game import new_game, next_pairing
from engine.layoffs import LayOff, apply_lay_offs, best_lay_offs, lay_off
from engine.legal import legal
from engine.melds import arrangements, best_arrangement, deadwood, parse_meld
from engine.rules import knock_limit
from engine.score_sheet import TableResult, correction_stands, net_of_tables
from engine.scoring import HandOutcome
from engine.seating import first_pairing
from engine.seating import next_pairing as next_pairing_of
from engine.settlement import settle
from engine.shuffle import draw_for_dealer
from engine.views import view
from tests.cases import words
from tests.tables import discarding, play, refusal, setup, table

CASES = json.loads(
    (Path(__file__).parents[1] / "cases" / "rules_cases.json").read_text(encoding="utf-8")
)["cases"]


def cases(kind, op):
    return [
        pytest.param(case, case["input"], case["expected"], id=case["id"])
        for case in CASES
        if (case["kind"], case["op"]) == (kind, op)
    ]


def melds_of(names):
    return [parse_cards(meld) for meld in names]


def as_layout(arrangement):
    return {frozenset(card_names(meld.cards)) for meld in arrangement.melds}


class TestTheCaseFile:
    def test_is_run_for_every_kind_and_operation(self):
        run = {
            ("meld", "best"),
            ("meld", "valid"),
            ("knock", "options"),
            ("layoff", "best"),
            ("layoff", "legal"),
            ("score", "hand"),
            ("turn", "play"),
            ("turn", "first_dealer"),
            ("turn", "view"),
            ("match", "settle"),
            ("match", "rotation3"),
            ("match", "team_hand"),
            ("match", "correction"),
        }
        assert {(case["kind"], case["op"]) for case in CASES} == run
        here = [param for kind, op in run for param in cases(kind, op)]
        assert len(here) == len(CASES) == 144


class TestMelds:
    @pytest.mark.parametrize(("case", "given", "expected"), cases("meld", "best"))
    def test_best(self, case, given, expected):
        cards = parse_cards(given["cards"])
        wanted = [set(map(frozenset, layout)) for layout in expected["optimal_arrangements"]]
        found = [as_layout(each) for each in arrangements(cards)]
        assert deadwood(cards) == best_arrangement(cards).deadwood == expected["deadwood"]
        assert set(map(frozenset, found)) == set(map(frozenset, wanted))
        assert len(found) == len(wanted)

    @pytest.mark.parametrize(("case", "given", "expected"), cases("meld", "valid"))
    def test_valid(self, case, given, expected):
        try:
            parse_meld(parse_cards(given["cards"]))
        except BadInput:
            valid = False
        else:
            valid = True
        assert valid == expected["valid"]


class TestKnocks:
    @pytest.mark.parametrize(("case", "given", "expected"), cases("knock", "options"))
    def test_options(self, case, given, expected):
        rules = words.rules_of(case)
        held = parse_cards(given["hand"])
        others = [name for name in card_names(~held & (1 << 52) - 1) if name != given["upcard"]]
        game = discarding(
            " ".join(given["hand"]),
            " ".join(others[:10]),
            rules,
            upcard=given["upcard"],
            taken=given["taken_from_discard"],
        )
        options = legal(game, 0)
        knocks = [knock for knock in options.knocks if knock.discard is not None]
        least = min(each.deadwood for each in options.discards)

        def names(chosen):
            return sorted(map(card_name, chosen))

        left = {card_name(each.card): each.deadwood for each in options.discards}
        wanted = {
            key: sorted(value) if isinstance(value, list) else value
            for key, value in expected.items()
        }

        assert {
            "limit": knock_limit(rules, game.hand.upcard),
            "deadwood_after_discard": left,
            "legal_knock_discards": names(knock.discard for knock in knocks),
            "gin_discards": names(knock.discard for knock in knocks if knock.kind == "gin"),
            "can_knock": bool(knocks),
            "can_gin": any(knock.kind == "gin" for knock in knocks),
            "big_gin_cards": deadwood(held) == 0,
            "can_big_gin": any(knock.kind == "big_gin" for knock in options.knocks),
            "best_discards": names(
                each.card for each in options.discards if each.deadwood == least
            ),
        } == wanted


class TestLayOffs:
    @pytest.mark.parametrize(("case", "given", "expected"), cases("layoff", "best"))
    def test_best(self, case, given, expected):
        melds = [parse_meld(meld) for meld in melds_of(given["knocker_melds"])]
        cards = parse_cards(given["defender_hand"])
        witness = [LayOff(parse_card(card), meld) for card, meld in expected["witness"]["layoffs"]]
        best = best_lay_offs(melds, cards)
        assert best.deadwood == expected["defender_deadwood"]
        assert deadwood(cards) == expected["without_layoffs"]
        assert apply_lay_offs(melds, cards, best.lay_offs).deadwood == best.deadwood
        assert apply_lay_offs(melds, cards, witness).deadwood == best.deadwood

    @pytest.mark.parametrize(("case", "given", "expected"), cases("layoff", "legal"))
    def test_legal(self, case, given, expected):
        melds = [parse_meld(meld) for meld in melds_of(given["knocker_melds"])]
        try:
            lay_off(melds, parse_card(given["card"]), given["meld"])
        except EngineError:
            legal_lay_off = False
        else:
            legal_lay_off = True
        assert legal_lay_off == expected["legal"]


def knocked(case):
    """The game before the knock of a scoring case, and the knock in words."""
    given = case["input"]
    held, against = given["knocker_hand"], given["defender_hand"]
    declare = [given["declare"]]
    if given["declare"] != "big_gin":
        free = [name for name in card_names((1 << 52) - 1) if name not in held + against]
        thrown = next(name for name in free if name != given["upcard"])
        held, declare = [*held, thrown], [given["declare"], thrown]
    game = discarding(
        " ".join(held), " ".join(against), words.rules_of(case), upcard=given["upcard"]
    )
    melds = ["".join(meld) for meld in given["knocker_melds"] or []]
    return game, " ".join(["0", *declare, *melds])


class TestScores:
    @pytest.mark.parametrize(("case", "given", "expected"), cases("score", "hand"))
    def test_hand(self, case, given, expected):
        game, line = knocked(case)
        if not expected["legal"]:
            assert refusal(game, line).code in words.ERRORS[expected["error"]]
            return
        game = play(game, line)
        if game.phase == "lay_off":
            game = play(game, "1 lay_off")
        result = game.last_result
        lines = {each.code: each.points for each in result.lines}
        assert {
            "legal": True,
            "result": result.outcome,
            "winner": "knocker" if result.winner == result.knocker else "defender",
            "knocker_deadwood": result.sides[0].deadwood,
            "defender_deadwood": result.sides[1].deadwood,
            "difference": lines["deadwood_difference"],
            "bonus": sum(points for code, points in lines.items() if code.endswith("_bonus")),
            "points": result.points,
        } == expected


def dealt(case):
    given = case["input"]
    first, second = map(" ".join, given["hands"])
    return table(
        words.rules_of(case),
        first,
        second,
        dealer=given["dealer"],
        upcard=given["upcard"],
        stock=" ".join(given["stock"]),
    )


def acted(game, *actions):
    for action in actions:
        if action["action"] == "confirm":
            game = confirm(game, action["player"]).game
        else:
            game = play(game, words.action_of(action))
    return game


def top_discard(hand):
    """The case file lays the discard of a knock on the pile; with us it belongs to the knock."""
    if hand.knock is not None and hand.knock.discard is not None:
        return card_name(hand.knock.discard)
    return card_name(hand.discard_pile[-1]) if hand.discard_pile else None


def outcome(game):
    result = game.last_result
    if result is None:
        return None
    winner = {} if result.winner is None else {"winner": result.winner}
    return {"result": result.outcome, "points": result.points, **winner}


class TestTurns:
    @pytest.mark.parametrize(("case", "given", "expected"), cases("turn", "play"))
    def test_play(self, case, given, expected):
        *before, last = given["actions"]
        game = acted(dealt(case), *before)
        if expected["legal"]:
            game = acted(game, last)
        else:
            assert refusal(game, words.action_of(last)).code in words.ERRORS[expected["error"]]
        hand = game.hand
        phase = game.phase if game.unconfirmed_seats else hand.phase
        assert phase == words.PHASES[expected["phase"]]
        assert (None if hand.over else hand.to_act) == expected["to_act"]
        assert len(hand.stock) == expected["stock_left"]
        assert top_discard(hand) == expected["discard_top"]
        wanted = expected["hand_result"]
        if wanted is not None:
            wanted = {**wanted, "result": words.RESULTS[wanted["result"]]}
        assert outcome(game) == wanted
        options = legal(game, hand.to_act)
        assert options.discard_count == expected.get("must_discard", 0)
        barred = [card_name(each.card) for each in options.barred]
        assert barred == [card for card in [expected.get("may_not_discard")] if card]
        sizes = [held.bit_count() for held in hand.holdings]
        assert sizes == expected.get("hand_sizes", sizes)
        stock = sorted(map(card_name, hand.stock))
        assert stock == sorted(expected.get("stock_is_permutation_of", stock))

    @pytest.mark.parametrize(("case", "given", "expected"), cases("turn", "view"))
    def test_view(self, case, given, expected):
        shown = view(play(dealt(case), *map(words.action_of, given["actions"])), given["viewer"])
        pile = list(map(card_name, shown.hand.discard_pile))
        assert {
            "discard_top": pile[-1],
            "discard_count": len(pile),
            "discards_below_top": pile[:-1],
            "initial_upcard": card_name(shown.hand.upcard),
            "limit": shown.hand.knock_limit,
        } == expected

    @pytest.mark.parametrize(("case", "given", "expected"), cases("turn", "first_dealer"))
    def test_first_dealer(self, case, given, expected):
        drawn = [parse_card(name) for draws in given["draws"] for name in draws if name]
        seats = len(given["draws"][0])
        if expected["redraw"]:
            # Nothing is decided: the two that are tied draw again, and the lower of them deals.
            draws, dealer = draw_for_dealer([*drawn, *map(parse_card, ("KS", "AD"))], seats)
            assert ([draw.seat for draw in draws], dealer) == ([0, 1, 2, 0, 1], 1)
            return
        draws, dealer = draw_for_dealer(drawn, seats)
        assert dealer == expected["dealer"]
        # The draw ends where it is decided; what the case file draws after that is not looked at.
        assert [draw.card for draw in draws] == drawn[: len(draws)]


def settled(case):
    """The game of a settling case after its last hand: only its dealers and scores matter here."""
    rules = words.rules_of(case)
    if rules.first_dealer == "draw":
        rules = replace(rules, first_dealer="seat0")  # the case file's word for no matter who
    game = new_game(setup(rules))
    hand = table().hand
    for number, scored in enumerate(case["input"]["hands"], 1):
        dealer = next_pairing(game).dealer
        winner = scored["winner"]
        outcome = HandOutcome.DRAWN if winner is None else HandOutcome.KNOCK
        entry = ScoredHand(number, outcome, winner, winner, scored["points"])
        dealt_hand = replace(hand, number=number, dealer=dealer, nondealer=1 - dealer)
        game = replace(
            game, hand=replace(dealt_hand, phase="hand_over"), hands=(*game.hands, entry)
        )
    return game


def settled_column(column):
    """A column, or the one of an ordinary game, in the words of the case file."""
    running = {row.seat: row.running_total for row in column.rows}
    found = {
        "scores": [running.get(seat, 0) for seat in (0, 1)],
        "hands_won": [total.boxes for total in column.totals],
        "over": column.complete,
        "winner": column.winner,
    }
    if column.complete:
        winner, loser = column.totals[column.winner], column.totals[1 - column.winner]
        found["shutout"] = loser.hand_points == 0
        found["final"] = [total.total for total in column.totals]
        found["margin"] = winner.total - loser.total
    return found


def settled_columns(score):
    """A score of Hollywood in the words of the case file, where only closed columns count."""
    closed = [column.totals for column in score.columns if column.complete]
    return {
        "columns": [settled_column(column) for column in score.columns],
        "over": score.complete,
        "net_to_player_0": sum(totals[0].total - totals[1].total for totals in closed),
    }


class TestGames:
    @pytest.mark.parametrize(("case", "given", "expected"), cases("match", "settle"))
    def test_settle(self, case, given, expected):
        game = settled(case)
        score = settle(game.rules, 2, game.hands)
        next_dealer = None if score.complete else next_pairing(game).dealer
        if game.rules.hollywood:
            found = settled_columns(score)
            if score.complete:
                net = found["net_to_player_0"]
                assert score.winner == (None if net == 0 else int(net < 0))
                assert score.margin == abs(net)
        else:
            [column] = score.columns
            found = settled_column(column)
            assert (score.winner, score.margin) == (found["winner"], found.get("margin"))
        assert {**found, "next_dealer": next_dealer} == expected

    @pytest.mark.parametrize(("case", "given", "expected"), cases("match", "rotation3"))
    def test_rotation3(self, case, given, expected):
        rules, winners = words.rules_of(case), iter(given.get("results", []))
        pairing, found = first_pairing(given["players"], 0), []
        for _ in expected["table"]:
            playing = {pairing.dealer, pairing.nondealer}
            [sits_out] = set(range(given["players"])) - playing
            found.append(
                {
                    "sits_out": sits_out,
                    "dealer": pairing.dealer,
                    "non_dealer": pairing.nondealer,
                }
            )
            winner = next(winners, {"winner": None})["winner"]
            pairing = next_pairing_of(rules, given["players"], pairing, winner)
        assert found == expected["table"]

    @pytest.mark.parametrize(("case", "given", "expected"), cases("match", "team_hand"))
    def test_team_hand(self, case, given, expected):
        net = net_of_tables(TableResult(**each) for each in given["tables"])
        assert asdict(net) == expected

    @pytest.mark.parametrize(("case", "given", "expected"), cases("match", "correction"))
    def test_correction(self, case, given, expected):
        stands = correction_stands(
            next_hand_dealt=given["next_hand_dealt"],
            confirmed_by=given["confirmed_by"],
            players=(0, 1),
        )
        points = given["new_points"] if stands else given["old_points"]
        assert {"accepted": stands, "points": points} == expected
