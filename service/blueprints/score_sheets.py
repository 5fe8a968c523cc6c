"""Score sheets: hands kept for people who play elsewhere, corrected and taken away as text."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from flask.typing import ResponseReturnValue

from service import score_pads, sheet_answers
from service.auth import sheet_token_of_request
from service.blueprints.calls import Answer, refusing
from service.blueprints.entries import entry_of, rules_for, word_of
from service.blueprints.once import answer_once
from service.errors import Refusal
from service.incoming import read_body, read_query
from service.operations import CSV, SHEET, SHEET_READER, TEXT, Blueprint
from service.preconditions import expected_versions, represent
from service.schemas.entries import HAND_ENTRY_REQUEST
from service.schemas.score_sheets import (
    DELETION_QUERY,
    SCORE_SHEET_REQUEST,
    CreatedScoreSheet,
    ScoreSheet,
)
from service.storage.score_sheets import StoredSheet
from service.use_cases.house import House
from service.use_cases.keep_score_sheet import (
    CreatedSheet,
    check_may_write,
    create_score_sheet,
    delete_score_sheet,
    open_score_sheet,
    put_hand,
    strike_hand,
)
from service.use_cases.refusals import Refused

OF_A_CHANGE: Final = (
    "share_token_read_only",
    "confirmation_required",
    "score_sheet_full",
    "outcome_unknown",
)
AS_A_FILE: Final = 'attachment; filename="score-sheet.csv"'


def _path(sheet_id: str) -> str:
    return f"/v1/score-sheets/{sheet_id}"


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn what a use case refuses into a problem that shows the sheet as it stands."""
    try:
        with refusing(None):
            yield
    except Refusal as refusal:
        why = refusal.__cause__
        if isinstance(why, Refused) and why.sheet is not None:
            refusal.score_sheet = sheet_answers.score_sheet(why.sheet)
        raise


def _answer_created(created: CreatedSheet) -> Answer:
    stored = created.stored
    headers = {"Location": _path(stored.id), "ETag": sheet_answers.etag_of(stored)}
    return sheet_answers.created(created), 201, headers


def _changed(stored: StoredSheet) -> Answer:
    """Return the sheet after a change, and of what address this is the representation."""
    headers = {"ETag": sheet_answers.etag_of(stored), "Content-Location": _path(stored.id)}
    return sheet_answers.score_sheet(stored), 200, headers


def _opened(house: House, sheet_id: str, *, to_write: bool = False) -> StoredSheet:
    """Return the sheet for the caller, who may have to hold the edit token.

    :raises Refusal: ``token_missing``, ``token_invalid``, ``not_found``, ``share_token_read_only``.
    """
    token = sheet_token_of_request(house.tokens)
    with _refusing():
        stored = open_score_sheet(house, token, sheet_id)
        if to_write:
            check_may_write(token)
    return stored


def blueprint(house: House) -> Blueprint:
    """Return the operations on score sheets."""
    doors = Blueprint("score-sheets")
    _add_sheets(doors, house)
    _add_hands(doors, house)
    _add_exports(doors, house)
    return doors


def _add_sheets(doors: Blueprint, house: House) -> None:
    @doors.operation(
        "POST",
        "/v1/score-sheets",
        id="createScoreSheet",
        limit="creates",
        says=(
            "Make a score sheet.\nFor two, three, or four as partners, who play with cards of "
            "their own. Nobody needs an account: whoever has the edit token writes, whoever has "
            "the share token reads. Both stand in this answer alone; with an Idempotency-Key a "
            "lost answer is had again."
        ),
        answer=CreatedScoreSheet,
        body=SCORE_SHEET_REQUEST,
        codes=["outcome_unknown"],
        headers=["ETag"],
        created=True,
        keyed=True,
    )
    def create() -> ResponseReturnValue:
        body = read_body(SCORE_SHEET_REQUEST)
        names = tuple(body["names"])
        rules = rules_for(body.get("rules", {}), len(names), "names")
        with refusing(None):
            return answer_once(
                house,
                (names, rules),
                lambda keep: create_score_sheet(house, names, rules, keep),
                _answer_created,
            )

    @doors.operation(
        "GET",
        "/v1/score-sheets/<sheet:score_sheet_id>",
        id="getScoreSheet",
        says=(
            "A score sheet.\nIts hands with all earlier values, those that were deleted, and the "
            "score, counted anew from the first hand."
        ),
        answer=ScoreSheet,
        who=SHEET_READER,
        headers=["ETag"],
    )
    def get(score_sheet_id: str) -> ResponseReturnValue:
        stored = _opened(house, score_sheet_id)
        return represent(sheet_answers.etag_of(stored), lambda: sheet_answers.score_sheet(stored))

    @doors.operation(
        "DELETE",
        "/v1/score-sheets/<sheet:score_sheet_id>",
        id="deleteScoreSheet",
        says="Delete a score sheet.\nWith all it ever held. Again: 204 too.",
        answer=None,
        who=SHEET,
        codes=["share_token_read_only", "outcome_unknown"],
        empty=True,
    )
    def delete(score_sheet_id: str) -> ResponseReturnValue:
        token = sheet_token_of_request(house.tokens)
        with _refusing():
            delete_score_sheet(house, token, score_sheet_id)
        return "", 204


