"""From which deck the coming hand is dealt. It follows from the setting, and the nonces of seats.

>>> from dataclasses import replace
>>> from engine.game import SeatKind, new_game
>>> from engine.rules import STANDARD
>>> rules = replace(STANDARD, first_dealer="seat1")
>>> dealt = next_deal(new_game(Setup("g_1", rules, (SeatKind.HUMAN, SeatKind.AI), bytes(32))))
>>> dealt.dealer, dealt.nondealer, len(dealt.deck)
(1, 0, 52)
"""

from collections.abc import Iterable

from engine import seating, shuffle
from engine.decisions import Reshuffle
from engine.events import Dealt
from engine.game import Game, Setup, next_pairing
from engine.hand import Hand
from engine.shuffle import DrawnCard, SeatNonce


def deal_of(
    setup: Setup, hand_number: int, nonces: Iterable[SeatNonce] = (), seats: Iterable[int] = (0, 1)
) -> shuffle.Deal:
    """Return the deal of a hand: its seed is fixed by the setting of the game.

    Of the ``nonces`` those of the two ``seats``, in order of their number, have a share in it.
    """
    seed = shuffle.hand_seed(setup.deal_key, hand_number)
    opened = {each.seat: each.nonce for each in nonces}
    shares = (opened.get(seat) for seat in sorted(seats))
    return shuffle.Deal(setup.id, hand_number, seed, *shares)


def commitment(setup: Setup, hand_number: int) -> str:
    """Return the server's commitment to the seed of a hand, 64 hex digits."""
    return shuffle.server_commit(
        setup.id, hand_number, shuffle.hand_seed(setup.deal_key, hand_number)
    )


def draws_for_dealer(game: Game) -> tuple[DrawnCard, ...]:
    """Return the cards that the seats draw for the first deal, all from the same committed seed.

    Who of three plays is not known before; so the nonces that count are those of seats 0 and 1.
    """
    order = shuffle.draw_order(deal_of(game.setup, 1, _opened(game)))
    draws, _ = shuffle.draw_for_dealer(order, seating.drawing_seats(game.seat_count))
    return draws


def next_deal(game: Game) -> Dealt:
    """Return the deal of the coming hand."""
    number, nonces = game.next_hand_number, _opened(game)
    pairing = next_pairing(game)
    assert pairing is not None, "the draw for the first dealer comes before the deal"
    deal = deal_of(game.setup, number, nonces, (pairing.dealer, pairing.nondealer))
    decks = game.setup.decks
    return Dealt(
        hand_number=number,
        dealer=pairing.dealer,
        nondealer=pairing.nondealer,
        deck=decks[number - 1] if number <= len(decks) else shuffle.deck_order(deal),
        seed=deal.seed,
        server_commit=commitment(game.setup, number),
        nonces=nonces,
    )


def _opened(game: Game) -> tuple[SeatNonce, ...]:
    cuts = () if game.shares is None else game.shares.cuts
    return tuple(SeatNonce(cut.seat, cut.nonce) for cut in cuts)


def reshuffle(setup: Setup, hand: Hand) -> Reshuffle:
    """Return how discards of ``hand`` are shuffled, in the order of the fair deal."""
    deal = deal_of(setup, hand.number, hand.nonces, hand.playing_seats)
    return lambda times, cards: shuffle.recycled_order(deal, times, cards)
