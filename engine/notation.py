"""One line of text for an action and for a position of a hand, in and out.

Cards stand together as in ``AC2C3C``; ``-`` stands for nothing. Reading undoes writing.

>>> action_name(parse_action("knock 7H AC2C3C 4D5D6D"))
'knock 7H AC2C3C 4D5D6D'

A position has twelve fields: phase, seat to act, turn, hand number, dealer and non-dealer, the
cards of each seat, discard pile, stock, upcard, card drawn, knock, commitment. Behind the phase,
``!`` says that only the stock may be drawn from, ``^`` that the last discard lies at the wall;
behind a card, ``*`` that everybody saw it taken; behind the stock, ``~1`` that it was recycled
once; behind the card drawn, ``:2`` that two cards have to be thrown. So seat 0, which took the
jack of spades and is to discard, may stand like this (stock cut short)::

    discard 0 1 1 1>0 2C3C4D5D6D7H8H9HTSJS*KS/4C5C8D9DJDJHQHKH2S3S - 6C7C… JS pile:JS - -
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from engine.actions import (
    Action,
    Claim,
    DealHand,
    Discard,
    Draw,
    DrawSource,
    Knock,
    KnockKind,
    LayOffs,
    Pass,
    Resign,
)
from engine.cards import (
    CARD_NAMES,
    DECK,
    Card,
    Cards,
    card_name,
    cards_of,
    each_card,
    parse_card,
    parse_cards,
)
from engine.events import Knocked
from engine.hand import Hand, Phase
from engine.layoffs import LayOff
from engine.melds import best_arrangement, check_arrangement
from engine.rules import STANDARD, Rules
from engine.scoring import result_of_knock, side

NOTHING: Final = "-"
_PILE: Final = "pile"
_MELDS: Final = "melds"
_ONLY_STOCK: Final = "!"
_WALL: Final = "^"
_RECYCLED: Final = "~"


class NotationError(ValueError):
    """This text names no action, no position or no game."""


# --- cards


def row_name(cards: Iterable[Card]) -> str:
    """Return the names of ``cards`` in their order, put together: ``KS4D7H``."""
    return "".join(map(card_name, cards)) or NOTHING


def parse_row(text: str) -> tuple[Card, ...]:
    """Return the cards that ``text`` names, in their order; the inverse of :func:`row_name`.

    :raises BadCard: if a part of it names no card.
    """
    if text == NOTHING:
        return ()
    return tuple(parse_card(text[start : start + 2]) for start in range(0, len(text), 2))


def _parse_set(text: str) -> Cards:
    return parse_cards(map(card_name, parse_row(text)))


# --- actions


def action_name(action: Action) -> str:
    """Return ``action`` in words: what it is, then the card, the melds or the lay-offs it names.

    ``pass``, ``draw stock``, ``draw pile``, ``draw pile 7H``, ``discard 7H``, ``knock 7H``,
    ``gin 7H AC2C3C 4D5D6D``, ``big_gin``, ``lay_off 5C>0 4C>0``, ``lay_off - melds 8D8H8S``,
    ``deal``, ``resign``, ``claim``. A list that is there but empty is ``-``; one that is
    absent is left out.
    """
    return _WRITERS[type(action)](action)


def _draw_name(draw: Draw) -> str:
    if draw.source is DrawSource.STOCK:
        return "draw stock"
    named = "" if draw.card is None else f" {card_name(draw.card)}"
    return f"draw {_PILE}{named}"


def _discard_name(discard: Discard) -> str:
    return f"discard {card_name(discard.card)}"


def _knock_name(knock: Knock) -> str:
    # A knock without a discard is big gin, and big gin has no discard, whatever it was called.
    if knock.discard is None:
        words = [KnockKind.BIG_GIN.value]
    else:
        kind = KnockKind.KNOCK if knock.kind is KnockKind.KNOCK else KnockKind.GIN
        words = [kind.value, card_name(knock.discard)]
    return " ".join((*words, *_meld_names(knock.melds)))


def _lay_offs_name(action: LayOffs) -> str:
    words = ["lay_off"]
    if action.lay_offs is not None:
        words += [f"{card_name(laid.card)}>{laid.meld}" for laid in action.lay_offs] or [NOTHING]
    if action.melds is not None:
        words += [_MELDS, *_meld_names(action.melds)]
    return " ".join(words)


def _meld_names(melds: Iterable[Cards] | None) -> list[str]:
    if melds is None:
        return []
    return [row_name(each_card(meld)) for meld in melds] or [NOTHING]


def parse_action(text: str) -> Action:
    """Return the action that ``text`` names; the inverse of :func:`action_name`.

    :raises NotationError: if it names none.
    """
    word, *rest = text.split(" ")
    try:
        return _PARSERS[word](rest)
    except (KeyError, ValueError) as error:
        raise NotationError(f"no action: {text!r}") from error


def _parse_draw(words: list[str]) -> Draw:
    if words == ["stock"]:
        return Draw(DrawSource.STOCK)
    source, *named = words
    if source != _PILE or len(named) > 1:
        raise NotationError
    return Draw(DrawSource.DISCARD_PILE, parse_card(named[0]) if named else None)


def _parse_discard(words: list[str]) -> Discard:
    (card,) = words
    return Discard(parse_card(card))


def _parse_knock(words: list[str]) -> Knock:
    discard, *melds = words
    return Knock(KnockKind.KNOCK, parse_card(discard), _parse_melds(melds))


def _parse_gin(words: list[str]) -> Knock:
    discard, *melds = words
    return Knock(KnockKind.GIN, parse_card(discard), _parse_melds(melds))


def _parse_big_gin(words: list[str]) -> Knock:
    return Knock(KnockKind.BIG_GIN, None, _parse_melds(words))


def _parse_lay_offs(words: list[str]) -> LayOffs:
    melds = None
    if _MELDS in words:
        at = words.index(_MELDS)
        melds = _parse_melds(words[at + 1 :])
        if melds is None:
            raise NotationError
        words = words[:at]
    if not words:
        return LayOffs(None, melds)
    made = [] if words == [NOTHING] else [word.split(">") for word in words]
    return LayOffs(tuple(LayOff(parse_card(card), int(meld)) for card, meld in made), melds)


def _parse_melds(words: list[str]) -> tuple[Cards, ...] | None:
    if not words:
        return None
    return () if words == [NOTHING] else tuple(map(_parse_set, words))


def _alone(action: Action) -> Callable[[list[str]], Action]:
    def parse(words: list[str]) -> Action:
        if words:
            raise NotationError
        return action

    return parse


_WRITERS: Final[dict[type, Callable[[Any], str]]] = {
    Pass: lambda _: "pass",
    Draw: _draw_name,
    Discard: _discard_name,
    Knock: _knock_name,
    LayOffs: _lay_offs_name,
    DealHand: lambda _: "deal",
    Resign: lambda _: "resign",
    Claim: lambda _: "claim",
}
_PARSERS: Final[dict[str, Callable[[list[str]], Action]]] = {
    "pass": _alone(Pass()),
    "draw": _parse_draw,
    "discard": _parse_discard,
    "knock": _parse_knock,
    "gin": _parse_gin,
    "big_gin": _parse_big_gin,
    "lay_off": _parse_lay_offs,
    "deal": _alone(DealHand()),
    "resign": _alone(Resign()),
    "claim": _alone(Claim()),
}


# --- positions


def position_name(hand: Hand) -> str:
    """Return the one line that says all about ``hand`` but the rules it is played by."""
    return " ".join(
        (
            hand.phase + _ONLY_STOCK * hand.must_draw_stock + _WALL * hand.at_wall,
            str(hand.to_act),
            str(hand.turn),
            str(hand.number),
            f"{hand.dealer}>{hand.nondealer}",
            "/".join(map(_holding_name, hand.holdings, hand.taken)),
            row_name(hand.discard_pile),
            row_name(hand.stock) + (f"{_RECYCLED}{hand.recycles}" if hand.recycles else ""),
            card_name(hand.upcard),
            _drawn_name(hand),
            NOTHING if hand.knock is None else _laid_out_name(hand.knock),
            hand.server_commit or NOTHING,
        )
    )


def _drawn_name(hand: Hand) -> str:
    if hand.drawn_card is None:
        return NOTHING
    source = "stock" if hand.drawn_from is DrawSource.STOCK else _PILE
    owed = f":{hand.discards_owed}" if hand.discards_owed > 1 else ""
    return f"{source}:{card_name(hand.drawn_card)}{owed}"


def _holding_name(cards: Cards, taken: Cards) -> str:
    names = (CARD_NAMES[card] + "*" * (taken >> card & 1) for card in each_card(cards))
    return "".join(names) or NOTHING


def _laid_out_name(knock: Knocked) -> str:
    discard = NOTHING if knock.discard is None else card_name(knock.discard)
    melds = ",".join(_meld_names(meld.cards for meld in knock.melds))
    scored = ":scored" if knock.result else ""
    return f"{knock.seat}:{knock.kind}:{discard}:{melds}{scored}"


def parse_position(text: str, rules: Rules = STANDARD) -> Hand:
    """Return the hand that ``text`` describes; the inverse of :func:`position_name`.

    ``rules`` are needed only for the result of a gin, which is computed anew.

    :raises NotationError: if it is no position, or its cards are not one deck.
    """
    try:
        hand, knock = _parse_hand(text.split(" "))
        return hand if knock == NOTHING else _with_knock(hand, knock, rules)
    except (ValueError, LookupError) as error:
        raise NotationError(f"no position: {text!r}") from error


def _parse_hand(words: list[str]) -> tuple[Hand, str]:
    phase, to_act, turn, number, deal, cards, pile, stock, upcard, drawn, knock, commit = words
    dealer, nondealer, due = map(int, (*deal.split(">"), to_act))
    source, drawn_card, owed = _parse_drawn(drawn)
    phase, at_wall = phase.removesuffix(_WALL), phase.endswith(_WALL)
    stock, _, recycles = stock.partition(_RECYCLED)
    seats = cards.split("/")
    if not {dealer, nondealer, due} <= set(range(len(seats))):
        raise NotationError("there is no such seat")
    hand = Hand(
        number=int(number),
        dealer=dealer,
        nondealer=nondealer,
        phase=Phase(phase.removesuffix(_ONLY_STOCK)),
        to_act=due,
        turn=int(turn),
        holdings=tuple(_parse_set(seat.replace("*", "")) for seat in seats),
        taken=tuple(map(_parse_taken, seats)),
        stock=parse_row(stock),
        discard_pile=parse_row(pile),
        upcard=parse_card(upcard),
        server_commit="" if commit == NOTHING else commit,
        must_draw_stock=phase.endswith(_ONLY_STOCK),
        drawn_card=drawn_card,
        drawn_from=source,
        discards_owed=owed,
        recycles=int(recycles or 0),
        at_wall=at_wall,
    )
    _require_deck(hand, [] if knock == NOTHING else list(parse_row(knock.split(":")[2])))
    return hand, knock


def _parse_drawn(text: str) -> tuple[DrawSource | None, Card | None, int]:
    """Return where a card was drawn from, the card, and how many have to be thrown."""
    if text == NOTHING:
        return None, None, 0
    word, _, rest = text.partition(":")
    card, _, owed = rest.partition(":")
    source = DrawSource.DISCARD_PILE if word == _PILE else DrawSource(word)
    return source, parse_card(card), int(owed or 1)


def _parse_taken(seat: str) -> Cards:
    pieces = seat.split("*")[:-1]
    return cards_of(parse_card(piece[-2:]) for piece in pieces)


def _require_deck(hand: Hand, thrown: list[Card]) -> None:
    held = [card for cards in hand.holdings for card in each_card(cards)]
    lying = [*hand.stock, *hand.discard_pile, *thrown]
    if sorted(held + lying) != list(each_card(DECK)):
        raise NotationError("each of the 52 cards has to lie in one place")


def _with_knock(hand: Hand, text: str, rules: Rules) -> Hand:
    seat_name, kind_name, discard, melds, *scored = text.split(":")
    seat, kind = int(seat_name), KnockKind(kind_name)
    defender = hand.other(seat)
    layout = check_arrangement(_parse_melds(melds.split(",")) or (), hand.holdings[seat])
    result = None
    if scored:
        cards = hand.holdings[defender]
        sides = (
            side(seat, hand.holdings[seat], layout),
            side(defender, cards, best_arrangement(cards)),
        )
        result = result_of_knock(hand.number, kind, *sides, rules, hand.upcard)
    knock = Knocked(
        seat=seat,
        kind=kind,
        discard=None if discard == NOTHING else parse_card(discard),
        melds=layout.melds,
        unmatched=layout.unmatched,
        deadwood=layout.deadwood,
        defender=defender,
        defender_cards=hand.holdings[defender],
        result=result,
    )
    return replace(hand, knock=knock)
