"""Score sheets to take away: as a table, and as a score pad."""

from typing import Final

from flask.typing import ResponseReturnValue

from service import score_pads, sheet_answers
from service.blueprints.sheet_calls import open_sheet
from service.operations import CSV, SHEET_READER, TEXT, Blueprint
from service.preconditions import represent
from service.use_cases.house import House

AS_A_FILE: Final = 'attachment; filename="score-sheet.csv"'


def add_exports(doors: Blueprint, house: House) -> None:
    """Add the operations to those on score sheets."""

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
        stored = open_sheet(house, score_sheet_id).stored
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
        stored = open_sheet(house, score_sheet_id).stored
        return represent(
            sheet_answers.etag_of(stored),
            lambda: score_pads.as_text(stored.names, stored.sheet),
            Content_Type=f"{TEXT}; charset=utf-8",
        )
