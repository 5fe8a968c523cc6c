"""What shows that a hand was dealt fairly, and the checking of it (scheme GRD1).

A proof holds all that the cards of a hand follow from: the seed to which the server committed
before anybody opened a nonce, and the nonces, to which their seats had committed. Whoever checks it
uses the commitments that it was shown *before* the deal, not those that come with the proof.

>>> seed = bytes(range(32))
>>> told = ToldDeal("g_01", 1, shuffle.server_commit("g_01", 1, seed), seed)
>>> verdict = verify(told)
>>> verdict.valid, [check.code for check in verdict.checks], len(verdict.deck)
(True, ['seed_matches_commit'], 52)
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from engine import shuffle
from engine.cards import Card
from engine.events import DealerDrawn, Dealt
from engine.shuffle import Deal, DrawnCard, SeatNonce

SEED: Final = "seed_matches_commit"
NONCE: Final = "nonce_matches_commit"
DECK: Final = "deck_follows"
DRAW: Final = "draw_follows"

FIRST_TO_DRAW: Final = (0, 1)
"""The seats whose nonces count in the draw for the first deal: who of three plays is not known
before it. Of two and of four these are the seats that play the first hand."""

_HEX: Final = re.compile(r"[0-9a-f]{64}")


def parse_secret(text: str) -> bytes | None:
    """Return the 32 bytes of a seed or nonce, or None if ``text`` is not 64 lower-case hex digits.

    There is one way to write them, since what is hashed is the text.
    """
    return bytes.fromhex(text) if is_hash(text) else None


def is_hash(text: str) -> bool:
    """Tell whether ``text`` can be a commitment: 64 lower-case hex digits."""
    return _HEX.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class HandProof:
    """How a hand came to be dealt; ``dealer_draw`` stands in the first hand of a game that drew."""

    game_id: str
    hand_number: int
    server_commit: str
    seed: bytes
    nonces: tuple[SeatNonce, ...]
    playing_seats: tuple[int, int]
    dealer_draw: tuple[DrawnCard, ...]
    deck: tuple[Card, ...]

    @property
    def contributors(self) -> tuple[int, ...]:
        """The playing seats that had a share in the deck; none means committed, no more."""
        return tuple(each.seat for each in self.nonces if each.seat in self.playing_seats)

    @property
    def deck_nonces(self) -> tuple[bytes | None, bytes | None]:
        """``nonce0`` and ``nonce1`` of the deck: those of the lower and the higher playing seat."""
        return self._nonces_of(self.playing_seats)

    @property
    def draw_nonces(self) -> tuple[bytes | None, bytes | None]:
        """``nonce0`` and ``nonce1`` of the draw for the first deal: those of seats 0 and 1."""
        return self._nonces_of(FIRST_TO_DRAW)

    def _nonces_of(self, seats: tuple[int, int]) -> tuple[bytes | None, bytes | None]:
        opened = {each.seat: each.nonce for each in self.nonces}
        return opened.get(seats[0]), opened.get(seats[1])


def proof_of(game_id: str, dealt: Dealt, drawn: DealerDrawn | None = None) -> HandProof:
    """Return the proof of a hand, from the facts of its deal and of the draw before it."""
    return HandProof(
        game_id,
        dealt.hand_number,
        dealt.server_commit,
        dealt.seed,
        dealt.nonces,
        (min(dealt.dealer, dealt.nondealer), max(dealt.dealer, dealt.nondealer)),
        () if drawn is None else drawn.draws,
        dealt.deck,
    )


@dataclass(frozen=True, slots=True)
class ToldDeal:
    """What somebody was told of a deal, to be checked; what is absent is not.

    ``server_commit`` and the commitments of the nonces are 64 hex digits. The nonces of the draw
    are those of seats 0 and 1, whoever plays.
    """

    game_id: str
    hand_number: int
    server_commit: str
    seed: bytes
    nonce0: bytes | None = None
    nonce1: bytes | None = None
    nonce_commit0: str | None = None
    nonce_commit1: str | None = None
    deck: tuple[Card, ...] | None = None
    dealer_draw: tuple[DrawnCard, ...] = ()
    draw_nonce0: bytes | None = None
    draw_nonce1: bytes | None = None

    @property
    def nonces(self) -> tuple[bytes | None, bytes | None]:
        """The nonces of the deck."""
        return self.nonce0, self.nonce1


@dataclass(frozen=True, slots=True)
class Check:
    """Something that was checked, and whether it is so; ``nonce`` is 0 or 1, of which it is."""

    code: str
    ok: bool
    nonce: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """All that was checked, and the deck that follows from seed and nonces."""

    checks: tuple[Check, ...]
    deck: tuple[Card, ...]

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong."""
        return all(check.ok for check in self.checks)


def told(proof: HandProof) -> ToldDeal:
    """Return a proof as something to be checked, with the commitments that it names itself.

    That shows that it agrees with itself. Whoever held the commitments before puts them instead.
    """
    nonce0, nonce1 = proof.deck_nonces
    draw_nonce0, draw_nonce1 = proof.draw_nonces
    return ToldDeal(
        proof.game_id,
        proof.hand_number,
        proof.server_commit,
        proof.seed,
        nonce0,
        nonce1,
        None if nonce0 is None else shuffle.nonce_commit(nonce0),
        None if nonce1 is None else shuffle.nonce_commit(nonce1),
        proof.deck,
        proof.dealer_draw,
        draw_nonce0,
        draw_nonce1,
    )


def verify(deal: ToldDeal) -> Verdict:
    """Return what of ``deal`` is so.

    A commitment without its nonce does not match: what was committed to had to be used.
    """
    deck = shuffle.deck_order(_deal(deal, deal.nonces))
    return Verdict(tuple(_checks(deal, deck)), deck)


def _deal(deal: ToldDeal, nonces: tuple[bytes | None, bytes | None]) -> Deal:
    nonce0, nonce1 = nonces
    return Deal(deal.game_id, deal.hand_number, deal.seed, nonce0, nonce1)


def _checks(deal: ToldDeal, deck: tuple[Card, ...]) -> Iterator[Check]:
    committed = shuffle.server_commit(deal.game_id, deal.hand_number, deal.seed)
    yield Check(SEED, committed == deal.server_commit)
    commits = (deal.nonce_commit0, deal.nonce_commit1)
    for index, (nonce, commit) in enumerate(zip(deal.nonces, commits, strict=True)):
        if commit is not None:
            ok = nonce is not None and shuffle.nonce_commit(nonce) == commit
            yield Check(NONCE, ok, index)
    if deal.deck is not None:
        yield Check(DECK, deal.deck == deck)
    if deal.dealer_draw:
        order = shuffle.draw_order(_deal(deal, (deal.draw_nonce0, deal.draw_nonce1)))
        yield Check(DRAW, _drawn(order, deal.dealer_draw) == deal.dealer_draw)


def _drawn(order: Iterable[Card], draws: tuple[DrawnCard, ...]) -> tuple[DrawnCard, ...]:
    """Return what as many seats as begin ``draws`` draw from ``order``.

    In the first round every seat draws, from seat 0 on; a round of a tie never goes on where the
    round before ended, so that the number of seats can be told.
    """
    seats = 0
    while seats < len(draws) and draws[seats].seat == seats:
        seats += 1
    return shuffle.draw_for_dealer(order, seats)[0] if seats > 1 else ()
