"""Score sheets: making them, what is said when a hand is deleted, and how a sheet looks."""

from typing import Any, Final

from marshmallow import ValidationError

from service.schemas import declare as wire
from service.schemas.entries import LONGEST_NAME, LONGEST_REASON
from service.schemas.fields import Fault, Inner, Lines, Moment, QueryFlag, Sequenced, Text
from service.schemas.log import PageQuery
from service.schemas.rules import Rules, RulesRequest
from service.schemas.scores import OUTCOMES as ALL_OUTCOMES
from service.schemas.scores import GameScore, ScoreLine, SideResult
from service.schemas.shapes import AnswerSchema, QuerySchema, RequestSchema

OUTCOMES: Final = f"{ALL_OUTCOMES}, net (of two hands played at once)"


class ScoreSheetRequest(RequestSchema):
    """Who plays, in the order of their seats, and by which rules. Four are partners."""

    names = Sequenced(
        Text(LONGEST_NAME),
        4,
        required=True,
        metadata={
            "description": "different names; of four the first and the third are partners",
            "minItems": 2,
        },
    )
    rules = Inner(RulesRequest)
    metadata = wire.metadata_sent("sheet")

    def check(self, loaded: dict[str, Any]) -> None:
        """Refuse fewer than two names, a blank one, and the same one twice."""
        names = loaded["names"]
        if len(names) < 2:
            raise ValidationError({"names": [Fault("out_of_range", min=2, max=4)]})
        for index, name in enumerate(names):
            if not name.strip():
                raise ValidationError({"names": {index: [Fault("required")]}})
            if name in names[:index]:
                raise ValidationError({"names": {index: [Fault("duplicate_name")]}})


class DeletionQuery(QuerySchema):
    """Who deletes a hand, who confirms it, and why."""

    by = Text(LONGEST_NAME, metadata={"description": "who deletes it; a name of the sheet"})
    confirmed_by = Sequenced(
        Text(LONGEST_NAME), 4, metadata={"description": "names of the sheet, one each time"}
    )
    reason = Lines(LONGEST_REASON, metadata={"description": "why"})


class ScoreSheetsQuery(PageQuery):
    """Which score sheets, and which page of them."""

    complete = QueryFlag(metadata={"description": "whether the game is over"})
    name = Text(LONGEST_NAME, metadata={"description": "with exactly this name on it"})
    updated_after = Moment(
        metadata={
            "description": "changed after this moment",
            "type": "string",
            "format": "date-time",
        }
    )


class EntryChange(AnswerSchema):
    """An earlier value of a hand, and who replaced it, when and why."""

    outcome = wire.text(OUTCOMES)
    knocker_seat = wire.seat(required=False)
    winner_seat = wire.seat(required=False)
    winner_team = wire.number("where partners play", required=False)
    points = wire.number()
    entered_at = wire.time("when this value was entered")
    entered_by = wire.text("who entered this value; a name of the sheet", required=False)
    was_confirmed_by = wire.texts("who stood by this value")
    at = wire.time("when it was replaced")
    by = wire.text("who replaced it; a name of the sheet", required=False)
    confirmed_by = wire.texts("who confirmed what replaced it")
    reason = wire.text("why it was replaced", required=False)


class TableScore(AnswerSchema):
    """One of two hands that partners played at once."""

    outcome = wire.text(OUTCOMES)
    knocker_seat = wire.seat(required=False)
    winner_seat = wire.seat(required=False)
    winner_team = wire.number(required=False)
    points = wire.number()
    multiplier = wire.number()
    lines = wire.many(ScoreLine, "empty where points were entered")
    sides = wire.many(SideResult, "empty where points were entered")
    upcard = wire.card(required=False)


class HandEntry(AnswerSchema):
    """A hand as it stands."""

    hand_number = wire.number()
    outcome = wire.text(OUTCOMES)
    knocker_seat = wire.seat(required=False)
    winner_seat = wire.seat(required=False)
    winner_team = wire.number("where partners play", required=False)
    points = wire.number()
    multiplier = wire.number()
    counted = wire.flag("false: the game had ended before it")
    lines = wire.many(ScoreLine, "empty where points were entered")
    sides = wire.many(SideResult, "empty where points were entered; a count alone has no cards")
    upcard = wire.card(required=False)
    tables = wire.many(TableScore, "the two hands of which it is the net; else empty")
    at = wire.time("when it was entered or last corrected")
    by = wire.text("who entered or last corrected it; a name of the sheet", required=False)
    confirmed_by = wire.texts("who confirms it, its writer included; names of the sheet")
    reason = wire.text("why it was last corrected", required=False)
    history = wire.many(EntryChange, "earlier values, oldest first")


class DeletedHand(AnswerSchema):
    """A hand that was deleted: the value and the number it had, and who deleted it."""

    hand_number = wire.number("when it was deleted")
    outcome = wire.text(OUTCOMES)
    knocker_seat = wire.seat(required=False)
    winner_seat = wire.seat(required=False)
    winner_team = wire.number("where partners play", required=False)
    points = wire.number()
    entered_at = wire.time("when this value was entered")
    entered_by = wire.text("who entered this value; a name of the sheet", required=False)
    was_confirmed_by = wire.texts("who stood by this value")
    at = wire.time("when it was deleted")
    by = wire.text("who deleted it; a name of the sheet", required=False)
    confirmed_by = wire.texts("who confirmed that it was deleted")
    reason = wire.text("why it was deleted", required=False)
    history = wire.many(EntryChange, "earlier values, oldest first")


class ScoreSheet(AnswerSchema):
    """Hands kept for people who play elsewhere; seats are the places of their names, from 0."""

    id = wire.text()
    version = wire.number("counts every change")
    etag = wire.text("of this sheet; send it as If-Match to change a hand")
    names = wire.texts("by seat")
    rules = wire.one(Rules)
    entries = wire.many(HandEntry)
    deleted = wire.many(DeletedHand, "hands that were deleted, oldest first")
    score = wire.one(GameScore)
    metadata = wire.metadata("for the portal alone", required=False)
    created_at = wire.time()
    updated_at = wire.time()


class ScoreSheetSummary(AnswerSchema):
    """A score sheet in a list of its portal."""

    id = wire.text()
    version = wire.number()
    names = wire.texts("by seat")
    hand_count = wire.number("of the hands that stand")
    complete = wire.flag("the game is over")
    metadata = wire.metadata("as given")
    created_at = wire.time()
    updated_at = wire.time()


class ScoreSheetPage(AnswerSchema):
    """A page of score sheets."""

    items = wire.many(ScoreSheetSummary)
    next_cursor = wire.text(required=False)


class CreatedScoreSheet(AnswerSchema):
    """A new score sheet, and the only answer that has its tokens."""

    score_sheet = wire.one(ScoreSheet)
    edit_token = wire.text("gse_…, for this sheet only")
    share_token = wire.text("gsr_…, reads this sheet only")


SCORE_SHEET_REQUEST: Final = ScoreSheetRequest()
DELETION_QUERY: Final = DeletionQuery()
SCORE_SHEETS_QUERY: Final = ScoreSheetsQuery()
