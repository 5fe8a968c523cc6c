"""Requests sent at once, and the judge of what came back."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import NamedTuple

CLIENTS = 8
TOGETHER_SECONDS = 60

Send = Callable[[str, str, object], tuple[int, dict]]
"""Sends method, path and body as one viewer; returns status and body."""


class Sent(NamedTuple):
    """One request: the seat, what it asks for, and whether the rules allowed it beforehand."""

    seat: int
    action: dict
    legal: bool


class Answered(NamedTuple):
    """A request with its answer."""

    sent: Sent
    status: int
    body: dict


def at_once(calls: Sequence[Callable[[], tuple[int, dict]]]) -> list[tuple[int, dict]]:
    """Make all calls at once, each in a thread of its own; return their answers in order."""
    barrier = threading.Barrier(len(calls))

    def make(call: Callable[[], tuple[int, dict]]) -> tuple[int, dict]:
        barrier.wait(TOGETHER_SECONDS)
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(make, calls))


def eight_wishes(views: dict[int, dict], rng: Random) -> list[Sent]:
    """Eight requests for one move number: two identical, the others legal and illegal ones.

    :param views: the game as each person sees it, by seat.
    """
    due = next(seat for seat, view in views.items() if view["you"]["legal"]["actions"])
    legal = views[due]["you"]["legal"]
    could = [Sent(due, action, True) for action in _legal_actions(legal)]
    rng.shuffle(could)
    wrong = [Sent(due, action, False) for action in illegal_actions(legal)]
    for seat in views.keys() - {due}:
        wrong += [Sent(seat, action, False) for action in _legal_actions(legal)[:2]]
    wishes = [could[0], could[0], *could[1:5], *wrong][: CLIENTS - 1]
    wishes += [wrong[-1]] * (CLIENTS - len(wishes))
    rng.shuffle(wishes)
    return wishes


def _legal_actions(legal: dict) -> list[dict]:
    actions = []
    if "lay_off" in legal["actions"]:
        actions += [{"action": "lay_off"}, {"action": "lay_off", "lay_offs": []}]
    if "pass" in legal["actions"]:
        actions.append({"action": "pass"})
    actions += [{"action": "draw", "source": draw["source"]} for draw in legal["draws"]]
    for knock in legal["knocks"]:
        actions.append({"action": knock["kind"], "card": knock["discard"]})
    actions += [{"action": "discard", "card": each["card"]} for each in legal["discards"]]
    return actions


def illegal_actions(legal: dict) -> list[dict]:
    """Return actions that the rules forbid to the seat that may do ``legal``."""
    actions = []
    if "discard" in legal["actions"]:
        actions += [{"action": "draw", "source": "stock"}, {"action": "big_gin"}]
        barred = [each["card"] for each in legal["barred"]]
        actions += [{"action": "discard", "card": card} for card in barred]
    else:
        actions += [{"action": "discard", "card": "AS"}, {"action": "gin", "card": "2S"}]
    if "lay_off" not in legal["actions"]:
        actions.append({"action": "lay_off", "lay_offs": []})
    return actions


def verdict(number: int, answers: Sequence[Answered]) -> str | None:
    """Return what is wrong with the answers to requests for the move ``number``, or None.

    One is made; the same request sent twice is answered twice alike; all others are refused, with
    the game as it stands. A request that the rules forbid may have been refused by the rules,
    before the one that was made; one that they allow can only have come too late.
    """
    made = [each for each in answers if each.status == 201]
    if len(made) != 1:
        return f"{len(made)} answers 201 among {sorted(each.status for each in answers)}"
    [winner] = made
    if not winner.sent.legal:
        return f"{winner.sent} was made"
    for each in answers:
        problem = None
        if each is not winner:
            twin = each.sent == winner.sent
            problem = _of_twin(each, winner) if twin else _of_loser(number, each)
        if problem:
            return f"{each.sent}: {problem}"
    return None


def _of_twin(each: Answered, winner: Answered) -> str | None:
    if each.status != 200 or not each.body["replayed"]:
        return f"{each.status} instead of 200 replayed"
    same = each.body["moves"] == winner.body["moves"]
    return None if same else "other moves than the first answer"


def _of_loser(number: int, each: Answered) -> str | None:
    if each.status != 409 or "game" not in each.body:
        return f"{each.status} {each.body.get('code')}, game: {'game' in each.body}"
    body, game = each.body, each.body["game"]
    if game["you"]["seat"] != each.sent.seat:
        return "the view of somebody else"
    if body["code"] == "stale_move":
        numbers = [move["number"] for move in body["moves"]]
        expected = body["params"]["expected_move"]
        right = numbers == list(range(number, expected)) and game["next_move"] == expected > number
        return None if right else f"moves {numbers}, next {game['next_move']}"
    if each.sent.legal or game["next_move"] != number:
        return f"{body['code']} at move {game['next_move']}"
    return None
