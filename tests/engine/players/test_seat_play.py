from dataclasses import replace
from random import Random

import pytest

from engine.actions import DealHand, Discard, Draw, DrawSource, Knock, KnockKind, LayOffs, Pass
from engine.cards import card_name, parse_card
from engine.hand import Phase
from engine.players.seat_play import SeatPlay, best_knock, knock_of
from engine.players.sparring import POLICIES
from engine.players.weighing import EXPERT, HARD
from engine.progress import apply
from engine.rules import PRESETS, STANDARD
from engine.views import view
from tests.positions import Scripted
from tests.random_games import looked_at, refusal
from tests.tables import (
    AGAINST_MELDED,
    ALL_MELDED,
    GIN,
    discarding,
    play,
    stock_runs_down,
    table,
)

STOCK, PILE = Draw(DrawSource.STOCK), Draw(DrawSource.DISCARD_PILE)
TWO_JACKS = "4C 5C 8D 9D JD JH QC KH 2S 3S"


def choice(game, policy, seat=None):
    seat = game.hand.to_act if seat is None else seat
    return SeatPlay(policy)(view(game, seat), Random(1))


class TestTheFirstUpcard:
    def test_is_taken_or_passed_as_the_policy_says(self):
        assert choice(table(), Scripted(taking=True)) == PILE
        assert choice(table(), Scripted(taking=False)) == Pass()
        assert choice(play(table(), "0 pass"), Scripted(taking=False)) == Pass()

    def test_is_what_the_policy_is_shown(self):
        policy = Scripted()
        choice(table(), policy)
        ((asked, seen),) = policy.asked
        assert (asked, card_name(int(seen.top[0]))) == ("takes", "JS")

    def test_is_drawn_past_where_nobody_offers_it(self):
        free = table(replace(STANDARD, opening="free"))
        assert choice(free, Scripted(taking=False)) == STOCK
        assert choice(free, Scripted(taking=True)) == PILE


class TestADraw:
    def test_is_from_the_stock_without_a_question_where_that_has_to_be(self):
        policy = Scripted(taking=True)
        assert choice(play(table(), "0 pass", "1 pass"), policy) == STOCK
        assert policy.asked == []

    def test_is_from_pile_or_stock_as_the_policy_says(self):
        game = play(table(), "0 draw pile", "0 discard TS")
        assert choice(game, Scripted(taking=True)) == PILE
        assert choice(game, Scripted(taking=False)) == STOCK

    def test_is_from_the_pile_where_there_is_no_stock(self):
        game = play(table(), "0 draw pile", "0 discard TS")
        game = replace(game, hand=replace(game.hand, stock=()))
        policy = Scripted(taking=False)
        assert choice(game, policy) == PILE
        assert policy.asked == []

    def test_is_of_the_buried_card_that_saves_most_and_names_it(self):
        rules = replace(STANDARD, multi_pickup=True)
        game = play(table(rules, second=TWO_JACKS), "0 pass", "1 pass")
        game = play(game, "0 draw stock", "0 discard KS")
        assert choice(game, Scripted()) == Draw(DrawSource.DISCARD_PILE, parse_card("JS"))


class TestADiscard:
    HELD = "AC 2C 3C 4D 5D 6D 7H 8H 9S TS KS"

    def test_is_the_card_of_the_policy(self):
        game = discarding(self.HELD)
        assert choice(game, Scripted(card="7H")) == Discard(parse_card("7H"))

    def test_of_several_that_are_owed_is_the_best_without_a_question(self):
        rules = replace(STANDARD, multi_pickup=True)
        game = play(table(rules, second=TWO_JACKS), "0 pass", "1 pass", "0 draw stock")
        game = play(game, "0 discard KS", "1 draw pile JS")
        policy = Scripted(card="KS")
        first = choice(game, policy)
        assert policy.asked == []
        shown = view(game, 1)
        assert first == Discard(shown.you.legal.discards[0].card)
        last = apply(game, 1, first).game
        assert choice(last, policy) == Discard(parse_card("KS"))
        assert [asked for asked, _ in policy.asked] == ["throws"]

    def test_of_a_hand_that_has_grown_is_the_card_of_the_policy(self):
        rules = replace(STANDARD, multi_pickup=True, multi_pickup_return="grow")
        game = play(table(rules, second=TWO_JACKS), "0 pass", "1 pass", "0 draw stock")
        game = play(game, "0 discard KS", "1 draw pile JS")
        policy = Scripted(card="KH")
        assert choice(game, policy) == Discard(parse_card("KH"))
        ((_, seen),) = policy.asked
        assert int(seen.cards[0]).bit_count() == 12


