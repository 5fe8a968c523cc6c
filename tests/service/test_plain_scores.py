"""Scores written all at once are those that each hand has by itself."""

import random
from dataclasses import replace

import orjson
import pytest

from engine.actions import KnockKind
from engine.cards import cards_of
from engine.hand_scores import HandSide, Mistold, score_hand
from engine.melds import deadwood
from engine.rules import STANDARD
from service.plain_scores import FEWEST, plain_scores
from service.schemas.dump_scoring import hand_score
from tests.random_hands import dealt, mid_game, rich

SPADES = replace(STANDARD, spade_doubles="all", undercut_on_tie=False)
RULES = (
    STANDARD,
    SPADES,
    replace(STANDARD, layoff_on_gin=True, knock_limit=4),
    replace(STANDARD, knock_mode="straight"),
    replace(STANDARD, knock_mode="oklahoma"),
    replace(STANDARD, multi_pickup=True, multi_pickup_return="grow", big_gin=True),
)


def hand(rng):
    """Any two sides; they may share a card, or have too many."""
    mine = rng.choice([mid_game, mid_game, lambda rng: rich(rng, 10)])(rng)
    if rng.random() < 0.2:
        while deadwood(mine):
            mine = rich(rng, 10)
    free = [card for card in range(52) if not mine >> card & 1]
    near = [card for card in free if (mine << 1 | mine >> 1 | mine >> 13) >> card & 1]
    chosen = set(rng.sample(near, min(len(near), rng.randint(0, 8))))
    rest = [card for card in free if card not in chosen]
    theirs = cards_of([*chosen, *rng.sample(rest, 10 - len(chosen))])
    if rng.random() < 0.05:
        theirs = dealt(rng, rng.choice([9, 10, 11]))
    asked = {
        "kind": rng.choice([KnockKind.KNOCK, KnockKind.KNOCK, KnockKind.GIN]),
        "knocker": HandSide(rng.choice([None, 2]), mine),
        "defender": HandSide(rng.choice([None, 1]), theirs),
        "rules": rng.choice(RULES),
    }
    if rng.random() < 0.5:
        asked["upcard"] = rng.randrange(52)
    return asked


def counts(rng):
    """Any two counts; the knocker may have too many."""
    seats = rng.choice([(None, None), (0, 1), (3, None)])
    asked = {
        "kind": rng.choice(list(KnockKind)),
        "knocker": HandSide(seats[0], deadwood=rng.choice([0, 0, rng.randint(1, 12)])),
        "defender": HandSide(seats[1], deadwood=rng.randint(0, 20)),
    }
    return asked | rng.choice([{}, {"upcard": rng.randrange(52)}])


def plain(asked):
    """Tell whether counts alone are enough to score it."""
    spades = asked["rules"].spade_doubles != "off"
    return asked["kind"] is not KnockKind.BIG_GIN and not (spades and "upcard" not in asked)


def alone(asked):
    try:
        return hand_score(score_hand(**asked))
    except Mistold:
        return None


class TestManyHands:
    @pytest.mark.parametrize("part", range(4))
    def test_are_scored_as_each_by_itself(self, part):
        rng = random.Random(part)
        asked = [hand(rng) for _ in range(500)]
        written = plain_scores(asked)
        assert len(written) > 100
        for place, wire in written.items():
            assert orjson.dumps(wire) == orjson.dumps(alone(asked[place]))

    def test_leave_out_only_what_is_refused_or_is_not_plain(self):
        rng = random.Random(9)
        asked = [{**hand(rng), "rules": STANDARD} for _ in range(300)]
        written = plain_scores(asked)
        assert {place for place in range(300) if place not in written} == {
            place for place, each in enumerate(asked) if alone(each) is None
        }

    @pytest.mark.parametrize("rules", RULES)
    def test_told_by_counts_are_scored_as_each_by_itself(self, rules):
        rng = random.Random(3)
        asked = [{**counts(rng), "rules": rules} for _ in range(500)]
        written = plain_scores(asked)
        assert bool(written) == (rules.knock_mode != "oklahoma")
        assert not written or written.keys() == {
            place for place, each in enumerate(asked) if alone(each) and plain(each)
        }
        for place, wire in written.items():
            assert orjson.dumps(wire) == orjson.dumps(alone(asked[place]))

    def test_of_other_sorts_are_left_alone(self):
        rng = random.Random(5)
        one = {**hand(rng), "rules": STANDARD}
        half_counted = {**one, "knocker": HandSide(deadwood=4)}
        laid_out = {**one, "knocker": replace(one["knocker"], melds=())}
        big = {**one, "kind": KnockKind.BIG_GIN}
        doubled = {**one, "rules": SPADES}
        doubled.pop("upcard", None)
        asked = [None, half_counted, laid_out, big, doubled]
        assert plain_scores(asked * FEWEST) == {}

    def test_are_worth_it_only_if_they_are_many(self):
        rng = random.Random(1)
        asked = [{**hand(rng), "rules": STANDARD} for _ in range(FEWEST - 1)]
        assert plain_scores(asked) == {}
