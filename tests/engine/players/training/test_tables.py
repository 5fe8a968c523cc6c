"""Tables played beside the engine: what a policy sees, does and scores has to agree.

``GIN_SWEEP_TABLES`` hands are scored by both at the end; a few are followed move by move.
"""

import os
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from engine.actions import Discard, Draw, DrawSource, Knock, KnockKind, LayOffs, Pass
from engine.events import Dealt
from engine.game import new_game
from engine.hand import Phase
from engine.layoffs import best_lay_offs
from engine.melds import best_arrangement
from engine.players.policies import Throws
from engine.players.seat_play import SeatPlay, knock_of
from engine.players.sight import sight_of, with_top
from engine.players.sparring import POLICIES
from engine.players.training.straying import Straying
from engine.players.training.tables import Tables, Terms, knock_points, play, shuffled
from engine.players.valued import Valued
from engine.players.weighing import EXPERT
from engine.players.weights import trained
from engine.progress import apply, evolve_game
from engine.rules import RANGES, STANDARD
from engine.scoring import HandOutcome, score_knock, side
from engine.views import view
from tests.positions import CHANCE, rows_of
from tests.tables import cards, setup

HANDS = int(os.environ.get("GIN_SWEEP_TABLES", "600"))
FOLLOWED = max(8, HANDS // 200)
MOST_UNLIKE = 0.01
"""So large a share of knocks may be scored otherwise: the defence is not looked at jointly."""

CAMPER, VALUED = POLICIES["camper"], Valued(trained())
PAIRS = {"expert, camper": (EXPERT, CAMPER), "valued, expert": (VALUED, EXPERT)}
NOT_SURE = 1e-3
"""Values so near may fall either way: sums of floats depend on how many are made at once."""

PILE, STOCK = Draw(DrawSource.DISCARD_PILE), Draw(DrawSource.STOCK)


def any_terms(hands, chance):
    """Terms of every kind, most of them standard."""
    terms = Terms.standard(hands)
    columns = {"knock_limit": terms.limit, "gin_bonus": terms.gin_bonus}
    for name, column in (columns | {"undercut_bonus": terms.undercut_bonus}).items():
        least, greatest = RANGES[name]
        other = chance.random(hands) < 0.4
        column[other] = chance.integers(least, greatest + 1, hands)[other]
    return terms


def rules_of(terms, place):
    return replace(
        STANDARD,
        knock_limit=int(terms.limit[place]),
        gin_bonus=int(terms.gin_bonus[place]),
        undercut_bonus=int(terms.undercut_bonus[place]),
    )


def dealt(tables, place, nondealer):
    """The game of the engine with the deck and the terms of one table."""
    fact = Dealt(
        hand_number=1,
        dealer=1 - nondealer,
        nondealer=nondealer,
        deck=tuple(tables.decks[place].tolist()),
        seed=bytes(32),
        server_commit="",
    )
    return evolve_game(new_game(setup(rules_of(tables.terms, place))), fact)


def begun(hands, seed):
    chance = np.random.default_rng(seed)
    nondealers = chance.integers(0, 2, hands)
    tables = Tables(shuffled(hands, chance), nondealers, any_terms(hands, chance))
    return tables, [dealt(tables, place, int(each)) for place, each in enumerate(nondealers)]


class Beside:
    """Plays hands in tables, and each of them move by move in the engine."""

    def __init__(self, policies, hands, seed):
        self.policies = policies
        self.tables, self.games = begun(hands, seed)
        self.decided = Counter()

    def play(self):
        for asked in play(self.policies, self.tables, CHANCE):
            for place, row in enumerate(asked.rows.tolist()):
                self.move(asked, place, row)
        return self

    def move(self, asked, place, row):
        """See that the engine shows and the seat would do the same; then do it."""
        if asked.drawn and self.games[row].hand.must_draw_stock:
            self.do(row, STOCK)
        game, seat = self.games[row], int(asked.seats[place])
        assert game.hand.to_act == seat
        shown = view(game, seat)
        alone = sight_of(shown)
        seen = asked.sight.rows(np.array([place]))
        if asked.drawn:
            # The card just taken stays the top of a row: nobody asks for it before the discard.
            seen = replace(seen, top=alone.top)
        assert rows_of(seen) == rows_of(alone)
        does = self.action(shown, asked, place)
        would = SeatPlay(self.policies[seat], chancy=False)(shown, None)
        if not same(would, does):
            assert self.unsure(seat, seen, drawn=asked.drawn), (would, does)
            self.decided["unsure"] += 1
        self.decided[type(does)] += 1
        self.do(row, does)

    def action(self, shown, asked, place):
        if not asked.drawn:
            blind = Pass() if shown.phase is Phase.FIRST_UPCARD else STOCK
            return PILE if asked.takes[place] else blind
        card = int(asked.throws.card[place])
        if not asked.throws.knocks[place]:
            return Discard(card)
        return next(knock_of(each) for each in shown.you.legal.knocks if each.discard == card)

    def unsure(self, seat, seen, *, drawn):
        """Whether what is best of a row hangs on next to nothing."""
        policy = self.policies[seat]
        if not isinstance(policy, Valued):
            return False
        thought = policy.think(seen if drawn else with_top(seen))
        if not drawn:
            return abs(thought.value - policy.draw_value(seen))[0] < NOT_SURE
        values = sorted([*thought.values, *thought.knock_value])
        return values[-1] - values[-2] < NOT_SURE

    def do(self, row, action):
        game = self.games[row]
        game = apply(game, game.hand.to_act, action).game
        if game.phase is Phase.LAY_OFF:
            game = apply(game, game.hand.to_act, LayOffs()).game
        self.games[row] = game


def same(one, other):
    """Whether two actions are one; of gin it does not matter which card is thrown."""
    gin = isinstance(one, Knock) and isinstance(other, Knock) and one.kind is KnockKind.GIN
    return one == other or (gin and one.kind == other.kind)


@pytest.fixture(scope="module", params=PAIRS)
def beside(request):
    """Hands that were played in both, by each pair of policies."""
    return Beside(PAIRS[request.param], FOLLOWED, [*request.param.encode()]).play()


class TestHandsPlayedBesideTheEngine:
    def test_show_the_same_and_lead_to_the_same_at_each_move(self, beside):
        """The fixture has compared them; here is that there was something to compare."""
        assert {Pass, Draw, Discard, Knock} <= beside.decided.keys()
        assert beside.decided["unsure"] <= 0.01 * beside.decided.total()

    def test_are_over_when_the_engine_says_so(self, beside):
        assert all(game.hand.over for game in beside.games)
        turns = [game.hand.turn for game in beside.games]
        assert beside.tables.turn.tolist() == turns

    def test_are_knocked_by_the_same_seat_or_drawn(self, beside):
        knockers = [game.last_result.knocker for game in beside.games]
        expected = [-1 if knocker is None else knocker for knocker in knockers]
        assert beside.tables.knocker.tolist() == expected

    def test_score_the_same_unless_the_defence_did_better_than_they_know(self, beside):
        for place, game in enumerate(beside.games):
            result = game.last_result
            counts = [each.deadwood for each in result.sides]
            if result.outcome is HandOutcome.DRAWN:
                assert beside.tables.points[place] == 0
            elif beside.tables.deadwood[place].tolist() == counts:
                points = result.points if result.winner == 0 else -result.points
                assert beside.tables.points[place] == points
            else:
                own = result.knocker
                assert counts[own] == beside.tables.deadwood[place, own]
                assert counts[1 - own] < beside.tables.deadwood[place, 1 - own]


class TestTheDeal:
    def test_is_that_of_the_engine(self):
        tables, games = begun(20, 1)
        hands = [game.hand for game in games]
        assert [tuple(row) for row in tables.cards.tolist()] == [hand.holdings for hand in hands]
        assert tables.top.tolist() == [hand.upcard for hand in hands]
        assert tables.to_act.tolist() == [hand.nondealer for hand in hands]
        assert set(tables.to_act.tolist()) == {0, 1}

    def test_is_of_all_cards_in_any_order_and_the_same_with_the_same_dice(self):
        decks = shuffled(50, np.random.default_rng(1))
        assert (np.sort(decks, axis=1) == np.arange(52)).all()
        assert len({tuple(row) for row in decks.tolist()}) == 50
        assert np.array_equal(decks, shuffled(50, np.random.default_rng(1)))

    def test_has_the_standard_terms_unless_others_are_given(self):
        terms = Terms.standard(3)
        assert rules_of(terms, 2) == STANDARD
        assert len(terms.limit) == len(terms.gin_bonus) == len(terms.undercut_bonus) == 3


def scored(kept, theirs, **numbers):
    """What a knock scores, from the names of the cards, and both counts."""
    terms = Terms.standard(1)
    for name, number in numbers.items():
        getattr(terms, name)[0] = number
    masks = (np.array([cards(names)]) for names in (kept, theirs))
    points, counts = knock_points(*masks, terms, np.array([0]))
    return int(points[0]), tuple(int(count[0]) for count in counts)


class TestAKnock:
    KEPT = "AC 2C 3C 4D 5D 6D 7H 8H 9H 5S"

    def test_scores_the_difference(self):
        theirs = "2H 2S KD KS QC JD 9D 8S 4H 6S"
        assert scored(self.KEPT, theirs) == (2 + 2 + 40 + 9 + 8 + 4 + 6 - 5, (5, 71))

    def test_is_laid_off_on_one_card_after_another(self):
        """4C and 5C go on the run of clubs, TH on that of hearts; 4S goes nowhere."""
        theirs = "4C 5C TH KD KH KS QC QD QH 4S"
        assert scored(self.KEPT, theirs)[1] == (5, 4)

    def test_is_laid_off_with_the_fourth_card_of_a_set(self):
        assert scored("9C 9D 9H 4D 5D 6D 2S 3S 4S AH", "9S 7D 8D KD KH KS QC QD QH 5H")[1] == (1, 5)

    def test_is_undercut_for_the_bonus_by_as_little_or_less(self):
        even = "4C 5C TH KD KH KS QC QD QH 5H"
        assert scored(self.KEPT, even) == (-25, (5, 5))
        less = even.replace("5H", "2H")
        assert scored(self.KEPT, less, undercut_bonus=10) == (-13, (5, 2))

    def test_with_nothing_left_scores_its_bonus_and_suffers_no_lay_off(self):
        gin = self.KEPT.replace("5S", "TH")
        theirs = "4C 5C JH KD KH KS QC QD QS 2H"
        assert scored(gin, theirs, gin_bonus=20) == (20 + 4 + 5 + 10 + 2, (0, 21))
        assert scored(gin, "4S 5S 6S KD KH KS QC QD QH QS", gin_bonus=20) == (20, (0, 0))

    def test_against_a_defence_that_breaks_a_meld_is_scored_too_high(self):
        """The four of clubs goes from the set to the knocker's run, and the five after it."""
        kept, theirs = "AC 2C 3C 6D 7D 8D 9H 9S 9D 2H", "4C 4D 4H 4S 5C KD QS JH 8H 7S"
        ours = scored(kept, theirs)[1][1]
        best = best_lay_offs(best_arrangement(cards(kept)).melds, cards(theirs))
        assert (best.deadwood, ours) == (45, 50)


def by_the_engine(tables, row):
    """What the engine makes of the knock that ended a table: seat 0's points, and both counts."""
    seat, rules = int(tables.knocker[row]), rules_of(tables.terms, row)
    kept, theirs = int(tables.cards[row, seat]), int(tables.cards[row, 1 - seat])
    own = best_arrangement(kept, 1 << int(tables.top[row]))
    gin = own.deadwood == 0
    defence = best_arrangement(theirs) if gin else best_lay_offs(own.melds, theirs)
    score = score_knock(
        KnockKind.GIN if gin else KnockKind.KNOCK,
        side(seat, kept, own),
        replace(side(1 - seat, theirs, best_arrangement(theirs)), deadwood=defence.deadwood),
        rules,
        None,
    )
    winner = seat if score.knocker_wins else 1 - seat
    return score.points if winner == 0 else -score.points


class TestManyKnocks:
    def test_are_scored_as_by_the_engine_but_for_a_small_share(self):
        chance = np.random.default_rng(2)
        tables, _ = begun(HANDS, 2)
        list(play((Straying(EXPERT, 0.3), POLICIES["simple"]), tables, chance))
        rows = np.flatnonzero(tables.knocker >= 0).tolist()
        unlike = [row for row in rows if tables.points[row] != by_the_engine(tables, row)]
        assert len(rows) > 0.7 * HANDS
        assert len(unlike) <= MOST_UNLIKE * len(rows), f"{len(unlike)} of {len(rows)}"
        assert {0, *(tables.deadwood[rows, tables.knocker[rows]].tolist())} >= {0, 5, 10}


class TestPlay:
    def test_asks_each_seat_for_its_own_rows_only(self):
        tables, _ = begun(10, 3)
        seats = []
        for asked in play((EXPERT, EXPERT), tables, CHANCE):
            assert len(set(asked.seats.tolist())) == 1
            assert (asked.throws is None) != asked.drawn
            assert (asked.takes is None) == asked.drawn
            seats += set(asked.seats.tolist())
        assert set(seats) == {0, 1}

    def test_does_not_look_at_tables_that_are_over(self):
        tables, _ = begun(10, 4)
        for asked in play((EXPERT, EXPERT), tables, CHANCE):
            assert not tables.over[asked.rows].any()
        assert tables.over.all()
        assert list(play((EXPERT, EXPERT), tables, CHANCE)) == []

    def test_draws_the_hand_when_two_cards_stay_in_the_stock(self):
        tables, _ = begun(10, 5)
        list(play((Stubborn(takes=False),) * 2, tables, CHANCE))
        assert tables.next.tolist() == [50] * 10
        assert tables.points.tolist() == [0] * 10
        assert tables.knocker.tolist() == [-1] * 10

    def test_draws_the_hand_after_as_many_turns_as_the_rules_allow(self):
        """Seats that only take what the other threw never come to the end of the stock."""
        tables, _ = begun(10, 6)
        list(play((Stubborn(takes=True),) * 2, tables, CHANCE))
        assert tables.turn.tolist() == [STANDARD.max_turns] * 10
        assert tables.points.tolist() == [0] * 10


class Stubborn:
    """Always takes, or never; throws the lowest card that it may and never knocks."""

    def __init__(self, *, takes):
        self.taking = takes

    def takes(self, sight, chance):
        return np.full(len(sight), self.taking)

    def throws(self, sight, chance):
        free = sight.cards & ~np.where(sight.barred >= 0, 1 << np.maximum(sight.barred, 0), 0)
        lowest = np.bitwise_count((free & -free) - 1).astype(np.int64)
        return Throws(lowest, np.zeros(len(sight), bool))


class TestTablesTakenFromOthers:
    def halfway(self):
        chance = np.random.default_rng(4)
        tables = Tables(shuffled(6, chance), np.array([0, 1] * 3), any_terms(6, chance))
        for _, asked in zip(range(9), play((EXPERT, CAMPER), tables, CHANCE), strict=False):
            assert len(asked.rows)
        return tables

    def stands(self, tables):
        columns = vars(tables) | {"terms": np.stack([tables.terms.limit, tables.terms.gin_bonus])}
        return {name: column.tolist() for name, column in columns.items()}

    def test_end_as_these_do_when_they_are_played_on(self):
        tables, rows = self.halfway(), np.array([4, 1, 4])
        others = tables.taken(rows)
        for played in (tables, others):
            for _ in play((EXPERT, CAMPER), played, CHANCE):
                pass
        assert others.over.all()
        assert others.points.tolist() == tables.points[rows].tolist()
        assert others.terms.limit.tolist() == tables.terms.limit[rows].tolist()

    def test_leave_these_as_they_were(self):
        tables = self.halfway()
        before = self.stands(tables)
        for _ in play((EXPERT, CAMPER), tables.taken(np.arange(6)), CHANCE):
            pass
        assert self.stands(tables) == before

    def test_can_be_joined(self):
        tables = self.halfway()
        parts = [tables.taken(np.array(rows, int)) for rows in ([0, 1], [], [2, 3, 4, 5])]
        assert self.stands(Tables.joined(parts))["decks"] == self.stands(tables)["decks"]
        joined, before = self.stands(Tables.joined(parts)), self.stands(tables)
        assert {name: joined[name] for name in before if name != "terms"} == {
            name: before[name] for name in before if name != "terms"
        }
        assert Tables.joined(parts).terms.limit.tolist() == tables.terms.limit.tolist()
