"""What only a score keeper needs: the net of two hands played at once, and corrections.

A game that the engine deals never needs either; a score sheet written at a table does.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from engine.columns import ScoredHand


@dataclass(frozen=True, slots=True)
class TableResult:
    """What a hand came to at one of two tables: the team that won it, or None, and its points."""

    winner_team: int | None
    points: int


def net_of_tables(tables: Iterable[TableResult]) -> TableResult:
    """Return what two hands come to that the teams played at once (full s6, "Four").

    The team that won more points has the difference; equal points are nobody's.
    """
    net = 0
    for table in tables:
        if table.winner_team is not None:
            net += table.points if table.winner_team == 0 else -table.points
    if not net:
        return TableResult(None, 0)
    return TableResult(0 if net > 0 else 1, abs(net))


def correction_stands(
    *, next_hand_dealt: bool, confirmed_by: Collection[int], players: Collection[int]
) -> bool:
    """Return whether the correction of a score counts (full s5, "Score Disputes").

    Until the next hand is dealt the word of any one of ``players`` is enough; after that all of
    them have to confirm it. The last hand of a game has none after it, so it stays open.
    """
    confirmed = set(players) & set(confirmed_by)
    return confirmed == set(players) if next_hand_dealt else bool(confirmed)


def corrected(hands: tuple[ScoredHand, ...], right: ScoredHand) -> tuple[ScoredHand, ...]:
    """Return ``hands`` with ``right`` in the place of the hand of its number.

    :func:`engine.settlement.settle` then counts the whole game anew from the first hand: it may end
    earlier, or go on, and the columns of Hollywood move.

    :raises ValueError: if there is no hand of that number.
    """
    if right.hand_number not in {hand.hand_number for hand in hands}:
        raise ValueError(f"there is no hand {right.hand_number}")
    return tuple(right if hand.hand_number == right.hand_number else hand for hand in hands)


def struck(hands: tuple[ScoredHand, ...], hand_number: int) -> tuple[ScoredHand, ...]:
    """Return ``hands`` without the one of ``hand_number``; later ones move up a number."""
    return tuple(
        replace(hand, hand_number=hand.hand_number - 1) if hand.hand_number > hand_number else hand
        for hand in hands
        if hand.hand_number != hand_number
    )
