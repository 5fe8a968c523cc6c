"""What an advisor says: an action, and why."""

from dataclasses import dataclass
from typing import Final

from engine.actions import Action
from engine.cards import Cards

REASONS: Final[tuple[str, ...]] = (
    "only_choice",
    "completes_meld",
    "lowers_deadwood",
    "allows_knock",
    "allows_gin",
    "discard_does_not_help",
    "gin",
    "big_gin",
    "early_knock",
    "low_deadwood",
    "plays_for_gin",
    "risk_of_undercut",
    "high_card",
    "denies_opponent",
    "keeps_combinations",
)
"""The codes that say why; more may follow."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An action that is legal now, and the codes of why to do it.

    The chances, from 0 to 1, are those that the next card drawn from the stock lets the seat knock
    (or go gin), and go gin; ``helping_cards`` are those that would then lie in a meld and cost
    nothing. They are counted over the cards that the seat has not seen, each as likely as the
    others, and are None where no such draw follows from the action.

    ``value`` are the points that the seat may expect of the hand from here, those against it
    counted negative, if it does this and plays on well; of the options for one view the first has
    the greatest. ``danger``, from 0 to 1, is the chance that what is thrown helps the other side;
    None where nothing is thrown. Either is None where the advisor does not say.
    """

    action: Action
    reasons: tuple[str, ...] = ()
    knock_chance: float | None = None
    gin_chance: float | None = None
    helping_cards: Cards | None = None
    value: float | None = None
    danger: float | None = None
