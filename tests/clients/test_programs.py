"""Programs on generated clients play whole games over a network that loses every tenth answer.

``GIN_SWEEP_CLIENT_GAMES`` games of each program against the computer, and as many of one against
the other. No error reaches their user, nothing is done twice, and every deal is checked.
"""

import os
import re
from random import Random

import pytest

from tests.clients.looking import asked_for, decided, doubled, hands, logged, of_players, shown
from tests.clients.programs import PROGRAMS, finished, finished_together, needs_clients, started
from tests.losing import Asked, Losing, Losses

GAMES = int(os.environ.get("GIN_SWEEP_CLIENT_GAMES", "1"))
KINDS = [pytest.param(name, id=name) for name in PROGRAMS]
MANY = [*range(GAMES)]

pytestmark = [needs_clients, pytest.mark.clients, pytest.mark.http]


def losses(*about) -> Losses:
    """One of ten answers; in each first game the very first one, of what makes it."""
    *_, number = about
    return Losses(Random(repr(about)), first=0 if number == 0 else None)


def look_at(proxy, log, *outcomes):
    """Hold a game, and what its players saw of it, to what must be true."""
    assert [(code, wrong) for code, _, wrong in outcomes] == [(0, "")] * len(outcomes)
    assert proxy.losses.count >= len(proxy.asked) // 10 > 0
    assert any(each.lost for each in proxy.asked)
    assert [*decided(proxy.asked), *doubled(log)] == []
    assert of_players(log) == asked_for(proxy.asked)
    for _, printed, _ in outcomes:
        assert shown(printed) == [move["number"] for move in log] == [*range(1, len(log) + 1)]
        played = [move["result"]["hand_number"] for move in log if "result" in move]
        assert hands(printed, "dealt fairly") == hands(printed, r"\w+, \d+ for") == played
        assert re.fullmatch(r"over: Ada \d+ (the computer|Bob) \d+", printed[-1])


@pytest.mark.parametrize("language", KINDS)
class TestAgainstTheComputer:
    @pytest.mark.parametrize("number", MANY)
    def test_plays_a_whole_game(self, served, language, number):
        with Losing(served.port, losses(language, number)) as proxy:
            outcome = finished(started(language, proxy.url))
        look_at(proxy, logged(served.port, proxy.asked), outcome)


class TestAgainstEachOther:
    """Here nothing is told in the answer to an own move: each has to follow the other."""

    @pytest.mark.parametrize("number", MANY)
    def test_play_a_whole_game(self, served, number):
        creator, guest = sorted(PROGRAMS, reverse=number % 2 == 0)
        with (
            Losing(served.port, losses("both", number)) as proxy,
            started(creator, proxy.url, "invite") as one,
        ):
            said = next(line for line in one.stdout if line.startswith("join with"))
            outcomes = finished_together(one, started(guest, proxy.url, said.split()[-1]))
        if number == 0:
            assert proxy.events > 0
        look_at(proxy, logged(served.port, proxy.asked), *outcomes)


def other_deck(proof):
    proof["deck"][:2] = reversed(proof["deck"][:2])


def other_seed(proof):
    proof["seed"] = proof["seed"][::-1]


def without_nonces(proof):
    proof["nonces"] = []


LIES = [
    (other_deck, "another deck follows", "python"),
    (other_seed, "another seed", "typescript"),
    (without_nonces, "without my nonce", "python"),
    (other_deck, "another deck follows", "typescript"),
    (other_seed, "another seed", "python"),
    (without_nonces, "without my nonce", "typescript"),
]
"""What a proof says instead, what a program says to that, and which."""


class TestADealThatIsNotFair:
    @pytest.mark.parametrize(("lie", "says", "language"), LIES[: 2 * GAMES])
    def test_is_found_out(self, served, lie, says, language):
        def change(path, answer):
            if path.endswith("/proof"):
                lie(answer)
            return answer

        with Losing(served.port, None, change) as proxy:
            code, printed, wrong = finished(started(language, proxy.url))
        assert code != 0
        assert says in wrong
        assert hands(printed, "dealt fairly") == []


GAME = Asked("POST", "/v1/games", None, {}, 201, {"game": {"id": "g_1"}}, lost=True)


def move(status, card="KC"):
    body = {"action": "discard", "card": card, "move_number": 5}
    return Asked("POST", "/v1/games/g_1/moves", "Bearer grs_1", body, status, {}, lost=False)


class TestWhatIsLookedFor:
    """Each thing that is held to be so is seen when it is not."""

    def test_sees_a_turn_that_was_played_twice(self):
        draw = {"hand_number": 1, "turn": 3, "seat": 0, "action": "draw"}
        assert [*doubled([draw, {**draw, "seat": 1}, {**draw, "turn": 4}])] == []
        assert [*doubled([draw, draw])] != []

    def test_sees_another_request_with_the_same_number(self):
        assert [*decided([GAME, move(201), move(200)])] == []
        assert [*decided([GAME, move(201), move(200, card="QS")])] != []

    def test_sees_a_move_that_was_accepted_twice_or_refused(self):
        assert [*decided([GAME, move(201), move(201)])] != []
        assert [*decided([GAME, move(201), move(409)])] != []

    def test_sees_another_game(self):
        other = GAME._replace(answer={"game": {"id": "g_2"}})
        assert [*decided([GAME, GAME])] == []
        assert [*decided([GAME, other])] != []
