"""Scores and analyses a second over HTTP: beside bare Flask, and in batches beside singles.

The same gunicorn and the same client as in :mod:`tests.benchmarks.http`. One question is compared
with a bare Flask route that takes the same body and answers with as many bytes, many clients at a
time. A batch of a thousand is compared with singles that one client sends one after the other: so
many items a second either way. Rounds alternate, and ratios are medians over the rounds.
"""

import argparse
import contextlib
import itertools
import random
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field

import orjson

from engine.cards import card_name, card_names, cards_of
from engine.layoffs import best_lay_offs
from engine.melds import Meld, best_arrangement, deadwood
from engine.rules import STANDARD, knock_limit
from service.app import create_app
from service.settings import Settings
from tests.benchmarks import accepted, stack
from tests.benchmarks.client import Round, play
from tests.benchmarks.http import CLIENTS, ROUNDS, SECONDS
from tests.benchmarks.stack import Request, Served
from tests.random_hands import mid_game

ITEMS = 1000
DISTINCT = 4
"""So many batches, none like another."""

HANDS, ANALYSES = "/v1/scoring/hands", "/v1/scoring/analyses"
AIMS = {"cards": 20, "counts": 20, "laid out": 5, "analyses": 5}
"""How many times as many items a second a batch is to answer as one client's singles."""

SHARE = 0.5
"""What a single question is to reach of the bare route."""


def _melds(melds: tuple[Meld, ...]) -> list[dict[str, object]]:
    return [{"kind": meld.kind.value, "cards": card_names(meld.cards)} for meld in melds]


def _knock(rng: random.Random) -> tuple[int, int]:
    """Return the cards of a knocker in mid-game, and ten others."""
    while True:
        kept = mid_game(rng)
        if 0 < deadwood(kept) <= knock_limit(STANDARD, None):
            free = [card for card in range(52) if not kept >> card & 1]
            return kept, cards_of(rng.sample(free, 10))


def items(kind: str, count: int, rng: random.Random) -> list[dict[str, object]]:
    """Return so many different questions of one ``kind`` (see :data:`AIMS`)."""
    return [_item(kind, rng) for _ in range(count)]


def _item(kind: str, rng: random.Random) -> dict[str, object]:
    if kind == "analyses":
        kept = mid_game(rng)
        drawn = rng.choice([card for card in range(52) if not kept >> card & 1])
        return {"cards": card_names(kept | 1 << drawn)}
    kept, others = _knock(rng)
    mine = best_arrangement(kept)
    theirs = best_lay_offs(mine.melds, others)
    if kind == "counts":
        knocker: dict[str, object] = {"deadwood": mine.deadwood}
        defender: dict[str, object] = {"deadwood": theirs.deadwood}
    else:
        knocker, defender = {"cards": card_names(kept)}, {"cards": card_names(others)}
    if kind == "laid out":
        knocker["melds"], defender["melds"] = _melds(mine.melds), _melds(theirs.melds)
        defender["lay_offs"] = [
            {"card": card_name(off.card), "meld": off.meld} for off in theirs.lay_offs
        ]
    return {"kind": "knock", "knocker": knocker, "defender": defender}


@dataclass(slots=True)
class Route:
    """What is measured: a path, what is sent there, by how many clients, and what was found."""

    name: str
    served: Served
    path: str
    bodies: list[str]
    clients: int
    items: int = 1
    rounds: list[Round] = field(default_factory=list)

    def run(self, seconds: float) -> Round:
        """Run once."""
        wires = [Request("POST", self.path, body=body).wire() for body in self.bodies]
        scripts: list[Iterator[bytes]] = [
            itertools.cycle(wires[number % len(wires) :] + wires[: number % len(wires)])
            for number in range(self.clients)
        ]
        return play(self.served.port, scripts, seconds, 200)

    def rates(self) -> list[float]:
        """Return the rate of each round, in items a second.

        One client has no other answer to wait for: its rate is that of whole answers, so that a
        long one that the end of a round cuts off makes no difference.
        """
        if self.clients > 1:
            return [each.rate for each in self.rounds]
        return [
            self.items * len(each.latencies) / max(sum(each.latencies), 1e-9)
            for each in self.rounds
        ]

    def rate(self) -> float:
        """Return the median rate, in items a second."""
        return statistics.median(self.rates())

    def times(self, other: "Route") -> float:
        """Return the median of how this rate compares with that of ``other`` in the same round."""
        pairs = zip(self.rates(), other.rates(), strict=True)
        return statistics.median(mine / theirs for mine, theirs in pairs)


