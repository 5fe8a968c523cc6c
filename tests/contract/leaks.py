"""Leaks, planted one at a time: what a careless change to the service might let out.

Each is a function that patches the product so that some answer depends on a card that its
receiver cannot know, with a plot in which that shows. Most are ways in which card servers did
leak. What is *not* among them: the secret of the deals and the seeds, which are the same in both
worlds; that no answer holds one is for a search of answers and logs to find.
"""

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from engine import legal as engine_legal
from engine import views
from engine.actions import Discard, Pass
from engine.cards import card_name, each_card
from engine.events import Discarded
from engine.game import Game, Mover
from engine.hand import Phase
from engine.melds import deadwood
from engine.players.easy import completes_meld
from engine.progress import apply
from service import answers, preconditions
from service.blueprints import calls, hands, knocks, moves, turns
from service.errors import Refusal
from service.use_cases import computer_seats, join_game, make_move, open_game
from service.use_cases.open_game import Opened
from tests.contract import plots
from tests.contract.plots import Plot


@dataclass(frozen=True)
class Leak:
    """A leak and a plot in which it shows; ``plot`` makes one from a number."""

    plant: Callable[[pytest.MonkeyPatch], None]
    plot: Callable[[int], Plot]


LEAKS: dict[str, Leak] = {}


def leak(plot: Callable[[int], Plot]) -> Callable[[Callable[[pytest.MonkeyPatch], None]], None]:
    """Return the decorator that enters a leak under its name."""

    def enter(plant: Callable[[pytest.MonkeyPatch], None]) -> None:
        LEAKS[plant.__name__] = Leak(plant, plot)

    return enter


def seat_0(number: int) -> Plot:
    return replace(plots.seat_looks_on(number, 0), commands=2, probed=_dealt)


def seat_1(number: int) -> Plot:
    return replace(plots.seat_looks_on(number, 1), commands=2, probed=_dealt)


def _dealt(game: Game) -> bool:
    return game.hand is not None


def asking(number: int) -> Plot:
    """Seat 0 asks about all 52 cards when it is to draw, and again when it is to throw."""
    return replace(plots.hidden_seat_draws(number, 5), sweeps=9)


def lay_off(number: int) -> Plot:
    return plots.lay_off(number, 0, 1)


def computer(number: int) -> Plot:
    return plots.computer_looks_on(number, 0)


def _hidden(game: Game, viewer: int | None) -> int:
    """Return the cards that another seat than ``viewer`` holds."""
    return 0 if game.hand is None else game.hand.holdings[1 - (viewer or 0)]


def _in_game(patch: pytest.MonkeyPatch, change: Callable[[dict[str, Any], Opened], None]) -> None:
    """Let ``change`` write into every view of a game in play."""
    original = answers.game

    def game(opened: Opened) -> dict[str, Any]:
        wire = original(opened)
        if opened.stored.game.hand is not None and not opened.stored.game.hand.over:
            change(wire, opened)
        return wire

    patch.setattr(answers, "game", game)


# --- the state


@leak(seat_0)
def cards_of_the_other_seat(patch):
    """Every seat's cards stand in every view."""
    original = views._seats

    def seats(game):
        holdings = game.hand.holdings if game.hand else (0, 0)
        return tuple(
            replace(seat, known_cards=held)
            for seat, held in zip(original(game), holdings, strict=True)
        )

    patch.setattr(views, "_seats", seats)


@leak(plots.spectator_looks_on)
def spectator_sees_a_seat(patch):
    """The way of the spectator is another one than the seats', and was forgotten."""
    original = open_game.opened_by

    def opened_by(token, stored):
        opened = original(token, stored)
        return replace(opened, viewer=0) if opened.seat is None else opened

    patch.setattr(open_game, "opened_by", opened_by)


@leak(seat_1)
def next_card_of_the_stock(patch):
    """The view says what will be drawn next."""
    _in_game(
        patch,
        lambda wire, opened: wire.update(next=card_name(opened.stored.game.hand.stock[0])),
    )