def _add_hands(doors: Blueprint, house: House) -> None:
    @doors.operation(
        "PUT",
        "/v1/score-sheets/<sheet:score_sheet_id>/hands/<ordinal:hand_number>",
        id="putScoreSheetHand",
        says=(
            "Enter or correct a hand.\nThe next number enters a hand, one that is there corrects "
            "it: by one player's word until the next hand is entered, then by that of all. With "
            "the same hand it adds who confirms it. All is counted anew, so a correction may end "
            "the game earlier or open it again. What was done is answered 200 again, whatever "
            "`If-Match` says."
        ),
        answer=ScoreSheet,
        body=HAND_ENTRY_REQUEST,
        who=SHEET,
        codes=[*OF_A_CHANGE, "hand_number_too_high"],
        headers=["ETag"],
        if_match=True,
    )
    def put(score_sheet_id: str, hand_number: int) -> ResponseReturnValue:
        stored = _opened(house, score_sheet_id, to_write=True)
        body = read_body(HAND_ENTRY_REQUEST)
        entry = entry_of(body, stored.sheet.rules, stored.sheet.seats)
        word = word_of(body, stored.names)
        seen = expected_versions(sheet_answers.VIEWER)
        with _refusing():
            return _changed(put_hand(house, stored, hand_number, entry, word, seen))

    @doors.operation(
        "DELETE",
        "/v1/score-sheets/<sheet:score_sheet_id>/hands/<ordinal:hand_number>",
        id="deleteScoreSheetHand",
        says=(
            "Delete a hand.\nLater hands move up by one. It is a correction and needs the same "
            "words. The hand stays readable in `deleted`. Done before: 200 again."
        ),
        answer=ScoreSheet,
        query=DELETION_QUERY,
        who=SHEET,
        codes=OF_A_CHANGE,
        headers=["ETag"],
        if_match=True,
    )
    def delete(score_sheet_id: str, hand_number: int) -> ResponseReturnValue:
        stored = _opened(house, score_sheet_id, to_write=True)
        word = word_of(read_query(DELETION_QUERY), stored.names, "#query")
        seen = expected_versions(sheet_answers.VIEWER)
        with _refusing():
            return _changed(strike_hand(house, stored, hand_number, word, seen))


def _add_exports(doors: Blueprint, house: House) -> None:
    @doors.operation(
        "GET",
        "/v1/score-sheets/<sheet:score_sheet_id>/csv",
        id="getScoreSheetCsv",
        says=(
            "A score sheet as a table.\nRFC 4180, UTF-8: a row for each hand with the running "
            "totals, then for each bonus and the final totals. A name that a spreadsheet would "
            "take for a formula begins with an apostrophe."
        ),
        answer=None,
        text=CSV,
        who=SHEET_READER,
        headers=["ETag"],
    )
    def get_csv(score_sheet_id: str) -> ResponseReturnValue:
        stored = _opened(house, score_sheet_id)
        return represent(
            sheet_answers.etag_of(stored),
            lambda: score_pads.as_csv(stored.names, stored.sheet),
            Content_Type=f"{CSV}; charset=utf-8",
            Content_Disposition=AS_A_FILE,
        )

    @doors.operation(
        "GET",
        "/v1/score-sheets/<sheet:score_sheet_id>/pad",
        id="getScoreSheetPad",
        says=(
            "A score sheet as a score pad.\nPlain text: names, hands with running totals (three "
            "columns each in Hollywood), bonuses, final totals and the winner."
        ),
        answer=None,
        who=SHEET_READER,
        headers=["ETag"],
    )
    def get_pad(score_sheet_id: str) -> ResponseReturnValue:
        stored = _opened(house, score_sheet_id)
        return represent(
            sheet_answers.etag_of(stored),
            lambda: score_pads.as_text(stored.names, stored.sheet),
            Content_Type=f"{TEXT}; charset=utf-8",
        )
