"""The playing of a plot: the requests of its players, and of those who look on.

Players' requests are accepted and drive the game. After each of them the one who looks on calls
every operation of the OpenAPI document, in ways that change nothing; some others, who know no
more, call many of them. Everything is written down, to be sent again in another world.
"""

import json
import re
from dataclasses import replace
from random import Random
from typing import Any

from engine.actions import Action, Discard, Knock
from engine.decisions import ends_undecided
from engine.game import Game
from engine.hand import Phase
from engine.legal import legal
from engine.rules import OPTION_NAMES, STANDARD
from service.use_cases.computer_seats import due_computer
from tests.contract.plots import HUMAN, NOBODY, PORTAL, SPECTATOR, STRANGER, Plot
from tests.contract.probes import Request, Where
from tests.contract.worlds import CLOCK, RECEIVED, TIME_RUNS_OUT, Answer, Exchange, Recording, Stage
from tests.random_games import anything

CURSOR = re.compile(rb'"next_cursor":"([^"]+)"')
PREFLIGHT = (("Access-Control-Request-Method", "GET"), ("Origin", "https://a.example"))

BY_TICKET = "by ticket"
"""The one who looks on, with a stream ticket in the place of its token."""

OTHERS = {SPECTATOR: 0.3, PORTAL: 0.2, STRANGER: 0.1, NOBODY: 0.1}
"""How often each of them calls an operation, beside the one who calls all of them."""

ENDS = {"deleteGame", "abandonGame", "leaveSeat"}
"""What a portal does not call here: it may, and the game would not go on."""

CHANGES = {"putWebhook", "deleteWebhook", "rotateWebhookSecret", "pingWebhook", "redeliver"}
"""Nor this: it would change what is sent to its server, or how."""


def record(stage: Stage, plot: Plot) -> Recording:
    """Play ``plot`` and look at everything on the way."""
    recording = Recording(plot.seed)
    with stage.open(plot.seed, plot.decks):
        _Player(stage, plot, recording).play()
        recording.story = stage.story()
    return recording


