"""What an answer about a game holds: the view of whoever asked, and what happened.

Every answer, refusal and update about a game is made here, from :mod:`engine.views`.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

import orjson

from engine.cards import card_names
from engine.game import SeatKind
from engine.meld_checks import MeldCheck
from engine.move_views import SPECTATOR, deal_view, knock_view, seen, seen_holdings
from engine.rules import Rules
from engine.views import view, view_beside_computer
from service.preconditions import etag
from service.schemas import dump
from service.schemas.dump_analyses import analysed
from service.schemas.dump_hints import suggestion
from service.schemas.dump_scores import Wire, winner
from service.schemas.dump_scoring import issue
from service.storage.games import PLAYING, WAITING, LoggedMove, StoredGame
from service.storage.occupants import Occupant
from service.storage.portals import Portal, PortalGame
from service.use_cases.analyse_play import PlayAnalysis
from service.use_cases.computer_seats import due_computer
from service.use_cases.create_game import Created
from service.use_cases.create_rematch import Rematch
from service.use_cases.give_hint import Hint
from service.use_cases.join_game import Joined
from service.use_cases.make_move import Made
from service.use_cases.open_game import Opened
from service.use_cases.read_log import LoggedHand, LoggedTurn, is_open

REMEMBERED_RULES: Final = 256
PORTAL: Final = "portal"

_OF_THE_DEAL: Final = (
    "dealer_seat",
    "playing_seats",
    "upcard",
    "knock_limit",
    "multiplier",
    "server_commit",
)


def etag_of(opened: Opened) -> str:
    """Return the ETag of what the caller sees of the game."""
    return etag(opened.stored.version, _viewer_of(opened))


def _viewer_of(opened: Opened) -> str:
    if opened.viewer is not None:
        return str(opened.viewer)
    if opened.portal is not None:
        return "p"
    return "s" if opened.seat is None else "a"


def game(opened: Opened) -> Wire:
    """Return the game as the caller sees it."""
    stored = opened.stored
    state = stored.game
    steers = opened.viewer is None and opened.seat is not None
    shown = view_beside_computer(state, opened.seat or 0) if steers else view(state, opened.viewer)
    wire = dump.table(shown)
    wire["id"] = state.setup.id
    wire["version"] = stored.version
    wire["etag"] = etag_of(opened)
    wire["status"] = stored.status
    wire["rules"] = _rules(state.rules)
    wire["ai_pending"] = due_computer(state) is not None
    here = stored.online if stored.status in (WAITING, PLAYING) else 0
    wire["seats"] = [
        {**dump.table_seat(at_table), **_occupant(occupant, here >> at_table.seat & 1)}
        for at_table, occupant in zip(shown.seats, stored.seats, strict=True)
    ]
    if shown.last_move and stored.moved_version and stored.moved_at:
        wire["last_move"] = dump.move(shown.last_move, stored.moved_version, stored.moved_at)
    if stored.join_code and opened.seat is not None and not all(_occupied(stored)):
        wire["join_code"] = stored.join_code
    if stored.turn_deadline is not None:
        wire["turn_deadline"] = dump.time(stored.turn_deadline)
        if stored.claimable_at is not None:
            wire["claimable_at"] = dump.time(stored.claimable_at)
    wire["void_consents"] = list(shown.void_consents)
    wire["confirmed_by"] = list(shown.confirmed_by)
    wire["hints_used"] = [{"seat": each.seat, "count": each.count} for each in shown.hints_used]
    wire["sandbox"] = bool(state.setup.decks)
    wire["listed"] = stored.listed
    if stored.rematch_game_id is not None:
        wire["rematch_game_id"] = stored.rematch_game_id
    if stored.abandon_reason is not None:
        wire["abandon_reason_code"] = stored.abandon_reason
    if opened.portal is not None:
        wire["you"]["viewer"] = PORTAL
        wire["metadata"] = dict(opened.metadata or {})
        for seat, occupant in zip(wire["seats"], stored.seats, strict=True):
            if occupant.player_ref is not None:
                seat["player_ref"] = occupant.player_ref
    wire["created_at"] = dump.time(stored.created_at)
    wire["updated_at"] = dump.time(stored.updated_at)
    wire["server_time"] = dump.time(stored.read_at)
    return wire


@lru_cache(maxsize=REMEMBERED_RULES)
def _rules(rules: Rules) -> orjson.Fragment:
    return orjson.Fragment(orjson.dumps(dump.rules(rules)))


def _occupied(stored: StoredGame) -> Iterable[bool]:
    return (seat.occupied for seat in stored.seats)


def _occupant(of: Occupant, here: int) -> Wire:
    """Return who sits there; a computer is always there, a person if it is noted as ``here``."""
    person_is_here = here == 1 and of.occupied
    wire: Wire = {"occupied": of.occupied, "online": person_is_here or of.kind is SeatKind.AI}
    if of.name is not None:
        wire["name"] = of.name
    if of.kind is SeatKind.AI:
        wire["ai_level"] = of.level
        wire["ai_mode"] = of.mode
    return wire


def moves(
    logged: Iterable[LoggedMove], opened: Opened, *, in_play: bool = False
) -> list[dict[str, Any]]:
    """Return moves as the caller may see them.

    What was dealt and drawn in a hand that is over is open; ``in_play`` leaves it out all the
    same, as it was when the move was made, so that an answer given again says what it said. Only
    with ``discard_view: top`` it says less, as long as discards of the hand are hidden.
    """
    return [move(each, opened, in_play=in_play) for each in logged]


def move(logged: LoggedMove, opened: Opened, *, in_play: bool = False) -> dict[str, Any]:
    """Return one move as the caller may see it; see :func:`moves`."""
    stored = opened.stored
    told = not in_play and is_open(stored, logged.move.hand_number)
    shown = seen(logged.move, opened.viewer, stored.game, revealed=told)
    return dump.move(shown, logged.version, logged.at)


def update(
    opened: Opened,
    since: Iterable[LoggedMove],
    *,
    replayed: bool = False,
    reset: bool = False,
) -> Wire:
    """Return what the caller learns: the moves, each as it was seen when made, and the game now."""
    shown = game(opened)
    return {
        "moves": _moves_beside(shown, since, opened),
        "game": shown,
        "replayed": replayed,
        "reset": reset,
    }


def _moves_beside(shown: Wire, since: Iterable[LoggedMove], opened: Opened) -> list[Wire]:
    """Return moves as they were seen when made; the last one of the game is written already."""
    last: Wire = shown.get("last_move", {})
    return [
        last if each.version == last.get("version") else move(each, opened, in_play=True)
        for each in since
    ]


def made(of: Made, opened: Opened) -> Wire:
    """Return the answer of an action."""
    now = opened.now(of.stored)
    return update(now, of.moves, replayed=of.replayed)


def created(of: Created, portal: Portal | None, metadata: Mapping[str, str] | None) -> Wire:
    """Return the answer to the maker of a game: its portal, or who sees it as its first seat."""
    opened = as_seat(of.stored, of.grants[0].seat if of.grants else None)
    if portal is not None:
        opened = Opened(of.stored, None, SPECTATOR, portal, metadata)
    wire = {
        "game": game(opened),
        "moves": moves(of.moves, opened, in_play=True),
        "tokens": [{"seat": grant.seat, "token": grant.token} for grant in of.grants],
        "spectator_token": of.spectator_token,
    }
    if of.stored.join_code is not None:
        wire["join_code"] = of.stored.join_code
    return wire


def as_seat(stored: StoredGame, seat: int | None) -> Opened:
    """Return the game as the holder of that seat's token sees it; without one, a spectator."""
    if seat is None or stored.seats[seat].kind is SeatKind.AI:
        return Opened(stored, seat, None)
    return Opened(stored, seat, seat)


