"""Make games, find and join them, and look at one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from flask import request
from flask.typing import ResponseReturnValue

from engine.cards import Card
from engine.errors import BadInput, ContradictoryRules
from engine.game import SeatKind
from engine.players.levels import LEVELS
from engine.rules import Rules
from engine.scenarios import SCENARIOS, Scenario
from service import answers
from service.auth import caller_of_request, portal_key_of_request
from service.blueprints import meetings, portal_games
from service.blueprints.calls import Answer, credential_of, open_for_caller, portal_if_any, refusing
from service.blueprints.once import answer_once
from service.blueprints.rule_sets import resolve_rules
from service.cursors import Cursors
from service.errors import FieldError, Refusal, field_error, invalid, refusal_of
from service.incoming import read_body
from service.operations import PERHAPS_PORTAL, TEXT, VIEWER, Blueprint
from service.portal_keys import GAMES_WRITE, SANDBOX, PortalKey
from service.preconditions import represent
from service.schemas.games import (
    GAME_REQUEST,
    JOIN_REQUEST,
    CreatedGame,
    Game,
    Invitation,
    JoinedGame,
)
from service.storage.games import NOBODYS, Ownership
from service.storage.occupants import Occupant
from service.storage.portals import Portal
from service.use_cases.computer_seats import AUTO, ON_REQUEST
from service.use_cases.create_game import Created, create_game
from service.use_cases.do_once import Keep
from service.use_cases.house import House
from service.use_cases.join_game import Joined, invitation, join_game
from service.use_cases.know_portal import portal_of
from service.use_cases.open_game import check_scope
from service.use_cases.replay_game import record_of

DEFAULT_SEATS: tuple[dict[str, Any], ...] = ({"kind": "human"}, {"kind": "human"})

CREATE_SAYS: Final = (
    "Make a game.\nThe answer holds the tokens of the granted seats, and the join code "
    "while a seat is open. The first hand is dealt once every seat is taken. With a `deck` "
    "or a `scenario` it is a sandbox game: nothing is proven by its commitments. Sent "
    "again with the same `Idempotency-Key` within a day, it makes no second game and "
    "answers as it did then; without a token another body is another request. With a "
    "portal's key (scope `games:write`, and `sandbox` for chosen cards) the game is the "
    "portal's, and all people's seats are granted unless they are said to be open."
)

JOIN_SAYS: Final = (
    "Join a game.\nWith the join code, which is 404 if it is wrong. The last to sit down "
    "has the first hand dealt. Sent again with the same `Idempotency-Key` it takes no "
    "second seat and answers as it did then, as long as the game lives: so the token is "
    "never lost."
)


def occupants_of(sent: list[dict[str, Any]], *, all_granted: bool = False) -> tuple[Occupant, ...]:
    """Return who sits where when a game is made, from the read ``SeatRequest`` of each seat.

    Without a word the first person's seat is granted to the maker and the others stay open; with
    ``all_granted`` none does: a portal hands its people their tokens.

    :raises Refusal: ``validation_failed`` for an unknown level, or a mode that cannot be.
    """
    only_computers = all(seat["kind"] == "ai" for seat in sent)
    first = next((number for number, seat in enumerate(sent) if seat["kind"] == "human"), None)
    return tuple(
        _computer(number, seat, only_computers)
        if seat["kind"] == "ai"
        else _person(seat, "granted" if all_granted or number == first else "open")
        for number, seat in enumerate(sent)
    )


def _person(seat: dict[str, Any], default: str) -> Occupant:
    granted = seat.get("seating", default) == "granted"
    ref = seat.get("player_ref")
    return Occupant(SeatKind.HUMAN, occupied=granted, name=seat.get("name"), player_ref=ref)


def _computer(number: int, seat: dict[str, Any], only_computers: bool) -> Occupant:
    level = seat["ai"]["level"]
    if level not in LEVELS:
        raise invalid([field_error(f"/seats/{number}/ai/level", "unknown_level")])
    mode = seat["ai"].get("mode", ON_REQUEST if only_computers else AUTO)
    if only_computers and mode == AUTO:
        # Nobody would ever ask for a move, and the whole game would be one request.
        at = f"/seats/{number}/ai/mode"
        raise invalid([field_error(at, "field_not_allowed", {"field": "mode"})])
    name, ref = seat.get("name"), seat.get("player_ref")
    return Occupant(SeatKind.AI, occupied=True, name=name, level=level, mode=mode, player_ref=ref)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The game that a ``GameRequest`` asks for, with its defaults."""

    rules: Rules
    seats: tuple[Occupant, ...]
    decks: tuple[tuple[Card, ...], ...]
    scenario: Scenario | None
    owner: Ownership = NOBODYS
    commits: Mapping[int, str] = field(default_factory=dict)


