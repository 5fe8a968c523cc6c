"""What the lists hold is in storage and over HTTP; here: that they are one statement each."""

from service.portal_keys import parse_key
from service.storage.game_lists import Wanted
from service.use_cases.know_portal import portal_of
from service.use_cases.list_games import games_of_portal, open_games
from tests.service.portal import ADA, OPEN
from tests.service.statements import listening


class TestAList:
    def test_is_one_statement(self, portal):
        table = portal.make(seats=(ADA, OPEN), listed=True)
        house = portal.answering.house
        owner = portal_of(house, parse_key(portal.key))
        with listening() as said:
            [mine] = games_of_portal(house, Wanted(owner.id), None, 9)
            [found] = open_games(house, None, 9)
        assert len(said.statements) == 2
        assert mine.stored.game.setup.id == found.game.setup.id == table.id
