"""Who plays a hand, who deals it and who sits it out; and who are partners.

A hand is always between two seats, however many sit at the table. Two play every hand. Of three
one sits out. Four play as partners, seats 0 and 2 against 1 and 3, one of each team at a time; two
tables of two are two games.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.rules import Rules

Sides: TypeAlias = tuple[tuple[int, ...], ...]

_SIDES: Final[dict[int, Sides]] = {
    2: ((0,), (1,)),
    3: ((0,), (1,), (2,)),
    4: ((0, 2), (1, 3)),
}
_PARTNERS: Final = 4
_FIRST_TO_PLAY: Final = 2
_ROUND: Final = ((0, 1), (2, 3), (0, 3), (2, 1))
"""Who of each team plays, hand by hand, and then from the beginning (full s6)."""


@dataclass(frozen=True, slots=True)
class SeatCount:
    """A number that belongs to a seat."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class Pairing:
    """The two seats that play a hand: the dealer, and the other one, who begins."""

    dealer: int
    nondealer: int

    def swapped(self) -> "Pairing":
        """Return the same two with the deal passed on."""
        return Pairing(self.nondealer, self.dealer)

    def other(self, seat: int) -> int:
        """Return the seat that plays against ``seat``."""
        return self.nondealer if seat == self.dealer else self.dealer


def sides(seats: int) -> Sides:
    """Return who wins and loses together: each seat for itself, or the seats of each team."""
    return _SIDES[seats]


def side_of(seats: int, seat: int) -> int:
    """Return the side that ``seat`` belongs to."""
    return seat % len(_SIDES[seats])


def team_of(seats: int, seat: int) -> int | None:
    """Return the team of ``seat``: 0 for seats 0 and 2, 1 for 1 and 3; None without partners."""
    return side_of(seats, seat) if seats == _PARTNERS else None


def drawing_seats(seats: int) -> int:
    """Return how many seats, from seat 0 on, draw for the first deal.

    All do; but of partners only seats 0 and 1, who play first.
    """
    return _FIRST_TO_PLAY if seats == _PARTNERS else seats


def first_pairing(seats: int, dealer: int) -> Pairing:
    """Return who plays the first hand, which ``dealer`` deals.

    Of three the seat after the dealer plays and the last one sits out. Partners begin with seats 0
    and 1; where seat 2 or 3 was chosen to deal, with those two, and go on from there.
    """
    return Pairing(dealer, (dealer + 1) % 3 if seats == 3 else dealer ^ 1)


def next_pairing(rules: Rules, seats: int, last: Pairing, winner: int | None) -> Pairing:
    """Return who plays the hand after one that ``last`` played and ``winner`` won, or nobody.

    Two: the deal alternates after every hand, also one that nobody won (full s3). With ``winner``
    or ``loser`` that seat deals, and a drawn hand keeps its dealer. Three and four have an order
    of their own, and ``next_dealer`` is not read.
    """
    if seats == _PARTNERS:
        return _next_partners(last)
    if seats > _FIRST_TO_PLAY:
        return _next_of_three(rules, last, winner)
    if rules.next_dealer == "alternate":
        return last.swapped()
    if winner is None:
        return last
    dealer = winner if rules.next_dealer == "winner" else last.other(winner)
    return Pairing(dealer, last.other(dealer))


def _next_of_three(rules: Rules, last: Pairing, winner: int | None) -> Pairing:
    """Return the pairing of three after ``last``: the seat after the one that sits out deals.

    Sitting out moves on by one each deal, or ``loser_out`` falls to the loser; then the same two
    play again after a drawn hand, and the deal passes (full s6).
    """
    if rules.three_player == "rotate":
        return _without((_sitting_out(last) + 1) % 3)
    return last.swapped() if winner is None else _without(last.other(winner))


def _sitting_out(pairing: Pairing) -> int:
    return 3 - pairing.dealer - pairing.nondealer


def _without(sits_out: int) -> Pairing:
    return Pairing((sits_out + 1) % 3, (sits_out + 2) % 3)


def _next_partners(last: Pairing) -> Pairing:
    """Return the next two of the round; the deal alternates between the teams."""
    played = sorted((last.dealer, last.nondealer), key=lambda seat: seat % 2)
    first, second = _ROUND[(_ROUND.index((played[0], played[1])) + 1) % len(_ROUND)]
    return Pairing(second, first) if last.dealer % 2 == 0 else Pairing(first, second)