def _wanted(body: dict[str, Any], portal: Portal | None) -> _Wanted:
    """Return the game that a read ``GameRequest`` asks for."""
    scenario = _scenario_of(body)
    granted, owner = scenario is not None or portal is not None, _owner(body, portal)
    seats = occupants_of(list(body.get("seats", DEFAULT_SEATS)), all_granted=granted)
    commits = _commits(body, seats)
    if scenario is not None:
        return _Wanted(scenario.rules, seats, scenario.decks, scenario, owner)
    decks = (tuple(body["deck"]),) if "deck" in body else ()
    rules = resolve_rules(body.get("rules", {}), "/rules")
    return _Wanted(rules, seats, decks, None, owner, commits)


def _commits(body: dict[str, Any], seats: tuple[Occupant, ...]) -> dict[int, str]:
    """Return the commitments to first nonces, by seat.

    :raises Refusal: ``validation_failed`` for one of a seat that is open, whose player brings its
        own, and for any where the cards are chosen: there is nothing to have a share in.
    """
    chosen = body.keys() & {"deck", "scenario"}
    commits = {
        number: seat["nonce_commit"]
        for number, seat in enumerate(body.get("seats", ()))
        if "nonce_commit" in seat
    }
    faults = [
        _not_allowed(f"/seats/{number}/nonce_commit", "nonce_commit")
        for number in commits
        if chosen or not seats[number].occupied
    ]
    if faults:
        raise invalid(faults)
    return commits


def _created(house: House, wanted: _Wanted, keep: Keep[Created] | None) -> Created:
    """Make the game that is wanted."""
    rules, seats, decks, scenario = wanted.rules, wanted.seats, wanted.decks, wanted.scenario
    try:
        return create_game(house, rules, seats, decks, scenario, wanted.owner, wanted.commits, keep)
    except ContradictoryRules as error:
        option, against = error.options
        params = {"option": against}
        raise invalid([field_error(f"/rules/{option}", error.code, params)]) from error
    except BadInput as error:
        raise refusal_of(error, "/rules") from error


def _owner(body: dict[str, Any], portal: Portal | None) -> Ownership:
    listed = body.get("listed", False)
    if portal is None:
        return Ownership(listed=listed)
    return Ownership(portal.id, body.get("metadata"), listed)


def _check_portal_fields(body: dict[str, Any]) -> None:
    """Refuse what is for portals alone: nobody else could ever read it again."""
    faults = [_not_allowed("/metadata", "metadata")] if "metadata" in body else []
    faults += [
        _not_allowed(f"/seats/{number}/player_ref", "player_ref")
        for number, seat in enumerate(body.get("seats", ()))
        if "player_ref" in seat
    ]
    if faults:
        raise invalid(faults)


def _not_allowed(pointer: str, name: str) -> FieldError:
    return field_error(pointer, "field_not_allowed", {"field": name})


def _maker(house: House, *, anonymous: bool) -> Portal | None:
    """Return the portal that makes a game, None for somebody else if that is allowed."""
    sent = "HTTP_AUTHORIZATION" in request.environ
    portal = portal_if_any(house, portal_key_of_request(house.tokens) if sent else None)
    if portal is None and not anonymous:
        raise Refusal("token_missing")
    if portal is not None:
        with refusing(None):
            check_scope(portal, GAMES_WRITE)
    return portal


def _check_sandbox(portal: Portal | None, *, sandbox: bool) -> None:
    """Refuse chosen cards to a portal without the scope, and to others where there is none."""
    if portal is None and not sandbox:
        raise Refusal("sandbox_only")
    if portal is not None:
        with refusing(None):
            check_scope(portal, SANDBOX)


def _scenario_of(body: dict[str, Any]) -> Scenario | None:
    """Return the scenario that is asked for, which two occupied seats have to play."""
    if "scenario" not in body:
        return None
    if body["scenario"] not in SCENARIOS:
        values = {"values": list(SCENARIOS)}
        raise invalid([field_error("/scenario", "unknown_value", values)])
    scenario = SCENARIOS[body["scenario"]]
    seats = body.get("seats", DEFAULT_SEATS)
    if len(seats) > 2:
        raise invalid([field_error("/seats", "out_of_range", {"min": 2, "max": 2})])
    for number, seat in enumerate(seats):
        if seat.get("seating") == "open":
            at = f"/seats/{number}/seating"
            raise invalid([field_error(at, "field_not_allowed", {"field": "seating"})])
        if scenario.time_is_up and seat["kind"] == "ai":
            # A computer has no clock, and claims nothing.
            at = f"/seats/{number}/kind"
            raise invalid([field_error(at, "unknown_value", {"values": ["human"]})])
    return scenario