@leak(seat_0)
def dealt_cards_too_early(patch):
    """A hand shows what was dealt before it is over."""
    original = answers.seen_holdings
    patch.setattr(
        answers,
        "seen_holdings",
        lambda dealt, viewer, *, revealed: original(dealt, viewer, revealed=True),
    )


@leak(seat_0)
def order_of_the_deal(patch):
    """A hand shows one's own cards as they lay in the deck."""
    original = answers.hand

    def hand(of, opened):
        wire = original(of, opened)
        order = {card_name(card): place for place, card in enumerate(of.dealt.deck)}
        for held in wire["dealt"]:
            held["cards"].sort(key=order.__getitem__)
        return wire

    patch.setattr(answers, "hand", hand)


# --- what happened


@leak(plots.hidden_seat_draws)
def stock_card_in_the_others_draw(patch):
    """A draw shows its card to everybody."""
    original = answers.seen

    def seen(move, viewer, rules, *, revealed=False):
        return original(move, viewer, rules, revealed=True)

    patch.setattr(answers, "seen", seen)


@leak(plots.hidden_seat_draws)
def stock_card_in_the_last_move(patch):
    """The view's last move is not redacted, while the list of moves is."""
    original = views.seen

    def seen(move, viewer, rules, *, revealed=False):
        return original(move, viewer, rules, revealed=True)

    patch.setattr(views, "seen", seen)


@leak(lay_off)
def draws_open_in_the_lay_off(patch):
    """With a knock the hand counts as over: what was dealt and drawn is shown one move early."""
    original = answers.is_open

    def is_open(stored, number):
        hand = stored.game.hand
        return original(stored, number) or (hand is not None and hand.knock is not None)

    patch.setattr(answers, "is_open", is_open)


@leak(plots.hidden_seat_draws)
def place_of_a_card_in_the_hand(patch):
    """A discard says where among the seat's cards it lay."""
    original = answers.move

    def move(logged, opened, *, in_play=False):
        wire = original(logged, opened, in_play=in_play)
        hand, event = opened.stored.game.hand, logged.move.event
        if isinstance(event, Discarded):
            below = hand.holdings[event.seat] & (1 << event.card) - 1
            wire["slot"] = below.bit_count()
        return wire

    patch.setattr(answers, "move", move)


# --- refusals


@leak(asking)
def wording_of_a_refusal(patch):
    """A card that one does not hold is refused in other words if the other seat holds it."""
    original = calls._refusal

    def refusal(refused, opened):
        made = original(refused, opened)
        card = refused.params.get("card")
        if card is not None and _hidden(opened.stored.game, opened.viewer) >> card & 1:
            made.detail = "Somebody else holds it."
        return made

    patch.setattr(calls, "_refusal", refusal)


@leak(asking)
def status_of_a_refusal(patch):
    """To throw what the other seat holds is not a conflict but not found."""
    original = moves.act

    def act(house, opened, action, move_number):
        hidden = _hidden(opened.stored.game, opened.viewer)
        if isinstance(action, Discard) and hidden >> action.card & 1:
            raise Refusal("not_found")
        return original(house, opened, action, move_number)

    for door in (moves, turns, knocks):
        patch.setattr(door, "act", act)


@leak(plots.hidden_seat_draws)
def stale_answer_as_the_other_seat(patch):
    """A stale request is answered with the moves as their own seat sees them."""
    original = calls.answers.moves

    def since(logged, opened, *, in_play=False):
        return [
            answers.move(each, replace(opened, viewer=each.move.seat), in_play=in_play)
            if each.move.seat is not None
            else original([each], opened, in_play=in_play)[0]
            for each in logged
        ]

    patch.setattr(answers, "moves", since)


# --- one bit of it


@leak(seat_0)
def etag_over_the_whole_state(patch):
    """The ETag is a hash of everything."""

    def etag_of(opened):
        whole = hashlib.sha256(repr(opened.stored.game).encode()).hexdigest()[:8]
        return preconditions.etag(opened.stored.version, whole)

    patch.setattr(answers, "etag_of", etag_of)