def joined(of: Joined | Rematch) -> Wire:
    """Return the answer to somebody who sat down."""
    opened = as_seat(of.stored, of.seat)
    return {
        "game": game(opened),
        "moves": moves(of.moves, opened, in_play=True),
        "seat": of.seat,
        "token": of.token,
    }


def invitation(of: StoredGame) -> Wire:
    """Return what somebody invited sees before joining."""
    return {
        "game_id": of.game.setup.id,
        "seats": [_invited(number, seat) for number, seat in enumerate(of.seats)],
        "rules": dump.rules(of.game.rules),
        "created_at": dump.time(of.created_at),
    }


def open_game(of: StoredGame) -> Wire:
    """Return a game that anybody may join."""
    return {**invitation(of), "join_code": of.join_code}


def summary(of: PortalGame) -> Wire:
    """Return a game as an item of its portal's list."""
    stored, shown = of.stored, view(of.stored.game, SPECTATOR)
    totals = {each.seat: each.total for each in shown.score.totals}
    return {
        "id": stored.game.setup.id,
        "version": stored.version,
        "status": stored.status,
        "phase": shown.phase,
        "over": shown.over,
        "seats": [_summed(seat, each, totals[seat]) for seat, each in enumerate(stored.seats)],
        "to_act_seats": list(shown.to_act_seats),
        **winner(shown),
        "metadata": of.metadata,
        "created_at": dump.time(stored.created_at),
        "updated_at": dump.time(stored.updated_at),
    }


