"""What a viewer cannot know makes no difference to anything it sees or is told."""

from collections import Counter
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from engine import decisions, legal, move_views, views
from engine import hand as bookkeeping
from engine.actions import DrawSource
from engine.cards import DECK
from engine.errors import CardNotInDiscards, OnlyTopDiscard
from engine.events import Drew
from engine.legal import DrawOption, Legal
from engine.players import easy
from engine.players.levels import ADVISORS
from tests.other_worlds import OtherWorld, covers_discards
from tests.random_games import GAMES, PLAYS, looked_at, refusal

SEEDS = range(GAMES)


def viewers(table):
    """Everybody at the table, who sits a hand out too, and one who only watches."""
    return (*range(table.seat_count), move_views.SPECTATOR)


def answers(table, viewer):
    """How every play of a seat is answered, as far as the answer shows no new card."""
    if viewer is move_views.SPECTATOR:
        return []
    errors = (refusal(table, viewer, action) for action in PLAYS)
    return [("accepted", {}) if error is None else (error.code, error.params) for error in errors]


def what_differs(table, moves, viewer, rng):
    """What ``viewer`` can tell two worlds apart by, if anything."""
    past = [move for move in moves if move.hand_number == table.hand.number]
    other = OtherWorld(table, past, viewer, rng)
    here, there = views.view(table, viewer), views.view(other.game, viewer)
    differs = set()
    if here != there:
        differs.add("view")
    if any(
        move_views.seen(move, viewer, table)
        != move_views.seen(other.move(move), viewer, other.game)
        for move in past
    ):
        differs.add("moves")
    if answers(table, viewer) != answers(other.game, viewer):
        differs.add("answers")
    if viewer in table.to_act_seats:
        state = rng.randrange(1 << 32)
        if easy.choose(here, Random(state)) != easy.choose(there, Random(state)):
            differs.add("choice")
        if any(advise(here) != advise(there) for advise in ADVISORS.values()):
            differs.add("advice")
    return differs


def differences(seeds, share=0.1):
    """By what any viewer tells worlds apart, for some positions of the games of ``seeds``."""
    for seed in seeds:
        for table, moves, rng in looked_at(seed, share):
            for viewer in viewers(table):
                yield what_differs(table, moves, viewer, rng)


class TestWhatCannotBeKnown:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_makes_no_difference_to_what_a_viewer_sees_and_is_told(self, seed):
        assert set().union(*differences([seed])) == set()

    @pytest.mark.parametrize("seed", range(3))
    def test_is_most_of_the_deck_or_the_check_would_check_nothing(self, seed):
        kinds = Counter()
        for table, moves, rng in looked_at(seed, 0.2):
            past = [move for move in moves if move.hand_number == table.hand.number]
            for viewer in viewers(table):
                other = OtherWorld(table, past, viewer, rng)
                kinds["moved"] += sum(was != now for was, now in other.card.items())
                kinds["other game"] += other.game != table
                kinds["all"] += 1
        assert kinds["moved"] > 10 * kinds["all"]
        assert kinds["other game"] > 0.9 * kinds["all"]


class TestAPlantedLeak:
    """Each of these once happened to a card server; the check above has to find it."""

    def found(self):
        return next(filter(None, differences(range(4), share=0.2)), set())

    def test_of_the_other_seats_cards_is_found(self, monkeypatch):
        honest = views._seats
        monkeypatch.setattr(
            views,
            "_seats",
            lambda table: tuple(
                replace(seat, known_cards=table.hand.holdings[seat.seat]) for seat in honest(table)
            ),
        )
        assert "view" in self.found()

    def test_of_a_card_drawn_from_the_stock_is_found(self, monkeypatch):
        honest = move_views.seen
        monkeypatch.setattr(
            move_views,
            "seen",
            lambda move, viewer, game: honest(move, viewer, game, revealed=True),
        )
        assert "moves" in self.found()

    def test_of_the_top_of_the_stock_in_the_list_of_draws_is_found(self, monkeypatch):
        monkeypatch.setattr(
            legal,
            "_before_draw",
            lambda _, hand: Legal(draws=(DrawOption(DrawSource.STOCK, *hand.stock[:1]),)),
        )
        assert {"view", "answers"} & self.found()

    def test_of_the_cards_dealt_to_the_other_seat_is_found(self, monkeypatch):
        honest = move_views.deal_view
        monkeypatch.setattr(
            move_views,
            "deal_view",
            lambda dealt, viewer, rules: honest(dealt, dealt.dealer, rules),
        )
        assert "moves" in self.found()

    def test_of_a_refusal_that_knows_the_stock_is_found(self, monkeypatch):
        honest = decisions._take

        def knows_too_much(hand, rules, seat, named):
            try:
                return honest(hand, rules, seat, named)
            except CardNotInDiscards:
                raise (
                    OnlyTopDiscard(named) if named in hand.stock[:5] else CardNotInDiscards(named)
                ) from None

        monkeypatch.setattr(decisions, "_take", knows_too_much)
        assert self.found() == {"answers"}

    def test_of_a_value_derived_from_hidden_cards_is_found(self, monkeypatch):
        honest = views._hand_view

        def with_a_hint(table):
            shown = honest(table)
            return replace(shown, turn=shown.turn + (table.hand.stock[-1:] < (26,)))

        monkeypatch.setattr(views, "_hand_view", with_a_hint)
        assert "view" in self.found()

    def test_of_a_player_that_goes_by_more_than_its_view_and_its_dice_is_found(self, monkeypatch):
        honest, elsewhere = easy.choose, Random(1)
        monkeypatch.setattr(easy, "choose", lambda shown, _: honest(shown, elsewhere))
        assert self.found() == {"choice"}

    def found_in_a_pile(self):
        seeds = (seed for seed in range(99) if covered(seed))
        return next(filter(None, differences(islice(seeds, 4), share=0.2)), set())

    def test_of_old_discards_in_the_log_is_found(self, monkeypatch):
        monkeypatch.setattr(move_views, "_named_discards", lambda *_: DECK)
        assert "moves" in self.found_in_a_pile()

    def test_of_the_top_of_the_pile_after_an_old_move_is_found(self, monkeypatch):
        honest = move_views.seen

        def seen(move, viewer, game):
            return replace(honest(move, viewer, game), after=move.after)

        monkeypatch.setattr(move_views, "seen", seen)
        assert self.found_in_a_pile() == {"moves"}

    def test_of_the_pile_under_its_top_is_found(self, monkeypatch):
        honest = views._hand_view
        monkeypatch.setattr(
            views,
            "_hand_view",
            lambda table: replace(honest(table), discard_pile=table.hand.discard_pile),
        )
        assert self.found_in_a_pile() == {"view"}

    def test_of_a_card_taken_long_ago_is_found(self, monkeypatch):
        honest = bookkeeping._after_draw

        def remembering(before, rules, event):
            return honest(before, replace(rules, discard_view="spread"), event)

        monkeypatch.setitem(bookkeeping._EVOLVERS, Drew, remembering)
        assert {"view", "moves"} & self.found_in_a_pile()

    def test_of_a_refusal_that_knows_the_pile_is_found(self, monkeypatch):
        honest = decisions._take
        monkeypatch.setattr(
            decisions,
            "_take",
            lambda hand, rules, *more: honest(hand, replace(rules, discard_view="spread"), *more),
        )
        assert self.found_in_a_pile() == {"answers"}


def covered(seed):
    """Whether the pile is not spread in the game of ``seed``."""
    table, _, _ = next(looked_at(seed, 1))
    return covers_discards(table)
