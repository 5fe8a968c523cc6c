"""What tests of webhooks over HTTP share. Nothing is sent: an outcome is made up."""

import time

from service.storage.deliveries import Outcome
from service.webhooks import Dispatcher

URL = "https://receiver.example.org/hooks"


class MadeUp:
    """A sender that sends nothing, and keeps what it would have sent."""

    seconds = 1.0

    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses)
        self.posted: list[tuple[str, bytes, dict[str, str]]] = []

    def post(self, url, body, headers) -> Outcome:
        self.posted.append((url, body, dict(headers)))
        status = self.statuses[0] if len(self.statuses) == 1 else self.statuses.pop(0)
        return Outcome(200 <= status < 300, status)


def deliver(portal, *statuses: int) -> MadeUp:
    """Let all that is due come to these outcomes; return what was sent."""
    sender = MadeUp(*statuses)
    drain(Dispatcher(portal.answering.house, sender))
    return sender


def drain(dispatcher: Dispatcher, seconds: float = 30) -> None:
    """Let a dispatcher do all that there is to do now."""
    end = time.monotonic() + seconds
    while dispatcher.turn() or len(dispatcher):
        assert time.monotonic() < end
        dispatcher._wake.wait(0.05)
        dispatcher._wake.clear()


def number(portal) -> None:
    """Give what happened its place in the feed, and send nothing."""
    Dispatcher(portal.answering.house, MadeUp(204))._number()


def code_of(answer):
    return answer.status_code, answer.json["code"]


def errors_of(answer):
    assert code_of(answer) == (422, "validation_failed"), answer.json
    return [(each["pointer"], each["code"]) for each in answer.json["errors"]]
