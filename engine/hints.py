"""The count of hints: for how many moves a seat was advised, or played for."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HintsUsed:
    """For how many moves a seat got a hint or was played for, and the number of the last one."""

    seat: int
    count: int
    for_move: int


def counted(used: tuple[HintsUsed, ...], seat: int, for_move: int) -> tuple[HintsUsed, ...]:
    """Return ``used``, by seat, with one more of ``seat``; twice for one move counts once."""
    by_seat = {each.seat: each for each in used}
    before = by_seat.get(seat, HintsUsed(seat, 0, 0))
    if before.for_move == for_move:
        return used
    by_seat[seat] = HintsUsed(seat, before.count + 1, for_move)
    return tuple(by_seat[each] for each in sorted(by_seat))
