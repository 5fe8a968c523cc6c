"""Every way in which a client goes wrong with a secret in its hands, or the service under it.

:data:`MISHAPS` holds them by name. Each gets a :class:`Table`, where a game is being played, and
leaves the game as it was. Whatever secret they make up is told to the table's canaries first.
"""

import contextlib
import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from tests.faults.race import illegal_actions
from tests.faults.telling import FAIL
from tests.faults.watched import JSON, SECONDS, Table
from tests.service.processes import children

Mishap = Callable[[Table], object]
MISHAPS: dict[str, Mishap] = {}


def mishap(way: Mishap) -> Mishap:
    """Enter a way of going wrong under its name."""
    MISHAPS[way.__name__] = way
    return way


def refused(answer: tuple[int, dict], *statuses: int) -> None:
    """Expect a refusal with one of ``statuses``."""
    assert answer[0] in statuses, answer


# --- what is asked for


@mishap
def illegal_move(table: Table) -> None:
    seat = table.view["to_act_seats"][0]
    [wish, *_] = illegal_actions(table.look(seat)["you"]["legal"])
    body = {**wish, "move_number": table.view["next_move"]}
    refused(table.client("POST", f"{table.path}/moves", table.tokens[seat], body), 409, 422)


@mishap
def stale_move(table: Table) -> None:
    body = {"action": "draw", "source": "stock", "move_number": 1}
    refused(table.client("POST", f"{table.path}/turns", table.tokens[0], body), 409)


@mishap
def not_json_with_secrets_in_it(table: Table) -> None:
    body = f'{{"join_code": "{table.join_code}", "token": "{table.tokens[0]}'.encode()
    refused(table.client("POST", f"{table.path}/joins", None, body), 400)
    refused(table.client("POST", f"{table.path}/moves", table.tokens[0], body), 400)


@mishap
def secrets_in_the_wrong_fields(table: Table) -> None:
    token = table.tokens[0]
    body = {"action": token, "card": table.join_code, token: token, "move_number": token}
    refused(table.client("POST", f"{table.path}/moves", token, body), 422)
    refused(table.client("POST", "/v1/games", None, {"seats": token, table.join_code: 1}), 422)


@mishap
def wrong_type_and_length(table: Table) -> None:
    token = table.tokens[0]
    plain = {"Content-Type": "text/plain"}
    refused(table.client("POST", f"{table.path}/moves", token, token.encode(), plain), 415)
    long = (token * 2000).encode()
    refused(table.client("POST", f"{table.path}/moves", token, long), 413)


@mishap
def forged_tokens(table: Table) -> None:
    for token in (table.tokens[0], table.spectator):
        refused(table.client("GET", table.path, table.forged(token)), 401)
    basic = {"Authorization": f"Basic {table.tokens[0]}"}
    refused(table.client("GET", table.path, None, None, basic), 401)


@mishap
def a_token_in_the_wrong_place(table: Table) -> None:
    token = table.tokens[0]
    refused(table.client("GET", f"/v1/games/{token}", token), 401, 404)
    refused(table.client("GET", f"/v1/{token}"), 404)
    refused(table.client("GET", f"{table.path}/seats/0/tokens/{token}", token), 404, 405)
    refused(table.client("DELETE", f"{table.path}/seats/0/tokens/{token}", token), 404)
    refused(table.client("GET", f"{table.path}?token={quote(token)}"), 401)
    refused(table.client("GET", f"{table.path}/moves?cursor={token}", token), 422)


@mishap
def a_wrong_join_code(table: Table) -> None:
    code = table.secret("wrong join code", table.join_code[:-1] + "-")
    refused(table.client("GET", f"/v1/invitations/{code}"), 404)
    body = {"join_code": code}
    refused(table.client("POST", f"{table.path}/joins", None, body), 404, 403, 409)


@mishap
def a_join_code_that_is_used_up(table: Table) -> None:
    code = table.join_code
    refused(table.client("GET", f"/v1/invitations/{code}"), 200, 404)
    refused(table.client("PUT", f"/v1/invitations/{code}", None, {}), 405)
    refused(table.client("GET", f"/v1/invitations/{code}/{code}"), 404)
    unacceptable = {"Accept": "text/html"}
    refused(table.client("GET", f"/v1/invitations/{code}", None, None, unacceptable), 406)
    body = {"join_code": code}
    refused(table.client("POST", f"{table.path}/joins", None, body), 409)