class TestAKnock:
    HELD = "AC 2C 3C 4D 5D 6D 7H 8H 9H TS KS"

    def test_throws_the_card_of_the_policy(self):
        policy = Scripted(card="TS", knocking=True)
        assert choice(discarding(self.HELD), policy) == Knock(KnockKind.KNOCK, parse_card("TS"))

    def test_is_left_where_the_policy_plays_on(self):
        policy = Scripted(card="KS", knocking=False)
        assert choice(discarding(self.HELD), policy) == Discard(parse_card("KS"))

    def test_that_leaves_nothing_is_gin_without_a_question(self):
        policy = Scripted(card="KS")
        gin = choice(discarding(self.HELD.replace("TS", "TH")), policy)
        assert gin == Knock(KnockKind.GIN, parse_card("KS"))
        assert policy.asked == []

    @pytest.mark.parametrize(
        ("bonus", "big_bonus", "kind"),
        [
            (25, 31, KnockKind.BIG_GIN),
            (25, 24, KnockKind.GIN),
            (0, 0, KnockKind.BIG_GIN),
            (100, 0, KnockKind.GIN),
        ],
    )
    def test_with_all_eleven_melded_is_the_gin_with_the_larger_bonus(self, bonus, big_bonus, kind):
        rules = replace(STANDARD, big_gin=True, gin_bonus=bonus, big_gin_bonus=big_bonus)
        gin = choice(discarding(ALL_MELDED, AGAINST_MELDED, rules), Scripted())
        assert gin.kind is kind
        assert (gin.discard is None) == (kind is KnockKind.BIG_GIN)

    def test_is_the_one_with_the_least_deadwood_where_several_are_open(self):
        shown = view(discarding(self.HELD), 0)
        best = best_knock(shown.you.legal.knocks, STANDARD)
        assert best.deadwood == min(each.deadwood for each in shown.you.legal.knocks)
        assert knock_of(best) == Knock(KnockKind.KNOCK, best.discard)
        assert best_knock((), STANDARD) is None

    def test_is_never_above_a_limit_of_nothing(self):
        straight = PRESETS["straight"]
        game = discarding(self.HELD, rules=straight)
        assert isinstance(choice(game, EXPERT), Discard)
        gin = discarding(self.HELD.replace("TS", "TH"), rules=straight)
        assert choice(gin, EXPERT).kind is KnockKind.GIN
        for policy in (EXPERT, POLICIES["simple"], POLICIES["camper"]):
            done = choice(discarding(self.HELD, rules=replace(STANDARD, knock_limit=0)), policy)
            assert isinstance(done, Discard)


