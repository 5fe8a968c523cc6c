"""Each decision is judged by what its seat could know, and the numbers add up."""

from dataclasses import replace
from random import Random

import pytest

from engine.actions import Discard, Draw, DrawSource, Knock, KnockKind, LayOffs, Pass
from engine.cards import card_name, each_card, parse_card
from engine.game import Move, Mover, SeatKind, Setup, new_game
from engine.notation import parse_action
from engine.players import advisor
from engine.players import worth as stock
from engine.players.analysis import Analyst, NotValued, analyse
from engine.players.levels import ADVISORS, LEVELS
from engine.players.outlook import unseen
from engine.players.suggestions import Suggestion
from engine.players.verdicts import MoveAnalysis, seat_analyses
from engine.progress import apply, begin
from engine.rules import STANDARD
from engine.views import view
from tests.random_games import GAMES, steps
from tests.tables import AGAINST_MELDED, ALL_MELDED, discarding, play, stock_runs_down, table
from tests.valuing import ANALYST, KNOCKING, PASSING, advise, worth_of_draws

PASSED = ("0 pass", "1 pass")
DRAWN = (*PASSED, "0 draw stock")
KNOCKED = (*DRAWN, "0 knock KS")


def played(game, *lines, by=Mover.PLAYER):
    """The moves that ``lines`` make of ``game``, and what follows from them."""
    moves = ()
    for line in lines:
        seat, _, words = line.partition(" ")
        made = apply(game, int(seat), parse_action(words), by)
        game, moves = made.game, moves + made.moves
    return moves


def found(game, *lines, by=Mover.PLAYER, analyst=ANALYST):
    return list(analyse(game, played(game, *lines, by=by), analyst))


def last(game, *lines, **options):
    return found(game, *lines, **options)[-1].decision


class TestADecision:
    def test_tells_what_its_seat_held_and_saw_and_what_it_did(self):
        game = table()
        decision = last(game, *DRAWN, "0 discard TS")
        assert (decision.hand_number, decision.move_number, decision.turn) == (1, 4, 1)
        assert (decision.seat, decision.top_discard) == (0, parse_card("JS"))
        assert decision.cards == game.hand.holdings[0] | 1 << parse_card("KS")
        assert decision.played == Discard(parse_card("TS"))

    def test_has_all_options_in_order_with_their_values(self):
        decision = last(table(), *DRAWN, "0 discard KS")
        assert len(decision.options) == 11 + 2
        values = [option.value for option in decision.options]
        assert values == sorted(values, reverse=True)
        assert isinstance(decision.options[0].action, Knock)

    def test_that_is_the_best_loses_nothing(self):
        for line in ("0 knock KS", "0 knock KS AC2C3C 7H8H9H 4D5D6D"):
            decision = last(table(), *DRAWN, line)
            assert (decision.loss, decision.verdict) == (0, "best")

    def test_loses_the_value_of_the_best_less_its_own(self):
        decision = last(table(), *DRAWN, "0 discard TS")
        # A knock with ten is worth ten; the king is kept, and with it ten points of deadwood.
        assert decision.loss == KNOCKING - 10 + 10
        assert decision.verdict == "blunder"

    def test_is_a_computers_too(self):
        assert last(table(), *DRAWN, "0 discard TS", by=Mover.AI).loss == 20

    def test_is_not_what_the_clock_did(self):
        said = found(table(), *DRAWN, "0 discard TS", by=Mover.CLOCK)
        assert [each.decision for each in said] == [None] * 4
        assert said[2].draw is not None

    def test_is_not_what_could_not_be_otherwise(self):
        """After both refused the upcard only the stock is left."""
        assert [each.decision is None for each in found(table(), *DRAWN)] == [False, False, True]

    def test_is_not_what_follows_from_another(self):
        game = stock_runs_down(play(table(), *PASSED), 3)
        seat = game.hand.to_act
        drawn_card = card_name(game.hand.stock[0])
        *_, thrown, drawn = found(game, f"{seat} draw stock", f"{seat} discard {drawn_card}")
        assert (thrown.decision is None, drawn) == (False, MoveAnalysis(drawn.number))
        optimal = table(replace(STANDARD, layoff="optimal"))
        knocked, laid_off = found(optimal, *KNOCKED)[-2:]
        assert knocked.decision is not None
        assert laid_off.decision is None

    def test_cannot_be_judged_without_values(self):
        mute = Analyst(advisor.advise, worth_of_draws)
        with pytest.raises(NotValued):
            found(table(), "0 pass", analyst=mute)


