"""Whole games over HTTP, by clients that read nothing but what they may do.

Every answer is held to the document that the server serves. At the end of a game the log leads to
what is stored, whoever looks, and the score sheet is the one that the cards give.
``GIN_SWEEP_GAMES`` games, by two, three and four, between people and against computers.
"""

import contextlib
import os
from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from tests.bot import Bot
from tests.contract.validity import Answers
from tests.recount import as_counted
from tests.score_sheet import sheet
from tests.server import Caller, Served

GAMES = int(os.environ.get("GIN_SWEEP_GAMES", "8"))
PER_TEST = max(3, -(-GAMES // 2))
ENOUGH_FOR_ALL = 60
"""So many games hold every outcome and every answer, as good as surely."""

FURTHEST_BEHIND = 200
LOOKS_AFTER = 50
COMPUTER = {"kind": "ai", "ai": {"level": "easy"}}
PERSON = {"kind": "human"}
GRANTED = {"kind": "human", "seating": "granted"}
PARTNERS = {"four_player": "partnership"}
TABLES = [
    ([PERSON, COMPUTER], {}),
    ([GRANTED, COMPUTER, PERSON], {"base": "traditional"}),
    ([GRANTED, GRANTED], {"base": "traditional", "confirm_score": "both"}),
    ([PERSON, GRANTED, COMPUTER, COMPUTER], {"base": "traditional", **PARTNERS}),
    ([COMPUTER, PERSON], {"base": "hollywood", "target": 50}),
    ([COMPUTER, COMPUTER, PERSON], {"three_player": "loser_out"}),
    ([PERSON, PERSON], {"base": "traditional"}),
    ([GRANTED, GRANTED, GRANTED, PERSON], {"base": "hollywood", "target": 50, **PARTNERS}),
]
"""Who plays, and by what rules."""

ROUND = [[0, 1], [2, 3], [0, 3], [1, 2]]
OUTCOMES = {"knock", "gin", "undercut", "drawn", "resigned"}
OPERATIONS = {
    ("confirmHand", 200),
    ("createGame", 201),
    ("dealHand", 201),
    ("getGame", 200),
    ("getHand", 200),
    ("getInvitation", 200),
    ("getKnock", 200),
    ("getMove", 200),
    ("getScore", 200),
    ("getUpdates", 200),
    ("joinGame", 201),
    ("knock", 201),
    ("layOff", 201),
    ("listHands", 200),
    ("listKnocks", 200),
    ("listMoves", 200),
    ("listTurns", 200),
    ("makeMove", 201),
    ("playTurn", 201),
    ("putMove", 201),
    ("resign", 201),
}


class Checked:
    """One viewer's connection; every answer is held to the document."""

    def __init__(self, served: Served, answers: Answers, token: str | None = None) -> None:
        self._caller = Caller(served.port, token)
        self._answers = answers
        self.close = self._caller.close

    def __call__(self, method: str, path: str, body: object = None) -> tuple[int, dict]:
        status, found = self._caller(method, path, body)
        faults = self._answers.faults(method, path, status, self._caller.headers, found)
        assert not faults, f"{method} {path} {body}: {status} {faults}"
        return status, found

    def get(self, path: str) -> dict:
        status, found = self("GET", path)
        assert status == 200, found
        return found

    def items(self, path: str) -> list[dict]:
        """Every item of a list, page after page."""
        page = self.get(f"{path}?limit=100")
        items = page["items"]
        while "next_cursor" in page:
            page = self.get(f"{path}?limit=100&cursor={page['next_cursor']}")
            items += page["items"]
        return items


class Follower:
    """A viewer who learns what happens from updates, and from the answers to its own requests."""

    def __init__(self, call: Checked, path: str, told: dict, bot: Bot | None = None) -> None:
        self.call = call
        self.path = path
        self.bot = bot
        self.moves: list[dict] = list(told["moves"])
        self.game = told["game"]
        self._belong_together()

    def refresh(self) -> None:
        self._learn(self.call.get(f"{self.path}/updates?after={self.game['version']}"))

    def act(self) -> bool:
        """Make the one move that it wants to make; tell whether there was one."""
        wish = self.bot and self.bot.wish(self.game)
        if not wish:
            return False
        status, told = self.call(*wish)
        assert status == (200 if wish.path.endswith("/confirmation") else 201), told
        self._learn(told)
        return True

    def _learn(self, update: dict) -> None:
        assert not update["reset"]
        assert not update["replayed"]
        self.moves += update["moves"]
        self.game = update["game"]
        self._belong_together()

    def _belong_together(self) -> None:
        assert [move["number"] for move in self.moves] == list(range(1, self.game["next_move"]))
        versions = [move["version"] for move in self.moves]
        assert versions == sorted(set(versions))
        # A confirmation is a version without a move, and so is that somebody came to the table.
        assert self.game["version"] >= versions[-1] if versions else True
        assert self.moves[-1:] == ([self.game["last_move"]] if self.moves else [])
        you, seats = self.game["you"], self.game["seats"]
        if "seat" in you and seats[you["seat"]]["sits_out"]:
            assert not you["cards"]
            assert set(you["legal"]["actions"]) <= {"deal"}
        playing = [seat["seat"] for seat in seats if not seat["sits_out"]]
        assert "hand" not in self.game or playing == self.game["hand"]["playing_seats"]


class Table:
    """One game, and all who look at it: who plays, and one who only looks."""

    def __init__(self, served: Served, answers: Answers, number: int) -> None:
        self._served = served
        self._answers = answers
        self._connections = contextlib.ExitStack()
        self.rng = Random(number)
        seats, rules = TABLES[number % len(TABLES)]
        made = self._asked("POST", "/v1/games", {"rules": rules, "seats": seats})
        self.path = f"/v1/games/{made['game']['id']}"
        # Its maker sees the game as the first seat; others begin with an update of their own.
        told = {grant["token"]: None for grant in made["tokens"]}
        told[made["tokens"][0]["token"]] = made
        if "join_code" in made:
            code = made["join_code"]
            self._asked("GET", f"/v1/invitations/{code}")
            joined = self._asked("POST", f"{self.path}/joins", {"join_code": code, "name": "Grace"})
            told[joined["token"]] = joined
        resigns_at = self.rng.randrange(4, 120) if number % 5 == 4 else None
        self.players = [
            self._follower(token, each, Bot(self.path, self.rng, resigns_at))
            for token, each in told.items()
        ]
        self.public = self._follower(made["spectator_token"], None)

    def _follower(self, token: str, told: dict | None, bot: Bot | None = None) -> Follower:
        call = self._caller(token)
        return Follower(call, self.path, told or call.get(f"{self.path}/updates?after=1"), bot)

    def _caller(self, token: str | None = None) -> Checked:
        call = Checked(self._served, self._answers, token)
        self._connections.callback(call.close)
        return call

    def _asked(self, method: str, path: str, body: object = None) -> dict:
        status, found = self._caller()(method, path, body)
        assert status in {200, 201}, found
        return found

    def close(self) -> None:
        """Close every connection: whoever stays away leaves faults in other tests' reports."""
        self._connections.close()

    @property
    def followers(self) -> list[Follower]:
        return [*self.players, self.public]

    def play(self) -> None:
        """Play to the end; who only looks, or sits out, does so now and then."""
        while not self.public.game["over"]:
            for player in self.players:
                player.refresh()
                while player.act():
                    self._keep_up(player.game["next_move"])
            self.public.refresh()
        for player in self.players:
            player.refresh()

    def _keep_up(self, next_move: int) -> None:
        """Let nobody fall so far behind that the moves cannot be told any more.

        One request may add all the moves of a hand, if only computers play it.
        """
        for follower in self.followers:
            if next_move - follower.game["next_move"] > LOOKS_AFTER:
                follower.refresh()

    def look_back(self) -> list[str]:
        """Hold everything that was seen to what is kept; return how the hands ended."""
        for follower in self.followers:
            self._from_any_version(follower)
            self._same_log(follower)
        return self._same_score()

    def _from_any_version(self, follower: Follower) -> None:
        now = follower.game["version"]
        for version in {1, now - 1, now, *(self.rng.randint(1, now) for _ in range(6))}:
            update = follower.call.get(f"{self.path}/updates?after={version}")
            later = [move for move in follower.moves if move["version"] > version]
            too_far = len(later) > FURTHEST_BEHIND
            assert update["reset"] == too_far
            assert update["moves"] == ([] if too_far else later)
            server_time = {"server_time": follower.game["server_time"]}
            assert update["game"] | server_time == follower.game
        assert follower.call.get(f"{self.path}/updates?after={now + 1}")["reset"]

    def _same_log(self, follower: Follower) -> None:
        """Now that it is over the log also shows what was hidden; all else is as it was seen."""
        log = follower.call.items(f"{self.path}/moves")
        assert len(log) == len(follower.moves)
        for kept, seen in zip(log, follower.moves, strict=True):
            assert kept | {name: seen[name] for name in seen if name != "deal"} == kept
            assert kept.keys() - seen.keys() <= {"card"}
        by_turn = [
            move for turn in follower.call.items(f"{self.path}/turns") for move in turn["moves"]
        ]
        assert by_turn == [move for move in log if move["turn"] > 0]
        one = self.rng.choice(log)
        assert follower.call.get(f"{self.path}/moves/{one['number']}") == one

    def _same_score(self) -> list[str]:
        game, call = self.public.game, self.public.call
        summaries = call.items(f"{self.path}/hands")
        hands = [call.get(f"{self.path}/hands/{each['number']}") for each in summaries]
        _in_rotation(summaries, game)
        expected = sheet(hands, game["rules"], len(game["seats"]))
        assert expected["complete"]
        for follower in self.followers:
            assert as_counted(follower.game["score"]) == expected
            for winner in ("winner_seat", "winner_team"):
                assert follower.game.get(winner) == expected[winner]
            assert follower.call.get(f"{self.path}/score") == follower.game["score"]
            view = follower.call.get(self.path)
            assert view | {"server_time": ""} == follower.game | {"server_time": ""}
        knocks = call.items(f"{self.path}/knocks")
        # Whoever resigns before the lay-offs ends a hand that was knocked without a knock's result.
        knocked = {move["hand_number"] for move in self.public.moves if "knock" in move}
        assert [knock["result"] for knock in knocks] == [
            hand["result"] for hand in hands if hand["number"] in knocked
        ]
        assert {hand["number"] for hand in hands if "knocker_seat" in hand["result"]} <= knocked
        for knock in knocks[:1]:
            assert call.get(f"{self.path}/knocks/{knock['hand_number']}") == knock
        return [hand["result"]["outcome"] for hand in hands]


def _in_rotation(hands: list[dict], game: dict) -> None:
    """Who sat out whom: of three in turn, or the last loser; partners in their round."""
    playing = [hand["playing_seats"] for hand in hands]
    if len(game["seats"]) == 4:
        assert playing == [ROUND[place % 4] for place in range(len(playing))]
        teams = [hand["dealer_seat"] % 2 for hand in hands]
        assert all(one != other for one, other in pairwise(teams))
    elif len(game["seats"]) == 3:
        for before, after in pairwise(hands):
            [sat_out] = {0, 1, 2} - set(before["playing_seats"])
            [sits_out] = {0, 1, 2} - set(after["playing_seats"])
            loser = set(before["playing_seats"]) - {before.get("winner_seat")}
            expected = (sat_out + 1) % 3
            if game["rules"]["three_player"] == "loser_out":
                expected = sat_out if len(loser) == 2 else loser.pop()
            assert sits_out == expected


@pytest.mark.http
class TestWholeGames:
    @pytest.mark.parametrize("first", range(0, GAMES, PER_TEST))
    def test_are_played_as_the_document_says_and_leave_a_log_without_a_fault(self, served, first):
        with contextlib.closing(Caller(served.port)) as call:
            answers = Answers(call("GET", "/openapi.json")[1])
        numbers = range(first, min(first + PER_TEST, GAMES))
        outcomes: Counter[str] = Counter()
        for number in numbers:
            with contextlib.closing(Table(served, answers, number)) as table:
                table.play()
                outcomes.update(table.look_back())
        verified = served.operate("verify")
        assert verified.returncode == 0, verified.stdout
        assert verified.stdout == f"{len(numbers)} games, 0 findings\n"
        assert outcomes.keys() <= OUTCOMES
        if len(numbers) >= ENOUGH_FOR_ALL:
            assert outcomes.keys() == OUTCOMES
            assert answers.seen >= OPERATIONS
