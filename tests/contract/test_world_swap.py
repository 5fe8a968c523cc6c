"""Nobody can tell two worlds apart that differ only in cards which it cannot know.

The sweep is as long as ``GIN_SWEEP_WORLDS`` says.
"""

import json
import os
from dataclasses import replace
from random import Random

import pytest

from engine import shuffle
from engine.cards import card_name, each_card
from engine.events import HandDrawn, HandVoided
from engine.game import Mover, Setup
from engine.hand import Phase
from engine.players import easy
from engine.players.easy import completes_meld
from engine.progress import begin
from engine.rules import STANDARD
from engine.views import view
from service.app import create_app
from tests.contract import plots
from tests.contract.documents import kept
from tests.contract.leaks_to_portals import LEAKS
from tests.contract.playing import record
from tests.contract.plots import HUMAN, NOBODY, SPECTATOR, STRANGER
from tests.contract.probes import Probes, Where
from tests.contract.swaps import Dealer, another, cards_moved, retold
from tests.contract.worlds import Chance, Stage, compare

WORLDS = int(os.environ.get("GIN_SWEEP_WORLDS", "10"))


@pytest.fixture(scope="module")
def stage(session_settings, _sweeper, emptying):
    """One application; its decks lie as the test says, and its computers may think for long."""
    chance, dealer = Chance(), Dealer()
    moment = 1e-6
    waiting = {"longest_wait_seconds": moment, "stream_seconds": moment}
    app = create_app(replace(session_settings, ai_max_ms=10_000, **waiting), chance)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shuffle, "deck_order", dealer.order)
        stage = Stage(app, chance, dealer, _sweeper, session_settings.secrets)
        yield stage
        stage.close()
    emptying()


def any_worlds(_one, _other):
    return True


def worlds(stage, plot_of, wanted=any_worlds):
    """Two worlds: the plot, what was recorded of it, and other decks with their story.

    Where no card of another seat can be another one, or the worlds are not as ``wanted``, the next
    plot is taken.
    """
    for attempt in range(60):
        plot = plot_of(attempt)
        recording = record(stage, plot)
        other = another(stage.dealer, recording.story, plot.knows, Random(plot.seed))
        if other is not None and wanted(recording.story, other[1]):
            return plot, recording, *other
    raise AssertionError("there is no other world")


def check(stage, plot_of, wanted=any_worlds):
    """Nobody sees a difference, though cards of other seats did move; return the two worlds."""
    plot, recording, decks, story = worlds(stage, plot_of, wanted)
    found = compare(stage, recording, decks)
    assert found.seen is None, found.seen
    assert found.story.moves == story.moves != recording.story.moves
    hidden = [seat for seat, _ in enumerate(plot.kinds) if seat != plot.knows]
    assert any(cards_moved(recording.story, found.story, seat) for seat in hidden)
    people = [seat for seat in hidden if plot.kinds[seat] is HUMAN]
    assert bool(people) == bool(found.unseen), "who held the cards has seen that they are others"
    everything = set(stage.probes.operations)
    assert recording.called
    assert all(called == everything for called in recording.called)
    return recording, found.story


class TestTheSweep:
    @pytest.mark.parametrize("number", range(WORLDS))
    def test_shows_no_difference(self, stage, number):
        check(stage, lambda attempt: plots.plot_of(number, attempt))


class TestTheLayOff:
    @pytest.mark.parametrize(("role", "knows"), [("knocker", 0), ("defender", 0), ("nobody", None)])
    def test_shows_both_seats_cards_and_not_how_they_came(self, stage, role, knows):
        def wanted(one, _other):
            knock = one.game.hand.knock
            part = {knock.seat: "knocker", knock.defender: "defender"} if knock else {}
            return one.game.phase is Phase.LAY_OFF and part.get(knows, "nobody") == role

        def plot_of(attempt):
            return replace(plots.lay_off(attempt, knows, 1 if role == "defender" else 0), sweeps=9)

        recording, other = check(stage, plot_of, wanted)
        assert recording.story.game.hand.holdings == other.game.hand.holdings
        assert recording.story.game.hand.stock != other.game.hand.stock
        if role == "defender":
            asked = refused_cards(recording, "lay_off", "lay_offs")
            assert len(asked) >= 26

    def test_is_followed_by_a_hand_whose_cards_are_hidden_again(self, stage):
        def wanted(one, _other):
            return one.game.hand.number == 2

        check(stage, lambda attempt: plots.next_hand(attempt + 50, 0), wanted)


def refused_cards(recording, *words):
    """The cards of refused requests of the observer that hold one of ``words``."""
    bodies = [
        exchange.request.body.decode()
        for exchange in recording.exchanges
        if exchange.heard and exchange.request.body and exchange.answer.status in {409, 422}
    ]
    named = [body for body in bodies if any(word in body for word in words)]
    return {
        card_name(card)
        for card in range(52)
        if any(f'"{card_name(card)}"' in body for body in named)
    }


