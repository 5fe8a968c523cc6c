"""How many requests a second the whole stack answers, beside bare routes on the same stack.

gunicorn with the service's own settings, a PostgreSQL that waits for its disk, and a client of one
thread on the same machine. In every round each route runs for a while, one after the other, to and
fro; its rate is divided by the rate of the bare route in the same round. Printed are medians over
the rounds, so that what else the machine does touches both alike.

Every connection plays games of its own, prepared before the clock starts: it draws from the stock
and discards, in turn for both seats, and goes on to its next game after twenty turns.
"""

import argparse
import contextlib
import itertools
import os
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from service.settings import Settings
from tests.benchmarks import accepted, stack
from tests.benchmarks.client import Round, play
from tests.benchmarks.stack import TURNS, Request, Served, Table

ROUNDS = int(os.environ.get("GIN_BENCH_ROUNDS", "7"))
SECONDS = float(os.environ.get("GIN_BENCH_SECONDS", "2"))
CLIENTS = int(os.environ.get("GIN_BENCH_CLIENTS", "16"))
RESERVE = 1.5
"""So many times more requests are prepared than the last round took."""

FLASK, SELECT, UPDATE, TURN = (
    "bare Flask",
    "bare SELECT",
    "bare UPDATE",
    "bare SELECT + UPDATE/INSERT",
)
MOVE, VIEW, UNCHANGED, COMPUTER = "move", "view", "304", "draw, discard + AI turn"

Script = Iterator[bytes]
Prepare = Callable[[Table, int], list[Script]]
"""Makes a script for each client, together good for so many requests."""


@dataclass(slots=True)
class Route:
    """What is measured, and what was found. ``beside`` are bare routes to compare it with."""

    name: str
    served: Served
    prepare: Prepare
    status: int = 200
    beside: tuple[str, ...] = ()
    rounds: list[Round] = field(default_factory=list)
    expected: float = 4000.0
    """Requests a second, as far as is known."""

    def run(self, settings: Settings, table: Table, seconds: float) -> Round:
        """Run once."""
        stack.empty(settings)
        scripts = self.prepare(table, int(RESERVE * self.expected * seconds))
        stack.settle(settings)
        before = self.served.cpu()
        found = play(self.served.port, scripts, seconds, self.status)
        found.cpu = self.served.cpu() - before
        self.expected = max(found.rate, 0.8 * self.expected)
        return found

    @property
    def rate(self) -> float:
        """The median rate."""
        return statistics.median(each.rate for each in self.rounds)

    def times(self, other: "Route") -> float:
        """Return the median of how this rate compares with that of ``other`` in the same round."""
        pairs = zip(self.rounds, other.rounds, strict=True)
        return statistics.median(mine.rate / theirs.rate for mine, theirs in pairs)

    def cpu(self) -> float:
        """Return the microseconds of processor time that the HTTP server spends on a request."""
        return statistics.median(1e6 * each.cpu / len(each.latencies) for each in self.rounds)

    def latency(self, hundredths: int) -> float:
        """Return a percentile of the latencies, in milliseconds."""
        all_of_them = [latency for each in self.rounds for latency in each.latencies]
        return 1000 * statistics.quantiles(all_of_them, n=100)[hundredths - 1]


def _played(games: Callable[[Table], list[Request]]) -> Prepare:
    """Return what makes scripts of whole games; a client that is through takes the next one."""

    def prepare(table: Table, requests: int) -> list[Script]:
        some = [_wires(games(table)) for _ in range(CLIENTS)]
        while sum(len(each) for each in some) < requests:
            some.append(_wires(games(table)))
        waiting = iter(some)  # shared: one client may be quicker than another
        return [itertools.chain.from_iterable(waiting) for _ in range(CLIENTS)]

    return prepare


def _wires(requests: list[Request]) -> list[bytes]:
    return [request.wire() for request in requests]


def _again(requests: Callable[[Table], list[Request]]) -> Prepare:
    """Return what makes scripts that repeat one request; clients share the pairs of seats."""

    def prepare(table: Table, _requests: int) -> list[Script]:
        some = itertools.chain.from_iterable(requests(table) for _ in range(CLIENTS))
        return [itertools.repeat(one.wire()) for one in itertools.islice(some, CLIENTS)]

    return prepare


def _bare_turns(table: Table) -> list[Request]:
    body = '{"action":"draw","source":"stock","move_number":10}'
    return [Request("POST", f"/turn/{table.bare_row()}", body=body)] * (2 * TURNS)


