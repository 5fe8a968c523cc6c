"""What follows when a time runs out: in each phase, by each policy (rules.md, Time controls)."""

from dataclasses import replace

import pytest

from engine.actions import LayOffs
from engine.agreements import confirm, consent
from engine.clock import AWAY_SECONDS, Expired, claimable, expire, seconds_for, time_goes_on
from engine.errors import GameNotStarted, GameOver, HandOver, NotClaimableYet
from engine.events import Change, ChangeKind, Claimed, HandDrawn, LaidOff, Passed, Resigned
from engine.game import Mover, SeatKind, new_game
from engine.hand import Phase
from engine.legal import legal
from engine.notation import parse_action
from engine.progress import apply, begin
from engine.replay import replay
from engine.rules import STANDARD
from engine.views import SPECTATOR, view
from tests.tables import play, refusal, setup, stock_runs_down, table

HUMAN, AI = SeatKind.HUMAN, SeatKind.AI
POLICIES = ("claim", "ai_takes_over", "forfeit")
TIMED = replace(STANDARD, turn_seconds=60)
AI_PLAYS = replace(TIMED, timeout_policy="ai_takes_over")
FORFEIT = replace(TIMED, timeout_policy="forfeit")
BOTH = {"confirm_score": "both"}

PASSED = ("0 pass", "1 pass")
DRAWN = (*PASSED, "0 draw stock")
KNOCKED = (*DRAWN, "0 knock KS")
SCORED = (*KNOCKED, "1 lay_off")
OF_PLAY = {"first_upcard": (), "draw": PASSED, "discard": DRAWN}
"""How the game gets to each phase of play, in which seat 0 is due."""


def policy(name, **options):
    return replace(TIMED, timeout_policy=name, **options)


def at_the_wall(rules):
    game = stock_runs_down(play(table(replace(rules, last_discard="knock_only")), *PASSED), 2)
    assert game.hand.at_wall
    return game


def late(*lines, rules=TIMED, **options):
    """A game in which the time of who is due has run out."""
    return expire(play(table(rules, **options), *lines)).game


def by_clock(game, line):
    seat, _, words = line.partition(" ")
    return apply(game, int(seat), parse_action(words), Mover.CLOCK).game


@pytest.mark.parametrize("phase", OF_PLAY)
class TestATurnThatMayBeClaimed:
    def test_marks_the_seat_as_late_without_a_move(self, phase):
        game = play(table(TIMED), *OF_PLAY[phase])
        change = Change(ChangeKind.OUT_OF_TIME, 0)
        assert expire(game) == Expired(replace(game, late_seat=0), (change,))

    def test_does_so_once(self, phase):
        assert expire(late(*OF_PLAY[phase])) is None

    def test_lets_the_other_seat_claim_and_the_late_one_go_on(self, phase):
        before = play(table(TIMED), *OF_PLAY[phase])
        game = late(*OF_PLAY[phase])
        assert legal(before, 1).actions == ()
        assert legal(game, 1).actions == ("claim",)
        assert legal(game, 0) == legal(before, 0)
        assert view(game, SPECTATOR).you.legal.actions == ()

    def test_ends_the_game_by_the_claim_as_if_the_late_seat_had_resigned(self, phase):
        game = late(*OF_PLAY[phase])
        made = apply(game, 1, parse_action("claim"))
        resigned = play(game, "0 resign")
        (move,) = made.moves
        assert (move.seat, move.by, move.event.action) == (1, Mover.PLAYER, "claim")
        assert move.event == Claimed(1, 0, 1, resigned.last_result)
        assert move.event.result.outcome == "resigned"
        assert made.game.over
        assert (made.game.score, made.game.hands) == (resigned.score, resigned.hands)
        assert made.game.late_seat is None

    def test_is_no_longer_claimable_once_the_late_seat_has_moved(self, phase):
        moved = {"first_upcard": "0 pass", "draw": "0 draw stock", "discard": "0 discard KS"}
        game = play(late(*OF_PLAY[phase]), moved[phase])
        assert game.late_seat is None
        assert "claim" not in legal(game, 1).actions
        assert isinstance(refusal(game, "1 claim"), NotClaimableYet)


