"""Who is there, told across processes: two services of one process each on one database.

Whoever follows in one of them hears of who is held by the other, and of it going, even where
everything that held it was killed.
"""

import contextlib

import pytest

from service.app import create_house
from service.use_cases.manage_keys import create_key
from service.use_cases.verify_games import verify_all
from tests.faults.test_following import PEOPLE, Game, serving
from tests.following import ByPolls, Stream
from tests.server import Caller

SECONDS = 2
QUICK = {"GIN_PRESENCE_SECONDS": str(SECONDS), "GIN_WORKERS": "1"}
NOBODY, ADA, BOB, BOTH = [False, False], [True, False], [False, True], [True, True]

pytestmark = pytest.mark.http


@pytest.fixture(autouse=True)
def _closed():
    """Close what streams a test has opened."""
    yield
    while Stream.opened:
        Stream.opened.pop().close()


@pytest.fixture
def services(database_url, empty_tables):
    with serving(database_url, **QUICK) as one, serving(database_url, **QUICK) as other:
        yield one, other


@pytest.fixture
def game(services):
    return Game(services[0].port)


@pytest.fixture(params=["stream", "polls"])
def follow(request, game):
    """Follows the game as a seat, in one service, by a stream or by polls."""

    def follow(service, seat):
        if request.param == "polls":
            ByPolls(service.port, game.path, game.tokens[seat], game.version)
        else:
            Stream(service.port, game.path, game.tokens[seat])

    return follow


class Onlooker:
    """Somebody who looks on by a stream, and counts on being told every change once."""

    def __init__(self, service, game) -> None:
        self.events = Stream(service.port, game.path, game.tokens["spectator"]).events()
        self.said = self._next()

    def _next(self) -> list[bool]:
        game = next(self.events).update["game"]
        return [seat["online"] for seat in game["seats"]]

    def told(self) -> list[bool]:
        """Return what the next event says; it says something else than the one before."""
        before, self.said = self.said, self._next()
        assert self.said != before
        return self.said


def look(service, game, seat):
    """Ask for something once, as a seat."""
    with contextlib.closing(Caller(service.port, game.tokens[seat])) as call:
        assert call("GET", game.path)[0] == 200


class TestWhoFollowsInOneProcess:
    def test_is_there_for_who_looks_on_in_another(self, services, game, follow):
        one, other = services
        onlooker = Onlooker(other, game)
        assert onlooker.said == NOBODY
        follow(one, 0)
        assert onlooker.told() == ADA

    def test_goes_once_when_the_process_is_killed(self, services, game, follow):
        one, other = services
        onlooker = Onlooker(other, game)
        follow(one, 0)
        assert onlooker.told() == ADA
        one.kill()
        assert onlooker.told() == NOBODY
        look(other, game, 1)
        assert onlooker.told() == BOB
        assert onlooker.told() == NOBODY

    def test_stays_as_long_as_another_process_has_it_too(self, services, game, follow):
        """Who was seen once, after the one process was killed, goes before who is held."""
        one, other = services
        onlooker = Onlooker(other, game)
        follow(other, 0)
        follow(one, 0)
        assert onlooker.told() == ADA
        one.kill()
        for _ in range(2):
            look(other, game, 1)
            assert onlooker.told() == BOTH
            assert onlooker.told() == ADA


class TestWhoAsksForSomething:
    def test_is_there_for_a_while(self, services, game):
        one, other = services
        onlooker = Onlooker(other, game)
        for _ in range(2):
            look(one, game, 0)
            assert onlooker.told() == ADA
            assert onlooker.told() == NOBODY

    def test_plays_on_whoever_comes_and_goes(self, services, game, settings):
        _, other = services
        onlooker = Stream(other.port, game.path, game.tokens["spectator"], last=str(game.version))
        made = [game.move() for _ in range(8)]
        told = []
        for event in onlooker.events():
            told += event.update["moves"]
            if len(told) == len(made):
                break
        assert [move["version"] for move in told] == [move["version"] for move in made]
        house = create_house(settings)
        with contextlib.closing(house.store):
            assert verify_all(house.store, house.codec).findings == ()


class TestAStreamWhoseTokenEnds:
    def test_ends_though_nothing_happens_in_its_game(self, services, game):
        one, other = services
        with contextlib.closing(Caller(one.port, game.tokens[0])) as call:
            status, given = call("POST", f"{game.path}/seats/0/tokens", {"label": "phone"})
            assert status == 201
            here, there, stays = (
                Stream(service.port, game.path, token)
                for service, token in (
                    (one, given["token"]),
                    (other, given["token"]),
                    (other, game.tokens[0]),
                )
            )
            for stream in (here, there, stays):
                stream.next()
            call("GET", game.path)
            with contextlib.suppress(ValueError):  # an empty body is no JSON
                call("DELETE", f"{game.path}/seats/0/tokens/{given['id']}")
        for stream in (here, there):
            assert all(not event.update["moves"] for event in stream.events())
        move = game.move()
        assert any(event.update["moves"] == [move] for event in stays.events())

    def test_ends_with_the_key_of_its_portal(self, services, settings):
        house = create_house(settings)
        with contextlib.closing(house.store):
            key = create_key(house.store, "arcade", ["games:read", "games:write"])
        one, other = services
        with contextlib.closing(Caller(one.port, key.key)) as call:
            status, made = call("POST", "/v1/games", {"seats": PEOPLE})
        assert status == 201
        path = f"/v1/games/{made['game']['id']}"
        streams = [Stream(service.port, path, key.key) for service in services]
        for stream in streams:
            assert stream.next().update["game"]["you"]["viewer"] == "portal"
        assert one.operate("keys", "revoke", key.id).returncode == 0
        for stream in streams:
            assert list(stream.events()) == []
        assert Stream(other.port, path, key.key).status == 401
