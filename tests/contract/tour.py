"""A tour of the catalogue: for each code of a problem, the shortest way there over HTTP.

What no rule-abiding request can reach needs something planted: a state that the rules never lead
to, or a part of the service that fails. ``PLANTED`` says why.
"""

import contextlib
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from engine.entries import entry_with_points
from engine.kept_sheets import MOST_HANDS, ChangeKind, Word
from engine.kept_sheets import Change as ScoreSheetChange
from engine.scoring import HandOutcome
from service.app import create_app
from service.settings import Limit
from service.storage import games, score_sheets
from service.storage.errors import Busy, KeyTaken, OutcomeUnknown
from service.storage.idempotency import KeptAnswer, KeptAnswers
from service.tickets import BEGIN_WITHIN, Ticket, Tickets
from service.updates import MOST_ALIKE
from service.use_cases.keep_seat_tokens import MOST_TOKENS
from tests.contract.tour_of_cuts import CUTS
from tests.contract.tour_of_deals import sandbox_proof, told
from tests.contract.tour_of_portals import OF_PORTALS
from tests.contract.tour_of_sheets import OF_SHEETS
from tests.service.answering import Answering
from tests.service.sheets import DRAWN_HAND, Sheets
from tests.service.table import (
    ADA,
    BIG_GIN,
    DRAWN,
    KNOCKED,
    ON_REQUEST,
    PASSED,
    SPECTATOR,
    THROWN,
    TIMED,
    TO_THE_WALL,
)

OPEN = {"kind": "human"}
JSON = "application/json"
KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324"


def _call(method, path="", token="mine", **options):
    def ask(tables):
        table = tables.at("discard")
        sent = {"mine": table.tokens[0], "none": None, "watch": table.tokens[SPECTATOR]}
        return table.answering.send(
            method, table.path + path, token=sent.get(token, token), **options
        )

    return ask


def _line(line, *before, at=None, **options):
    """The refusal of a line in a game that was played so far."""

    def ask(tables):
        table = tables.at(at) if at else tables(*before, **options)
        return table.send(line)

    return ask


def _move(at="discard", **body):
    def ask(tables):
        table = tables.at(at)
        return table.post("/moves", {"move_number": table.next_move, **body})

    return ask


def _melds(*melds):
    return [{"kind": kind, "cards": cards.split()} for kind, cards in melds]


def _made(**body):
    return lambda tables: tables.answering.post("/v1/games", body)


def _deal(at):
    return lambda tables: tables.at(at).post("/hands", {"hand_number": 2})


def _keyed(key):
    headers = {"Idempotency-Key": key}
    return lambda tables: tables.answering.post("/v1/games", {}, headers=headers)


def _put(path, body, **options):
    def ask(tables):
        table = tables(**options)
        return table.answering.put(table.path + path, body, table.tokens[0])

    return ask


def _ai(seats, seat, *lines):
    def ask(tables):
        table = tables(*lines, seats=seats)
        return table.post("/ai-moves", {"seat": seat, "move_number": table.next_move})

    return ask


def _join(token=None, twice=False, **body):
    def ask(tables):
        table = tables(seats=(ADA, OPEN))
        if twice:
            table.join()
        return table.post("/joins", {"join_code": table.join_code, **body}, token)

    return ask


def _stale(tables):
    table = tables("0 pass")
    return table.send("0 draw pile", table.next_move - 1)


def _mismatch(tables):
    table = tables()
    return table.put("/moves/1", {"action": "pass", "move_number": table.next_move})


def _score(knocker, defender):
    body = {"kind": "knock", "knocker": knocker, "defender": defender}
    return lambda tables: tables.answering.post("/v1/scoring/hands", body)


def _tokens(tables):
    table = tables.at("discard")
    path = f"{table.path}/seats/0/tokens"
    for _ in range(MOST_TOKENS):
        table.answering.post(path, None, table.tokens[0])
    return table.answering.post(path, None, table.tokens[0])


def _crowded(tables):
    """More streams than there are threads for them; they end when they are closed."""
    table = tables()
    with contextlib.ExitStack() as streams:
        for _ in range(MOST_ALIKE):
            headers = {"Authorization": f"Bearer {table.tokens[0]}"}
            opened = table.answering.client.get(f"{table.path}/updates/stream", headers=headers)
            streams.callback(opened.close)
        return table.get("/updates/stream")