def _bare_updates(table: Table) -> list[Request]:
    return [Request("POST", f"/update/{table.bare_row()}")] * (2 * TURNS)


def routes(service: Served, bare: Served) -> list[Route]:
    """Return all routes."""
    return [
        Route(FLASK, bare, _again(lambda _table: [Request("GET", "/flask")])),
        Route(SELECT, bare, _again(lambda table: [Request("GET", f"/select/{table.bare_row()}")])),
        Route(UPDATE, bare, _played(_bare_updates)),
        Route(TURN, bare, _played(_bare_turns), 201),
        Route(MOVE, service, _played(Table.game), 201, (TURN, UPDATE, SELECT)),
        Route(VIEW, service, _again(Table.views), beside=(FLASK, SELECT)),
        Route(UNCHANGED, service, _again(Table.unchanged), 304, (FLASK, SELECT)),
        Route(COMPUTER, service, _played(Table.game_with_computer), 201),
    ]


def measured(settings: Settings, names: list[str] | None = None) -> dict[str, Route]:
    """Run the routes (of these ``names``, or all) in rounds; return them with what was found."""
    with contextlib.ExitStack() as parts:
        service = parts.enter_context(stack.gunicorn(settings, "service.wsgi:app"))
        bare = parts.enter_context(stack.gunicorn(settings, "tests.benchmarks.bare:app"))
        table = parts.enter_context(contextlib.closing(Table(settings)))
        some = [each for each in routes(service, bare) if names is None or each.name in names]
        for route in some:  # pools open, code is read, and the next round knows how much to prepare
            route.expected = route.run(settings, table, 0.25).rate
        for number in range(ROUNDS):
            for route in some if number % 2 else reversed(some):
                route.rounds.append(route.run(settings, table, SECONDS))
    return {route.name: route for route in some}


def computer_against_move(found: dict[str, Route]) -> float:
    """Return how much longer a request with a computer's turn takes than a plain move.

    Every other request of the computer's games is a plain draw, and takes the time of a move.
    """
    pairs = zip(found[COMPUTER].rounds, found[MOVE].rounds, strict=True)
    return statistics.median(2 * plain.rate / mixed.rate - 1 for mixed, plain in pairs)


def show(found: dict[str, Route], before: dict[str, dict[str, float]]) -> None:
    """Print the table, beside the ratios that were accepted ``before``."""
    print(
        f"\n{'requests a second':<30}{'median':>9}{'least':>9}{'most':>9}{'p50 ms':>9}{'p99 ms':>9}"
        f"{'CPU us':>9}"
    )
    for name, route in found.items():
        rates = [each.rate for each in route.rounds]
        print(
            f"{name:<30}{route.rate:>9,.0f}{min(rates):>9,.0f}{max(rates):>9,.0f}"
            f"{route.latency(50):>9.1f}{route.latency(99):>9.1f}{route.cpu():>9,.0f}"
        )
    print(f"\n{'ratio, median over the rounds':<60}{'':>9}{'accepted':>9}")
    for name, ratio in ratios(found).items():
        was = before.get(name, {}).get("ratio")
        print(f"{name:<60}{ratio:>9.2f}" + (f"{was:>9.2f}" if was else f"{'-':>9}"))


def ratios(found: dict[str, Route]) -> dict[str, float]:
    """Return what the service does, as parts of what the bare routes do."""
    named = {
        f"{route.name} / {other}": route.times(found[other])
        for route in found.values()
        for other in route.beside
        if other in found
    }
    if COMPUTER in found and MOVE in found:
        named["time of discard + AI turn / time of a move"] = computer_against_move(found)
    return named


def run(*, accept: bool = False, names: list[str] | None = None) -> None:
    """Measure and print."""
    with stack.database() as settings:
        print(
            f"\nPostgreSQL {stack.version_of_postgres(settings)}, fsync on; gunicorn gthread, "
            f"{settings.workers} workers of {settings.threads} threads; {CLIENTS} connections; "
            f"{ROUNDS} alternated rounds of {SECONDS:g} s"
        )
        found = measured(settings, names)
    show(found, accepted.read().get("http", {}))
    if accept:
        table = {name: {"rate": round(route.rate)} for name, route in found.items()}
        table |= {name: {"ratio": round(ratio, 3)} for name, ratio in ratios(found).items()}
        accepted.write(http=table)


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--accept", action="store_true", help="keep the figures as accepted")
    parser.add_argument("routes", nargs="*", help="only these, such as 'move'")
    asked = parser.parse_args()
    run(accept=asked.accept, names=asked.routes or None)


if __name__ == "__main__":
    main()
