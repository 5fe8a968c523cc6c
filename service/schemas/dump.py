"""From the engine's views to what goes over the wire. The only place where state is written out.

Everything here takes a view, never a game: what a viewer may not know does not come this far.
Absent means none, so a field without a value is left out. Words of the engine's enumerations are
strings, and go out as they are. What is written once and shared is for reading only.
"""

from datetime import datetime
from functools import cache, lru_cache
from typing import Final

from engine.cards import CARD_NAMES, Cards, card_name, card_names
from engine.game import After
from engine.layoffs import LayOff, LayOffChoice, PossibleLayOff
from engine.legal import DiscardOption, DrawOption, KnockOption, Legal
from engine.melds import Arrangement, Meld, MeldKind
from engine.move_views import DealView, KnockView, MoveView
from engine.rules import OPTION_NAMES, Rules
from engine.scoring import HandResult, ScoredSide
from engine.shuffle import DrawnCard, SeatNonce
from engine.views import GameView, HandView, NextHand, SeatView, You
from service.schemas.dump_scores import Wire, line, score, winner

REMEMBERED_TIMES: Final = 1024

SEAT: Final = "seat"
SPECTATOR: Final = "spectator"


# One answer names the moment of its move four times. The cheapest of the ways to write it.
@lru_cache(maxsize=REMEMBERED_TIMES)
def time(at: datetime) -> str:
    """Return ``at``, which is in UTC, as RFC 3339 with a ``Z``."""
    day = f"{at.year:04}-{at.month:02}-{at.day:02}"
    return f"{day}T{at.hour:02}:{at.minute:02}:{at.second:02}.{at.microsecond:06}Z"


def rules(of: Rules) -> Wire:
    """Return all options."""
    return {name: getattr(of, name) for name in OPTION_NAMES}


def meld(of: Meld) -> Wire:
    """Return a meld."""
    return _meld(of.kind, of.cards)


@cache  # there are 329 melds in a deck, and the same few stand in every option of a discard
def _meld(kind: MeldKind, cards: Cards) -> Wire:
    return {"kind": kind, "cards": card_names(cards)}


def melds(of: tuple[Meld, ...]) -> list[Wire]:
    """Return melds, in the order in which lay-offs refer to them."""
    return [_meld(each.kind, each.cards) for each in of]


def arrangement(of: Arrangement) -> Wire:
    """Return one way to lay out cards."""
    rest = card_names(of.unmatched)
    return {"melds": melds(of.melds), "unmatched": rest, "deadwood": of.deadwood}


def lay_offs(of: tuple[LayOff, ...]) -> list[Wire]:
    """Return lay-offs in their order."""
    return [{"card": card_name(each.card), "meld": each.meld} for each in of]


def drawn_cards(of: tuple[DrawnCard, ...]) -> list[Wire]:
    """Return the cards drawn for the first deal."""
    return [{"seat": each.seat, "card": card_name(each.card)} for each in of]


# --- scores


def side(of: ScoredSide) -> Wire:
    """Return one seat's cards as they were counted."""
    return {
        "seat": of.seat,
        "cards": card_names(of.cards),
        "melds": melds(of.melds),
        "unmatched": card_names(of.unmatched),
        "lay_offs": lay_offs(of.lay_offs),
        "deadwood": of.deadwood,
    }


def result(of: HandResult) -> Wire:
    """Return how a hand ended."""
    wire: Wire = {"hand_number": of.hand_number, "outcome": of.outcome}
    if of.knocker is not None:
        wire["knocker_seat"] = of.knocker
    wire.update(winner(of))
    wire["points"] = of.points
    wire["multiplier"] = of.multiplier
    wire["lines"] = [line(each) for each in of.lines]
    wire["sides"] = [side(each) for each in of.sides]
    return wire


# --- what may be done


def _draw_option(of: DrawOption) -> Wire:
    wire: Wire = {"source": of.source}
    if of.card is not None:
        wire["card"] = card_name(of.card)
    if of.cards:
        wire["cards"] = [card_name(card) for card in of.cards]
    return wire


def _laid_out(of: KnockOption | DiscardOption) -> Wire:
    """Return the melds and the rest of an option, or nothing where no advice is allowed."""
    if of.melds is None or of.unmatched is None:
        return {}
    return {"melds": melds(of.melds), "unmatched": card_names(of.unmatched)}


