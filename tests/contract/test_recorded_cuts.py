"""The examples of the documents that are about the cut before a hand."""

from dataclasses import replace

import pytest

from service.app import create_app
from tests.contract.examples import PUBLIC_URL, record
from tests.contract.stories import FixedChance
from tests.contract.test_recorded import noted, refused
from tests.contract.tour_of_cuts import commit

ADA = {"kind": "human", "name": "Ada"}
BOB = {"kind": "human", "seating": "granted", "name": "Bob"}
NONCES = {(seat, hand): f"{seat}{hand}" * 32 for seat in (0, 1) for hand in (1, 2, 3)}


class Cutting:
    """A game of two who both contribute."""

    def __init__(self, client) -> None:
        self.client = client
        self.body = {
            "seats": [
                {**each, "nonce_commit": commit(NONCES[seat, 1])}
                for seat, each in enumerate((ADA, BOB))
            ]
        }
        self.made = client.post("/v1/games", json=self.body)
        self.path = f"/v1/games/{self.made.json['game']['id']}"

    def ask(self, method, path, body, seat):
        headers = {"Authorization": f"Bearer {self.made.json['tokens'][seat]['token']}"}
        return self.client.open(self.path + path, method=method, json=body, headers=headers)

    def cut(self, seat, **changed):
        body = {
            "nonce": NONCES[seat, 1],
            "next_nonce_commit": commit(NONCES[seat, 2]),
            **changed,
        }
        return body, self.ask("PUT", "/hands/1/cut", body, seat)


@pytest.fixture
def start(settings, empty_tables):
    """Start the application with the chance of a story; return a game of contributors."""
    houses = []

    def start(story: str):
        app = create_app(replace(settings, public_url=PUBLIC_URL), FixedChance(story))
        houses.append(app.extensions["gin-rummy"])
        return Cutting(app.test_client())

    yield start
    for house in houses:
        house.store.close()


class TestContributing:
    def test_begins_with_a_commitment_and_a_cut(self, start):
        game = start("cut")
        noted("createGame", game.made, request=game.body, kind="answer_cutting")
        body, first = game.cut(1)
        noted("cutDeck", first, request=body)
        _, last = game.cut(0)
        noted("cutDeck", last, kind="answer_dealt")
        resigned = game.ask(
            "POST", "/resignations", {"move_number": last.json["game"]["next_move"]}, 0
        )
        assert resigned.status_code == 201
        again = {"nonce_commit": commit(NONCES[0, 3])}
        record("createRematch", "request", again)
        noted("createRematch", game.ask("POST", "/rematches", again, 0), kind="answer_cutting")

    def test_is_refused(self, start):
        game = start("not cut")
        refused("cut_pending", game.ask("POST", "/hands", {"hand_number": 1}, 0))
        refused("nonce_mismatch", game.cut(0, nonce=NONCES[1, 1])[1])
        refused("nonce_commit_reused", game.cut(0, next_nonce_commit=commit(NONCES[1, 1]))[1])