class _Player:
    """Plays all seats of one world by a plot, and calls on behalf of those who look on."""

    def __init__(self, stage: Stage, plot: Plot, recording: Recording) -> None:
        self.stage, self.plot, self.recording = stage, plot, recording
        self.rng = Random(plot.seed)
        self.tokens: dict[str, str] = {}
        self.where = Where(None, stage.dealer.game_id, "x", webhook_id=stage.webhook_id)
        self.sweeps = plot.sweeps

    def play(self) -> None:
        """Play to the end of the plot; then let those see their cards who hold hidden ones."""
        self.sit_down()
        left, made = self.plot.commands, 0
        while True:
            if made == self.plot.void_after:
                self.declare_void()
            if made == self.plot.late_after:
                self.run_out_of_time()
            if self.plot.probed(self.where.game):
                self.look()
            request = self.next_command() if left else None
            if request is None:
                break
            left -= self.where.hand > self.plot.hands or self.plot.to_lay_off
            self.accepted(request)
            made += 1
        for seat, who in self.seats():
            if seat != self.plot.knows:
                self.send(Request(who, "GET", f"/v1/games/{self.where.game_id}"))

    def seats(self) -> list[tuple[int, str]]:
        """Return the seats that somebody has the token of."""
        return [(int(who[-1]), who) for who in sorted(self.tokens) if who.startswith("seat")]

    # --- sending

    def send(self, request: Request) -> Answer:
        """Send a request as whoever it says, and write it down."""
        if request.who in self.tokens:
            bearer = ("Authorization", f"Bearer {self.tokens[request.who]}")
            request = replace(request, headers=(bearer, *request.headers))
        others = {BY_TICKET, SPECTATOR, PORTAL, NOBODY, STRANGER}
        heard = request.who in {self.plot.main, *others}
        answer = self.stage.ask(request)
        assert answer.status < 500, (request, answer)
        self.recording.exchanges.append(Exchange(request, answer, heard))
        return answer

    def accepted(self, request: Request) -> Any:
        """Send what has to be accepted, see where that leads, and return the body."""
        answer = self.send(request)
        agrees = request.path.endswith(("/confirmation", "/void-consent"))
        assert answer.status == (200 if agrees else 201), (request, answer)
        if not agrees:  # sent again by another seat it would be that one's word
            self.where.accepted.append(request)
        self.where.game = self.stage.game()
        body = json.loads(answer.body)
        self.where.version = body["game"]["version"]
        return body

    # --- sitting down

    def sit_down(self) -> None:
        """Make this game and one for the stranger, and sit down at the open seats."""
        maker = f"seat{next((at for at, kind in enumerate(self.plot.kinds) if kind is HUMAN), 0)}"
        if self.plot.seed % 2:
            maker, self.tokens[PORTAL] = PORTAL, self.stage.portal_key
        made = self.accepted(_post(maker, "/v1/games", self.game_request()))
        self.tokens[SPECTATOR] = made["spectator_token"]
        for grant in made["tokens"]:
            self.tokens[f"seat{grant['seat']}"] = grant["token"]
        self.where.join_code = made.get("join_code", "x")
        other = json.loads(self.send(_post(STRANGER, "/v1/games", {})).body)
        self.tokens[STRANGER] = other["tokens"][0]["token"]
        if "join_code" in made:
            if self.plot.probed(self.where.game):
                self.look()
            path = f"/v1/games/{self.where.game_id}/joins"
            people = [f"seat{at}" for at, kind in enumerate(self.plot.kinds) if kind is HUMAN]
            for who in people[1:]:
                joined = self.accepted(_post(who, path, {"join_code": made["join_code"]}))
                self.tokens[who] = joined["token"]
        self.where.accepted.clear()

    def game_request(self) -> dict[str, Any]:
        """Return the body that asks for the rules and the seats of the plot."""
        changed = [
            name
            for name in OPTION_NAMES
            if getattr(self.plot.rules, name) != getattr(STANDARD, name)
        ]
        mode = {} if self.plot.mode is None else {"mode": self.plot.mode}
        first = next((at for at, kind in enumerate(self.plot.kinds) if kind is HUMAN), 0)
        seats: list[dict[str, Any]] = [
            {"kind": "human", "seating": "granted" if at == first else "open"}
            if kind is HUMAN
            else {"kind": "ai", "ai": {"level": "easy"} | mode}
            for at, kind in enumerate(self.plot.kinds)
        ]
        return {"rules": {name: getattr(self.plot.rules, name) for name in changed}, "seats": seats}

    # --- playing

    def next_command(self) -> Request | None:
        """Return the next request of a player, None where the plot ends."""
        game, plot = self.where.game, self.plot
        shown = {Phase.LAY_OFF, Phase.CONFIRMING, Phase.HAND_OVER}
        knocked = game.phase in shown and game.hand.number == plot.hands
        if game.over or (plot.to_lay_off and knocked):
            return None
        if game.phase is Phase.CONFIRMING:
            path = f"/v1/games/{self.where.game_id}/hands/{game.hand.number}/confirmation"
            return Request(f"seat{game.unconfirmed_seats[0]}", "PUT", path)
        if game.phase is Phase.HAND_OVER:
            return None if game.hand.number > plot.hands else self.deal()
        due = due_computer(game)
        if due is not None:
            return self.ask_computer(due)
        seat = game.hand.to_act
        action = (plot.choose or self.choose)(game, seat, self.rng)
        return action and self.stage.probes.door(f"seat{seat}", action, self.where, self.rng)

    def deal(self) -> Request:
        """Let anybody ask for the next hand."""
        _, who = self.rng.choice(self.seats())
        path = f"/v1/games/{self.where.game_id}/hands"
        return _post(who, path, {"hand_number": self.where.game.next_hand_number})

    def declare_void(self) -> None:
        """Let both seats consent to a void, with nobody in between who could take it back."""
        path = f"/v1/games/{self.where.game_id}/hands/{self.where.hand}/void-consent"
        for seat in self.where.game.hand.playing_seats:
            body = json.dumps({"consent": True}).encode()
            self.accepted(Request(f"seat{seat}", "PUT", path, body))

    def run_out_of_time(self) -> None:
        """Let the time of who is due run out, and somebody look so that it is noticed."""
        self.send(Request(CLOCK, TIME_RUNS_OUT, self.where.game_id))
        for who in sorted(self.tokens.keys() - {STRANGER}):
            look = Request(who, "GET", f"/v1/games/{self.where.game_id}")
            self.where.version = json.loads(self.send(look).body)["version"]
        self.where.game = self.stage.game()

    def ask_computer(self, due: int) -> Request:
        """Let anybody ask the computer to play."""
        _, who = self.rng.choice(self.seats())
        until = self.rng.choice(["move", "turn"])
        body = {"seat": due, "until": until, "move_number": self.where.game.next_move}
        return _post(who, f"/v1/games/{self.where.game_id}/ai-moves", body)

    def choose(self, game: Game, seat: int, rng: Random) -> Action | None:
        """Return what ``seat`` does now, None if everything would show its cards too early."""
        options = legal(game, seat)
        reveals = game.hand.number <= self.plot.hands
        if game.hand.at_wall and not game.hand.over and not reveals:
            return None
        if not options.discards:
            return anything(game, seat, rng)
        if options.knocks and reveals and game.hand.turn >= self.plot.patience:
            return Knock(options.knocks[0].kind, options.knocks[0].discard)
        if ends_undecided(game.hand, game.rules) and not reveals:
            return None
        careful = rng.random() < self.plot.careful[seat % 2]
        return Discard((options.discards[0] if careful else rng.choice(options.discards)).card)

    # --- looking on

    def look(self) -> None:
        """Call every operation as the observer, and some as others who know no more."""
        main, called = self.plot.main, set()
        for name in self.stage.probes.operations:
            for who, often in {**OTHERS, main: 1}.items():
                known = who in self.tokens or who == NOBODY
                known = known and (who != PORTAL or name not in ENDS | CHANGES)
                if known and self.rng.random() < often:
                    self.probe(who, name)
                    called |= {name} if who == main else set()
        if main in self.tokens:
            self.recording.called.append(called)
            self.again(main)
            self.sweep(main)
        if PORTAL in self.tokens:
            self.be_told()
        self.others_fail()

    def be_told(self) -> None:
        """Look at all that the portal is told: its feed, what its server got, and the log of it."""
        log = f"/v1/webhooks/{self.stage.webhook_id}/deliveries?limit=100"
        for method, path in (("GET", "/v1/events?limit=100"), (RECEIVED, ""), ("GET", log)):
            self.send(Request(PORTAL, method, path))

    def probe(self, who: str, name: str) -> None:
        """Call an operation, sometimes only for its headers or its methods."""
        seat = self.plot.knows if who == f"seat{self.plot.knows}" else None
        request = self.stage.probes.request(who, name, self.where, self.rng, seat)
        answer = self.send(request)
        if who == self.plot.main:
            self.remember(answer)
        chance = self.rng.random()
        if chance < 0.08 and request.method == "GET":
            self.send(replace(request, method="HEAD"))
        elif chance > 0.92:
            preflight = self.rng.choice([(), PREFLIGHT])
            self.send(replace(request, method="OPTIONS", body=None, headers=preflight))

    def remember(self, answer: Answer) -> None:
        """Keep ETags and cursors, to be sent back."""
        self.where.etags += [value for name, value in answer.headers if name == "ETag"]
        found = CURSOR.search(answer.body)
        if found:
            self.where.cursors.append(found[1].decode())

    def again(self, main: str) -> None:
        """Send requests again that were accepted: one's own, and with one's own token others'."""
        for request in self.rng.sample(self.where.accepted, min(2, len(self.where.accepted))):
            self.send(replace(request, who=main))
        after = str(self.rng.randint(0, self.where.version))
        path = f"/v1/games/{self.where.game_id}/updates"
        known = (("Last-Event-ID", after),)
        self.send(Request(main, "GET", path, headers=known))
        self.send(Request(main, "GET", f"{path}/stream", headers=known))
        ticket = self.stage.ticket(self.tokens[main])
        self.send(Request(BY_TICKET, "GET", f"{path}/stream?ticket={ticket}", headers=known))

    def sweep(self, main: str) -> None:
        """Ask about all 52 cards when the observer is due."""
        seat, game = self.plot.knows, self.where.game
        due = game.hand and not game.hand.over and seat == game.hand.to_act
        if due and main == f"seat{seat}" and self.rng.random() < self.sweeps / 2:
            self.sweeps -= 1
            for request in self.stage.probes.all_cards(main, seat, self.where, self.rng):
                self.send(request)

    def others_fail(self) -> None:
        """Let another player ask for what is refused whatever it holds: a move out of its turn."""
        for seat, who in self.seats():
            game = self.where.game
            if who != self.plot.main and game.hand and seat not in game.to_act_seats:
                request = self.stage.probes.request(who, "makeMove", self.where, self.rng, seat)
                self.send(request)


def _post(who: str, path: str, body: Any) -> Request:
    return Request(who, "POST", path, json.dumps(body).encode())
