from dataclasses import replace
from itertools import islice

import pytest

from engine.cards import card_name, cards_of
from engine.hand import Phase
from engine.legal import DrawOption
from engine.melds import deadwood, deadwood_after_each_discard
from engine.players.digging import (
    MOST_DIGS,
    WORTH,
    best_dig,
    kept_after,
    leaves_at_wall,
    left_after,
)
from engine.rules import STANDARD
from engine.views import view
from tests.random_games import steps
from tests.tables import cards, play, stock_runs_down, table

DIG = replace(STANDARD, multi_pickup=True)
GROW = replace(DIG, multi_pickup_return="grow")
TWO_JACKS = "4C 5C 8D 9D JD JH QC KH 2S 3S"


def pile(rules, second=TWO_JACKS, thrown="KS"):
    """Seat 1 before its draw: the jack of spades lies under what seat 0 threw."""
    game = play(table(rules, second=second), "0 pass", "1 pass")
    return view(play(game, "0 draw stock", f"0 discard {thrown}"), 1)


def named(dig):
    return None if dig is None else card_name(dig.card)


class TestWhatIsLeft:
    @pytest.mark.parametrize(("rules", "thrown"), [(DIG, "QC KH"), (GROW, "QC")])
    def test_is_what_stays_once_as_many_are_thrown_as_are_owed(self, rules, thrown):
        """Each goes that leaves the least deadwood, of equals the lowest; the last one is told."""
        shown = pile(rules)
        dig = next(draw for draw in shown.you.legal.draws if draw.cards)
        kept, last = kept_after(shown, dig)
        assert kept == (shown.you.cards | cards("JS KS")) & ~cards(thrown)
        assert card_name(last) == thrown.split()[-1]

    def test_has_the_card_still_in_it_that_was_taken(self):
        """It is the dearest that lies in no meld, and has to be kept all the same."""
        game = play(
            table(
                second="2C 2D 2H 4H 5H 6H 8S 9S TS AD".replace("2C", "2S").replace("TS", "7S"),
                upcard="KS",
                stock="",
            ),
            "0 pass",
        )
        shown = view(game, 1)
        (top,) = shown.you.legal.draws
        kept, last = kept_after(shown, top)
        assert kept & cards("KS")
        assert (card_name(last), left_after(shown, top)) == ("AD", deadwood(kept))

    @pytest.mark.parametrize(("rules", "left"), [(DIG, 41), (GROW, 51)])
    def test_depends_on_whether_as_many_are_thrown_as_were_taken(self, rules, left):
        shown = pile(rules)
        dig = next(draw for draw in shown.you.legal.draws if draw.cards)
        # 4C 5C 8D 9D QC KH 2S 3S and the king of spades are loose, but for one ten or two.
        assert left_after(shown, dig) == left == 61 - 10 * (2 if rules is DIG else 1)

    def test_of_a_single_card_is_what_one_discard_leaves(self):
        shown = pile(STANDARD)
        top = next(draw for draw in shown.you.legal.draws if draw.card is not None)
        after = deadwood_after_each_discard(shown.you.cards | 1 << top.card)
        del after[top.card]
        assert left_after(shown, top) == min(after.values())


class TestTheBestDig:
    def test_is_the_buried_card_that_melds(self):
        assert named(best_dig(pile(DIG))) == "JS"

    def test_is_none_where_only_the_top_may_be_taken(self):
        assert best_dig(pile(STANDARD)) is None

    def test_is_none_where_nothing_buried_melds(self):
        assert best_dig(pile(DIG, second=TWO_JACKS.replace("JH", "AD"))) is None

    @pytest.mark.parametrize(("rules", "left", "dig"), [(DIG, 54, "AS"), (GROW, 64, None)])
    def test_has_to_save_real_points(self, rules, left, dig):
        """A third ace under a king; where one card only is thrown for the two, it saves two."""
        held = "AD AH 4H 5H 7S 8S TC JC QD KH"
        game = table(rules, second=held, upcard="AS", stock="KS QS 4S")
        shown = view(play(game, "0 pass", "1 pass", "0 draw stock", "0 discard KS"), 1)
        assert deadwood(shown.you.cards) - WORTH == 62
        assert [left_after(shown, draw) for draw in shown.you.legal.draws if draw.cards] == [left]
        assert named(best_dig(shown)) == dig

    def test_under_any_rules_saves_so_much_or_is_gin(self):
        looked_at = digs = 0
        for seed in (3, 11):
            for made in islice(steps(seed, multi_pickup=True, discard_view="spread"), 500):
                game = made.game
                if game.over or game.phase is not Phase.DRAW or game.hand.at_wall:
                    continue
                shown = view(game, game.hand.to_act)
                looked_at += 1
                dig = best_dig(shown)
                self.holds(shown, dig)
                digs += dig is not None
        assert looked_at > 50
        assert 0 < digs < looked_at

    def holds(self, shown, dig):
        picks = [draw for draw in shown.you.legal.draws if draw.cards][:MOST_DIGS]
        lefts = [left_after(shown, draw) for draw in picks]
        now = deadwood(shown.you.cards)
        singles = [draw for draw in shown.you.legal.draws if draw.card is not None]
        top = min([left_after(shown, draw) for draw in singles if not draw.cards], default=now)
        if dig is None:
            assert all(left > min(now, top) - WORTH and not left == 0 < top for left in lefts)
        else:
            assert left_after(shown, dig) == min(lefts)
            assert min(lefts) <= min(now, top) - WORTH or min(lefts) == 0 < top


class TestTheWall:
    @pytest.mark.parametrize(
        ("second", "leaves"),
        [("4C 5C 6C 8D 9D TD 6S 7S KH 2S", True), ("4C 5C 8D 9D JD JH QH KH 2S 3S", False)],
    )
    def test_lets_the_seat_knock_where_the_last_discard_leaves_as_little(self, second, leaves):
        rules = replace(STANDARD, last_discard="knock_only")
        game = stock_runs_down(play(table(rules, second=second), "0 pass", "1 pass"), 2)
        shown = view(game, 1)
        (top,) = shown.you.legal.draws
        assert leaves_at_wall(shown, top) is leaves

    def test_asks_for_gin_where_the_limit_does(self):
        rules = replace(STANDARD, last_discard="knock_only", knock_limit=0)
        second = "4C 5C 6C 8D 9D TD 6S 7S KH 2S"
        game = stock_runs_down(play(table(rules, second=second), "0 pass", "1 pass"), 2)
        shown = view(game, 1)
        top = DrawOption(shown.you.legal.draws[0].source, shown.you.legal.draws[0].card)
        assert not leaves_at_wall(shown, top)
        assert cards_of([top.card]) == cards("5S")
