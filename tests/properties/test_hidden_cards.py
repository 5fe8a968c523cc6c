"""What a viewer cannot know makes no difference to anything it sees or is told."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from engine import decisions, legal, views
from engine.actions import DrawSource
from engine.cards import each_card
from engine.errors import CardNotInDiscards, OnlyTopDiscard
from engine.events import Dealt, Drew
from engine.hand import Phase
from engine.players import easy
from tests.random_games import GAMES, PLAYS, looked_at, refusal

SEEDS = range(GAMES)
VIEWERS = (0, 1, views.SPECTATOR)


def hidden(hand, viewer):
    """The cards that ``viewer`` has not seen: it knows its own, those thrown and those taken."""
    unseen = sum(1 << card for card in hand.stock)
    if hand.phase not in {Phase.LAY_OFF, Phase.HAND_OVER}:
        for seat, cards in enumerate(hand.holdings):
            if seat != viewer:
                unseen |= cards & ~hand.taken[seat]
    return list(each_card(unseen))


class OtherWorld:
    """The same game with the cards dealt anew that a viewer cannot know."""

    def __init__(self, table, viewer, rng):
        unseen = hidden(table.hand, viewer)
        self.card = dict(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))
        hand = table.hand
        self.game = replace(
            table,
            last_move=self.move(table.last_move),
            hand=replace(
                hand,
                holdings=tuple(map(self.cards, hand.holdings)),
                stock=tuple(self.card[card] for card in hand.stock),
                drawn_card=self.card.get(hand.drawn_card, hand.drawn_card),
            ),
        )

    def cards(self, cards):
        return sum(1 << self.card.get(card, card) for card in each_card(cards))

    def move(self, move):
        event = move.event
        if isinstance(event, Drew):
            event = replace(event, card=self.card.get(event.card, event.card))
        if isinstance(event, Dealt):
            deck = tuple(self.card.get(card, card) for card in event.deck)
            event = replace(event, deck=deck, seed=bytes(32))
        return replace(move, event=event)


def answers(table, viewer):
    """How every play of a seat is answered, as far as the answer shows no new card."""
    if viewer is views.SPECTATOR:
        return []
    errors = (refusal(table, viewer, action) for action in PLAYS)
    return [("accepted", {}) if error is None else (error.code, error.params) for error in errors]


def what_differs(table, moves, viewer, rng):
    """What ``viewer`` can tell two worlds apart by, if anything."""
    other = OtherWorld(table, viewer, rng)
    rules = table.rules
    past = [move for move in moves if move.hand_number == table.hand.number]
    here, there = views.view(table, viewer), views.view(other.game, viewer)
    differs = set()
    if here != there:
        differs.add("view")
    if any(
        views.seen(move, viewer, rules) != views.seen(other.move(move), viewer, rules)
        for move in past
    ):
        differs.add("moves")
    if answers(table, viewer) != answers(other.game, viewer):
        differs.add("answers")
    if viewer in table.to_act_seats:
        state = rng.randrange(1 << 32)
        if easy.choose(here, Random(state)) != easy.choose(there, Random(state)):
            differs.add("choice")
    return differs


def differences(seeds, share=0.1):
    """By what any viewer tells worlds apart, for some positions of the games of ``seeds``."""
    for seed in seeds:
        for table, moves, rng in looked_at(seed, share):
            for viewer in VIEWERS:
                yield what_differs(table, moves, viewer, rng)


class TestWhatCannotBeKnown:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_makes_no_difference_to_what_a_viewer_sees_and_is_told(self, seed):
        assert set().union(*differences([seed])) == set()

    @pytest.mark.parametrize("seed", range(3))
    def test_is_most_of_the_deck_or_the_check_would_check_nothing(self, seed):
        kinds = Counter()
        for table, _, rng in looked_at(seed, 0.2):
            for viewer in VIEWERS:
                other = OtherWorld(table, viewer, rng)
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
        honest = views.seen
        monkeypatch.setattr(
            views,
            "seen",
            lambda move, viewer, rules: honest(move, viewer, rules, revealed=True),
        )
        assert "moves" in self.found()

    def test_of_the_top_of_the_stock_in_the_list_of_draws_is_found(self, monkeypatch):
        monkeypatch.setattr(
            legal,
            "_draws",
            lambda hand: (legal.DrawOption(DrawSource.STOCK, hand.stock[0]),),
        )
        assert {"view", "answers"} & self.found()

    def test_of_the_cards_dealt_to_the_other_seat_is_found(self, monkeypatch):
        honest = views.deal_view
        monkeypatch.setattr(
            views,
            "deal_view",
            lambda dealt, viewer, rules: honest(dealt, dealt.dealer, rules),
        )
        assert "moves" in self.found()

    def test_of_a_refusal_that_knows_the_stock_is_found(self, monkeypatch):
        honest = decisions._top_discard

        def knows_too_much(hand, named):
            try:
                return honest(hand, named)
            except CardNotInDiscards:
                raise (
                    OnlyTopDiscard(named) if named in hand.stock[:5] else CardNotInDiscards(named)
                ) from None

        monkeypatch.setattr(decisions, "_top_discard", knows_too_much)
        assert self.found() == {"answers"}

    def test_of_a_value_derived_from_hidden_cards_is_found(self, monkeypatch):
        honest = views._hand_view

        def with_a_hint(table):
            shown = honest(table)
            return replace(shown, turn=shown.turn + (table.hand.stock[-1] < 26))

        monkeypatch.setattr(views, "_hand_view", with_a_hint)
        assert "view" in self.found()

    def test_of_a_player_that_goes_by_more_than_its_view_and_its_dice_is_found(self, monkeypatch):
        honest, elsewhere = easy.choose, Random(1)
        monkeypatch.setattr(easy, "choose", lambda shown, _: honest(shown, elsewhere))
        assert self.found() == {"choice"}