class TestAClaim:
    def test_is_refused_before_the_time_is_over(self):
        for lines in OF_PLAY.values():
            for seat in (0, 1):
                game = play(table(TIMED), *lines)
                assert isinstance(refusal(game, f"{seat} claim"), NotClaimableYet)

    def test_is_refused_to_the_late_seat(self):
        assert isinstance(refusal(late(), "0 claim"), NotClaimableYet)

    def test_is_refused_between_hands_and_outside_of_games(self):
        scored = play(table(replace(TIMED, target=200)), *SCORED)
        assert isinstance(refusal(scored, "0 claim"), HandOver)
        assert isinstance(refusal(new_game(setup(TIMED)), "0 claim"), GameNotStarted)
        assert isinstance(refusal(play(table(TIMED), "0 resign"), "0 claim"), GameOver)

    def test_does_not_hinder_what_else_may_be_said(self):
        voided = consent(consent(late(), 0, void=True).game, 1, void=True).game
        assert (voided.phase, voided.late_seat) == (Phase.HAND_OVER, None)
        assert play(late(), "1 resign").score.winner == 0

    def test_is_never_made_by_a_computer(self):
        game = late(kinds=(HUMAN, AI))
        assert (game.late_seat, game.claimants) == (0, ())
        assert legal(game, 1).actions == ()
        assert not claimable(table(TIMED, kinds=(HUMAN, AI)))


class TestAClaimAmongMore:
    """Three and four seats: the seat that plays against the late one claims."""

    @staticmethod
    def late_one_of(seats, **options):
        kinds = options.pop("kinds", (HUMAN,) * seats)
        rules = replace(TIMED, first_dealer="seat0", four_player="partnership", **options)
        return expire(begin(setup(rules, kinds)).game).game

    def test_is_the_playing_opponents_and_not_of_who_sits_out(self):
        game = self.late_one_of(3)
        assert (game.late_seat, game.claimants) == (1, (0,))
        assert [legal(game, seat).actions for seat in (0, 2)] == [("claim",), ()]
        assert isinstance(refusal(game, "2 claim"), NotClaimableYet)

    def test_of_three_gives_the_game_to_the_leader_of_the_others(self):
        game = self.late_one_of(3)
        assert play(game, "0 claim").score.winner == play(game, "1 resign").score.winner == 0

    def test_of_partners_gives_it_to_the_other_team(self):
        game = self.late_one_of(4)
        assert (game.late_seat, game.claimants) == (1, (0,))
        assert isinstance(refusal(game, "2 claim"), NotClaimableYet)
        assert play(game, "0 claim").score.winner_team == 0

    def test_is_for_the_people_on_other_sides_where_a_computer_plays(self):
        assert self.late_one_of(3, kinds=(AI, HUMAN, HUMAN)).claimants == (2,)
        assert self.late_one_of(4, kinds=(AI, HUMAN, HUMAN, HUMAN)).claimants == (2,)


@pytest.mark.parametrize("phase", OF_PLAY)
class TestATurnThatIsForfeit:
    def test_is_the_seats_resignation_by_the_clock(self, phase):
        game = play(table(FORFEIT), *OF_PLAY[phase])
        expired = expire(game)
        (move,) = expired.moves
        assert (move.seat, move.by, expired.changes) == (0, Mover.CLOCK, ())
        assert isinstance(move.event, Resigned)
        resigned = play(game, "0 resign")
        assert replace(expired.game, last_move=None) == replace(resigned, last_move=None)

    def test_is_so_once(self, phase):
        assert expire(expire(play(table(FORFEIT), *OF_PLAY[phase])).game) is None


@pytest.mark.parametrize("phase", OF_PLAY)
class TestATurnThatAComputerTakesOver:
    def test_is_to_be_played_for_the_seat(self, phase):
        game = play(table(AI_PLAYS), *OF_PLAY[phase])
        change = Change(ChangeKind.TAKEN_OVER, 0)
        assert expire(game) == Expired(replace(game, away_seats=(0,)), (change,), plays_for=0)

    def test_says_so_once_and_is_to_be_played_again(self, phase):
        away = late(*OF_PLAY[phase], rules=AI_PLAYS)
        assert expire(away) == Expired(away, plays_for=0)

    def test_is_shown_to_everybody(self, phase):
        away = late(*OF_PLAY[phase], rules=AI_PLAYS)
        for viewer in (0, 1, SPECTATOR):
            assert [seat.away for seat in view(away, viewer).seats] == [True, False]


