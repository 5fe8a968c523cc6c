"""Whether the cards were dealt fairly (scheme GRD1).

Take a share in every shuffle, keep what was seen, and hold each hand's proof to it.
"""

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from gin_rummy_client.models import (
    Card,
    CutRequest,
    Deal,
    DrawnCard,
    DrawSource,
    HandProof,
    Move,
    NextHand,
)
from gin_rummy_client.types import Unset

CARDS = [Card(rank + suit) for rank in "A23456789TJQK" for suit in "CDHS"]
FIRST_OF_STOCK = 21
"""In the deck: after ten cards for each seat, and the upcard."""


class UnfairDealError(Exception):
    """The deal is not as it was promised."""


@dataclass
class Seen:
    """What was seen of a hand."""

    commit: str | None = None
    nonce: str | None = None
    deal: Deal | None = None
    drawn: list[Card | Unset] = field(default_factory=list)


class Witness:
    """One seat's memory of its deals."""

    def __init__(self) -> None:
        self._nonce = secrets.token_hex(32)
        self._dealer_draw: list[DrawnCard] = []
        self._hands: dict[int, Seen] = {}

    def commit(self) -> str:
        """Return what a seat commits to when it sits down."""
        return _commitment(self._nonce)

    def cut(self, coming: NextHand) -> CutRequest:
        """Return the cut before a hand. It opens a nonce, so the commitment is kept before."""
        seen = self._hand(coming.number)
        if seen.nonce is None:
            seen.commit, seen.nonce = coming.server_commit, self._nonce
            self._nonce = secrets.token_hex(32)
        return CutRequest(nonce=seen.nonce, next_nonce_commit=self.commit())

    def saw(self, move: Move) -> None:
        """Keep what a move showed."""
        seen = self._hand(move.hand_number)
        if move.dealer_draw:
            self._dealer_draw = move.dealer_draw
        if move.deal:
            seen.deal = move.deal
        if move.source is DrawSource.STOCK:
            seen.drawn.append(move.card)  # no card: another seat's

    def check(self, proof: HandProof, seat: int) -> None:
        """Hold the proof of a hand to what was seen of it; raises UnfairDealError."""
        seen = self._hand(proof.hand_number)
        if seen.deal is None or seen.nonce is None or seen.commit is None:
            raise UnfairDealError("it was not seen")
        place = f"{proof.game_id}|{proof.hand_number}|{proof.seed}"
        _check(sha256(f"GRD1|seed|{place}".encode()).hexdigest() == seen.commit, "another seed")
        opened = {each.seat: each for each in proof.nonces}
        _check(seat in opened and opened[seat].nonce == seen.nonce, "without my nonce")
        for each in opened.values():
            _check(_commitment(each.nonce) == each.nonce_commit, f"seat {each.seat}: another nonce")
        deck = _order(proof, proof.playing_seats)
        _check(deck == proof.deck, "another deck follows")

        first = 1 if seen.deal.dealer_seat == seat else 0  # the dealer's cards are every second one
        _check(set(deck[first:20:2]) == set(seen.deal.cards), "other cards than I was dealt")
        _check(deck[20] == seen.deal.upcard, "another upcard")
        drawn = zip(seen.drawn, deck[FIRST_OF_STOCK:], strict=False)
        _check(all((card or due) == due for card, due in drawn), "other cards than I drew")
        if proof.hand_number == 1:
            order = _order(proof, [0, 1], "draw|")
            shown = [each.card for each in self._dealer_draw]
            _check(order[: len(shown)] == shown, "another draw for the dealer")

    def _hand(self, number: int) -> Seen:
        return self._hands.setdefault(number, Seen())


def _check(right: bool, wrong: str) -> None:
    if not right:
        raise UnfairDealError(wrong)


def _commitment(nonce: str | Unset) -> str:
    return sha256(f"GRD1|nonce|{nonce}".encode()).hexdigest()


def _order(proof: HandProof, seats: Sequence[int], kind: str = "") -> list[Card]:
    """Return the cards in the order that seed and nonces give them."""
    nonces = {each.seat: each.nonce for each in proof.nonces}
    shares = "|".join(str(nonces.get(seat) or "-") for seat in seats)
    start = f"GRD1|deal|{proof.game_id}|{proof.hand_number}|{shares}|{kind}"
    seed = bytes.fromhex(proof.seed)

    def tag(card: Card) -> bytes:
        return hmac.digest(seed, f"{start}{card.value}".encode(), "sha256")

    return sorted(CARDS, key=tag)
