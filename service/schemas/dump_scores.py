"""From the score of a game to what goes over the wire. Absent means none."""

from typing import Any, TypeAlias

from engine.columns import ScoreColumn, ScoredHand, ScoreRow, SeatTotal, TeamTotal
from engine.entries import Entry
from engine.scoring import HandResult, ScoreLine
from engine.settlement import GameScore, HandPoints
from engine.views import GameView

Wire: TypeAlias = dict[str, Any]


def line(of: ScoreLine) -> Wire:
    """Return one line of a score."""
    wire: Wire = {"code": of.code, "points": of.points}
    if of.seat is not None:
        wire["seat"] = of.seat
    if of.team is not None:
        wire["team"] = of.team
    if of.count is not None:
        wire["count"] = of.count
    if of.column is not None:
        wire["column"] = of.column
    return wire


def winner(of: GameScore | GameView | HandResult | ScoreColumn | ScoredHand | Entry) -> Wire:
    """Return who has won, a seat or a team or both; nothing where nobody has."""
    wire: Wire = {}
    if of.winner is not None:
        wire["winner_seat"] = of.winner
    if of.winner_team is not None:
        wire["winner_team"] = of.winner_team
    return wire


def score(of: GameScore) -> Wire:
    """Return the score of a game."""
    wire: Wire = {"complete": of.complete, **winner(of)}
    if of.margin is not None:
        wire["margin"] = of.margin
    wire["totals"] = [_total(each) for each in of.totals]
    wire["teams"] = [_team(each) for each in of.teams]
    wire["columns"] = [_column(each) for each in of.columns]
    wire["hands"] = [_hand_points(each) for each in of.hands]
    return wire


def _hand_points(of: HandPoints) -> Wire:
    hand = of.hand
    wire: Wire = {"hand_number": hand.hand_number, "outcome": hand.outcome}
    if hand.knocker is not None:
        wire["knocker_seat"] = hand.knocker
    wire.update(winner(hand))
    wire["points"] = hand.points
    wire["counted"] = of.counted
    return wire


def _total(of: SeatTotal) -> Wire:
    return {
        "seat": of.seat,
        "hand_points": of.hand_points,
        "boxes": of.boxes,
        "bonus_points": of.bonus_points,
        "total": of.total,
    }


def _team(of: TeamTotal) -> Wire:
    return {
        "team": of.team,
        "seats": list(of.seats),
        "score": of.score,
        "boxes": of.boxes,
        "bonus_points": of.bonus_points,
        "total": of.total,
    }


def _row(of: ScoreRow) -> Wire:
    wire: Wire = {"hand_number": of.hand_number}
    if of.seat is not None:
        wire["seat"] = of.seat
    if of.team is not None:
        wire["team"] = of.team
    wire["points"] = of.points
    wire["running_total"] = of.running_total
    return wire


def _column(of: ScoreColumn) -> Wire:
    wire: Wire = {
        "column": of.column,
        "complete": of.complete,
        "rows": [_row(each) for each in of.rows],
        "totals": [_total(each) for each in of.totals],
        "teams": [_team(each) for each in of.teams],
        "lines": [line(each) for each in of.lines],
    }
    wire.update(winner(of))
    return wire
