"""Games and facts as sealed bytes, and back. What we wrote we read back.

The bytes are MessagePack. The engine's values have the names of their fields with them, a move is
a row; in both a field with a default may be added later, to a row at its end. What is long and kept
for good is compressed against a dictionary of those names. The first byte says which dictionary;
zero says that it is not compressed.
"""

import zlib
from functools import lru_cache
from typing import Final

import msgspec

from engine import events
from engine.columns import ScoredHand
from engine.events import Change, Event
from engine.game import After, Game, Move, Mover, Setup
from engine.hand import Hand, Phase
from engine.hints import HintsUsed
from engine.scoring import HandResult
from engine.seating import SeatCount
from engine.shuffle import DrawnCard, Shares
from service.storage.sealing import Sealer

_EVENTS: Final[dict[str, type[Event]]] = {
    "DealerDrawn": events.DealerDrawn,
    "Dealt": events.Dealt,
    "Passed": events.Passed,
    "Drew": events.Drew,
    "Discarded": events.Discarded,
    "Knocked": events.Knocked,
    "LaidOff": events.LaidOff,
    "HandDrawn": events.HandDrawn,
    "HandVoided": events.HandVoided,
    "Resigned": events.Resigned,
    "Claimed": events.Claimed,
}
"""The facts by the name under which they are stored; a name is never used for anything else."""

_FIRST_DICTIONARY: Final = (
    b"seedserver_commithand_numberdeckdealernondealerknockermultiplierlinescodecountcolumn"
    b"outcomeresultsidescardsmeldskindsetrununmatchedlay_offsmelddeadwoodpointsdefenderdefender_cards"
    b"knockgindiscardsourcestockdiscard_pilecardseatcard_countstop_discardto_act_seatsstock_count"
    b"phasefirst_upcarddrawlay_offhand_overafterbyplayeraiserverturnnumberhand_numberkindevent"
    b"next_movedealer_drawfirst_dealerhandplaying_seatsto_actholdingstakenupcardmust_draw_stock"
    b"drawn_carddrawn_fromlast_resultgiven_tolast_movehandswinner"
)
_DICTIONARIES: Final = {1: _FIRST_DICTIONARY}
_CURRENT: Final = 1
_PLAIN: Final = 0
"""For the state of a game in play, which each move replaces, and for what is short anyway."""

_WORTH_PACKING: Final = 192
"""Bytes from which on compressing saves more room than it takes time."""

_WINDOW_BITS: Final = 11
_MEMORY: Final = 3
"""Most of what is packed is a fact of some hundred bytes: clearing a large window takes longer."""

REMEMBERED_SETUPS: Final = 4096


class _AfterRecord(msgspec.Struct, frozen=True, array_like=True):
    """The table after a move."""

    phase: Phase
    to_act_seats: tuple[int, ...]
    stock_count: int
    card_counts: tuple[tuple[int, int], ...]
    top_discard: int | None


class _MoveRecord(msgspec.Struct, frozen=True, array_like=True):
    """A move, its fact apart under its type's name: there are no unions of dataclasses."""

    number: int
    hand_number: int
    turn: int
    seat: int | None
    by: Mover
    kind: str
    event: msgspec.Raw
    after: _AfterRecord


class _GameRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """The state of a game less its setup, which is stored apart and never changes."""

    next_move: int
    dealer_draw: tuple[DrawnCard, ...]
    first_dealer: int | None
    hand: Hand | None
    hands: tuple[ScoredHand, ...]
    last_result: HandResult | None
    given_to: int | None
    last_move: _MoveRecord | None
    void_consents: tuple[int, ...] = ()
    confirmed_by: tuple[int, ...] = ()
    hints: tuple[HintsUsed, ...] = ()
    late_seat: int | None = None
    away_seats: tuple[int, ...] = ()
    abandoned: bool = False
    shares: Shares | None = None


_encode: Final = msgspec.msgpack.Encoder().encode
_decode_setup: Final = msgspec.msgpack.Decoder(Setup).decode
_decode_game: Final = msgspec.msgpack.Decoder(_GameRecord).decode
_decode_move: Final = msgspec.msgpack.Decoder(_MoveRecord).decode
_decode_told: Final = msgspec.msgpack.Decoder(tuple[str | None, bytes | None]).decode
_decode_event: Final = {
    kind: msgspec.msgpack.Decoder(event).decode for kind, event in _EVENTS.items()
}


