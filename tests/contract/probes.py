"""Requests made up from the OpenAPI document: for each operation, one that changes nothing.

Whatever the document names has to be known here: an operation that takes a body needs an entry in
:data:`BODIES`, a parameter one in :data:`VALUES`, else a ``KeyError`` says which is missing.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from engine.actions import (
    Action,
    Claim,
    Discard,
    Draw,
    DrawSource,
    Knock,
    KnockKind,
    LayOffs,
    Pass,
    Resign,
)
from engine.cards import card_name, card_names
from engine.errors import EngineError
from engine.game import Game
from engine.hand import Phase
from engine.layoffs import LayOff
from engine.melds import parse_meld
from engine.progress import decide
from tests.cases.fair_deals import FULL
from tests.contract.documents import operations


@dataclass(frozen=True)
class Request:
    """A request as it is sent, and who sends it."""

    who: str
    method: str
    path: str
    body: bytes | None = None
    headers: tuple[tuple[str, str], ...] = ()


@dataclass
class Where:
    """What requests are made from: a game as it stands, and what was seen on the way."""

    game: Game
    game_id: str
    join_code: str
    version: int = 1
    webhook_id: str = "wh_0123456789abcdef"
    etags: list[str] = field(default_factory=lambda: ['"0-0-1"'])
    cursors: list[str] = field(default_factory=lambda: ["bm8"])
    accepted: list[Request] = field(default_factory=list)

    @property
    def hand(self) -> int:
        """The number of the present hand, 1 before the first."""
        return self.game.hand.number if self.game.hand else 1


VALUES: Mapping[str, Callable[[Where, Random], Any]] = {
    "game_id": lambda where, rng: where.game_id,
    "hand_number": lambda where, rng: rng.choice([where.hand, 1, where.hand + 1]),
    "move_number": lambda where, rng: rng.randint(1, where.game.next_move),
    "join_code": lambda where, rng: rng.choice([where.join_code, "x"]),
    "problem_code": lambda where, rng: rng.choice(["card_not_in_hand", "x"]),
    "rule_set_id": lambda where, rng: rng.choice(["standard", "x"]),
    "cursor": lambda where, rng: rng.choice(where.cursors),
    "limit": lambda where, rng: rng.choice([1, 2, 100, 0]),
    "hand": lambda where, rng: rng.choice([1, where.hand, where.hand + 1]),
    "level": lambda where, rng: rng.choice(["master", "x"]),
    "after": lambda where, rng: rng.choice(
        [1, where.version, where.version + 1, rng.randint(1, where.version)]
    ),
    "Idempotency-Key": lambda where, rng: rng.choice(['"', "k" * rng.randrange(20, 25)]),
    "score_sheet_id": lambda where, rng: "ss_" + where.game_id.removeprefix("g_"),
    "by": lambda where, rng: rng.choice(["Ada", "x"]),
    "confirmed_by": lambda where, rng: rng.choice(["Ada", "x"]),
    "reason": lambda where, rng: "x",
    "If-Match": lambda where, rng: rng.choice(['"1-e-1"', "*", *where.etags[-3:]]),
    "seat": lambda where, rng: rng.randrange(4),
    "token_id": lambda where, rng: rng.choice(["st_0_9", "x"]),
    "status": lambda where, rng: rng.choice(["playing", "x"]),
    "player_ref": lambda where, rng: rng.choice(["x", ""]),
    "complete": lambda where, rng: rng.choice(["true", "x"]),
    "name": lambda where, rng: rng.choice(["Ada", ""]),
    "updated_after": lambda where, rng: rng.choice(["2026-01-01T00:00:00Z", "x"]),
    "wait": lambda where, rng: rng.choice([0, 1]),
    "webhook_id": lambda where, rng: rng.choice([where.webhook_id, "wh_0123456789abcdef"]),
    "delivery_id": lambda where, rng: "d_" + "0" * 32,
    "delivered": lambda where, rng: rng.choice(["true", "false", "x"]),
    "ticket": lambda where, rng: "grt_x",
    "Last-Event-ID": lambda where, rng: rng.randint(0, where.version + 1),
    "If-None-Match": lambda where, rng: rng.choice(["*", *where.etags[-3:]]),
}
"""A value of each parameter that the document names."""


# --- moves


def wire(action: Action) -> dict[str, Any]:
    """Return the body of makeMove that asks for ``action``, less its number."""
    match action:
        case Pass():
            return {"action": "pass"}
        case Draw():
            return _present(action="draw", source=action.source.value, card=_name(action.card))
        case Discard():
            return {"action": "discard", "card": card_name(action.card)}
        case Knock():
            melds = _melds(action.melds)
            return _present(action=action.kind.value, card=_name(action.discard), melds=melds)
        case LayOffs():
            laid = action.lay_offs
            sent = laid and [{"card": card_name(one.card), "meld": one.meld} for one in laid]
            sent = [] if laid == () else sent
            return _present(action="lay_off", lay_offs=sent, melds=_melds(action.melds))
    return {"action": "claim" if isinstance(action, Claim) else "resign"}


def _present(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _name(card: int | None) -> str | None:
    return None if card is None else card_name(card)


def _melds(melds: tuple[int, ...] | None) -> list[dict[str, Any]] | None:
    if melds is None:
        return None
    return [{"kind": parse_meld(meld).kind.value, "cards": card_names(meld)} for meld in melds]


def typed(operation_id: str, action: Action) -> dict[str, Any]:
    """Return the body with which a door asks for ``action``, less its number."""
    body = wire(action)
    if operation_id == "knock":
        kind, discard = body.pop("action"), body.pop("card", None)
        return _present(kind=kind, discard=discard, **body)
    if operation_id in {"layOff", "resign", "claimWin"}:
        del body["action"]
    return body


DOORS: Mapping[str, tuple[type, ...]] = {
    "makeMove": (Pass, Draw, Discard, Knock, LayOffs, Resign, Claim),
    "putMove": (Pass, Draw, Discard, Knock, LayOffs, Resign, Claim),
    "playTurn": (Pass, Draw, Discard),
    "knock": (Knock,),
    "layOff": (LayOffs,),
    "resign": (Resign,),
    "claimWin": (Claim,),
}
"""The operations that make a move of the caller, and the moves that each takes."""


def any_action(kinds: tuple[type, ...], rng: Random) -> Action:
    """Return any action of one of ``kinds``, with any cards."""
    card = rng.randrange(52)
    meld = rng.choice([None, (rng.choice(SETS),), ()])
    made: dict[type, Action] = {
        Pass: Pass(),
        Draw: Draw(*rng.choice([(DrawSource.STOCK,), (DrawSource.DISCARD_PILE, card)])),
        Discard: Discard(card),
        Knock: Knock(rng.choice([KnockKind.KNOCK, KnockKind.GIN]), card, meld),
        LayOffs: LayOffs(rng.choice([None, (), (LayOff(card, 0),)]), meld),
        Resign: Resign(),
        Claim: Claim(),
    }
    return made[rng.choice(kinds)]


SETS = [sum(1 << suit * 13 + rank for suit in range(4)) for rank in range(13)]


def refused(game: Game, seat: int | None, action: Action) -> bool:
    """Whether ``seat`` may not do ``action`` now."""
    if seat is None:
        return True
    try:
        decide(game, seat, action)
    except EngineError:
        return True
    return False


def _move(operation_id: str, where: Where, rng: Random, seat: int | None) -> dict[str, Any]:
    action = any_action(DOORS[operation_id], rng)
    number = where.game.next_move
    if not refused(where.game, seat, action) or rng.random() < 0.2:
        number += rng.choice([-1, 1])
    return {**typed(operation_id, action), "move_number": max(number, 1)}


# --- other bodies that change nothing


def _deal(where: Where, rng: Random) -> dict[str, Any]:
    """A hand that was dealt, one too far, or the next one while a hand is played."""
    numbers = [where.hand, 1, where.hand + 2]
    if where.game.phase not in {Phase.HAND_OVER, Phase.WAITING}:
        numbers.append(where.hand + 1)
    return {"hand_number": rng.choice(numbers)}


def _computer(where: Where, rng: Random) -> dict[str, Any]:
    """Any seat; a number that is not due, since a computer might be."""
    number = max(1, where.game.next_move + rng.choice([-1, 1]))
    return {"seat": rng.randrange(3), "until": rng.choice(["move", "turn"]), "move_number": number}


def _join(where: Where, rng: Random) -> dict[str, Any]:
    """The right code once nobody can join any more, else a wrong one."""
    waiting = where.game.phase is Phase.WAITING
    return {"join_code": rng.choice(["x", "x" if waiting else where.join_code])}


def _game(where: Where, rng: Random) -> dict[str, Any]:
    return rng.choice(
        [
            {"rules": {"base": "x"}},
            {"rules": {"turn_seconds": 1}},
            {"scenario": "x"},
            {"seats": [{"kind": "human"}] * 4},
            {"seats": [{"kind": "human"}, {"kind": "ai", "ai": {"level": "x"}}]},
        ]
    )


def _consent(where: Where, rng: Random, seat: int | None) -> dict[str, Any]:
    """To take back what nobody said, or from somebody without a say."""
    return {"consent": seat is None and rng.random() < 0.5}


def _melds_to_check(rng: Random) -> list[dict[str, Any]]:
    """Any cards as melds, wherever they lie."""
    kinds = ("set", "run")
    return [
        {"kind": rng.choice(kinds), "cards": [card_name(card) for card in rng.sample(range(52), 3)]}
        for _ in range(rng.randrange(4))
    ]


def _some_cards(rng: Random, count: int = 10) -> list[str]:
    return [card_name(card) for card in rng.sample(range(52), count)]


def _position(rng: Random) -> dict[str, Any]:
    """A position of a game kept elsewhere, some of them impossible."""
    cards, told = _some_cards(rng, 12), {"phase": "draw", "stock_count": rng.randrange(32)}
    return {**told, "cards": cards[:10], "discard_pile": cards[10:]}


def _hand(rng: Random) -> dict[str, Any]:
    """A hand kept elsewhere: any cards, or counts."""
    kind = rng.choice(["knock", "gin", "big_gin"])
    if rng.random() < 0.5:
        return {
            "kind": kind,
            "knocker": {"deadwood": rng.randrange(12)},
            "defender": {"deadwood": rng.randrange(90)},
        }
    cards = _some_cards(rng, 20)
    return {"kind": kind, "knocker": {"cards": cards[:10]}, "defender": {"cards": cards[10:]}}


def _entry(rng: Random) -> dict[str, Any]:
    """A hand as a score keeper enters it, some of them impossible."""
    points = {"winner_seat": rng.randrange(4), "points": rng.randrange(99)}
    return rng.choice([points, {"outcome": "drawn"}, {"kind": "gin"}])


def _sheet_request(rng: Random) -> dict[str, Any]:
    """Names and rules of which there can be no score sheet."""
    return rng.choice([{"names": ["Ada"]}, {"names": ["Ada", "Bob"], "rules": {"base": "x"}}])


def _deal_told(where: Where, rng: Random) -> dict[str, Any]:
    """A deal to be checked: true, from any seed, or none at all.

    It is of another game: in this one the decks lie as the test says, not as a seed has it.
    """
    secret = rng.randbytes(32).hex()
    other = {"game_id": "g_other", "hand_number": where.hand}
    return rng.choice([FULL, {}, {**other, "seed": secret, "server_commit": secret}])


BODIES: Mapping[str, Callable[[Where, Random, int | None], Any]] = {
    **{door: lambda where, rng, seat, door=door: _move(door, where, rng, seat) for door in DOORS},
    "dealHand": lambda where, rng, seat: _deal(where, rng),
    "playAiMove": lambda where, rng, seat: _computer(where, rng),
    "createHint": lambda where, rng, seat: rng.choice([{}, {}, {"level": "plain"}, {"level": "x"}]),
    "suggestMove": lambda where, rng, seat: _position(rng),
    "joinGame": lambda where, rng, seat: _join(where, rng),
    "createGame": lambda where, rng, seat: _game(where, rng),
    "resolveRules": lambda where, rng, seat: {"base": rng.choice(["oklahoma", "x"])},
    "consentVoid": _consent,
    "cutDeck": lambda where, rng, seat: {"nonce": rng.randbytes(32).hex()},
    "createRematch": lambda where, rng, seat: {"nonce_commit": rng.choice(["x", "0" * 63])},
    "putNotes": lambda where, rng, seat: {"text": rng.choice(["", "mine", "two\nlines"])},
    "analyseCards": lambda where, rng, seat: {"cards": _some_cards(rng, rng.randint(1, 12))},
    "analyseCardsBatch": lambda where, rng, seat: {"items": [{"cards": _some_cards(rng)}]},
    "findLayOffs": lambda where, rng, seat: {"knocker_melds": [], "cards": _some_cards(rng)},
    "scoreHand": lambda where, rng, seat: _hand(rng),
    "scoreHandsBatch": lambda where, rng, seat: {"items": [_hand(rng), None]},
    "findLayOffsBatch": lambda where, rng, seat: {
        "items": [{"knocker_melds": _melds_to_check(rng), "cards": _some_cards(rng)}, None]
    },
    "checkMelds": lambda where, rng, seat: {"melds": _melds_to_check(rng)},
    "checkMeldsBatch": lambda where, rng, seat: {"items": [{"melds": _melds_to_check(rng)}, 7]},
    "verifyDeal": lambda where, rng, seat: _deal_told(where, rng),
    "scoreGame": lambda where, rng, seat: {"hands": [_entry(rng) for _ in range(rng.randrange(3))]},
    "createScoreSheet": lambda where, rng, seat: _sheet_request(rng),
    "putScoreSheetHand": lambda where, rng, seat: _entry(rng),
    "createSeatToken": lambda where, rng, seat: rng.choice([{"label": "x"}, {"label": "\n"}]),
    "abandonGame": lambda where, rng, seat: {"reason_code": "x"},
    "checkGameMelds": lambda where, rng, seat: {"melds": _melds_to_check(rng)},
    "createWebhook": lambda where, rng, seat: {"url": "https://127.0.0.1/"},
    "putWebhook": lambda where, rng, seat: {"url": "https://127.0.0.1/"},
}
"""A body for each operation that takes one, which changes nothing when ``seat`` sends it.

