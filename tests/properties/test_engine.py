"""What must hold in every game, whatever the rules and whoever plays."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import legal
from engine.actions import Claim, Discard, Draw, DrawSource, Knock, KnockKind, LayOffs, Pass
from engine.cards import DECK, each_card
from engine.columns import ScoredHand
from engine.errors import EngineError, IllegalAction
from engine.hand import Phase
from engine.layoffs import LayOff
from engine.notation import action_name, parse_action, parse_position, position_name
from engine.progress import begin
from engine.record import game_record, play_record
from engine.replay import replay
from engine.scoring import HandOutcome
from engine.settlement import is_decided, settle
from tests.random_games import GAMES, PLAYS, logged, looked_at, random_rules, refusal, steps

SEEDS = range(GAMES)


def listed(table, seat):
    """Those of PLAYS that the list of legal actions of ``seat`` speaks of."""
    options = legal.legal(table, seat)
    plays = set()
    if "pass" in options.actions:
        plays.add(Pass())
    for draw in options.draws:
        plays.add(Draw(draw.source, draw.card))
        if not draw.cards:
            plays.add(Draw(draw.source))
    plays |= {Discard(each.card) for each in options.discards}
    for knock in options.knocks:
        plays.add(Knock(knock.kind, knock.discard))
        if knock.kind is KnockKind.GIN:
            plays.add(Knock(KnockKind.KNOCK, knock.discard))
    if "lay_off" in options.actions:
        plays |= {LayOffs(), LayOffs(())}
        firsts = [fit for fit in options.lay_offs.possible if fit.after is None]
        plays |= {LayOffs((LayOff(fit.card, fit.meld),)) for fit in firsts}
    return plays


@pytest.mark.parametrize("seed", SEEDS)
class TestEveryPosition:
    def test_has_each_of_the_52_cards_in_one_place(self, seed):
        for made in steps(seed):
            hand = made.game.hand
            thrown = [hand.knock.discard] if hand.knock and hand.knock.discard is not None else []
            held = [card for cards in hand.holdings for card in each_card(cards)]
            lying = [*hand.stock, *hand.discard_pile, *thrown]
            assert sorted(held + lying) == list(range(52))

    def test_has_ten_cards_in_each_hand_between_turns(self, seed):
        for made in steps(seed):
            hand = made.game.hand
            void = hand.over and made.game.hands[-1].outcome is HandOutcome.VOID
            if made.game.given_to is not None or void:
                continue  # it may have ended between draw and discard: eleven cards stay
            counts = [cards.bit_count() for cards in hand.holdings]
            if hand.phase is Phase.DISCARD:
                counts[hand.to_act] -= hand.discards_owed
            if hand.knock is not None and hand.knock.kind is KnockKind.BIG_GIN:
                counts[hand.knock.seat] -= 1
            rules = made.game.rules
            playing = [counts[seat] for seat in hand.playing_seats]
            assert sum(counts) == sum(playing), "who sits out holds nothing"
            counts = playing
            if rules.multi_pickup and rules.multi_pickup_return == "grow":
                assert min(counts) >= 10
            else:
                assert counts == [10, 10]

    def test_goes_by_the_rules_that_the_game_was_made_with(self, seed):
        rules = None
        for made in steps(seed):
            rules = rules or made.game.setup.rules
            assert made.game.rules is rules

    def test_of_a_hand_in_play_lets_the_seat_that_is_due_do_something(self, seed):
        for made in steps(seed):
            table = made.game
            if table.over:
                continue
            due = [seat for seat in table.to_act_seats if legal.legal(table, seat).actions]
            assert due == list(table.to_act_seats) != []

    def test_has_a_stock_to_draw_from_or_lies_at_the_wall(self, seed):
        for made in steps(seed):
            hand = made.game.hand
            if hand.phase is Phase.DRAW:
                assert hand.discard_pile
                assert hand.at_wall or len(hand.stock) > 0

    def test_can_be_written_in_one_line_and_read_back(self, seed):
        for made in steps(seed):
            line = position_name(made.game.hand)
            assert "\n" not in line
            assert parse_position(line, made.game.rules) == made.game.hand

    def test_has_a_score_whose_lines_add_up(self, seed):
        for made in steps(seed):
            result, score = made.game.last_result, made.game.score
            if result is not None:
                assert sum(line.points for line in result.lines) == result.points
                assert {line.seat for line in result.lines} <= {result.winner}
                assert (result.winner is None) <= (result.points == 0)
            rows = [row for column in score.columns for row in column.rows]
            lines = [line for column in score.columns for line in column.lines]
            for total in score.totals:
                won = [row.points for row in rows if row.seat == total.seat]
                bonuses = [line.points for line in lines if line.seat == total.seat]
                assert total.total == sum(won) + sum(bonuses)
                assert total.boxes == len(won)
            for team in score.teams:
                won = [row.points for row in rows if row.team == team.team]
                bonuses = [line.points for line in lines if line.team == team.team]
                assert team.total == sum(won) + sum(bonuses)


@pytest.mark.parametrize("seed", SEEDS)
class TestTheListOfWhatIsLegal:
    def test_is_complete_and_nothing_else_of_play_is_accepted(self, seed):
        for table, _, _ in looked_at(seed, 0.1):
            for seat in range(table.seat_count):
                allowed = {action for action in PLAYS if refusal(table, seat, action) is None}
                told = listed(table, seat)
                assert allowed == told & set(PLAYS)
                # A hand that grew may be laid out in more melds than PLAYS knows.
                assert all(refusal(table, seat, action) is None for action in told - allowed)

    def test_tells_of_lay_offs_in_an_order_in_which_they_can_be_made(self, seed):
        for made in steps(seed):
            if made.game.phase is not Phase.LAY_OFF:
                continue
            seat = made.game.hand.to_act
            possible = legal.legal(made.game, seat).lay_offs.possible
            for fit in possible:
                row, before = [LayOff(fit.card, fit.meld)], fit.after
                while before is not None:
                    row.insert(0, LayOff(before, fit.meld))
                    before = next(
                        f.after for f in possible if (f.card, f.meld) == (before, fit.meld)
                    )
                assert refusal(made.game, seat, LayOffs(tuple(row))) is None

    def test_says_exactly_who_is_due(self, seed):
        for made in steps(seed):
            table = made.game
            seats = range(table.seat_count)
            may = {seat: legal.legal(table, seat).actions for seat in seats}
            claims = {seat for seat in seats if may[seat] == ("claim",)}
            late = table.late_seat is not None
            assert claims == (set(table.claimants) if late else set())
            assert {seat for seat in seats if may[seat]} - claims == set(table.to_act_seats)


@pytest.mark.parametrize("seed", SEEDS)
class TestARefusedAction:
    def test_changes_nothing_and_says_why(self, seed):
        for table, _, rng in looked_at(seed, 0.1):
            before = repr(table)
            for seat in range(table.seat_count):
                error = refusal(table, seat, rng.choice(PLAYS))
                assert error is None or isinstance(error, IllegalAction)
                assert error is None or (str(error) and error.code != EngineError.code)
            assert repr(table) == before


@pytest.mark.parametrize("seed", SEEDS)
class TestEveryGame:
    def test_is_the_same_when_its_log_is_replayed(self, seed):
        for table, log, _ in logged(seed, 0.02):
            assert replay(table.setup, log) == table

    def test_is_the_same_when_its_record_is_played(self, seed):
        *_, (table, moves, _) = looked_at(seed, 1)
        record = game_record(table.setup, moves)
        played = play_record(record)
        assert played.rules == table.rules
        # A record tells the moves; what else the seats said stands in the log alone.
        beside = ("void_consents", "confirmed_by", "hints", "late_seat", "away_seats")
        said = {name: getattr(table, name) for name in beside}
        assert replace(played, setup=table.setup, last_move=table.last_move, **said) == table

    def test_numbers_its_moves_without_a_gap(self, seed):
        *_, (table, moves, _) = looked_at(seed, 1)
        assert [move.number for move in moves] == list(range(1, table.next_move))

    def test_is_dealt_the_same_cards_whoever_plays_it(self, seed):
        first, *_ = steps(seed)
        again = begin(first.game.setup)
        assert (again.game, again.moves) == (first.game, first.moves)

    def test_ends_each_hand_within_its_cap_of_turns(self, seed):
        for made in steps(seed):
            assert made.game.hand.turn <= made.game.rules.max_turns


# --- what must hold of single values


cards = st.integers(0, 51)
some_cards = st.integers(1, DECK)
melds = st.none() | st.lists(some_cards, max_size=4).map(tuple)
lay_offs = st.lists(st.builds(LayOff, cards, st.integers(0, 9)), max_size=5).map(tuple)
actions = st.one_of(
    st.just(Pass()),
    st.just(Claim()),
    st.just(Draw(DrawSource.STOCK)),
    st.builds(Draw, st.just(DrawSource.DISCARD_PILE), st.none() | cards),
    st.builds(Discard, cards),
    st.builds(Knock, st.sampled_from([KnockKind.KNOCK, KnockKind.GIN]), cards, melds),
    st.builds(Knock, st.just(KnockKind.BIG_GIN), st.none(), melds),
    st.builds(LayOffs, st.none() | lay_offs, melds),
)


class TestAnAction:
    @given(actions)
    def test_is_read_as_it_was_written(self, action):
        assert parse_action(action_name(action)) == action


@st.composite
def scored_hands(draw):
    hands = []
    for number in range(1, draw(st.integers(1, 12))):
        winner = draw(st.sampled_from([0, 1, None]))
        points = 0 if winner is None else draw(st.integers(0, 120))
        outcome = HandOutcome.DRAWN if winner is None else HandOutcome.KNOCK
        hands.append(ScoredHand(number, outcome, winner, winner, points))
    return tuple(hands)


class TestAScore:
    @given(st.integers(0, 1 << 32), scored_hands())
    @settings(max_examples=200)
    def test_is_the_same_for_the_seats_exchanged(self, seed, hands):
        rules = random_rules(Random(seed))
        mirrored = tuple(
            replace(hand, winner=None if hand.winner is None else 1 - hand.winner) for hand in hands
        )
        one, other = settle(rules, 2, hands), settle(rules, 2, mirrored)
        assert one.complete == other.complete
        assert one.margin == other.margin
        assert [t.total for t in one.totals] == [t.total for t in reversed(other.totals)]

    @given(st.integers(0, 1 << 32), scored_hands())
    @settings(max_examples=200)
    def test_counts_nothing_after_the_game_was_won(self, seed, hands):
        rules = random_rules(Random(seed))
        whole = settle(rules, 2, hands)
        counted = tuple(each.hand for each in whole.hands if each.counted)
        assert hands[: len(counted)] == counted
        again = settle(rules, 2, counted)
        assert (again.totals, again.winner, again.margin) == (
            whole.totals,
            whole.winner,
            whole.margin,
        )
        for fewer in range(len(counted)):
            assert not settle(rules, 2, counted[:fewer]).complete
        assert is_decided(rules, 2, hands) == whole.complete

    @given(st.integers(0, 1 << 32), scored_hands())
    def test_is_won_by_a_seat_at_the_target_that_leads_by_enough(self, seed, hands):
        rules = random_rules(Random(seed))
        for column in settle(rules, 2, hands).columns:
            running = {row.seat: row.running_total for row in column.rows}
            ahead = [
                seat
                for seat in (0, 1)
                if running.get(seat, 0) >= rules.target
                and running.get(seat, 0) - running.get(1 - seat, 0) >= rules.win_by
            ]
            assert ([] if column.winner is None else [column.winner]) == ahead
