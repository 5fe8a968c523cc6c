"""What goes over one stream: server-sent events, each an update of one game for one viewer.

The WHATWG names the format: ``id`` is the version that the update leads to, which a client sends
back as ``Last-Event-ID``. Knows no sockets and no threads.
"""

from dataclasses import dataclass, field
from typing import Final

import orjson

from service import answers
from service.portal_keys import PortalKey
from service.storage.games import PLAYING, WAITING, StoredGame
from service.tokens import Token
from service.updates import Watch
from service.use_cases.house import House
from service.use_cases.open_game import Opened, load, look_for_portal, opened_by
from service.use_cases.read_log import Since, read_since
from service.use_cases.refusals import Refused

EVENT_STREAM: Final = "text/event-stream"
OPENING: Final = b"retry: 2000\n\n"
"""A client that lost its stream comes back after two seconds."""

COMMENT: Final = b": still here\n\n"
"""Keeps what is between us and the client from thinking that nobody is there."""


def is_over(stored: StoredGame) -> bool:
    """Return whether nothing will ever change in the game."""
    return stored.status not in (WAITING, PLAYING)


@dataclass(slots=True)
class Look:
    """One look at games that may have changed, shared by all who follow them."""

    house: House
    _games: dict[str, StoredGame | None] = field(default_factory=dict)
    _since: dict[tuple[str, int | None, int], Since] = field(default_factory=dict)
    _by_key: dict[tuple[str, PortalKey], Opened | None] = field(default_factory=dict)
    _events: dict[tuple[object, ...], bytes] = field(default_factory=dict)

    def game(self, game_id: str) -> StoredGame | None:
        """Return the game as it is now, or None if there is none."""
        if game_id not in self._games:
            self._games[game_id] = load(self.house, game_id)
        return self._games[game_id]

    def opened(self, caller: Token | PortalKey, game_id: str) -> Opened | None:
        """Return the game as ``caller`` sees it now; None if it may see it no longer."""
        if isinstance(caller, PortalKey):
            place = (game_id, caller)
            if place not in self._by_key:
                self._by_key[place] = look_for_portal(self.house, caller, game_id)
            return self._by_key[place]
        stored = self.game(game_id)
        try:
            return None if stored is None else opened_by(caller, stored)
        except Refused:  # the token was ended
            return None

    def event(self, opened: Opened, version: int | None) -> bytes:
        """Return the event that holds what happened after ``version``, or the game alone."""
        viewer = (opened.viewer, opened.seat, opened.portal is not None)
        key = (opened.stored.game.setup.id, version, opened.stored.version, *viewer)
        if key not in self._events:
            since = self._moves(opened.stored, version)
            update = answers.update(opened, since.moves, reset=since.reset)
            data = orjson.dumps(update)
            self._events[key] = b"id: %d\nevent: update\ndata: %b\n\n" % (
                opened.stored.version,
                data,
            )
        return self._events[key]

    def _moves(self, stored: StoredGame, version: int | None) -> Since:
        key = (stored.game.setup.id, version, stored.version)
        if key not in self._since:
            self._since[key] = read_since(self.house, stored, version)
        return self._since[key]


@dataclass(slots=True)
class Feed:
    """One stream: whose it is, the last version that it told of, and when it is to close.

    ``opening`` is what it begins with; ``over`` says that nothing more will come.
    """

    caller: Token | PortalKey
    watch: Watch
    version: int | None
    seconds: float
    comment_seconds: float
    opening: bytes = OPENING
    over: bool = False

    def begin(self, look: Look, opened: Opened) -> None:
        """Let the stream begin with the game as it was read when it was asked for."""
        self.opening = OPENING + self._told(look, opened)

    def news(self, look: Look) -> bytes:
        """Return the event that goes on from the last one; empty if there is nothing new.

        :raises StorageError: if the game cannot be read; nothing is lost by asking again.
        """
        opened = look.opened(self.caller, self.watch.game_id)
        if opened is None:
            self.over = True
            return b""
        return self._told(look, opened)

    def _told(self, look: Look, opened: Opened) -> bytes:
        event = b"" if opened.stored.version == self.version else look.event(opened, self.version)
        self.version = self.watch.version = opened.stored.version
        self.watch.ended = len(opened.stored.ended_tokens)
        self.over = is_over(opened.stored)
        return event
