"""What a seat may do in a hand, and what follows from it.

:func:`decide` turns an action into facts, or refuses it with the reason. It changes nothing: the
bookkeeping of the facts is :func:`engine.hand.evolve`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeAlias

from engine.actions import Discard, Draw, DrawSource, HandAction, Knock, KnockKind, LayOffs, Pass
from engine.cards import Card, cards_of
from engine.errors import (
    CardJustDrawn,
    CardJustTaken,
    CardNotInDiscards,
    CardNotInHand,
    DiscardPileEmpty,
    IllegalAction,
    MustDrawStock,
    MustKnockOrPass,
    NotYourTurn,
    OnlyTopDiscard,
    PickupNotMelded,
    StockEmpty,
    WrongDiscardCount,
    WrongPhase,
)
from engine.events import Discarded, Drew, HandDrawn, HandEvent, Knocked, LaidOff, Passed
from engine.hand import Hand, Phase, evolve
from engine.knocks import defend, knock_kind, lay_out, lay_out_big_gin, may_lay_off
from engine.layoffs import LayOffChoice, best_lay_offs
from engine.melds import Arrangement, best_arrangement, in_possible_melds
from engine.rules import Rules, knock_limit
from engine.scoring import (
    HandOutcome,
    HandResult,
    ScoredSide,
    result_of_knock,
    result_without_score,
    side,
)

Reshuffle: TypeAlias = Callable[[int, tuple[Card, ...]], tuple[Card, ...]]
"""Orders cards that are recycled for the first, second, … time, as the fair deal has it."""


def decide(
    hand: Hand, rules: Rules, seat: int, action: HandAction, reshuffle: Reshuffle | None = None
) -> tuple[HandEvent, ...]:
    """Return what follows when ``seat`` does ``action``.

    ``reshuffle`` is needed where the rules have discards shuffled when they become the stock.

    :raises IllegalAction: if it may not; the kind says why.
    """
    if seat != hand.to_act:
        raise NotYourTurn((hand.to_act,))
    decided = _DECIDERS[type(action)](hand, rules, seat, action)
    if rules.recycle == "shuffled":
        return tuple(_shuffled(hand, event, reshuffle) for event in decided)
    return decided


def _decide_pass(hand: Hand, rules: Rules, seat: int, _action: Pass) -> tuple[HandEvent, ...]:
    if not hand.at_wall:
        _require(hand, Phase.FIRST_UPCARD)
        return (Passed(seat),)
    _require(hand, Phase.DRAW, Phase.DISCARD)
    passed = Passed(seat)
    return passed, _drawn(hand, rules, passed)


def _decide_draw(hand: Hand, rules: Rules, seat: int, action: Draw) -> tuple[HandEvent, ...]:
    if action.source is DrawSource.STOCK:
        _require(hand, Phase.DRAW)
        if hand.at_wall:
            raise MustKnockOrPass
        if not hand.stock:
            raise StockEmpty
        return (Drew(seat, DrawSource.STOCK, hand.stock[0]),)
    _require(hand, Phase.DRAW, Phase.FIRST_UPCARD)
    if hand.must_draw_stock:
        raise MustDrawStock
    return (_take(hand, rules, seat, action.card),)


def _take(hand: Hand, rules: Rules, seat: int, named: Card | None) -> Drew:
    if not hand.discard_pile:
        raise DiscardPileEmpty
    top = hand.discard_pile[-1]
    if named is None or named == top:
        return Drew(seat, DrawSource.DISCARD_PILE, top)
    if rules.discard_view == "top":
        # Whether the card lies further down is not for telling.
        raise OnlyTopDiscard(named)
    if named not in hand.discard_pile:
        raise CardNotInDiscards(named)
    if not may_dig(hand, rules):
        raise OnlyTopDiscard(named)
    cards = buried_pick_up(hand, named)
    if not cards:
        raise PickupNotMelded(named)
    return Drew(seat, DrawSource.DISCARD_PILE, named, cards)


def may_dig(hand: Hand, rules: Rules) -> bool:
    """Return whether a buried discard may be taken now: not in the opening, nor at the wall."""
    return rules.multi_pickup and hand.phase is Phase.DRAW and not hand.at_wall


def buried_pick_up(hand: Hand, card: Card) -> tuple[Card, ...]:
    """Return the cards that come with the buried discard ``card``, bottom to top.

    None do where it may not be taken: it has to be used in a meld at once (full s6), so the
    enlarged hand must hold a meld with it.
    """
    cards = hand.discard_pile[hand.discard_pile.index(card) :]
    enlarged = hand.holdings[hand.to_act] | cards_of(cards)
    return cards if in_possible_melds(enlarged) >> card & 1 else ()


def _decide_discard(hand: Hand, rules: Rules, seat: int, action: Discard) -> tuple[HandEvent, ...]:
    _require(hand, Phase.DISCARD)
    if hand.at_wall:
        raise MustKnockOrPass
    _check_may_throw(hand, rules, action.card)
    discarded = Discarded(seat, action.card)
    if hand.discards_owed > 1:
        return (discarded,)
    if ends_undecided(hand, rules):
        return discarded, _drawn(hand, rules, discarded)
    if not stock_is_out(hand, rules):
        return (discarded,)
    if may_recycle(hand, rules):
        # The pile is turned over: the oldest discard is drawn first (full s6).
        return (replace(discarded, recycled=hand.discard_pile),)
    return (replace(discarded, wall=True),)


def _drawn(hand: Hand, rules: Rules, last: Discarded | Passed) -> HandDrawn:
    return HandDrawn(_result_undecided(evolve(hand, rules, last), rules, HandOutcome.DRAWN))


def ends_undecided(hand: Hand, rules: Rules) -> bool:
    """Return whether an ordinary discard now ends the hand without a score.

    That is so after ``max_turns`` turns, or when the stock is out and no turn is left at the wall.
    """
    if hand.discards_owed > 1:
        return False
    if hand.turn >= rules.max_turns:
        return True
    more = may_recycle(hand, rules) or rules.last_discard == "knock_only"
    return stock_is_out(hand, rules) and not more


def stock_is_out(hand: Hand, rules: Rules) -> bool:
    """Return whether after a discard now nobody could draw from the stock any more.

    That is so when only ``stock_end`` cards remain (full s4: "only two face-down cards remain in
    the stock after a discard"), or none where discards are recycled.
    """
    return len(hand.stock) <= (rules.stock_end if rules.recycle == "never" else 0)


def may_recycle(hand: Hand, rules: Rules) -> bool:
    """Return whether the discards under the coming one may become the stock (full s6)."""
    left = 0 if rules.recycle == "never" else rules.max_recycles - hand.recycles
    return left > 0 and bool(hand.discard_pile)


def _shuffled(hand: Hand, event: HandEvent, reshuffle: Reshuffle | None) -> HandEvent:
    """Return ``event`` with the discards that it makes the stock in the order of the fair deal."""
    if not isinstance(event, Discarded) or not event.recycled:
        return event
    assert reshuffle is not None, "a game that shuffles its discards knows how"
    return replace(event, recycled=reshuffle(hand.recycles + 1, event.recycled))


def throw_refusal(hand: Hand, rules: Rules, card: Card) -> IllegalAction | None:
    """Return why the seat that is to act may not throw ``card``, or None if it may."""
    if not hand.holdings[hand.to_act] >> card & 1:
        return CardNotInHand(card)
    if card == hand.drawn_card:
        if hand.drawn_from is DrawSource.DISCARD_PILE:
            return CardJustTaken(card)
        if rules.discard_drawn == "any_drawn":
            return CardJustDrawn(card)
    return None


def _check_may_throw(hand: Hand, rules: Rules, card: Card) -> None:
    refusal = throw_refusal(hand, rules, card)
    if refusal is not None:
        raise refusal


def _decide_knock(hand: Hand, rules: Rules, seat: int, action: Knock) -> tuple[HandEvent, ...]:
    _require(hand, Phase.DISCARD)
    if hand.discards_owed > 1:
        raise WrongDiscardCount(hand.discards_owed - 1)
    cards = hand.holdings[seat]
    if action.discard is None:
        kind, layout = KnockKind.BIG_GIN, lay_out_big_gin(rules, cards, action.melds)
    else:
        _check_may_throw(hand, rules, action.discard)
        thrown = 1 << action.discard
        layout = lay_out(rules, cards ^ thrown, action.melds, thrown)
        kind = knock_kind(action.kind, layout.deadwood, knock_limit(rules, hand.upcard))
    defender = hand.other(seat)
    knocked = Knocked(
        seat=seat,
        kind=kind,
        discard=action.discard,
        melds=layout.melds,
        unmatched=layout.unmatched,
        deadwood=layout.deadwood,
        defender=defender,
        defender_cards=hand.holdings[defender],
    )
    return _after_knock(hand, rules, knocked)


def _after_knock(hand: Hand, rules: Rules, knocked: Knocked) -> tuple[HandEvent, ...]:
    """Let the lay-off follow; gin ends the hand at once, unless lay-offs on gin were agreed."""
    if not may_lay_off(rules, knocked.kind):
        arrangement = best_arrangement(knocked.defender_cards)
        defender = side(knocked.defender, knocked.defender_cards, arrangement)
        return (replace(knocked, result=_result_of_knock(hand, rules, knocked, defender)),)
    if rules.layoff == "optimal":
        choice = best_lay_offs(knocked.melds, knocked.defender_cards)
        return knocked, _laid_off(hand, rules, knocked, choice)
    return (knocked,)


def _decide_lay_off(hand: Hand, rules: Rules, _seat: int, action: LayOffs) -> tuple[HandEvent, ...]:
    _require(hand, Phase.LAY_OFF)
    assert hand.knock is not None
    choice = defend(hand.knock.melds, hand.knock.defender_cards, action.lay_offs, action.melds)
    return (_laid_off(hand, rules, hand.knock, choice),)


def _laid_off(hand: Hand, rules: Rules, knocked: Knocked, choice: LayOffChoice) -> LaidOff:
    defender = ScoredSide(
        seat=knocked.defender,
        cards=knocked.defender_cards,
        melds=choice.melds,
        unmatched=choice.unmatched,
        lay_offs=choice.lay_offs,
        deadwood=choice.deadwood,
    )
    result = _result_of_knock(hand, rules, knocked, defender)
    return LaidOff(knocked.defender, choice.lay_offs, result)


def _result_of_knock(
    hand: Hand, rules: Rules, knocked: Knocked, defender: ScoredSide
) -> HandResult:
    retained = hand.holdings[knocked.seat]
    if knocked.discard is not None:
        retained &= ~(1 << knocked.discard)
    laid_out = Arrangement(knocked.melds, knocked.unmatched, knocked.deadwood)
    knocker = side(knocked.seat, retained, laid_out)
    return result_of_knock(hand.number, knocked.kind, knocker, defender, rules, hand.upcard)


def _result_undecided(hand: Hand, rules: Rules, outcome: HandOutcome) -> HandResult:
    sides = tuple(
        side(seat, hand.holdings[seat], best_arrangement(hand.holdings[seat]))
        for seat in hand.playing_seats
    )
    return result_without_score(hand.number, outcome, sides, rules, hand.upcard)


def resigned_result(hand: Hand, rules: Rules) -> HandResult | None:
    """Return the result of a hand that ends because the game was given up; None if it was over."""
    return None if hand.over else _result_undecided(hand, rules, HandOutcome.RESIGNED)


def void_result(hand: Hand, rules: Rules) -> HandResult:
    """Return the result of a hand that is void: nobody scores."""
    return _result_undecided(hand, rules, HandOutcome.VOID)


def _require(hand: Hand, *phases: Phase) -> None:
    if hand.phase not in phases:
        raise WrongPhase(hand.phase)


_DECIDERS: Final[dict[type, Callable[[Hand, Rules, int, Any], tuple[HandEvent, ...]]]] = {
    Pass: _decide_pass,
    Draw: _decide_draw,
    Discard: _decide_discard,
    Knock: _decide_knock,
    LayOffs: _decide_lay_off,
}
