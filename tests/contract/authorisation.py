"""Who may do what: every operation of the document, asked by everybody there is.

The expected answers stand in ``authorisation.json``: for each operation and target, outcomes such
as ``403 scope_missing`` with the callers that get them. The targets are ``own``, the callers' own
game, score sheet or webhook, made by the portal (for ``stranger`` and ``foreign`` it is somebody
else's), ``other``, one with which none of them has to do, and ``any`` for all other operations.

A new operation needs a row there. If it takes a body it also needs an entry in :data:`BODIES`, if
it needs a game in another state than in the middle of a turn one in :data:`GAMES`, and a new
parameter of a path one in :data:`PATHS`.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from service.portal_keys import SCOPES
from service.use_cases.manage_keys import create_key, list_keys, revoke_key
from tests.cases.fair_deals import FULL
from tests.contract.documents import kept, operations
from tests.contract.tour_of_cuts import MINE, SEATS
from tests.service.portal import ADA, BOB, OPEN, Portal
from tests.service.questions import UNKNOWN
from tests.service.sheets import SheetOverHttp, Sheets, won
from tests.service.table import (
    BOTH,
    DRAWN,
    KNOCKED,
    ON_REQUEST,
    SCORED,
    SPECTATOR,
    Table,
    Tables,
)
from tests.tables import NEAR_GIN

FILE = Path(__file__).with_suffix(".json")
TARGETS = ("own", "other")

OF_SOMEBODY = ("{game_id}", "{score_sheet_id}", "{webhook_id}")
"""What stands in the path of an operation on something that is somebody's."""

OF_A_SHEET = ("sheet_editor", "sheet_reader")
CALLERS = (
    *("nobody", "stranger", "seat0", "seat1", "spectator"),
    *(*SCOPES, "foreign", "revoked"),
    *OF_A_SHEET,
)
"""Nobody, who has a seat in another game, those of this game, and keys: of its portal with one
scope each, of another portal with all, and one of its portal that was revoked. And those who hold
the tokens of a score sheet."""

Row = dict[str, dict[str, list[str]]]
Make = Callable[[Portal], Table]


def rows() -> dict[str, Row]:
    """Return the table as it is kept."""
    return json.loads(FILE.read_text("utf-8"))


def written(table: Mapping[str, Row]) -> str:
    """Return the table as it has to be kept."""
    ordered = {
        name: {target: _in_order(found) for target, found in table[name].items()}
        for name in sorted(table)
    }
    text = json.dumps(ordered, indent=1)
    return re.sub(r"\[\s+([^\]]*?)\s+\]", lambda found: f"[{_line(found[1])}]", text) + "\n"