@leak(seat_1)
def deadwood_of_the_other_seat(patch):
    """The view holds a number that was computed from the other seat's cards."""
    _in_game(
        patch,
        lambda wire, opened: wire["hand"].update(
            danger=deadwood(_hidden(opened.stored.game, opened.viewer))
        ),
    )


@leak(plots.hidden_seat_could_knock)
def whether_the_other_seat_could_knock(patch):
    """One bit: the other seat has little deadwood."""
    _in_game(
        patch,
        lambda wire, opened: wire.update(
            ai_pending=deadwood(_hidden(opened.stored.game, opened.viewer)) <= 10
        ),
    )


@leak(lambda number: plots.hidden_seat_draws(number, 5))
def order_of_a_list(patch):
    """The discards of equal deadwood stand in an order that depends on the other seat's cards."""
    original = engine_legal._discards

    def discards(rules, hand):
        made = original(rules, hand)
        other = hand.holdings[hand.other(hand.to_act)]
        ordered = sorted(made.discards, key=lambda one: completes_meld(other, one.card))
        return replace(made, discards=tuple(ordered))

    patch.setattr(engine_legal, "_discards", discards)


@leak(seat_1)
def length_of_an_answer(patch):
    """Nothing but the length of the answer differs."""
    _in_game(
        patch,
        lambda wire, opened: wire.update(pad="." * (opened.stored.game.hand.stock[-1] % 13)),
    )


@leak(lambda number: plots.hidden_seat_draws(number, 5))
def a_header(patch):
    """The answer to a deal or a move carries a header for debugging."""
    original = calls.answer_move

    def answer_move(opened, act):
        body, status, headers = original(opened, act)
        left = sum(each_card(_hidden(opened.stored.game, opened.viewer)))
        return body, status, {**headers, "X-Check": str(left)}

    for door in (moves, hands):
        patch.setattr(door, "answer_move", answer_move)


@leak(seat_0)
def a_line_in_the_log(patch):
    """The log, at its most talkative, tells the cards."""
    original = make_move.decided

    def decided(stored, decide):
        logging.getLogger("service").debug("%s", stored.game.hand and stored.game.hand.holdings)
        return original(stored, decide)

    patch.setattr(make_move, "decided", decided)


# --- what the server and its computers do


@leak(plots.upcard_is_offered)
def pass_made_for_a_seat(patch):
    """The server passes for a seat that the upcard does not help, to save it the request."""

    def with_passes(made, seats, thinking):
        game, all_moves = made.game, made.moves
        first = game.phase is Phase.FIRST_UPCARD and game.hand.to_act == game.hand.nondealer
        if first and not _helped(game.hand):
            passed = apply(game, game.hand.to_act, Pass(), Mover.SERVER)
            game, all_moves = passed.game, all_moves + passed.moves
        return computer_seats.with_replies(
            replace(made, game=game, moves=all_moves), seats, thinking
        )

    for place in (make_move, join_game):
        patch.setattr(place, "with_replies", with_passes)


def _helped(hand) -> bool:
    return completes_meld(hand.holdings[hand.to_act], hand.upcard)


@leak(computer)
def computer_that_peeks(patch):
    """A computer throws what is of least use to the other seat's true cards."""
    original = computer_seats._step

    def step(game, seats, seat):
        made = original(game, seats, seat)
        if not isinstance(made.moves[0].event, Discarded):
            return made
        other = _hidden(game, seat)
        options = views.view(game, seat).you.legal.discards
        best = min(options, key=lambda one: deadwood(other | 1 << one.card) - deadwood(other))
        return apply(game, seat, Discard(best.card), Mover.AI)

    patch.setattr(computer_seats, "_step", step)


@leak(computer)
def chance_drawn_from_the_deck(patch):
    """A computer's chance comes from the cards that are still to be drawn."""
    patch.setattr(computer_seats, "_chance", lambda game, seat: Random(repr(game.hand.stock)))
