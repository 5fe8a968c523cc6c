"""A game that is played somewhere else, as one seat knows it: for a player that has to be shown it.

It is a game of our own engine, moved on by what the seat sees. Its own cards and all that lies open
are where they truly are. Where nobody could tell, cards lie as it happens: the other seat holds
whatever cards, and those that it throws are put into its hand a moment before. A view has none of
that in it, so what a player is shown is what it would be shown at the true table;
``test_known_game.py`` compares them.
"""

from engine import dealing
from engine.actions import Discard, Draw, DrawSource, Knock
from engine.cards import DECK, cards_of, each_card
from engine.columns import ScoredHand
from engine.events import Dealt
from engine.frozen import with_changes
from engine.game import Mover, SeatKind, Setup, new_game
from engine.hand import Phase
from engine.progress import apply, record
from engine.rules import Rules
from engine.views import GameView, view

ME, OTHER = 0, 1


class KnownGame:
    """What seat 0 knows of a game of two."""

    def __init__(self, rules: Rules) -> None:
        self.game = new_game(Setup("g_known", rules, (SeatKind.AI, SeatKind.AI), bytes(32)))

    @property
    def view(self) -> GameView:
        """What the seat is shown now."""
        return view(self.game, ME)

    def deal(self, dealer: int, cards: int, upcard: int) -> None:
        """Begin a hand in which the seat holds these ``cards``."""
        unknown = iter(each_card(DECK & ~cards & ~(1 << upcard)))
        mine = iter(each_card(cards))
        first_is_mine = dealer != ME
        deck = [next(mine if (place % 2 == 0) == first_is_mine else unknown) for place in range(20)]
        number = self.game.next_hand_number
        dealt = Dealt(
            hand_number=number,
            dealer=dealer,
            nondealer=1 - dealer,
            deck=(*deck, upcard, *unknown),
            seed=bytes(32),
            server_commit=dealing.commitment(self.game.setup, number),
        )
        self.game, _ = record(self.game, Mover.SERVER, (dealt,))

    def do(self, seat: int, action: object) -> None:
        """Do what ``seat`` did, which showed no card that was not known, or was not to be seen."""
        self.game = apply(self.game, seat, action, Mover.AI).game

    def draw(self, card: int) -> None:
        """Draw this card from the stock."""
        self._exchange(self.game.hand.stock[0], card)
        self.do(ME, Draw(DrawSource.STOCK))

    def other_discards(self, card: int) -> None:
        """Let the other seat throw ``card``."""
        self._give(card)
        self.do(OTHER, Discard(card))

    def other_knocks(self, knock: Knock, kept: int) -> None:
        """Let the other seat knock; what it has ``kept`` lies open now."""
        self.reveal(kept | 1 << knock.discard)
        self._give(knock.discard)
        self.do(OTHER, knock)

    def reveal(self, cards: int) -> None:
        """Say what the other seat holds."""
        for wrong, card in zip(
            each_card(self.game.hand.holdings[OTHER] & ~cards),
            each_card(cards & ~self.game.hand.holdings[OTHER]),
            strict=True,
        ):
            self._exchange(wrong, card)

    def end(self, scored: ScoredHand, before: tuple[ScoredHand, ...]) -> None:
        """End the hand as it was scored there, after those ``before``."""
        hand = with_changes(self.game.hand, phase=Phase.HAND_OVER)
        self.game = with_changes(
            self.game, hand=hand, hands=(*before, scored), last_result=None, last_move=None
        )

    def _give(self, card: int) -> None:
        """Put ``card`` into the other seat's hand, as one that may be thrown."""
        hand = self.game.hand
        if not hand.holdings[OTHER] >> card & 1:
            hidden = hand.holdings[OTHER] & ~hand.taken[OTHER]
            self._exchange(next(each_card(hidden)), card)
        if self.game.hand.drawn_card == card:
            # Elsewhere the card that was just taken may be thrown.
            hand = with_changes(self.game.hand, drawn_card=None)
            self.game = with_changes(self.game, hand=hand)

    def _exchange(self, one: int, other: int) -> None:
        """Exchange two cards, neither of which the seat can place."""
        hand = self.game.hand
        places = {one: other, other: one}
        held = cards_of(places.get(card, card) for card in each_card(hand.holdings[OTHER]))
        self.game = with_changes(
            self.game,
            hand=with_changes(
                hand,
                holdings=(hand.holdings[ME], held),
                stock=tuple(places.get(card, card) for card in hand.stock),
                drawn_card=places.get(hand.drawn_card, hand.drawn_card),
            ),
        )