def _in_order(found: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {outcome: sorted(found[outcome], key=CALLERS.index) for outcome in sorted(found)}


def _line(names: str) -> str:
    return ", ".join(name.strip() for name in names.split(","))


# --- what is asked


def _number(table: Table) -> dict[str, Any]:
    return {"move_number": table.next_move}


DRAW = {
    "phase": "draw",
    "cards": NEAR_GIN.split(),
    "stock_count": 20,
    "discard_pile": ["QH", "JS"],
}
COUNTED = {"kind": "knock", "knocker": {"deadwood": 3}, "defender": {"deadwood": 9}}
ALL_OPERATIONS = sorted(operation["operationId"] for *_, operation in operations(kept()))

BODIES: Mapping[str, Callable[[Table], Any]] = {
    "resolveRules": lambda table: {"base": "short"},
    "createGame": lambda table: {},
    "joinGame": lambda table: {"join_code": table.join_code},
    "abandonGame": lambda table: {},
    "createSeatToken": lambda table: {"label": "phone"},
    "makeMove": lambda table: {"action": "discard", "card": "KS", **_number(table)},
    "putMove": lambda table: {"action": "discard", "card": "KS", **_number(table)},
    "playTurn": lambda table: {"action": "discard", "card": "KS", **_number(table)},
    "knock": lambda table: {"discard": "KS", **_number(table)},
    "layOff": _number,
    "dealHand": lambda table: {"hand_number": 2},
    "consentVoid": lambda table: {"consent": True},
    "cutDeck": lambda table: {"nonce": MINE},
    "createRematch": lambda table: {},
    "putNotes": lambda table: {"text": "x"},
    "checkGameMelds": lambda table: {"melds": []},
    "resign": _number,
    "playAiMove": lambda table: {"seat": 2, "until": "move", **_number(table)},
    "claimWin": _number,
    "createHint": lambda table: {},
    "suggestMove": lambda table: DRAW,
    "analyseCards": lambda table: {"cards": ["AC"]},
    "analyseCardsBatch": lambda table: {"items": [{"cards": ["AC"]}]},
    "findLayOffs": lambda table: {"knocker_melds": [], "cards": ["AC"]},
    "scoreHand": lambda table: COUNTED,
    "scoreHandsBatch": lambda table: {"items": [COUNTED]},
    "findLayOffsBatch": lambda table: {"items": [{"knocker_melds": [], "cards": ["AC"]}]},
    "checkMelds": lambda table: {"melds": []},
    "checkMeldsBatch": lambda table: {"items": [{"melds": []}]},
    "verifyDeal": lambda table: FULL,
    "scoreGame": lambda table: {"hands": [won(0, 25)]},
    "createScoreSheet": lambda table: {"names": ["Ada", "Bob"]},
    "putScoreSheetHand": lambda table: won(1, 9),
    "createWebhook": lambda table: {"url": "https://receiver.example.org/"},
    "putWebhook": lambda table: {"enabled": True},
}
"""A body for each operation that takes one; in the state of :data:`GAMES` it is a good one."""


def _out_of_time(portal: Portal) -> Table:
    """Make a game in which seat 0 is due and has no time left."""
    table = portal.make(*DRAWN, rules={"turn_seconds": 60, "timeout_policy": "claim"})
    with portal.answering.house.store.writing() as conn:
        conn.execute("UPDATE games SET turn_deadline = now() WHERE id = %s", (table.id,))
    return table


GAMES: Mapping[str, Make] = {
    "claimWin": _out_of_time,
    "createHint": lambda portal: portal.make(*DRAWN, rules={"advice": "full"}),
    "joinGame": lambda portal: portal.make(seats=(ADA, BOB, OPEN)),
    "leaveSeat": lambda portal: portal.make(seats=(ADA, BOB, OPEN)),
    "getInvitation": lambda portal: portal.make(seats=(ADA, BOB, OPEN)),
    "getKnock": lambda portal: portal.make(*KNOCKED),
    "layOff": lambda portal: portal.make(*KNOCKED),
    "dealHand": lambda portal: portal.make(*SCORED),
    "getHandProof": lambda portal: portal.make(*SCORED),
    "confirmHand": lambda portal: portal.make(*SCORED, rules=BOTH),
    "cutDeck": lambda portal: portal.make(seats=SEATS, deal=None),
    "getNotation": lambda portal: portal.make("0 resign"),
    "getHandAnalysis": lambda portal: portal.make("0 resign"),
    "getGameAnalysis": lambda portal: portal.make("0 resign"),
    "createRematch": lambda portal: portal.make("0 resign"),
    "streamUpdates": lambda portal: portal.make("0 resign"),  # such a stream ends by itself
    "playAiMove": lambda portal: portal.make(seats=(ADA, BOB, ON_REQUEST), deal=None),
}
"""Games in another state than after a draw of seat 0."""

PATHS: Mapping[str, Callable[[Table], object]] = {
    "hand_number": lambda table: 1,
    "move_number": lambda table: table.next_move,
    "seat": lambda table: 0,
    "token_id": lambda table: "st_0_0",
    "join_code": lambda table: table.join_code,
    "problem_code": lambda table: "not_found",
    "rule_set_id": lambda table: "standard",
}
"""What stands in the path of an operation beside the game."""

IF_MATCH = frozenset({"putScoreSheetHand", "deleteScoreSheetHand"})
"""Operations that need the version that was seen."""


@dataclass(frozen=True)
class Asked:
    """An answer: its outcome as the table says it, and all of it that must not tell games apart."""

    outcome: str
    said: tuple[Any, ...]


class Matrix:
    """Everybody who can call, and the games they call about."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.answering = tables, tables.answering
        store = tables.answering.house.store
        self.portal = Portal(tables, create_key(store, "mine", SCOPES).key)
        self.keys = {scope: create_key(store, "mine", [scope]).key for scope in SCOPES}
        self.keys["foreign"] = create_key(store, "foreign", SCOPES).key
        self.keys["revoked"] = create_key(store, "mine", SCOPES).key
        revoke_key(store, list_keys(store)[-1].id)
        self.stranger = tables().tokens[0]
        self.others = tables(*DRAWN)
        self.sheet, self.other_sheet = self._sheet(self.portal.key), self._sheet()
        third = Portal(tables, create_key(store, "third", SCOPES).key)
        self.webhook, self.other_webhook = self._webhook(self.portal), self._webhook(third)
        self.operations = {
            operation["operationId"]: (method, path, operation)
            for method, path, operation in operations(kept())
        }

    def _sheet(self, key: str | None = None) -> SheetOverHttp:
        sheet = Sheets(self.answering)(key=key)
        sheet.enter(won(0, 25))
        return sheet

    @staticmethod
    def _webhook(portal: Portal) -> tuple[str, str]:
        """Return the ids of a new webhook of a portal and of a delivery to it."""
        body = {"url": "https://receiver.example.org/"}
        made = portal.ask("POST", "/v1/webhooks", body).json["webhook"]["id"]
        return made, portal.ask("POST", f"/v1/webhooks/{made}/pings").json["id"]

    def game(self, name: str) -> Table:
        """Return a new game in which the operation can be done.

        One on sheets has a new sheet, one on webhooks a new webhook in the place of the last one.
        """
        if "/webhooks" in self.operations[name][1]:
            self.portal.ask("DELETE", f"/v1/webhooks/{self.webhook[0]}")
            self.webhook = self._webhook(self.portal)
            return self.others
        if "{score_sheet_id}" in self.operations[name][1]:
            self.sheet = self._sheet(self.portal.key)
            return self.others
        return GAMES.get(name, lambda portal: portal.make(*DRAWN))(self.portal)

    def targets(self, name: str) -> tuple[str, ...]:
        """Return what the operation is asked about."""
        path = self.operations[name][1]
        return TARGETS if any(each in path for each in OF_SOMEBODY) else ("any",)

    def ask(
        self, name: str, caller: str, table: Table, game_id: str, sheet: SheetOverHttp | None = None
    ) -> Asked:
        """Let ``caller``, who belongs to ``table``, ask about a game or a sheet, else its own."""
        method, path, operation = self.operations[name]
        sheet = sheet or self.sheet
        path = path.replace("{game_id}", game_id).replace("{score_sheet_id}", sheet.id)
        webhook = self.other_webhook if sheet is self.other_sheet else self.webhook
        for each, found in zip(("{webhook_id}", "{delivery_id}"), webhook, strict=True):
            path = path.replace(each, found)
        path = re.sub(r"{(\w+)}", lambda found: str(PATHS[found[1]](table)), path)
        if name == "getMove":
            path = path.rsplit("/", 1)[0] + "/1"
        body = BODIES[name](table) if "requestBody" in operation else None
        sent = {"If-Match": sheet.etag} if name in IF_MATCH else {}
        answer = self.answering.send(method, path, body, self._token(caller, table), headers=sent)
        code = f" {answer.json['code']}" if answer.status_code >= 400 else ""
        headers = [pair for pair in answer.headers if pair[0] != "Request-Id"]
        text = answer.data.replace(game_id.encode(), UNKNOWN.encode())
        return Asked(f"{answer.status_code}{code}", (answer.status_code, headers, text))

    def _token(self, caller: str, table: Table) -> str | None:
        of_game = {"seat0": 0, "seat1": 1, "spectator": SPECTATOR, "nobody": None}
        if caller in of_game:
            return table.tokens[of_game[caller]]
        if caller in OF_A_SHEET:
            return self.sheet.edit if caller == "sheet_editor" else self.sheet.share
        return self.stranger if caller == "stranger" else self.keys[caller]

    def row(self, name: str, expected: Row | None = None) -> Row:
        """Return what everybody gets; who changes something asks about a new game.

        With what is ``expected`` the callers who are refused ask first, all about one game.
        """
        found: Row = {}
        for target in self.targets(name):
            table = self.game(name)
            good = {
                caller
                for outcome, callers in (expected or {}).get(target, {}).items()
                for caller in callers
                if outcome.startswith("2")
            }
            for caller in sorted(CALLERS, key=good.__contains__):
                if expected is None or (caller in good and self.operations[name][0] != "GET"):
                    table = self.game(name)
                game_id = self.others.id if target == "other" else table.id
                sheet = self.other_sheet if target == "other" else self.sheet
                outcome = self.ask(name, caller, table, game_id, sheet).outcome
                found.setdefault(target, {}).setdefault(outcome, []).append(caller)
        return found
