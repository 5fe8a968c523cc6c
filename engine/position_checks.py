"""Whether a told position can be, and what follows from it that was not told."""

from collections.abc import Iterator
from dataclasses import replace

from engine.actions import KnockKind
from engine.cards import NO_CARDS, Card, each_card
from engine.errors import (
    CardInTwoMelds,
    CardNotInDiscards,
    CardNotInHand,
    ContradictoryRules,
    DuplicateCard,
    EngineError,
    OutOfRange,
    UpcardNeeded,
    WrongCardCount,
)
from engine.hand import HAND_SIZE, Phase
from engine.hand_scores import Mistold, Place
from engine.knocks import knock_kind, lay_out, may_lay_off
from engine.melds import parse_meld
from engine.positions import FIRST_STOCK, MOST_HELD, Position
from engine.rules import knock_limit


def completed(position: Position) -> Position:
    """Return ``position`` with the upcard, the pile and the turn that follow from the rest.

    Without an upcard it stays None where nothing tells it and nothing by the rules depends on it.

    :raises Mistold: if it cannot be: a card in two places, another number of cards than the phase,
        the rules and a deck of 52 allow, a card that is not held, a lay-out that is none or no
        knock, a turn that does not go with the stock, a top discard or an upcard that is missing.
    """
    if position.phase is Phase.FIRST_UPCARD and position.rules.opening != "offer":
        raise Mistold(ContradictoryRules("phase", "opening"), "phase")
    _check_counts(position)
    _check_own(position)
    position = _opened(position)
    if position.phase is Phase.LAY_OFF:
        _check_melds(position)
        _check_knock(position)
    _check_apart(position)
    _check_known(position)
    _check_piles(position)
    return _timed(position)


def _check_counts(position: Position) -> None:
    grown = MOST_HELD if position.grows else HAND_SIZE
    least, most = HAND_SIZE, grown
    if position.phase is Phase.DISCARD:
        several = position.rules.multi_pickup and position.drawn_from != "stock"
        least, most = HAND_SIZE + 1, MOST_HELD if several or position.grows else HAND_SIZE + 1
    if not least <= position.cards.bit_count() <= most:
        raise Mistold(WrongCardCount(least, most), "cards")
    if position.phase is Phase.LAY_OFF and position.rules.big_gin and position.rules.layoff_on_gin:
        grown = max(grown, HAND_SIZE + 1)
    told = position.opponent_card_count
    if told is not None and not HAND_SIZE <= told <= grown:
        fault = OutOfRange("opponent_card_count", HAND_SIZE, grown)
        raise Mistold(fault, "opponent_card_count")


def _check_own(position: Position) -> None:
    assert (position.drawn_card is None) == (position.drawn_from is None), "they come together"
    if position.drawn_card is not None and not position.cards >> position.drawn_card & 1:
        raise Mistold(CardNotInHand(position.drawn_card), "drawn_card")
    for card in each_card(position.known_cards & ~position.cards):
        raise Mistold(CardNotInHand(card), "known_cards")


def _opened(position: Position) -> Position:
    """Return the position with its upcard and with a pile of only that, each if the other tells it.

    :raises Mistold: if the upcard is missing on which the rules depend, or should lie open.
    """
    upcard, pile, rules = position.upcard, position.discard_pile, position.rules
    untouched = position.phase is Phase.FIRST_UPCARD or position.turn == 0
    if upcard is None and untouched and pile:
        upcard = pile[0]
    if upcard is None and (rules.knock_mode == "oklahoma" or rules.spade_doubles != "off"):
        raise Mistold(UpcardNeeded(), "upcard")
    if upcard is not None and not pile and position.pile_count == 1:
        held = position.cards | position.opponent_known_cards | position.knocker_cards
        pile = () if held >> upcard & 1 else (upcard,)
    if upcard is not None and untouched and pile and pile[0] != upcard:
        raise Mistold(CardNotInDiscards(upcard), "upcard")
    return replace(position, upcard=upcard, discard_pile=pile)


# --- a knock


def _check_melds(position: Position) -> None:
    seen = NO_CARDS
    for index, meld in enumerate(position.knocker_melds):
        try:
            parse_meld(meld)
        except EngineError as error:
            raise Mistold(error, "knocker_melds", index, "cards") from None
        for card in each_card(seen & meld):
            raise Mistold(CardInTwoMelds(card), "knocker_melds", index, "cards")
        seen |= meld
    for card in each_card(seen & (position.knocker_unmatched or NO_CARDS)):
        raise Mistold(DuplicateCard(card), "knocker_unmatched")


