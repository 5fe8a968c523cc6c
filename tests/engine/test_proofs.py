"""The proof of a hand, and the checking of one: what is false is found, and where."""

from dataclasses import replace
from random import Random

import pytest

from engine import shuffle
from engine.cards import parse_card
from engine.events import DealerDrawn, Dealt
from engine.game import SeatKind, Setup
from engine.progress import begin
from engine.proofs import ToldDeal, is_hash, parse_secret, proof_of, told, verify
from engine.rules import STANDARD
from engine.shuffle import Deal, DrawnCard, SeatNonce
from tests.cases.fair_deals import FALSE, MALFORMED, VECTORS
from tests.cases.fair_deals import told as told_in

SECRETS = ("seed", "nonce0", "nonce1")
A, B, C = (bytes([byte]) * 32 for byte in b"abc")
SEED = bytes(range(32))


def read(deal):
    """A deal as JSON has it, as the engine wants it."""
    made = {name: parse_secret(deal[name]) for name in SECRETS if name in deal}
    return ToldDeal(**{**deal, **made, "deck": tuple(map(parse_card, deal["deck"]))})


def failed(verdict):
    return {check.code for check in verdict.checks if not check.ok}


def dealt_with(nonces=(), dealer=1, nondealer=0, hand_number=1, game_id="g_1"):
    """A hand as it would be dealt with these nonces."""
    playing = sorted((dealer, nondealer))
    opened = {each.seat: each.nonce for each in nonces}
    deal = Deal(game_id, hand_number, SEED, *(opened.get(seat) for seat in playing))
    commit = shuffle.server_commit(game_id, hand_number, SEED)
    deck = shuffle.deck_order(deal)
    return Dealt(hand_number, dealer, nondealer, deck, SEED, commit, tuple(nonces))


def drawn_with(nonce0, nonce1, seats):
    order = shuffle.draw_order(Deal("g_1", 1, SEED, nonce0, nonce1))
    return DealerDrawn(shuffle.draw_for_dealer(order, seats)[0])


class TestTheVectors:
    @pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["server_commit"][:8])
    def test_are_found_true(self, vector):
        verdict = verify(read(told_in(vector)))
        assert verdict.valid
        given = [index for index in (0, 1) if vector[f"nonce{index}"]]
        assert [check.nonce for check in verdict.checks] == [None, *given, None]

    @pytest.mark.parametrize("name", FALSE)
    def test_once_false_are_found_so_by_the_check_that_fails(self, name):
        deal, wrong = FALSE[name]
        verdict = verify(read(deal))
        assert not verdict.valid
        assert failed(verdict) == wrong

    def test_of_a_seed_or_a_nonce_are_read_in_one_form_only(self):
        for name, (deal, pointer, _) in MALFORMED.items():
            if pointer[1:] in SECRETS:
                assert parse_secret(deal[pointer[1:]]) is None, name
        assert parse_secret(SEED.hex()) == SEED
        assert not is_hash(SEED.hex() + "\n")


class TestWhatIsNotTold:
    def test_is_not_checked(self):
        verdict = verify(ToldDeal("g_1", 1, shuffle.server_commit("g_1", 1, SEED), SEED))
        assert [check.code for check in verdict.checks] == ["seed_matches_commit"]
        assert verdict.deck == shuffle.deck_order(Deal("g_1", 1, SEED))

    def test_but_was_committed_to_had_to_be_used(self):
        deal = replace(told(proof_of("g_1", dealt_with([SeatNonce(0, A)]))), nonce0=None)
        verdict = verify(deal)
        assert [(check.code, check.nonce) for check in verdict.checks if not check.ok] == [
            ("nonce_matches_commit", 0),
            ("deck_follows", None),
        ]


