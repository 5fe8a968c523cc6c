"""Seals: they open in their place, under a secret that is still known, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.storage.errors import StorageError
from service.storage.sealing import NONCE_BYTES, AnswerSealer, SealBroken, Sealer

OLD, NEW = b"o" * 32, b"n" * 32
SEALER = Sealer([NEW])
PLAIN = b"the ace of spades lies on top of the stock"


class TestASeal:
    @given(st.binary(max_size=200), st.text(max_size=30), st.text(max_size=30))
    def test_opens_to_what_was_sealed(self, plain, game_id, place):
        assert SEALER.open(game_id, place, SEALER.seal(game_id, place, plain)) == plain

    def test_is_another_each_time(self):
        seals = [SEALER.seal("g_1", "state", PLAIN) for _ in range(50)]
        assert len({seal[:NONCE_BYTES] for seal in seals}) == 50
        assert len({seal[NONCE_BYTES:] for seal in seals}) == 50

    def test_shows_nothing_of_what_is_inside(self):
        seal = SEALER.seal("g_1", "state", PLAIN)
        assert not any(PLAIN[at : at + 4] in seal for at in range(len(PLAIN) - 3))

    @pytest.mark.parametrize(
        ("game_id", "place"), [("g_2", "state"), ("g_1", "setup"), ("g_1", "")]
    )
    def test_does_not_open_in_another_place(self, game_id, place):
        seal = SEALER.seal("g_1", "state", PLAIN)
        with pytest.raises(SealBroken, match=game_id):
            SEALER.open(game_id, place, seal)

    def test_does_not_open_when_any_byte_is_another(self):
        seal = SEALER.seal("g_1", "state", PLAIN)
        for at in range(len(seal)):
            with pytest.raises(SealBroken):
                SEALER.open("g_1", "state", seal[:at] + bytes([seal[at] ^ 1]) + seal[at + 1 :])

    def test_does_not_open_when_a_part_is_missing(self):
        seal = SEALER.seal("g_1", "state", PLAIN)
        for length in (0, 1, NONCE_BYTES, NONCE_BYTES + 1, len(seal) - 1):
            with pytest.raises(SealBroken):
                SEALER.open("g_1", "state", seal[:length])

    def test_that_is_broken_is_a_failure_of_the_storage_that_tells_nothing(self):
        with pytest.raises(StorageError) as caught:
            Sealer([OLD]).open("g_1", "state", SEALER.seal("g_1", "state", PLAIN))
        assert "ace" not in str(caught.value)
        assert NEW.decode() not in str(caught.value)


class TestRotatedSecrets:
    def test_open_what_the_old_one_sealed(self):
        seal = Sealer([OLD]).seal("g_1", "state", PLAIN)
        assert Sealer([NEW, OLD]).open("g_1", "state", seal) == PLAIN

    def test_seal_with_the_first(self):
        seal = Sealer([NEW, OLD]).seal("g_1", "state", PLAIN)
        assert SEALER.open("g_1", "state", seal) == PLAIN
        with pytest.raises(SealBroken):
            Sealer([OLD]).open("g_1", "state", seal)

    def test_that_are_gone_open_nothing(self):
        with pytest.raises(SealBroken):
            SEALER.open("g_1", "state", Sealer([OLD]).seal("g_1", "state", PLAIN))


class TestASealedAnswer:
    @given(st.binary(max_size=200), st.binary(max_size=30))
    def test_opens_to_what_was_sealed(self, plain, scope):
        sealer = AnswerSealer([NEW])
        assert sealer.open(scope, sealer.seal(scope, plain)) == plain

    def test_needs_its_request_and_says_nothing_of_it(self):
        sealed = AnswerSealer([OLD]).seal(b"a-key", PLAIN)
        assert AnswerSealer([NEW, OLD]).open(b"a-key", sealed) == PLAIN
        for sealer, scope in ((AnswerSealer([OLD]), b"a-kex"), (AnswerSealer([NEW]), b"a-key")):
            with pytest.raises(SealBroken) as caught:
                sealer.open(scope, sealed)
            assert "a-ke" not in str(caught.value)

    def test_is_no_seal_of_a_game(self):
        with pytest.raises(SealBroken):
            SEALER.open("g_1", "answer", AnswerSealer([NEW]).seal(b"g_1", PLAIN))
