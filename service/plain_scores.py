"""The scores of many hands that are told by their cards alone, written all at once.

Their cards are arranged with numpy, all together, and so is what fits on the knockers' melds. Only
where a lay-off might break a meld of the defender, that one is looked at by itself. What has to be
refused is left to :func:`engine.hand_scores.score_hand`; a test holds both ways to the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np

from engine import bulk
from engine.actions import KnockKind
from engine.cards import NO_CARDS, Cards, card_names
from engine.cards import points as points_of
from engine.hand import HAND_SIZE
from engine.hand_scores import CountedSide, HandSide
from engine.knocks import may_lay_off
from engine.layoffs import LayOff, best_lay_offs, in_order
from engine.melds import Meld, melds_of
from engine.rules import Rules, knock_limit
from engine.scoring import score_knock
from service.schemas.dump import lay_offs, melds
from service.schemas.dump_scores import Wire
from service.schemas.dump_scoring import points

FEWEST: Final = 8
"""For fewer hands than so many the preparations cost more than they save."""


def plain_scores(asked: Sequence[dict[str, Any] | None]) -> dict[int, Wire]:
    """Return the scores of those of ``asked`` that are plain, by their place among all.

    Each of ``asked`` is a hand as :data:`HAND_SCORE_REQUEST` reads it, with its rules, or None.
    """
    places = [place for place, each in enumerate(asked) if each is not None and _is_plain(each)]
    if len(places) < FEWEST:
        return {}
    desk, found = _Desk(), {}
    plain = [each for each in asked if each is not None and _is_plain(each)]
    for place, one, hand in zip(places, plain, _arranged(plain), strict=True):
        wire = desk.score(one, hand)
        if wire is not None:
            found[place] = wire
    return found


def _is_plain(asked: dict[str, Any]) -> bool:
    rules = asked["rules"]
    if asked["kind"] is KnockKind.BIG_GIN or rules.knock_mode == "oklahoma":
        return False
    if rules.spade_doubles != "off" and asked.get("upcard") is None:
        return False
    return _by_cards(asked["knocker"]) and _by_cards(asked["defender"])


def _by_cards(side: HandSide) -> bool:
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


def _arranged(asked: list[dict[str, Any]]) -> Iterator[_Arranged]:
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


@dataclass(slots=True)
class _Desk:
    """Where scores are written; the same counts come again and again, and are scored once."""

    written: dict[tuple[object, ...], Wire] = field(default_factory=dict)

    def score(self, asked: dict[str, Any], hand: _Arranged) -> Wire | None:
        """Return the score of ``hand``, None if it is refused."""
        if not hand.right:
            return None
        rules, upcard = asked["rules"], asked.get("upcard")
        cards, rest, unmatched, left = hand.knocker
        kind = KnockKind.KNOCK if left else KnockKind.GIN
        if left and (asked["kind"] is not kind or left > knock_limit(rules, upcard)):
            return None
        laid_out = melds_of(cards ^ rest, rest ^ unmatched)
        theirs = _defence(hand, laid_out if may_lay_off(rules, kind) else ())
        knocker, defender = asked["knocker"].seat, asked["defender"].seat
        scored = self._points(kind, (knocker, left), (defender, theirs[-1]), rules, upcard)
        return {
            **scored,
            "knocker": _side(knocker, cards, laid_out, unmatched, (), left),
            "defender": _side(defender, hand.defender[0], *theirs),
            "lay_offs_optimal": True,
        }

    def _points(
        self,
        kind: KnockKind,
        knocker: tuple[int | None, int],
        defender: tuple[int | None, int],
        rules: Rules,
        upcard: int | None,
    ) -> Wire:
        key = (kind, knocker, defender, id(rules), upcard)
        wire = self.written.get(key)
        if wire is None:
            sides = (_counted(*knocker), _counted(*defender))
            score = score_knock(kind, *sides, rules, upcard)
            wire = points(score, sides[0].seat if score.knocker_wins else sides[1].seat)
            self.written[key] = wire
        return wire


def _counted(seat: int | None, deadwood: int) -> CountedSide:
    return CountedSide(seat, NO_CARDS, (), NO_CARDS, (), deadwood)


def _defence(
    hand: _Arranged, targets: tuple[Meld, ...]
) -> tuple[tuple[Meld, ...], Cards, tuple[LayOff, ...], int]:
    """Return the best that the defender can do against the melds that take lay-offs.

    That is its own melds, what is left, the lay-offs, and the points.
    """
    cards, rest, unmatched, left = hand.defender
    if targets and not hand.simple:
        best = best_lay_offs(targets, cards)
        return best.melds, best.unmatched, best.lay_offs, best.deadwood
    own = melds_of(cards ^ rest, rest ^ unmatched)
    off = hand.fits if targets else NO_CARDS
    if not off:
        return own, unmatched, (), left
    return own, unmatched ^ off, tuple(in_order(targets, off)), left - points_of(off)


def _side(
    seat: int | None,
    cards: Cards,
    laid_out: tuple[Meld, ...],
    unmatched: Cards,
    made: tuple[LayOff, ...],
    deadwood: int,
) -> Wire:
    wire: Wire = {} if seat is None else {"seat": seat}
    wire["cards"] = card_names(cards)
    wire["melds"] = melds(laid_out)
    wire["unmatched"] = card_names(unmatched)
    wire["lay_offs"] = lay_offs(made)
    wire["deadwood"] = deadwood
    return wire