class Codec:
    """Writes and reads what is stored of a game."""

    def __init__(self, sealer: Sealer) -> None:
        self._sealer = sealer
        # A setup never changes, and each request of its game reads it.
        self.read_setup = lru_cache(maxsize=REMEMBERED_SETUPS)(self._read_setup)

    def write_setup(self, setup: Setup) -> bytes:
        """Return the sealed setup of a game."""
        return self._seal(setup.id, "setup", _encode(setup))

    def _read_setup(self, game_id: str, sealed: bytes) -> Setup:
        """Return the setup that :meth:`write_setup` sealed."""
        return _decode_setup(self._open(game_id, "setup", sealed))

    def write_state(self, game: Game) -> bytes:
        """Return the sealed state of ``game``, without its setup."""
        record = _GameRecord(
            game.next_move,
            game.dealer_draw,
            game.first_dealer,
            game.hand,
            game.hands,
            game.last_result,
            game.given_to,
            None if game.last_move is None else _move_record(game.last_move),
            game.void_consents,
            game.confirmed_by,
            game.hints,
            game.late_seat,
            game.away_seats,
            game.abandoned,
            game.shares,
        )
        return self._seal(game.setup.id, "state", _encode(record), packed=game.over)

    def read_state(self, setup: Setup, sealed: bytes) -> Game:
        """Return the game that :meth:`write_state` sealed."""
        record = _decode_game(self._open(setup.id, "state", sealed))
        return Game(
            setup,
            record.next_move,
            record.dealer_draw,
            record.first_dealer,
            record.hand,
            record.hands,
            record.last_result,
            record.given_to,
            None if record.last_move is None else _move(record.last_move),
            record.void_consents,
            record.confirmed_by,
            record.hints,
            record.late_seat,
            record.away_seats,
            record.abandoned,
            record.shares,
        )

    def write_move(self, game_id: str, move: Move) -> bytes:
        """Return a sealed move of the log."""
        plain = _encode(_move_record(move))
        packed = len(plain) >= _WORTH_PACKING
        return self._seal(game_id, f"move|{move.number}", plain, packed=packed)

    def read_move(self, game_id: str, number: int, sealed: bytes) -> Move:
        """Return the move that :meth:`write_move` sealed."""
        return _move(_decode_move(self._open(game_id, f"move|{number}", sealed)))

    def write_change(self, game_id: str, version: int, change: Change) -> bytes | None:
        """Return what a change tells beside its kind and seat, sealed; None if that is nothing."""
        if change.commit is None and change.nonce is None:
            return None
        plain = _encode((change.commit, change.nonce))
        return self._seal(game_id, f"change|{version}", plain, packed=False)

    def read_change(self, game_id: str, version: int, change: Change, sealed: bytes) -> Change:
        """Return ``change`` with what :meth:`write_change` sealed of it."""
        told = _decode_told(self._open(game_id, f"change|{version}", sealed))
        return Change(change.kind, change.seat, *told)

    def write_notes(self, game_id: str, seat: int, text: str) -> bytes:
        """Return the sealed notes of a seat."""
        return self._seal(game_id, f"notes|{seat}", text.encode())

    def read_notes(self, game_id: str, seat: int, sealed: bytes) -> str:
        """Return the notes that :meth:`write_notes` sealed."""
        return self._open(game_id, f"notes|{seat}", sealed).decode()

    def write_webhook_secret(self, webhook_id: str, number: int, secret: bytes) -> bytes:
        """Return the sealed secret ``number`` of a webhook."""
        return self._seal(webhook_id, f"secret|{number}", secret, packed=False)

    def read_webhook_secret(self, webhook_id: str, number: int, sealed: bytes) -> bytes:
        """Return the secret that :meth:`write_webhook_secret` sealed."""
        return self._open(webhook_id, f"secret|{number}", sealed)

    def _seal(self, game_id: str, place: str, plain: bytes, *, packed: bool = True) -> bytes:
        content = _packed(plain) if packed else bytes((_PLAIN,)) + plain
        return self._sealer.seal(game_id, place, content)

    def _open(self, game_id: str, place: str, sealed: bytes) -> bytes:
        return _unpacked(self._sealer.open(game_id, place, sealed))


def _packed(plain: bytes) -> bytes:
    packer = zlib.compressobj(
        level=1, wbits=-_WINDOW_BITS, memLevel=_MEMORY, zdict=_DICTIONARIES[_CURRENT]
    )
    return bytes((_CURRENT,)) + packer.compress(plain) + packer.flush()


def _unpacked(content: bytes) -> bytes:
    if content[0] == _PLAIN:
        return content[1:]
    unpacker = zlib.decompressobj(wbits=-zlib.MAX_WBITS, zdict=_DICTIONARIES[content[0]])
    return unpacker.decompress(content[1:]) + unpacker.flush()


def _move_record(move: Move) -> _MoveRecord:
    after = move.after
    counts = tuple((each.seat, each.count) for each in after.card_counts)
    return _MoveRecord(
        move.number,
        move.hand_number,
        move.turn,
        move.seat,
        move.by,
        type(move.event).__name__,
        msgspec.Raw(_encode(move.event)),
        _AfterRecord(after.phase, after.to_act_seats, after.stock_count, counts, after.top_discard),
    )


def _move(record: _MoveRecord) -> Move:
    after = record.after
    counts = tuple(SeatCount(seat, count) for seat, count in after.card_counts)
    return Move(
        record.number,
        record.hand_number,
        record.turn,
        record.seat,
        record.by,
        _decode_event[record.kind](record.event),
        After(after.phase, after.to_act_seats, after.stock_count, counts, after.top_discard),
    )
