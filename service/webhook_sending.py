"""Sends one message to one address: the one that was checked, in bounded time, and never further.

A name is resolved once; each of its addresses has to be allowed, and one of these very addresses is
connected to, so that a name that stands for something else a moment later gains nothing. TLS is
for the name. No redirect is followed, no proxy asked, and of the answer little more is read than
its status. A thread that sends holds nothing else: no lock, and no connection of the database.
"""

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from service.storage.deliveries import Outcome
from service.webhook_addresses import Address, Policy, Target, UrlNotAllowed

MOST_OF_AN_ANSWER: Final = 4096
"""So much of the body of an answer is read, to be polite; then the connection is closed."""

CONNECT_SECONDS: Final = 5.0
"""For a connection, if the whole may take as long; and no longer for each address."""

URL_NOT_ALLOWED: Final = "url_not_allowed"
NAME_NOT_RESOLVED: Final = "name_not_resolved"
ADDRESS_NOT_ALLOWED: Final = "address_not_allowed"
CONNECTION_FAILED: Final = "connection_failed"
TLS_FAILED: Final = "tls_failed"
TIMED_OUT: Final = "timed_out"
NO_ANSWER: Final = "no_answer"

Resolve: TypeAlias = Callable[[str, int], Sequence[str]]
"""From a name and a port to its addresses, as text."""

Connect: TypeAlias = Callable[[Address, int, float], socket.socket]
"""From an address, a port and a time in seconds to a connection."""


class NotSent(Exception):
    """There is no answer; ``code`` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def resolve(name: str, port: int) -> Sequence[str]:
    """Return the addresses of ``name`` that the system knows."""
    found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


def connect(address: Address, port: int, seconds: float) -> socket.socket:
    """Return a connection to ``address``."""
    return socket.create_connection((str(address), port), timeout=seconds)


@cache
def system_trust() -> ssl.SSLContext:
    """Return what trusts whom the system trusts."""
    return ssl.create_default_context()


@dataclass(frozen=True)
class Sender:
    """Sends within ``seconds`` in all, to what the ``policy`` allows."""

    policy: Policy
    seconds: float
    resolve: Resolve = resolve
    connect: Connect = connect
    trust: Callable[[], ssl.SSLContext] = system_trust

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Outcome:
        """Post ``body`` to ``url`` and return what came of it; raises nothing that can be meant.

        To find a name's addresses the system may take longer than that.
        """
        try:
            target = self.policy.target(url)
            addresses = self._addresses(target)
            status = self._sent(target, addresses, body, headers)
        except UrlNotAllowed:
            return Outcome(False, failure_code=URL_NOT_ALLOWED)
        except NotSent as why:
            return Outcome(False, failure_code=why.code)
        return Outcome(200 <= status < 300, status_code=status)

    def _addresses(self, target: Target) -> list[Address]:
        """Return the addresses of the host, all of them allowed."""
        if target.address is not None:
            return [target.address]  # that it is allowed was seen with its URL
        try:
            found = [_address(each) for each in self.resolve(target.host, target.port)]
        except (OSError, UnicodeError, ValueError):
            raise NotSent(NAME_NOT_RESOLVED) from None
        if not found:
            raise NotSent(NAME_NOT_RESOLVED)
        if not all(self.policy.permits(each, secure=target.secure) for each in found):
            raise NotSent(ADDRESS_NOT_ALLOWED)
        return found

    def _sent(
        self, target: Target, addresses: list[Address], body: bytes, headers: Mapping[str, str]
    ) -> int:
        """Return the status of the answer. When the time is up the connection is cut."""
        cut = _Cut(self.seconds)
        try:
            with (
                cut,
                self._connected(target, addresses) as plain,
                self._secured(target, plain) as speaking,
            ):
                cut.watch(speaking)
                if isinstance(speaking, ssl.SSLSocket):
                    speaking.do_handshake()
                answer = self._asked(target, speaking, body, headers)
                cut.watch(speaking)  # a head that was cut is none
                _read_a_little(answer)
                return answer.status
        except ssl.SSLError:
            raise NotSent(TIMED_OUT if cut.done else TLS_FAILED) from None
        except TimeoutError:
            raise NotSent(TIMED_OUT) from None
        except (OSError, http.client.HTTPException, ValueError):
            raise NotSent(TIMED_OUT if cut.done else NO_ANSWER) from None

    def _connected(self, target: Target, addresses: list[Address]) -> socket.socket:
        """Return a connection to the first of ``addresses`` that takes one."""
        seconds = min(CONNECT_SECONDS, self.seconds) / len(addresses[:2])
        failed = NotSent(CONNECTION_FAILED)
        for address in addresses[:2]:
            try:
                plain = self.connect(address, target.port, seconds)
            except TimeoutError:
                failed = NotSent(TIMED_OUT)
            except OSError:
                failed = NotSent(CONNECTION_FAILED)
            else:
                plain.settimeout(self.seconds)
                return plain
        raise failed

    def _secured(self, target: Target, plain: socket.socket) -> socket.socket:
        """Return the connection to speak on: over TLS with the host itself, if the URL says so."""
        if not target.secure:
            return plain
        return self.trust().wrap_socket(
            plain, server_hostname=target.host, do_handshake_on_connect=False
        )

    def _asked(
        self, target: Target, speaking: socket.socket, body: bytes, headers: Mapping[str, str]
    ) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(target.host, target.port)
        if target.secure:
            connection = http.client.HTTPSConnection(target.host, target.port, context=self.trust())
        connection.auto_open = 0  # it speaks on this connection, and opens none by itself
        connection.sock = speaking
        connection.request("POST", target.path, body, dict(headers))
        return connection.getresponse()


class _Cut:
    """Cuts a connection when its time is up, whatever is being done with it."""

    def __init__(self, seconds: float) -> None:
        self.done = False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_error: object) -> None:
        self._timer.cancel()

    def watch(self, watched: socket.socket) -> None:
        """Cut this connection.

        :raises TimeoutError: if the time is up already.
        """
        self._socket = watched
        if self.done:
            raise TimeoutError

    def _cut(self) -> None:
        self.done = True
        if self._socket is not None:
            with contextlib.suppress(OSError):
                # Not that of TLS, which takes the cipher away from whoever is using it.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def _address(text: str) -> Address:
    return ipaddress.ip_address(text)


def _read_a_little(answer: http.client.HTTPResponse) -> None:
    with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
        answer.read(MOST_OF_AN_ANSWER)  # the status is known: what happens here changes nothing
