import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.cards import card_name, parse_card
from engine.shuffle import (
    Deal,
    deck_order,
    draw_for_dealer,
    draw_order,
    hand_seed,
    nonce_commit,
    recycled_order,
    server_commit,
)

VECTORS = json.loads(
    (Path(__file__).parents[1] / "cases" / "fair_deal_vectors.json").read_text(encoding="utf-8")
)["vectors"]
SEED = bytes(range(32))
A = bytes(range(0xA0, 0xC0))
B = bytes(range(0xC0, 0xE0))
FIRST = Deal("g_01", 1, SEED, A, B)


def nonce(text):
    return None if text is None else bytes.fromhex(text)


def deal_of(vector):
    return Deal(
        vector["game_id"],
        vector["hand"],
        bytes.fromhex(vector["server_seed"]),
        nonce(vector["nonce0"]),
        nonce(vector["nonce1"]),
    )


def names(cards):
    return " ".join(map(card_name, cards))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["server_commit"][:8])
class TestTheVectors:
    def test_give_this_deck(self, vector):
        assert names(deck_order(deal_of(vector))) == vector["deck"]

    def test_give_this_commitment_of_the_server(self, vector):
        deal = deal_of(vector)
        made = server_commit(deal.game_id, deal.hand_number, deal.seed)
        assert made == vector["server_commit"]

    def test_give_these_commitments_of_the_players(self, vector):
        deal = deal_of(vector)
        made = [None if each is None else nonce_commit(each) for each in (deal.nonce0, deal.nonce1)]
        assert made == [vector["nonce_commit0"], vector["nonce_commit1"]]


class TestTheSpecification:
    def test_without_nonces_the_deck_starts_like_this(self):
        deck = deck_order(Deal("g_01", 1, SEED))
        assert names(deck[:10]) == "7H QH 9D AD 8S 2D TH 3H 6D 2H"

    @pytest.mark.parametrize(
        "other",
        [
            pytest.param(replace(FIRST, seed=bytes([1]) + SEED[1:]), id="flipped seed bit"),
            pytest.param(replace(FIRST, nonce0=B, nonce1=A), id="swapped nonces"),
            pytest.param(replace(FIRST, hand_number=2), id="next hand"),
            pytest.param(replace(FIRST, game_id="g_02"), id="other game"),
            pytest.param(replace(FIRST, nonce1=None), id="one nonce absent"),
            pytest.param(replace(FIRST, nonce0=None), id="the other nonce absent"),
            pytest.param(replace(FIRST, nonce1=B[:-1]), id="truncated nonce"),
            pytest.param(replace(FIRST, nonce1=B[:-1] + b"\xff"), id="last bit of a nonce"),
        ],
    )
    def test_any_other_input_gives_another_deck(self, other):
        assert deck_order(other) != deck_order(FIRST)
        assert sorted(deck_order(other)) == list(range(52))

    def test_hex_is_lower_case_whatever_was_typed(self):
        # Seed and nonces are bytes here, so the case of the digits that somebody typed is lost
        # before they are hashed; the hash is of the lower-case digits, as the vectors show.
        vector = VECTORS[0]
        typed = bytes.fromhex(vector["server_seed"].upper())
        assert server_commit("g_01", 1, typed) == vector["server_commit"]
        assert server_commit("g_01", 1, typed).islower()

    def test_a_commitment_depends_on_game_hand_and_seed(self):
        made = {
            server_commit("g_01", 1, SEED),
            server_commit("g_02", 1, SEED),
            server_commit("g_01", 2, SEED),
            server_commit("g_01", 1, A),
        }
        assert len(made) == 4

    def test_deck_draw_and_recycled_stocks_are_orders_of_their_own(self):
        cards = range(52)
        orders = [
            deck_order(FIRST),
            draw_order(FIRST),
            recycled_order(FIRST, 1, cards),
            recycled_order(FIRST, 2, cards),
        ]
        assert len(set(orders)) == 4
        assert all(sorted(order) == list(cards) for order in orders)

    def test_a_recycled_stock_holds_the_cards_recycled_whatever_order_they_lay_in(self):
        pile = [parse_card(name) for name in ["KS", "4D", "7H", "AC", "9C"]]
        assert recycled_order(FIRST, 1, pile) == recycled_order(FIRST, 1, reversed(pile))
        assert sorted(recycled_order(FIRST, 1, pile)) == sorted(pile)

    def test_each_hand_of_a_game_has_a_seed_of_its_own_fixed_by_the_key(self):
        seeds = [hand_seed(SEED, number) for number in range(1, 101)]
        assert len(set(seeds)) == 100
        assert {len(seed) for seed in seeds} == {32}
        assert seeds == [hand_seed(SEED, number) for number in range(1, 101)]
        assert hand_seed(A, 1) != hand_seed(SEED, 1)


class TestTheDrawForTheDeal:
    """Full s3: the lower-ranked card deals first, an ace is low, ties are drawn again."""

    @pytest.mark.parametrize(
        ("drawn", "seats", "drew", "dealer"),
        [
            ("9H QC", 2, "01", 0),
            ("QC 9H", 2, "01", 1),
            ("AS KD", 2, "01", 0),
            ("7S 7C KD QH", 2, "0101", 1),
            ("7S 7C KD KH TD JC", 2, "010101", 0),
            ("9H QC 2S", 3, "012", 2),
            ("AD KS KH", 3, "012", 0),
            ("7S KD 7C 9C 8D", 3, "01202", 2),
            ("7S 7C 7D 2C 2D 9H 5S 4S", 3, "01201201", 1),
            ("8C 3D 3H 3S 2C KD AC", 4, "0123123", 3),
        ],
    )
    def test_goes_to_the_lowest_and_only_those_tied_for_it_draw_again(
        self, drawn, seats, drew, dealer
    ):
        cards = [parse_card(name) for name in drawn.split()]
        draws, deals = draw_for_dealer(cards, seats)
        assert "".join(str(draw.seat) for draw in draws) == drew
        assert [draw.card for draw in draws] == cards
        assert deals == dealer

    def test_always_ends_within_the_deck(self):
        for number in range(500):
            for seats in (2, 3, 4):
                draws, dealer = draw_for_dealer(draw_order(Deal("g", number, SEED)), seats)
                started = max(
                    at for at in range(len(draws)) if draws[at].seat <= draws[at - 1].seat
                )
                lowest = min(draws[started:], key=lambda draw: draw.card % 13)
                assert dealer == lowest.seat
