"""What an answer about a score sheet holds: its hands, what became of them, and the score."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from engine.cards import card_name
from engine.entries import Entry
from engine.kept_sheets import ChangeKind, SheetHand, StruckHand, Word
from service.preconditions import etag
from service.schemas import dump
from service.schemas.dump_scores import Wire, line, score, winner
from service.storage.score_sheets import LoggedChange, StoredSheet
from service.storage.sheet_lists import SheetSummary
from service.use_cases.keep_score_sheet import CreatedSheet

VIEWERS: Final = "ep"
"""Whoever has a token of a sheet sees the same; its portal sees what it keeps there as well."""

VIEWERS_OF_ERASED: Final = "fq"
"""The same, once the sheet was erased, which is no version: nothing was entered."""


def viewers_of(stored: StoredSheet) -> str:
    """Return who may have looked at a score sheet as it is; any version seen is good to change."""
    return VIEWERS_OF_ERASED if stored.erased else VIEWERS


def etag_of(stored: StoredSheet, *, for_portal: bool = False) -> str:
    """Return the ETag of a score sheet."""
    return etag(stored.version, viewers_of(stored)[for_portal])


def score_sheet(stored: StoredSheet, *, for_portal: bool = False) -> Wire:
    """Return a score sheet."""
    counted = stored.sheet.score
    kept = {"metadata": dict(stored.owner.metadata or {})} if for_portal else {}
    return {
        "id": stored.id,
        "version": stored.version,
        "etag": etag_of(stored, for_portal=for_portal),
        "names": list(stored.names),
        "rules": dump.rules(stored.sheet.rules),
        "entries": [
            _hand_entry(number, hand, stored, counted=points.counted)
            for number, (hand, points) in enumerate(
                zip(stored.sheet.hands, counted.hands, strict=True), 1
            )
        ],
        "deleted": [_deleted(each, stored) for each in stored.sheet.struck],
        "score": score(counted),
        **kept,
        "created_at": dump.time(stored.created_at),
        "updated_at": dump.time(stored.updated_at),
    }


def summary(of: SheetSummary) -> Wire:
    """Return a score sheet as an item of its portal's list."""
    return {
        "id": of.id,
        "version": of.version,
        "names": list(of.names),
        "hand_count": of.hand_count,
        "complete": of.complete,
        "metadata": dict(of.metadata),
        "created_at": dump.time(of.created_at),
        "updated_at": dump.time(of.updated_at),
    }


def created(of: CreatedSheet, *, for_portal: bool = False) -> Wire:
    """Return the answer to the maker of a score sheet."""
    return {
        "score_sheet": score_sheet(of.stored, for_portal=for_portal),
        "edit_token": of.edit_token,
        "share_token": of.share_token,
    }


def _hand_entry(number: int, hand: SheetHand, stored: StoredSheet, *, counted: bool) -> Wire:
    values = _values(hand, stored)
    return {
        "hand_number": number,
        **_scored(hand.entry),
        "counted": counted,
        "tables": [_scored(table) for table in hand.entry.tables],
        **_said(values[-1].made, stored.names, hand.confirmed_by),
        "history": _history(values, stored),
    }


@dataclass(frozen=True, slots=True)
class _Value:
    """What a hand was for a time: the change that made it so, and all who stood by it."""

    made: LoggedChange
    confirmed_by: tuple[int, ...]


def _values(hand: SheetHand, stored: StoredSheet) -> list[_Value]:
    """Return all that a hand ever was, the oldest first."""
    values: list[_Value] = []
    for place in hand.changes:
        logged = stored.log[place]
        words = set(logged.change.word.of)
        if logged.change.kind is ChangeKind.CONFIRMED:
            logged, words = values[-1].made, words | set(values.pop().confirmed_by)
        values.append(_Value(logged, tuple(sorted(words))))
    return values


def _scored(entry: Entry) -> Wire:
    """Return a hand with how it was scored."""
    wire: Wire = {
        **_value(entry),
        "multiplier": entry.multiplier,
        "lines": [line(each) for each in entry.lines],
        "sides": [dump.side(each) for each in entry.sides],
    }
    if entry.upcard is not None:
        wire["upcard"] = card_name(entry.upcard)
    return wire


def _value(entry: Entry) -> Wire:
    """Return what a hand came to."""
    wire: Wire = {"outcome": entry.outcome}
    if entry.knocker is not None:
        wire["knocker_seat"] = entry.knocker
    wire.update(winner(entry))
    wire["points"] = entry.points
    return wire


def _said(change: LoggedChange, names: Sequence[str], confirmed_by: Sequence[int]) -> Wire:
    """Return who made a change, when and why."""
    word: Word = change.change.word
    wire: Wire = {"at": dump.time(change.at)}
    if word.by is not None:
        wire["by"] = names[word.by]
    wire["confirmed_by"] = [names[seat] for seat in confirmed_by]
    if word.reason is not None:
        wire["reason"] = word.reason
    return wire


def _history(values: Sequence[_Value], stored: StoredSheet) -> list[Wire]:
    """Return the earlier ones of ``values``, each with what replaced it."""
    return [_past(before, after.made, stored.names) for before, after in pairwise(values)]


def _past(value: _Value, after: LoggedChange, names: Sequence[str]) -> Wire:
    """Return what a hand was, who stood by it, and who put an end to it by ``after``."""
    change = value.made.change
    assert change.entry is not None
    wire = {**_value(change.entry), "entered_at": dump.time(value.made.at)}
    if change.word.by is not None:
        wire["entered_by"] = names[change.word.by]
    wire["was_confirmed_by"] = [names[seat] for seat in value.confirmed_by]
    return wire | _said(after, names, after.change.word.of)


def _deleted(of: StruckHand, stored: StoredSheet) -> Wire:
    values = _values(of.hand, stored)
    return {
        "hand_number": of.hand_number,
        **_past(values[-1], stored.log[of.change], stored.names),
        "history": _history(values, stored),
    }