def _answer_bytes(settings: Settings, path: str, bodies: list[str]) -> int:
    """Return how long the answers to ``bodies`` are, the median of them."""
    app = create_app(settings)
    client = app.test_client()
    with contextlib.closing(app.extensions["gin-rummy"].store):
        return statistics.median_high(
            len(client.post(path, data=body, content_type="application/json").data)
            for body in bodies
        )


def routes(settings: Settings, service: Served, bare: Served) -> list[Route]:
    """Return all routes, four of each kind of question."""
    rng, found = random.Random(1), []
    for kind in AIMS:
        path = ANALYSES if kind == "analyses" else HANDS
        asked = items(kind, DISTINCT * ITEMS, rng)
        singles = [orjson.dumps(item).decode() for item in asked[:200]]
        batches = [
            orjson.dumps({"items": asked[start : start + ITEMS]}).decode()
            for start in range(0, len(asked), ITEMS)
        ]
        size = _answer_bytes(settings, path, singles)
        found += [
            Route(f"bare Flask, {size} bytes ({kind})", bare, f"/sized/{size}", singles, CLIENTS),
            Route(kind, service, path, singles, CLIENTS),
            Route(f"{kind}, one client", service, path, singles, 1),
            Route(f"{kind}, batches", service, f"{path}/batch", batches, 1, ITEMS),
        ]
    return found


def measured(settings: Settings) -> list[Route]:
    """Run all routes in rounds; return them with what was found."""
    with contextlib.ExitStack() as parts:
        service = parts.enter_context(stack.gunicorn(settings, "service.wsgi:app"))
        bare = parts.enter_context(stack.gunicorn(settings, "tests.benchmarks.bare:app"))
        found = routes(settings, service, bare)
        for route in found:
            route.run(0.25)
        for number in range(ROUNDS):
            for route in found if number % 2 else reversed(found):
                route.rounds.append(route.run(SECONDS))
    return found


def ratios(found: list[Route]) -> dict[str, tuple[float, float]]:
    """Return each ratio with what it aims at."""
    named, by_four = {}, [iter(found)] * 4
    for kind, (bare, many, one, batch) in zip(AIMS, zip(*by_four, strict=True), strict=True):
        named[f"{kind} / bare Flask"] = many.times(bare), SHARE
        named[f"{kind}, items of batches / singles of one client"] = batch.times(one), AIMS[kind]
    return named


def run(*, accept: bool = False) -> None:
    """Measure and print."""
    with stack.database() as settings:
        print(
            f"\nscoring: gunicorn gthread, {settings.workers} workers of {settings.threads} "
            f"threads; {CLIENTS} connections, or one; {ROUNDS} alternated rounds of {SECONDS:g} s"
        )
        found = measured(settings)
    print(f"\n{'items a second':<60}{'median':>9}")
    for route in found:
        print(f"{route.name:<60}{route.rate():>9,.0f}")
    before = accepted.read().get("scoring", {})
    print(f"\n{'ratio, median over the rounds':<60}{'':>9}{'aim':>9}{'accepted':>9}")
    for name, (ratio, aim) in ratios(found).items():
        was = before.get(name)
        print(f"{name:<60}{ratio:>9.2f}{aim:>9}" + (f"{was:>9.2f}" if was else f"{'-':>9}"))
    if accept:
        accepted.write(scoring={name: round(at, 2) for name, (at, _) in ratios(found).items()})


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--accept", action="store_true", help="keep the figures as accepted")
    run(accept=parser.parse_args().accept)


if __name__ == "__main__":
    main()
