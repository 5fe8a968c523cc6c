"""The fair deal, scheme GRD1: commitments, the order of the deck, the draw for the first dealer.

Every order is a sort by a keyed hash, ``tag(x)``: HMAC-SHA256 under the seed of
``GRD1|deal|game|hand|nonce0|nonce1|x``, as lower-case hex; equal tags, which nobody will see, are
ordered by card code. A seed is 32 bytes, fixed and committed to before any player's nonce is
opened, so that nobody chooses the cards.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from engine.cards import CARD_NAMES, Card, rank_of

SCHEME: Final = "GRD1"
SECRET_BYTES: Final = 32
"""The length of a seed and of a nonce."""

ABSENT: Final = "-"
"""What stands for the nonce of a playing seat that contributes none."""


@dataclass(frozen=True, slots=True)
class Deal:
    """What the cards of one hand follow from.

    ``nonce0`` and ``nonce1`` are those of the lower and of the higher playing seat.
    """

    game_id: str
    hand_number: int
    seed: bytes
    nonce0: bytes | None = None
    nonce1: bytes | None = None


@dataclass(frozen=True, slots=True)
class SeatNonce:
    """What a seat added to the shuffle of a hand: a nonce of 32 bytes, opened when it is dealt."""

    seat: int
    nonce: bytes

    @property
    def commit(self) -> str:
        """What the seat had committed to, 64 hex digits."""
        return nonce_commit(self.nonce)


@dataclass(frozen=True, slots=True)
class SeatCommit:
    """What a seat committed to for the next hand that it plays, 64 hex digits."""

    seat: int
    commit: str


@dataclass(frozen=True, slots=True)
class Cut:
    """The nonce that a seat opened for the coming hand, and what it commits to for the next.

    Without ``next_commit`` the seat contributes no more. Until the deal it is for nobody to see.
    """

    seat: int
    nonce: bytes
    next_commit: str | None = None


@dataclass(frozen=True, slots=True)
class Shares:
    """What seats have to do with the shuffle: their commitments, and the cuts not yet dealt.

    ``spent`` are all commitments that the game has seen; none may come again. ``begun`` says that
    everybody is there and the first hand waits for the cuts.
    """

    commits: tuple[SeatCommit, ...] = ()
    cuts: tuple[Cut, ...] = ()
    spent: tuple[str, ...] = ()
    begun: bool = False


NO_SHARES: Final = Shares()


def dealt_out(shares: Shares | None) -> Shares | None:
    """Return ``shares`` after the deal: what seats committed to with their cuts is for the next."""
    if shares is None or not shares.cuts:
        return shares
    commits = {each.seat: each.commit for each in shares.commits}
    for cut in shares.cuts:
        del commits[cut.seat]
        if cut.next_commit is not None:
            commits[cut.seat] = cut.next_commit
    return Shares(tuple(SeatCommit(*each) for each in sorted(commits.items())), (), shares.spent)


def hand_seed(deal_key: bytes, hand_number: int) -> bytes:
    """Return the 32-byte seed of a hand, a pseudo-random function of the game's ``deal_key``.

    The seeds of a game are thereby fixed when it is made, so that no restart and no retry can
    choose another one, while the seed of one hand tells nothing of the next.
    """
    return hmac.digest(deal_key, f"{SCHEME}|hand|{hand_number}".encode(), "sha256")


def server_commit(game_id: str, hand_number: int, seed: bytes) -> str:
    """Return the server's commitment to ``seed``, 64 hex digits."""
    return hashlib.sha256(
        f"{SCHEME}|seed|{game_id}|{hand_number}|{seed.hex()}".encode()
    ).hexdigest()


def nonce_commit(nonce: bytes) -> str:
    """Return a player's commitment to ``nonce``, 64 hex digits."""
    return hashlib.sha256(f"{SCHEME}|nonce|{nonce.hex()}".encode()).hexdigest()


def deck_order(deal: Deal) -> tuple[Card, ...]:
    """Return the 52 cards in the order in which they are dealt."""
    return _sorted_by_tag(deal, range(52), lambda name: name)


def draw_order(deal: Deal) -> tuple[Card, ...]:
    """Return the 52 cards in the order in which the seats draw for the first deal."""
    return _sorted_by_tag(deal, range(52), lambda name: f"draw|{name}")


def recycled_order(deal: Deal, times: int, cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return ``cards`` in the order of the stock they form when recycled the ``times``-th time."""
    return _sorted_by_tag(deal, cards, lambda name: f"recycle|{times}|{name}")


def _sorted_by_tag(
    deal: Deal, cards: Iterable[Card], message: Callable[[str], str]
) -> tuple[Card, ...]:
    prefix = "|".join(
        (
            SCHEME,
            "deal",
            deal.game_id,
            str(deal.hand_number),
            _hex(deal.nonce0),
            _hex(deal.nonce1),
            "",
        )
    )

    def tag(card: Card) -> tuple[bytes, str]:
        name = CARD_NAMES[card]
        return hmac.digest(deal.seed, (prefix + message(name)).encode(), "sha256"), name

    return tuple(sorted(cards, key=tag))


def _hex(nonce: bytes | None) -> str:
    return ABSENT if nonce is None else nonce.hex()


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card that a seat drew for the first deal."""

    seat: int
    card: Card


def draw_for_dealer(order: Iterable[Card], seats: int) -> tuple[tuple[DrawnCard, ...], int]:
    """Return the cards drawn from the front of ``order``, and the seat that deals first.

    The lowest rank deals, an ace is low; only the seats tied for lowest draw again, from where the
    draw stands (full s3: "Redraw ties").
    """
    cards = iter(order)
    draws: list[DrawnCard] = []
    tied = list(range(seats))
    while len(tied) > 1:
        drawn = [DrawnCard(seat, next(cards)) for seat in tied]
        draws += drawn
        lowest = min(rank_of(draw.card) for draw in drawn)
        tied = [draw.seat for draw in drawn if rank_of(draw.card) == lowest]
    return tuple(draws), tied[0]
