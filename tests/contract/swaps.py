"""Which other worlds somebody could be in, for all that it knows.

A second world is the first one with its decks rearranged, so that the same actions lead to the
same facts that the observer may know. Those facts are spelled out in :func:`known`, on purpose
without the engine's views: it is the table of who sees what, said a second time.

Which rearrangement is right for whom:

* A seat knows its own cards and draws, what lay open, and from a knock on both seats' cards. What
  the other seat holds, the stock, and until the hand is over which of the other's cards were dealt
  and which were drawn, are exchanged among themselves. The order in which a seat was dealt its own
  ten is exchanged too: it is the order of the deck, which nobody may know while cards lie in it.
* With ``discard_view: top`` no more is exchanged: whoever looks on from the beginning saw every
  discard when it lay on top. That who comes later cannot read it again is another question, which
  ``tests/properties/test_hidden_cards.py`` asks.
* A spectator knows no seat's cards; both seats' are exchanged. So it is for a seat that sits out.
* Where a computer plays on what is exchanged, its open moves follow from its cards and tell of
  them, lawfully. Only worlds in which it would do the same are the same to an observer; that is
  found out by asking it (``rethinking``).
* Where a computer is itself the observer, it is never asked: its moves are taken as they were, and
  it has to make them again over HTTP. Asking a computer that peeks would hide that it does.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from engine import shuffle
from engine.actions import (
    Action,
    Claim,
    DealHand,
    Discard,
    Draw,
    DrawSource,
    Knock,
    LayOffs,
    Pass,
    Resign,
)
from engine.agreements import confirm, consent
from engine.cards import DECK, NO_CARDS
from engine.errors import EngineError
from engine.events import (
    Claimed,
    Dealt,
    Discarded,
    Drew,
    HandVoided,
    Knocked,
    LaidOff,
    Passed,
    Resigned,
)
from engine.game import Game, Move, Mover, SeatKind, Setup
from engine.hand import HAND_SIZE, dealt_cards
from engine.players.levels import LEVELS
from engine.progress import apply, begin
from engine.views import view
from service.use_cases import computer_seats

EXCHANGES = 12
"""How many exchanges of two cards of each kind are tried after the great shuffles."""

DEALT_STOCK = 52 - 2 * HAND_SIZE - 1
"""So many cards of a deck become the stock."""

Decks = dict[int, tuple[int, ...]]
"""The order of the deck of each hand, by the number of the hand."""


class Dealer:
    """Stands in for the order of the deck in one game; all others are dealt as ever."""

    def __init__(self) -> None:
        self.game_id = ""
        self.decks: Decks = {}
        self._order = shuffle.deck_order

    def order(self, deal: shuffle.Deal) -> tuple[int, ...]:
        """Return the deck of a hand, in the place of :func:`engine.shuffle.deck_order`."""
        if deal.game_id != self.game_id:
            return self._order(deal)
        return self.decks[deal.hand_number]


@dataclass(frozen=True)
class Story:
    """What happened in a world: the game it came to and all its moves."""

    game: Game
    moves: tuple[Move, ...]

    def over(self, hand_number: int) -> bool:
        """Whether that hand has ended."""
        return hand_number < self.game.hand.number or self.game.hand.over


# --- what may be known


def known(story: Story, seat: int | None) -> list[tuple]:
    """Return what ``seat``, or a spectator, may know of each move."""
    return [
        (
            move.number,
            move.turn,
            move.seat,
            move.by,
            move.after,
            *_known_of(move.event, seat, over=story.over(move.hand_number)),
        )
        for move in story.moves
    ]


def _known_of(event, seat: int | None, *, over: bool) -> tuple:
    if isinstance(event, Dealt):
        if over:
            return (event,)  # the proof of the hand shows the whole deck
        shown = {who: cards for who, cards in dealt_cards(event).items() if who == seat}
        return "deal", event.dealer, event.deck[2 * HAND_SIZE], shown
    if isinstance(event, Drew) and event.source is DrawSource.STOCK:
        return "stock", event.card if over or event.seat == seat else None
    return (event,)


def private(story: Story, seat: int) -> list[int]:
    """Return what ``seat`` was dealt and, one by one, drew from the stock in the last hand."""
    number = story.game.hand.number
    draws = [1 << event.card for event in _drawn(story, number) if event.seat == seat]
    return [dealt_cards(_dealt(story, number)).get(seat, NO_CARDS), *draws]


def cards_moved(first: Story, second: Story, seat: int) -> int:
    """Return how many cards ``seat`` was dealt or drew in one world alone, in the last hand."""
    pairs = zip(private(first, seat), private(second, seat), strict=True)
    return sum((one & ~other).bit_count() for one, other in pairs)


# --- the same actions in another world


def script(story: Story) -> list[tuple[int, Mover, Action]]:
    """Return who did what: the actions that the moves were the answers to."""
    return [
        (move.seat or 0, move.by, _action(move.event))
        for move in story.moves
        if move.by is not Mover.SERVER
        or (isinstance(move.event, Dealt) and move.hand_number > 1)
        or isinstance(move.event, HandVoided)
    ]


class Void:
    """What both seats of a hand asked for together."""


def _action(event) -> Action | Void:
    match event:
        case HandVoided():
            return Void()
        case Dealt():
            return DealHand()
        case Passed():
            return Pass()
        case Drew():
            return Draw(event.source, event.card if event.cards else None)
        case Discarded():
            return Discard(event.card)
        case Knocked():
            return Knock(event.kind, event.discard, tuple(meld.cards for meld in event.melds))
        case LaidOff():
            side = next(side for side in event.result.sides if side.seat == event.seat)
            return LayOffs(event.lay_offs, tuple(meld.cards for meld in side.melds))
        case Resigned():
            return Resign()
        case Claimed():
            return Claim()
    raise AssertionError(event)


def retold(setup: Setup, actions, rethinking: frozenset[int] = frozenset()) -> Story | None:
    """Return what ``actions`` lead to on the decks that lie there now, None if one is refused.

    The computers on the seats ``rethinking`` do what they choose now.
    """
    made = begin(setup)
    game, moves = made.game, list(made.moves)
    try:
        for seat, by, action in actions:
            if by is Mover.AI and seat in rethinking:
                if computer_seats.due_computer(game) != seat:
                    return None
                chance = computer_seats._chance(game, seat)
                action = LEVELS["easy"].choose(view(game, seat), chance)  # noqa: PLW2901
            if isinstance(action, Void):
                for seated in game.hand.playing_seats:
                    agreed = consent(game, seated, void=True)
                    game, moves = agreed.game, moves + list(agreed.moves)
                continue
            if isinstance(action, DealHand):  # it tells that the score had been confirmed
                for due in game.unconfirmed_seats:
                    game = confirm(game, due).game
            made = apply(game, seat, action, by)
            game, moves = made.game, moves + list(made.moves)
    except EngineError:
        return None
    return Story(game, tuple(moves))


# --- another world


def another(
    dealer: Dealer, story: Story, knows: int | None, rng: Random
) -> tuple[Decks, Story] | None:
    """Return other decks and their story, the same for who has the knowledge of seat ``knows``.

    None if none was found in which another seat was dealt or drew another card.
    """
    setup, actions, facts = story.game.setup, script(story), known(story, knows)
    hidden = [seat for seat in range(len(setup.seats)) if seat != knows]
    thinking = frozenset(seat for seat in hidden if setup.seats[seat] is SeatKind.AI)
    first, decks, found = dealer.decks, dict(dealer.decks), story
    try:
        for number, slots in _to_shuffle(story, knows, rng):
            dealer.decks = {**decks, number: _shuffled(decks[number], slots, rng)}
            told = retold(setup, actions, thinking)
            if told is not None and known(told, knows) == facts:
                decks, found = dealer.decks, told
    finally:
        dealer.decks = first
    moved = any(cards_moved(story, found, seat) for seat in hidden)
    return (decks, found) if moved else None


def _to_shuffle(story: Story, knows: int | None, rng: Random) -> Iterator[tuple[int, list[int]]]:
    """Yield hands and places in their decks whose cards might be shuffled among themselves."""
    for move in story.moves:
        if isinstance(move.event, Dealt):
            yield move.hand_number, _undrawn(story, move.hand_number)
            yield move.hand_number, list(range(0, 2 * HAND_SIZE, 2))
            yield move.hand_number, list(range(1, 2 * HAND_SIZE, 2))
    number = story.game.hand.number
    deck = _dealt(story, number).deck
    seen = _seen(story, knows, number)
    yield number, [place for place, card in enumerate(deck) if not seen >> card & 1]
    drawn, others = _places(story, knows, number)
    for _ in range(EXCHANGES if others else 0):
        yield number, [rng.choice(drawn or others), rng.choice(others)]
        yield number, rng.sample(others, 2)


def _dealt(story: Story, number: int) -> Dealt:
    return next(
        move.event
        for move in story.moves
        if isinstance(move.event, Dealt) and move.hand_number == number
    )


def _drawn(story: Story, number: int) -> list[Drew]:
    """Return the draws from the stock that was dealt; what is recycled later lies in no deck."""
    return [
        move.event
        for move in story.moves
        if move.hand_number == number
        and isinstance(move.event, Drew)
        and move.event.source is DrawSource.STOCK
    ][:DEALT_STOCK]


def _places(story: Story, knows: int | None, number: int) -> tuple[list[int], list[int]]:
    """Return where in the deck of a hand the draws of other seats lay, and all but these."""
    draws = enumerate(_drawn(story, number), start=2 * HAND_SIZE + 1)
    drawn = [place for place, draw in draws if draw.seat != knows]
    dealt = _dealt(story, number)
    own = {dealt.nondealer: 0, dealt.dealer: 1}.get(knows)
    ten = [place for place in range(2 * HAND_SIZE) if place % 2 != own]
    return drawn, ten + _undrawn(story, number)


def _undrawn(story: Story, number: int) -> list[int]:
    return list(range(2 * HAND_SIZE + 1 + len(_drawn(story, number)), 52))


def _seen(story: Story, knows: int | None, number: int) -> int:
    """Return the cards of a hand that ``knows`` has seen, wherever they lay."""
    dealt = _dealt(story, number)
    seen = 1 << dealt.deck[2 * HAND_SIZE] | dealt_cards(dealt).get(knows, NO_CARDS)
    for move in story.moves:
        event = move.event
        if move.hand_number != number or isinstance(event, Dealt):
            continue
        if isinstance(event, Knocked):
            return DECK
        drawn_unseen = isinstance(event, Drew) and event.seat != knows
        if isinstance(event, Drew | Discarded) and not drawn_unseen:
            seen |= 1 << event.card
    return DECK if story.over(number) else seen


def _shuffled(deck: tuple[int, ...], places: list[int], rng: Random) -> tuple[int, ...]:
    cards = [deck[place] for place in places]
    if len(places) == 2:
        cards.reverse()
    else:
        rng.shuffle(cards)
    lying = dict(zip(places, cards, strict=True))
    return tuple(lying.get(place, card) for place, card in enumerate(deck))
