"""Whoever is shown a game that is played elsewhere is shown what it would be shown there."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from engine.actions import Discard, Draw, DrawSource, Knock
from engine.columns import scored_hand
from engine.events import Dealt, Discarded, Drew, Knocked, LaidOff
from engine.game import SeatKind, Setup
from engine.hand import dealt_cards
from engine.players import easy
from engine.progress import apply, begin
from engine.rules import STANDARD
from engine.views import view
from tests.benchmarks.known_game import ME, OTHER, KnownGame

RULES = replace(STANDARD, last_discard="knock_only", first_dealer="seat1")


class Following:
    """Moves a known game on by the moves of a true one."""

    def __init__(self, rules):
        self.known = KnownGame(rules)
        self.followed = False
        self.before = ()

    def follow(self, move, action):
        match move.event:
            case Dealt() as dealt:
                upcard, mine = dealt.deck[20], dealt_cards(dealt)[ME]
                self.known.deal(dealt.dealer, mine, upcard)
                self.followed = True
            case Drew(seat=0, source=DrawSource.STOCK, card=card):
                self.known.draw(card)
            case Discarded(seat=1, card=card):
                self.known.other_discards(card)
            case Knocked(seat=1) as knocked:
                melds = tuple(meld.cards for meld in knocked.melds)
                knock = Knock(knocked.kind, knocked.discard, melds)
                self.known.other_knocks(knock, sum(melds) | knocked.unmatched)
            case Knocked() | LaidOff():
                self.followed = False
            case event if getattr(event, "seat", None) is not None:
                self.known.do(event.seat, action)


def drawing(view, rng):
    """The easy level, but that it takes any card from the pile half of the time."""
    draws = view.you.legal.draws
    if draws and view.phase == "draw" and rng.random() < 0.5:
        return Draw(rng.choice(draws).source)
    if view.you.legal.discards and rng.random() < 0.8:
        return Discard(view.you.legal.discards[0].card)
    return easy.choose(view, rng)


def compared(seed, choose):
    """A whole game; how often the views were compared, by phase."""
    rng = Random(seed)
    setup = Setup("g_known", RULES, (SeatKind.AI, SeatKind.AI), rng.randbytes(32))
    following = Following(RULES)
    seen = Counter()
    step, action = begin(setup), None
    while True:
        game = step.game
        for move in step.moves:
            following.follow(move, action)
        if following.followed and not game.hand.over:
            assert told(following.known.view) == told(view(game, ME))
            seen[game.phase] += 1
        if len(game.hands) > len(following.before):
            following.known.end(scored_hand(game.last_result), following.before)
            following.before = game.hands
            following.followed = False
        if game.over:
            return seen
        seat = game.to_act_seats[0]
        action = choose(view(game, seat), rng)
        step = apply(game, seat, action)


def told(shown):
    """A view without what the key of the deals and the result of the last hand say."""
    move = replace(shown.last_move, number=0, by=None)
    if move.deal is not None:
        move = replace(move, deal=replace(move.deal, server_commit=""))
    hand = replace(shown.hand, server_commit="")
    return replace(shown, hand=hand, last_move=move, last_hand=None, next_move=0)


class TestAKnownGame:
    @pytest.mark.parametrize("seed", range(3))
    @pytest.mark.parametrize("choose", [easy.choose, drawing])
    def test_shows_what_is_seen_at_the_true_table(self, seed, choose):
        seen = compared(seed, choose)
        assert seen["discard"] > 20
        assert seen["draw"] > 20

    def test_shows_the_lay_off_after_a_knock(self):
        assert sum((compared(seed, easy.choose) for seed in range(4)), Counter())["lay_off"]

    def test_does_not_know_the_other_seats_cards(self):
        known = KnownGame(RULES)
        known.deal(dealer=OTHER, cards=0b1111111111, upcard=51)
        assert known.view.you.cards == 0b1111111111
        known.do(ME, easy.Pass())
        known.do(OTHER, easy.Pass())
        known.draw(50)
        assert known.view.you.drawn_card == 50
        known.do(ME, Discard(50))
        known.do(OTHER, Draw(DrawSource.STOCK))
        known.other_discards(30)
        assert known.view.hand.discard_pile == (51, 50, 30)