class TestTheFirstUpcard:
    def test_is_refused_by_the_seat_alone_whatever_it_is_good_for(self, stage):
        def wanted(one, other):
            return uses_upcard(one) and not uses_upcard(other)

        recording, _ = check(stage, plots.upcard_is_offered, wanted)
        passes = [move.by for move in recording.story.moves if move.event.action == "pass"]
        assert passes == [Mover.PLAYER] * 2


def uses_upcard(story):
    hand = story.game.hand
    return completes_meld(hand.holdings[hand.nondealer], hand.upcard)


class TestTheEndOfTheStock:
    def test_is_near_and_shows_nothing(self, stage):
        recording, _ = check(stage, lambda attempt: plots.stock_runs_out(attempt, to_the_end=False))
        hand = recording.story.game.hand
        assert (hand.phase, len(hand.stock)) == (Phase.DISCARD, STANDARD.stock_end)

    def test_shows_all_cards_and_none_of_the_next_hand(self, stage):
        recording, _ = check(stage, lambda attempt: plots.stock_runs_out(attempt, to_the_end=True))
        assert recording.story.game.hand.number == 2
        assert any(isinstance(move.event, HandDrawn) for move in recording.story.moves)


HAND_OPTIONS = {
    "covered pile": {"discard_view": "top"},
    "several cards": {"multi_pickup": True},
    "hands that grow": {"multi_pickup": True, "multi_pickup_return": "grow"},
    "recycled": {"recycle": "unshuffled"},
    "shuffled": {"recycle": "shuffled"},
    "wall": {"last_discard": "knock_only"},
}


@pytest.mark.parametrize("options", HAND_OPTIONS.values(), ids=HAND_OPTIONS)
class TestAnOptionOfTheHand:
    def test_shows_no_difference_in_play(self, stage, options):
        def plot_of(attempt):
            plot = plots.seat_looks_on(attempt + 500, 0)
            return replace(plot, rules=replace(STANDARD, **options), commands=12)

        check(stage, plot_of)

    def test_shows_no_difference_when_the_stock_has_run_out(self, stage, options):
        def plot_of(attempt):
            plot = plots.stock_runs_out(attempt + 500, to_the_end=True)
            return replace(plot, rules=replace(STANDARD, **options))

        check(stage, plot_of)


class TestAHint:
    """It is made of what its seat can see, whatever is to be done."""

    @pytest.mark.parametrize("options", [{}, *HAND_OPTIONS.values()], ids=["plain", *HAND_OPTIONS])
    def test_is_the_same_in_both_worlds(self, stage, options):
        def plot_of(attempt):
            plot = plots.hint_is_asked_for(attempt)
            return replace(plot, rules=replace(plot.rules, **options), commands=9, sweeps=9)

        self.check_until(stage, plot_of, {"draw", "discard"})

    def test_for_a_lay_off_is_the_same_in_both_worlds(self, stage):
        def wanted(one, _other):
            return one.game.phase is Phase.LAY_OFF and one.game.hand.knock.defender == 0

        def plot_of(attempt):
            plot = plots.lay_off(attempt, 0, 1)
            return replace(plot, rules=replace(plot.rules, advice="full"), sweeps=9)

        self.check_until(stage, plot_of, {"lay_off"}, wanted)

    def check_until(self, stage, plot_of, actions, *wanted):
        """Compare worlds until the observer was told each of ``actions``: it asks by chance."""
        told = set()
        for first in range(700, 4700, 100):
            recording, _ = check(
                stage, lambda number, first=first: plot_of(first + number), *wanted
            )
            told |= {hint["suggestions"][0]["move"]["action"] for hint in hints_of(recording)}
            if told >= actions:
                return
        raise AssertionError(f"only {told} was told")


def _from(plot_of, first, number):
    return plot_of(first + number)


def hints_of(recording):
    """The hints that the observer got."""
    return [
        json.loads(exchange.answer.body)
        for exchange in recording.exchanges
        if exchange.request.path.endswith("/hints") and exchange.answer.status == 200
    ]


class TestAVoidHand:
    """It is open like every hand that is over, and the next one is hidden again."""

    @pytest.mark.parametrize("knows", [0, 1, None])
    def test_shows_no_difference_in_the_next_hand(self, stage, knows):
        def wanted(one, _other):
            return one.game.hand.number == 2

        recording, _ = check(
            stage, lambda attempt: plots.void_hand(3 * attempt + (knows or 0), knows), wanted
        )
        assert any(isinstance(move.event, HandVoided) for move in recording.story.moves)


class TestATimeThatRanOut:
    """Who is late, and that the game may be claimed, tells nothing of any card."""

    @pytest.mark.parametrize("knows", [0, 1, None])
    def test_shows_no_difference(self, stage, knows):
        def wanted(one, _other):
            return one.game.hand is not None and not one.game.hand.over

        recording, _ = check(
            stage, lambda attempt: plots.somebody_is_late(3 * attempt + (knows or 0), knows), wanted
        )
        bodies = [exchange.answer.body for exchange in recording.exchanges]
        assert any(b'"actions":["claim"]' in body for body in bodies)
        asked = [exchange for exchange in recording.exchanges if exchange.heard]
        assert any(exchange.request.path.endswith("/claims") for exchange in asked)


