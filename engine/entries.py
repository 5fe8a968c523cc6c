"""A hand as a score keeper enters it, whoever counted it.

A hand is entered with its points, with both sides' cards or counts, or as two hands that partners
played at once. All three become an :class:`Entry`, and all scores follow from entries alone.
"""

from dataclasses import dataclass

from engine.cards import Card
from engine.columns import ScoredHand
from engine.hand_scores import CountedSide, HandScore
from engine.score_sheet import TableResult, net_of_tables
from engine.scoring import HandOutcome, ScoredSide, ScoreLine
from engine.seating import team_of


@dataclass(frozen=True, slots=True)
class Entry:
    """What a hand came to.

    ``lines`` and ``sides`` are those of a hand whose cards or counts were entered, ``upcard`` the
    card that set its limit. ``tables`` are the two hands of which this is the net; a team has won
    it, and no seat.
    """

    outcome: HandOutcome
    knocker: int | None
    winner: int | None
    winner_team: int | None
    points: int
    multiplier: int = 1
    lines: tuple[ScoreLine, ...] = ()
    sides: tuple[ScoredSide, ...] = ()
    upcard: Card | None = None
    tables: tuple["Entry", ...] = ()


def entry_with_points(
    seats: int,
    outcome: HandOutcome,
    winner: int | None = None,
    points: int = 0,
    knocker: int | None = None,
) -> Entry:
    """Return the entry of a hand that was counted at the table.

    Who wins by a knock or gin has knocked; between two, who loses to an undercut has.
    """
    if knocker is None and winner is not None:
        if outcome is not HandOutcome.UNDERCUT:
            knocker = winner
        elif seats == 2:
            knocker = 1 - winner
    team = None if winner is None else team_of(seats, winner)
    return Entry(outcome, knocker, winner, team, points)


def entry_with_cards(seats: int, scored: HandScore, upcard: Card | None = None) -> Entry:
    """Return the entry of a hand that was scored from what both sides held; their seats are known.

    What a side told as a count held is not known: it has no cards.
    """
    score, winner = scored.score, scored.winner_seat
    assert winner is not None
    return Entry(
        score.outcome,
        scored.knocker.seat,
        winner,
        team_of(seats, winner),
        score.points,
        score.multiplier,
        score.lines,
        tuple(sorted(map(_side, (scored.knocker, scored.defender)), key=lambda side: side.seat)),
        upcard,
    )


def _side(counted: CountedSide) -> ScoredSide:
    assert counted.seat is not None
    return ScoredSide(
        counted.seat,
        counted.cards,
        counted.melds,
        counted.unmatched,
        counted.lay_offs,
        counted.deadwood,
    )


def entry_of_tables(tables: tuple[Entry, ...]) -> Entry:
    """Return the net of two hands that partners played at once (full s6, "Four")."""
    net = net_of_tables(TableResult(table.winner_team, table.points) for table in tables)
    return Entry(HandOutcome.NET, None, None, net.winner_team, net.points, tables=tables)


def scored_hands(entries: tuple[Entry, ...]) -> tuple[ScoredHand, ...]:
    """Return what the score of a game needs of ``entries``, numbered from 1."""
    return tuple(
        ScoredHand(
            number, entry.outcome, entry.knocker, entry.winner, entry.points, entry.winner_team
        )
        for number, entry in enumerate(entries, 1)
    )
