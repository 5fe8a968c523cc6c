"""Tables for tests: a game at a position, from the names of the cards, and moves in words."""

from dataclasses import replace
from random import Random

from engine.actions import DrawSource
from engine.cards import DECK, NO_CARDS, card_name, card_names, each_card, parse_card, parse_cards
from engine.errors import EngineError
from engine.events import Dealt
from engine.game import SeatKind, Setup, new_game
from engine.hand import Hand, Phase
from engine.notation import parse_action
from engine.players import easy
from engine.progress import apply, begin, evolve_game
from engine.rules import STANDARD
from engine.views import view

NEAR_GIN = "AC 2C 3C 4D 5D 6D 7H 8H 9H TS"
"""Three runs and a ten: a knock with 10, gin with a card that fits."""

OTHER = "4C 5C 8D 9D JD JH QH KH 2S 3S"
"""4C 5C, 8D 9D and so on go on the runs of NEAR_GIN; the rest is far from a meld but J Q K."""

ALL_MELDED = "AC 2C 3C 4C 5D 6D 7D 9H TH JH QH"
"""Eleven cards in melds, two of them of four."""

AGAINST_MELDED = "7C 8C 8D 9D JD KC KH 2S 3S 5S"
"""8D 9D and KH go on the melds of ALL_MELDED."""

PEOPLE = (SeatKind.HUMAN, SeatKind.HUMAN)


def cards(names):
    return parse_cards(names.split())


def row(names):
    return tuple(map(parse_card, names.split()))


def setup(rules=STANDARD, kinds=PEOPLE, deal_key=bytes(32)):
    return Setup("g_table", rules, kinds, deal_key)


def deck(first, second, upcard="JS", stock="KS QS 4S", dealer=1):
    """The deck that deals ``first`` to seat 0 and ``second`` to seat 1; ``stock`` lies on top."""
    nondealers, dealers = (first, second) if dealer == 1 else (second, first)
    order = [
        name for pair in zip(nondealers.split(), dealers.split(), strict=True) for name in pair
    ]
    order = row(" ".join([*order, upcard, stock]))
    rest = [card for card in each_card(DECK) if card not in order]
    return (*order, *rest)


def table(rules=STANDARD, first=NEAR_GIN, second=OTHER, *, dealer=1, kinds=PEOPLE, **piles):
    """A game whose first hand was just dealt; seat 1 is the dealer, so seat 0 begins."""
    dealt = Dealt(
        hand_number=1,
        dealer=dealer,
        nondealer=1 - dealer,
        deck=deck(first, second, dealer=dealer, **piles),
        seed=bytes(32),
        server_commit="",
    )
    return evolve_game(new_game(setup(rules, kinds)), dealt)


def discarding(held, against=OTHER, rules=STANDARD, *, upcard=None, taken=None):
    """A game in which seat 0 holds the eleven cards ``held`` and has to discard.

    The upcard may lie in a hand: somebody took it. ``taken`` is the card just taken from the pile.
    """
    mine, theirs = cards(held), cards(against)
    rest = list(each_card(DECK & ~(mine | theirs)))
    first = rest[0] if upcard is None else parse_card(upcard)
    pile = (first,) if first in rest else ()
    drawn = parse_card(taken) if taken else parse_card(held.split()[-1])
    hand = Hand(
        number=1,
        dealer=1,
        nondealer=0,
        phase=Phase.DISCARD,
        to_act=0,
        turn=5,
        holdings=(mine, theirs),
        taken=(1 << drawn if taken else NO_CARDS, NO_CARDS),
        stock=tuple(card for card in rest if card not in pile),
        discard_pile=pile,
        upcard=first,
        server_commit="",
        drawn_card=drawn,
        drawn_from=DrawSource.DISCARD_PILE if taken else DrawSource.STOCK,
        discards_owed=1,
    )
    return replace(new_game(setup(rules)), hand=hand)


def transition(game, line):
    """What follows when a line such as ``0 discard 7H`` is played."""
    seat, _, words = line.partition(" ")
    return apply(game, int(seat), parse_action(words))


def play(game, *lines):
    for line in lines:
        game = transition(game, line).game
    return game


def refusal(game, line):
    """The error with which ``line`` is refused."""
    try:
        transition(game, line)
    except EngineError as error:
        return error
    raise AssertionError(f"{line} was accepted")


def hand_after(game, *lines):
    return play(game, *lines).hand


def stock_runs_down(game, left):
    """The game after turn upon turn in which the card drawn is thrown, until ``left`` lie there."""
    while len(game.hand.stock) > left:
        seat = game.hand.to_act
        game = play(game, f"{seat} draw stock")
        game = play(game, f"{seat} discard {card_name(game.hand.drawn_card)}")
    return game


def pile_goes_round(game, turns):
    """The game after so many turns in which each seat takes what the other threw.

    Seat 0 throws its ten of spades first and what it took last later, so that it may always knock.
    """
    odd = {0: "TS", 1: "3S"}
    while game.hand.turn < turns:
        seat = game.hand.to_act
        top = card_name(game.hand.discard_pile[-1])
        game = play(game, f"{seat} draw pile", f"{seat} discard {odd[seat]}")
        odd[seat] = top
    return game


def facts(game, line):
    """The kinds of facts that ``line`` makes."""
    return [type(move.event) for move in transition(game, line).moves]


def laid_out(knocked):
    """The melds of a knock, each as the names of its cards."""
    return [" ".join(card_names(meld.cards)) for meld in knocked.melds]


GIN = ("AC 2C 3C 4C 5D 6D 7D 9H TH JH KS", "7C 8C 8D 9D JD QH KH 2S 3S 5S")
"""What seat 0 is gin with by throwing the king, and what it is gin against."""


def won_by_seat_0(rules=STANDARD):
    """A game whose hand seat 0 has just won with gin."""
    return play(discarding(*GIN, rules), "0 gin KS")


def whole_game(rules, kinds=PEOPLE, key=bytes(32)):
    """A whole game by easy players, transition by transition."""
    made = begin(Setup("g_whole", rules, kinds, key))
    yield made
    rng = Random(1)
    while not made.game.over:
        seat = made.game.to_act_seats[0]
        made = apply(made.game, seat, easy.choose(view(made.game, seat), rng))
        yield made
