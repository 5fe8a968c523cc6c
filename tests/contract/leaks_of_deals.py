"""Proofs that open too early; entered in the list of all leaks."""

from dataclasses import replace

from service.use_cases import prove_hand
from service.use_cases.read_log import read_hand
from tests.contract.leaks import LEAKS, lay_off, leak, seat_0

__all__ = ["LEAKS"]


def _opening(patch, when) -> None:
    """Let a hand be proven once ``when`` says so of the game as it is stored."""

    def read(house, stored, number):
        hand = read_hand(house, stored, number)
        return replace(hand, open=hand.open or when(stored.game))

    patch.setattr(prove_hand, "read_hand", read)


@leak(seat_0)
def proof_of_a_hand_in_play(patch):
    """Whoever asks for the proof of a hand gets it at once."""
    _opening(patch, lambda game: True)


@leak(lay_off)
def proof_with_the_knock(patch):
    """With a knock the hand counts as over, though how the cards came is still hidden."""
    _opening(patch, lambda game: game.hand.knock is not None)
