"""Thousands of hands at once, all played turn by turn in step, for training and quick matches.

It knows the standard order of play only: the offer of the upcard, one card a turn, two cards that
stay in the stock. Limits and bonuses go by hand. What the engine decides is held to it by a test.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Final

import numpy as np

from engine import bulk
from engine.players.policies import Chance, Policy, Throws
from engine.players.sight import LATELY, NO_CARD, Column, Flags, Masks, Sight, with_card, with_top
from engine.rules import STANDARD

STOCK_END: Final = STANDARD.stock_end
MAX_TURNS: Final = STANDARD.max_turns
DECK: Final = np.int64((1 << 52) - 1)
UPCARD: Final = 20
DEEPEST: Final = max(LATELY)
HIGHEST: Final = 52 - UPCARD
"""No pile is higher: it grows only by cards of the stock."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The rules of each hand: columns."""

    limit: Column
    gin_bonus: Column
    undercut_bonus: Column

    @classmethod
    def standard(cls, hands: int) -> "Terms":
        """Return the standard terms for so many hands."""
        numbers = (STANDARD.knock_limit, STANDARD.gin_bonus, STANDARD.undercut_bonus)
        return cls(*(np.full(hands, number, np.int64) for number in numbers))

    @classmethod
    def joined(cls, parts: Sequence["Terms"]) -> "Terms":
        """Return the terms of all ``parts``, in that order."""
        names = [field.name for field in fields(cls)]
        return cls(*(_stacked([getattr(part, name) for part in parts]) for name in names))

    def rows(self, chosen: Column) -> "Terms":
        """Return the terms of those hands that ``chosen`` picks, in that order."""
        return Terms(*(getattr(self, field.name)[chosen] for field in fields(Terms)))


@dataclass(frozen=True, slots=True)
class Asked:
    """A moment at which some rows decide: ``rows`` by number, ``seat`` of each, what they see.

    ``drawn`` tells whether they hold one card too many; then ``throws`` says what they did, and
    else ``takes``.
    """

    rows: Column
    seats: Column
    sight: Sight
    drawn: bool
    throws: Throws | None = None
    takes: Flags | None = None


class Tables:
    """The state of many hands, in columns; the second axis goes by seat."""

    def __init__(self, decks: Column, nondealers: Column, terms: Terms) -> None:
        count = len(decks)
        self.decks, self.terms = decks, terms
        self.cards = _dealt(decks, nondealers)
        self.known = np.zeros((count, 2), np.int64)
        # Under the upcard lie places without a card, so that one may look down from any height.
        self.pile = np.full((count, DEEPEST + HIGHEST), NO_CARD)
        self.pile[:, DEEPEST] = decks[:, UPCARD]
        self.height = np.full(count, DEEPEST + 1)
        self.top = decks[:, UPCARD].copy()
        self.seen = np.left_shift(np.int64(1), self.top)
        self.next = np.full(count, UPCARD + 1)
        self.turn = np.zeros(count, np.int64)
        self.passes = np.zeros(count, np.int64)
        self.opening = np.ones(count, bool)
        self.to_act = nondealers.copy()
        self.over = np.zeros(count, bool)
        self.points = np.zeros(count, np.int64)
        self.knocker = np.full(count, -1)
        self.deadwood = np.zeros((count, 2), np.int64)

    def taken(self, rows: Column) -> "Tables":
        """Return tables of their own that stand as ``rows`` do, which may name one many times."""
        found = object.__new__(Tables)
        for name, column in vars(self).items():
            setattr(found, name, column.rows(rows) if name == "terms" else column[rows])
        return found

    @classmethod
    def joined(cls, parts: Sequence["Tables"]) -> "Tables":
        """Return the tables of all ``parts``, in that order."""
        found = object.__new__(cls)
        for name in vars(parts[0]):
            columns = [getattr(part, name) for part in parts]
            setattr(found, name, Terms.joined(columns) if name == "terms" else _stacked(columns))
        return found

    def sight(self, rows: Column) -> Sight:
        """Return what the seat to act of each of ``rows`` sees, before its draw."""
        seats = self.to_act[rows]
        cards, theirs = self.cards[rows, seats], self.known[rows, 1 - seats]
        return Sight(
            cards=cards,
            theirs=theirs,
            unseen=DECK & ~(cards | theirs | self.seen[rows]),
            top=self.top[rows],
            barred=np.full(len(rows), NO_CARD),
            lately=self._lately(rows),
            left=len(self.decks[0]) - self.next[rows] - STOCK_END,
            turn=self.turn[rows],
            limit=self.terms.limit[rows],
            gin_bonus=self.terms.gin_bonus[rows],
            undercut_bonus=self.terms.undercut_bonus[rows],
        )

    def _lately(self, rows: Column) -> Column:
        places = self.height[rows, None] - LATELY
        cards = self.pile[rows[:, None], places]
        nobodys = (places == DEEPEST) & (cards == self.decks[rows, UPCARD, None])
        return np.where(nobodys, NO_CARD, cards)

    def turn_of(self, policy: Policy, rows: Column, chance: Chance) -> Iterator[Asked]:
        """Play the turns of ``rows``, all by ``policy``, and yield what it was asked and did."""
        sight = self.sight(rows)
        seats = self.to_act[rows]
        must_draw = ~self.opening[rows] & (self.passes[rows] == 2)
        asked = np.flatnonzero(~must_draw)
        takes = np.zeros(len(rows), bool)
        if len(asked):
            takes[asked] = policy.takes(sight.rows(asked), chance)
            yield Asked(rows[asked], seats[asked], sight.rows(asked), False, takes=takes[asked])
        passes = ~takes & self.opening[rows]
        self._pass(rows[passes])
        draws = ~takes & ~passes
        self.passes[rows[draws]] = 0
        cards = self.decks[rows, np.minimum(self.next[rows], 51)]
        for chosen, held in ((takes, with_top), (draws, None)):
            which = np.flatnonzero(chosen)
            if not len(which):
                continue
            before = sight.rows(which)
            after = held(before) if held else with_card(before, cards[which])
            self._draw(rows[which], before, taken=held is not None)
            throws = policy.throws(after, chance)
            yield Asked(rows[which], seats[which], after, True, throws=throws)
            self.throw(rows[which], after, throws)

    def _pass(self, rows: Column) -> None:
        self.passes[rows] += 1
        self.to_act[rows] = 1 - self.to_act[rows]
        self.opening[rows] = self.passes[rows] < 2

    def _draw(self, rows: Column, before: Sight, *, taken: bool) -> None:
        self.opening[rows] = False
        self.turn[rows] += 1
        if not taken:
            self.next[rows] += 1
            return
        bits = np.left_shift(np.int64(1), before.top)
        self.height[rows] -= 1
        self.known[rows, self.to_act[rows]] |= bits
        self.seen[rows] &= ~bits
        self.passes[rows] = 0

    def throw(self, rows: Column, held: Sight, throws: Throws) -> None:
        """Let the seat to act of each of ``rows``, which sees ``held`` after its draw, throw."""
        seats = self.to_act[rows]
        bits = np.left_shift(np.int64(1), throws.card)
        kept = held.cards & ~bits
        self.cards[rows, seats] = kept
        self.known[rows, seats] &= ~bits
        self.seen[rows] |= bits
        self.top[rows] = throws.card
        self.pile[rows, self.height[rows]] = throws.card
        self.height[rows] += 1
        self.to_act[rows] = 1 - seats
        knocks = np.flatnonzero(throws.knocks)
        self.settle(rows[knocks], seats[knocks])
        ends = (self.next[rows] >= 52 - STOCK_END) | (self.turn[rows] >= MAX_TURNS)
        self.over[rows[~throws.knocks & ends]] = True

    def settle(self, rows: Column, knockers: Column) -> None:
        """End ``rows`` by a knock of ``knockers``; ``points`` are then seat 0's."""
        if not len(rows):
            return
        self.over[rows] = True
        self.knocker[rows] = knockers
        own, theirs = self.cards[rows, knockers], self.cards[rows, 1 - knockers]
        points, counts = knock_points(own, theirs, self.terms, rows)
        self.points[rows] = np.where(knockers == 0, points, -points)
        self.deadwood[rows, knockers], self.deadwood[rows, 1 - knockers] = counts


