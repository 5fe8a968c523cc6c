"""The score of a hand that was played elsewhere, from what is told of it.

Each side is told as cards (which are then laid out as best can be), as cards with the lay-out that
lay on the table, or as nothing but its count. What a game refuses is refused here, and the score is
made by the same functions.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.actions import KnockKind
from engine.cards import NO_CARDS, Card, Cards, each_card
from engine.errors import (
    BigGinNotEnabled,
    CardNotInHand,
    DuplicateCard,
    EngineError,
    LayOffNotPossible,
    MeldNotFound,
    MeldNotInHand,
    NotBigGin,
    UpcardNeeded,
    WrongCardCount,
)
from engine.hand import HAND_SIZE
from engine.knocks import defend, knock_kind, lay_out, lay_out_big_gin, may_lay_off
from engine.layoffs import LayOff, best_lay_offs
from engine.melds import Arrangement, Meld
from engine.rules import Rules, knock_limit
from engine.scoring import KnockScore, score_knock

Place: TypeAlias = tuple[str | int, ...]
"""Where something stands in what was told, such as ``("defender", "lay_offs", 1)``."""

MOST_CARDS: Final = 41
"""So many cards one side may keep where hands grow: all but ten and a discard."""


class Mistold(ValueError):
    """What is told of a hand cannot be: ``error`` says why, ``place`` where it stands."""

    def __init__(self, error: EngineError, *place: str | int) -> None:
        super().__init__(str(error))
        self.error = error
        self.place: Place = place


@dataclass(frozen=True, slots=True)
class HandSide:
    """What is told of one side: either its ``cards``, or its ``deadwood`` and nothing else.

    ``cards`` are those kept after the discard and held before any lay-off. With ``melds``, and for
    the defender ``lay_offs``, they were laid out so; absent ones are chosen as in a game.
    """

    seat: int | None = None
    cards: Cards | None = None
    melds: tuple[Cards, ...] | None = None
    lay_offs: tuple[LayOff, ...] | None = None
    deadwood: int | None = None


@dataclass(frozen=True, slots=True)
class CountedSide:
    """One side as it was counted. Of a side told by its count the rest is empty."""

    seat: int | None
    cards: Cards
    melds: tuple[Meld, ...]
    unmatched: Cards
    lay_offs: tuple[LayOff, ...]
    deadwood: int


@dataclass(frozen=True, slots=True)
class HandScore:
    """The score of a hand with both sides as they were counted.

    ``lay_offs_optimal`` tells whether the defender gave no points away; it is None where too little
    was told to know.
    """

    score: KnockScore
    knocker: CountedSide
    defender: CountedSide
    lay_offs_optimal: bool | None

    @property
    def winner_seat(self) -> int | None:
        """The seat that won the hand, if it was told."""
        return self.knocker.seat if self.score.knocker_wins else self.defender.seat


def score_hand(
    kind: KnockKind, knocker: HandSide, defender: HandSide, rules: Rules, upcard: Card | None = None
) -> HandScore:
    """Return the score of a hand that ``knocker`` ended.

    A knock that leaves no deadwood is gin, whatever it was called (game). ``upcard`` is the first
    card that lay face up; it is needed only where the rules make the limit or the score depend on
    it. Where the knocker told nothing but a count, nothing can be laid off.

    :raises Mistold: if it cannot have been so: another number of cards than the rules allow, a
        card twice, a lay-out or a lay-off that does not fit, a knock above the limit, gin with
        deadwood, or a missing upcard.
    """
    _check_cards(kind, knocker, defender, rules)
    called, laid_out = _knocked(kind, knocker, rules, upcard)
    if upcard is None and rules.spade_doubles != "off":
        raise Mistold(UpcardNeeded(), "upcard")
    knocked = CountedSide(
        knocker.seat,
        knocker.cards or NO_CARDS,
        laid_out.melds,
        laid_out.unmatched,
        (),
        laid_out.deadwood,
    )
    defended, optimal = _defended(defender, _targets(called, knocked, defender, rules))
    score = score_knock(called, knocked, defended, rules, upcard)
    return HandScore(score, knocked, defended, optimal)


def _targets(
    called: KnockKind, knocked: CountedSide, defender: HandSide, rules: Rules
) -> tuple[Meld, ...] | None:
    """Return the melds that take lay-offs, None if it was not told what they were."""
    if may_lay_off(rules, called):
        return knocked.melds if knocked.cards else None
    if defender.lay_offs:
        first = defender.lay_offs[0]
        refused = LayOffNotPossible(first.card, first.meld)
        raise Mistold(refused, "defender", "lay_offs", 0)
    return ()


def _check_cards(kind: KnockKind, knocker: HandSide, defender: HandSide, rules: Rules) -> None:
    grows = rules.multi_pickup and rules.multi_pickup_return == "grow"
    for name, told in (("knocker", knocker), ("defender", defender)):
        if told.cards is not None:
            extra = int(kind is KnockKind.BIG_GIN and told is knocker)
            least = HAND_SIZE + extra
            most = MOST_CARDS + extra if grows else least
            if not least <= told.cards.bit_count() <= most:
                raise Mistold(WrongCardCount(least, most), name, "cards")
    shared = (knocker.cards or NO_CARDS) & (defender.cards or NO_CARDS)
    if shared:
        raise Mistold(DuplicateCard(next(each_card(shared))), "defender", "cards")


def _knocked(
    declared: KnockKind, told: HandSide, rules: Rules, upcard: Card | None
) -> tuple[KnockKind, Arrangement]:
    """Return what the knock is called, and the knocker's lay-out."""
    try:
        if declared is KnockKind.BIG_GIN:
            return declared, _big_gin(told, rules)
        if told.cards is None:
            layout = _only_counted(told)
        else:
            layout = lay_out(rules, told.cards, told.melds)
        left = layout.deadwood
        return knock_kind(declared, left, _limit(rules, declared, left, upcard)), layout
    except UpcardNeeded as error:
        raise Mistold(error, "upcard") from None
    except BigGinNotEnabled as error:
        raise Mistold(error, "kind") from None
    except EngineError as error:
        raise Mistold(error, "knocker", *_place_of_layout(told, error)) from None


