from dataclasses import replace
from random import Random

import pytest

from engine.actions import Discard, Draw, DrawSource, Knock, KnockKind, LayOffs, Pass
from engine.cards import parse_card
from engine.hand import Phase
from engine.players import advisor, master
from engine.players.seat_play import SeatPlay
from engine.players.worth import danger_of, worth_of_stock, worth_of_throws
from engine.rules import PRESETS, STANDARD
from engine.views import view
from tests.positions import Scripted
from tests.random_games import looked_at
from tests.tables import (
    AGAINST_MELDED,
    ALL_MELDED,
    GIN,
    discarding,
    play,
    stock_runs_down,
    table,
    whole_game,
)

HELD = "AC 2C 3C 4D 5D 6D 7H 8H 9H 9S KS"


def due(game):
    return view(game, game.hand.to_act)


def advice(game):
    return master.advise(due(game))


def positions():
    """Views of who is due in games under any rules, and in an ordinary one."""
    for seed in (2, 5):
        for game, _, _ in looked_at(seed, 0.1):
            if not game.hand.over and game.phase is not Phase.CONFIRMING:
                yield due(game)
    for place, made in enumerate(whole_game(STANDARD)):
        if place % 6 == 0 and not made.game.hand.over:
            yield due(made.game)


@pytest.fixture(scope="module")
def advised():
    """Positions, each with the advice for it."""
    return [(shown, master.advise(shown)) for shown in positions()]


def asked(action):
    return replace(action, melds=None) if isinstance(action, Knock) else action


class TestAdvice:
    def test_has_first_what_the_master_would_play(self, advised):
        for shown, given in advised:
            if "lay_off" not in shown.you.legal.actions:
                assert asked(given[0].action) == asked(master.choose(shown, Random(0)))

    def test_has_values_that_go_down_and_the_greatest_first(self, advised):
        valued = 0
        for _, given in advised:
            values = [each.value for each in given if each.value is not None]
            assert values == sorted(values, reverse=True)
            valued += len(values)
        assert valued > 100

    def test_has_a_value_for_everything_but_a_lay_off(self, advised):
        for shown, given in advised:
            lays_off = "lay_off" in shown.you.legal.actions
            assert {each.value is None for each in given} == {lays_off}

    def test_has_the_greatest_value_for_what_is_played_even_if_another_seemed_worth_more(
        self, monkeypatch
    ):
        """Gin, or a pick of several cards, is played whatever the nets say of it."""
        monkeypatch.setattr(
            master, "worth_of_knocks", lambda view: [-50.0] * len(view.you.legal.knocks)
        )
        given = advice(discarding(*GIN))
        assert given[0].action.kind is KnockKind.GIN
        assert given[0].value == given[1].value == max(each.value for each in given) > -50

    def test_is_of_every_action_that_the_plain_advisor_knows(self, advised):
        for shown, given in advised:
            plain = [each.action for each in advisor.advise(shown)]
            assert sorted(map(repr, plain)) == sorted(repr(each.action) for each in given)

    def test_is_the_same_for_the_same_view(self, advised):
        for shown, given in advised[::4]:
            assert master.advise(shown) == given

    def test_tells_the_danger_of_what_is_thrown_and_of_nothing_else(self, advised):
        for shown, given in advised:
            for each in given:
                if isinstance(each.action, Discard):
                    assert each.danger == danger_of(shown, each.action.card)
                    assert 0 <= each.danger <= 1
                else:
                    assert each.danger is None

    def test_keeps_what_the_plain_advisor_counted(self, advised):
        for shown, given in advised:
            plain = {each.action: each for each in advisor.advise(shown)}
            for each in given:
                counted = plain[each.action]
                assert each.knock_chance == counted.knock_chance
                assert each.helping_cards == counted.helping_cards

    def test_is_none_where_the_seat_is_not_due(self):
        assert master.advise(view(table(), 1)) == ()
        assert master.advise(view(table(), None)) == ()


class TestGin:
    @pytest.mark.parametrize("turn", [1, 9, 60])
    @pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
    def test_is_always_taken(self, rules, turn):
        game = discarding(*GIN, rules)
        game = replace(game, hand=replace(game.hand, turn=turn))
        assert advice(game)[0].action.kind is KnockKind.GIN
        assert master.choose(due(game), Random(1)).kind is KnockKind.GIN

    def test_is_big_where_that_pays(self):
        given = advice(discarding(ALL_MELDED, AGAINST_MELDED, PRESETS["big_gin"]))
        assert given[0].action.kind is KnockKind.BIG_GIN
        poor = replace(PRESETS["big_gin"], big_gin_bonus=0)
        assert advice(discarding(ALL_MELDED, AGAINST_MELDED, poor))[0].action.kind is KnockKind.GIN


