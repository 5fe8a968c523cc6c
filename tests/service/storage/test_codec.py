"""Games and facts as bytes: what was written is read back, at every point of any game."""

import dataclasses
import hashlib
import os
import random
import typing

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import events
from engine.game import SeatKind, Setup, new_game
from engine.notation import row_name
from engine.rules import STANDARD
from service.storage import codec as module
from service.storage.codec import Codec
from service.storage.sealing import SealBroken, Sealer
from tests.random_games import random_setup, steps

GAMES = int(os.environ.get("GIN_SWEEP_GAMES", "4"))
CODEC = Codec(Sealer([b"s" * 32]))
FIRST_DICTIONARY = "5acb5d7e45ddfaa1bf16c020a38dbc76156fc4d30b25b674e99e1a6b236cd3d4"


class TestAnyGame:
    @pytest.mark.parametrize("seed", range(GAMES))
    def test_is_read_as_it_was_written_after_every_move(self, seed):
        for made in steps(seed):
            game = made.game
            game_id = game.setup.id
            assert CODEC.read_setup(game_id, CODEC.write_setup(game.setup)) == game.setup
            assert CODEC.read_state(game.setup, CODEC.write_state(game)) == game
            for move in made.moves:
                assert (
                    CODEC.read_move(game_id, move.number, CODEC.write_move(game_id, move)) == move
                )

    def test_is_made_of_every_fact_that_there_is(self):
        seen = {
            type(move.event) for seed in range(30) for made in steps(seed) for move in made.moves
        }
        seldom = {events.Resigned, events.Claimed, events.HandVoided}
        assert seen | seldom == set(typing.get_args(events.Event))

    def test_may_have_somebody_late_or_away_and_be_claimed(self):
        met = set()
        for seed in (5, 7, 11, 13):
            for made in steps(seed, late=0.1):
                game = made.game
                both = {
                    "late_seat": game.late_seat is not None,
                    "away_seats": bool(game.away_seats),
                }
                met |= {kind for kind, is_so in both.items() if is_so}
                met |= {type(move.event) for move in made.moves} & {events.Claimed}
                assert CODEC.read_state(game.setup, CODEC.write_state(game)) == game
                for move in made.moves:
                    sealed = CODEC.write_move(game.setup.id, move)
                    assert CODEC.read_move(game.setup.id, move.number, sealed) == move
        assert met == {"late_seat", "away_seats", events.Claimed}

    def test_in_play_without_a_clock_is_written_without_a_word_of_it(self):
        game = new_game(Setup("g_1", STANDARD, (SeatKind.HUMAN, SeatKind.AI), bytes(32)))
        sealed = CODEC.write_state(game)
        assert len(CODEC.write_state(dataclasses.replace(game, away_seats=(0,)))) > len(sealed)
        plain = module._encode(module._GameRecord(1, (), None, None, (), None, None, None))
        assert b"late" not in plain
        assert b"away" not in plain

    def test_waits_without_a_hand(self):
        game = new_game(Setup("g_1", STANDARD, (SeatKind.HUMAN, SeatKind.AI), bytes(32)))
        assert CODEC.read_state(game.setup, CODEC.write_state(game)) == game

    @given(st.integers(0, 2**32))
    def test_may_have_any_rules(self, seed):
        setup = random_setup(random.Random(seed))
        assert CODEC.read_setup(setup.id, CODEC.write_setup(setup)) == setup

    def test_is_read_with_the_types_it_was_written_with(self):
        """Equal is not enough: a list equals no tuple, but 1 equals True and a name its enum."""
        for made in steps(1):
            read = CODEC.read_state(made.game.setup, CODEC.write_state(made.game))
            assert repr(read) == repr(made.game)
            hash(read)


class TestEveryFact:
    def test_has_a_name_of_its_own_by_which_it_is_stored(self):
        assert set(module._EVENTS.values()) == set(typing.get_args(events.Event))
        assert all(name == event.__name__ for name, event in module._EVENTS.items())

    def test_may_get_a_field_later(self):
        """What has a default is read from what was written without it, and the other way."""
        passed = module._encode({"seat": 1, "later": [1]})
        assert module._decode_event["Passed"](passed) == events.Passed(1)
        knocked = next(
            move.event
            for seed in range(30)
            for made in steps(seed)
            for move in made.moves
            if isinstance(move.event, events.Knocked) and move.event.result is None
        )
        written = msgspec.to_builtins(knocked)
        del written["result"]
        assert module._decode_event["Knocked"](module._encode(written)) == knocked


class TestTheDictionary:
    def test_of_the_first_format_never_changes(self):
        """What is stored can only be read with the very bytes it was written with."""
        found = hashlib.sha256(module._DICTIONARIES[1]).hexdigest()
        assert found == FIRST_DICTIONARY

    def test_makes_moves_small(self):
        sizes = [
            len(CODEC.write_move("g_1", move))
            for made in steps(2)
            for move in made.moves
            if isinstance(move.event, events.Drew | events.Discarded | events.Passed)
        ]
        assert max(sizes) < 200


class TestTheSeal:
    MADE = next(steps(3))

    def test_is_of_one_game_and_one_place(self):
        game = self.MADE.game
        setup, state = CODEC.write_setup(game.setup), CODEC.write_state(game)
        move = CODEC.write_move(game.setup.id, self.MADE.moves[-1])
        number = self.MADE.moves[-1].number
        other = dataclasses.replace(game.setup, id="g_other")
        for attempt in (
            lambda: CODEC.read_setup("g_other", setup),
            lambda: CODEC.read_setup(game.setup.id, state),
            lambda: CODEC.read_state(game.setup, setup),
            lambda: CODEC.read_state(other, state),
            lambda: CODEC.read_move("g_other", number, move),
            lambda: CODEC.read_move(game.setup.id, number + 1, move),
            lambda: CODEC.read_move(game.setup.id, number, state),
        ):
            with pytest.raises(SealBroken):
                attempt()

    def test_hides_the_deck_and_the_seed(self):
        game = self.MADE.game
        dealt = next(m.event for m in self.MADE.moves if isinstance(m.event, events.Dealt))
        stored = CODEC.write_setup(game.setup) + CODEC.write_state(game)
        stored += b"".join(CODEC.write_move(game.setup.id, move) for move in self.MADE.moves)
        hidden = [game.setup.deal_key, dealt.seed, bytes(dealt.deck[:20]), b"deck", b"seed"]
        hidden += [dealt.seed.hex().encode(), row_name(dealt.deck[:4]).encode()]
        assert all(secret not in stored for secret in hidden)

    def test_remembers_no_setup_by_its_id_alone(self):
        first = self.MADE.game.setup
        second = dataclasses.replace(first, deal_key=b"k" * 32)
        for setup in (first, second, first):
            assert CODEC.read_setup(setup.id, CODEC.write_setup(setup)) == setup