@mishap
def a_key_used_twice_and_keys_that_are_none(table: Table) -> None:
    token, path = table.tokens[0], f"{table.path}/seats/0/tokens"
    key = {"Idempotency-Key": f'"{table.new_key()}"'}
    status, given = table.client("POST", path, token, {"label": "one"}, key)
    assert status in {201, 409}, given
    if status == 201:
        table.secret("seat token", given["token"])
        refused(table.client("POST", path, token, {"label": "two"}, key), 422)
        gone = f"{path}/{given['id']}"
        refused(table.client("DELETE", gone, token), 204)
    bad = {"Idempotency-Key": f'"{table.new_key()}", "{table.new_key()}"'}
    refused(table.client("POST", "/v1/games", None, {}, bad), 400)


@mishap
def a_spectator_who_wants_to_play(table: Table) -> None:
    body = {"action": "pass", "move_number": table.view["next_move"]}
    refused(table.client("POST", f"{table.path}/moves", table.spectator, body), 403)


# --- streams


@mishap
def tickets(table: Table) -> None:
    stream = f"{table.path}/updates/stream?ticket="
    ticket = table.ticket()
    refused(table.client("GET", stream + table.forged(ticket)), 401)
    refused(table.client("GET", stream + quote(ticket + "/+=", safe="")), 401)
    everywhere = "".join(f"%{byte:02X}" for byte in ticket.encode())
    refused(table.client("GET", stream + everywhere), 200)
    refused(table.client("GET", f"{stream}{ticket}&after={ticket}"), 422)
    refused(table.client("POST", stream + ticket), 405)


@mishap
def a_stream_that_is_torn_off(table: Table) -> None:
    line = f"GET {table.path}/updates/stream?ticket={table.ticket()} HTTP/1.1\r\n"
    table.client.raw(line, "Host: localhost\r\n\r\n", rudely=True)


# --- what is no HTTP


@mishap
def lines_that_are_none(table: Table) -> None:
    ticket, token = table.ticket(), table.tokens[0]
    address = f"{table.path}/updates/stream?ticket={ticket}"
    for line in (
        f"GET {address} HTTP/9.9",
        f"GET {address} HTP/1.1",
        f"GET {address}",
        f"{token} {address} HTTP/1.1",
        f"get {address} HTTP/1.1",
        f"GET {address} {token} HTTP/1.1",
        f"GET http://[{token}{address} HTTP/1.1",
        f"GET {address}{ticket * 200} HTTP/1.1",
    ):
        told = table.client.raw(line, "\r\nHost: localhost\r\n\r\n")
        assert not told.startswith(b"HTTP/1.1 200"), told


@mishap
def headers_that_are_none(table: Table) -> None:
    token, key = table.tokens[0], table.new_key()
    start = f"GET {table.path} HTTP/1.1\r\nHost: localhost\r\n"
    for header in (
        f"Authorization : Bearer {token}",
        f"Authorization: Bearer {token}\x00",
        f"Authorization: Bearer\r\n {token}",
        f"Bearer {token}",
        f"{token}: x",
        f"Authorization Bearer {token}",
        f"({token}): {key}",
        f"Idempotency-Key: {key}\x01",
        f"Transfer-Encoding: {key}",
        f"Content-Length: {token}",
        f"Expect: {token}",
        f"Authorization: Bearer {token * 200}",
    ):
        told = table.client.raw(start, header, "\r\n\r\n")
        assert not told.startswith(b"HTTP/1.1 200"), (header, told)


