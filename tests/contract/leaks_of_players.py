"""What the server and its computers may let out; entered in the list of all leaks."""

from dataclasses import replace
from random import Random

from engine import views
from engine.actions import Discard, Pass
from engine.events import Discarded
from engine.game import Mover
from engine.hand import Phase
from engine.melds import deadwood
from engine.players.easy import completes_meld
from engine.progress import apply
from service.use_cases import computer_seats, give_hint, make_move, sit_down
from tests.contract import plots
from tests.contract.leaks import computer, hidden_from, leak
from tests.contract.leaks_of_deals import LEAKS

__all__ = ["LEAKS"]


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

    for place in (make_move, sit_down):
        patch.setattr(place, "with_replies", with_passes)


def _helped(hand) -> bool:
    return completes_meld(hand.holdings[hand.to_act], hand.upcard)


@leak(computer)
def computer_that_peeks(patch):
    """A computer throws what is of least use to the other seat's true cards."""
    original = computer_seats._step

    def step(game, seat, choose):
        made = original(game, seat, choose)
        if not isinstance(made.moves[0].event, Discarded):
            return made
        other = hidden_from(game, seat)
        options = views.view(game, seat).you.legal.discards
        best = min(options, key=lambda one: deadwood(other | 1 << one.card) - deadwood(other))
        return apply(game, seat, Discard(best.card), Mover.AI)

    patch.setattr(computer_seats, "_step", step)


@leak(plots.hint_is_asked_for)
def hint_that_peeks(patch):
    """A hint counts the other seat's true cards as known."""

    def view(game, seat):
        shown = views.view(game, seat)
        holdings = game.hand.holdings
        seats = (replace(each, known_cards=holdings[each.seat]) for each in shown.seats)
        return replace(shown, seats=tuple(seats))

    patch.setattr(give_hint, "view", view)


@leak(computer)
def chance_drawn_from_the_deck(patch):
    """A computer's chance comes from the cards that are still to be drawn."""
    patch.setattr(computer_seats, "_chance", lambda game, seat: Random(repr(game.hand.stock)))
