"""Tokens of games and score sheets, derived from the server's secret, so that none is ever stored.

A token is its prefix, and in URL-safe base64: format, seat, version and device, the id of the game
or the sheet, and an HMAC over all that. It can therefore be told from a forged one before anything
is read.
"""

import base64
import binascii
import hmac
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

_FORMAT: Final = 1
_NOBODY: Final = 255
_PAYLOAD: Final = struct.Struct(">BBHH16s")
_MAC_BYTES: Final = 20
_TEXT_LENGTH: Final = 56

REMEMBERED_TOKENS: Final = 8192


class TokenKind(StrEnum):
    """What a token is for; its value is the prefix."""

    SEAT = "grs_"
    SPECTATOR = "grv_"
    SHEET_EDITOR = "gse_"
    SHEET_READER = "gsr_"


_KINDS: Final = {kind.value: kind for kind in TokenKind}
_OF_SHEETS: Final = frozenset({TokenKind.SHEET_EDITOR, TokenKind.SHEET_READER})


class TokenInvalid(Exception):
    """The text is no token of this service."""


@dataclass(frozen=True, slots=True)
class Token:
    """What a token says. A spectator's has no seat. Version and device are the seat's."""

    kind: TokenKind
    game_id: str
    seat: int | None
    version: int = 0
    device: int = 0


@dataclass(frozen=True, slots=True)
class SheetToken:
    """What a token of a score sheet says. Whoever has the editor's may write."""

    kind: TokenKind
    sheet_id: str

    @property
    def may_write(self) -> bool:
        """Whether it is the editor's."""
        return self.kind is TokenKind.SHEET_EDITOR


class Tokens:
    """Makes tokens from the first of ``secrets`` and reads those made from any."""

    def __init__(self, secrets: Sequence[bytes]) -> None:
        self._keys = tuple(hmac.digest(secret, b"tokens", "sha256") for secret in secrets)
        # A token says the same as long as the secrets do; only true ones are remembered.
        self.read = lru_cache(maxsize=REMEMBERED_TOKENS)(self._read)

    def write(self, token: Token) -> str:
        """Return the text of ``token``."""
        payload = _PAYLOAD.pack(
            _FORMAT,
            _NOBODY if token.seat is None else token.seat,
            token.version,
            token.device,
            _raw(token.game_id),
        )
        return self._signed(token.kind, payload)

    def write_sheet(self, token: SheetToken) -> str:
        """Return the text of the ``token`` of a score sheet."""
        return self._signed(token.kind, _PAYLOAD.pack(_FORMAT, _NOBODY, 0, 0, _raw(token.sheet_id)))

    def _signed(self, kind: TokenKind, payload: bytes) -> str:
        signed = payload + _mac(self._keys[0], kind, payload)
        return kind + base64.urlsafe_b64encode(signed).decode()

    def _read(self, text: str) -> Token | SheetToken:
        """Return what ``text`` says.

        :raises TokenInvalid: if this service did not make it.
        """
        kind, payload, mac = _taken_apart(text)
        for key in self._keys:
            if hmac.compare_digest(mac, _mac(key, kind, payload)):
                return _said(kind, payload)
        raise TokenInvalid

    def seat(self, game_id: str, seat: int, version: int) -> str:
        """Return the token of a seat."""
        return self.write(Token(TokenKind.SEAT, game_id, seat, version))

    def spectator(self, game_id: str) -> str:
        """Return the token of those who watch a game."""
        return self.write(Token(TokenKind.SPECTATOR, game_id, None))


def _mac(key: bytes, kind: TokenKind, payload: bytes) -> bytes:
    return hmac.digest(key, kind.encode() + payload, "sha256")[:_MAC_BYTES]


def _taken_apart(text: str) -> tuple[TokenKind, bytes, bytes]:
    body = text[4:]
    kind = _KINDS.get(text[:4])
    if len(body) != _TEXT_LENGTH or kind is None:
        raise TokenInvalid
    try:
        # Strict, so that no second spelling of a token is accepted.
        signed = base64.b64decode(body, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise TokenInvalid from None
    return kind, signed[:-_MAC_BYTES], signed[-_MAC_BYTES:]


def _raw(public_id: str) -> bytes:
    """Return the bytes behind an id such as ``g_…`` or ``ss_…``."""
    return base64.urlsafe_b64decode(public_id.partition("_")[2] + "==")


def _said(kind: TokenKind, payload: bytes) -> Token | SheetToken:
    token_format, seat, version, device, raw_id = _PAYLOAD.unpack(payload)
    if token_format != _FORMAT:
        raise TokenInvalid
    public_id = base64.urlsafe_b64encode(raw_id).decode().rstrip("=")
    if kind in _OF_SHEETS:
        return SheetToken(kind, "ss_" + public_id)
    return Token(kind, "g_" + public_id, None if seat == _NOBODY else seat, version, device)
