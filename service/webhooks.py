"""From the outbox to the feeds and to the receivers: the dispatcher of one process.

One thread gives what was committed its place in the feed, takes deliveries that are due, hands each
to a thread of its own that sends it, and writes down what came of it. It borrows a connection for
short statements only, and none while something is sent. Any number of processes may do this at
once; what one leaves undone, another one finds.
"""

import logging
import queue
import secrets
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic, time
from typing import Final

import orjson

from service.schemas import dump_events
from service.storage import deliveries, portal_events, webhooks
from service.storage.deliveries import RETRY_SECONDS, Due, Outcome, Sending
from service.storage.errors import StorageError
from service.storage.webhooks import SealedSecret
from service.use_cases.house import House
from service.webhook_secrets import headers_of
from service.webhook_sending import Sender

LOOK_SECONDS: Final = 0.5
"""How often a process looks whether there is something to do."""

PAUSE_SECONDS: Final = 5.0
"""How long it does nothing after something went wrong that should not."""

BATCH: Final = 500
"""So many events get their numbers in one transaction."""

LOOKED_AT: Final = 200
"""Among so many deliveries that are due the next ones are chosen."""

MOST_AT_ONCE: Final = 16
MOST_FOR_A_PORTAL: Final = 8
MOST_FOR_A_WEBHOOK: Final = 2
"""So many deliveries a process has on their way, in all, of one portal, and to one receiver, so
that those to a slow one do not stand in the way of the others."""

LEASE_SPARE: Final = timedelta(seconds=60)
"""A delivery is another process's after so long beyond the time that it may take to be sent."""

STOP_SECONDS: Final = 2.0
"""So long a process that stops waits for what is on its way; another one sends the rest again."""

EVENT_EXPIRED: Final = "event_expired"
INTERNAL: Final = "internal"
USER_AGENT: Final = "gin-rummy-webhooks/1"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Answered:
    """What came of one attempt."""

    sent: Sending
    outcome: Outcome


