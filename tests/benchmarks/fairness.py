"""What it costs that players have a share in the shuffle: requests and milliseconds a hand.

Two bots play whole games over HTTP, one request after the other, with no, one and two contributors
in alternated rounds. Printed are the requests of a hand and the time of all of them, and beside
them what lies between two hands alone: the deal that somebody asks for, or the cuts of who
contributes. A hand has some thirty requests, more or fewer by chance; what lies between hands has
not.

    python -m tests.benchmarks.fairness
"""

import contextlib
import os
import statistics
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from time import perf_counter

from tests.benchmarks import stack
from tests.benchmarks.stack import Served
from tests.bot import Bot
from tests.server import Caller

ROUNDS = int(os.environ.get("GIN_BENCH_ROUNDS", "7"))
GAMES = 4
CONTRIBUTORS = (0, 1, 2)
RULES = {"base": "standard", "target": 100}


@dataclass(slots=True)
class Cost:
    """What the hands of one round took, in requests and seconds, and what lay between them."""

    hands: int = 0
    requests: int = 0
    seconds: float = 0.0
    between: list[float] = field(default_factory=list)


def nonce(seat: int, hand: int) -> str:
    """Return the nonce of a seat; here nobody has anything to lose by it."""
    return sha256(f"{seat}|{hand}".encode()).hexdigest()


def commit(seat: int, hand: int) -> str:
    """Return the commitment to it."""
    return sha256(f"GRD1|nonce|{nonce(seat, hand)}".encode()).hexdigest()


def play(served: Served, contributors: int, seed: int, cost: Cost) -> None:
    """Play one game and add what it took."""
    seats = [
        {"kind": "human", "seating": "granted"}
        | ({"nonce_commit": commit(seat, 1)} if seat < contributors else {})
        for seat in (0, 1)
    ]
    with contextlib.ExitStack() as open_calls:
        call = open_calls.enter_context(contextlib.closing(Caller(served.port)))
        _, made = call("POST", "/v1/games", {"rules": RULES, "seats": seats})
        path, views = f"/v1/games/{made['game']['id']}", [made["game"]] * 2
        calls = [
            open_calls.enter_context(contextlib.closing(Caller(served.port, grant["token"])))
            for grant in made["tokens"]
        ]
        bots = [Bot(path, Random(seed + seat)) for seat in (0, 1)]
        between = 0.0
        while not views[0]["over"]:
            seat = views[0]["to_act_seats"][0]
            _, views[seat] = calls[seat]("GET", path)
            wish = _wish(bots[seat], seat, views[seat])
            begun = perf_counter()
            status, told = calls[seat](*wish)
            took = perf_counter() - begun
            assert status in {200, 201}, told
            cost.requests += 1
            cost.seconds += took
            if wish[1].endswith(("/cut", "/hands")):
                between += took
            if any(move["action"] == "deal" for move in told["moves"]):
                cost.hands += 1
                cost.between.append(between)
                between = 0.0
            views = [told["game"]] * 2


def _wish(bot: Bot, seat: int, view: dict) -> tuple[str, str, dict | None]:
    if "cut" not in view["you"]["legal"]["actions"]:
        wish = bot.wish(view)
        assert wish is not None
        return wish
    hand = view["next_hand"]["number"]
    body = {"nonce": nonce(seat, hand), "next_nonce_commit": commit(seat, hand + 1)}
    return "PUT", f"{bot.path}/hands/{hand}/cut", body


def main() -> None:
    """Measure and print."""
    costs: dict[int, list[Cost]] = {count: [] for count in CONTRIBUTORS}
    with stack.database() as settings, stack.gunicorn(settings, "service.wsgi:app") as served:
        play(served, 2, 0, Cost())
        for number in range(ROUNDS):
            for count in CONTRIBUTORS if number % 2 else reversed(CONTRIBUTORS):
                cost = Cost()
                for game in range(GAMES):
                    play(served, count, 1000 * number + game, cost)
                costs[count].append(cost)
    print(f"\nfair deals: {ROUNDS} alternated rounds of {GAMES} games each, medians")
    print(f"{'contributors':<14}{'requests a hand':>17}{'ms a hand':>11}{'ms before a deal':>18}")
    for count, found in costs.items():
        requests = statistics.median(each.requests / each.hands for each in found)
        whole = statistics.median(1000 * each.seconds / each.hands for each in found)
        before = statistics.median(1000 * statistics.mean(each.between) for each in found)
        print(f"{count:<14}{requests:>17.1f}{whole:>11.1f}{before:>18.2f}")


if __name__ == "__main__":
    main()