def _summed(number: int, seat: Occupant, total: int) -> Wire:
    wire = {"seat": number, "kind": seat.kind.value, "occupied": seat.occupied, "score": total}
    known = {"name": seat.name, "ai_level": seat.level, "player_ref": seat.player_ref}
    return wire | {name: value for name, value in known.items() if value is not None}


def _invited(number: int, seat: Occupant) -> Wire:
    wire: Wire = {"seat": number, "kind": seat.kind.value, "free": not seat.occupied}
    if seat.name is not None:
        wire["name"] = seat.name
    return wire


def meld_check(of: MeldCheck) -> Wire:
    """Return what a lay-out is worth."""
    issues = [issue(each) for each in of.issues]
    wire: Wire = {"valid": not issues, "issues": issues, "can_knock": of.can_knock}
    return wire if of.deadwood is None else {**wire, "deadwood": of.deadwood}


def hint(of: Hint) -> Wire:
    """Return a hint."""
    return {
        "for_move": of.for_move,
        "level": of.level,
        "suggestions": [suggestion(each, of.for_move) for each in of.suggestions],
    }


def play_analysis(of: PlayAnalysis, opened: Opened) -> Wire:
    """Return how a hand or a game was played, or the part of it that there was time for."""
    wire: Wire = {"game_id": opened.stored.game.setup.id, "complete": of.complete}
    if of.hand_number is not None:
        wire["hand_number"] = of.hand_number
    if of.next_after is not None:
        wire["next_after"] = of.next_after
    return {**wire, "level": of.level, **analysed(of.seats, of.found)}


# --- the log


def turn(of: LoggedTurn, opened: Opened) -> Wire:
    """Return a turn with its moves."""
    return {
        "hand_number": of.hand_number,
        "number": of.number,
        "seat": of.seat,
        "complete": of.complete,
        "moves": moves(of.moves, opened),
    }


def hand_summary(of: LoggedHand) -> Wire:
    """Return a hand as an item of a list."""
    wire: Wire = {
        "number": of.number,
        "dealer_seat": of.dealt.dealer,
        "playing_seats": sorted((of.dealt.dealer, of.dealt.nondealer)),
        "complete": of.over,
        "turn_count": of.turn_count,
    }
    if of.result is not None:
        wire["outcome"] = of.result.outcome.value
        wire["points"] = of.result.points
        wire.update(winner(of.result))
    return wire


def hand(of: LoggedHand, opened: Opened) -> Wire:
    """Return a whole hand."""
    deal = dump.deal(deal_view(of.dealt, opened.viewer, opened.stored.game.rules))
    holdings = seen_holdings(of.dealt, opened.viewer, revealed=of.open)
    wire: Wire = {
        "number": of.number,
        "complete": of.over,
        **{name: deal[name] for name in _OF_THE_DEAL},
        "contributors": list(of.proof.contributors),
        "dealt": [{"seat": each.seat, "cards": card_names(each.cards)} for each in holdings],
        "moves": moves(of.moves, opened),
    }
    if of.result is not None:
        wire["result"] = dump.result(of.result)
    return wire


def knock(of: LoggedHand) -> Wire | None:
    """Return the knock of a hand, or None if there was none."""
    if of.knock is None:
        return None
    knocked, result = of.knock
    return dump.knock(knock_view(of.number, knocked, result))