def _stacked(columns: Sequence[Column]) -> Column:
    return np.concatenate(columns)


def _dealt(decks: Column, nondealers: Column) -> Masks:
    bits = np.left_shift(np.int64(1), decks[:, :UPCARD])
    first: Masks = np.bitwise_or.reduce(bits[:, 0::2], axis=1)
    second: Masks = np.bitwise_or.reduce(bits[:, 1::2], axis=1)
    own = np.stack([first, second], axis=1)
    return np.where(nondealers[:, None] == 0, own, own[:, ::-1])


def knock_points(
    kept: Masks, theirs: Masks, terms: Terms, rows: Column
) -> tuple[Column, tuple[Column, Column]]:
    """Return what a knock with ``kept`` against ``theirs`` scores for the knocker, and both counts.

    The other side lays off the unmatched cards that fit, each beside others or after them.
    """
    knocked = bulk.arranged(kept)
    defended = bulk.arranged(theirs)
    melded = kept ^ knocked.unmatched
    fits = bulk.fitting(melded, kept ^ knocked.rest, defended.unmatched)
    own = knocked.deadwood.astype(np.int64)
    gin = own == 0
    left = bulk.points(np.where(gin, defended.unmatched, defended.unmatched & ~fits))
    difference = left - own
    bonus = np.where(gin, terms.gin_bonus[rows], 0)
    undercut = ~gin & (difference <= 0)
    points = np.where(undercut, difference - terms.undercut_bonus[rows], difference + bonus)
    return points, (own, left)


def play(policies: Sequence[Policy], tables: Tables, chance: Chance) -> Iterator[Asked]:
    """Play all hands to their end; yield each moment at which a policy was asked."""
    while True:
        rows = np.flatnonzero(~tables.over)
        if not len(rows):
            return
        acting = tables.to_act[rows]
        for seat, policy in enumerate(policies):
            mine = rows[acting == seat]
            if len(mine):
                yield from tables.turn_of(policy, mine, chance)


def shuffled(hands: int, chance: Chance) -> Column:
    """Return so many decks in random order, a row each."""
    return chance.permuted(np.tile(np.arange(52), (hands, 1)), axis=1)
