"""How proofs, checks and counts are written."""

from datetime import UTC, datetime

from engine.fair_counts import FairCounts
from engine.proofs import Check, HandProof, Verdict
from engine.shuffle import DrawnCard, SeatNonce, nonce_commit
from service.schemas import dump_fairness
from service.storage.fair_counts import FairTotals

A, B, C = (bytes([byte]) * 32 for byte in b"abc")
DECK = tuple(range(52))


def proof(nonces, playing_seats, draws=()):
    made = HandProof("g_1", 1, "c" * 64, A, nonces, playing_seats, draws, DECK)
    return dump_fairness.proof(made)


class TestAProof:
    def test_names_who_contributed_and_what(self):
        wire = proof((SeatNonce(1, B),), (0, 1))
        commit = nonce_commit(B)
        assert wire["nonces"] == [{"seat": 1, "nonce_commit": commit, "nonce": B.hex()}]
        assert wire["contributors"] == [1]
        assert "nonce0" not in wire
        assert wire["nonce1"] == B.hex()
        assert wire["seed"] == A.hex()
        assert wire["deck"][:2] == ["AC", "2C"]

    def test_has_the_nonces_of_deck_and_draw_apart(self):
        nonces = tuple(SeatNonce(seat, nonce) for seat, nonce in enumerate((A, B, C)))
        wire = proof(nonces, (1, 2), (DrawnCard(0, 7),))
        assert (wire["nonce0"], wire["nonce1"]) == (B.hex(), C.hex())
        assert (wire["draw_nonce0"], wire["draw_nonce1"]) == (A.hex(), B.hex())
        assert wire["contributors"] == [1, 2]
        assert wire["dealer_draw"] == [{"seat": 0, "card": "8C"}]

    def test_without_a_draw_has_no_nonces_of_one(self):
        assert not proof((SeatNonce(0, A),), (0, 1)).keys() & {"draw_nonce0", "draw_nonce1"}


class TestWhatWasChecked:
    def test_names_the_nonce_where_there_is_one(self):
        checks = (Check("seed_matches_commit", ok=True), Check("nonce_matches_commit", False, 1))
        wire = dump_fairness.verdict(Verdict(checks, DECK))
        assert wire["valid"] is False
        assert wire["checks"] == [
            {"code": "seed_matches_commit", "ok": True},
            {"code": "nonce_matches_commit", "ok": False, "nonce": 1},
        ]


class TestTheCounts:
    def test_say_since_when(self):
        since = datetime(2026, 3, 1, 12, tzinfo=UTC)
        wire = dump_fairness.totals(FairTotals(since, FairCounts(hands_dealt=7)))
        assert wire["since"] == "2026-03-01T12:00:00.000000Z"
        assert (wire["hands_dealt"], wire["seeds_due"]) == (7, 0)
        assert len(wire) == 7
