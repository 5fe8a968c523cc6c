"""What a seat sees in a position of a hand that is played elsewhere.

It is the view that the seat would have in a game of two here, so that whoever advises the players
of games can advise it as well.
"""

from dataclasses import replace
from itertools import islice
from typing import Final

from engine.cards import DECK, Card, cards_of, each_card
from engine.events import Knocked
from engine.game import Game, SeatKind, Setup
from engine.hand import HAND_SIZE, Hand, Phase
from engine.knocks import lay_out
from engine.melds import parse_meld
from engine.position_checks import completed
from engine.positions import Position
from engine.views import GameView, view

SEAT: Final = 0
"""The number of the seat whose position it is; its opponent is seat 1."""

OPPONENT: Final = 1

_PEOPLE: Final = (SeatKind.HUMAN, SeatKind.HUMAN)


def position_view(position: Position, move_number: int = 1) -> GameView:
    """Return what the seat of ``position`` sees before the move ``move_number``; it is seat 0.

    No game is behind it: nobody has a score, and of ``position.rules`` advice is always full. Where
    the knocker's unmatched cards were not told, the view has none.

    :raises Mistold: if there is no such position; see :func:`engine.position_checks.completed`.
    """
    found = completed(position)
    rules = replace(found.rules, advice="full")
    hand = _hand(replace(found, rules=rules))
    game = Game(Setup("", rules, _PEOPLE, b""), next_move=move_number, hand=hand)
    seen = view(game, SEAT)
    assert seen.hand is not None, "a hand is being played"
    # The cards under those that were told were only chosen to make up the number.
    told = found.discard_pile if rules.discard_view == "spread" else found.discard_pile[-1:]
    return replace(seen, hand=replace(seen.hand, discard_pile=told))


def _hand(position: Position) -> Hand:
    """Return a hand as it may be: what the seat cannot know lies in any order.

    The view shows nothing of that.
    """
    told = position.discard_pile
    theirs = position.opponent_known_cards | position.knocker_cards
    hidden = each_card(DECK & ~(position.cards | theirs | cards_of(told)))
    theirs |= cards_of(islice(hidden, position.opponent_count - theirs.bit_count()))
    buried = tuple(islice(hidden, position.pile_count - len(told)))
    stock = tuple(islice(hidden, position.stock_count))
    dealer = SEAT if position.dealer else OPPONENT
    taken = position.known_cards
    if position.drawn_card is not None and position.from_pile:
        taken |= 1 << position.drawn_card
    assert position.turn is not None, "a completed position has its turn"
    return Hand(
        number=1,
        dealer=dealer,
        nondealer=1 - dealer,
        phase=position.phase,
        to_act=SEAT,
        turn=position.turn,
        holdings=(position.cards, theirs),
        taken=(taken, position.opponent_known_cards),
        stock=stock,
        discard_pile=buried + told,
        upcard=_upcard(position),
        server_commit="",
        must_draw_stock=_only_stock(position),
        drawn_card=position.drawn_card,
        drawn_from=position.drawn_from,
        knock=_knock(position) if position.phase is Phase.LAY_OFF else None,
        discards_owed=_owed(position),
        at_wall=position.at_wall,
    )


def _upcard(position: Position) -> Card:
    """Return the upcard; where it is not known and nothing depends on it, a card of one's own.

    That is one which the seat has seen anyway, so that it tells nothing.
    """
    return next(each_card(position.cards)) if position.upcard is None else position.upcard


def _only_stock(position: Position) -> bool:
    """Whether both seats refused the upcard, and the rules then bar it from the first draw."""
    rules = position.rules
    refused = position.phase is Phase.DRAW and position.turn == 0 and rules.opening == "offer"
    return refused and rules.after_double_pass == "stock_only"


def _owed(position: Position) -> int:
    if position.phase is not Phase.DISCARD:
        return 0
    return 1 if position.grows else position.cards.bit_count() - HAND_SIZE


def _knock(position: Position) -> Knocked:
    any_legal = replace(position.rules, knocker_layout="any_legal")
    laid = lay_out(any_legal, position.knocker_cards, position.knocker_melds)
    return Knocked(
        seat=OPPONENT,
        kind=position.knock,
        discard=None,
        melds=tuple(map(parse_meld, position.knocker_melds)),
        unmatched=laid.unmatched,
        deadwood=laid.deadwood,
        defender=SEAT,
        defender_cards=position.cards,
    )
