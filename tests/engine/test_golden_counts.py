"""How many rows of legal actions there are from fixed positions, as far as was once counted.

A rule that changes changes a count, here or there, though no other test may look at that corner.
Each entry of the file is a deck, rules, and how many cards are left in the stock when counting
begins, after turns in which each seat throws what it draws. ``counts`` are the rows of one action,
two actions and so on within the hand; those of more than ``GIN_SWEEP_DEPTH`` actions are left out.
"""

import json
import os
from pathlib import Path

import pytest

from engine.actions import Discard, Draw, Knock, LayOffs, Pass
from engine.cards import parse_card
from engine.events import Dealt
from engine.game import new_game
from engine.legal import legal
from engine.progress import apply, evolve_game
from engine.rules import resolve
from tests.tables import play, setup, stock_runs_down

DEPTH = int(os.environ.get("GIN_SWEEP_DEPTH", "4"))
ENTRIES = json.loads(
    (Path(__file__).parents[1] / "cases" / "golden_counts.json").read_text(encoding="utf-8")
)


def begun(entry):
    """The position where counting begins; seat 1 deals."""
    deck = tuple(map(parse_card, entry["deck"].split()))
    dealt = Dealt(1, dealer=1, nondealer=0, deck=deck, seed=bytes(32), server_commit="")
    game = evolve_game(new_game(setup(resolve("standard", entry["rules"]))), dealt)
    if "stock_left" not in entry:
        return game
    if game.phase == "first_upcard":
        game = play(game, "0 pass", "1 pass")
    return stock_runs_down(game, entry["stock_left"])


def choices(game):
    """Every action that is listed as legal; of lay-offs only the best ones and none."""
    options = legal(game, game.hand.to_act)
    if "pass" in options.actions:
        yield Pass()
    for draw in options.draws:
        yield Draw(draw.source, draw.card)
    for discard in options.discards:
        yield Discard(discard.card)
    for knock in options.knocks:
        yield Knock(knock.kind, knock.discard)
    if "lay_off" in options.actions:
        yield from (LayOffs(), LayOffs(()))


def rows(game, depth):
    """How many rows of exactly ``depth`` legal actions begin here and stay within the hand."""
    if game.hand.over:
        return 0
    after = (apply(game, game.hand.to_act, action).game for action in choices(game))
    return sum(1 if depth == 1 else rows(each, depth - 1) for each in after)


class TestTheNumberOfRowsOfLegalActions:
    @pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["name"])
    def test_is_what_it_was(self, entry):
        counted = entry["counts"][:DEPTH]
        game = begun(entry)
        assert [rows(game, depth) for depth in range(1, len(counted) + 1)] == counted

    def test_is_kept_for_every_option_that_changes_what_is_legal(self):
        named = {name for entry in ENTRIES for name in entry["rules"]}
        assert named >= {
            "knock_mode",
            "knock_limit",
            "oklahoma_ace",
            "big_gin",
            "layoff",
            "layoff_on_gin",
            "opening",
            "after_double_pass",
            "discard_drawn",
            "stock_end",
            "recycle",
            "max_recycles",
            "last_discard",
            "multi_pickup",
            "multi_pickup_return",
        }

    def test_is_kept_to_a_depth_of_five_at_least(self):
        assert len(ENTRIES) >= 12
        assert min(len(entry["counts"]) for entry in ENTRIES) >= 5
