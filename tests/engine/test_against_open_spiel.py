"""Hands played side by side with OpenSpiel's gin rummy, ``GIN_SWEEP_DIFFERENTIAL`` in all.

Both are dealt the same deck and do the same; wherever the rules agree, both allow the same, count
the same deadwood and end with the same points. OpenSpiel follows the rules of the Gin Rummy
Association. Where it differs from ours, on purpose:

* It lets a player throw the card that was just taken from the pile, to knock with it, too. Full
  section 4 forbids both, so ours has one discard less, and now and then no knock where it has one.
* At the wall it offers the last discard and the knock as one action, and only to who can knock;
  with us the card may be taken in vain, and is then put back.
* Its runs are of at most five cards. A longer one is laid out there in parts, to which the same
  cards can be laid off.
* At each end of a run it lets no more than two cards be laid off; with us a run grows up to the ace
  or the king (full section 4: "in a useful sequence").
* It ends a hand without a score after fifty draws from the pile in all, or when the same card goes
  round and round; ours is drawn after ``max_turns``.
* Of eleven cards it calls deadwood what is left when the dearest unmatched card of one arrangement
  with the least deadwood is thrown. Another arrangement may leave less after another discard; then
  it finds more deadwood than ours, and may miss a knock.
* Equal counts are nobody's points there; full section 5 gives them to the defender, but ours has an
  option for it.

Its views are not compared: it shows the knocker the defender's cards while these are laid off.
"""

import os
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from engine.actions import Discard, Draw, DrawSource, Knock, LayOffs, Pass
from engine.cards import POINTS, card_name, cards_of, each_card
from engine.events import Dealt
from engine.game import new_game
from engine.hand import Phase
from engine.layoffs import LayOff
from engine.legal import legal
from engine.melds import MeldKind, arrangements, deadwood, deadwood_after_each_discard
from engine.progress import apply, evolve_game
from engine.rules import knock_limit
from tests.tables import setup

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; make full does it")

from tests.open_spiel import (  # noqa: E402 - imports what may be missing
    AGREED,
    DRAWS,
    KNOCK,
    PASS,
    SPIEL,
    UTILS,
    all_theirs,
    laid_out,
    ours,
    theirs,
)

HANDS = int(os.environ.get("GIN_SWEEP_DIFFERENTIAL", "30"))
PARTS = 4
RULES = {"standard": AGREED, "oklahoma": replace(AGREED, knock_mode="oklahoma")}


