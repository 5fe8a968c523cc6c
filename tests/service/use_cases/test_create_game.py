"""Making a game."""

from dataclasses import replace

import pytest

from engine.errors import ContradictoryRules
from engine.game import SeatKind
from engine.rules import STANDARD
from service.storage.games import PLAYING, WAITING
from service.storage.occupants import Occupant
from service.tokens import Token, TokenKind
from service.use_cases.create_game import create_game
from service.use_cases.open_game import load
from service.use_cases.verify_games import verify_game
from tests.service.statements import listening

ADA = Occupant(SeatKind.HUMAN, occupied=True, name="Ada")
FREE = Occupant(SeatKind.HUMAN, occupied=False)
AUTO = Occupant(SeatKind.AI, occupied=True, level="easy", mode="auto")
ON_REQUEST = replace(AUTO, mode="on_request")


@pytest.fixture
def house(answering):
    return answering.house


class TestAGame:
    def test_that_is_complete_begins(self, house):
        created = create_game(house, STANDARD, (ADA, ADA))
        assert (created.stored.status, created.stored.join_code) == (PLAYING, None)
        assert [each.move.number for each in created.moves] == [1, 2]
        assert [each.version for each in created.moves] == [2, 3]

    def test_that_is_not_waits_under_a_join_code(self, house):
        created = create_game(house, STANDARD, (ADA, FREE))
        assert (created.stored.status, created.moves) == (WAITING, [])
        assert created.stored.join_code == "join000000000001"

    @pytest.mark.parametrize(
        "seats",
        [(ADA, ADA), (ADA, FREE), (FREE, FREE), (ADA, AUTO), (AUTO, ADA), (ON_REQUEST, ON_REQUEST)],
    )
    def test_is_stored_with_a_log_that_leads_to_it(self, house, seats):
        created = create_game(house, STANDARD, seats)
        game_id = created.stored.game.setup.id
        stored = load(house, game_id)
        assert replace(stored, read_at=created.stored.read_at) == created.stored
        assert verify_game(house.store, house.codec, game_id) is None

    def test_has_the_id_and_the_key_that_chance_gave(self, house):
        setup = create_game(house, STANDARD, (ADA, ADA)).stored.game.setup
        assert (setup.id, setup.deal_key) == ("g_AAAAAAAAAAAAAAAAAAAAAQ", bytes(31) + b"\x01")

    def test_is_written_in_one_transaction(self, house):
        with listening() as said:
            create_game(house, STANDARD, (ADA, ADA))
        assert len(said.statements) == 3
        assert said.trips == 5


class TestTheGrants:
    @pytest.mark.parametrize(
        ("seats", "granted"),
        [
            ((ADA, ADA), [0, 1]),
            ((ADA, FREE), [0]),
            ((FREE, ADA), [1]),
            ((FREE, FREE), []),
            ((ADA, AUTO), [0]),
            ((AUTO, ADA), [1]),
            ((ON_REQUEST, FREE), []),
            ((ON_REQUEST, ON_REQUEST), [0, 1]),
        ],
    )
    def test_are_of_the_people_or_of_the_computers_alone(self, house, seats, granted):
        created = create_game(house, STANDARD, seats)
        assert [grant.seat for grant in created.grants] == granted
        game_id = created.stored.game.setup.id
        for grant in created.grants:
            assert house.tokens.read(grant.token) == Token(TokenKind.SEAT, game_id, grant.seat)
        spectator = house.tokens.read(created.spectator_token)
        assert spectator == Token(TokenKind.SPECTATOR, game_id, None)


class TestRulesThatSoManySeatsCannotPlayBy:
    def test_are_not_stored(self, house):
        with pytest.raises(ContradictoryRules) as caught:
            create_game(house, replace(STANDARD, hollywood=True), (ADA, ADA, ADA))
        assert caught.value.options == ("hollywood", "seats")
        with house.store.reading() as conn:
            assert conn.execute("SELECT count(*) FROM games").fetchone() == (0,)
