"""Show that a hand was dealt fairly, once that may be shown, and count how all are."""

from engine.proofs import HandProof
from service.storage import fair_counts
from service.storage.fair_counts import FairTotals
from service.storage.games import StoredGame
from service.use_cases.house import House
from service.use_cases.read_log import read_hand
from service.use_cases.refusals import Refused


def prove_hand(house: House, stored: StoredGame, number: int) -> HandProof:
    """Return the proof of a hand, however it ended.

    :raises Refused: ``not_found`` if it was not dealt, ``sandbox_no_proof`` where decks were given,
        ``hand_in_progress`` while it is played, ``game_in_progress`` where all waits for the end.
    """
    hand = read_hand(house, stored, number)
    if stored.game.setup.decks:
        raise Refused("sandbox_no_proof", stored=stored)
    if not hand.open:
        raise Refused("game_in_progress" if hand.over else "hand_in_progress", stored=stored)
    return hand.proof


def fair_totals(house: House) -> FairTotals:
    """Return the public counts."""
    with house.store.reading() as conn:
        return fair_counts.totals(conn)