def _answer_created(
    created: Created, portal: Portal | None, metadata: Mapping[str, str] | None
) -> Answer:
    location = f"/v1/games/{created.stored.game.setup.id}"
    return answers.created(created, portal, metadata), 201, {"Location": location}


def _answer_joined(joined: Joined) -> Answer:
    location = f"/v1/games/{joined.stored.game.setup.id}"
    return answers.joined(joined), 201, {"Location": location}


def _sits_at(house: House, game_id: str) -> bool:
    """Whether the caller has a seat in this game."""
    caller = caller_of_request(house.tokens)
    if isinstance(caller, PortalKey):
        with refusing(None):
            portal_of(house, caller)
        return False
    return caller.game_id == game_id and caller.seat is not None


def blueprint(house: House, cursors: Cursors, *, anonymous_games: bool, sandbox: bool) -> Blueprint:
    """Return the operations on games.

    ``anonymous_games`` allows anybody to make some, ``sandbox`` those with chosen cards; portals
    may what their scopes say.
    """
    doors = Blueprint("games")
    _add_making(doors, house, anonymous_games=anonymous_games, sandbox=sandbox)
    portal_games.add_to(doors, house, cursors)
    _add_reading(doors, house)
    _add_joining(doors, house)
    meetings.add_to(doors, house)
    return doors


def _add_making(doors: Blueprint, house: House, *, anonymous_games: bool, sandbox: bool) -> None:
    @doors.operation(
        "POST",
        "/v1/games",
        id="createGame",
        says=CREATE_SAYS,
        answer=CreatedGame,
        body=GAME_REQUEST,
        who=PERHAPS_PORTAL,
        codes=["token_missing", "sandbox_only", "nonce_commit_reused", "outcome_unknown"],
        created=True,
        keyed=True,
        limit="creates",
    )
    def create() -> ResponseReturnValue:
        portal = _maker(house, anonymous=anonymous_games)
        body = read_body(GAME_REQUEST)
        if body.keys() & {"deck", "scenario"}:
            _check_sandbox(portal, sandbox=sandbox)
        if portal is None:
            _check_portal_fields(body)
        wanted = _wanted(body, portal)
        with refusing(None):
            return answer_once(
                house,
                wanted,
                lambda keep: _created(house, wanted, keep),
                lambda created: _answer_created(created, portal, wanted.owner.metadata),
                credential=credential_of(portal),
                about=lambda created: created.stored.game.setup.id,
            )


def _add_reading(doors: Blueprint, house: House) -> None:
    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>",
        id="getGame",
        says="The game as you see it.\nEverything one viewer may know, with what it may do now.",
        answer=Game,
        who=VIEWER,
        headers=["ETag"],
    )
    def get(game_id: str) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id)
        return represent(answers.etag_of(opened), lambda: answers.game(opened))

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/notation",
        id="getNotation",
        says=(
            "The record of a finished game.\nIts rules and seats, then a line for each move: its "
            "number, the seat or `-` for the server, what was done, and after `=` what it led to. "
            "A deal shows the whole deck."
        ),
        answer=None,
        who=VIEWER,
        codes=["game_in_progress"],
    )
    def get_notation(game_id: str) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id)
        with refusing(opened):
            return record_of(house, opened.stored), 200, {"Content-Type": f"{TEXT}; charset=utf-8"}


def _add_joining(doors: Blueprint, house: House) -> None:
    @doors.operation(
        "GET",
        "/v1/invitations/<name:join_code>",
        id="getInvitation",
        says="Look at a game before joining.\nNames, rules and free seats.",
        answer=Invitation,
    )
    def get_invitation(join_code: str) -> ResponseReturnValue:
        with refusing(None):
            return answers.invitation(invitation(house, join_code))

    @doors.operation(
        "POST",
        "/v1/games/<game:game_id>/joins",
        id="joinGame",
        says=JOIN_SAYS,
        answer=JoinedGame,
        body=JOIN_REQUEST,
        who=None,
        codes=[
            "token_invalid",
            "already_joined",
            "game_full",
            "seat_taken",
            "nonce_commit_reused",
            "outcome_unknown",
        ],
        created=True,
        keyed=True,
        limit="creates",
    )
    def join(game_id: str) -> ResponseReturnValue:
        sits = "HTTP_AUTHORIZATION" in request.environ and _sits_at(house, game_id)
        body = read_body(JOIN_REQUEST)
        if sits:
            raise Refusal("already_joined")
        wanted = (body["join_code"], body.get("seat"), body.get("name"))
        commit = body.get("nonce_commit")
        with refusing(None):
            return answer_once(
                house,
                wanted if commit is None else (*wanted, commit),
                lambda keep: join_game(house, game_id, *wanted, commit, keep),
                _answer_joined,
                lives_with=game_id,
            )
