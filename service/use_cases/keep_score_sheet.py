"""Keep a score sheet: make it, enter and correct its hands."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from engine.entries import Entry
from engine.errors import IllegalAction
from engine.kept_sheets import Change, Sheet, Word, put, says_already, strike
from engine.rules import Rules
from service.storage import score_sheets
from service.storage.errors import Busy
from service.storage.pool import Connection
from service.storage.score_sheets import NOBODYS, SheetOwnership, StoredSheet
from service.tokens import SheetToken, TokenKind
from service.use_cases.do_once import Keep, write_keeping
from service.use_cases.house import House
from service.use_cases.make_move import TRIES
from service.use_cases.open_score_sheet import load_sheet
from service.use_cases.refusals import Refused

Versions = Collection[int] | None
"""The versions of a sheet that a caller has looked at; None stands for whichever it is."""


@dataclass(frozen=True, slots=True)
class CreatedSheet:
    """A new score sheet, with the token of those who write and of those who look."""

    stored: StoredSheet
    edit_token: str
    share_token: str


def create_score_sheet(
    house: House,
    names: tuple[str, ...],
    rules: Rules,
    keep: Keep[CreatedSheet] | None = None,
    owner: SheetOwnership = NOBODYS,
) -> CreatedSheet:
    """Make a score sheet of ``names``, two to four; four are partners, the first and the third.

    ``owner`` says whose it is. ``keep`` keeps the answer.
    """
    sheet_id = house.randomness.score_sheet_id()

    def token(kind: TokenKind) -> str:
        return house.tokens.write_sheet(SheetToken(kind, sheet_id))

    def write(conn: Connection) -> CreatedSheet:
        stored = score_sheets.insert(conn, sheet_id, names, rules, owner)
        return CreatedSheet(stored, token(TokenKind.SHEET_EDITOR), token(TokenKind.SHEET_READER))

    created = write_keeping(house, write, keep)
    assert created is not None  # a new sheet stands in nobody's way
    return created


def put_hand(
    house: House, stored: StoredSheet, hand_number: int, entry: Entry, word: Word, seen: Versions
) -> StoredSheet:
    """Enter, correct or confirm a hand of a sheet that the caller has ``seen``; return the sheet.

    What stands there already, or was done by this very request, is done: whatever was seen.

    :raises Refused: ``version_mismatch``, ``hand_number_too_high``, ``score_sheet_full``, or
        ``confirmation_required``; with the sheet as it stands.
    :raises Busy: if others kept changing the sheet.
    """

    def is_done(now: StoredSheet) -> bool:
        return says_already(now.sheet, hand_number, entry, word)

    def decide(sheet: Sheet) -> Change:
        return put(sheet, hand_number, entry, word)

    return _write(house, stored, seen, (hand_number, entry, word), is_done, decide)


def strike_hand(
    house: House, stored: StoredSheet, hand_number: int, word: Word, seen: Versions
) -> StoredSheet:
    """Strike a hand out of a sheet that the caller has ``seen``; later hands move up.

    :raises Refused: ``version_mismatch``, ``not_found``, ``score_sheet_full``, or
        ``confirmation_required``; with the sheet as it stands.
    :raises Busy: if others kept changing the sheet.
    """

    def is_done(_now: StoredSheet) -> bool:
        return False

    def decide(sheet: Sheet) -> Change:
        if hand_number > len(sheet.hands):
            raise Refused("not_found")
        return strike(sheet, hand_number, word)

    return _write(house, stored, seen, (hand_number, None, word), is_done, decide)


def _write(
    house: House,
    stored: StoredSheet,
    seen: Versions,
    asked: tuple[int, Entry | None, Word],
    is_done: Callable[[StoredSheet], bool],
    decide: Callable[[Sheet], Change],
) -> StoredSheet:
    """Decide on the sheet as it stands and write once; a missed guard is looked at again."""
    erased = stored.erased
    for _ in range(TRIES):
        if is_done(stored) or any(_was_asked(stored, version, asked) for version in seen or ()):
            return stored
        if seen is not None and (stored.version not in seen or stored.erased != erased):
            raise Refused("version_mismatch", {"expected_version": stored.version}, sheet=stored)
        try:
            change = decide(stored.sheet)
        except IllegalAction as error:
            raise Refused(error.code, _named(error, stored), sheet=stored) from error
        with house.store.writing() as conn:
            saved = score_sheets.save(conn, stored, change)
        if saved is not None:
            return saved
        stored = load_sheet(house, stored.id)
    raise Busy("the score sheet keeps changing")


def _was_asked(stored: StoredSheet, version: int, asked: tuple[int, Entry | None, Word]) -> bool:
    """Return whether the change made to ``version`` is what is asked for: then it was this."""
    made = stored.change_after(version)
    return made is not None and (made.hand_number, made.entry, made.word) == asked


def _named(error: IllegalAction, stored: StoredSheet) -> dict[str, object]:
    """Return the facts of ``error`` with the names of the sheet in the place of seats."""
    params = dict(error.params)
    if "seats" in params:
        seats = params.pop("seats")
        assert isinstance(seats, tuple)
        params["names"] = tuple(stored.names[seat] for seat in seats)
    return params
