"""A score sheet that is kept: hands entered one after another, corrected, and struck out.

What is said of a hand is a :class:`Change`; the list of changes is the sheet, and nothing in it is
ever lost. ``put`` and ``strike`` decide what may be said, ``evolve`` only keeps the books.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from engine.entries import Entry, scored_hands
from engine.errors import ConfirmationRequired, HandNumberTooHigh, ScoreSheetFull
from engine.rules import Rules
from engine.score_sheet import correction_stands
from engine.settlement import GameScore, settle_anew

MOST_HANDS: Final = 500
MOST_CHANGES: Final = 2000


class ChangeKind(StrEnum):
    """What a change does to a hand."""

    ENTERED = "entered"
    CORRECTED = "corrected"
    CONFIRMED = "confirmed"
    STRUCK = "struck"


@dataclass(frozen=True, slots=True)
class Word:
    """Who says it, who confirms it, and why. Seats stand for the names of the sheet."""

    by: int | None = None
    confirmed_by: tuple[int, ...] = ()
    reason: str | None = None

    @property
    def of(self) -> tuple[int, ...]:
        """Whose word this is: also whoever enters or corrects a hand confirms it thereby."""
        said = () if self.by is None else (self.by,)
        return tuple(sorted({*said, *self.confirmed_by}))


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a sheet. ``entry`` is what the hand then is; None if it was struck out."""

    kind: ChangeKind
    hand_number: int
    entry: Entry | None
    word: Word


@dataclass(frozen=True, slots=True)
class SheetHand:
    """A hand as it stands: who confirmed it, and the places of all that was said of it.

    The first of ``changes`` entered the hand, the others corrected or confirmed it. Places count
    from 0.
    """

    entry: Entry
    confirmed_by: tuple[int, ...]
    changes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StruckHand:
    """A hand that was struck out, with the number it had and the place of that change."""

    hand: SheetHand
    hand_number: int
    change: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """A score sheet of so many ``seats``; ``changes`` counts all that were ever made."""

    rules: Rules
    seats: int
    hands: tuple[SheetHand, ...] = ()
    struck: tuple[StruckHand, ...] = ()
    changes: int = 0

    @property
    def score(self) -> GameScore:
        """The score, counted anew from the first hand."""
        entries = tuple(hand.entry for hand in self.hands)
        return settle_anew(self.rules, self.seats, scored_hands(entries))


def says_already(sheet: Sheet, hand_number: int, entry: Entry, word: Word) -> bool:
    """Return whether the hand is entered like this, confirmed by all who say it now."""
    if hand_number > len(sheet.hands):
        return False
    hand = sheet.hands[hand_number - 1]
    return hand.entry == entry and set(word.of) <= set(hand.confirmed_by)


def put(sheet: Sheet, hand_number: int, entry: Entry, word: Word) -> Change:
    """Return the change that enters a hand, corrects it, or confirms what is there.

    :raises HandNumberTooHigh: if it is not even the next one.
    :raises ScoreSheetFull: if there is no room left.
    :raises ConfirmationRequired: if it is a correction that does not count without more words.
    """
    _check_room(sheet)
    coming = len(sheet.hands) + 1
    if hand_number > coming:
        raise HandNumberTooHigh(coming)
    if hand_number == coming:
        if coming > MOST_HANDS:
            raise ScoreSheetFull(MOST_HANDS)
        return Change(ChangeKind.ENTERED, hand_number, entry, word)
    if sheet.hands[hand_number - 1].entry == entry:
        return Change(ChangeKind.CONFIRMED, hand_number, entry, word)
    _check_confirmed(sheet, hand_number, word)
    return Change(ChangeKind.CORRECTED, hand_number, entry, word)


def strike(sheet: Sheet, hand_number: int, word: Word) -> Change:
    """Return the change that strikes out a hand that is there: a correction like any other.

    :raises ScoreSheetFull: if there is no room left for a change.
    :raises ConfirmationRequired: if it does not count without more words.
    """
    assert hand_number <= len(sheet.hands)
    _check_room(sheet)
    _check_confirmed(sheet, hand_number, word)
    return Change(ChangeKind.STRUCK, hand_number, None, word)


def _check_room(sheet: Sheet) -> None:
    if sheet.changes >= MOST_CHANGES:
        raise ScoreSheetFull(MOST_CHANGES)


def _check_confirmed(sheet: Sheet, hand_number: int, word: Word) -> None:
    closed = is_closed(sheet, hand_number)
    players = range(sheet.seats)
    if not correction_stands(next_hand_dealt=closed, confirmed_by=word.of, players=players):
        missing = tuple(seat for seat in players if seat not in word.of)
        raise ConfirmationRequired(len(missing) if closed else 1, missing)


def is_closed(sheet: Sheet, hand_number: int) -> bool:
    """Return whether a hand is corrected by nothing less than the word of all players.

    It is once the next hand is entered; the last hand of a finished game, after which there is
    none, once all have confirmed it (full s5, "Score Disputes").
    """
    if hand_number < len(sheet.hands):
        return True
    everybody = len(sheet.hands[hand_number - 1].confirmed_by) == sheet.seats
    return everybody and sheet.score.complete


def evolve(sheet: Sheet, change: Change) -> Sheet:
    """Return the sheet after ``change``, whose place is ``sheet.changes``."""
    index, place = change.hand_number - 1, sheet.changes
    before, after = sheet.hands[:index], sheet.hands[index + 1 :]
    struck = sheet.struck
    if change.entry is None:
        struck = (*struck, StruckHand(sheet.hands[index], change.hand_number, place))
        hands = (*before, *after)
    elif change.kind is ChangeKind.ENTERED:
        hands = (*before, SheetHand(change.entry, change.word.of, (place,)))
    else:
        hands = (*before, _changed(sheet.hands[index], change, place), *after)
    return replace(sheet, hands=hands, struck=struck, changes=place + 1)


def _changed(hand: SheetHand, change: Change, place: int) -> SheetHand:
    """Return ``hand`` corrected, which ends earlier confirmations, or confirmed by more."""
    assert change.entry is not None
    if change.kind is ChangeKind.CORRECTED:
        return SheetHand(change.entry, change.word.of, (*hand.changes, place))
    everybody = tuple(sorted({*hand.confirmed_by, *change.word.of}))
    return replace(hand, confirmed_by=everybody, changes=(*hand.changes, place))


def replay(rules: Rules, seats: int, changes: Iterable[Change]) -> Sheet:
    """Return the sheet that ``changes`` led to."""
    sheet = Sheet(rules, seats)
    for change in changes:
        sheet = evolve(sheet, change)
    return sheet
