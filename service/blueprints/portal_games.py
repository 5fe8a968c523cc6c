"""What a portal does with its games: list them, end and delete them. And the games to join."""

from datetime import datetime
from typing import Any

from flask.typing import ResponseReturnValue

from service import answers
from service.auth import caller_of_request
from service.blueprints.calls import (
    Pages,
    count_caller,
    credential_of,
    done,
    open_for_portal,
    portal_for_caller,
    refusing,
)
from service.blueprints.once import answer_once
from service.cursors import Cursors
from service.incoming import read_body, read_query
from service.operations import PORTAL, Blueprint
from service.portal_keys import GAMES_READ, GAMES_WRITE
from service.preconditions import etag, is_expected
from service.schemas.games import Game
from service.schemas.log import PAGE_QUERY
from service.schemas.portals import (
    ABANDONMENT_REQUEST,
    GAMES_QUERY,
    GamePage,
    OpenGamePage,
)
from service.storage.game_lists import Wanted
from service.use_cases.abandon_game import abandon_game
from service.use_cases.delete_game import delete_game
from service.use_cases.house import House
from service.use_cases.list_games import games_of_portal, open_games


def add_to(doors: Blueprint, house: House, cursors: Cursors) -> None:
    """Add the operations to those on games."""
    _add_lists(doors, house, cursors)
    _add_ends(doors, house)


def _add_lists(doors: Blueprint, house: House, cursors: Cursors) -> None:
    @doors.operation(
        "GET",
        "/v1/games",
        id="listGames",
        says=(
            "List your games.\nThe portal's own, last change first; of one status, with a player, "
            "or changed since. Needs the scope `games:read`."
        ),
        answer=GamePage,
        query=GAMES_QUERY,
        who=PORTAL,
        headers=["Link"],
    )
    def list_games() -> ResponseReturnValue:
        portal = portal_for_caller(house, GAMES_READ)
        query = read_query(GAMES_QUERY)
        status = query.get("status")
        wanted = Wanted(
            portal.id,
            None if status is None else [status],
            query.get("player_ref"),
            query.get("updated_after"),
        )
        pages = Pages(cursors, f"games|{portal.id}|{_filters(query)}", query)
        found = games_of_portal(house, wanted, pages.start_of_games(), pages.limit + 1)
        return pages.answer_games(
            found, answers.summary, lambda of: (of.stored.updated_at, of.stored.game.setup.id)
        )

    @doors.operation(
        "GET",
        "/v1/open-games",
        id="listOpenGames",
        says=(
            "List the games that anybody may join.\nMade with `listed` and with a seat open, the "
            "newest first. Send the `join_code` to joinGame."
        ),
        answer=OpenGamePage,
        query=PAGE_QUERY,
        headers=["Link"],
    )
    def list_open_games() -> ResponseReturnValue:
        pages = Pages(cursors, "open-games", read_query(PAGE_QUERY))
        found = open_games(house, pages.start_of_games(), pages.limit + 1)
        return pages.answer_games(
            found, answers.open_game, lambda of: (of.created_at, of.game.setup.id)
        )


def _filters(query: dict[str, Any]) -> str:
    """Return what a cursor of this list belongs to: the filters, in a fixed order."""
    after: datetime | None = query.get("updated_after")
    since = None if after is None else after.timestamp()
    return repr((query.get("status"), query.get("player_ref"), since))


def _add_ends(doors: Blueprint, house: House) -> None:
    @doors.operation(
        "DELETE",
        "/v1/games/<game:game_id>",
        id="deleteGame",
        says=(
            "Delete a game.\nNobody can open it any more, and names, player references, notes and "
            "metadata are erased; its moves are kept. Again: 204. Needs the scope `games:write`."
        ),
        answer=None,
        empty=True,
        who=PORTAL,
        codes=["version_mismatch", "outcome_unknown"],
        guarded=True,
    )
    def delete(game_id: str) -> ResponseReturnValue:
        caller = caller_of_request(house.tokens)
        count_caller(house, caller)
        with refusing(None):
            delete_game(house, caller, game_id, lambda of: is_expected(etag(of.version, "p")))
        return done()

    @doors.operation(
        "POST",
        "/v1/games/<game:game_id>/abandonments",
        id="abandonGame",
        says=(
            "End a game without a winner.\nFor one that is stuck: a hand that is being played ends "
            "with it, without points. Again: 200. Needs the scope `games:write`. With an "
            "`Idempotency-Key` it is answered the same again."
        ),
        answer=Game,
        body=ABANDONMENT_REQUEST,
        body_needed=False,
        who=PORTAL,
        codes=["game_over", "outcome_unknown"],
        keyed=True,
    )
    def abandon(game_id: str) -> ResponseReturnValue:
        opened = open_for_portal(house, game_id, GAMES_WRITE)
        reason = read_body(ABANDONMENT_REQUEST, needed=False).get("reason_code")
        with refusing(opened):
            return answer_once(
                house,
                reason,
                lambda keep: abandon_game(house, opened.stored, reason, keep),
                lambda ended: (answers.game(opened.now(ended)), 200, {}),
                credential=credential_of(opened),
                about=lambda _: game_id,
            )