OVER_HTTP = {
    **CUTS,
    "malformed_json": _call("POST", "/moves", data=b"{", content_type=JSON),
    "idempotency_key_invalid": _keyed("too-short"),
    "token_missing": _call("GET", token="none"),
    "token_invalid": _call("GET", token="grs_forged"),
    "scope_missing": _call("POST", "/abandonments"),
    "not_your_seat": _ai((ADA, {**OPEN, "seating": "granted"}), 1),
    "spectator_read_only": _call("POST", "/moves", token="watch", body={}),
    "hints_disabled": _ai((ADA, ON_REQUEST), 0),
    **OF_SHEETS,
    "duplicate_name": lambda tables: tables.answering.post(
        "/v1/score-sheets", {"names": ["Ada", "Ada"]}
    ),
    "notes_disabled": _put("/notes", {"text": "x"}, rules={"notes": False}),
    "not_found": _call("GET", "/hands/9"),
    "method_not_allowed": _call("PUT"),
    "not_acceptable": _call("GET", headers={"Accept": "text/html"}),
    "too_large": _call("POST", "/moves", data=b" " * 70_000, content_type=JSON),
    "unsupported_media_type": _call("POST", "/moves", data=b"{}", content_type="text/plain"),
    "validation_failed": _move(action="discard"),
    "stale_move": _stale,
    "game_not_started": _line("0 pass", seats=(ADA, OPEN)),
    "game_over": _line("0 pass", at="game_over"),
    "hand_over": _line("0 draw stock", at="hand_over"),
    "hand_in_progress": _deal("discard"),
    "confirmation_pending": _deal("confirming"),
    "void_not_possible": _put("/hands/1/void-consent", {"consent": True}, seats=(ADA, ON_REQUEST)),
    "game_in_progress": _call("GET", "/notation"),
    "sandbox_no_proof": sandbox_proof,
    "not_your_turn": _line("1 pass"),
    "wrong_phase": _line("0 discard AC"),
    "not_claimable_yet": _line("0 claim", *THROWN, rules=TIMED),
    "no_ai_to_move": _ai((ADA, ON_REQUEST), 1),
    "seat_taken": _join(seat=0),
    "game_full": _join(twice=True),
    "already_joined": _join(token=0),
    "token_limit": _tokens,
    "must_draw_stock": _line("0 draw pile", *PASSED),
    "only_top_discard": _line("1 draw pile JS", *THROWN),
    "pickup_not_melded": _line(
        "0 draw pile KS", *THROWN, "1 draw stock", "1 discard QS", rules={"multi_pickup": True}
    ),
    "must_knock_or_pass": _line("1 draw stock", *TO_THE_WALL, rules={"last_discard": "knock_only"}),
    "wrong_discard_count": _line(
        "1 knock KS", *THROWN, "1 draw pile JS", rules={"multi_pickup": True}
    ),
    "card_not_in_discards": _line("1 draw pile AC", *THROWN),
    "card_not_in_hand": _line("0 discard QD", *DRAWN),
    "card_just_taken": _line("0 discard JS", "0 draw pile"),
    "card_just_drawn": _line("0 discard KS", *DRAWN, rules={"discard_drawn": "any_drawn"}),
    "deadwood_too_high": _line("0 knock KS", *DRAWN, rules={"knock_limit": 9}),
    "not_gin": _line("0 gin KS", *DRAWN),
    "not_big_gin": _line("0 big_gin", *DRAWN, rules={"big_gin": True}),
    "big_gin_not_enabled": _line("0 big_gin", *DRAWN, deal=BIG_GIN),
    "layout_not_minimal": _line(
        "0 knock KS AC2C3C", *DRAWN, rules={"knocker_layout": "minimal_only"}
    ),
    "meld_not_in_hand": _line("0 knock KS 4C5C6C", *DRAWN),
    "meld_not_found": _line("1 lay_off 4C>7", *KNOCKED),
    "layoff_not_possible": _line("1 lay_off 4C>1", *KNOCKED),
    "required": _move(action="discard"),
    "wrong_type": _move(action=7),
    "unknown_value": _move(action="dance"),
    "unknown_field": _move(action="pass", discrad="AC"),
    "field_not_allowed": _move(action="pass", card="AC"),
    "out_of_range": _move(action="pass", move_number=0),
    "too_long": _made(seats=[{**ADA, "name": "x" * 61}, OPEN]),
    "bad_text": _made(seats=[{**ADA, "name": "A\nda"}, OPEN]),
    "nonce_malformed": told(seed="A0" * 32),
    "bad_card": _move(action="discard", card="11S"),
    "duplicate_card": _move(action="big_gin", melds=_melds(("set", "AC AD AC"))),
    "duplicate_seat": _score({"seat": 0, "deadwood": 3}, {"seat": 0, "deadwood": 9}),
    "wrong_card_count": _move(action="big_gin", melds=_melds(("set", "AC AD"))),
    "card_in_two_melds": _move(
        action="big_gin", melds=_melds(("set", "AC AD AH"), ("run", "AC 2C 3C"))
    ),
    "not_a_set": _move(action="big_gin", melds=_melds(("set", "AC 2C 3C"))),
    "not_a_run": _move(action="big_gin", melds=_melds(("run", "AC 2C 4C"))),
    "run_wraps_ace": _move(action="big_gin", melds=_melds(("run", "QC KC AC"))),
    "unknown_rule_set": _made(rules={"base": "canasta"}),
    "contradictory_rules": _made(rules={"max_recycles": 2}),
    "unknown_level": _made(seats=[ADA, {"kind": "ai", "ai": {"level": "godlike"}}]),
    "move_number_mismatch": _mismatch,
    "stream_capacity": _crowded,
    "bad_cursor": _call("GET", "/moves?cursor=nonsense"),
}
"""What a client can meet by what it sends."""