def _big_gin(told: HandSide, rules: Rules) -> Arrangement:
    if told.cards is not None:
        return lay_out_big_gin(rules, told.cards, told.melds)
    if not rules.big_gin:
        raise BigGinNotEnabled
    layout = _only_counted(told)
    if layout.deadwood:
        raise NotBigGin(layout.deadwood)
    return layout


def _only_counted(told: HandSide) -> Arrangement:
    assert told.deadwood is not None, "a side is told by its cards or by its count"
    return Arrangement((), NO_CARDS, told.deadwood)


def _limit(rules: Rules, declared: KnockKind, left: int, upcard: Card | None) -> int:
    """Return the knock limit; in Oklahoma a knock with deadwood cannot be judged without upcard."""
    judged = declared is KnockKind.KNOCK and left > 0
    if judged and upcard is None and rules.knock_mode == "oklahoma":
        raise UpcardNeeded
    return knock_limit(rules, upcard)


def _place_of_layout(told: HandSide, error: EngineError) -> Place:
    if isinstance(error, MeldNotInHand):
        index: int = error.params["meld"]  # type: ignore[assignment]
        return "melds", index
    if told.cards is None:
        return ("deadwood",)
    return ("cards",) if told.melds is None else ("melds",)


def _defended(told: HandSide, targets: tuple[Meld, ...] | None) -> tuple[CountedSide, bool | None]:
    """Return the defender's side, and whether it gave no points away.

    ``targets`` are the melds that take lay-offs, None if it is not known what they were.
    """
    if told.cards is None:
        counted = _only_counted(told)
        return CountedSide(told.seat, NO_CARDS, (), NO_CARDS, (), counted.deadwood), None
    melds = targets or ()
    try:
        choice = defend(melds, told.cards, told.lay_offs, told.melds)
    except EngineError as error:
        raise Mistold(error, "defender", *place_of_defence(told, error)) from None
    side = CountedSide(
        told.seat, told.cards, choice.melds, choice.unmatched, choice.lay_offs, choice.deadwood
    )
    if targets is None:
        return side, None
    chosen = told.lay_offs is not None or told.melds is not None
    return side, not chosen or choice.deadwood == best_lay_offs(melds, told.cards).deadwood


def place_of_defence(told: HandSide, error: EngineError) -> Place:
    """Return where in a defender's side that stands for which :func:`defend` raised ``error``."""
    lay_offs = told.lay_offs or ()
    if isinstance(error, LayOffNotPossible | MeldNotFound):
        return "lay_offs", _first(lay_offs, error.params)
    if isinstance(error, CardNotInHand):
        return "lay_offs", _not_there(lay_offs, told.cards or NO_CARDS)
    return _place_of_layout(told, error)


def _first(lay_offs: tuple[LayOff, ...], params: dict[str, object]) -> int:
    """Return the index of the lay-off that ``params`` speak of; those before it were made."""
    for index, made in enumerate(lay_offs):
        if made.meld == params["meld"] and made.card == params.get("card", made.card):
            return index
    raise AssertionError("a lay-off that was refused had been told")


def _not_there(lay_offs: tuple[LayOff, ...], cards: Cards) -> int:
    """Return the index of the first lay-off of a card that is not, or no longer, held."""
    for index, made in enumerate(lay_offs):
        if not cards >> made.card & 1:
            return index
        cards ^= 1 << made.card
    raise AssertionError("a lay-off that was refused had been told")