class TestADraw:
    def test_of_the_top_is_that_option_however_it_was_asked_for(self):
        jack = parse_card("JS")
        for line in ("0 draw pile", "0 draw pile JS"):
            decision = last(table(), line)
            assert decision.played == Draw(DrawSource.DISCARD_PILE)
            assert decision.loss == max(0, PASSING - jack)

    def test_refused_is_a_pass(self):
        decision = last(table(), "0 pass")
        assert decision.played == Pass()
        assert decision.loss == parse_card("JS") - PASSING

    def test_of_a_buried_card_is_its_own_option(self):
        rules = replace(STANDARD, multi_pickup=True)
        far = "AD 3D 5H 7D KD TD KC 7S 6C QD"
        game = table(rules, second=far, upcard="KH", stock="QS KS 4S")
        decision = last(game, *PASSED, "0 draw stock", "0 discard QS", "1 draw pile KH")
        king = parse_card("KH")
        assert decision.played == Draw(DrawSource.DISCARD_PILE, king)
        assert decision.options[0].value - decision.loss == king
        throwing = found(
            game, *PASSED, "0 draw stock", "0 discard QS", "1 draw pile KH",
            "1 discard 3D", "1 discard 5H",
        )  # fmt: skip
        assert [each.decision.played for each in throwing[-2:]] == [
            Discard(parse_card("3D")), Discard(parse_card("5H"))
        ]  # fmt: skip


class TestAKnock:
    def test_loses_what_its_own_lay_out_wastes(self):
        game = table(first="AC 2C 3C 4D 5D 6D 7H 8H 9H AS")
        decision = last(game, *DRAWN, "0 knock KS 4D5D6D 7H8H9H")
        assert decision.played.melds == tuple(
            sum(1 << parse_card(name) for name in names.split())
            for names in ("4D 5D 6D", "7H 8H 9H")
        )
        assert decision.loss == 1 + 2 + 3

    def test_that_might_have_been_gin_loses_the_bonus_as_well(self):
        second = "TS 5C 8D 9D JD JH QH KH 2S 3S"
        gin = table(first="AC 2C 3C 4C 4D 5D 6D 7H 8H 9H", second=second)
        decision = last(gin, *DRAWN, "0 knock KS 2C3C4C 4D5D6D 7H8H9H")
        assert decision.played.kind is KnockKind.KNOCK
        assert decision.loss == 1 + STANDARD.gin_bonus

    def test_counts_double_where_the_hand_does(self):
        rules = replace(STANDARD, spade_doubles="all")
        game = table(rules, first="AC 2C 3C 4D 5D 6D 7H 8H 9H AS")
        assert last(game, *DRAWN, "0 knock KS 4D5D6D 7H8H9H").loss == 2 * 6

    def test_that_is_not_listed_wastes_what_it_leaves_more_than_the_one_that_is(self):
        def only_the_best(shown):
            knocks = [each for each in advise(shown) if isinstance(each.action, Knock)]
            return (*knocks[:1], *(each for each in advise(shown) if each not in knocks))

        one = Analyst(only_the_best, worth_of_draws)
        game = table(first="AC 2C 3C 4D 5D 6D 7H 8H 9H AS", stock="5S QS 4S")
        assert last(game, *DRAWN, "0 knock 5S", analyst=one).loss == 0
        assert last(game, *DRAWN, "0 knock AS", analyst=one).loss == 5 - 1

    def test_of_gin_where_big_gin_is_listed_loses_what_that_brings_more(self):
        def only_the_best(shown):
            knocks = [each for each in advise(shown) if isinstance(each.action, Knock)]
            whole = [each for each in knocks if each.action.discard is None]
            return (*whole, *(each for each in advise(shown) if each not in knocks))

        rules = replace(STANDARD, big_gin=True)
        game = discarding(ALL_MELDED, AGAINST_MELDED, rules)
        decision = last(game, "0 gin AC", analyst=Analyst(only_the_best, worth_of_draws))
        assert decision.loss == rules.big_gin_bonus - rules.gin_bonus

    def test_is_worth_the_least_where_none_is_listed(self):
        none = Analyst(
            lambda shown: (Suggestion(Pass(), value=9.0), Suggestion(Draw("stock"), value=-2.0)),
            worth_of_draws,
        )
        assert last(table(), *DRAWN, "0 knock KS", analyst=none).loss == 11

    def test_of_all_cards_is_big_gin(self):
        game = discarding(ALL_MELDED, AGAINST_MELDED, replace(STANDARD, big_gin=True))
        decision = last(game, "0 big_gin")
        assert (decision.played.kind, decision.loss) == (KnockKind.BIG_GIN, 0)


