"""What an answer about a score sheet holds: its hands, what became of them, and the score."""

from collections.abc import Sequence
from itertools import pairwise

from engine.cards import card_name
from engine.entries import Entry
from engine.kept_sheets import SheetHand, StruckHand, Word
from service.preconditions import etag
from service.schemas import dump
from service.schemas.dump_scores import Wire, line, score, winner
from service.storage.score_sheets import LoggedChange, StoredSheet
from service.use_cases.keep_score_sheet import CreatedSheet

VIEWER = "e"
"""Whoever may read a sheet sees the same."""


def etag_of(stored: StoredSheet) -> str:
    """Return the ETag of a score sheet."""
    return etag(stored.version, VIEWER)


def score_sheet(stored: StoredSheet) -> Wire:
    """Return a score sheet."""
    counted = stored.sheet.score
    return {
        "id": stored.id,
        "version": stored.version,
        "etag": etag_of(stored),
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
        "created_at": dump.time(stored.created_at),
        "updated_at": dump.time(stored.updated_at),
    }


def created(of: CreatedSheet) -> Wire:
    """Return the answer to the maker of a score sheet."""
    return {
        "score_sheet": score_sheet(of.stored),
        "edit_token": of.edit_token,
        "share_token": of.share_token,
    }


def _hand_entry(number: int, hand: SheetHand, stored: StoredSheet, *, counted: bool) -> Wire:
    last = stored.log[hand.changes[-1]]
    return {
        "hand_number": number,
        **_scored(hand.entry),
        "counted": counted,
        "tables": [_scored(table) for table in hand.entry.tables],
        **_said(last, stored.names, hand.confirmed_by),
        "history": _history(hand, stored),
    }


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


def _history(hand: SheetHand, stored: StoredSheet) -> list[Wire]:
    """Return the earlier values of a hand, each with what replaced it."""
    changes = [stored.log[place] for place in hand.changes]
    return [_past(before, after, stored.names) for before, after in pairwise(changes)]


def _past(before: LoggedChange, after: LoggedChange, names: Sequence[str]) -> Wire:
    """Return the value that ``before`` entered, and who put an end to it by ``after``."""
    assert before.change.entry is not None
    wire = {**_value(before.change.entry), "entered_at": dump.time(before.at)}
    if before.change.word.by is not None:
        wire["entered_by"] = names[before.change.word.by]
    return wire | _said(after, names, after.change.word.of)


def _deleted(of: StruckHand, stored: StoredSheet) -> Wire:
    last = stored.log[of.hand.changes[-1]]
    return {
        "hand_number": of.hand_number,
        **_past(last, stored.log[of.change], stored.names),
        "history": _history(of.hand, stored),
    }
