"""What one write adds to the public counts of the fair deal.

Hands of a sandbox are not counted: their decks were given.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.dealing import commitment
from engine.events import Claimed, Dealt, HandVoided, Resigned
from engine.game import Game, Move


@dataclass(frozen=True, slots=True)
class FairCounts:
    """How many hands were dealt, in how many a seat had a share, and what became of the seeds.

    ``seeds_revealed`` are those that anybody at the table can have since; ``seeds_due`` those whose
    time has come and that are not what was committed to, which must never be. ``nonces_withheld``
    counts games lost by not opening a nonce.
    """

    hands_dealt: int = 0
    hands_with_contributor: int = 0
    seeds_revealed: int = 0
    seeds_due: int = 0
    hands_void: int = 0
    nonces_withheld: int = 0


NOTHING = FairCounts()


def open_hands(game: Game) -> int:
    """Return how many hands of ``game`` may be proven, those from the first on.

    That are all that are over; with ``reveal: game`` all once the game is (rules.md row 53).
    """
    hand = game.hand
    if hand is None:
        return 0
    if game.rules.reveal == "game":
        return hand.number if game.over else 0
    return hand.number if hand.over else hand.number - 1


def added(before: Game | None, game: Game, moves: Iterable[Move]) -> FairCounts:
    """Return what ``moves`` from ``before``, None for a new game, to ``game`` add to the counts."""
    if game.setup.decks or (before is not None and _goes_on(before, game)):
        return NOTHING
    facts = [move.event for move in moves]
    dealt = [fact for fact in facts if isinstance(fact, Dealt)]
    opened = open_hands(game) - (0 if before is None else open_hands(before))
    due = int(opened > 0 and not _sound(game))
    return FairCounts(
        hands_dealt=len(dealt),
        hands_with_contributor=sum(map(_has_contributor, dealt)),
        seeds_revealed=opened - due,
        seeds_due=due,
        hands_void=sum(1 for fact in facts if isinstance(fact, HandVoided)),
        nonces_withheld=sum(_withheld(before, fact) for fact in facts),
    )


def _has_contributor(deal: Dealt) -> bool:
    """Whether a seat had a share in the shuffle: the nonce of one that sits out goes unused."""
    return any(nonce.seat in (deal.dealer, deal.nondealer) for nonce in deal.nonces)


def _goes_on(before: Game, game: Game) -> bool:
    """Whether the same hand is played as before: most moves neither deal nor end one."""
    one, other = before.hand, game.hand
    if one is None or other is None or one.over or other.over:
        return False
    return one.number == other.number and not game.over


def _sound(game: Game) -> bool:
    """Whether the seed of the last hand is the one that was committed to."""
    hand = game.hand
    assert hand is not None, "what is over was dealt"
    return commitment(game.setup, hand.number) == hand.server_commit


def _withheld(before: Game | None, fact: object) -> int:
    """Count a game that a seat lost, or gave up, while its nonce was waited for."""
    if before is None:
        return 0
    waited_for = before.cutting_seats
    if isinstance(fact, Claimed):
        return int(fact.late in waited_for)
    return int(isinstance(fact, Resigned) and fact.seat in waited_for)
