"""The score of a game is what somebody else counts, who starts anew from its hands each time.

``GIN_SWEEP_SETTLEMENTS`` games under any options, between two, three and partners, some given up.
"""

import os
from collections import Counter
from dataclasses import asdict, replace
from random import Random

from engine.columns import ScoredHand
from engine.rules import STANDARD
from engine.score_sheet import corrected
from engine.scoring import HandOutcome
from engine.seating import first_pairing, next_pairing, team_of
from engine.settlement import is_decided, settle
from service.schemas import dump_scores
from tests.recount import Line, as_counted, recount

GAMES = int(os.environ.get("GIN_SWEEP_SETTLEMENTS", "300"))

OPTIONS = {
    "target": (10, 50, 100, 150),
    "win_by": (0, 0, 1, 10, 100),
    "game_bonus": (0, 100, 1000),
    "shutout_bonus": (0, 100),
    "shutout_mode": ("add", "double"),
    "box_bonus": (0, 10, 25),
    "box_timing": ("end", "immediate"),
    "hollywood": (False, True),
    "three_player": ("rotate", "loser_out"),
}


def random_rules(rng, seats):
    chosen = {name: rng.choice(values) for name, values in OPTIONS.items()}
    chosen["hollywood"] &= seats != 3
    return replace(STANDARD, four_player="partnership", **chosen)


def random_hands(rng, rules, seats):
    """Hands of the seats whose turn it is, as a rule some more than the game has."""
    pairing, hands = first_pairing(seats, rng.randrange(seats)), []
    favourite = rng.choice([None, *range(seats)])  # so that some are shut out
    for number in range(1, rng.randrange(2, 40)):
        winner = rng.choice((pairing.dealer, pairing.nondealer, None))
        if favourite in (pairing.dealer, pairing.nondealer) and rng.random() < 0.8:
            winner = favourite
        points = 0 if winner is None else rng.choice((0, rng.randrange(1, 90)))
        team = None if winner is None else team_of(seats, winner)
        outcome = HandOutcome.DRAWN if winner is None else HandOutcome.KNOCK
        hands.append(ScoredHand(number, outcome, winner, winner, points, team))
        pairing = next_pairing(rules, seats, pairing, winner)
    return tuple(hands)


def counted_again(rules, seats, hands, given_to):
    lines = [Line(hand.outcome.value, hand.winner, hand.points) for hand in hands]
    return recount(asdict(rules), seats, lines, given_to)


class TestASettlement:
    def test_is_what_somebody_else_counts(self):
        kinds = Counter()
        for seed in range(GAMES):
            rng = Random(seed)
            seats = rng.choice((2, 2, 3, 4))
            rules = random_rules(rng, seats)
            hands = random_hands(rng, rules, seats)
            if hands and rng.random() < 0.3:
                right = rng.choice(hands)
                if right.winner is not None:
                    right = replace(right, points=rng.randrange(90))
                hands = corrected(hands, right)
            given_to = rng.choice((None, None, rng.randrange(seats)))
            score = settle(rules, seats, hands, given_to)
            expected = counted_again(rules, seats, hands, given_to)
            assert as_counted(dump_scores.score(score)) == expected, (seed, rules, hands, given_to)
            assert is_decided(rules, seats, hands) == settle(rules, seats, hands).complete
            lines = {line.code for column in score.columns for line in column.lines}
            kinds.update((seats, rules.hollywood, what) for what in lines | {score.complete})
            kinds.update("uncounted" for hand in score.hands if not hand.counted)
        wanted = {
            (seats, hollywood, what)
            for seats, hollywood in ((2, False), (2, True), (3, False), (4, False), (4, True))
            for what in ("box_bonus", "game_bonus", "shutout_bonus", True, False)
        }
        assert kinds.keys() >= wanted | {"uncounted"}
