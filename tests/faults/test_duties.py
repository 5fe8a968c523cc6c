"""What follows from a clock happens though nobody asks, once, whichever process does it."""

import contextlib
from datetime import datetime

import psycopg
import pytest

from service.app import create_house
from service.use_cases.verify_games import verify_all
from tests.faults.test_following import Game, serving
from tests.following import Stream

LATE = 5
"""So many seconds after the deadline may be what follows from it."""

GAMES = 6

pytestmark = pytest.mark.http


@pytest.fixture(autouse=True)
def _closed():
    """Close what streams a test has opened."""
    yield
    while Stream.opened:
        Stream.opened.pop().close()


@pytest.fixture
def clean(settings):
    """Afterwards every log leads to its game."""
    yield
    house = create_house(settings)
    with contextlib.closing(house.store):
        assert verify_all(house.store, house.codec).findings == ()


@pytest.fixture(scope="module")
def _four(database_url):
    with serving(database_url, GIN_WORKERS="4") as served:
        yield served


@pytest.fixture
def four(_four, empty_tables):
    """A service of four processes."""
    return _four


def timed(served, policy):
    rules = {"turn_seconds": 60, "timeout_policy": policy}
    return Game(served.port, rules=rules)


def time_runs_out(database_url) -> datetime:
    """Let the time of whoever is due be over now; from here on nobody asks for anything."""
    with psycopg.connect(database_url, autocommit=True) as conn:
        conn.execute("UPDATE games SET turn_deadline = now()")
        return conn.execute("SELECT max(turn_deadline) FROM games").fetchone()[0]


class TestADeadline:
    def test_is_kept_by_one_of_four_processes(self, four, database_url, clean):
        games = [timed(four, "forfeit") for _ in range(GAMES)]
        streams = [game.stream("spectator", last=str(game.version)) for game in games]
        deadline = time_runs_out(database_url)
        for game, stream in zip(games, streams, strict=True):
            [event] = stream.events()  # the stream ends with the game
            update = event.update
            assert update["game"]["version"] == game.version + 1
            [move] = update["moves"]
            assert (move["action"], move["by"]) == ("resign", "clock")
            assert 0 <= (datetime.fromisoformat(move["at"]) - deadline).total_seconds() <= LATE

    def test_lets_a_computer_take_over_once(self, four, database_url, clean):
        games = [timed(four, "ai_takes_over") for _ in range(GAMES)]
        streams = [game.stream("spectator", last=str(game.version)) for game in games]
        time_runs_out(database_url)
        for game, stream in zip(games, streams, strict=True):
            update = stream.next().update
            due = game.view["to_act_seats"][0]
            assert update["game"]["seats"][due]["away"]
            assert {move["by"] for move in update["moves"]} == {"clock"}

    def test_is_kept_after_the_process_that_does_it_was_killed(self, database_url, empty_tables):
        single = {"GIN_WORKERS": "1"}
        with serving(database_url, **single) as other, serving(database_url, **single) as one:
            game = timed(one, "forfeit")
            after = str(game.version)
            stream = Stream(other.port, game.path, game.tokens["spectator"], last=after)
            one.kill()
            time_runs_out(database_url)
            [event] = stream.events()
            assert event.update["game"]["over"]
