"""Results of hands and the score of a game."""

from service.schemas import declare as wire
from service.schemas.cards import LayOff, Meld
from service.schemas.shapes import AnswerSchema

OUTCOMES = "open: knock, gin, big_gin, undercut, drawn, void, resigned"


class ScoreLine(AnswerSchema):
    """One line of a score; the lines add up."""

    code = wire.text(
        "open: deadwood_difference, gin_bonus, big_gin_bonus, undercut_bonus, multiplier, "
        "box_bonus, game_bonus, shutout_bonus"
    )
    points = wire.number()
    seat = wire.seat(required=False)
    team = wire.number("in place of seat where partners play", required=False)
    count = wire.number(required=False)
    column = wire.number(required=False)


class SideResult(AnswerSchema):
    """One side of a finished hand, laid out."""

    seat = wire.seat()
    cards = wire.cards("all cards held at the end")
    melds = wire.many(Meld)
    unmatched = wire.cards("after lay-offs")
    lay_offs = wire.many(LayOff)
    deadwood = wire.number()


class HandResult(AnswerSchema):
    """How a hand ended."""

    hand_number = wire.number()
    outcome = wire.text(OUTCOMES)
    knocker_seat = wire.seat(required=False)
    winner_seat = wire.seat(required=False)
    winner_team = wire.number("where partners play", required=False)
    points = wire.number()
    multiplier = wire.number()
    lines = wire.many(ScoreLine)
    sides = wire.many(SideResult, "the playing seats")


class HandPoints(AnswerSchema):
    """What a hand counted."""

    hand_number = wire.number()
    outcome = wire.text(f"{OUTCOMES}, net (of two hands played at once)")
    knocker_seat = wire.seat(required=False)
    winner_seat = wire.seat(required=False)
    winner_team = wire.number("where partners play", required=False)
    points = wire.number()
    counted = wire.flag("false: the game had ended before it")


class ScoreRow(AnswerSchema):
    """One entry of a column."""

    hand_number = wire.number()
    seat = wire.seat(required=False)
    team = wire.number("where partners play", required=False)
    points = wire.number()
    running_total = wire.number("of that seat, or of its team")


class SeatTotal(AnswerSchema):
    """The totals of a seat; where partners play the bonuses are the team's and none a seat's."""

    seat = wire.seat()
    hand_points = wire.number()
    boxes = wire.number("hands won")
    bonus_points = wire.number()
    total = wire.number()


class Team(AnswerSchema):
    """The totals of partners."""

    team = wire.number("0 = seats 0 and 2, 1 = seats 1 and 3")
    seats = wire.seats()
    score = wire.number("running score: what counts towards the target")
    boxes = wire.number()
    bonus_points = wire.number()
    total = wire.number()


class ScoreColumn(AnswerSchema):
    """A column of the score sheet."""

    column = wire.number("1 to 3")
    complete = wire.flag()
    rows = wire.many(ScoreRow)
    totals = wire.many(SeatTotal)
    teams = wire.many(Team, "empty without partners")
    lines = wire.many(ScoreLine, "bonuses of this column")
    winner_seat = wire.seat(required=False)
    winner_team = wire.number("where partners play", required=False)


class GameScore(AnswerSchema):
    """The score of a game. Complete without a winner is a tie, which only Hollywood knows."""

    complete = wire.flag()
    winner_seat = wire.seat(required=False)
    winner_team = wire.number("where partners play", required=False)
    margin = wire.number("final margin, bonuses included; may be negative", required=False)
    totals = wire.many(SeatTotal, "over all columns")
    teams = wire.many(Team, "empty without partners")
    columns = wire.many(ScoreColumn, "one, or three for Hollywood")
    hands = wire.many(HandPoints)
