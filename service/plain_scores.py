"""The scores of many hands that are told by their cards or counts alone, written all at once.

Cards are arranged with numpy, all together, and so is what fits on the knockers' melds. Only where
a lay-off might break a meld of the defender, that one is looked at by itself. Each score is written
as text and never made into objects. What has to be refused is left to
:func:`engine.hand_scores.score_hand`; a test holds both ways to the same.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import orjson

from engine import bulk
from engine.actions import KnockKind
from engine.cards import NO_CARDS, Cards
from engine.cards import points as points_of
from engine.hand import HAND_SIZE
from engine.hand_scores import CountedSide, HandSide
from engine.knocks import may_lay_off
from engine.layoffs import best_lay_offs, in_order
from engine.melds import Meld, melds_of
from engine.rules import STANDARD, Rules, knock_limit
from engine.scoring import score_knock
from service.schemas import texts
from service.schemas.dump_scoring import points

FEWEST: Final = 8
"""For fewer hands than so many the preparations cost more than they save."""

REMEMBERED_RULES: Final = 16
REMEMBERED_HEADS: Final = 4096
"""So many beginnings of scores by the same rules."""

_Told: TypeAlias = tuple[int | None, int]
"""A side as its score needs it: its seat, if that was told, and its count."""

_NOTHING_TOLD: Final = '"cards":[],"melds":[],"unmatched":[],"lay_offs":[]'


def plain_scores(asked: Sequence[dict[str, Any] | None]) -> dict[int, orjson.Fragment]:
    """Return the scores of those of ``asked`` that are plain, by their place among all.

    Each of ``asked`` is a hand as :data:`HAND_SCORE_REQUEST` reads it, with its rules, or None.
    """
    by_cards: dict[int, dict[str, Any]] = {}
    by_counts: dict[int, dict[str, Any]] = {}
    for place, each in enumerate(asked):
        if each is None or not _may_be_plain(each):
            continue
        if _only_cards(each["knocker"]) and _only_cards(each["defender"]):
            by_cards[place] = each
        elif each["knocker"].cards is None and each["defender"].cards is None:
            by_counts[place] = each
    desk = _Desk()
    scored = {place: desk.of_counts(each) for place, each in by_counts.items()}
    if len(by_cards) >= FEWEST:
        hands = zip(by_cards.items(), _arranged(by_cards.values()), strict=True)
        scored.update((place, desk.of_cards(each, hand)) for (place, each), hand in hands)
    return {place: orjson.Fragment(text) for place, text in scored.items() if text is not None}


def _may_be_plain(asked: dict[str, Any]) -> bool:
    rules = asked["rules"]
    if asked["kind"] is KnockKind.BIG_GIN or rules.knock_mode == "oklahoma":
        return False
    return rules.spade_doubles == "off" or asked.get("upcard") is not None


def _only_cards(side: HandSide) -> bool:
    return side.cards is not None and side.melds is None and side.lay_offs is None


class _Arranged(NamedTuple):
    """A hand as it was arranged with all others; ``right`` if its cards may be so.

    Of each side the cards, what its sets leave, what all melds leave, and its points. ``fits`` are
    the lay-offs; only if ``simple`` they and the defender's own melds are sure to be best.
    """

    right: bool
    simple: bool
    knocker: tuple[Cards, Cards, Cards, int]
    defender: tuple[Cards, Cards, Cards, int]
    fits: Cards


def _arranged(asked: Iterable[dict[str, Any]]) -> Iterable[_Arranged]:
    mine = np.array([each["knocker"].cards for each in asked], np.int64)
    theirs = np.array([each["defender"].cards for each in asked], np.int64)
    one, other = bulk.arranged(mine), bulk.arranged(theirs)
    fits = bulk.fitting(mine ^ one.unmatched, mine ^ one.rest, theirs)
    right = (
        (np.bitwise_count(mine) == HAND_SIZE)
        & (np.bitwise_count(theirs) == HAND_SIZE)
        & (mine & theirs == 0)
    )
    # What lies in no possible meld is laid off wherever it fits, and leaves the melds as they are.
    simple = np.where(other.clear, fits & bulk.in_possible_melds(theirs), fits) == 0
    sides = [
        zip(
            cards.tolist(),
            each.rest.tolist(),
            each.unmatched.tolist(),
            each.deadwood.tolist(),
            strict=True,
        )
        for cards, each in ((mine, one), (theirs, other))
    ]
    flags = (each.tolist() for each in (right, simple))
    return map(_Arranged, *flags, *sides, fits.tolist())


class _Heads:
    """The beginnings of scores by some rules: who won, and why. The same come again and again."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.lays_off_on_gin = may_lay_off(rules, KnockKind.GIN)
        self.head = lru_cache(maxsize=REMEMBERED_HEADS)(self._head)

    def _head(self, declared: KnockKind, mine: _Told, theirs: _Told, upcard: int | None) -> str:
        """Return the beginning; it is empty where the knock is refused."""
        (seat, left), (other_seat, other_left) = mine, theirs
        kind = KnockKind.KNOCK if left else KnockKind.GIN
        if left and (declared is not kind or left > knock_limit(self.rules, upcard)):
            return ""
        sides = _counted(seat, left), _counted(other_seat, other_left)
        score = score_knock(kind, *sides, self.rules, upcard)
        winner = seat if score.knocker_wins else other_seat
        return orjson.dumps(points(score, winner)).decode()[:-1]


