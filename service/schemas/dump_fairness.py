"""From proofs and counts to what goes over the wire."""

from dataclasses import asdict

from engine.cards import card_name
from engine.proofs import Check, HandProof, Verdict
from engine.shuffle import SCHEME
from service.schemas.dump import drawn_cards, seat_nonce, time
from service.schemas.dump_scores import Wire
from service.storage.fair_counts import FairTotals


def proof(of: HandProof) -> Wire:
    """Return the proof of a hand."""
    wire: Wire = {
        "game_id": of.game_id,
        "hand_number": of.hand_number,
        "scheme": SCHEME,
        "server_commit": of.server_commit,
        "seed": of.seed.hex(),
        "nonces": [seat_nonce(each) for each in of.nonces],
        "playing_seats": list(of.playing_seats),
        **_nonces("nonce", of.deck_nonces),
    }
    if of.dealer_draw:
        wire.update(_nonces("draw_nonce", of.draw_nonces))
    wire["contributors"] = list(of.contributors)
    wire["dealer_draw"] = drawn_cards(of.dealer_draw)
    wire["deck"] = [card_name(card) for card in of.deck]
    return wire


def _nonces(name: str, nonces: tuple[bytes | None, bytes | None]) -> Wire:
    return {
        f"{name}{index}": nonce.hex() for index, nonce in enumerate(nonces) if nonce is not None
    }


def verdict(of: Verdict) -> Wire:
    """Return what was checked."""
    return {
        "valid": of.valid,
        "checks": [_check(each) for each in of.checks],
        "deck": [card_name(card) for card in of.deck],
    }


def _check(of: Check) -> Wire:
    wire: Wire = {"code": of.code, "ok": of.ok}
    return wire if of.nonce is None else {**wire, "nonce": of.nonce}


def totals(of: FairTotals) -> Wire:
    """Return the public counts."""
    return {**asdict(of.counts), "since": time(of.since)}