def _knock_option(of: KnockOption, laid_out: Wire) -> Wire:
    wire: Wire = {"kind": of.kind}
    if of.discard is not None:
        wire["discard"] = CARD_NAMES[of.discard]
    wire["deadwood"] = of.deadwood
    wire.update(laid_out)
    return wire


def discard_option(of: DiscardOption) -> Wire:
    """Return a discard and what it leaves."""
    laid_out = _laid_out(of)
    wire: Wire = {"card": CARD_NAMES[of.card], "deadwood": of.deadwood, **laid_out}
    if of.knock is not None:
        # The same lists as the discard's own: JSON knows no identity, and they are written once.
        wire["knock"] = _knock_option(of.knock, laid_out)
    return wire


def knocks(of: tuple[KnockOption, ...], discards: list[Wire]) -> list[Wire]:
    """Return knocks. Those that stand in the options of ``discards`` are written once."""
    written = {each["card"]: each["knock"] for each in discards if "knock" in each}
    return [
        _knock_alone(each)
        if each.discard is None or not written
        else written[CARD_NAMES[each.discard]]
        for each in of
    ]


def _knock_alone(of: KnockOption) -> Wire:
    """Return a knock that no option of a discard holds: big gin, and any knock at the wall."""
    return _knock_option(of, _laid_out(of))


def possible_lay_off(of: PossibleLayOff) -> Wire:
    """Return a lay-off that fits."""
    wire: Wire = {"card": card_name(of.card), "meld": of.meld}
    if of.after is not None:
        wire["after"] = card_name(of.after)
    return wire


def lay_off_choice(of: LayOffChoice) -> Wire:
    """Return lay-offs and own melds, and what they leave."""
    return {
        "lay_offs": lay_offs(of.lay_offs),
        "melds": melds(of.melds),
        "unmatched": card_names(of.unmatched),
        "deadwood": of.deadwood,
    }


def legal(of: Legal) -> Wire:
    """Return what a seat may do."""
    discards = [discard_option(each) for each in of.discards]
    possible: Wire = {"possible": [possible_lay_off(each) for each in of.lay_offs.possible]}
    if of.lay_offs.best is not None:
        possible["best"] = lay_off_choice(of.lay_offs.best)
    return {
        "actions": list(of.actions),
        "draws": [_draw_option(each) for each in of.draws],
        "discards": discards,
        "discard_count": of.discard_count,
        "barred": [{"card": card_name(each.card), "code": each.code} for each in of.barred],
        "knocks": knocks(of.knocks, discards),
        "lay_offs": possible,
    }


def you(of: You) -> Wire:
    """Return what only this viewer knows."""
    wire: Wire = {"viewer": SPECTATOR if of.seat is None else SEAT}
    if of.seat is not None:
        wire["seat"] = of.seat
    wire["cards"] = card_names(of.cards)
    if of.drawn_card is not None and of.drawn_from is not None:
        wire["drawn_card"] = card_name(of.drawn_card)
        wire["drawn_from"] = of.drawn_from
    if of.best is not None:
        wire["best"] = arrangement(of.best)
    if of.deadwood_after_best_discard is not None:
        wire["deadwood_after_best_discard"] = of.deadwood_after_best_discard
    wire["legal"] = legal(of.legal)
    return wire


# --- the table


def after(of: After) -> Wire:
    """Return the table after a move."""
    wire: Wire = {
        "phase": of.phase,
        "to_act_seats": list(of.to_act_seats),
        "stock_count": of.stock_count,
        "card_counts": [{"seat": each.seat, "count": each.count} for each in of.card_counts],
    }
    if of.top_discard is not None:
        wire["top_discard"] = card_name(of.top_discard)
    return wire


def knock(of: KnockView) -> Wire:
    """Return a knock."""
    wire: Wire = {"hand_number": of.hand_number, "seat": of.seat, "kind": of.kind}
    if of.discard is not None:
        wire["discard"] = card_name(of.discard)
    wire["melds"] = melds(of.melds)
    wire["unmatched"] = card_names(of.unmatched)
    wire["deadwood"] = of.deadwood
    wire["defender"] = {"seat": of.defender, "cards": card_names(of.defender_cards)}
    wire["lay_offs"] = lay_offs(of.lay_offs)
    if of.result is not None:
        wire["result"] = result(of.result)
    return wire


