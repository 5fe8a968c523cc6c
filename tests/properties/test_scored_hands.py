"""What must be true of every score, of random hands laid out in random ways.

The sweep is as long as ``GIN_SWEEP_SCORES`` says.
"""

import os
import random
from dataclasses import replace
from itertools import islice

import pytest

from engine.actions import KnockKind
from engine.cards import card_name, card_names, cards_of, each_card, suit_of
from engine.hand_scores import HandSide, Mistold, score_hand
from engine.lay_outs import lay_outs
from engine.layoffs import LayOff, lay_off, possible_lay_offs
from engine.melds import arrangements, deadwood
from engine.rules import STANDARD
from service.schemas.dump_scoring import hand_score
from service.schemas.scoring import HAND_SCORE_REQUEST
from tests import random_hands

SCORES = int(os.environ.get("GIN_SWEEP_SCORES", "300"))
PART = 100
RULES = (
    STANDARD,
    replace(STANDARD, gin_bonus=20, undercut_bonus=10),
    replace(STANDARD, spade_doubles="all", undercut_on_tie=False),
    replace(STANDARD, spade_doubles="difference", layoff_on_gin=True),
    replace(STANDARD, knock_mode="oklahoma", oklahoma_ace="one"),
    replace(STANDARD, knock_mode="straight"),
    replace(STANDARD, knocker_layout="minimal_only"),
)


def gin(rng):
    """Ten cards without deadwood."""
    while deadwood(kept := random_hands.rich(rng, 10)):
        pass
    return kept


def dealt(rng):
    """Cards of a knocker, often with little deadwood, and ten others, often near them."""
    kept = random_hands.mid_game(rng) if rng.random() < 0.8 else random_hands.rich(rng, 10)
    if rng.random() < 0.1:
        kept = gin(rng)
    if rng.random() < 0.3:
        for other in (random_hands.rich(rng, 10) for _ in range(100)):
            if not other & kept and deadwood(other) <= 12:
                return kept, other
    free = [card for card in range(52) if not kept >> card & 1]
    near = [card for card in free if (kept << 1 | kept >> 1) >> card & 1]
    chosen = set(rng.sample(near, min(len(near), rng.randint(0, 7))))
    rest = [card for card in free if card not in chosen]
    return kept, cards_of([*chosen, *rng.sample(rest, 10 - len(chosen))])


def laid_off(rng, melds, cards):
    """Some lay-offs, one after another, of all that fit."""
    made = []
    while rng.random() < 0.7:
        fits = [fit for fit in possible_lay_offs(melds, cards) if fit.after is None]
        if not fits:
            break
        fit = rng.choice(fits)
        made.append(LayOff(fit.card, fit.meld))
        melds = lay_off(melds, fit.card, fit.meld)
        cards ^= 1 << fit.card
    return tuple(made)


def told(rng):
    """A hand as a table may tell it: its own lay-out and lay-offs, or nothing but cards."""
    kept, others = dealt(rng)
    rules, upcard = rng.choice(RULES), rng.randrange(52)
    knocker, defender = HandSide(0, kept), HandSide(1, others)
    layout = next(lay_outs(kept))
    if rng.random() < 0.4:
        layout = rng.choice(list(islice(lay_outs(kept), 4)))
        melds = [meld.cards for meld in layout.melds]
        rng.shuffle(melds)
        knocker = replace(knocker, melds=tuple(melds))
    if knocker.melds is not None and layout.deadwood and rng.random() < 0.5:
        targets = tuple({meld.cards: meld for meld in layout.melds}[each] for each in knocker.melds)
        defender = replace(defender, lay_offs=laid_off(rng, targets, others))
    kind = KnockKind.KNOCK if layout.deadwood else rng.choice([KnockKind.KNOCK, KnockKind.GIN])
    return kind, knocker, defender, rules, upcard


def found(asked):
    try:
        return score_hand(*asked)
    except Mistold as error:
        return error.error.code, error.place


def renamed(asked, order):
    """The same hand with other suits. Where spades double, spades stay what they are."""
    kind, knocker, defender, rules, upcard = asked

    def card(number):
        return 13 * order[suit_of(number)] + number % 13

    def cards(held):
        return cards_of(map(card, each_card(held)))

    def side(of):
        melds = None if of.melds is None else tuple(map(cards, of.melds))
        off = of.lay_offs and tuple(LayOff(card(each.card), each.meld) for each in of.lay_offs)
        return replace(of, cards=cards(of.cards), melds=melds, lay_offs=off)

    return kind, side(knocker), side(defender), rules, card(upcard)