class TestTheWall:
    WALL = replace(STANDARD, last_discard="knock_only")

    def at_the_wall(self, second):
        game = play(table(self.WALL, second=second), "0 pass", "1 pass")
        return stock_runs_down(game, 2)

    def test_is_passed_by_who_could_not_knock_with_the_last_discard(self):
        policy = Scripted(taking=True)
        assert choice(self.at_the_wall("4C 5C 8D 9D JD JH QH KH 2S 3S"), policy) == Pass()
        assert policy.asked == []

    def test_has_its_card_taken_to_knock_and_the_knock_follows(self):
        game = self.at_the_wall("4C 5C 6C 8D 9D TD 6S 7S KH 2S")
        assert choice(game, Scripted(taking=False)) == PILE
        game = play(game, "1 draw pile")
        assert choice(game, Scripted()) == Knock(KnockKind.KNOCK, parse_card("KH"))

    def test_has_a_card_put_back_that_nobody_can_knock_with(self):
        game = play(self.at_the_wall("4C 5C 8D 9D JD JH QH KH 2S 3S"), "1 draw pile")
        assert choice(game, Scripted()) == Pass()


class TestBetweenTheTurns:
    def test_lay_offs_are_left_to_the_engine(self):
        assert choice(play(table(), "0 draw pile", "0 knock TS"), Scripted(), 1) == LayOffs()

    def test_a_hand_is_dealt_when_that_is_due(self):
        game = stock_runs_down(play(table(), "0 pass", "1 pass"), 2)
        assert choice(game, Scripted(), 0) == DealHand()


class Dice(Random):
    """Dice that must not be touched."""

    def getrandbits(self, k):
        raise AssertionError("somebody threw the dice")

    random = getrandbits


class TestChance:
    def test_is_not_asked_for_by_who_leaves_nothing_to_it(self):
        game = discarding("AC 2C 3C 4D 5D 6D 7H 8H 9S TS KS")
        for each in (table(), game, play(table(), "0 draw pile", "0 discard TS")):
            seat = each.hand.to_act
            SeatPlay(EXPERT, chancy=False)(view(each, seat), Dice())
        with pytest.raises(AssertionError, match="dice"):
            SeatPlay(EXPERT)(view(game, 0), Dice())

    def test_is_the_same_with_the_same_dice(self):
        game = discarding("AC 3C 5C 4D 6D 8D 7H 9H JS TS KS", "4C 6C 8C 2D TD KD 2H 3S 5S 6S")
        shown = view(game, 0)
        chancy = SeatPlay(POLICIES["simple"])
        thrown = [chancy(shown, Random(seed)) for seed in range(30)]
        assert thrown == [chancy(shown, Random(seed)) for seed in range(30)]
        assert len(set(thrown)) > 1

    def test_of_the_dice_is_taken_anew_for_each_decision(self):
        shown = view(
            discarding("AC 3C 5C 4D 6D 8D 7H 9H JS TS KS", "4C 6C 8C 2D TD KD 2H 3S 5S 6S"), 0
        )
        dice, chancy = Random(1), SeatPlay(POLICIES["simple"])
        assert len({chancy(shown, dice) for _ in range(30)}) > 1


PLAYERS = {"expert": EXPERT, "hard": HARD, **POLICIES}


@pytest.mark.parametrize("policy", PLAYERS.values(), ids=PLAYERS)
class TestUnderAnyRules:
    def test_every_action_is_legal(self, policy):
        """Rules, hands that have grown and walls of all kinds come from games of other players."""
        player, done = SeatPlay(policy), set()
        for seed in (4, 9):
            for game, _, rng in looked_at(seed, 0.12):
                if game.phase in {Phase.CONFIRMING, Phase.GAME_OVER} or not game.to_act_seats:
                    continue
                seat = game.to_act_seats[0]
                action = player(view(game, seat), rng)
                assert refusal(game, seat, action) is None, (action, game)
                done.add(type(action))
        assert {Draw, Discard} <= done

    @pytest.mark.parametrize("turn", [1, 7, 40])
    @pytest.mark.parametrize("held", [GIN[0], ALL_MELDED])
    def test_gin_is_always_taken(self, policy, turn, held):
        for rules in PRESETS.values():
            game = discarding(held, GIN[1], replace(rules, big_gin=False))
            game = replace(game, hand=replace(game.hand, turn=turn))
            assert SeatPlay(policy)(view(game, 0), Random(1)).kind is KnockKind.GIN