class TestALayOff:
    def test_that_is_the_best_loses_nothing_whatever_its_order(self):
        for line in ("1 lay_off", "1 lay_off 4C>0 5C>0"):
            decision = last(table(), *KNOCKED, line)
            assert isinstance(decision.played, LayOffs)
            assert decision.loss == 0

    def test_loses_the_points_that_the_best_would_have_saved(self):
        assert last(table(), *KNOCKED, "1 lay_off -").loss == 4 + 5
        assert last(table(), *KNOCKED, "1 lay_off 4C>0").loss == 5

    def test_needs_no_value_for_all_cards_lie_open(self):
        mute = Analyst(
            lambda shown: tuple(replace(each, value=None) for each in advise(shown)), worth_of_draws
        )
        game = play(table(), *KNOCKED)
        decision = last(game, "1 lay_off 4C>0", analyst=mute)
        best = played(game, "1 lay_off")[-1].event.result
        assert [each.value for each in decision.options] == [-best.points]
        assert decision.loss == 5

    def test_loses_an_undercut_with_all_that_it_brings(self):
        """Two points are left of the best, nine of none; an undercut with 2 to 10 is lost."""
        undercut = "4C 5C 6C 7C 7D 8D 9D TD AH AS"
        game = table(second=undercut)
        best = last(game, *KNOCKED, "1 lay_off")
        assert best.loss == 0
        worse = last(game, *KNOCKED, "1 lay_off - melds -")
        scores = [
            played(game, *KNOCKED, line)[-1].event.result
            for line in ("1 lay_off", "1 lay_off - melds -")
        ]
        assert [each.winner for each in scores] == [1, 0]
        assert worse.loss == sum(each.points for each in scores)

    def test_is_no_decision_where_nothing_fits_and_nothing_melds(self):
        far = "KC KD QH QS JC 9S 8S 8C 2D 2H"
        game = table(second=far, stock="KS 6S 4S")
        assert last(game, *KNOCKED, "1 lay_off") is None


class TestTheLuckOfADraw:
    def test_is_the_worth_of_the_card_less_the_mean_over_all_not_seen(self):
        game = table()
        draw = found(game, *DRAWN)[-1].draw
        shown = view(game, 0)
        cards = list(each_card(unseen(shown)))
        worth = worth_of_draws(shown, cards)
        assert (draw.seat, card_name(draw.card), draw.turn) == (0, "KS", 1)
        mean = sum(worth) / len(worth)
        assert draw.luck == round(worth[cards.index(draw.card)] - mean, 2)

    def test_is_nothing_in_the_mean(self):
        """Whatever lies on top of the stock: over all cards that it might be luck adds up to 0."""
        other = "4C 5C 8D 9D JD JH QH KH 2S 3S"
        game = table()
        hidden = [card_name(card) for card in each_card(unseen(view(game, 0)))]
        luck = []
        for name in hidden:
            second = other if name not in other.split() else other.replace(name, "4S")
            dealt = table(second=second, stock=name)
            luck.append(found(dealt, *DRAWN)[-1].draw.luck)
        assert len(luck) == 41
        assert abs(sum(luck)) < 0.01 * len(luck)

    def test_is_of_draws_from_the_stock_alone(self):
        assert found(table(), "0 draw pile")[-1].draw is None


