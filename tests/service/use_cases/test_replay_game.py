"""A game told move by move, to the operator."""

import pytest

from engine.record import play_record
from service.storage.codec import Codec
from service.storage.errors import NoSuchGame
from service.storage.sealing import SealBroken, Sealer
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused
from service.use_cases.replay_game import record_of, replay
from tests.service.table import ADA, DRAWN, EASY, SCORED, SPECTATOR, cards_in


@pytest.fixture
def house(answering):
    return answering.house


def told(house, table):
    return list(replay(house.store, house.codec, table.id))


class TestAGameThatIsOver:
    def test_is_told_from_its_setting_to_its_end(self, house, tables):
        table = tables(*SCORED, "0 resign", rules={"target": 50})
        lines = told(house, table)
        assert lines[:3] == [
            f"game {table.id}",
            "rules target=50 first_dealer=seat1",
            "seats human human",
        ]
        assert lines[3].startswith("1 - deal 1 1>0 ")
        assert lines[4:] == [
            "2 0 pass",
            "3 1 pass",
            "4 0 draw stock = KS",
            "5 0 knock KS AC2C3C 4D5D6D 7H8H9H",
            "6 1 lay_off 4C>0 5C>0 melds JHQHKH = knock 0 22",
            "7 0 resign",
        ]

    def test_is_a_record_that_can_be_played_again(self, house, tables):
        table = tables(deal=None, seats=(ADA, EASY), rules={"target": 30})
        table.play_on()
        played = play_record("\n".join(told(house, table)))
        assert played.score == load(house, table.id).game.score


class TestAGameInPlay:
    def test_hides_the_open_hand_from_the_operator_too(self, house, tables):
        table = tables(*SCORED, "0 deal", "1 pass")
        lines = told(house, table)
        assert lines[-1] == "2 moves of hand 2, which is being played"
        assert sum(" deal " in line for line in lines) == 1

    def test_shows_no_card_of_its_first_hand(self, house, tables):
        table = tables(*DRAWN)
        assert cards_in(told(house, table)) == set()
        assert table.view(SPECTATOR)["hand"]["server_commit"] not in str(told(house, table))

    def test_that_waits_is_its_setting_alone(self, house, tables):
        assert len(told(house, tables.at("waiting"))) == 3


class TestNoGame:
    def test_is_told_as_such(self, house):
        with pytest.raises(NoSuchGame, match="g_none"):
            list(replay(house.store, house.codec, "g_none"))

    def test_under_a_secret_that_is_gone(self, house, tables):
        table = tables()
        other = Codec(Sealer([b"x" * 32]))
        with pytest.raises(SealBroken):
            list(replay(house.store, other, table.id))


class TestTheRecordOfAGame:
    def test_is_what_the_operator_is_told_once_it_is_over(self, house, tables):
        table = tables(*SCORED, "0 resign")
        stored = load(house, table.id)
        assert record_of(house, stored).splitlines() == told(house, table)

    def test_is_not_told_before(self, house, tables):
        for phase in ("waiting", "discard", "hand_over", "confirming"):
            with pytest.raises(Refused) as caught:
                record_of(house, load(house, tables.at(phase).id))
            assert caught.value.code == "game_in_progress"
