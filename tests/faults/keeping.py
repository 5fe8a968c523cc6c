"""Every operation that keeps something, each asked for when it has something to do.

A story gets a :class:`~tests.faults.duplicates.Sender` in the place of a client and says with each
request which rows it makes, beside moves. Between them the stories reach every operation of the
document that is not :data:`EXCEPTED`.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from random import Random

from tests.bot import Bot
from tests.contract.documents import operations
from tests.faults.duplicates import Sender
from tests.server import Caller

GAMES, SHEETS = "/v1/games", "/v1/score-sheets"
HUMAN, OPEN = {"kind": "human", "name": "Ada"}, {"kind": "human", "seating": "open"}
GRANTED = {"kind": "human", "seating": "granted"}
ON_REQUEST = {"kind": "ai", "ai": {"level": "easy", "mode": "on_request"}}

MADE = {"games": 1, "changes": 1}
SAID = {"changes": 1}
NOTHING: Mapping[str, int] = {}
DEVICE = {"seat_tokens": 1}

KEEPS_NOTHING = "it calculates, and keeps nothing"
EXCEPTED: Mapping[str, str] = {
    "resolveRules": KEEPS_NOTHING,
    "suggestMove": KEEPS_NOTHING,
    "analyseCards": KEEPS_NOTHING,
    "analyseCardsBatch": KEEPS_NOTHING,
    "scoreHand": KEEPS_NOTHING,
    "scoreHandsBatch": KEEPS_NOTHING,
    "findLayOffs": KEEPS_NOTHING,
    "findLayOffsBatch": KEEPS_NOTHING,
    "checkMelds": KEEPS_NOTHING,
    "checkMeldsBatch": KEEPS_NOTHING,
    "checkGameMelds": KEEPS_NOTHING,
    "scoreGame": KEEPS_NOTHING,
    "verifyDeal": KEEPS_NOTHING,
    "createStreamTicket": "a ticket is written from token and time, and stands nowhere",
}
"""Operations that are not sent several times, and why each need not be."""


def missing(document: dict, sent: set[str]) -> str | None:
    """Return a sentence about what may change something and was not sent, or None."""
    mutating = {
        operation["operationId"] for method, _, operation in operations(document) if method != "GET"
    }
    forgotten = sorted(mutating - sent - set(EXCEPTED))
    gone = sorted(set(EXCEPTED) - mutating)
    if forgotten:
        return (
            f"{', '.join(forgotten)}: in the document, but never sent several times at once. "
            "Let a story of tests/faults/keeping.py send it, or name it in EXCEPTED with a reason."
        )
    return f"EXCEPTED names {', '.join(gone)}, which the document does not have" if gone else None


class Table:
    """A game as its players see it, each by a connection of its own for looking."""

    def __init__(self, send: Sender, port: int, made: dict) -> None:
        self.send, self.port = send, port
        self.path = f"{GAMES}/{made['game']['id']}"
        self.tokens = {grant["seat"]: grant["token"] for grant in made["tokens"]}
        self.hinted: set[int] = set()
        self.noted: set[int] = set()

    def view(self, who=None) -> dict:
        """Return the game as a seat sees it, without one as the first of them does."""
        token = self.tokens[next(iter(self.tokens)) if who is None else who]
        call = Caller(self.port, token)
        status, view = call("GET", self.path)
        call.close()
        assert status == 200, view
        return view

    def act(self, seat: int, way: str, body=None, rows=NOTHING, method="POST", **more) -> dict:
        """Send what ``seat`` does several times at once."""
        return self.send(method, self.path + way, self.tokens[seat], body, rows, **more)

    def note(self, seat: int) -> None:
        """Write the notes of a seat."""
        rows = {} if seat in self.noted else {"notes": 1}
        self.noted.add(seat)
        self.act(seat, "/notes", {"text": f"seat {seat}"}, rows, "PUT")

    def hint(self, seat: int, number: int) -> None:
        """Ask for a hint; for one move it counts once."""
        rows = {} if number in self.hinted else SAID
        self.hinted.add(number)
        self.act(seat, "/hints", {}, rows)

    def play(self, rng: Random, most: int, besides: Callable[[int, dict], None] | None = None):
        """Let bots play it, for so many requests at most."""
        bots = {seat: Bot(self.path, rng) for seat in self.tokens}
        for _ in range(most):
            for seat, bot in bots.items():
                view = self.view(seat)
                wish = bot.wish(view)
                if wish is None:
                    continue
                if besides is not None:
                    besides(seat, view)
                rows = SAID if wish.path.endswith("/confirmation") else {}
                self.send(wish.method, wish.path, self.tokens[seat], wish.body, rows)
                break
            else:
                return


def _beside(table: Table, rng: Random) -> Callable[[int, dict], None]:
    def besides(seat: int, view: dict) -> None:
        if rng.random() < 0.1:
            table.note(seat)
        legal = set(view["you"]["legal"]["actions"])
        if rng.random() < 0.15 and legal & {"draw", "pass", "discard", "lay_off"}:
            table.hint(seat, view["next_move"])

    return besides


def whole_game(send: Sender, port: int, rng: Random) -> None:
    """Two people: made, joined, played with all that goes beside, given up or won, played again."""
    rules = {"target": 10, "confirm_score": "both", "advice": "full"}
    made = send("POST", GAMES, None, {"seats": [HUMAN, OPEN], "rules": rules}, MADE, keyed=True)
    table = Table(send, port, made)
    joining = {"join_code": made["join_code"], "name": "Bob"}
    joined = send("POST", f"{table.path}/joins", None, joining, SAID, keyed=True)
    table.tokens[joined["seat"]] = joined["token"]
    table.play(rng, 60, _beside(table, rng))
    view = table.view()
    if not view["over"]:
        table.act(rng.randrange(2), "/resignations", {"move_number": view["next_move"]})
    table.act(0, "/rematches", rows={"games": 1, "changes": 2}, keyed=True)
    table.act(1, "/rematches", rows=SAID, keyed=rng.random() < 0.5)


def knock_and_lay_off(send: Sender, port: int, rng: Random) -> None:
    """The ends of hands, from positions in which they are due; and the next deal."""
    for scenario in ("can_knock", "lay_off_run_and_set"):
        made = send("POST", GAMES, None, {"scenario": scenario}, MADE, keyed=True)
        table = Table(send, port, made)
        joining = {"join_code": made.get("join_code", ""), "name": "Bob"}
        if "join_code" in made:
            joined = send("POST", f"{table.path}/joins", None, joining, SAID, keyed=True)
            table.tokens[joined["seat"]] = joined["token"]
        view = table.view(0)
        if scenario == "can_knock":
            [*_, best] = view["you"]["legal"]["knocks"]
            body = {"kind": best["kind"], "discard": best["discard"]}
            told = table.act(0, "/knocks", {**body, "move_number": view["next_move"]})
            view = told["game"]
        if view["phase"] == "lay_off":
            defender, hand = view["to_act_seats"][0], view["hand"]["number"]
            if defender in table.tokens:
                body = {"move_number": view["next_move"]}
                table.act(defender, f"/knocks/{hand}/lay-offs", body)
        view = table.view()
        if view["phase"] == "hand_over":
            table.act(0, "/hands", {"hand_number": view["next_hand"]["number"]})


def doors(send: Sender, port: int, rng: Random) -> None:
    """A turn through each door that takes it."""
    made = send("POST", GAMES, None, {"seats": [HUMAN, GRANTED]}, MADE, keyed=True)
    table = Table(send, port, made)
    for index in range(2):
        view = table.view()
        seat, number = view["to_act_seats"][0], view["next_move"]
        body = {"action": "pass", "move_number": number}
        if index:
            table.act(seat, f"/moves/{number}", body, method="PUT")
        else:
            table.act(seat, rng.choice(["/moves", "/turns"]), body)
    view = table.view()
    seat = view["to_act_seats"][0]
    drawing = {"action": "draw", "source": "stock", "move_number": view["next_move"]}
    told = table.act(seat, "/turns", drawing)
    throwing = {"action": "discard", "card": told["game"]["you"]["legal"]["discards"][-1]["card"]}
    table.act(seat, "/moves", {**throwing, "move_number": told["game"]["next_move"]})


def void_hand(send: Sender, port: int, rng: Random) -> None:
    """Consent to a void, take it back, and agree; the next hand is dealt."""
    made = send("POST", GAMES, None, {"seats": [HUMAN, GRANTED]}, MADE, keyed=True)
    table, way = Table(send, port, made), "/hands/1/void-consent"
    for seat, consent in ((0, True), (0, False), (0, True), (1, True)):
        table.act(seat, way, {"consent": consent}, SAID, "PUT")
    table.act(rng.randrange(2), "/hands", {"hand_number": 2})


def cuts(send: Sender, port: int, rng: Random) -> None:
    """Two who have a share in the shuffle: they cut, the last cut deals."""
    nonces = [rng.randbytes(32).hex() for _ in range(2)]
    commits = [sha256(f"GRD1|nonce|{nonce}".encode()).hexdigest() for nonce in nonces]
    people = [
        {**each, "nonce_commit": commit}
        for each, commit in zip((HUMAN, GRANTED), commits, strict=True)
    ]
    rows = {**MADE, "changes": 4}  # both commitments, and that everybody is there
    table = Table(send, port, send("POST", GAMES, None, {"seats": people}, rows, keyed=True))
    for seat in rng.sample((0, 1), 2):
        following = {"next_nonce_commit": rng.randbytes(32).hex()} if rng.random() < 0.5 else {}
        table.act(seat, "/hands/1/cut", {"nonce": nonces[seat], **following}, SAID, "PUT")


def computer(send: Sender, port: int, rng: Random) -> None:
    """Against a computer that moves when it is asked to, and for a person who is advised."""
    asked = {"seats": [HUMAN, ON_REQUEST], "rules": {"advice": "full", "target": 10}}
    table = Table(send, port, send("POST", GAMES, None, asked, MADE, keyed=True))
    for _ in range(6):
        view = table.view(0)
        if view["phase"] in {"hand_over", "game_over"}:
            return
        due, number = view["to_act_seats"][0], view["next_move"]
        body = {"seat": due, "move_number": number, "until": rng.choice(["move", "turn"])}
        table.act(0, "/ai-moves", body)


def seats(send: Sender, port: int, rng: Random) -> None:
    """Further tokens of a seat, one for who watches, and a seat that is left."""
    made = send("POST", GAMES, None, {"seats": [HUMAN, OPEN, OPEN]}, MADE, keyed=True)
    table = Table(send, port, made)
    joining = {"join_code": made["join_code"], "name": "Bob"}
    joined = send("POST", f"{table.path}/joins", None, joining, SAID, keyed=True)
    seat, token = joined["seat"], joined["token"]
    table.tokens[seat] = token
    given = table.act(seat, f"/seats/{seat}/tokens", {"label": "phone"}, DEVICE, keyed=True)
    gone = f"/seats/{seat}/tokens/{given['id']}"
    table.act(seat, gone, method="DELETE")
    table.act(0, "/spectator-tokens", keyed=rng.random() < 0.5)
    table.act(seat, f"/seats/{seat}", None, SAID, "DELETE")
    call = Caller(port, table.tokens[0])
    status, view = call("GET", table.path)
    call.close()
    assert (status, view["seats"][seat]["occupied"]) == (200, False)


def claim(send: Sender, port: int, rng: Random) -> None:
    """The other seat has let its time run out."""
    timed = {**MADE, "changes": 2}  # that its time is up is a change as well
    made = send("POST", GAMES, None, {"scenario": "opponent_gone"}, timed, keyed=True)
    table = Table(send, port, made)
    table.act(0, "/claims", {"move_number": table.view(0)["next_move"]})


def sheet(send: Sender, port: int, rng: Random) -> None:
    """A score sheet: entered, corrected, taken back, deleted."""
    names = {"names": ["Ada", "Bob"]}
    made = send("POST", SHEETS, None, names, {"score_sheets": 1}, keyed=True)
    path, token = f"{SHEETS}/{made['score_sheet']['id']}", made["edit_token"]
    row, etag = {"score_sheet_changes": 1}, made["score_sheet"]["etag"]
    won = {"winner_seat": rng.randrange(2), "points": rng.randint(1, 90)}
    right = {**won, "points": 91, "by": "Ada", "confirmed_by": ["Bob"]}
    for number, body in ((1, won), (2, {"outcome": "drawn"}), (1, right)):
        told = send("PUT", f"{path}/hands/{number}", token, body, row, etag=etag)
        etag = told["etag"]
    words = "by=Ada&confirmed_by=Bob"
    send("DELETE", f"{path}/hands/2?{words}", token, None, row, etag=etag)
    send("DELETE", path, token)


def portal(send: Sender, port: int, rng: Random, key: str) -> None:
    """Games of a portal: one is ended, both are deleted."""
    for ended in (True, False):
        rows = {**MADE, "outbox": 2}  # that it was made, and that a hand was dealt
        made = send("POST", GAMES, key, {"seats": [HUMAN, GRANTED]}, rows, keyed=True)
        path = f"{GAMES}/{made['game']['id']}"
        if ended:
            body, rows = {"reason_code": "x"}, {**SAID, "outbox": 1}
            send("POST", f"{path}/abandonments", key, body, rows, keyed=rng.random() < 0.5)
        send("DELETE", path, key, None, SAID)


def hooks(send: Sender, port: int, rng: Random, key: str) -> None:
    """A webhook of a portal: made, changed, tried, and deleted."""
    body, rows = {"url": "https://receiver.example.org/"}, {"webhooks": 1, "webhook_secrets": 1}
    made = send("POST", "/v1/webhooks", key, body, rows, keyed=True)
    path = f"/v1/webhooks/{made['webhook']['id']}"
    send("PUT", path, key, {"description": "another"})
    send("POST", f"{path}/secrets", key, None, {"webhook_secrets": 1}, keyed=True)
    sent = send("POST", f"{path}/pings", key, None, {"deliveries": 1}, keyed=True)
    again = f"{path}/deliveries/{sent['id']}/redeliveries"
    send("POST", again, key, None, {"deliveries": 1}, keyed=True)
    send("DELETE", path, key)


STORIES = (
    doors,
    knock_and_lay_off,
    void_hand,
    cuts,
    computer,
    seats,
    claim,
    sheet,
    whole_game,
)
"""All but :func:`portal` and :func:`hooks`, which need a key."""