class TestWhatItIsJudgedBy:
    def test_is_what_the_seat_saw_then(self):
        game, shown = table(), []

        def watching(seen):
            shown.append(seen)
            return advise(seen)

        lines = (
            *DRAWN,
            "0 discard TS",
            "1 draw pile",
            "1 discard KH",
            "0 draw stock",
            "0 knock KS",
        )
        found(game, *lines, analyst=Analyst(watching, worth_of_draws))
        expected = []
        for line in lines:
            seat = int(line[0])
            expected.append(view(game, seat))
            game = apply(game, seat, parse_action(line[2:])).game
        assert shown == expected

    def test_is_not_what_lay_hidden(self):
        """The same moves against another hand and another stock are judged the same."""
        lines = (*DRAWN, "0 discard TS")
        one = found(table(), *lines)
        other = found(table(second="4S 5S 8C 9C JC TC QC KC 2H 3H", stock="KS QD 4H"), *lines)
        assert one[0] == other[0]
        assert one[2:] == other[2:]


class TestAWholeGame:
    @pytest.mark.parametrize("seed", range(max(1, GAMES // 2)))
    def test_adds_up_and_can_be_taken_in_parts(self, seed):
        made = list(steps(seed))
        start = made[0]
        moves = [entry for step in made for entry in step.log if isinstance(entry, Move)]
        whole = list(analyse(new_game(start.game.setup), moves, ANALYST))
        assert [each.number for each in whole] == [move.number for move in moves]
        self.check(whole)
        half = moves[len(moves) // 2].number
        rest = list(analyse(new_game(start.game.setup), moves, ANALYST, after=half))
        assert rest == [each for each in whole if each.number > half]
        numbers = {move.hand_number for move in moves}
        by_hand = [
            each
            for number in sorted(numbers)
            for each in analyse(new_game(start.game.setup), moves, ANALYST, hand_number=number)
        ]
        assert by_hand == whole

    def check(self, whole):
        decisions = [each.decision for each in whole if each.decision]
        assert decisions
        for each in decisions:
            assert each.loss >= 0
            assert each.loss == 0 or each.verdict != "best"
            if not isinstance(each.played, LayOffs):
                assert self.listed(each), each
        sums = seat_analyses(range(4), whole)
        assert sum(each.decisions for each in sums) == len(decisions)
        assert sum(each.loss for each in sums) == pytest.approx(
            sum(each.loss for each in decisions), abs=1e-6
        )
        luck = sum(each.draw.luck for each in whole if each.draw)
        assert sum(each.luck for each in sums) == pytest.approx(luck, abs=1e-6)
        assert all(0 <= each.accuracy <= 100 for each in sums)

    def listed(self, decision):
        options = [option.action for option in decision.options]
        if isinstance(decision.played, Knock):
            thrown = [each.discard for each in options if isinstance(each, Knock)]
            return decision.played.discard in thrown
        return decision.played in options


class TestTheMaster:
    def test_loses_nothing_as_it_plays_what_it_advises_and_others_do(self):
        rng = Random("analysis")
        setup = Setup("g_analysis", STANDARD, (SeatKind.AI, SeatKind.AI), rng.randbytes(32))
        made = begin(setup)
        game, moves = made.game, made.moves
        while not game.over and len(game.hands) < 3:
            seat = game.to_act_seats[0]
            level = LEVELS[("master", "easy")[seat]]
            made = apply(game, seat, level.choose(view(game, seat), rng), Mover.AI)
            game, moves = made.game, moves + made.moves
        judged = analyse(new_game(setup), moves, Analyst(ADVISORS["master"], stock.worth_of_draws))
        master, easy = seat_analyses((0, 1), judged)
        assert (master.loss, master.accuracy) == (0, 100)
        assert easy.loss > 0
        assert easy.accuracy < 100
        assert 0 not in (master.luck, easy.luck)
