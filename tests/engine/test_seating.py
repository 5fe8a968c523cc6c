from itertools import islice, pairwise

import pytest

from engine.rules import STANDARD, resolve
from engine.seating import (
    Pairing,
    drawing_seats,
    first_pairing,
    next_pairing,
    side_of,
    sides,
    team_of,
)

PARTNERSHIP = resolve("standard", {"four_player": "partnership"})
LOSER_OUT = resolve("standard", {"three_player": "loser_out"})


def pairings(rules, seats, dealer, winners=()):
    """The pairings of a game as (dealer, non-dealer), for ever; who wins is in ``winners``."""
    now, won = first_pairing(seats, dealer), iter(winners)
    while True:
        yield now.dealer, now.nondealer
        now = next_pairing(rules, seats, now, next(won, None))


def first(count, rules, seats, dealer, winners=()):
    return list(islice(pairings(rules, seats, dealer, winners), count))


class TestSides:
    @pytest.mark.parametrize(
        ("seats", "expected"),
        [(2, ((0,), (1,))), (3, ((0,), (1,), (2,))), (4, ((0, 2), (1, 3)))],
    )
    def test_are_the_seats_or_the_teams(self, seats, expected):
        assert sides(seats) == expected
        for seat in range(seats):
            assert seat in sides(seats)[side_of(seats, seat)]

    def test_are_teams_of_four_only(self):
        assert [team_of(4, seat) for seat in range(4)] == [0, 1, 0, 1]
        assert {team_of(seats, seat) for seats in (2, 3) for seat in range(seats)} == {None}


class TestAPairing:
    def test_knows_who_plays_against_whom(self):
        pairing = Pairing(dealer=3, nondealer=0)
        assert (pairing.other(3), pairing.other(0)) == (0, 3)
        assert pairing.swapped() == Pairing(0, 3)


class TestTheDrawForTheDeal:
    """Full s3; of partners the two who play first draw."""

    @pytest.mark.parametrize(("seats", "drawing"), [(2, 2), (3, 3), (4, 2)])
    def test_is_among(self, seats, drawing):
        assert drawing_seats(seats) == drawing


class TestTwo:
    """Full s3: the deal alternates, after a drawn hand too."""

    @pytest.mark.parametrize("dealer", [0, 1])
    def test_deal_in_turn_whoever_wins(self, dealer):
        found = first(4, STANDARD, 2, dealer, [0, None, 1])
        assert found == [(dealer, 1 - dealer), (1 - dealer, dealer)] * 2

    @pytest.mark.parametrize(
        ("rule", "dealers"), [("winner", [0, 1, 1, 0]), ("loser", [0, 0, 0, 1])]
    )
    def test_may_have_the_winner_or_the_loser_deal_and_the_same_after_a_drawn_hand(
        self, rule, dealers
    ):
        rules = resolve("standard", {"next_dealer": rule})
        found = first(4, rules, 2, 0, [1, None, 0])
        assert found == [(dealer, 1 - dealer) for dealer in dealers]


class TestThreeInRotation:
    """Full s6: one sits out each hand, rotating after every deal."""

    @pytest.mark.parametrize("dealer", [0, 1, 2])
    def test_begin_with_the_dealer_and_the_seat_after_it(self, dealer):
        assert first(1, STANDARD, 3, dealer) == [(dealer, (dealer + 1) % 3)]

    @pytest.mark.parametrize("dealer", [0, 1, 2])
    def test_deal_lead_and_sit_out_once_in_three_hands(self, dealer):
        for three in (first(3, STANDARD, 3, dealer), first(6, STANDARD, 3, dealer)[3:]):
            assert [sorted(seats) for seats in zip(*three, strict=True)] == [[0, 1, 2]] * 2
            assert sorted(3 - sum(pair) for pair in three) == [0, 1, 2]

    def test_move_on_by_one_whoever_won_and_if_nobody_did(self):
        expected = [(0, 1), (1, 2), (2, 0), (0, 1)]
        assert first(4, STANDARD, 3, 0, [0, None, 2]) == expected
        assert first(4, STANDARD, 3, 0, [1, 1, 0]) == expected

    @pytest.mark.parametrize("rule", ["winner", "loser"])
    def test_do_not_read_who_deals_next(self, rule):
        rules = resolve("standard", {"next_dealer": rule})
        assert first(4, rules, 3, 1, [1, 2, 0]) == first(4, STANDARD, 3, 1)


class TestThreeWhereTheLoserGoesOut:
    def test_let_the_seat_after_the_loser_deal(self):
        assert first(3, LOSER_OUT, 3, 0, [0, 2]) == [(0, 1), (2, 0), (1, 2)]

    def test_stay_after_a_drawn_hand_and_pass_the_deal(self):
        assert first(3, LOSER_OUT, 3, 0, [None, None]) == [(0, 1), (1, 0), (0, 1)]

    @pytest.mark.parametrize("winner", [0, 1])
    def test_keep_the_winner_in(self, winner):
        before, after = first(2, LOSER_OUT, 3, 0, [winner])
        assert winner in after
        assert sum(before) - winner not in after


class TestPartners:
    """Full s6: a partnership rotation, one hand at a time."""

    def test_play_each_of_the_others_in_four_hands(self):
        found = first(8, PARTNERSHIP, 4, 0)
        assert [set(pair) for pair in found] == [{0, 1}, {2, 3}, {0, 3}, {1, 2}] * 2

    @pytest.mark.parametrize("dealer", [0, 1, 2, 3])
    def test_deal_in_turn_by_team_whoever_wins(self, dealer):
        found = first(9, PARTNERSHIP, 4, dealer, [0, None, 3, 1])
        assert found[0][0] == dealer
        assert all(one[0] % 2 != other[0] % 2 for one, other in pairwise(found))
        assert all(sum(seat % 2 for seat in pair) == 1 for pair in found)

    def test_begin_with_the_first_two_whichever_of_them_deals(self):
        assert first(2, PARTNERSHIP, 4, 0) == [(0, 1), (3, 2)]
        assert first(2, PARTNERSHIP, 4, 1) == [(1, 0), (2, 3)]

    def test_begin_with_the_others_where_one_of_those_was_chosen_to_deal(self):
        assert [set(pair) for pair in first(4, PARTNERSHIP, 4, 3)] == [
            {2, 3}, {0, 3}, {1, 2}, {0, 1}
        ]  # fmt: skip
