"""Whether deals were fair: the proof of a hand, the checking of any, and how all went."""

from flask.typing import ResponseReturnValue

from engine.proofs import ToldDeal, verify
from service.blueprints.calls import open_for_caller, refusing
from service.incoming import read_body
from service.operations import VIEWER, Blueprint
from service.schemas import dump_fairness
from service.schemas.fairness import (
    VERIFICATION_REQUEST,
    FairnessStats,
    HandProof,
    Verification,
)
from service.use_cases.house import House
from service.use_cases.prove_hand import fair_totals, prove_hand


def blueprint(house: House) -> Blueprint:
    """Return the operations on the fair deal."""
    doors = Blueprint("fairness")

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/hands/<ordinal:hand_number>/proof",
        id="getHandProof",
        says=(
            "What shows that a hand was dealt fairly.\nThe seed, the nonces and the whole deck, "
            "from the end of the hand on, however it ended; with `reveal: game` from the end of "
            "the game on. Hold it to the `server_commit` that you were shown before the deal, not "
            "to the one in it."
        ),
        answer=HandProof,
        who=VIEWER,
        codes=["hand_in_progress", "game_in_progress", "sandbox_no_proof"],
    )
    def get_proof(game_id: str, hand_number: int) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id)
        with refusing(opened):
            return dump_fairness.proof(prove_hand(house, opened.stored, hand_number))

    @doors.operation(
        "POST",
        "/v1/fairness/verifications",
        id="verifyDeal",
        says=(
            "Check a deal.\nFor convenience: who does not trust this server checks with a program "
            "of its own. Seed and nonces are held to their commitments, deck and draw to what "
            "follows from them. Nothing is kept."
        ),
        answer=Verification,
        body=VERIFICATION_REQUEST,
        limit="scoring",
    )
    def verify_deal() -> ResponseReturnValue:
        return dump_fairness.verdict(verify(ToldDeal(**read_body(VERIFICATION_REQUEST))))

    @doors.operation(
        "GET",
        "/v1/fairness/stats",
        id="getFairnessStats",
        says=(
            "How all deals went.\nHow many hands were dealt, in how many a player had a share, "
            "what became of the seeds, and how often a hand was void or a nonce withheld."
        ),
        answer=FairnessStats,
    )
    def get_stats() -> ResponseReturnValue:
        with refusing(None):
            return dump_fairness.totals(fair_totals(house))

    return doors