def suits(rng, rules):
    order = list(range(4))
    moved = order[:3] if rules.spade_doubles != "off" else order
    shuffled = rng.sample(moved, len(moved))
    return shuffled + order[len(moved) :]


def by_hand(knocker, defender, rules):
    """The outcome and the points of two counts, before any doubling."""
    difference = abs(knocker - defender)
    if knocker == 0:
        return "gin", difference + rules.gin_bonus
    if knocker < defender or (knocker == defender and not rules.undercut_on_tie):
        return "knock", difference
    return "undercut", difference + rules.undercut_bonus


def counts(score):
    return (
        score.score.outcome,
        score.score.points,
        score.knocker.deadwood,
        score.defender.deadwood,
    )


class TestEveryScore:
    @pytest.mark.parametrize("part", range(-(-SCORES // PART)))
    def test_adds_up_and_depends_on_nothing_but_the_hand(self, part):
        rng, scored = random.Random(part), 0
        while scored < PART:
            asked = told(rng)
            score = found(asked)
            if isinstance(score, tuple):
                continue
            scored += 1
            self.adds_up(score)
            self.is_that_of_its_counts(asked, score)
            self.is_recounted(asked, score)
            self.does_not_depend_on_order(rng, asked, score)
            order = suits(rng, asked[3])
            again = score_hand(*renamed(asked, order))
            assert again.knocker.deadwood == score.knocker.deadwood
            if asked[1].melds is not None or len(arrangements(asked[1].cards)) == 1:
                # Of lay-outs that are equal in all else, the order of cards decides.
                assert counts(again) == counts(score)

    def adds_up(self, score):
        wire = hand_score(score)
        assert sum(line["points"] for line in wire["lines"]) == wire["points"] >= 0
        for side in (score.knocker, score.defender):
            laid = [card for meld in side.melds for card in each_card(meld.cards)]
            off = [made.card for made in side.lay_offs]
            rest = list(each_card(side.unmatched))
            assert sorted([*laid, *off, *rest]) == list(each_card(side.cards))
            assert side.deadwood == sum(min(card % 13 + 1, 10) for card in rest)

    def is_that_of_its_counts(self, asked, score):
        kind, *_, rules, upcard = asked
        sides = [
            HandSide(side.seat, deadwood=side.deadwood) for side in (score.knocker, score.defender)
        ]
        counted = score_hand(kind, *sides, rules, upcard)
        assert counted.score == score.score

    def is_recounted(self, asked, score):
        """Full s5, word by word."""
        *_, rules, upcard = asked
        outcome, points = by_hand(score.knocker.deadwood, score.defender.deadwood, rules)
        doubled = rules.spade_doubles != "off" and card_name(upcard)[1] == "S"
        difference = abs(score.knocker.deadwood - score.defender.deadwood)
        if doubled:
            points += points if rules.spade_doubles == "all" else difference
        assert (score.score.outcome, score.score.points) == (outcome, points)

    def does_not_depend_on_order(self, rng, asked, score):
        kind, knocker, defender, *_ = asked
        sent = {"kind": kind.value, "upcard": card_name(asked[4])}
        for name, side in (("knocker", knocker), ("defender", defender)):
            names = card_names(side.cards)
            rng.shuffle(names)
            sent[name] = {"cards": names, "seat": side.seat}
        read = HAND_SCORE_REQUEST.read(sent)
        assert (read["knocker"].cards, read["defender"].cards) == (knocker.cards, defender.cards)
        if knocker.melds is None or defender.lay_offs is not None:
            return
        other = replace(knocker, melds=tuple(rng.sample(knocker.melds, len(knocker.melds))))
        again = score_hand(kind, other, *asked[2:])
        assert counts(again) == counts(score)


class TestTheSweep:
    def test_sees_knocks_gins_and_undercuts_of_all_kinds(self):
        rng = random.Random(99)
        asked = [told(rng) for _ in range(600)]
        scores = [score for score in map(found, asked) if not isinstance(score, tuple)]
        assert {score.score.outcome for score in scores} >= {"knock", "gin", "undercut"}
        assert {score.score.multiplier for score in scores} == {1, 2}
        assert {score.lay_offs_optimal for score in scores} == {True, False}
        assert any(score.defender.lay_offs for score in scores)
