"""The plain advisor: the tips that players give one another, and what can be counted.

It takes a discard only for a meld or to save real points, knocks early and later only with little,
waits for gin where many cards would make it, and throws what leaves the least deadwood now and
after the next draw, of that the high cards, and rather what is of no use to the other seat.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.actions import Action, Discard, Draw, DrawSource, Knock, KnockKind, LayOffs, Pass
from engine.cards import POINTS, Card, Cards, cards_of
from engine.hand import Phase
from engine.legal import DiscardOption, DrawOption, KnockOption
from engine.melds import deadwood
from engine.players.digging import left_after
from engine.players.outlook import (
    Outlook,
    known_to_be_theirs,
    outlooks,
    unseen,
    use_to_them,
)
from engine.players.suggestions import Suggestion
from engine.views import GameView

REAL_POINTS: Final = 4
"""So much deadwood a discard has to save that makes no meld."""

EARLY_TURNS: Final = 10
"""So many turns, those of both seats counted, a knock with anything is an early one."""

LATE_DEADWOOD: Final = 5
"""With more than that a late knock risks an undercut."""

CHANCE_OF_GIN: Final = 0.2
"""With at least this chance of gin at the next draw it is better to wait for it than to knock."""

PATIENT_TURNS: Final = 12
"""So many turns, those of both seats counted, one may wait for gin."""

HIGH_CARD: Final = 10
"""Points of a card that had better go early."""

NOW_WEIGHT: Final = 0.5
"""What a point of deadwood counts that is left now, beside one after the next draw."""

USE_WEIGHT: Final = 0.15
"""What a meld counts that the discard may make for the other seat (see ``use_to_them``)."""


def advise(view: GameView) -> tuple[Suggestion, ...]:
    """Return what the seat of ``view`` may do, best first; nothing where it is not to play.

    It is a function of the view alone: the same view, the same advice.
    """
    legal = view.you.legal
    if "lay_off" in legal.actions:
        best = legal.lay_offs.best
        if best is None:
            return (Suggestion(LayOffs(), ("lowers_deadwood",)),)
        own = tuple(meld.cards for meld in best.melds)
        reasons = ("lowers_deadwood",) if best.lay_offs else ("only_choice",)
        return (Suggestion(LayOffs(best.lay_offs, own), reasons),)
    if legal.draws:
        return _before_the_draw(view)
    if legal.discards or legal.knocks or "pass" in legal.actions:
        return _after_the_draw(view)
    return ()


# --- before the draw


def _before_the_draw(view: GameView) -> tuple[Suggestion, ...]:
    """Return the draws, those from the pile first that help, and passing where it is allowed."""
    legal = view.you.legal
    ranked = sorted(
        (_taken(view, draw) for draw in legal.draws if draw.card is not None),
        key=lambda taken: taken[0],
    )
    taking = [suggestion for _, suggestion in ranked if suggestion.reasons]
    leaving = [suggestion for _, suggestion in ranked if not suggestion.reasons]
    instead: list[Suggestion] = []
    at_wall = "pass" in legal.actions and view.phase is Phase.DRAW
    if any(draw.source is DrawSource.STOCK for draw in legal.draws):
        instead.append(_blind(view, Draw(DrawSource.STOCK), others=bool(ranked)))
    if at_wall:
        instead.append(Suggestion(Pass(), ("discard_does_not_help",)))
    elif "pass" in legal.actions:
        instead.append(_blind(view, Pass(), others=True))
    return (*taking, *instead, *leaving)


def _blind(view: GameView, action: Action, *, others: bool) -> Suggestion:
    """Suggest to leave the pile alone."""
    (ahead,) = outlooks(view, [view.you.cards])
    return _with(ahead, action, ("discard_does_not_help" if others else "only_choice",))


def _taken(view: GameView, draw: DrawOption) -> tuple[int, Suggestion]:
    """Return the deadwood that a draw from the pile leads to, and the draw with what it is for."""
    hand, cards = view.hand, view.you.cards
    assert hand is not None, "a draw belongs to a hand"
    assert draw.card is not None, "the pile is open"
    more = draw.cards or (draw.card,)
    owed = len(more) if view.rules.multi_pickup_return == "discard_down" else 1
    left = left_after(view, draw)
    now = deadwood(cards)
    reasons: list[str] = []
    if left == 0:
        reasons.append("allows_gin")
    elif left <= hand.knock_limit and _is_good_knock(view, left, 1):
        reasons.append("allows_knock")
    if "pass" not in view.you.legal.actions or view.phase is Phase.FIRST_UPCARD:
        if left < now and _melds(cards, more, draw.card, owed):
            reasons.append("completes_meld")
        if left <= now - REAL_POINTS:
            reasons.append("lowers_deadwood")
    return left, Suggestion(Draw(draw.source, draw.card if draw.cards else None), tuple(reasons))


def _melds(cards: Cards, more: tuple[Card, ...], named: Card, owed: int) -> bool:
    """Return whether what has to be kept of the cards taken lies in melds, without a loss."""
    kept = more if owed < len(more) else (named,)
    return deadwood(cards | cards_of(kept)) <= deadwood(cards)


# --- after the draw


def _after_the_draw(view: GameView) -> tuple[Suggestion, ...]:
    legal = view.you.legal
    at_wall = "risk_of_undercut" if legal.knocks else "only_choice"
    playing_on = _discards(view) or [Suggestion(Pass(), (at_wall,))]
    if not legal.knocks:
        return tuple(playing_on)
    knock = min(legal.knocks, key=lambda option: (option.deadwood, -_bonus(view, option)))
    reason = _reason_to_knock(view, knock, playing_on[0])
    knocking = Suggestion(_knock(knock), () if reason is None else (reason,))
    if reason is not None:
        return (knocking, *playing_on)
    if isinstance(playing_on[0].action, Discard):
        waits = "plays_for_gin" if _waits_for_gin(view, playing_on[0]) else "risk_of_undercut"
        playing_on[0] = replace(playing_on[0], reasons=(waits, *playing_on[0].reasons))
    return (*playing_on, knocking)


def _knock(option: KnockOption) -> Knock:
    melds = None if option.melds is None else tuple(meld.cards for meld in option.melds)
    return Knock(option.kind, option.discard, melds)


def _bonus(view: GameView, option: KnockOption) -> int:
    big = option.kind is KnockKind.BIG_GIN
    return view.rules.big_gin_bonus if big else view.rules.gin_bonus


def _reason_to_knock(view: GameView, knock: KnockOption, instead: Suggestion) -> str | None:
    """Return why to knock now, or None where it is better to play on."""
    if knock.kind is not KnockKind.KNOCK:
        return knock.kind.value
    if _waits_for_gin(view, instead):
        return None
    if not _is_good_knock(view, knock.deadwood):
        return None
    assert view.hand is not None
    return "low_deadwood" if knock.deadwood <= LATE_DEADWOOD else "early_knock"


def _is_good_knock(view: GameView, left: int, turns: int = 0) -> bool:
    """Return whether a knock with so much deadwood is no great risk, in so many turns."""
    assert view.hand is not None
    return left <= LATE_DEADWOOD or view.hand.turn + turns <= EARLY_TURNS


def _waits_for_gin(view: GameView, instead: Suggestion) -> bool:
    assert view.hand is not None
    chance = instead.gin_chance
    return chance is not None and chance >= CHANCE_OF_GIN and view.hand.turn <= PATIENT_TURNS


def _discards(view: GameView) -> list[Suggestion]:
    """Return the discards, best first."""
    options = view.you.legal.discards
    if not options:
        return []
    known, live = known_to_be_theirs(view), unseen(view)
    choices = [
        _Choice(option, ahead, use_to_them(option.card, known, live))
        for option, ahead in zip(options, _ahead_of(view, options), strict=True)
    ]
    choices.sort(key=lambda each: (each.cost, -POINTS[each.option.card], each.option.card))
    return [
        _with(each.ahead, Discard(each.option.card), tuple(_reasons_to_throw(each, choices)))
        for each in choices
    ]


@dataclass(frozen=True, slots=True)
class _Choice:
    """A discard, what comes next if another draw does, and its use to the other seat."""

    option: DiscardOption
    ahead: Outlook | None
    use: int

    @property
    def mean(self) -> float:
        """The least deadwood after the next draw, in the mean; now where none follows."""
        return self.option.deadwood if self.ahead is None else self.ahead.mean_deadwood

    @property
    def cost(self) -> float:
        """What is to be least, in points."""
        return self.mean + NOW_WEIGHT * self.option.deadwood + USE_WEIGHT * self.use


def _ahead_of(view: GameView, options: Sequence[DiscardOption]) -> Sequence[Outlook | None]:
    hand = view.hand
    assert hand is not None, "a discard belongs to a hand"
    rules = view.rules
    runs_out = rules.recycle == "never" and hand.stock_count <= rules.stock_end
    if runs_out or hand.turn >= rules.max_turns or view.you.legal.discard_count > 1:
        return [None] * len(options)
    return outlooks(view, [view.you.cards ^ 1 << option.card for option in options])


def _reasons_to_throw(this: _Choice, choices: Sequence[_Choice]) -> Iterator[str]:
    if this.option.deadwood == min(each.option.deadwood for each in choices):
        yield "lowers_deadwood"
    if this.ahead is not None and this.mean == min(each.mean for each in choices):
        yield "keeps_combinations"
    if POINTS[this.option.card] >= HIGH_CARD:
        yield "high_card"
    uses = {each.use for each in choices}
    if len(uses) > 1 and this.use == min(uses):
        yield "denies_opponent"


def _with(ahead: Outlook | None, action: Action, reasons: tuple[str, ...]) -> Suggestion:
    if ahead is None:
        return Suggestion(action, reasons)
    return Suggestion(action, reasons, ahead.knock_chance, ahead.gin_chance, ahead.helping_cards)
