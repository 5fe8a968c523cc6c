"""The analyses of many hands of eleven cards, written all at once.

Each hand and what each discard leaves of it are arranged with numpy, all together. Only the best
arrangement is told; who asks for more, or for other numbers of cards, is left to
:func:`engine.analyses.analyse`, and so is what has to be refused. A test holds both to the same.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from engine import bulk
from engine.actions import KnockKind
from engine.cards import CARD_NAMES, NO_CARDS, Cards, card_names
from engine.hand import HAND_SIZE
from engine.melds import melds_of
from engine.rules import knock_limit, multiplier
from service.schemas.dump import melds
from service.schemas.dump_scores import Wire

FEWEST: Final = 8
"""For fewer hands than so many the preparations cost more than they save."""

_DUE: Final = HAND_SIZE + 1

_Row: TypeAlias = tuple[Cards, Cards, Cards, int]
"""Cards, what their sets leave, what all melds leave, and its points."""


def plain_analyses(asked: Sequence[dict[str, Any] | None]) -> dict[int, Wire]:
    """Return the analyses of those of ``asked`` that are plain, by their place among all.

    Each of ``asked`` is one as :data:`CARDS_ANALYSIS_REQUEST` reads it, with its rules, or None.
    """
    plain = {
        place: each for place, each in enumerate(asked) if each is not None and _is_plain(each)
    }
    if len(plain) < FEWEST:
        return {}
    hands = np.array([each["cards"] for each in plain.values()], np.int64)
    thrown = _each_card(hands)
    after = (hands[:, np.newaxis] ^ thrown).ravel()
    wholes = _rows(hands, bulk.arranged(hands))
    lefts = _rows(after, bulk.arranged(after, thrown.ravel()))
    discards = thrown.tolist()
    return {
        place: _written(each, wholes[row], discards[row], lefts[_DUE * row : _DUE * row + _DUE])
        for row, (place, each) in enumerate(plain.items())
    }


def _is_plain(asked: dict[str, Any]) -> bool:
    rules, taken = asked["rules"], asked.get("taken_from_discard")
    needs_upcard = rules.knock_mode == "oklahoma" or rules.spade_doubles != "off"
    return (
        asked["cards"].bit_count() == _DUE
        and asked.get("max_arrangements", 1) == 1
        and not rules.big_gin
        and not (needs_upcard and asked.get("upcard") is None)
        and (taken is None or bool(asked["cards"] >> taken & 1))
    )


def _each_card(hands: bulk.Masks) -> bulk.Masks:
    """Return the eleven cards of each of ``hands``, in card order, each as a set of its own."""
    left, found = hands, []
    for _ in range(_DUE):
        lowest = left & -left
        found.append(lowest)
        left = left ^ lowest
    return np.stack(found, axis=1)


def _rows(hands: bulk.Masks, found: bulk.Arranged) -> list[_Row]:
    parts = (hands, found.rest, found.unmatched, found.deadwood)
    return list(zip(*(part.tolist() for part in parts), strict=True))


def _written(asked: dict[str, Any], whole: _Row, thrown: list[Cards], after: list[_Row]) -> Wire:
    rules, upcard = asked["rules"], asked.get("upcard")
    limit, taken = knock_limit(rules, upcard), asked.get("taken_from_discard")
    barred = NO_CARDS if taken is None else 1 << taken
    discards = [
        _discard(CARD_NAMES[thrown[index].bit_length() - 1], after[index], limit)
        for index in sorted(range(_DUE), key=lambda index: after[index][3])
        if thrown[index] != barred
    ]
    best = _arrangement(whole)
    return {
        "cards": card_names(whole[0]),
        "deadwood": whole[3],
        "deadwood_after_best_discard": discards[0]["deadwood"],
        "best": best,
        "arrangements": [best],
        "arrangements_truncated": bool(best["melds"]),
        "knock_limit": limit,
        "multiplier": multiplier(rules, upcard),
        "knocks": [option["knock"] for option in discards if "knock" in option],
        "discards": discards,
    }


def _arrangement(row: _Row) -> Wire:
    cards, rest, unmatched, deadwood = row
    laid_out = melds(melds_of(cards ^ rest, rest ^ unmatched))
    return {"melds": laid_out, "unmatched": card_names(unmatched), "deadwood": deadwood}


def _discard(name: str, row: _Row, limit: int) -> Wire:
    cards, rest, unmatched, left = row
    laid_out = melds(melds_of(cards ^ rest, rest ^ unmatched))
    names = card_names(unmatched)
    option: Wire = {"card": name, "deadwood": left, "melds": laid_out, "unmatched": names}
    if left <= limit:
        kind = KnockKind.KNOCK if left else KnockKind.GIN
        option["knock"] = {
            "kind": kind,
            "discard": name,
            "deadwood": left,
            "melds": laid_out,
            "unmatched": names,
        }
    return option
