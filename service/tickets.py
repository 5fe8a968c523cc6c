"""Stream tickets: what a browser puts into the address of a stream, since it can send no header.

A ticket is signed and never stored. It says for whom it was made and when: a stream may be begun
with it for a minute, and taken up again, with ``Last-Event-ID`` as browsers send it, for a day. It
opens that one stream and nothing else, so that an address in a log soon is worth little.
"""

import base64
import binascii
import hmac
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from service.tokens import Token, TokenInvalid, TokenKind

PREFIX: Final = "grt_"
BEGIN_WITHIN: Final = timedelta(seconds=60)
VALID_FOR: Final = timedelta(hours=24)

_FORMAT: Final = 1
_NOBODY: Final = 255
_PAYLOAD: Final = struct.Struct(">BBIHI16s")
_MAC_BYTES: Final = 20


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a ticket says: the token it stands for, and when it was made, to the second."""

    token: Token
    made_at: datetime

    @property
    def begin_before(self) -> datetime:
        """When no stream can be begun with it any more."""
        return self.made_at + BEGIN_WITHIN

    @property
    def valid_until(self) -> datetime:
        """When no stream can be taken up again with it any more."""
        return self.made_at + VALID_FOR

    def holds(self, at: datetime, *, begun: bool) -> bool:
        """Return whether it opens the stream ``at`` a time; ``begun`` says that it did before."""
        return at < (self.valid_until if begun else self.begin_before)


class Tickets:
    """Makes tickets from the first of ``secrets`` and reads those made from any."""

    def __init__(self, secrets: Sequence[bytes]) -> None:
        self._keys = tuple(hmac.digest(secret, b"stream tickets", "sha256") for secret in secrets)

    def write(self, ticket: Ticket) -> str:
        """Return the text of ``ticket``."""
        token = ticket.token
        payload = _PAYLOAD.pack(
            _FORMAT,
            _NOBODY if token.seat is None else token.seat,
            token.version,
            token.device,
            int(ticket.made_at.timestamp()),
            base64.urlsafe_b64decode(token.game_id.removeprefix("g_") + "=="),
        )
        return PREFIX + base64.urlsafe_b64encode(payload + _mac(self._keys[0], payload)).decode()

    def read(self, text: str) -> Ticket:
        """Return what ``text`` says.

        :raises TokenInvalid: if this service did not make it.
        """
        body = text.removeprefix(PREFIX)
        try:
            signed = base64.b64decode(body, altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            raise TokenInvalid from None
        payload, mac = signed[:-_MAC_BYTES], signed[-_MAC_BYTES:]
        if body == text or len(payload) != _PAYLOAD.size:
            raise TokenInvalid
        if not any(hmac.compare_digest(mac, _mac(key, payload)) for key in self._keys):
            raise TokenInvalid
        return _said(payload)


def _mac(key: bytes, payload: bytes) -> bytes:
    return hmac.digest(key, payload, "sha256")[:_MAC_BYTES]


def _said(payload: bytes) -> Ticket:
    ticket_format, seat, version, device, made_at, raw_id = _PAYLOAD.unpack(payload)
    if ticket_format != _FORMAT:
        raise TokenInvalid
    game_id = "g_" + base64.urlsafe_b64encode(raw_id).decode().rstrip("=")
    kind = TokenKind.SPECTATOR if seat == _NOBODY else TokenKind.SEAT
    token = Token(kind, game_id, None if seat == _NOBODY else seat, version, device)
    return Ticket(token, datetime.fromtimestamp(made_at, UTC))