class TestASeatThatAComputerPlays:
    def away(self, *lines):
        return late(*PASSED, *lines, rules=AI_PLAYS)

    def test_stays_the_computers_while_the_clock_and_others_move(self):
        game = by_clock(by_clock(self.away(), "0 draw stock"), "0 discard KS")
        assert game.away_seats == (0,)
        assert play(game, "1 draw stock", "1 discard QS").away_seats == (0,)

    def test_is_the_players_again_with_a_move_of_its_own(self):
        assert play(self.away(), "0 draw stock").away_seats == ()

    def test_is_the_players_again_with_a_word_of_its_own(self):
        consents = consent(self.away(), 0, void=True).game
        assert consents.away_seats == ()
        assert consent(self.away(), 1, void=True).game.away_seats == (0,)
        scored = play(table(replace(AI_PLAYS, **BOTH)), *SCORED)
        away = replace(scored, away_seats=(0, 1))
        assert confirm(away, 1).game.away_seats == (0,)

    def test_waits_a_short_time_for_the_player(self):
        game = self.away()
        assert (seconds_for(game), AWAY_SECONDS) == (5, 5)
        assert seconds_for(play(game, "0 draw stock")) == 60
        assert seconds_for(by_clock(by_clock(game, "0 draw stock"), "0 discard KS")) == 60


class TestWhereNobodyLosesByTheClock:
    @pytest.mark.parametrize("name", POLICIES)
    def test_the_best_lay_offs_are_made(self, name):
        game = play(table(policy(name)), *KNOCKED)
        expired = expire(game)
        (move,) = expired.moves
        best = apply(game, 1, LayOffs()).moves[0].event
        assert (move.seat, move.by, move.event) == (1, Mover.CLOCK, best)
        assert isinstance(best, LaidOff)
        assert best.lay_offs
        assert (expired.changes, expired.game.phase) == ((), Phase.HAND_OVER)

    @pytest.mark.parametrize("name", POLICIES)
    def test_the_last_discard_is_passed(self, name):
        wall = at_the_wall(policy(name))
        for game in (wall, play(wall, f"{wall.hand.to_act} draw pile")):
            seat = game.hand.to_act
            passed, drawn = expire(game).moves
            assert (passed.event, passed.by) == (Passed(seat), Mover.CLOCK)
            assert (type(drawn.event), drawn.by) == (HandDrawn, Mover.SERVER)
            assert not claimable(game)

    @pytest.mark.parametrize("name", POLICIES)
    def test_the_score_counts_as_confirmed(self, name):
        game = play(table(policy(name, **BOTH)), *SCORED)
        expired = expire(game)
        kind = ChangeKind.CONFIRMED_BY_CLOCK
        assert expired.changes == (Change(kind, 0), Change(kind, 1))
        assert (expired.moves, expired.game.confirmed_by) == ((), (0, 1))
        assert expired.game.phase is Phase.HAND_OVER
        assert expire(expired.game) is None

    def test_the_score_counts_as_confirmed_only_for_who_has_not_done_so(self):
        game = confirm(play(table(policy("claim", **BOTH)), *SCORED), 1).game
        assert expire(game).changes == (Change(ChangeKind.CONFIRMED_BY_CLOCK, 0),)

    def test_the_end_of_the_game_comes_with_the_confirmation(self):
        game = play(table(policy("claim", target=10, **BOTH)), *SCORED)
        assert not game.over
        assert expire(game).game.over

    def test_a_computer_that_plays_a_seat_does_no_worse(self):
        away = replace(play(table(AI_PLAYS), *KNOCKED), away_seats=(1,))
        (move,) = expire(away).moves
        assert (move.by, move.event.action, seconds_for(away)) == (Mover.CLOCK, "lay_off", 5)


class TestNoClockRuns:
    @pytest.mark.parametrize("lines", [(), PASSED, DRAWN, KNOCKED, SCORED])
    def test_in_a_game_without_one(self, lines):
        game = play(table(), *lines)
        assert (seconds_for(game), expire(game), claimable(game)) == (None, None, False)

    def test_before_the_deal_between_hands_and_after_the_end(self):
        for game in (
            new_game(setup(TIMED)),
            play(table(TIMED), *SCORED),
            play(table(replace(TIMED, target=10)), *SCORED),
            play(table(replace(TIMED, **BOTH)), *DRAWN, "1 resign"),
        ):
            assert (seconds_for(game), expire(game), claimable(game)) == (None, None, False)

    def test_for_a_computer(self):
        for kinds in ((AI, HUMAN), (AI, AI)):
            game = table(TIMED, kinds=kinds)
            assert (seconds_for(game), expire(game), claimable(game)) == (None, None, False)
        scored = play(table(replace(TIMED, **BOTH), kinds=(HUMAN, AI)), *SCORED)
        assert (scored.to_act_seats, seconds_for(scored)) == ((0,), 60)


