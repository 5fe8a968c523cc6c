"""Let others watch a game, and play it once more when it is over."""

from flask.typing import ResponseReturnValue

from service import answers
from service.blueprints.calls import Answer, credential_of, open_for_caller, refusing
from service.blueprints.moves import may_move
from service.blueprints.once import answer_once
from service.incoming import read_body
from service.operations import SEAT, SEAT_OR_PORTAL, Blueprint
from service.portal_keys import GAMES_WRITE
from service.schemas.games import REMATCH_REQUEST, JoinedGame
from service.schemas.portals import SpectatorGrant
from service.use_cases.create_rematch import Rematch, create_rematch
from service.use_cases.do_once import write_keeping
from service.use_cases.house import House
from service.use_cases.open_game import playing_seat_of, seat_of


def add_to(doors: Blueprint, house: House) -> None:
    """Add the operations to those on games."""

    @doors.operation(
        "POST",
        "/v1/games/<game:game_id>/spectator-tokens",
        id="createSpectatorToken",
        says=(
            "Let somebody watch.\nA token that shows what everybody may see, and nothing more. A "
            "portal's key needs the scope `games:write`. With an `Idempotency-Key` it is answered "
            "the same again."
        ),
        answer=SpectatorGrant,
        who=SEAT_OR_PORTAL,
        codes=["spectator_read_only"],
        created=True,
        located=False,
        keyed=True,
        limit="creates",
    )
    def create_spectator_token(game_id: str) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id, GAMES_WRITE)
        with refusing(opened):
            if opened.portal is None:
                seat_of(opened)
            token = house.tokens.spectator(game_id)
            return answer_once(
                house,
                (),
                lambda keep: write_keeping(house, lambda _: token, keep) if keep else token,
                lambda token: ({"token": token}, 201, {}),
                credential=credential_of(opened),
                about=lambda _: game_id,
            )

    @doors.operation(
        "POST",
        "/v1/games/<game:game_id>/rematches",
        id="createRematch",
        says=(
            "Play once more.\nThe first who asks makes a new game of the same people, rules and "
            "seats: 201. The others ask as well and get the same game, each with its own token: "
            "200. The first hand is dealt when everybody is there. With an `Idempotency-Key` it is "
            "answered the same again."
        ),
        answer=JoinedGame,
        body=REMATCH_REQUEST,
        body_needed=False,
        who=SEAT,
        codes=[
            "nonce_commit_reused",
            "spectator_read_only",
            "not_your_seat",
            "game_not_started",
            "game_in_progress",
            "game_over",
            "already_joined",
            "outcome_unknown",
        ],
        created=True,
        replayable=True,
        keyed=True,
        limit="creates",
    )
    def rematch(game_id: str) -> ResponseReturnValue:
        opened = may_move(house, game_id)
        with refusing(opened):
            seat = playing_seat_of(opened)
        commit = read_body(REMATCH_REQUEST, needed=False).get("nonce_commit")
        with refusing(opened):
            return answer_once(
                house,
                () if commit is None else (commit,),
                lambda keep: create_rematch(house, opened.stored, seat, commit, keep),
                _answer_rematch,
                credential=credential_of(opened),
                about=lambda made: made.stored.game.setup.id,
            )


def _answer_rematch(made: Rematch) -> Answer:
    location = {"Location": f"/v1/games/{made.stored.game.setup.id}"}
    return answers.joined(made), 201 if made.made else 200, location if made.made else {}
