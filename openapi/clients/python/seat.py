"""A seat of a game: sit down, follow, and do what is due."""

import uuid
from dataclasses import dataclass
from typing import cast

import httpx

from choose import choose
from gin_rummy_client import AuthenticatedClient, Client
from gin_rummy_client.api.ai import play_ai_move
from gin_rummy_client.api.fairness import get_hand_proof
from gin_rummy_client.api.games import create_game, get_invitation, join_game
from gin_rummy_client.api.hands import cut_deck, deal_hand
from gin_rummy_client.api.moves import make_move
from gin_rummy_client.api.updates import get_updates
from gin_rummy_client.models import (
    AiMoveRequest,
    CreatedGame,
    DealRequest,
    Game,
    GameRequest,
    JoinedGame,
    JoinRequest,
    RulesRequest,
    SeatKind,
    SeatRequest,
    Update,
)
from gin_rummy_client.types import Unset
from problem import Refused, told
from send_again import SendAgain
from witness import Witness

LONGEST_WAIT_SECONDS = 25
TIMEOUT = httpx.Timeout(LONGEST_WAIT_SECONDS + 15)


@dataclass(frozen=True)
class Seat:
    """Who sits where, and the client that has its token."""

    client: AuthenticatedClient
    game_id: str
    number: int
    witness: Witness

    def wait(self, game: Game) -> Update:
        """Wait until there is something newer than a view, or for nothing."""
        return told(
            get_updates.sync(
                self.game_id, client=self.client, after=game.version, wait=LONGEST_WAIT_SECONDS
            )
        )

    def act(self, game: Game) -> Update | None:
        """Do what is due; return what came of it, or None if nothing is due."""
        try:
            return self._act(game)
        except Refused as refused:
            return _true_state(refused)

    def _act(self, game: Game) -> Update | None:
        coming, actions = game.next_hand, game.you.legal.actions
        if coming and "cut" in actions:
            cut = self.witness.cut(coming)
            return told(cut_deck.sync(self.game_id, coming.number, client=self.client, body=cut))
        if coming and "deal" in actions:
            deal = DealRequest(coming.number)
            return told(deal_hand.sync(self.game_id, client=self.client, body=deal))
        if move := choose(game):
            return told(make_move.sync(self.game_id, client=self.client, body=move))
        if game.ai_pending:
            go_on = AiMoveRequest(seat=game.to_act_seats[0], move_number=game.next_move)
            return told(play_ai_move.sync(self.game_id, client=self.client, body=go_on))
        return None

    def check_deal(self, hand_number: int) -> None:
        """Check the deal of a hand that is over; raises UnfairDealError."""
        proof = told(get_hand_proof.sync(self.game_id, hand_number, client=self.client))
        self.witness.check(proof, self.number)


def _true_state(refused: Refused) -> Update:
    """Somebody was quicker, or another client of this seat: what is true comes with the refusal."""
    game, moves = refused.problem.game, refused.problem.moves
    if refused.problem.code != "stale_move" or isinstance(game, Unset):
        raise refused
    return Update(moves=moves or [], game=game, replayed=False, reset=False)


def _once() -> str:
    """Return a key that is the same each time the request is sent, since it is part of it."""
    return str(uuid.uuid4())


def create(api: str, name: str, other: SeatRequest) -> tuple[Seat, CreatedGame]:
    """Make a short game against a computer, or one that somebody can join."""
    witness = Witness()
    me = SeatRequest(SeatKind.HUMAN, name=name, nonce_commit=witness.commit())
    body = GameRequest(rules=RulesRequest(base="short"), seats=[me, other])
    with _anybody(api) as client:
        made = told(create_game.sync(client=client, body=body, idempotency_key=_once()))
    [grant] = made.tokens
    return Seat(_with_token(api, grant.token), made.game.id, grant.seat, witness), made


def join(api: str, name: str, join_code: str) -> tuple[Seat, JoinedGame]:
    """Sit down at the game of a join code."""
    witness = Witness()
    body = JoinRequest(join_code=join_code, name=name, nonce_commit=witness.commit())
    with _anybody(api) as client:
        game_id = told(get_invitation.sync(join_code, client=client)).game_id
        joined = told(join_game.sync(game_id, client=client, body=body, idempotency_key=_once()))
    return Seat(_with_token(api, joined.token), game_id, joined.seat, witness), joined


def _anybody(api: str) -> AuthenticatedClient:
    """Return a client without a token.

    The generator has operations that need none ask for a client that has one, if they may have one.
    """
    again = {"transport": SendAgain()}
    return cast("AuthenticatedClient", Client(api, timeout=TIMEOUT, httpx_args=again))


def _with_token(api: str, token: str) -> AuthenticatedClient:
    again = {"transport": SendAgain()}
    return AuthenticatedClient(api, token=token, timeout=TIMEOUT, httpx_args=again)