class TestTheTime:
    """A turn is draw through discard; a lay-off and a confirmation have a time of their own."""

    def went_on(self, *lines, before=(), rules=TIMED):
        game = play(table(rules), *before)
        return time_goes_on(game, play(game, *lines))

    def test_of_a_turn_goes_on_after_the_draw(self):
        assert self.went_on("0 draw stock", before=PASSED)
        assert self.went_on("0 draw pile")
        game = replace(play(table(TIMED), *DRAWN, "0 discard KS"))
        assert time_goes_on(game, play(game, "1 draw pile"))

    def test_of_a_turn_ends_with_the_discard(self):
        assert not self.went_on("0 discard KS", before=DRAWN)
        assert not self.went_on("0 draw stock", "0 discard KS", before=PASSED)
        assert not self.went_on("0 draw stock", "0 discard KS", "1 draw stock", before=PASSED)
        whole_round = ("0 discard KS", "1 draw stock", "1 discard QS", "0 draw stock")
        assert not self.went_on(*whole_round, before=DRAWN)

    def test_of_each_choice_of_the_upcard_is_its_own(self):
        assert not self.went_on("0 pass")
        assert not self.went_on("1 pass", before=("0 pass",))
        assert not self.went_on("0 pass", "1 pass")

    def test_goes_on_while_several_cards_are_thrown(self):
        rules = replace(TIMED, multi_pickup=True)
        game = play(table(rules), *DRAWN, "0 discard KS", "1 draw stock", "1 discard QS")
        owing = replace(
            play(game, "0 draw stock"),
            hand=replace(play(game, "0 draw stock").hand, discards_owed=2),
        )
        assert time_goes_on(owing, play(owing, "0 discard TS"))

    def test_of_a_lay_off_and_of_a_confirmation_begin_anew(self):
        assert not self.went_on("0 knock KS", before=DRAWN)
        assert not self.went_on("1 lay_off", before=KNOCKED, rules=replace(TIMED, **BOTH))

    def test_of_a_confirmation_is_for_both(self):
        game = play(table(replace(TIMED, **BOTH)), *SCORED)
        assert time_goes_on(game, confirm(game, 1).game)

    def test_goes_on_whatever_else_is_said(self):
        game = play(table(TIMED), *PASSED)
        assert time_goes_on(game, consent(game, 0, void=True).game)
        assert time_goes_on(game, expire(game).game)

    def test_begins_anew_for_who_comes_back_late(self):
        game = late(*PASSED)
        assert not time_goes_on(game, play(game, "0 draw stock"))

    def test_begins_anew_where_a_seat_is_taken_over_or_taken_back(self):
        game = play(table(AI_PLAYS), *PASSED)
        away = expire(game).game
        assert not time_goes_on(game, away)
        assert not time_goes_on(away, play(away, "0 draw stock"))
        assert time_goes_on(away, by_clock(away, "0 draw stock"))

    def test_of_another_hand_is_another(self):
        game = play(table(TIMED), *SCORED)
        assert not time_goes_on(game, play(game, "0 deal"))
        assert not time_goes_on(new_game(game.setup), game)


class TestTheLog:
    def test_leads_to_who_is_late_and_away(self):
        for rules in (TIMED, AI_PLAYS):
            made = begin(setup(replace(rules, first_dealer="seat1")))
            expired = expire(made.game)
            log = [*made.moves, *expired.changes]
            assert replay(made.game.setup, log) == expired.game
            passed = apply(expired.game, 0, parse_action("pass"))
            assert replay(made.game.setup, [*log, *passed.moves]) == passed.game
            clock = apply(expired.game, 0, parse_action("pass"), Mover.CLOCK)
            assert replay(made.game.setup, [*log, *clock.moves]) == clock.game
            assert clock.game.away_seats == expired.game.away_seats

    def test_tells_a_confirmation_by_the_clock_from_one_of_the_player(self):
        game = replace(play(table(replace(AI_PLAYS, **BOTH)), *SCORED), away_seats=(0, 1))
        assert expire(game).game.away_seats == (0, 1)