_heads_of: Final = lru_cache(maxsize=REMEMBERED_RULES)(_Heads)


class _Desk:
    """Where scores are written, mostly by the same rules."""

    def __init__(self) -> None:
        self._heads = _heads_of(STANDARD)

    def of_counts(self, asked: dict[str, Any]) -> str | None:
        """Return the score of a hand that was told by its counts, None if it is refused."""
        knocker, defender = asked["knocker"], asked["defender"]
        mine, theirs = (knocker.seat, knocker.deadwood), (defender.seat, defender.deadwood)
        head = self._by(asked["rules"]).head(asked["kind"], mine, theirs, asked.get("upcard"))
        if not head:
            return None
        one, other = _side(*mine, _NOTHING_TOLD), _side(*theirs, _NOTHING_TOLD)
        return f'{head},"knocker":{one},"defender":{other}}}'

    def of_cards(self, asked: dict[str, Any], hand: _Arranged) -> str | None:
        """Return the score of a hand that was told by its cards, None if it is refused."""
        if not hand.right:
            return None
        heads = self._by(asked["rules"])
        cards, rest, unmatched, left = hand.knocker
        targets: tuple[Meld, ...] = ()
        if left or heads.lays_off_on_gin:
            targets = melds_of(cards ^ rest, rest ^ unmatched)
        against, other_left = _defence(hand, targets)
        mine, theirs = (asked["knocker"].seat, left), (asked["defender"].seat, other_left)
        head = heads.head(asked["kind"], mine, theirs, asked.get("upcard"))
        if not head:
            return None
        laid_out = texts.melds(cards ^ rest, rest ^ unmatched)
        shown = _shown(cards, laid_out, unmatched, "[]")
        one, other = _side(*mine, shown), _side(*theirs, against)
        return f'{head},"knocker":{one},"defender":{other},"lay_offs_optimal":true}}'

    def _by(self, rules: Rules) -> _Heads:
        if rules is not self._heads.rules:
            self._heads = _heads_of(rules)
        return self._heads


def _counted(seat: int | None, deadwood: int) -> CountedSide:
    return CountedSide(seat, NO_CARDS, (), NO_CARDS, (), deadwood)


def _defence(hand: _Arranged, targets: tuple[Meld, ...]) -> tuple[str, int]:
    """Return the best that the defender can do against the melds that take lay-offs.

    That is its cards, melds, unmatched cards, and lay-offs as they are written; and its points.
    """
    cards, rest, unmatched, left = hand.defender
    if targets and not hand.simple:
        best = best_lay_offs(targets, cards)
        own, made = texts.melds_in_order(best.melds), texts.lay_offs(best.lay_offs)
        return _shown(cards, own, best.unmatched, made), best.deadwood
    own, made = texts.melds(cards ^ rest, rest ^ unmatched), "[]"
    off = hand.fits if targets else NO_CARDS
    if off:
        unmatched, left = unmatched ^ off, left - points_of(off)
        made = texts.lay_offs(in_order(targets, off))
    return _shown(cards, own, unmatched, made), left


def _shown(cards: Cards, melds: str, unmatched: Cards, lay_offs: str) -> str:
    held, loose = texts.cards(cards), texts.cards(unmatched)
    return f'"cards":{held},"melds":{melds},"unmatched":{loose},"lay_offs":{lay_offs}'


def _side(seat: int | None, deadwood: int, shown: str) -> str:
    head = "{" if seat is None else f'{{"seat":{seat},'
    return f'{head}{shown},"deadwood":{deadwood}}}'
