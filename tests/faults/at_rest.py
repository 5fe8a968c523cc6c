"""All that is written down of a game, and the forms in which a secret might stand there."""

import base64
import re
from collections.abc import Iterable, Mapping

import psycopg
from psycopg import sql

from engine.cards import card_name
from engine.game import Game
from engine.shuffle import hand_seed
from service.storage.codec import _unpacked

BYTEA = re.compile(rb"\\\\x([0-9a-f]+)|\\x([0-9a-f]+)")
ORDERED = 6
"""So many cards in the order of the stock are no accident, in any form."""


def dump(conn: psycopg.Connection) -> dict[str, bytes]:
    """Return every table of the database as COPY writes it, and what its binary columns hold.

    What is packed there is unpacked, so that only a seal hides anything.
    """
    names = conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    found = {}
    for (name,) in names:
        query = sql.SQL("COPY {} TO STDOUT").format(sql.Identifier(name))
        with conn.cursor().copy(query) as copy:
            text = b"".join(bytes(block) for block in copy)
        found[name] = b"\n".join([text, *_contents(text)])
    return found


def _contents(text: bytes) -> Iterable[bytes]:
    for one, other in BYTEA.findall(text):
        content = bytes.fromhex((one or other).decode())
        yield content
        for start in (0, 12):  # behind the nonce of a seal that seals nothing
            try:
                yield _unpacked(content[start:])
            except Exception:  # noqa: BLE001 - what is sealed is no zip
                continue


def secrets_of(game: Game) -> dict[str, list[bytes]]:
    """Return what nobody may know of a game in play, each in the forms that it might have.

    That are the key of its deals, the seeds of the hand that is played and of the coming ones, and
    the order of the stock.
    """
    key, hand = game.setup.deal_key, game.hand
    assert hand is not None, "a hand is being played"
    found = {"key": forms(key)}
    for number in range(hand.number, hand.number + 3):
        found[f"seed {number}"] = forms(hand_seed(key, number))
    found["stock"] = orders(hand.stock[:ORDERED])
    return found


def forms(secret: bytes) -> list[bytes]:
    """Return 32 bytes as they are, as hex, and as base64 wherever they begin in it."""
    texts = [secret, secret.hex().encode(), secret.hex().upper().encode(), repr(secret).encode()]
    for alphabet in (base64.b64encode, base64.urlsafe_b64encode):
        for before in range(3):
            whole = alphabet(bytes(before) + secret)
            texts.append(whole[4 if before else 0 : -4])
    return [*texts, base64.b32encode(secret).rstrip(b"=")]


def orders(cards: Iterable[int]) -> list[bytes]:
    """Return some cards in their order: as names, as numbers, as bytes."""
    names, numbers = [card_name(card) for card in cards], [str(card) for card in cards]
    marks = ("", " ", ",", ", ", '","', '", "', "', '", "-", "|")
    texts = [mark.join(words) for words in (names, numbers) for mark in marks if mark or words[0]]
    return [bytes(cards), bytes(cards).hex().encode(), *(text.encode() for text in texts)]


def leaks(written: Mapping[str, bytes], secrets: Mapping[str, list[bytes]]) -> set[tuple[str, str]]:
    """Return which secret stands in which writing."""
    return {
        (secret, place)
        for place, text in written.items()
        for secret, all_forms in secrets.items()
        if any(form in text for form in all_forms)
    }
