"""What must be true of a game that a client played over a proxy that loses answers."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from tests.losing import Asked
from tests.server import Caller


def logged(port: int, asked: Sequence[Asked]) -> list[dict]:
    """The log of the game that was played, from the service itself."""
    created = next(each for each in asked if each.path == "/v1/games")
    [grant, *_] = created.answer["tokens"]
    call = Caller(port, grant["token"])
    moves, cursor = [], ""
    while True:
        path = f"/v1/games/{created.answer['game']['id']}/moves?limit=100{cursor}"
        status, page = call("GET", path)
        assert status == 200, page
        moves += page["items"]
        if "next_cursor" not in page:
            call.close()
            return moves
        cursor = f"&cursor={page['next_cursor']}"


def doubled(log: Iterable[dict]) -> Iterator[str]:
    """Yield what was done twice in a turn."""
    seen = Counter(
        (move["hand_number"], move["turn"], move["seat"], kind)
        for move in log
        for kind in [{"knock": "discard", "gin": "discard"}.get(move["action"], move["action"])]
        if "seat" in move and kind in {"draw", "discard", "lay_off"}
    )
    yield from (f"{what} {times} times" for what, times in seen.items() if times > 1)


def decided(asked: Iterable[Asked]) -> Iterator[str]:
    """Yield what was decided twice: another request with the same number, or another game."""
    groups = defaultdict(list)
    for each in asked:
        if each.method == "POST" and each.path.endswith("/moves"):
            groups[each.token, each.body["move_number"]].append(each)
    for (_, number), group in groups.items():
        statuses = Counter(each.status for each in group)
        if any(each.body != group[0].body for each in group[1:]):
            yield f"move {number} was asked for in two ways"
        if statuses[201] != 1 or statuses.keys() - {200, 201}:
            yield f"move {number} was answered {dict(statuses)}"
    made = [each for each in asked if each.path == "/v1/games"]
    if len({each.answer["game"]["id"] for each in made}) != 1:
        yield "more than one game was made"


def of_players(log: Iterable[dict]) -> list[int]:
    """The numbers of the moves that clients asked for."""
    return [move["number"] for move in log if move["by"] == "player"]


def asked_for(asked: Iterable[Asked]) -> list[int]:
    """The numbers of the moves that clients asked for, each once."""
    posts = [each for each in asked if each.method == "POST" and each.path.endswith("/moves")]
    return sorted({each.body["move_number"] for each in posts})


def shown(printed: Iterable[str]) -> list[int]:
    """The numbers of the moves that a program showed, in that order."""
    return [int(found[0]) for line in printed if (found := re.match(r"\d+(?= )", line))]


def hands(printed: Iterable[str], what: str) -> list[int]:
    """The numbers of the hands of which a program said so."""
    return [int(found[1]) for line in printed if (found := re.match(rf"hand (\d+): {what}", line))]
