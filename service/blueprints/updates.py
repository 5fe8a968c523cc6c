"""What happened since a version: asked for, waited for, or as a stream."""

import re
from time import monotonic
from typing import Final

from flask import Response, request
from flask.typing import ResponseReturnValue

from service import answers
from service.auth import Caller, caller_of_request, token_of_request
from service.blueprints import portal_feed
from service.blueprints.calls import open_for_caller, refusing
from service.cursors import Cursors
from service.errors import Refusal
from service.feed import EVENT_STREAM, Feed, Look, is_over
from service.holding import InThread, Poll, holder_of
from service.incoming import read_query
from service.limits import charge_of
from service.operations import PLAYER_OR_SPECTATOR, STREAM_VIEWER, VIEWER, Blueprint
from service.portal_keys import PortalKey
from service.preconditions import PRIVATE, VARY
from service.schemas import dump
from service.schemas.games import STREAM_QUERY, UPDATES_QUERY, StreamTicket, Update
from service.settings import Settings
from service.tickets import Ticket, Tickets
from service.tokens import TokenInvalid
from service.updates import Full, Watch
from service.use_cases.house import House
from service.use_cases.open_game import Opened, open_game
from service.use_cases.read_log import read_since

_VERSION: Final = re.compile(r"[0-9]{1,9}")
_OF_A_STREAM: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": VARY}


def blueprint(house: House, cursors: Cursors, settings: Settings) -> Blueprint:
    """Return the operations that tell what is new."""
    doors = Blueprint("updates")
    tickets = Tickets(settings.secrets)
    in_thread = InThread(house, max(1, settings.threads // 2))

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/updates",
        id="getUpdates",
        says=(
            "What happened since a version.\nAll moves after it, and the view. The version may "
            "stand in Last-Event-ID instead. Without one, with one that is unknown, or more than "
            "200 moves behind, reset is true: draw the game afresh. With `wait` the answer comes "
            "as soon as there is something to tell, or with no moves after so many seconds; at "
            "once where too many wait."
        ),
        answer=Update,
        query=UPDATES_QUERY,
        who=VIEWER,
        cursor=True,
    )
    def get(game_id: str) -> ResponseReturnValue:
        begun = monotonic()
        opened = open_for_caller(house, game_id)
        query = read_query(UPDATES_QUERY)
        version = query.get("after", _last_event_id())
        seconds = min(query["wait"], settings.longest_wait_seconds)
        if seconds and version == opened.stored.version and not is_over(opened.stored):
            now = _waited(house, in_thread, opened, seconds, begun)
            if now is None:
                return ""  # the connection waits, and this goes nowhere
            opened = now
        since = read_since(house, opened.stored, version)
        body = answers.update(opened, since.moves, reset=since.reset)
        return body, 200, {"Cache-Control": PRIVATE, "Vary": VARY}

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/updates/stream",
        id="streamUpdates",
        limit="streams",
        says=(
            "What happens, as it happens.\nServer-sent events, each an Update: `id` is its "
            "version, `event` is `update`. The first one holds everything after Last-Event-ID, or "
            "after `after`, or without either just the game. The server closes a stream every few "
            "minutes, and after the last update of a game; with the last id the client goes on, "
            "and gets 204 once there is nothing more to come. A browser's EventSource sends no "
            "headers: it takes a `ticket` instead of a token. It ends soon after the token, or "
            "the portal's key, that it was opened with."
        ),
        answer=Update,
        media=EVENT_STREAM,
        query=STREAM_QUERY,
        who=STREAM_VIEWER,
        codes=["stream_capacity", "token_expired"],
        cursor=True,
        nothing="The game is over, and everything was told: do not come back",
    )
    def stream(game_id: str) -> ResponseReturnValue:
        begun = monotonic()
        caller, opened = _open_stream(house, tickets, game_id)
        query = read_query(STREAM_QUERY)
        version = _last_event_id() if _resumes() else query.get("after")
        if is_over(opened.stored) and version == opened.stored.version:
            return _nothing_more()
        if request.method == "HEAD":
            return Response(iter(()), headers=_OF_A_STREAM, content_type=EVENT_STREAM)
        feed = _fed(house, settings, caller, opened, version, begun)
        holder = holder_of(request.environ)
        if holder is not None:
            holder.wish = feed
            return Response(iter(()), headers=_OF_A_STREAM, content_type=EVENT_STREAM)
        told = in_thread.stream(feed)
        if told is None:
            feed.watch.close()
            raise Refusal("stream_capacity")
        return Response(told, headers=_OF_A_STREAM, content_type=EVENT_STREAM)

    @doors.operation(
        "POST",
        "/v1/games/<game:game_id>/stream-tickets",
        id="createStreamTicket",
        limit="streams",
        says=(
            "A ticket for a browser's stream.\nPut it into the address of streamUpdates as "
            "`ticket`: within a minute for the first time; then it opens the same stream again, "
            "with the Last-Event-ID that browsers send, for a day or until the game is over."
        ),
        answer=StreamTicket,
        who=PLAYER_OR_SPECTATOR,
        created=True,
    )
    def create_ticket(game_id: str) -> ResponseReturnValue:
        token = token_of_request(house.tokens)
        opened = open_for_caller(house, game_id)
        ticket = Ticket(token, opened.stored.read_at.replace(microsecond=0))
        body = {
            "ticket": tickets.write(ticket),
            "use_before": dump.time(ticket.begin_before),
            "valid_until": dump.time(ticket.valid_until),
        }
        return body, 201, {"Location": f"/v1/games/{game_id}/updates/stream"}

    portal_feed.add_to(doors, house, cursors, in_thread, settings.longest_wait_seconds)
    return doors