@mishap
def chunks_that_are_none(table: Table) -> None:
    token = table.tokens[0]
    start = (
        f"POST {table.path}/moves HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: {JSON}\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    for rest in (f"{token}\r\n", f"5;{token}={token}\r\nabcde\r\n", f"2\r\n{token}\r\n0\r\n\r\n"):
        told = table.client.raw(start, rest)
        assert told.startswith(b"HTTP/1.1 400"), told


@mishap
def hanging_up_before_the_end(table: Table) -> None:
    token = table.tokens[0]
    start = f"POST {table.path}/moves HTTP/1.1\r\nHost: localhost\r\n"
    half = f'{{"join_code": "{table.join_code}", "token": "{token}"'
    authorised = f"{start}Authorization: Bearer {token}\r\nIdempotency-Key: {table.new_key()}\r\n"
    for sent in (
        f"GET /v1/invitations/{table.join_code}",
        authorised,
        f"{authorised}Content-Type: {JSON}\r\nContent-Length: 500\r\n\r\n{half}",
    ):
        for rudely in (False, True):
            table.client.raw(sent, rudely=rudely)


# --- what goes wrong in the service


@mishap
def an_error_that_nobody_expected(table: Table) -> None:
    headers = {FAIL: "inside", "Idempotency-Key": table.new_key()}
    refused(
        table.client("POST", f"{table.path}/stream-tickets", table.tokens[0], None, headers), 500
    )
    refused(table.client("GET", f"/v1/invitations/{table.join_code}", None, None, headers), 500)


@mishap
def an_error_that_even_the_frame_did_not_expect(table: Table) -> None:
    headers = {FAIL: "outside", "Idempotency-Key": table.new_key()}
    address = f"{table.path}/updates/stream?ticket={table.ticket()}"
    refused(table.client("GET", address, None, None, headers), 500)
    refused(table.client("GET", f"/v1/invitations/{table.join_code}", None, None, headers), 500)


@mishap
def a_row_that_the_database_refuses(table: Table) -> None:
    seat = table.view["to_act_seats"][0]
    wish = table.wish(seat)
    for where in ("games", "moves"):
        with table.planted(where, "false"):
            refused(table.client(wish.method, wish.path, table.tokens[seat], wish.body), 500)


@mishap
def a_game_that_the_database_refuses(table: Table) -> None:
    """A game that nobody has joined yet: its join code stands in the row."""
    status, made = table.client("POST", "/v1/games", None, {})
    assert status == 201, made
    code = table.secret("join code", made["join_code"])
    path, key = f"/v1/games/{made['game']['id']}", {"Idempotency-Key": f'"{table.new_key()}"'}
    for where in ("games", "idempotency_keys"):
        with table.planted(where, "false"):
            body = {"join_code": code}
            refused(table.client("POST", f"{path}/joins", None, body, key), 500)
    with table.planted("seat_tokens", "false"):
        token = table.secret("seat token", made["tokens"][0]["token"])
        refused(table.client("POST", f"{path}/seats/0/tokens", token, {"label": "x"}, key), 500)


@mishap
def score_sheets(table: Table) -> None:
    key = {"Idempotency-Key": f'"{table.new_key()}"'}
    names = {"names": ["Ada", "Bob"]}
    status, made = table.client("POST", "/v1/score-sheets", None, names, key)
    assert status == 201, made
    edit = table.secret("edit token", made["edit_token"])
    share = table.secret("share token", made["share_token"])
    path = f"/v1/score-sheets/{made['score_sheet']['id']}"
    hand, won = f"{path}/hands/1", {"winner_seat": 0, "points": 7}
    refused(table.client("PUT", hand, edit, won), 428)
    refused(table.client("PUT", hand, edit, won, {"If-Match": f'"{share}"'}), 400, 412, 422)
    seen = {"If-Match": made["score_sheet"]["etag"]}
    refused(table.client("PUT", hand, share, won, seen), 403)
    refused(table.client("GET", path, table.forged(share)), 401)
    refused(table.client("GET", f"/v1/score-sheets/{edit}", share), 401, 404)
    with table.planted("score_sheet_changes", "false"):
        refused(table.client("PUT", hand, edit, won, seen), 500)
    refused(table.client("PUT", hand, edit, won, seen), 200)


def with_a_key(key: str) -> Mishap:
    """Return what goes wrong for a portal that has ``key``."""

    def a_portal(table: Table) -> None:
        client = table.client
        refused(client("GET", "/v1/games", key), 200)
        refused(client("GET", "/v1/games", table.forged(key)), 401)
        refused(client("GET", f"/v1/games?status={key}", key), 422)
        refused(client("GET", table.path, key), 403, 404)
        with table.planted("games", "false"):
            refused(client("POST", "/v1/games", key, {"metadata": {"a": "b"}}), 500)

    return a_portal


def kill_the_workers(table: Table) -> None:
    """Kill them while somebody waits for an answer; others take their places."""
    served = table.client.served
    workers = [pid for pid in served.everything() if _serves(pid)]
    with socket.create_connection(("127.0.0.1", served.port), SECONDS) as connection:
        token = f"Host: localhost\r\nAuthorization: Bearer {table.tokens[0]}\r\n\r\n"
        connection.sendall(f"GET {table.path} HTTP/1.1\r\n{token}".encode())
        assert connection.recv(65536)
        address = f"{table.path}/updates?after={table.view['version']}&wait=25"
        connection.sendall(f"GET {address} HTTP/1.1\r\n{token}".encode())
        for pid in workers:
            os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ConnectionResetError):
            while connection.recv(65536):
                pass


def _serves(pid: int) -> bool:
    command = Path(f"/proc/{pid}/cmdline").read_bytes()
    return b"gunicorn" in command and not children(pid)
