"""The score of a game that is kept elsewhere."""

from typing import Final

from flask.typing import ResponseReturnValue

from engine.entries import scored_hands
from engine.kept_sheets import MOST_HANDS
from engine.settlement import settle_anew
from service.blueprints.entries import entry_of, rules_for
from service.incoming import read_body
from service.operations import Blueprint
from service.schemas import dump_scores
from service.schemas.batches import MOST_BATCH_BYTES
from service.schemas.entries import GAME_SCORE_REQUEST
from service.schemas.scores import GameScore

DEFAULT_SEATS: Final = 2
MOST_GAME_BYTES: Final = MOST_BATCH_BYTES
"""Room for the greatest number of hands, each of partners' two told card by card."""


def add_score_game(doors: Blueprint) -> None:
    """Add the operation that scores a whole game to ``doors``."""

    @doors.operation(
        "POST",
        "/v1/scoring/games",
        id="scoreGame",
        limit="scoring",
        says=(
            "Score a game.\nHands by points, by cards or counts, or (partners) two at once. The "
            "answer has running totals, boxes, bonuses, and the columns of Hollywood; hands after "
            "the end of the game come back with counted false. Nothing is kept. Up to "
            f"{MOST_HANDS} hands and 2 MiB, which is room for all of them with their cards, melds "
            "and lay-offs."
        ),
        answer=GameScore,
        body=GAME_SCORE_REQUEST,
        most_bytes=MOST_GAME_BYTES,
    )
    def score_game() -> ResponseReturnValue:
        body = read_body(GAME_SCORE_REQUEST)
        seats = body.get("seats", DEFAULT_SEATS)
        rules = rules_for(body.get("rules", {}), seats, "seats")
        entries = tuple(
            entry_of(hand, rules, seats, f"/hands/{index}")
            for index, hand in enumerate(body["hands"])
        )
        return dump_scores.score(settle_anew(rules, seats, scored_hands(entries)))