class TestTheProofOfAHand:
    @pytest.mark.parametrize("kinds", [2, 3, 4])
    @pytest.mark.parametrize("first_dealer", ["draw", "seat1"])
    def test_agrees_with_itself_as_it_was_dealt(self, kinds, first_dealer):
        for number in range(20):
            key = Random(number).randbytes(32)
            rules = replace(STANDARD, first_dealer=first_dealer)
            moves = begin(Setup("g_1", rules, (SeatKind.HUMAN,) * kinds, key)).moves
            *drawn, dealt = [move.event for move in moves]
            proof = proof_of("g_1", dealt, *drawn)
            assert bool(proof.dealer_draw) == (first_dealer == "draw")
            assert proof.contributors == ()
            verdict = verify(told(proof))
            assert verdict.valid
            assert verdict.deck == dealt.deck

    def test_of_two_counts_the_nonces_of_both_seats_for_deck_and_draw(self):
        nonces = [SeatNonce(0, A), SeatNonce(1, B)]
        proof = proof_of("g_1", dealt_with(nonces, dealer=0, nondealer=1), drawn_with(A, B, 2))
        assert proof.contributors == (0, 1)
        assert proof.deck_nonces == proof.draw_nonces == (A, B)
        assert verify(told(proof)).valid

    @pytest.mark.parametrize(
        ("dealer", "nondealer", "deck_nonces", "contributors"),
        [(0, 1, (A, B), (0, 1)), (1, 2, (B, C), (1, 2)), (2, 0, (A, C), (0, 2))],
    )
    def test_of_three_counts_those_who_play_for_the_deck_and_seats_0_and_1_for_the_draw(
        self, dealer, nondealer, deck_nonces, contributors
    ):
        nonces = [SeatNonce(0, A), SeatNonce(1, B), SeatNonce(2, C)]
        proof = proof_of("g_1", dealt_with(nonces, dealer, nondealer), drawn_with(A, B, 3))
        assert proof.deck_nonces == deck_nonces
        assert proof.draw_nonces == (A, B)
        assert proof.contributors == contributors
        assert verify(told(proof)).valid

    def test_of_three_where_the_one_who_contributes_plays_but_does_not_count_in_the_draw(self):
        proof = proof_of("g_1", dealt_with([SeatNonce(2, C)], 1, 2), drawn_with(None, None, 3))
        assert proof.deck_nonces == (None, C)
        assert proof.draw_nonces == (None, None)
        assert verify(told(proof)).valid

    def test_tells_a_nonce_by_its_seat_and_commitment(self):
        proof = proof_of("g_1", dealt_with([SeatNonce(1, B)]))
        assert proof.contributors == (1,)
        assert [each.commit for each in proof.nonces] == [shuffle.nonce_commit(B)]


class TestADrawForTheDeal:
    """The same seats draw the same cards in the same order, ties and all, or it is false."""

    def with_draws(self, draws, nonce0=None, nonce1=None):
        commit = shuffle.server_commit("g_1", 1, SEED)
        deal = ToldDeal("g_1", 1, commit, SEED, dealer_draw=tuple(draws))
        return verify(replace(deal, draw_nonce0=nonce0, draw_nonce1=nonce1))

    @pytest.mark.parametrize("seats", [2, 3])
    def test_that_follows_is_true_also_with_ties(self, seats):
        rounds = set()
        for number in range(300):
            nonce = number.to_bytes(32, "big")
            draws = drawn_with(nonce, None, seats).draws
            rounds.add(len(draws) - seats)
            assert self.with_draws(draws, nonce).valid
        assert len(rounds) > 2

    @pytest.mark.parametrize(
        "change",
        [
            pytest.param(lambda draws: draws[:-1], id="one card less"),
            pytest.param(lambda draws: [*draws, DrawnCard(0, 0)], id="one card more"),
            pytest.param(lambda draws: draws[::-1], id="backwards"),
            pytest.param(lambda draws: [DrawnCard(0, draws[0].card)] * 52, id="one seat, always"),
            pytest.param(lambda draws: [*draws[:1], DrawnCard(1, draws[0].card)], id="twice"),
            pytest.param(lambda draws: [DrawnCard(2, each.card) for each in draws], id="seat 2"),
            pytest.param(
                lambda draws: [replace(each, seat=1 - each.seat) for each in draws], id="swapped"
            ),
        ],
    )
    def test_that_was_changed_is_false(self, change):
        draws = drawn_with(A, B, 2).draws
        assert self.with_draws(draws, A, B).valid
        assert failed(self.with_draws(change(list(draws)), A, B)) == {"draw_follows"}

    def test_that_is_empty_was_not_told(self):
        assert [check.code for check in self.with_draws(()).checks] == ["seed_matches_commit"]

    def test_from_other_nonces_is_false(self):
        draws = drawn_with(A, B, 2).draws
        for nonces in [(B, A), (A, None), (None, B), (None, None)]:
            assert failed(self.with_draws(draws, *nonces)) == {"draw_follows"}
