"""Leaks to those who follow a game; see :mod:`tests.contract.leaks`."""

from dataclasses import replace

from engine.cards import each_card
from service import feed
from service.blueprints import updates
from tests.contract.leaks import asking, hidden_from, leak, seat_0
from tests.contract.leaks_of_players import LEAKS

__all__ = ["LEAKS"]


def _other(opened):
    seated = opened.viewer is not None and opened.stored.game.hand is not None
    return replace(opened, viewer=1 - opened.viewer) if seated else opened


@leak(seat_0)
def stream_of_the_other_seat(patch):
    """A stream shows what the other seat's would."""
    original = feed.Feed.begin
    patch.setattr(
        feed.Feed, "begin", lambda self, look, opened: original(self, look, _other(opened))
    )


@leak(asking)
def poll_of_the_other_seat(patch):
    """Whoever has waited gets the answer of the other seat."""
    original = updates._waited

    def waited(*arguments):
        return _other(original(*arguments))

    patch.setattr(updates, "_waited", waited)


@leak(seat_0)
def silence_of_a_stream(patch):
    """One bit: a stream is silent while the other seat holds an ace."""
    original = feed.Feed._told

    def told(self, look, opened):
        held = hidden_from(opened.stored.game, opened.viewer)
        event = original(self, look, opened)
        return b"" if any(card % 13 == 0 for card in each_card(held)) else event

    patch.setattr(feed.Feed, "_told", told)
