"""A client that plays. It reads ``you.legal``, ``next_move``, the numbers of the hands, and
whether the game is over or waits for a computer.

Its play is random within its manner, so that games get knocks, gins, undercuts, lay-offs by hand
and hands that nobody wins. It uses every door that leads to a move.
"""

from random import Random
from typing import NamedTuple

MANNERS = {"eager": 6, "gin only": 2, "never knocks": 3}
"""How a bot knocks for the length of a hand, and how often it does so."""


class Wish(NamedTuple):
    """The request that a bot wants to make."""

    method: str
    path: str
    body: dict | None


class Bot:
    """One player of one game.

    :param path: the game's, as in ``/v1/games/g_…``.
    :param resigns_at: the move number from which it gives up, if it does.
    """

    def __init__(self, path: str, rng: Random, resigns_at: int | None = None) -> None:
        self.path = path
        self.rng = rng
        self.resigns_at = resigns_at
        self._hand_number = 0
        self._manner = ""

    def wish(self, game: dict) -> Wish | None:
        """What it wants to do now; None to wait."""
        legal, number = game["you"]["legal"], game["next_move"]
        self._notice(game)
        actions = legal["actions"]
        if game["over"]:
            return None
        if game["ai_pending"]:
            wish = {"seat": game["to_act_seats"][0], "move_number": number}
            return Wish("POST", f"{self.path}/ai-moves", wish)
        if not actions:
            return None
        if "deal" in actions:
            return Wish("POST", f"{self.path}/hands", {"hand_number": game["next_hand"]["number"]})
        if "confirm" in actions:
            confirmation = f"{self.path}/hands/{game['hand']['number']}/confirmation"
            return Wish("PUT", confirmation, None)
        if self.resigns_at is not None and number >= self.resigns_at:
            return Wish("POST", f"{self.path}/resignations", {"move_number": number})
        return self._through_a_door(self._action(legal), number)

    def _notice(self, game: dict) -> None:
        """Learn the number of the hand, and take on a manner for each new one."""
        if "hand" in game and game["hand"]["number"] != self._hand_number:
            self._hand_number = game["hand"]["number"]
            self._manner = self.rng.choices(list(MANNERS), MANNERS.values())[0]

    def _action(self, legal: dict) -> dict:
        actions = legal["actions"]
        if "lay_off" in actions:
            return {"action": "lay_off", **self._lay_offs(legal["lay_offs"])}
        knocks = [knock for knock in legal["knocks"] if self._would(knock)]
        if "knock" in actions and knocks and self.rng.random() < 0.9:
            return self._knock(self.rng.choice([knocks[0], self.rng.choice(knocks)]))
        if "discard" in actions:
            return {"action": "discard", "card": self._discard(legal["discards"])}
        if "pass" in actions and self.rng.random() < 0.5:
            return {"action": "pass"}
        draw = self.rng.choice(legal["draws"])
        return {"action": "draw", "source": draw["source"]}

    def _would(self, knock: dict) -> bool:
        return self._manner == "eager" or (
            self._manner == "gin only" and knock["kind"] in {"gin", "big_gin"}
        )

    def _knock(self, knock: dict) -> dict:
        action = {"action": knock["kind"]}
        if "discard" in knock:
            action["card"] = knock["discard"]
        if "melds" in knock and self.rng.random() < 0.5:
            action["melds"] = knock["melds"]
        return action

    def _discard(self, discards: list[dict]) -> str:
        if self.rng.random() < 0.1:
            return self.rng.choice(discards)["card"]
        return discards[0]["card"]

    def _lay_offs(self, legal: dict) -> dict:
        way = self.rng.choice(["best", "none", "named", "by hand", "by hand"])
        if way == "best":
            return {}
        if way == "none":
            return {"lay_offs": []}
        if way == "named" and "best" in legal:
            return {"lay_offs": legal["best"]["lay_offs"]}
        made: list[dict] = []
        for fit in legal["possible"]:
            free = fit["card"] not in {laid["card"] for laid in made}
            reached = "after" not in fit or {"card": fit["after"], "meld": fit["meld"]} in made
            if free and reached and self.rng.random() < 0.8:
                made.append({"card": fit["card"], "meld": fit["meld"]})
        return {"lay_offs": made}

    def _through_a_door(self, action: dict, number: int) -> Wish:
        body = {**action, "move_number": number}
        door = self.rng.choice(["typed", "generic", "numbered"])
        if door == "generic":
            return Wish("POST", f"{self.path}/moves", body)
        if door == "numbered":
            return Wish("PUT", f"{self.path}/moves/{number}", body)
        kind = body.pop("action")
        if kind == "lay_off":
            return Wish("POST", f"{self.path}/knocks/{self._hand_number}/lay-offs", body)
        if kind in {"knock", "gin", "big_gin"}:
            if "card" in body:
                body["discard"] = body.pop("card")
            return Wish("POST", f"{self.path}/knocks", {"kind": kind, **body})
        return Wish("POST", f"{self.path}/turns", {"action": kind, **body})
