"""What happened since a version."""

import re
from typing import Final

from flask import request
from flask.typing import ResponseReturnValue

from service import answers
from service.blueprints.calls import open_for_caller
from service.incoming import read_query
from service.operations import VIEWER, Blueprint
from service.preconditions import PRIVATE, VARY
from service.schemas.games import UPDATES_QUERY, Update
from service.use_cases.house import House
from service.use_cases.read_log import read_since

_VERSION: Final = re.compile(r"[0-9]{1,9}")


def blueprint(house: House) -> Blueprint:
    """Return the operation that tells what is new."""
    doors = Blueprint("updates")

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/updates",
        id="getUpdates",
        says=(
            "What happened since a version.\nAll moves after it, and the view. The version may "
            "stand in Last-Event-ID instead. Without one, with one that is unknown, or more than "
            "200 moves behind, reset is true: draw the game afresh."
        ),
        answer=Update,
        query=UPDATES_QUERY,
        who=VIEWER,
    )
    def get(game_id: str) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id)
        version = read_query(UPDATES_QUERY).get("after")
        since = read_since(house, opened.stored, _last_event_id() if version is None else version)
        body = answers.update(opened, since.moves, reset=since.reset)
        return body, 200, {"Cache-Control": PRIVATE, "Vary": VARY}

    return doors


def _last_event_id() -> int | None:
    sent = request.environ.get("HTTP_LAST_EVENT_ID", "")
    return int(sent) if _VERSION.fullmatch(sent) else None
