"""A kept score sheet: what may be said of a hand, by whom, and what becomes of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import kept_sheets
from engine.entries import entry_with_points
from engine.errors import ConfirmationRequired, HandNumberTooHigh, ScoreSheetFull
from engine.kept_sheets import (
    ChangeKind,
    Sheet,
    Word,
    evolve,
    is_closed,
    put,
    replay,
    says_already,
    strike,
)
from engine.rules import STANDARD
from engine.scoring import HandOutcome

NOBODY = Word()
ADA, BOB, BOTH = Word(0), Word(1), Word(0, (1,))


def won(winner, points):
    return entry_with_points(2, HandOutcome.KNOCK, winner, points)


def sheet(*entries, word=NOBODY, seats=2):
    made = Sheet(STANDARD, seats)
    for number, entry in enumerate(entries, 1):
        made = evolve(made, put(made, number, entry, word))
    return made


def points(of):
    return [hand.entry.points for hand in of.hands]


class TestAWord:
    def test_is_also_that_of_whoever_says_it(self):
        assert NOBODY.of == ()
        assert Word(1).of == (1,)
        assert Word(1, (0, 1)).of == Word(None, (1, 0)).of == (0, 1)


class TestAHand:
    def test_of_the_next_number_is_entered_by_anybody(self):
        change = put(sheet(won(0, 5)), 2, won(1, 7), NOBODY)
        assert (change.kind, change.hand_number) == (ChangeKind.ENTERED, 2)

    def test_beyond_the_next_number_is_refused(self):
        with pytest.raises(HandNumberTooHigh) as refused:
            put(sheet(won(0, 5)), 3, won(1, 7), BOTH)
        assert refused.value.params == {"max": 2}

    def test_that_is_said_again_is_confirmed(self):
        made = sheet(won(0, 5), word=ADA)
        change = put(made, 1, won(0, 5), BOB)
        assert change.kind is ChangeKind.CONFIRMED
        [hand] = evolve(made, change).hands
        assert hand.confirmed_by == (0, 1)
        assert hand.changes == (0, 1)

    def test_is_there_already_only_if_nobody_new_says_so(self):
        made = sheet(won(0, 5), word=ADA)
        assert says_already(made, 1, won(0, 5), ADA)
        assert says_already(made, 1, won(0, 5), NOBODY)
        assert not says_already(made, 1, won(0, 5), BOB)
        assert not says_already(made, 1, won(0, 6), ADA)
        assert not says_already(made, 2, won(0, 5), ADA)

    def test_beyond_the_end_of_the_game_stays_on_record_uncounted(self):
        made = sheet(won(0, 100), won(1, 7))
        assert [hand.counted for hand in made.score.hands] == [True, False]


class TestACorrection:
    """Full s5, Score Disputes."""

    @pytest.mark.parametrize("word", [ADA, BOB, BOTH, Word(None, (1,))])
    def test_counts_by_any_ones_word_before_the_next_hand(self, word):
        made = sheet(won(0, 5))
        change = put(made, 1, won(0, 6), word)
        assert change.kind is ChangeKind.CORRECTED
        assert points(evolve(made, change)) == [6]

    def test_counts_by_nobodys_word_never(self):
        for change in (
            lambda made: put(made, 1, won(0, 6), NOBODY),
            lambda m: strike(m, 1, NOBODY),
        ):
            with pytest.raises(ConfirmationRequired) as refused:
                change(sheet(won(0, 5)))
            assert refused.value.params == {"min": 1, "seats": (0, 1)}

    @pytest.mark.parametrize(("word", "missing"), [(NOBODY, (0, 1)), (ADA, (1,)), (BOB, (0,))])
    def test_counts_by_all_words_after_the_next_hand(self, word, missing):
        made = sheet(won(0, 5), won(1, 7))
        for change in (lambda: put(made, 1, won(0, 6), word), lambda: strike(made, 1, word)):
            with pytest.raises(ConfirmationRequired) as refused:
                change()
            assert refused.value.params == {"min": len(missing), "seats": missing}
        assert points(evolve(made, put(made, 1, won(0, 6), BOTH))) == [6, 7]

    def test_needs_everybodys_word_of_three(self):
        made = sheet(won(0, 5), won(1, 7), seats=3)
        with pytest.raises(ConfirmationRequired):
            put(made, 1, won(0, 6), BOTH)
        assert put(made, 1, won(0, 6), Word(0, (1, 2))).kind is ChangeKind.CORRECTED

    def test_ends_what_was_confirmed_before(self):
        made = sheet(won(0, 5), word=BOTH)
        [hand] = evolve(made, put(made, 1, won(0, 6), ADA)).hands
        assert hand.confirmed_by == (0,)
        assert hand.changes == (0, 1)

    def test_may_end_the_game_earlier(self):
        made = sheet(won(0, 60), won(0, 30), won(0, 30))
        made = evolve(made, put(made, 1, won(0, 70), BOTH))
        assert [hand.counted for hand in made.score.hands] == [True, True, False]

    def test_may_open_the_game_again(self):
        made = sheet(won(0, 60), won(0, 40), won(1, 7))
        assert made.score.complete
        made = evolve(made, put(made, 2, won(0, 30), BOTH))
        assert not made.score.complete
        assert all(hand.counted for hand in made.score.hands)


class TestTheLastHand:
    def test_of_a_finished_game_is_open_until_all_have_confirmed_it(self):
        made = sheet(won(0, 100), word=ADA)
        assert not is_closed(made, 1)
        made = evolve(made, put(made, 1, won(0, 100), BOB))
        assert is_closed(made, 1)
        with pytest.raises(ConfirmationRequired):
            put(made, 1, won(0, 6), ADA)
        assert put(made, 1, won(0, 6), BOTH).kind is ChangeKind.CORRECTED

    def test_of_a_game_that_goes_on_is_open_all_the_same(self):
        assert not is_closed(sheet(won(0, 5), word=BOTH), 1)


class TestAHandStruckOut:
    def test_lets_later_ones_move_up_and_is_kept(self):
        made = sheet(won(0, 5), won(1, 7), won(0, 9))
        made = evolve(made, strike(made, 2, BOTH))
        assert points(made) == [5, 9]
        [gone] = made.struck
        assert (gone.hand_number, gone.hand.entry.points, gone.change) == (2, 7, 3)
        assert made.changes == 4

    def test_that_came_last_was_open(self):
        made = sheet(won(0, 5), won(1, 7))
        assert points(evolve(made, strike(made, 2, ADA))) == [5]

    def test_leaves_later_ones_with_what_they_were(self):
        made = sheet(won(0, 5), won(1, 7))
        made = evolve(made, put(made, 2, won(1, 8), ADA))
        made = evolve(made, strike(made, 1, BOTH))
        [hand] = made.hands
        assert (hand.entry.points, hand.changes, hand.confirmed_by) == (8, (1, 2), (0,))


class TestAFullSheet:
    def test_takes_no_further_hand_and_still_corrections(self, monkeypatch):
        monkeypatch.setattr(kept_sheets, "MOST_HANDS", 2)
        made = sheet(won(0, 5), won(1, 7))
        with pytest.raises(ScoreSheetFull) as refused:
            put(made, 3, won(0, 9), BOTH)
        assert refused.value.params == {"max": 2}
        assert put(made, 2, won(0, 9), ADA).kind is ChangeKind.CORRECTED

    def test_takes_no_further_change(self, monkeypatch):
        monkeypatch.setattr(kept_sheets, "MOST_CHANGES", 2)
        made = sheet(won(0, 5), won(1, 7))
        for change in (
            lambda: put(made, 2, won(0, 9), BOTH),
            lambda: put(made, 3, won(0, 9), BOTH),
            lambda: strike(made, 2, BOTH),
        ):
            with pytest.raises(ScoreSheetFull) as refused:
                change()
            assert refused.value.params == {"max": 2}


class TestTheListOfChanges:
    @given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 3), st.booleans()), max_size=30))
    def test_is_the_sheet(self, wishes):
        made, changes = Sheet(STANDARD, 2), []
        for number, value, out in wishes:
            if out and number <= len(made.hands):
                change = strike(made, number, BOTH)
            elif not out and number <= len(made.hands) + 1:
                change = put(made, number, won(value % 2, value), BOTH)
            else:
                continue
            changes.append(change)
            made = evolve(made, change)
        assert replay(STANDARD, 2, changes) == made
        places = [place for hand in made.hands for place in hand.changes]
        places += [place for gone in made.struck for place in (*gone.hand.changes, gone.change)]
        assert sorted(places) == list(range(len(changes))), "nothing is lost"
