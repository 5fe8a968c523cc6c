"""Hands that end all the time, and who would like to know their seeds before."""

import contextlib
import http.client
import re
import threading
from dataclasses import dataclass, field
from random import Random

from engine.shuffle import hand_seed
from service.storage import games
from service.storage.codec import Codec
from service.storage.pool import Store
from tests.server import Caller

GRANTED = [{"kind": "human", "name": name, "seating": "granted"} for name in ("Ada", "Bob")]
HANDS = 6
"""So many hands are played in a game before it is given up."""

AWAY = (OSError, http.client.HTTPException)
PATIENCE = 200
"""How often a request is sent again while a worker is being replaced."""

TOGETHER_SECONDS = 300

HEX = re.compile(rb"[0-9a-f]{64}")


@dataclass
class Played:
    """A game that is being played: who may read it, and which seeds may be told.

    A hand is entered in ``ending`` before the request is sent that ends it, so that whatever was
    read before that was read too early.
    """

    path: str
    tokens: list[str]
    opens_late: bool
    seeds: dict[bytes, int]
    deal_key: bytes
    hand: int = 1
    ending: set[int] = field(default_factory=set)

    def found_early(self, answer: bytes) -> set[int]:
        """Return the hands whose seed stands in an answer that came before they could end."""
        told = {self.seeds[word] for word in HEX.findall(answer) if word in self.seeds}
        if self.deal_key in answer:
            told.add(0)
        return told - self.ending


class Asking(Caller):
    """A connection that takes it that a worker dies, and sends again."""

    def read(self, path: str, token: str) -> tuple[int, bytes]:
        """Return status and body, as they came."""
        headers = {"Authorization": f"Bearer {token}"}
        for _ in range(PATIENCE):
            with contextlib.suppress(*AWAY):
                self._connection.request("GET", path, headers=headers)
                answer = self._connection.getresponse()
                return answer.status, answer.read()
            self._connection.close()
        raise AssertionError("nobody answers")

    def do(self, method: str, path: str, body: object) -> dict:
        """Send a request that may be sent again, until it is done."""
        for _ in range(PATIENCE):
            with contextlib.suppress(*AWAY):
                status, told = self(method, path, body)
                if status < 300:
                    return told
                assert status in {409, 503}, told
                if status == 409:
                    return told
            self._connection.close()
        raise AssertionError("it is never done")


class Dealer:
    """Plays one game after the other, and ends hands in every way that is quick."""

    def __init__(self, port: int, store: Store, codec: Codec, number: int) -> None:
        self.port, self.store, self.codec = port, store, codec
        self.rng = Random(number)
        self.opens_late = bool(number % 2)
        self.now: Played
        self.playing = threading.Event()
        self.hands = 0

    def play(self, enough: threading.Event) -> None:
        """Play until it is enough."""
        while not enough.is_set():
            self._game(enough)

    def _game(self, enough: threading.Event) -> None:
        with contextlib.closing(Asking(self.port)) as anybody:
            rules = {"reveal": "game"} if self.opens_late else {}
            made = anybody.do("POST", "/v1/games", {"seats": GRANTED, "rules": rules})
        path = f"/v1/games/{made['game']['id']}"
        tokens = [grant["token"] for grant in made["tokens"]]
        with self.store.reading() as conn:
            stored = games.load(conn, self.codec, made["game"]["id"])
        key = stored.game.setup.deal_key
        seeds = {hand_seed(key, hand).hex().encode(): hand for hand in range(1, HANDS + 2)}
        played = Played(path, tokens, self.opens_late, seeds, key.hex().encode())
        self.now = played
        self.playing.set()
        with (
            contextlib.closing(Asking(self.port, tokens[0])) as ada,
            contextlib.closing(Asking(self.port, tokens[1])) as bob,
        ):
            for hand in range(1, HANDS + 1):
                if hand > 1:
                    ada.do("POST", f"{path}/hands", {"hand_number": hand})
                played.hand = hand
                if enough.is_set() or hand == HANDS:
                    break
                self._void(played, ada, bob)
            number = ada.do("GET", path, None)["next_move"]
            played.ending |= set(range(1, played.hand + 1))
            ada.do("POST", f"{path}/resignations", {"move_number": number})
            self.hands += 1

    def _void(self, played: Played, ada: Asking, bob: Asking) -> None:
        consent = f"{played.path}/hands/{played.hand}/void-consent"
        first, last = self.rng.sample([ada, bob], 2)
        first.do("PUT", consent, {"consent": True})
        if not played.opens_late:
            played.ending.add(played.hand)
        last.do("PUT", consent, {"consent": True})
        self.hands += 1


class Reader:
    """Reads whatever might tell a seed, of games as they are played."""

    def __init__(self, port: int, dealers: list[Dealer], number: int) -> None:
        self.port, self.dealers, self.rng = port, dealers, Random(1000 + number)
        self.reads = self.refused = self.proven = 0
        self.early: list[str] = []

    def read(self, wanted: int) -> None:
        """Read so often."""
        for dealer in self.dealers:
            assert dealer.playing.wait(TOGETHER_SECONDS)
        with contextlib.closing(Asking(self.port)) as asking:
            while self.reads < wanted:
                self._read(asking, self.rng.choice(self.dealers).now)

    def _read(self, asking: Asking, played: Played) -> None:
        path = self._path(played)
        status, answer = asking.read(played.path + path, self.rng.choice(played.tokens))
        self.reads += 1
        self.refused += status == 409
        self.proven += status == 200 and path.endswith("/proof")
        early = played.found_early(answer)
        if early:
            self.early.append(f"{path} tells the seeds of hands {early}, {played.ending} ended")

    def _path(self, played: Played) -> str:
        hand = max(1, played.hand + self.rng.choice([0, 0, 0, 1, -1]))
        return self.rng.choice(
            [
                *(f"/hands/{hand}/proof",) * 4,
                f"/hands/{hand}",
                "/hands",
                "/notation",
                "/updates?after=1",
                "/moves?limit=100",
                f"/turns?hand={hand}",
                "",
            ]
        )