def _check_knock(position: Position) -> None:
    """Refuse a lay-out of another number of cards than the knocker kept, and one that is no knock.

    Where the unmatched cards are not told, the melds have to leave room for them.
    """
    unmatched, laid = position.knocker_unmatched, position.knocker_cards.bit_count()
    if unmatched is None:
        if laid > position.opponent_count:
            raise Mistold(WrongCardCount(0, position.opponent_count), "knocker_melds")
        return
    most = MOST_HELD if position.grows else HAND_SIZE
    if position.rules.big_gin and position.rules.layoff_on_gin and not unmatched:
        most = max(most, HAND_SIZE + 1)
    told = position.opponent_card_count
    least, most = (HAND_SIZE, most) if told is None else (told, told)
    if not least <= laid <= most:
        melded = laid - unmatched.bit_count()
        fault = WrongCardCount(max(0, least - melded), max(0, most - melded))
        raise Mistold(fault, "knocker_unmatched")
    _check_deadwood(position)


def _check_deadwood(position: Position) -> None:
    rules, kept = position.rules, position.knocker_cards
    if not may_lay_off(rules, position.knock):
        raise Mistold(WrongCardCount(1, HAND_SIZE), "knocker_unmatched")
    try:
        left = lay_out(rules, kept, position.knocker_melds).deadwood
        knock_kind(KnockKind.KNOCK, left, knock_limit(rules, position.upcard))
    except EngineError as error:
        raise Mistold(error, "knocker_unmatched") from None


# --- where the cards lie


def _check_apart(position: Position) -> None:
    """Refuse a card that is told to be in two places."""
    seen = position.cards
    for card, place in _elsewhere(position):
        if seen >> card & 1:
            raise Mistold(DuplicateCard(card), *place)
        seen |= 1 << card


def _elsewhere(position: Position) -> Iterator[tuple[Card, Place]]:
    """Yield each card that is not the seat's own, and where that is told."""
    for index, card in enumerate(position.discard_pile):
        yield card, ("discard_pile", index)
    for index, meld in enumerate(position.knocker_melds):
        for card in each_card(meld):
            yield card, ("knocker_melds", index, "cards")
    for card in each_card(position.knocker_unmatched or NO_CARDS):
        yield card, ("knocker_unmatched",)
    for card in each_card(position.opponent_known_cards & ~position.knocker_cards):
        yield card, ("opponent_known_cards",)


def _check_known(position: Position) -> None:
    """Refuse more cards of the other seat than it holds."""
    known = position.opponent_known_cards
    if position.knocker_unmatched is not None:
        for card in each_card(known & ~position.knocker_cards):
            raise Mistold(CardNotInHand(card), "opponent_known_cards")
    count = position.opponent_count
    if (known | position.knocker_cards).bit_count() > count:
        raise Mistold(WrongCardCount(0, count), "opponent_known_cards")


def _check_piles(position: Position) -> None:
    """Refuse a stock and a pile that do not make up the deck, or could not be at this time."""
    phase, told = position.phase, len(position.discard_pile)
    open_pile = int(phase in (Phase.FIRST_UPCARD, Phase.DRAW))
    least, room = _least_stock(position), position.room
    if told > room - least:
        raise Mistold(WrongCardCount(open_pile, room - least), "discard_pile")
    most = room - max(told, open_pile)
    if not least <= position.stock_count <= most:
        raise Mistold(OutOfRange("stock_count", least, most), "stock_count")
    # Which of the buried cards may be taken depends on all of them.
    lying, whole = position.pile_count, position.rules.multi_pickup and phase is Phase.DRAW
    if told < (lying if whole else open_pile):
        raise Mistold(WrongCardCount(lying if whole else open_pile, lying), "discard_pile")


def _least_stock(position: Position) -> int:
    """Return how many cards the stock has at the least, since the hand goes on (full s4)."""
    end = position.stock_end
    if position.phase is Phase.FIRST_UPCARD:
        return FIRST_STOCK
    if position.rules.last_discard == "knock_only":
        return end
    before_draw = position.phase is Phase.DRAW
    return end + 1 if before_draw or position.from_pile else end


def _timed(position: Position) -> Position:
    """Return the position with its turn: the least that the stock allows, where it is not told.

    :raises Mistold: if there were more draws, or more turns than the rules have; or if it is the
        dealer who would make the first draw.
    """
    least, most = _turns(position)
    opening = position.phase is Phase.DRAW and least == 0
    unopened = position.discard_pile == (position.upcard,)
    if opening and (position.dealer or not unopened):
        least = 1
    turn = least if position.turn is None else position.turn
    if not least <= turn <= most:
        raise Mistold(OutOfRange("turn", least, most), "turn")
    return replace(position, turn=turn)


def _turns(position: Position) -> tuple[int, int]:
    drawn, most = FIRST_STOCK - position.stock_count, position.rules.max_turns
    if position.phase is Phase.FIRST_UPCARD:
        return 0, 0
    if position.phase is Phase.DRAW:
        return max(0, drawn), most - 1
    return max(1, drawn + int(position.from_pile)), most
