"""How many hands a second we meld, beside OpenSpiel's and rlcard's melding.

``python -m tests.benchmarks.melding`` prints one table. Each round measures everybody in turn on
the same hands; rates are medians over the rounds, ratios those of the medians. "As dealt" is ten
random cards; how the others are made stands in :mod:`tests.random_hands`. Each library gets the
hands in its own form, made beforehand (ours numbers or an array, OpenSpiel lists of numbers,
rlcard lists of its cards), and must first find our deadwood for each of them.
"""

import os
import platform
import random
import statistics
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

import numpy as np

from engine import bulk, layoffs, melds
from engine.cards import card_names, each_card, parse_cards
from tests import random_hands

HANDS = int(os.environ.get("GIN_BENCH_HANDS", "20000"))
ROUNDS = int(os.environ.get("GIN_BENCH_ROUNDS", "9"))
BULK = 10  # the bulk gets the hands so many times over
SLOW = 10  # rlcard gets one hand in so many

Entry = tuple[str, int, Callable[[], object]]
"""A name, how many hands it does, and the doing."""


def one_by_one(name: str, count: Callable[[Any], object], hands: list[Any]) -> Entry:
    def run() -> None:
        for hand in hands:
            count(hand)

    return name, len(hands), run


def open_spiel(hands: list[int]) -> Iterator[Entry]:
    """OpenSpiel numbers its cards as we do, but for the names of the suits."""
    try:
        import pyspiel
    except ImportError as missing:
        print(f"OpenSpiel left out: {missing}")
        return
    count = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10).min_deadwood
    lists = [list(each_card(hand)) for hand in hands]
    if [count(cards) for cards in lists] != [melds.deadwood(hand) for hand in hands]:
        raise AssertionError("OpenSpiel and we do not agree")
    yield one_by_one(f"OpenSpiel {version('open_spiel')}", count, lists)


def rlcard(hands: list[int]) -> Iterator[Entry]:
    """Rlcard lists the best groups of melds; the deadwood is then counted from the first."""
    try:
        from rlcard.games.base import Card
        from rlcard.games.gin_rummy.utils import melding, utils
    except ImportError as missing:
        print(f"rlcard left out: {missing}")
        return

    def count(cards: list[Any]) -> int:
        best = melding.get_best_meld_clusters(cards)
        return utils.get_deadwood_count(cards, best[0] if best else [])

    fewer = hands[::SLOW]
    lists = [[Card(name[1], name[0]) for name in card_names(hand)] for hand in fewer]
    if [count(cards) for cards in lists] != [melds.deadwood(hand) for hand in fewer]:
        raise AssertionError("rlcard and we do not agree")
    yield one_by_one(f"rlcard {version('rlcard')}", melding.get_best_meld_clusters, lists)


def with_one_more(rng: random.Random, hand: int) -> int:
    return hand | 1 << rng.choice([card for card in range(52) if not hand >> card & 1])


def melding(hands: list[int]) -> Iterator[Entry]:
    array = np.array(hands * BULK, np.uint64)
    yield from open_spiel(hands)
    yield from rlcard(hands)
    yield one_by_one("deadwood", melds.deadwood, hands)
    yield "bulk.deadwood", len(array), lambda: bulk.deadwood(array)


def other_work(hands: list[int]) -> Iterator[Entry]:
    rng = random.Random(2)
    eleven = [with_one_more(rng, hand) for hand in hands]
    array = np.array(eleven * BULK, np.uint64)
    knocks = []
    for _ in range(len(hands) // SLOW):
        laid_out, defender = random_hands.knock(rng)
        knocks.append(
            (tuple(melds.parse_meld(parse_cards(m)) for m in laid_out), parse_cards(defender))
        )
    yield one_by_one("best_arrangement", melds.best_arrangement, hands)
    yield one_by_one("arrangements", melds.arrangements, hands)
    yield one_by_one("deadwood_after_each_discard", melds.deadwood_after_each_discard, eleven)
    yield (
        "bulk.deadwood_after_best_discard",
        len(array),
        lambda: bulk.deadwood_after_best_discard(array),
    )
    yield one_by_one("best_lay_offs", lambda knock: layoffs.best_lay_offs(*knock), knocks)


def rates(entries: list[Entry]) -> dict[str, float]:
    """Return the median rate of each entry, hands a second, in alternated rounds."""
    seen: dict[str, list[float]] = {name: [] for name, _, _ in entries}
    for _ in range(ROUNDS):
        for name, hands, run in entries:
            start = time.perf_counter()
            run()
            seen[name].append(hands / (time.perf_counter() - start))
    return {name: statistics.median(each) for name, each in seen.items()}


def show(title: str, found: dict[str, float]) -> None:
    peers = [name for name in found if name.startswith(("OpenSpiel", "rlcard"))]
    heads = "".join(f"{'x ' + peer:>18}" for peer in peers)
    print(f"\n{title:<34}{'hands/s':>14}{'us each':>10}{heads}")
    for name, rate in found.items():
        ratios = "".join(f"{rate / found[peer]:>18.1f}" for peer in peers)
        print(f"{name:<34}{rate:>14,.0f}{1e6 / rate:>10.3f}{ratios}")


def main() -> None:
    rng = random.Random(1)
    hands = {
        "as dealt": [random_hands.dealt(rng, 10) for _ in range(HANDS)],
        "mid-game": [random_hands.mid_game(rng) for _ in range(HANDS)],
        "rich in melds": [random_hands.rich(rng, 10) for _ in range(HANDS)],
    }
    print(
        f"Python {platform.python_version()}, numpy {np.__version__}, {platform.machine()}, "
        f"{os.cpu_count()} cores; {HANDS} hands, medians of {ROUNDS} alternated rounds"
    )
    for title, some in hands.items():
        show(title, rates(list(melding(some))))
    show("mid-game, other work", rates(list(other_work(hands["mid-game"]))))


if __name__ == "__main__":
    main()
