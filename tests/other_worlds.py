"""The same position with all cards dealt anew that a viewer cannot place."""

from dataclasses import replace

from engine.actions import DrawSource
from engine.cards import cards_of, each_card
from engine.events import Dealt, Discarded, Drew
from engine.hand import Phase, dealt_cards


def hidden(table, past, viewer):
    """The cards that ``viewer`` cannot place: it knows its own, those thrown and those taken.

    Of those thrown and taken it knows only what is shown to it, if the pile is not spread. The
    upcard and its own cards, as they were dealt and drawn, stay known wherever they went.
    """
    hand = table.hand
    unseen = cards_of(hand.stock)
    if covers_discards(table):
        unseen |= cards_of(hand.discard_pile[:-1])
    if hand.phase not in {Phase.LAY_OFF, Phase.HAND_OVER}:
        for seat, cards in enumerate(hand.holdings):
            if seat != viewer:
                known = taken_lately(past, seat) if covers_discards(table) else hand.taken[seat]
                unseen |= cards & ~known
    return list(each_card(unseen & ~(1 << hand.upcard | own(past, viewer))))


def covers_discards(table):
    """Whether the discards under the top are hidden, said a second time."""
    return table.rules.discard_view == "top" and table.hand.phase is not Phase.HAND_OVER


def taken_lately(past, seat):
    """The card that ``seat`` took from the pile in its last turn, if it did."""
    draws = [move.event for move in past if isinstance(move.event, Drew)]
    last = [draw for draw in draws if draw.seat == seat][-1:]
    return sum(1 << draw.card for draw in last if draw.source is DrawSource.DISCARD_PILE)


def own(past, viewer):
    """The cards that ``viewer`` was dealt or drew from the stock in the last hand."""
    cards = 0
    for move in past:
        if isinstance(move.event, Dealt):
            cards = dealt_cards(move.event).get(viewer, 0)
        elif isinstance(move.event, Drew) and move.event.source is DrawSource.STOCK:
            cards |= (move.event.seat == viewer) << move.event.card
    return cards


class OtherWorld:
    """The same game with the cards dealt anew that a viewer cannot know."""

    def __init__(self, table, past, viewer, rng):
        unseen = hidden(table, past, viewer)
        self.covers = covers_discards(table)
        self.card = dict(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))
        hand = table.hand
        self.game = replace(
            table,
            last_move=self.move(table.last_move),
            hand=replace(
                hand,
                holdings=tuple(map(self.cards, hand.holdings)),
                stock=self.row(hand.stock),
                discard_pile=self.row(hand.discard_pile) if self.covers else hand.discard_pile,
                drawn_card=self.other(hand.drawn_card),
            ),
        )

    def other(self, card):
        return self.card.get(card, card)

    def row(self, cards):
        return tuple(map(self.other, cards))

    def cards(self, cards):
        return sum(1 << self.other(card) for card in each_card(cards))

    def move(self, move):
        event, after = move.event, move.after
        if self.covers:
            after = replace(after, top_discard=self.other(after.top_discard))
        if isinstance(event, Dealt):
            event = replace(event, deck=self.row(event.deck), seed=bytes(32))
        elif isinstance(event, Drew) and (self.covers or event.source is DrawSource.STOCK):
            event = replace(event, card=self.other(event.card))
        elif isinstance(event, Discarded):
            card = self.other(event.card) if self.covers else event.card
            event = replace(event, card=card, recycled=self.row(event.recycled))
        return replace(move, event=event, after=after)