class TestADiscard:
    def test_has_the_value_of_playing_on(self):
        game = discarding(HELD)
        worths = worth_of_throws(due(game))
        for each in advice(game)[1:]:
            if isinstance(each.action, Discard):
                assert each.value == worths[each.action.card]

    def test_is_worth_nothing_where_the_hand_ends_with_it(self):
        game = stock_runs_down(play(table(), "0 pass", "1 pass"), 3)
        game = play(game, f"{game.hand.to_act} draw stock")
        thrown = [each for each in advice(game) if isinstance(each.action, Discard)]
        assert {each.value for each in thrown} == {0.0}

    def test_has_a_value_while_more_are_owed(self):
        rules = replace(STANDARD, multi_pickup=True)
        game = play(table(rules, second="4C 5C 8D 9D JD JH QC KH 2S 3S"), "0 pass", "1 pass")
        game = play(game, "0 draw stock", "0 discard KS", "1 draw pile JS")
        worths = worth_of_throws(due(game))
        given = advice(game)
        assert {each.action.card: each.value for each in given[1:]}.items() <= worths.items()
        assert given[0].value == max(worths.values())

    @pytest.mark.parametrize(
        ("held", "why"),
        [
            (HELD, "plays_for_gin"),
            ("9C 9D 9H 9S 4D 5D 6D AH 3S 2C KS", "risk_of_undercut"),
        ],
    )
    def test_says_why_it_is_made_where_a_knock_was_open(self, monkeypatch, held, why):
        best = self.played(monkeypatch, held, knocking=False)
        assert best.action == Discard(parse_card("KS"))
        assert best.reasons[0] == why
        assert bool(best.gin_chance) is (why == "plays_for_gin")

    @pytest.mark.parametrize(("turn", "why"), [(4, "early_knock"), (25, "low_deadwood")])
    def test_gives_way_to_a_knock_that_says_why_it_is_made(self, monkeypatch, turn, why):
        best = self.played(monkeypatch, HELD, turn, knocking=True)
        assert best.action.discard == parse_card("KS")
        assert best.reasons == (why,)

    def played(self, monkeypatch, held, turn=5, *, knocking):
        """The first advice of a master that throws the king, and knocks or does not."""
        scripted = Scripted(card="KS", knocking=knocking)
        monkeypatch.setattr(master, "choose", SeatPlay(scripted, chancy=False))
        game = discarding(held, "4C 5C 8D TD JD JH QH KH 2S 7S")
        return advice(replace(game, hand=replace(game.hand, turn=turn)))[0]

    def test_says_nothing_of_waiting_where_no_knock_was_open(self, advised):
        for _, given in advised:
            if not any(isinstance(each.action, Knock) for each in given):
                codes = {code for each in given for code in each.reasons}
                assert "plays_for_gin" not in codes


class TestADraw:
    def test_is_valued_as_the_stock_and_the_pile_are(self):
        game = play(table(), "0 draw pile", "0 discard TS")
        by_action = {each.action: each.value for each in advice(game)}
        stock = worth_of_stock(due(game))
        best = max(by_action.values())
        assert by_action[Draw(DrawSource.STOCK)] in {stock, best}
        assert len(by_action) == 2

    def test_of_the_upcard_is_weighed_against_passing(self):
        given = advice(table(upcard="TH", stock=""))
        assert given[0].action == Draw(DrawSource.DISCARD_PILE)
        assert {each.action for each in given} == {Draw(DrawSource.DISCARD_PILE), Pass()}

    def test_of_several_cards_is_played_where_it_saves_real_points(self):
        rules = replace(STANDARD, multi_pickup=True)
        game = play(table(rules, second="4C 5C 8D 9D JD JH QC KH 2S 3S"), "0 pass", "1 pass")
        given = advice(play(game, "0 draw stock", "0 discard KS"))
        assert given[0].action == Draw(DrawSource.DISCARD_PILE, parse_card("JS"))
        assert given[0].value == max(each.value for each in given)

    def test_at_the_wall_is_worth_nothing_but_for_a_knock(self):
        rules = replace(STANDARD, last_discard="knock_only")
        game = stock_runs_down(play(table(rules), "0 pass", "1 pass"), 2)
        given = advice(game)
        assert given[0].action == Pass()
        assert {each.value for each in given} == {0.0}


class TestALayOff:
    def test_is_that_of_the_plain_advisor(self):
        game = play(table(), "0 draw pile", "0 knock TS")
        (best,) = advice(game)
        assert isinstance(best.action, LayOffs)
        assert (best,) == advisor.advise(due(game))


class TestThePlayer:
    def test_leaves_nothing_to_chance(self):
        dice = Random(1)
        before = dice.getstate()
        for game in (table(), discarding(HELD), play(table(), "0 pass", "1 pass")):
            master.choose(due(game), dice)
        assert dice.getstate() == before
        assert isinstance(master.choose, SeatPlay)