def deal(of: DealView) -> Wire:
    """Return a deal; the cards are the viewer's own."""
    return {
        "dealer_seat": of.dealer,
        "playing_seats": list(of.playing_seats),
        "cards": card_names(of.cards),
        "upcard": card_name(of.upcard),
        "knock_limit": of.knock_limit,
        "multiplier": of.multiplier,
        "server_commit": of.server_commit,
        "nonces": [seat_nonce(each) for each in of.nonces],
    }


def seat_nonce(of: SeatNonce) -> Wire:
    """Return the share of a seat in the shuffle of a hand that was dealt."""
    return {"seat": of.seat, "nonce_commit": of.commit, "nonce": of.nonce.hex()}


def move(of: MoveView, version: int, at: datetime) -> Wire:
    """Return a move, with the version it made and its time."""
    wire: Wire = {
        "number": of.number,
        "version": version,
        "hand_number": of.hand_number,
        "turn": of.turn,
    }
    if of.seat is not None:
        wire["seat"] = of.seat
    wire["by"] = of.by
    wire["action"] = of.action
    if of.source is not None:
        wire["source"] = of.source
    if of.card is not None:
        wire["card"] = card_name(of.card)
    if of.cards:
        wire["cards"] = [card_name(card) for card in of.cards]
    if of.dealer_draw is not None:
        wire["dealer_draw"] = drawn_cards(of.dealer_draw)
    if of.deal is not None:
        wire["deal"] = deal(of.deal)
    if of.knock is not None:
        wire["knock"] = knock(of.knock)
    if of.lay_offs is not None:
        wire["lay_offs"] = lay_offs(of.lay_offs)
    if of.result is not None:
        wire["result"] = result(of.result)
    wire["after"] = after(of.after)
    wire["at"] = time(at)
    return wire


def hand_view(of: HandView) -> Wire:
    """Return the hand on the table."""
    wire: Wire = {
        "number": of.number,
        "dealer_seat": of.dealer,
        "playing_seats": list(of.playing_seats),
        "turn": of.turn,
        "upcard": card_name(of.upcard),
        "discard_pile": [CARD_NAMES[card] for card in of.discard_pile],
    }
    if of.discard_pile:
        wire["top_discard"] = card_name(of.discard_pile[-1])
    wire["stock_count"] = of.stock_count
    wire["knock_limit"] = of.knock_limit
    wire["multiplier"] = of.multiplier
    wire["server_commit"] = of.server_commit
    wire["contributors"] = list(of.contributors)
    if of.knock is not None:
        wire["knock"] = knock(of.knock)
    return wire


def next_hand(of: NextHand) -> Wire:
    """Return the coming hand."""
    commits = [{"seat": each.seat, "nonce_commit": each.commit} for each in of.nonce_commits]
    return {
        "number": of.number,
        "server_commit": of.server_commit,
        "nonce_commits": commits,
        "cuts": list(of.cuts),
    }


def table_seat(of: SeatView) -> Wire:
    """Return what the engine knows of a seat."""
    return {
        "seat": of.seat,
        "kind": of.kind,
        **({} if of.team is None else {"team": of.team}),
        "sits_out": of.sits_out,
        "dealer": of.dealer,
        "card_count": of.card_count,
        "known_cards": card_names(of.known_cards),
        **({"away": True} if of.away else {}),
    }


def table(of: GameView) -> Wire:
    """Return what the engine's view says of a game: all but what the service adds to it."""
    wire: Wire = {
        "next_move": of.next_move,
        "phase": of.phase,
        "over": of.over,
        "to_act_seats": list(of.to_act_seats),
        "you": you(of.you),
        "score": score(of.score),
    }
    if of.hand is not None:
        wire["hand"] = hand_view(of.hand)
    if of.next_hand is not None:
        wire["next_hand"] = next_hand(of.next_hand)
    if of.last_hand is not None:
        wire["last_hand"] = result(of.last_hand)
    wire.update(winner(of))
    if of.dealer_draw:
        wire["dealer_draw"] = drawn_cards(of.dealer_draw)
    return wire
