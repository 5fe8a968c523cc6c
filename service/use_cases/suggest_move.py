"""Say what to do in a position of a hand that is played elsewhere."""

from dataclasses import replace

from engine.hand import Phase
from engine.players.levels import ADVISORS, BEST_ADVISOR
from engine.position_views import position_view
from engine.positions import Position
from service.use_cases.give_hint import Hint
from service.use_cases.refusals import Refused


def suggest_move(position: Position, move_number: int = 1, level: str | None = None) -> Hint:
    """Return what to do in ``position`` as a hint for ``move_number``; nothing is kept or counted.

    A lay-off is not valued where the knocker's deadwood is not known.

    :raises Refused: ``unknown_level``.
    :raises Mistold: if there is no such position.
    """
    name = BEST_ADVISOR if level is None else level
    if name not in ADVISORS:
        raise Refused("unknown_level", pointer="/level")
    found = ADVISORS[name](position_view(position, move_number))
    if position.phase is Phase.LAY_OFF and position.knocker_unmatched is None:
        found = tuple(replace(each, value=None) for each in found)
    return Hint(move_number, name, found)
