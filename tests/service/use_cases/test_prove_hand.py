"""The proof of a hand: from the log, once it may be shown."""

from dataclasses import replace

import pytest

from engine.events import Dealt
from engine.proofs import told, verify
from engine.shuffle import SeatNonce
from service.storage import moves
from service.use_cases.open_game import load
from service.use_cases.prove_hand import fair_totals, prove_hand
from service.use_cases.refusals import Refused
from tests.service.table import SCORED


@pytest.fixture
def house(answering):
    return answering.house


def stored_of(house, table):
    return load(house, table.id)


class TestProveHand:
    def test_has_the_seed_that_the_game_was_dealt_from(self, house, tables):
        table = tables("0 resign", deal=None)
        proof = prove_hand(house, stored_of(house, table), 1)
        assert proof.server_commit == table.made["game"]["hand"]["server_commit"]
        assert verify(told(proof)).valid

    def test_has_the_nonces_that_stand_in_the_log(self, house, tables, monkeypatch):
        """What the deal stored is what is told, whoever contributed."""
        table = tables("0 resign", deal=None)
        nonces = (SeatNonce(0, b"a" * 32), SeatNonce(1, b"b" * 32))
        of_hands = moves.of_hands

        def with_nonces(*arguments):
            found = of_hands(*arguments)
            at = next(at for at, each in enumerate(found) if isinstance(each.move.event, Dealt))
            event = replace(found[at].move.event, nonces=nonces)
            found[at] = replace(found[at], move=replace(found[at].move, event=event))
            return found

        monkeypatch.setattr(moves, "of_hands", with_nonces)
        proof = prove_hand(house, stored_of(house, table), 1)
        assert (proof.nonces, proof.contributors) == (nonces, (0, 1))

    def test_refuses_with_the_game_as_it_stands(self, house, tables):
        table = tables()
        with pytest.raises(Refused) as refused:
            prove_hand(house, stored_of(house, table), 1)
        assert refused.value.code == "hand_in_progress"
        assert refused.value.stored is not None

    def test_of_a_game_that_opens_at_its_end_says_what_to_wait_for(self, house, tables):
        table = tables(*SCORED, rules={"reveal": "game"})
        with pytest.raises(Refused) as refused:
            prove_hand(house, stored_of(house, table), 1)
        assert refused.value.code == "game_in_progress"

    def test_does_not_open_by_what_came_after_the_game_was_read(self, house, tables):
        table = tables()
        before = stored_of(house, table)
        table.play("0 resign")
        with pytest.raises(Refused):
            prove_hand(house, before, 1)


class TestFairTotals:
    def test_count_what_was_dealt(self, house, tables):
        tables()
        assert fair_totals(house).counts.hands_dealt == 1