class TestAllCards:
    def test_are_refused_alike_wherever_they_lie(self, stage):
        recording, other = check(
            stage, lambda attempt: replace(plots.hidden_seat_draws(attempt, 5), sweeps=9)
        )
        assert recording.story.game.phase is Phase.DISCARD
        assert recording.story.game.hand.to_act == 0
        for story in (recording.story, other):
            theirs = {card_name(card) for card in each_card(story.game.hand.holdings[1])}
            assert theirs <= refused_cards(recording, '"discard"', '"knock"', '"gin"')
            assert theirs <= refused_cards(recording, '"draw"')


class TestSomebodyWithoutATokenOfTheGame:
    def test_cannot_tell_a_game_from_another_one_that_did_not_move(self, stage):
        recordings = (record(stage, plots.computer_plays(number, 0)) for number in range(20))
        recording = next(each for each in recordings if len(each.story.moves) > 8)
        first, *later = recording.exchanges
        of_others = [each for each in later if each.request.who in {NOBODY, STRANGER}]
        recording_of_others = replace(
            recording, exchanges=[replace(first, heard=False), *of_others]
        )
        assert len(of_others) > 10
        found = compare(stage, recording_of_others, {1: plots.shuffled(Random(1))})
        assert found.seen is None, found.seen
        assert len(found.story.moves) < len(recording.story.moves)


class TestTheComputer:
    @pytest.mark.parametrize("seed", range(20))
    def test_chooses_the_same_in_both_worlds(self, seed):
        rng, dealer = Random(seed), Dealer()
        setup = Setup("g_table", STANDARD, (HUMAN, HUMAN), bytes(32))
        dealer.game_id, dealer.decks = setup.id, {1: plots.shuffled(rng)}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(shuffle, "deck_order", dealer.order)
            story = played_by_easy(setup, rng, moves=rng.randint(1, 25))
            seat = story.game.to_act_seats[0]
            other = another(dealer, story, seat, rng)
        assert other is not None
        one, two = (view(world.game, seat) for world in (story, other[1]))
        assert one == two
        assert easy.choose(one, Random(seed)) == easy.choose(two, Random(seed))


def played_by_easy(setup, rng, moves):
    """The story of a hand played by two easy seats until it would be over."""
    actions = []
    while True:
        story = retold(setup, actions)
        seat = story.game.hand.to_act
        action = easy.choose(view(story.game, seat), rng)
        further = retold(setup, [*actions, (seat, Mover.PLAYER, action)])
        if len(actions) == moves or further.game.hand.knock or further.game.hand.over:
            return story
        actions.append((seat, Mover.PLAYER, action))


class TestPlantedLeaks:
    @pytest.mark.parametrize("name", LEAKS)
    def test_are_seen(self, stage, monkeypatch, name):
        leak = LEAKS[name]
        leak.plant(monkeypatch)
        for number in range(8):  # what is asked is chance
            _, recording, decks, _ = worlds(
                stage, lambda attempt, number=number: leak.plot(number + 100 * attempt)
            )
            if compare(stage, recording, decks).seen:
                return
        raise AssertionError(f"{name} was not seen")


class TestTheMachinery:
    def test_sees_that_a_card_of_the_observer_is_another_one(self, stage):
        recording = record(stage, plots.hidden_seat_draws(0))
        deck = list(stage.dealer.decks[1])
        deck[1], deck[51] = deck[51], deck[1]
        assert compare(stage, recording, {1: tuple(deck)}).seen

    def test_sees_nothing_where_the_worlds_are_one(self, stage):
        plot = plots.hidden_seat_draws(0)
        recording = record(stage, plot)
        found = compare(stage, recording, plot.decks)
        assert (found.seen, found.unseen) == (None, 0)

    def test_calls_a_new_operation_that_only_reads(self, stage):
        document = kept()
        path = "/v1/games/{game_id}/hands/{hand_number}/proof"
        document["paths"][path] = {"get": {"operationId": "new", "parameters": []}}
        where = Where(begin(Setup("g_1", STANDARD, (HUMAN, HUMAN), bytes(32))).game, "g_1", "x")
        request = Probes(document).request(SPECTATOR, "new", where, Random(0))
        assert request.path.startswith("/v1/games/g_1/hands/")

    @pytest.mark.parametrize(
        "new",
        [
            {"requestBody": {}},
            {"parameters": [{"in": "query", "name": "reveal"}]},
            {"parameters": [{"in": "header", "name": "Peek"}]},
        ],
        ids=repr,
    )
    def test_fails_for_a_new_operation_or_parameter_that_it_does_not_know(self, stage, new):
        document = kept()
        document["paths"]["/v1/new"] = {"post": {"operationId": "new", **new}}
        with pytest.raises(KeyError):
            Probes(document).request(SPECTATOR, "new", Where(None, "g_1", "x"), Random(0))
