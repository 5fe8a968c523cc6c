"""From what the scoring service finds to what goes over the wire. Absent means none."""

from engine.analyses import CardsAnalysis
from engine.cards import card_name, card_names
from engine.hand_scores import CountedSide, HandScore
from engine.lay_off_search import LayOffSearch
from engine.meld_checks import MeldCheck, MeldIssue
from engine.scoring import KnockScore
from service.schemas.dump import (
    arrangement,
    discard_option,
    knocks,
    lay_off_choice,
    lay_offs,
    melds,
    possible_lay_off,
)
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


def points(of: KnockScore, winner_seat: int | None) -> Wire:
    """Return who won a hand, with how many points, and why."""
    wire: Wire = {
        "outcome": of.outcome,
        "winner": "knocker" if of.knocker_wins else "defender",
    }
    if winner_seat is not None:
        wire["winner_seat"] = winner_seat
    wire["points"] = of.points
    wire["multiplier"] = of.multiplier
    wire["lines"] = [line(each) for each in of.lines]
    return wire


def hand_score(of: HandScore) -> Wire:
    """Return the score of a hand."""
    wire = points(of.score, of.winner_seat)
    wire["knocker"] = side(of.knocker)
    wire["defender"] = side(of.defender)
    if of.lay_offs_optimal is not None:
        wire["lay_offs_optimal"] = of.lay_offs_optimal
    return wire


def analysis(of: CardsAnalysis) -> Wire:
    """Return what cards are worth."""
    ways = [arrangement(each) for each in of.arrangements]
    discards = [discard_option(each) for each in of.discards]
    wire: Wire = {"cards": card_names(of.cards), "deadwood": of.deadwood}
    if of.deadwood_after_best_discard is not None:
        wire["deadwood_after_best_discard"] = of.deadwood_after_best_discard
    wire["best"] = ways[0]
    wire["arrangements"] = ways
    wire["arrangements_truncated"] = of.more
    wire["knock_limit"] = of.knock_limit
    wire["multiplier"] = of.multiplier
    wire["knocks"] = knocks(of.knocks, discards)
    wire["discards"] = discards
    return wire


def lay_off_search(of: LayOffSearch) -> Wire:
    """Return what a defender can lay off."""
    wire: Wire = {
        "best": lay_off_choice(of.best),
        "melds_after": melds(of.melds_after),
        "possible": [possible_lay_off(each) for each in of.possible],
    }
    if of.chosen is not None:
        wire["chosen"] = lay_off_choice(of.chosen)
        wire["lay_offs_optimal"] = of.chosen.deadwood == of.best.deadwood
    return wire


def issue(of: MeldIssue) -> Wire:
    """Return what is wrong with a meld."""
    wire: Wire = {"meld": of.meld, "code": of.code}
    return wire if of.card is None else {**wire, "card": card_name(of.card)}


def lay_out_check(of: MeldCheck) -> Wire:
    """Return whether melds are valid; without the cards they are made of, nothing more."""
    wire: Wire = {"valid": not of.issues, "issues": [issue(each) for each in of.issues]}
    if of.deadwood is not None:
        wire["deadwood"] = of.deadwood
    if of.can_knock is not None:
        wire["can_knock"] = of.can_knock
    return wire