class SideBySide:
    """One hand in both."""

    def __init__(self, name, rng):
        self.rng = rng
        self.rules = RULES[name]
        self.seen = Counter()
        deck = tuple(rng.sample(range(52), 52))
        dealt = Dealt(1, dealer=1, nondealer=0, deck=deck, seed=bytes(32), server_commit="")
        self.game = evolve_game(new_game(setup(self.rules)), dealt)
        self.spiel = pyspiel.load_game(
            "gin_rummy", {"oklahoma": name == "oklahoma"}
        ).new_initial_state()
        for card in (*deck[0:20:2], *deck[1:20:2], deck[20]):
            self.spiel.apply_action(theirs(card))

    @property
    def hand(self):
        return self.game.hand

    @property
    def theirs_allow(self):
        return set(self.spiel.legal_actions())

    def do(self, action, *actions):
        """Do ``action`` with us, and ``actions`` there."""
        self.game = apply(self.game, self.hand.to_act, action).game
        for each in actions:
            assert each in self.theirs_allow, self.spiel.action_to_string(each)
            self.spiel.apply_action(each)

    def play(self):
        assert self.spiel.knock_card() == knock_limit(self.rules, self.hand.upcard)
        while not self.hand.over:
            if self.spiel.is_terminal():
                self.check_went_round()
                return
            self.check_position()
            self.turn()
        self.check_end()

    def turn(self):
        options = legal(self.game, self.hand.to_act)
        if self.hand.phase is Phase.LAY_OFF:
            self.lay_off(options)
        elif self.hand.at_wall:
            self.at_the_wall()
        elif self.hand.phase in {Phase.FIRST_UPCARD, Phase.DRAW}:
            self.draw(options)
        else:
            self.discard(options)

    # --- what is compared

    def check_position(self):
        assert self.spiel.current_player() == self.hand.to_act
        assert self.spiel.stock_size() == len(self.hand.stock)
        for seat, count in enumerate(self.spiel.deadwood()):
            held = self.hand.holdings[seat]
            if self.hand.phase is not Phase.LAY_OFF:
                assert set(self.spiel.hands()[seat]) == all_theirs(held)
                self.check_deadwood(held, count)

    def check_deadwood(self, held, count):
        if held.bit_count() == 10:
            assert count == deadwood(held)
            return
        least = min(deadwood_after_each_discard(held).values())
        if count != least:
            assert least < count
            assert count in {
                best.deadwood - max(map(POINTS.__getitem__, each_card(best.unmatched)), default=0)
                for best in arrangements(held)
            }
            self.seen["more deadwood than ours"] += 1

    def check_end(self):
        result = self.game.last_result
        assert self.spiel.is_terminal()
        returned = [0, 0]
        if result.winner is not None:
            returned = [result.points, -result.points]
            if result.winner == 1:
                returned.reverse()
        assert self.spiel.returns() == returned
        self.seen[result.outcome] += 1

    def check_went_round(self):
        assert self.spiel.returns() == [0, 0]
        self.seen["went round"] += 1

    # --- what is done

    def draw(self, options):
        sources = {draw.source for draw in options.draws}
        allowed = {action for action, source in DRAWS.items() if source in sources}
        if "pass" in options.actions:
            allowed.add(PASS)
        assert self.theirs_allow == allowed
        action = self.rng.choice(sorted(allowed))
        if action == PASS:
            self.do(Pass(), PASS)
            return
        self.do(Draw(DRAWS[action]), action)
        if DRAWS[action] is DrawSource.STOCK:
            self.spiel.apply_action(theirs(self.hand.drawn_card))

    def discard(self, options):
        barred = {theirs(each.card) for each in options.barred}
        allowed = {theirs(each.card) for each in options.discards}
        assert self.theirs_allow - {KNOCK} == allowed | barred
        self.check_may_knock(options)
        if options.knocks and KNOCK in self.theirs_allow and self.rng.random() < 0.5:
            self.knock(self.rng.choice(options.knocks))
            return
        best = self.rng.random() < 0.8
        card = (options.discards[0] if best else self.rng.choice(options.discards)).card
        self.do(Discard(card), theirs(card))

    def check_may_knock(self, options):
        """Who may knock there may here, but for the card just taken; and the other way round."""
        may = KNOCK in self.theirs_allow
        if options.knocks and not may:
            held = self.hand.holdings[self.hand.to_act]
            assert UTILS.min_deadwood(list(all_theirs(held))) > self.spiel.knock_card()
            assert min(each.deadwood for each in options.knocks) <= self.spiel.knock_card()
            self.seen["misses a knock"] += 1
        elif may and not options.knocks:
            (taken,) = (each.card for each in options.barred)
            left = deadwood_after_each_discard(self.hand.holdings[self.hand.to_act])
            assert left[taken] <= self.spiel.knock_card()
            self.seen["may throw the card taken"] += 1

    def knock(self, option):
        """Knock with one of the best lay-outs."""
        barred = {theirs(self.hand.drawn_card)}
        knocks = {theirs(each.discard) for each in legal(self.game, self.hand.to_act).knocks}
        after = self.spiel.child(KNOCK)
        assert set(after.legal_actions()) - barred == knocks - barred
        kept = self.hand.holdings[self.hand.to_act] ^ 1 << option.discard
        layout = self.rng.choice(arrangements(kept, 5))
        melds = tuple(meld.cards for meld in layout.melds)
        actions = [KNOCK, theirs(option.discard), *laid_out(layout.melds), PASS]
        self.do(Knock(option.kind, option.discard, melds), *actions)
        if self.hand.over:
            self.finish()

    def lay_off(self, options):
        """Lay some cards off, and compare before each which of them can be."""
        self.check_best(options.lay_offs.possible, options.lay_offs.best)
        made = []
        while True:
            allowed = self.theirs_allow - {PASS}
            fits = self.fits(options.lay_offs.possible, made)
            assert allowed == {theirs(fit.card) for fit in fits if self.depth(fit, made) < 2}
            self.seen["third card on a run"] += len(fits) - len(allowed)
            if not allowed or self.rng.random() < 0.1:
                break
            fit = self.rng.choice([fit for fit in fits if theirs(fit.card) in allowed])
            made.append(LayOff(fit.card, fit.meld))
            self.spiel.apply_action(theirs(fit.card))
        self.seen["lay-offs"] += len(made)
        self.do(LayOffs(tuple(made)), PASS)
        self.finish()

    def check_best(self, possible, best):
        """No lay-offs leave less than the best ones, counted by them whatever is left."""
        left = []
        for choice in range(1 << len(possible)):
            chosen = [fit for at, fit in enumerate(possible) if choice >> at & 1]
            laid = {fit.card for fit in chosen}
            places = {(fit.card, fit.meld) for fit in chosen}
            if all(fit.after is None or (fit.after, fit.meld) in places for fit in chosen):
                rest = self.hand.knock.defender_cards & ~cards_of(laid)
                left.append(UTILS.min_deadwood(list(all_theirs(rest))))
        assert best.deadwood == min(left)

    def fits(self, possible, made):
        """What fits now, once for each card; what fits a set and a run goes on the run."""
        laid = {each.card for each in made}
        now = [
            fit
            for fit in possible
            if fit.card not in laid and (fit.after is None or LayOff(fit.after, fit.meld) in made)
        ]
        runs = {fit.card for fit in now if self.hand.knock.melds[fit.meld].kind is MeldKind.RUN}
        return [
            fit
            for fit in now
            if fit.card not in runs or self.hand.knock.melds[fit.meld].kind is MeldKind.RUN
        ]

    def depth(self, fit, made):
        """How many cards were laid off before this one at its end of a run."""
        count, step = 0, 0 if fit.after is None else fit.after - fit.card
        while LayOff(fit.card + (count + 1) * step, fit.meld) in made:
            count += 1
        return count

    def finish(self):
        """Lay the defender's own melds out there."""
        defender = self.hand.knock.defender
        (side,) = (each for each in self.game.last_result.sides if each.seat == defender)
        for action in [*laid_out(side.melds), PASS]:
            assert action in self.theirs_allow
            self.spiel.apply_action(action)

    def at_the_wall(self):
        """Knock with the last discard, or pass; taken in vain, it is put back with us."""
        self.seen["wall"] += 1
        self.game = apply(self.game, self.hand.to_act, Draw(DrawSource.DISCARD_PILE)).game
        options = legal(self.game, self.hand.to_act)
        self.check_may_knock(options)
        may = options.knocks and KNOCK in self.theirs_allow
        assert PASS in self.theirs_allow
        if not may or self.rng.random() < 0.2:
            self.do(Pass(), PASS)
        else:
            self.knock(self.rng.choice(options.knocks))


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", RULES)
class TestAgainstOpenSpiel:
    def test_every_hand_is_the_same_wherever_the_rules_agree(self, name, part):
        seen = Counter()
        hands = HANDS // len(RULES)
        for number in range(part, hands, PARTS):
            side = SideBySide(name, Random(f"{name} {number}"))
            try:
                side.play()
            except AssertionError as error:
                raise AssertionError(f"{name} {number}: {error}\n{side.spiel}") from error
            seen += side.seen
        assert seen["went round"] <= hands / PARTS / 4
        ends = seen["knock"] + seen["gin"] + seen["undercut"]
        assert ends > hands / PARTS / 4, "most of what is compared lies behind a knock"


class TestTheCards:
    def test_have_the_same_names(self):
        for card in range(52):
            assert UTILS.card_string(theirs(card)).upper() == card_name(card)
            assert ours(theirs(card)) == card

    def test_of_long_runs_are_laid_out_in_parts(self):
        (layout,) = arrangements(cards_of(range(7)))
        parts = [UTILS.int_to_meld[a - SPIEL.MELD_ACTION_BASE] for a in laid_out(layout.melds)]
        assert [len(part) for part in parts] == [4, 3]
