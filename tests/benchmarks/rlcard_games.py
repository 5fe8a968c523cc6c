"""Games in our engine between a player of ours and RLCard's own gin rummy agent, the novice.

RLCard's engine is not used: it knows no upcard offered, no lay-off and no undercut, and scores no
game. The agent is asked what it would do with its cards among RLCard's actions, of those that ours
allows: it gins and knocks as soon as it can, throws a card that leaves the least deadwood, and
draws from either pile by chance. What it has no action for is done for it: at the upcard its
drawing from the stock is a pass, and its lay-offs are the best ones.
"""

from collections import OrderedDict
from random import Random

import numpy as np
from rlcard.games.gin_rummy.utils import action_event as actions
from rlcard.models.gin_rummy_rule_models import GinRummyNoviceRuleAgent

from engine.actions import Action, Discard, Draw, DrawSource, Knock, KnockKind, LayOffs, Pass
from engine.cards import each_card
from engine.matches import Choose, Clock, Match, PlayedGame
from engine.matches import play_deal as play_ours
from engine.rules import STANDARD
from engine.views import GameView

DRAWS = {
    DrawSource.STOCK: actions.draw_card_action_id,
    DrawSource.DISCARD_PILE: actions.pick_up_discard_action_id,
}


def play_deal(choose: Choose, seed: int, number: int, clock: Clock) -> tuple[PlayedGame, ...]:
    """Return two games on the same decks: in the second one the seats are exchanged."""
    return play_ours(Match(STANDARD, 2, seed), [choose, novice], number, clock)


def novice(view: GameView, rng: Random) -> Action:
    """Return what RLCard's agent does."""
    offered = _offered(view)
    if not offered:
        return LayOffs()
    np.random.seed(rng.randrange(1 << 32))
    return offered[int(GinRummyNoviceRuleAgent.step(_state(view, offered)))]


def _offered(view: GameView) -> dict[int, Action]:
    """Return what may be done, by RLCard's numbers; cards have the same ones but for the suits."""
    legal = view.you.legal
    offered: dict[int, Action] = {
        DRAWS[draw.source]: Draw(draw.source) for draw in legal.draws if not draw.cards
    }
    if offered and "pass" in legal.actions:
        offered[actions.draw_card_action_id] = Pass()
    gins = [knock for knock in legal.knocks if knock.kind is KnockKind.GIN]
    if gins:
        return {actions.gin_action_id: Knock(KnockKind.GIN, gins[0].discard)}
    for each in legal.discards:
        offered[actions.discard_action_id + each.card] = Discard(each.card)
    for knock in legal.knocks:
        if knock.discard is not None:
            offered[actions.knock_action_id + knock.discard] = Knock(knock.kind, knock.discard)
    return offered


def _state(view: GameView, offered: dict[int, Action]) -> dict[str, object]:
    """Return all that the agent looks at: its cards, and what it may do."""
    held = np.zeros(52, dtype=int)
    held[list(each_card(view.you.cards))] = 1
    return {"obs": [held], "legal_actions": OrderedDict.fromkeys(offered)}