def _plant(table, change) -> None:
    """Put another state in the place of a game's, sealed as it has to be."""
    house = table.answering.house
    with house.store.writing() as conn:
        stored = games.load(conn, house.codec, table.id)
        game = replace(stored.game, hand=change(stored.game.hand))
        conn.execute("UPDATE games SET state = %b", (house.codec.write_state(game),))


def _without_stock(hand):
    return replace(hand, stock=(), discard_pile=(*hand.stock, *hand.discard_pile))


def _without_pile(hand):
    return replace(hand, stock=(*hand.stock, *hand.discard_pile), discard_pile=())


def _in_a_state(change, line):
    def ask(tables, _unmigrated):
        table = tables(*THROWN)
        _plant(table, change)
        return table.send(line)

    return ask


def _with_a_fault(error):
    def ask(tables, _unmigrated):
        table = tables.at("discard")

        def fail(*_arguments):
            raise error

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(games, "save", fail)
            return table.send("0 discard KS")

    return ask


def _on_a_full_sheet(tables, _unmigrated):
    sheet = Sheets(tables.answering)()
    hand = ScoreSheetChange(ChangeKind.ENTERED, 1, entry_with_points(2, HandOutcome.DRAWN), Word())
    store = tables.answering.house.store
    with store.writing() as conn:
        stored = score_sheets.load(conn, sheet.id)
        for number in range(1, MOST_HANDS + 1):
            stored = score_sheets.save(conn, stored, replace(hand, hand_number=number))
    headers = {"If-Match": f'"{stored.version}-e-1"'}
    path = f"{sheet.path}/hands/{MOST_HANDS + 1}"
    return tables.answering.put(path, DRAWN_HAND, sheet.made["edit_token"], headers=headers)


def _long_over(tables, _unmigrated):
    table = tables.at("game_over")
    with table.answering.house.store.writing() as conn:
        conn.execute("UPDATE games SET archived_at = now()")
    return table.get()


def _without_schema(_tables, unmigrated):
    app = create_app(unmigrated)
    answer = Answering(app).get("/health/ready")
    app.extensions["gin-rummy"].store.close()
    return answer


def _without_sandbox(_tables, unmigrated):
    app = create_app(replace(unmigrated, sandbox=False, limit_creates=None))
    answer = Answering(app).post("/v1/games", {"scenario": "can_gin"})
    app.extensions["gin-rummy"].store.close()
    return answer


def _with_a_kept_answer(found):
    """Make a game with a key under which ``found`` is found, which without a token cannot be."""

    def ask(tables, _unmigrated):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(KeptAnswers, "find", lambda *_: found)
            return tables.answering.post("/v1/games", {}, headers={"Idempotency-Key": KEY})

    return ask


def _while_it_is_done(tables, _unmigrated):
    """Make a game with a key while somebody else is about to with the same one."""

    def taken(*_arguments):
        raise KeyTaken("locked")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KeptAnswers, "keep", taken)
        return tables.answering.post("/v1/games", {}, headers={"Idempotency-Key": KEY})


def _of_one_request(tables, _unmigrated):
    table = tables.at("discard")
    limits = table.answering.house.allowances.limits
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(limits, "moves", Limit(1, 60))
        table.send("0 discard KS")
        return table.send("0 discard QS")


def _after_a_minute(tables, unmigrated):
    table = tables()
    token = table.answering.house.tokens.read(table.tokens[0])
    ticket = Ticket(token, datetime.now(UTC) - BEGIN_WITHIN)
    sent = Tickets(unmigrated.secrets).write(ticket)
    return table.get(f"/updates/stream?ticket={sent}", None)


PLANTED = {
    **OF_PORTALS,
    "score_sheet_full": ("five hundred hands, which take long to send", _on_a_full_sheet),
    "rate_limited": ("limits that are above what anybody can play", _of_one_request),
    "token_expired": ("nobody waits for a minute", _after_a_minute),
    "sandbox_only": ("an operator who allows no sandbox", _without_sandbox),
    "idempotency_key_reused": (
        "without a token the key of another request is another key",
        _with_a_kept_answer(KeptAnswer(b"another request", b"")),
    ),
    "idempotency_in_progress": ("the same request at the same time", _while_it_is_done),
    "stock_empty": (
        "a hand ends before its stock does",
        _in_a_state(_without_stock, "1 draw stock"),
    ),
    "discard_pile_empty": (
        "a seat is only due to draw when the other has thrown a card",
        _in_a_state(_without_pile, "1 draw pile"),
    ),
    "internal": ("a bug", _with_a_fault(RuntimeError("a bug"))),
    "busy": ("a database that is overloaded", _with_a_fault(Busy("locked"))),
    "outcome_unknown": ("a connection lost in a commit", _with_a_fault(OutcomeUnknown("lost"))),
    "maintenance": ("a database without its schema", _without_schema),
}
"""What no request can bring about by itself: why, and the way there with something planted.

A way gets the tables, and the settings of a database that was never migrated.
"""
