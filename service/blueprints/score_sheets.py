"""Score sheets: hands kept for people who play elsewhere, corrected and taken away as text."""

from typing import Final

from flask import request
from flask.typing import ResponseReturnValue

from service import sheet_answers
from service.auth import portal_key_of_request
from service.blueprints.calls import (
    Answer,
    Pages,
    credential_of,
    done,
    portal_for_caller,
    portal_if_any,
    refusing,
)
from service.blueprints.entries import entry_of, rules_for, word_of
from service.blueprints.once import answer_once
from service.blueprints.sheet_calls import caller_of, open_sheet, path_of
from service.blueprints.sheet_exports import add_exports
from service.cursors import Cursors
from service.errors import field_error, invalid
from service.incoming import read_body, read_query
from service.operations import (
    PERHAPS_PORTAL,
    PORTAL,
    SHEET,
    SHEET_READER,
    Blueprint,
)
from service.portal_keys import SCORING
from service.preconditions import represent
from service.schemas.entries import HAND_ENTRY_REQUEST
from service.schemas.score_sheets import (
    DELETION_QUERY,
    SCORE_SHEET_REQUEST,
    SCORE_SHEETS_QUERY,
    CreatedScoreSheet,
    ScoreSheet,
    ScoreSheetPage,
)
from service.storage.portals import Portal
from service.storage.score_sheets import NOBODYS, SheetOwnership
from service.storage.sheet_lists import WantedSheets
from service.use_cases.house import House
from service.use_cases.keep_score_sheet import (
    CreatedSheet,
    create_score_sheet,
    put_hand,
    strike_hand,
)
from service.use_cases.list_score_sheets import sheets_of_portal
from service.use_cases.open_game import check_scope
from service.use_cases.open_score_sheet import (
    delete_score_sheet,
)

OF_A_CHANGE: Final = (
    "share_token_read_only",
    "confirmation_required",
    "score_sheet_full",
    "outcome_unknown",
)


def _answer_created(created: CreatedSheet) -> Answer:
    stored = created.stored
    of_portal = stored.owner.portal_id is not None
    etag = sheet_answers.etag_of(stored, for_portal=of_portal)
    headers = {"Location": path_of(stored.id), "ETag": etag}
    return sheet_answers.created(created, for_portal=of_portal), 201, headers


def _maker(house: House) -> Portal | None:
    """Return the portal that makes a sheet, None for somebody else."""
    sent = "HTTP_AUTHORIZATION" in request.environ
    portal = portal_if_any(house, portal_key_of_request(house.tokens) if sent else None)
    if portal is not None:
        with refusing(None):
            check_scope(portal, SCORING)
    return portal


def _owner(portal: Portal | None, metadata: dict[str, str] | None) -> SheetOwnership:
    """Return whose a new sheet is; what is for portals alone nobody else could ever read again."""
    if portal is not None:
        return SheetOwnership(portal.id, metadata)
    if metadata is not None:
        raise invalid([field_error("/metadata", "field_not_allowed", {"field": "metadata"})])
    return NOBODYS


def blueprint(house: House, cursors: Cursors) -> Blueprint:
    """Return the operations on score sheets."""
    doors = Blueprint("score-sheets")
    _add_creation(doors, house)
    _add_list(doors, house, cursors)
    _add_sheets(doors, house)
    _add_hands(doors, house)
    add_exports(doors, house)
    return doors


def _add_creation(doors: Blueprint, house: House) -> None:
    @doors.operation(
        "POST",
        "/v1/score-sheets",
        id="createScoreSheet",
        limit="creates",
        says=(
            "Make a score sheet.\nFor two, three, or four as partners, who play with cards of "
            "their own. Nobody needs an account: whoever has the edit token writes, whoever has "
            "the share token reads. Both stand in this answer alone; with an Idempotency-Key a "
            "lost answer is had again. Made with a portal's key, which needs the scope `scoring`, "
            "the sheet is the portal's as well: it reads and changes it, and may keep `metadata` "
            "there that nobody else sees."
        ),
        answer=CreatedScoreSheet,
        body=SCORE_SHEET_REQUEST,
        who=PERHAPS_PORTAL,
        codes=["outcome_unknown"],
        headers=["ETag"],
        created=True,
        keyed=True,
    )
    def create() -> ResponseReturnValue:
        portal = _maker(house)
        body = read_body(SCORE_SHEET_REQUEST)
        names, metadata = tuple(body["names"]), body.get("metadata")
        owner = _owner(portal, metadata)
        rules = rules_for(body.get("rules", {}), len(names), "names")
        with refusing(None):
            return answer_once(
                house,
                (names, rules) if metadata is None else (names, rules, metadata),
                lambda keep: create_score_sheet(house, names, rules, keep, owner),
                _answer_created,
                credential=credential_of(portal),
                about=lambda created: created.stored.id,
            )


def _add_list(doors: Blueprint, house: House, cursors: Cursors) -> None:
    @doors.operation(
        "GET",
        "/v1/score-sheets",
        id="listScoreSheets",
        says=(
            "List your score sheets.\nThe portal's own, last change first; those that are over or "
            "not, with a name on them, or changed since. Needs the scope `scoring`."
        ),
        answer=ScoreSheetPage,
        query=SCORE_SHEETS_QUERY,
        who=PORTAL,
        headers=["Link"],
    )
    def list_sheets() -> ResponseReturnValue:
        portal = portal_for_caller(house, SCORING)
        query = read_query(SCORE_SHEETS_QUERY)
        complete, name, after = (query.get(each) for each in ("complete", "name", "updated_after"))
        filters = (complete, name, None if after is None else after.timestamp())
        pages = Pages(cursors, f"sheets|{portal.id}|{filters!r}", query)
        wanted = WantedSheets(portal.id, complete, name, after)
        found = sheets_of_portal(house, wanted, pages.start_of_games(), pages.limit + 1)
        return pages.answer_games(found, sheet_answers.summary, lambda of: (of.updated_at, of.id))


def _add_sheets(doors: Blueprint, house: House) -> None:
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
        looking = open_sheet(house, score_sheet_id)
        return represent(looking.etag, looking.wire)

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
        caller, charge_portal = caller_of(house)
        with refusing(None):
            delete_score_sheet(house, caller, score_sheet_id, charge_portal)
        return done()


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
        looking = open_sheet(house, score_sheet_id, to_write=True)
        stored, body = looking.stored, read_body(HAND_ENTRY_REQUEST)
        entry = entry_of(body, stored.sheet.rules, stored.sheet.seats)
        word = word_of(body, stored.names)
        return looking.changed(lambda seen: put_hand(house, stored, hand_number, entry, word, seen))

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
        looking = open_sheet(house, score_sheet_id, to_write=True)
        stored = looking.stored
        word = word_of(read_query(DELETION_QUERY), stored.names, "#query")
        return looking.changed(lambda seen: strike_hand(house, stored, hand_number, word, seen))
