"""Whether a lay-out of a seat's own cards is valid, what it leaves, and whether it may knock.

Nothing is laid out by asking (full s6: a player may ask before committing), and the answer tells
no more than the asking seat knows.
"""

from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import or_

from engine.actions import Knock, KnockKind
from engine.cards import DECK, POINTS, Card, Cards, cards_of, each_card, points
from engine.decisions import throw_refusal
from engine.errors import BadInput, IllegalAction, NotARun, NotASet, RunWrapsAce
from engine.game import Game
from engine.hand import HAND_SIZE, Phase
from engine.knocks import knock_kind, lay_out, lay_out_big_gin
from engine.melds import MeldKind, parse_meld
from engine.progress import decide
from engine.rules import Rules


@dataclass(frozen=True, slots=True)
class ProposedMeld:
    """Cards that are meant to be a meld, and of which kind."""

    kind: MeldKind
    cards: Cards


@dataclass(frozen=True, slots=True)
class MeldIssue:
    """What is wrong with a meld, by its index: the code of the error, and the card that it is."""

    meld: int
    code: str
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class MeldCheck:
    """What a lay-out is worth.

    ``deadwood`` is that of the cards kept after the best discard, None where there are issues.
    ``can_knock`` says that the seat may knock now with this lay-out and that discard, None where
    its cards were not told.
    """

    issues: tuple[MeldIssue, ...]
    deadwood: int | None
    can_knock: bool | None


def check_melds(game: Game, seat: int, melds: tuple[ProposedMeld, ...]) -> MeldCheck:
    """Return what ``melds`` of the cards of ``seat`` are worth now."""
    held = 0 if game.hand is None else game.hand.holdings[seat]
    issues = _issues(melds, held)
    if issues:
        return MeldCheck(issues, None, False)
    sets = tuple(meld.cards for meld in melds)
    unmatched = held & ~reduce(or_, sets, 0)
    thrown = _best_discards(game, seat, unmatched)
    deadwood = points(unmatched & ~cards_of(thrown))
    return MeldCheck((), deadwood, _may_knock(game, seat, sets, thrown[-1] if thrown else None))


def check_lay_out(
    melds: tuple[ProposedMeld, ...], cards: Cards, rules: Rules, limit: int
) -> MeldCheck:
    """Return what ``melds`` of ``cards`` are worth that somebody holds elsewhere.

    Who holds more than ten is to throw a card: the dearest that no meld needs.
    """
    issues = _issues(melds, cards)
    if issues:
        return MeldCheck(issues, None, False)
    sets = tuple(meld.cards for meld in melds)
    unmatched = cards & ~reduce(or_, sets, 0)
    kept, left, big_gin = cards, points(unmatched), False
    if cards.bit_count() > HAND_SIZE:
        big_gin = not unmatched
        if unmatched:
            thrown = max(each_card(unmatched), key=POINTS.__getitem__)
            kept, left = cards ^ 1 << thrown, left - POINTS[thrown]
    return MeldCheck((), left, _would_knock(kept, sets, rules, limit, big_gin=big_gin))


def check_shapes(melds: tuple[ProposedMeld, ...]) -> MeldCheck:
    """Return whether ``melds`` are valid together, whatever cards they are made of."""
    return MeldCheck(_issues(melds, DECK), None, None)


def _would_knock(
    kept: Cards, melds: tuple[Cards, ...], rules: Rules, limit: int, *, big_gin: bool
) -> bool:
    """Return whether ``melds`` of all the cards that are ``kept`` may be laid out as a knock."""
    count = kept.bit_count() - big_gin
    grows = rules.multi_pickup and rules.multi_pickup_return == "grow"
    if count != HAND_SIZE and not (grows and count > HAND_SIZE):
        return False
    try:
        if big_gin:
            lay_out_big_gin(rules, kept, melds)
        else:
            knock_kind(KnockKind.KNOCK, lay_out(rules, kept, melds).deadwood, limit)
    except IllegalAction:
        return False
    return True


def meld_error(meld: ProposedMeld) -> BadInput | None:
    """Return what keeps ``meld`` from being a meld of its kind, or None."""
    wrong = NotASet() if meld.kind is MeldKind.SET else NotARun()
    try:
        return None if parse_meld(meld.cards).kind is meld.kind else wrong
    except RunWrapsAce as error:
        return error if meld.kind is MeldKind.RUN else wrong
    except BadInput:
        return wrong


def _issues(melds: tuple[ProposedMeld, ...], held: Cards) -> tuple[MeldIssue, ...]:
    issues = (*_shape_issues(melds), *_shared_issues(melds), *_foreign_issues(melds, held))
    return tuple(sorted(issues, key=lambda issue: issue.meld))


def _shape_issues(melds: tuple[ProposedMeld, ...]) -> list[MeldIssue]:
    errors = ((index, meld_error(meld)) for index, meld in enumerate(melds))
    return [MeldIssue(index, error.code) for index, error in errors if error is not None]


def _shared_issues(melds: tuple[ProposedMeld, ...]) -> list[MeldIssue]:
    return [
        MeldIssue(later, "card_in_two_melds", card)
        for (_, one), (later, other) in combinations(enumerate(melds), 2)
        for card in each_card(one.cards & other.cards)
    ]


def _foreign_issues(melds: tuple[ProposedMeld, ...], held: Cards) -> list[MeldIssue]:
    return [
        MeldIssue(index, "card_not_in_hand", card)
        for index, meld in enumerate(melds)
        for card in each_card(meld.cards & ~held)
    ]


def _best_discards(game: Game, seat: int, unmatched: Cards) -> list[Card]:
    """Return the cards that ``seat`` would throw: as many as it owes, those of the most points."""
    hand = game.hand
    if hand is None or hand.phase is not Phase.DISCARD or hand.to_act != seat:
        return []
    may_go = [card for card in each_card(unmatched) if not throw_refusal(hand, game.rules, card)]
    return sorted(may_go, key=POINTS.__getitem__, reverse=True)[: hand.discards_owed]


def _may_knock(game: Game, seat: int, melds: tuple[Cards, ...], thrown: Card | None) -> bool:
    """Return whether ``seat`` may knock so; without a card to throw it would be big gin."""
    kind = KnockKind.BIG_GIN if thrown is None else KnockKind.KNOCK
    try:
        decide(game, seat, Knock(kind, thrown, melds))
    except IllegalAction:
        return False
    return True
