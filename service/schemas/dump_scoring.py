"""From what the scoring service finds to what goes over the wire. Absent means none."""

from engine.cards import card_names
from engine.hand_scores import CountedSide, HandScore
from service.schemas.dump import lay_offs, melds
from service.schemas.dump_scores import Wire, line


def side(of: CountedSide) -> Wire:
    """Return one side as it was counted."""
    wire: Wire = {} if of.seat is None else {"seat": of.seat}
    wire["cards"] = card_names(of.cards)
    wire["melds"] = melds(of.melds)
    wire["unmatched"] = card_names(of.unmatched)
    wire["lay_offs"] = lay_offs(of.lay_offs)
    wire["deadwood"] = of.deadwood
    return wire


def hand_score(of: HandScore) -> Wire:
    """Return the score of a hand."""
    score = of.score
    wire: Wire = {
        "outcome": score.outcome,
        "winner": "knocker" if score.knocker_wins else "defender",
    }
    if of.winner_seat is not None:
        wire["winner_seat"] = of.winner_seat
    wire["points"] = score.points
    wire["multiplier"] = score.multiplier
    wire["lines"] = [line(each) for each in score.lines]
    wire["knocker"] = side(of.knocker)
    wire["defender"] = side(of.defender)
    if of.lay_offs_optimal is not None:
        wire["lay_offs_optimal"] = of.lay_offs_optimal
    return wire
