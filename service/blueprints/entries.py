"""From hands as score keepers send them to the engine's entries, and who says what of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.actions import KnockKind
from engine.entries import Entry, entry_of_tables, entry_with_cards, entry_with_points
from engine.errors import ContradictoryRules
from engine.hand_scores import HandSide, Mistold, score_hand
from engine.kept_sheets import Word
from engine.rules import Rules, check_seats
from engine.scoring import HandOutcome
from engine.seating import side_of
from service.blueprints.rule_sets import resolve_rules
from service.errors import FieldError, Refusal, field_error, invalid
from service.schemas.scoring import mistold

PARTNERS = 4


def rules_for(sent: Mapping[str, Any], seats: int, seats_field: str) -> Rules:
    """Return the rules of a score that is kept for so many ``seats``; four are partners.

    :raises Refusal: ``validation_failed``; ``seats_field`` is what the body calls the seats.
    """
    wanted = dict(sent)
    if seats == PARTNERS:
        # Two tables are two games, and two scores; one score of four is always that of partners.
        wanted.setdefault("four_player", "partnership")
    rules = resolve_rules(wanted, "/rules")
    try:
        check_seats(rules, seats)
    except ContradictoryRules as error:
        option, _ = error.options
        params = {"option": seats_field}
        raise invalid([field_error(f"/rules/{option}", error.code, params)]) from error
    return rules


def entry_of(sent: Mapping[str, Any], rules: Rules, seats: int, pointer: str = "") -> Entry:
    """Return the entry that a read ``HandEntryRequest`` asks for, between so many ``seats``.

    :raises Refusal: ``validation_failed``, with the fault below ``pointer``.
    """
    if "tables" in sent:
        return _net(sent["tables"], rules, seats, pointer)
    return _one_hand(sent, rules, seats, pointer)


def _net(tables: Sequence[Mapping[str, Any]], rules: Rules, seats: int, pointer: str) -> Entry:
    if seats != PARTNERS:
        fault = field_error(f"{pointer}/tables", "field_not_allowed", {"field": "tables"})
        raise invalid([fault])
    first, second = (
        _one_hand(table, rules, seats, f"{pointer}/tables/{index}")
        for index, table in enumerate(tables)
    )
    if _at_table(first) & _at_table(second):
        raise _contradiction(f"{pointer}/tables/1", "tables")
    return entry_of_tables((first, second))


def _at_table(entry: Entry) -> set[int]:
    """Return the seats that are known to have played a hand."""
    named = {entry.winner, entry.knocker} | {side.seat for side in entry.sides}
    return {seat for seat in named if seat is not None}


def _one_hand(sent: Mapping[str, Any], rules: Rules, seats: int, pointer: str) -> Entry:
    if "sides" in sent:
        return _scored(sent, rules, seats, pointer)
    for name in ("winner_seat", "knocker_seat"):
        if name in sent:
            _check_seat(sent[name], seats, f"{pointer}/{name}")
    winner, knocker = sent.get("winner_seat"), sent.get("knocker_seat")
    outcome = HandOutcome(sent.get("outcome", "drawn" if winner is None else "knock"))
    entry = entry_with_points(seats, outcome, winner, sent.get("points", 0), knocker)
    if outcome is HandOutcome.UNDERCUT and knocker is not None and winner is not None:
        _check_opponents(knocker, winner, seats, f"{pointer}/knocker_seat", "winner_seat")
    return entry


def _scored(sent: Mapping[str, Any], rules: Rules, seats: int, pointer: str) -> Entry:
    """Return the entry of a hand of which both sides are told."""
    sides: list[HandSide] = sent["sides"]
    for index, side in enumerate(sides):
        _check_seat(side.seat or 0, seats, f"{pointer}/sides/{index}/seat")
    first, second = (side.seat or 0 for side in sides)
    _check_opponents(first, second, seats, f"{pointer}/sides/1/seat", "sides")
    knocker = first == sent["knocker_seat"]
    places = {"knocker": 0 if knocker else 1, "defender": 1 if knocker else 0}
    upcard = sent.get("upcard")
    knocked, defended = (sides[place] for place in places.values())
    try:
        score = score_hand(KnockKind(sent["kind"]), knocked, defended, rules, upcard)
    except Mistold as error:
        raise invalid([_mistold(error, places, pointer)]) from error
    return entry_with_cards(seats, score, upcard)


def _mistold(error: Mistold, places: Mapping[str, int], pointer: str) -> FieldError:
    """Return the fault of a hand that cannot be, where an entry has it."""
    side, *rest = error.place
    if side in places:
        error = Mistold(error.error, "sides", places[str(side)], *rest)
    return mistold(error, None, pointer)


def _check_seat(seat: int, seats: int, pointer: str) -> None:
    if seat >= seats:
        raise invalid([field_error(pointer, "out_of_range", {"min": 0, "max": seats - 1})])


def _check_opponents(one: int, other: int, seats: int, pointer: str, against: str) -> None:
    """Refuse two seats of one side that are said to have played against each other."""
    if side_of(seats, one) == side_of(seats, other):
        raise _contradiction(pointer, against)


def _contradiction(pointer: str, against: str) -> Refusal:
    return invalid([field_error(pointer, "contradictory_fields", {"field": against})])


def word_of(said: Mapping[str, Any], names: tuple[str, ...], pointer: str = "") -> Word:
    """Return whose word it is, from the fields ``by``, ``confirmed_by`` and ``reason``.

    :raises Refusal: ``validation_failed`` for a name that the sheet does not have.
    """
    by = said.get("by")
    return Word(
        None if by is None else _seat_of(by, names, f"{pointer}/by"),
        tuple(
            sorted(
                {
                    _seat_of(name, names, f"{pointer}/confirmed_by/{index}")
                    for index, name in enumerate(said.get("confirmed_by", ()))
                }
            )
        ),
        said.get("reason"),
    )


def _seat_of(name: str, names: tuple[str, ...], pointer: str) -> int:
    if name not in names:
        raise invalid([field_error(pointer, "unknown_value", {"values": list(names)})])
    return names.index(name)