class Dispatcher:
    """Numbers, takes and sends; ``send`` tells how.

    ``start`` and ``stop`` are for a process that serves. ``turn`` is one look at what there is to
    do, for one thread at a time.
    """

    def __init__(
        self,
        house: House,
        sender: Sender,
        chance: Callable[[int], int] = secrets.randbelow,
        clock: Callable[[], float] = time,
    ) -> None:
        self._house = house
        self._sender = sender
        self._chance = chance
        self._clock = clock
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._answers: queue.SimpleQueue[_Answered] = queue.SimpleQueue()
        self._unwritten: list[_Answered] = []
        self._on_their_way: dict[str, Due] = {}
        self._lease = timedelta(seconds=sender.seconds) + LEASE_SPARE
        self._thread: threading.Thread | None = None

    def __len__(self) -> int:
        return len(self._on_their_way)

    def start(self) -> None:
        """Dispatch from now on, in a thread; once is enough."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="webhooks", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Take nothing more, and wait a little for what is on its way."""
        self._stopping.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS + 1)

    def turn(self) -> bool:
        """Do once what there is to do; whether there may be more of it at once.

        :raises StorageError: if the database does not do what it is asked.
        """
        self._write_down()
        more = self._number()
        return self._take() or more

    # --- the thread

    def _run(self) -> None:
        told = False
        while not self._stopping.is_set():
            more, pause = False, LOOK_SECONDS
            try:
                more = self.turn()
                told = False
            except StorageError as error:
                if not told:
                    logger.warning("nothing is sent to webhooks for now: %s", error)
                told = True
            except Exception:  # one turn is lost, and no delivery
                logger.exception("webhooks failed")
                pause = PAUSE_SECONDS
            if not more:
                self._wake.wait(pause)
            self._wake.clear()
        self._finish()

    def _finish(self) -> None:
        """Write down what comes within the time that there is."""
        end = monotonic() + STOP_SECONDS
        try:
            while self._on_their_way and monotonic() < end:
                self._wake.wait(max(0.0, end - monotonic()))
                self._wake.clear()
                self._write_down()
        except StorageError as error:
            logger.warning("what webhooks answered was not written down: %s", error)

    def _number(self) -> bool:
        with self._house.store.writing() as conn:
            numbered = portal_events.number_outbox(conn, BATCH)
        for portal_id in numbered:
            self._house.notifier.wake(portal_id)
        return sum(numbered.values()) >= BATCH

    # --- what is due

    def _take(self) -> bool:
        free = MOST_AT_ONCE - len(self._on_their_way)
        if free <= 0:
            return False
        with self._house.store.reading() as conn:
            found = deliveries.due(conn, *self._busy(), LOOKED_AT)
        chosen = self._chosen(found, free)
        if not chosen:
            return False
        with self._house.store.writing() as conn:
            taken = deliveries.lease(conn, list(chosen), self._lease)
            keys = webhooks.secrets_of(conn, {each.webhook_id for each in taken})
        for sending in taken:
            self._on_their_way[sending.id] = chosen[sending.id]
            self._send_off(sending, keys.get(sending.webhook_id, ()))
        return bool(taken)

    def _send_off(self, sending: Sending, sealed: tuple[SealedSecret, ...]) -> None:
        keyed = (sending, sealed)
        try:
            threading.Thread(target=self._send, args=keyed, name="webhook", daemon=True).start()
        except RuntimeError:  # no thread to be had
            logger.exception("a delivery failed")
            self._answers.put(_Answered(sending, Outcome(False, failure_code=INTERNAL)))

    def _busy(self) -> tuple[list[str], list[str]]:
        """Return the webhooks and portals that have as much on its way as they may."""
        webhook_ids = Counter(each.webhook_id for each in self._on_their_way.values())
        portal_ids = Counter(each.portal_id for each in self._on_their_way.values())
        return (
            [name for name, count in webhook_ids.items() if count >= MOST_FOR_A_WEBHOOK],
            [name for name, count in portal_ids.items() if count >= MOST_FOR_A_PORTAL],
        )

    def _chosen(self, found: list[Due], free: int) -> dict[str, Due]:
        chosen: dict[str, Due] = {}
        counts = Counter[str]()
        for each in self._on_their_way.values():
            counts.update((each.webhook_id, each.portal_id))
        for each in found:
            within = counts[each.webhook_id] < MOST_FOR_A_WEBHOOK
            if within and counts[each.portal_id] < MOST_FOR_A_PORTAL and len(chosen) < free:
                counts.update((each.webhook_id, each.portal_id))
                chosen[each.id] = each
        return chosen

    # --- what is sent

    def _send(self, sending: Sending, sealed: tuple[SealedSecret, ...]) -> None:
        outcome = Outcome(False, failure_code=EVENT_EXPIRED)
        try:
            if sending.event is not None:
                keys = [each.opened(self._house.codec) for each in sealed]
                body = orjson.dumps(dump_events.portal_event(sending.event))
                signed = headers_of(sending.event.id, int(self._clock()), body, keys)
                headers = {**signed, "Content-Type": "application/json", "User-Agent": USER_AGENT}
                outcome = self._sender.post(sending.url, body, headers)
        except Exception:
            logger.exception("a delivery failed")
            outcome = Outcome(False, failure_code=INTERNAL)
        self._answers.put(_Answered(sending, outcome))
        self._wake.set()

    def _write_down(self) -> None:
        """Write down every answer that has come; what cannot be written now is kept."""
        while not self._answers.empty():
            self._unwritten.append(self._answers.get())
        while self._unwritten:
            answered = self._unwritten[0]
            with self._house.store.writing() as conn:
                retry = self._retry_seconds(answered)
                deliveries.record(conn, answered.sent, answered.outcome, retry)
            self._on_their_way.pop(answered.sent.id, None)
            del self._unwritten[0]

    def _retry_seconds(self, answered: _Answered) -> float | None:
        """Return when to try again: later each time, with a tenth more or less by chance."""
        event, attempt = answered.sent.event, answered.sent.attempt
        if event is None or event.number is None or attempt >= len(RETRY_SECONDS):
            return None  # a ping is one attempt
        return RETRY_SECONDS[attempt] * (0.9 + self._chance(201) / 1000)