A hint that is given is counted; that makes a version, but no difference to what is played.
"""


class Probes:
    """The operations of a document, and requests to them."""

    def __init__(self, document: dict) -> None:
        self.operations = {
            operation["operationId"]: (method, path, operation)
            for method, path, operation in operations(document)
        }

    def request(
        self, who: str, name: str, where: Where, rng: Random, seat: int | None = None
    ) -> Request:
        """Return a request to the operation ``name`` that changes nothing."""
        _, _, operation = self.operations[name]
        body = BODIES[name](where, rng, seat) if "requestBody" in operation else None
        return self.filled(who, name, where, rng, body)

    def filled(self, who: str, name: str, where: Where, rng: Random, body: Any = None) -> Request:
        """Return a request to the operation ``name`` with ``body``."""
        method, path, operation = self.operations[name]
        given: dict[str, Any] = {}
        if name == "putMove":
            given["move_number"] = body["move_number"]
        if name == "confirmHand" and where.game.phase is Phase.CONFIRMING:
            given["hand_number"] = where.hand + 1
        if name == "layOff":
            given["hand_number"] = where.hand
        if name == "leaveSeat" and where.game.phase is Phase.WAITING:
            given["seat"] = 1 if who == "seat0" else 0  # somebody else's
        path = re.sub(
            r"{(\w+)}", lambda found: str(given.get(found[1]) or VALUES[found[1]](where, rng)), path
        )
        sent = {"query": [], "header": []}
        for parameter in operation.get("parameters", []):
            if parameter["in"] in sent:
                value = VALUES[parameter["name"]](where, rng)
                if rng.random() < 0.5:
                    sent[parameter["in"]].append((parameter["name"], str(value)))
        if sent["query"]:
            path += "?" + "&".join(f"{key}={value}" for key, value in sent["query"])
        text = None if body is None else json.dumps(body).encode()
        return Request(who, method, path, text, tuple(sent["header"]))

    def door(self, who: str, action: Action, where: Where, rng: Random) -> Request:
        """Return the request that asks for ``action`` now, through any door that takes it."""
        doors = [name for name, kinds in DOORS.items() if isinstance(action, kinds)]
        name = rng.choice(doors)
        body = {**typed(name, action), "move_number": where.game.next_move}
        return self.filled(who, name, where, rng, body)

    def all_cards(self, who: str, seat: int, where: Where, rng: Random) -> Iterator[Request]:
        """Yield a refused request for each card that it may name now: the oracle's questions."""
        for action in _asking_for_each_card(where.game, rng):
            if refused(where.game, seat, action):
                yield self.door(who, action, where, rng)


def _asking_for_each_card(game: Game, rng: Random) -> list[Action]:
    cards = range(52)
    if game.phase is Phase.DISCARD:
        kind = rng.choice([KnockKind.KNOCK, KnockKind.GIN])
        return [rng.choice([Discard(card), Knock(kind, card)]) for card in cards]
    if game.phase is Phase.LAY_OFF:
        melds = range(len(game.hand.knock.melds) + 1)
        return [LayOffs((LayOff(card, rng.choice(melds)),)) for card in cards]
    return [Draw(DrawSource.DISCARD_PILE, card) for card in cards]
