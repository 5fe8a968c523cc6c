"""Games that are played the same way each time: fixed chance, and two people who follow a plan."""

import base64
import hashlib
from collections.abc import Callable


class FixedChance:
    """The same games each time: what is drawn follows from the name of the story."""

    def __init__(self, story: str) -> None:
        self.story = story
        self.drawn = 0

    def _draw(self) -> str:
        self.drawn += 1
        return hashlib.sha256(f"{self.story} {self.drawn}".encode()).hexdigest()

    def game_id(self) -> str:
        raw = bytes.fromhex(self._draw())[:16]
        return "g_" + base64.urlsafe_b64encode(raw).decode().rstrip("=")

    def deal_key(self) -> bytes:
        return bytes.fromhex(self._draw())

    def join_code(self) -> str:
        return self._draw()[:16]

    def score_sheet_id(self) -> str:
        return "ss_" + self.game_id().removeprefix("g_")


class Table:
    """Two people at one game, and all they can ask."""

    def __init__(self, client, rules: dict | None = None) -> None:
        self.client = client
        body = {"seats": [{"kind": "human", "seating": "granted"}] * 2, "rules": rules or {}}
        made = client.post("/v1/games", json=body)
        assert made.status_code == 201, made.json
        self.tokens = [grant["token"] for grant in made.json["tokens"]]
        self.watcher = made.json["spectator_token"]
        self.game = made.json["game"]
        self.at = f"/v1/games/{self.game['id']}"

    def get(self, path: str = "", token: str | None = None):
        headers = {"Authorization": f"Bearer {token or self.tokens[0]}"}
        return self.client.get(self.at + path, headers=headers)

    def send(self, path: str, body: dict, token: str, method: str = "POST"):
        headers = {"Authorization": f"Bearer {token}"}
        return self.client.open(self.at + path, method=method, json=body, headers=headers)

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return self.game["to_act_seats"][0]

    @property
    def legal(self) -> dict:
        """What the seat that is due may do."""
        return self.view()["you"]["legal"]

    def view(self, seat: int | None = None) -> dict:
        return self.get("", self.tokens[self.seat if seat is None else seat]).json

    def act(self, path: str, body: dict, seat: int | None = None, method: str = "POST"):
        """Send a move of the seat that is due, numbered as it has to be."""
        numbered = {**body, "move_number": self.game["next_move"]}
        token = self.tokens[self.seat if seat is None else seat]
        answer = self.send(path, numbered, token, method)
        if answer.status_code == 201:
            self.game = answer.json["game"]
        return answer

    def turn(self, **body):
        return self.act("/turns", body)

    def until(self, reached: Callable[[dict], bool]) -> None:
        """Play on, drawing from the stock and throwing what leaves least, until ``reached``."""
        for _ in range(400):
            if reached(self.view()):
                return
            self._step(self.legal)
        raise AssertionError("it was not reached")

    def _step(self, legal: dict) -> None:
        if "pass" in legal["actions"]:
            answer = self.turn(action="pass")
        elif "draw" in legal["actions"]:
            answer = self.turn(action="draw", source="stock")
        elif "deal" in legal["actions"]:
            hand = {"hand_number": self.game["next_hand"]["number"]}
            answer = self.send("/hands", hand, self.tokens[0])
            self.game = answer.json["game"]
        else:
            answer = self.turn(action="discard", card=legal["discards"][0]["card"])
        assert answer.status_code == 201, answer.json


def can(action: str) -> Callable[[dict], bool]:
    return lambda game: action in game["you"]["legal"]["actions"]


def in_phase(phase: str) -> Callable[[dict], bool]:
    return lambda game: game["phase"] == phase