def _nothing_more() -> Response:
    answer = Response(status=204)
    del answer.headers["Content-Type"]
    return answer


def _resumes() -> bool:
    return "HTTP_LAST_EVENT_ID" in request.environ


def _last_event_id() -> int | None:
    sent = request.environ.get("HTTP_LAST_EVENT_ID", "")
    return int(sent) if _VERSION.fullmatch(sent) else None


def _waited(
    house: House, in_thread: InThread, opened: Opened, seconds: float, begun: float
) -> Opened | None:
    """Return the game after news or time; None if the server holds the connection until then."""
    holder = holder_of(request.environ)
    if holder is not None and holder.waited:
        return opened
    try:
        watch = _watch(house, caller_of_request(house.tokens), opened, begun)
    except Full:
        return opened
    watch.version, watch.ended = opened.stored.version, len(opened.stored.ended_tokens)
    if holder is not None:
        holder.wish = Poll(watch, seconds)
        return None
    try:
        in_thread.poll(Poll(watch, seconds))
    finally:
        watch.close()
    return open_for_caller(house, opened.stored.game.setup.id)


def _watch(house: House, caller: Caller, opened: Opened, begun: float) -> Watch:
    """Return one who waits for news since ``opened`` was read, for the caller.

    :raises Full: if too many wait.
    """
    key = caller.hash if isinstance(caller, PortalKey) else None
    return house.notifier.watch(opened.stored.game.setup.id, opened.seat, begun, key)


def _open_stream(house: House, tickets: Tickets, game_id: str) -> tuple[Caller, Opened]:
    """Return who asks for a stream, by token, key or ticket, and the game.

    :raises Refusal: ``token_missing``, ``token_invalid``, ``token_expired``, ``scope_missing`` or
        ``not_found``.
    """
    sent = request.args.get("ticket")
    if sent is None or "HTTP_AUTHORIZATION" in request.environ:
        return caller_of_request(house.tokens), open_for_caller(house, game_id)
    try:
        ticket = tickets.read(sent)
    except TokenInvalid:
        raise Refusal("token_invalid") from None
    with refusing(None):
        opened = open_game(house, ticket.token, game_id, charge_of(house, ticket.token))
    if not ticket.holds(opened.stored.read_at, begun=_resumes()):
        raise Refusal("token_expired")
    return ticket.token, opened


def _fed(
    house: House,
    settings: Settings,
    caller: Caller,
    opened: Opened,
    version: int | None,
    begun: float,
) -> Feed:
    """Return the stream of the caller.

    :raises Refusal: ``stream_capacity``.
    """
    try:
        watch = _watch(house, caller, opened, begun)
    except Full:
        raise Refusal("stream_capacity") from None
    feed = Feed(caller, watch, version, settings.stream_seconds, settings.stream_comment_seconds)
    try:
        feed.begin(Look(house), opened)
    except BaseException:
        watch.close()
        raise
    return feed
