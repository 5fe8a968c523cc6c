import hashlib
from importlib.resources import files

import numpy as np

from engine.players.features import HOLDING, KNOCKED, THROWN
from engine.players.nets import PARTS
from engine.players.valued import Valued, features_kept
from engine.players.weights import FILE, mark, trained
from tests.positions import any_sights


class TestTheWeightsThatAreShipped:
    def test_are_read_once(self):
        assert trained() is trained()

    def test_go_with_the_features(self):
        nets = trained()
        widths = [net.into.shape[0] for net in (nets.keep, nets.draw, nets.knock)]
        assert widths == [len(HOLDING) + len(THROWN), len(HOLDING), len(KNOCKED)]

    def test_are_all_the_parts_and_nothing_else(self):
        with np.load(str(files("engine.players") / FILE)) as stored:
            names = {f"{net}_{part}" for net in ("keep", "draw", "knock") for part in PARTS}
            assert set(stored.files) == names
            assert all(np.array_equal(stored[name], trained().parts()[name]) for name in names)

    def test_have_a_mark_of_their_own(self):
        stored = (files("engine.players") / FILE).read_bytes()
        assert mark() == hashlib.sha256(stored).hexdigest()[:8]

    def test_are_numbers(self):
        assert all(np.isfinite(part).all() for part in trained().parts().values())

    def test_value_no_position_at_more_than_a_hand_can_bring(self):
        """The largest score is 98 and a bonus; a net that explodes is far beyond that."""
        nets = trained()
        seen = any_sights("weights", 400)
        kept = nets.keep(features_kept(seen.cards, np.zeros(400, np.int64), seen))
        values = [*kept, *nets.draw(features_kept(seen.cards, seen.top, seen)[:, : len(HOLDING)])]
        assert max(map(abs, values)) < 250

    def test_make_a_player_that_prefers_less_deadwood(self):
        """What is behind any trained player, however long it was trained."""
        seen = any_sights("prefers", 300, held=11)
        thought = Valued(trained()).think(seen)
        picked = thought.choices.deadwood[thought.best]
        owner = thought.choices.owner
        means = np.bincount(owner, thought.choices.deadwood) / np.bincount(owner)
        assert picked.mean() < means.mean()
