"""Find what a defender can lay off on melds that lie on a table elsewhere."""

from engine.cards import Cards
from engine.lay_off_search import LayOffSearch, search_lay_offs
from engine.layoffs import LayOff
from engine.melds import parse_meld
from engine.rules import Rules


def find_lay_offs(
    knocker_melds: tuple[Cards, ...],
    cards: Cards,
    rules: Rules,
    melds: tuple[Cards, ...] | None = None,
    lay_offs: tuple[LayOff, ...] | None = None,
) -> LayOffSearch:
    """Return what a defender with ``cards`` can lay off on ``knocker_melds``, valid melds.

    :raises Mistold: as :func:`engine.lay_off_search.search_lay_offs`.
    """
    targets = tuple(map(parse_meld, knocker_melds))
    return search_lay_offs(targets, cards, rules, lay_offs=lay_offs, own_melds=melds)
