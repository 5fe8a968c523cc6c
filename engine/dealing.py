"""Who deals the coming hand to whom, and from which deck. All of it follows from the setting.

>>> from dataclasses import replace
>>> from engine.game import SeatKind, new_game
>>> from engine.rules import STANDARD
>>> rules = replace(STANDARD, first_dealer="seat1")
>>> game = new_game(Setup("g_1", rules, (SeatKind.HUMAN, SeatKind.AI), bytes(32)))
>>> next_pairing(game)
Pairing(dealer=1, nondealer=0)
"""

from engine import seating, shuffle
from engine.decisions import Reshuffle
from engine.events import Dealt
from engine.game import Game, Setup
from engine.hand import Hand
from engine.scoring import HandOutcome
from engine.seating import Pairing


def deal_of(setup: Setup, hand_number: int) -> shuffle.Deal:
    """Return the deal of a hand, as the setting of the game fixes it."""
    seed = shuffle.hand_seed(setup.deal_key, hand_number)
    return shuffle.Deal(setup.id, hand_number, seed)


def commitment(setup: Setup, hand_number: int) -> str:
    """Return the server's commitment to the seed of a hand, 64 hex digits."""
    return shuffle.server_commit(
        setup.id, hand_number, shuffle.hand_seed(setup.deal_key, hand_number)
    )


def next_deal(game: Game) -> Dealt:
    """Return the deal of the coming hand."""
    number = game.next_hand_number
    deal, decks = deal_of(game.setup, number), game.setup.decks
    pairing = next_pairing(game)
    return Dealt(
        hand_number=number,
        dealer=pairing.dealer,
        nondealer=pairing.nondealer,
        deck=decks[number - 1] if number <= len(decks) else shuffle.deck_order(deal),
        seed=deal.seed,
        server_commit=commitment(game.setup, number),
    )


def next_pairing(game: Game) -> Pairing:
    """Return who deals and who plays the coming hand (see :mod:`engine.seating`).

    A void hand is dealt again by the same dealer to the same seat (full s3).
    """
    if game.hand is None:
        return seating.first_pairing(game.seat_count, _first_dealer(game))
    last = Pairing(game.hand.dealer, game.hand.nondealer)
    played = game.hands[-1]
    if played.outcome is HandOutcome.VOID:
        return last
    return seating.next_pairing(game.rules, game.seat_count, last, played.winner)


def _first_dealer(game: Game) -> int:
    if game.rules.first_dealer != "draw":
        return int(game.rules.first_dealer.removeprefix("seat"))
    assert game.first_dealer is not None, "the draw for the first dealer comes before the deal"
    return game.first_dealer


def reshuffle(setup: Setup, hand: Hand) -> Reshuffle:
    """Return how discards of ``hand`` are shuffled, in the order of the fair deal."""
    return lambda times, cards: shuffle.recycled_order(deal_of(setup, hand.number), times, cards)
