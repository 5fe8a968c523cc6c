"""The vectors of the fair deal as proofs, and every way in which one of them is false."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

VECTORS = json.loads(Path(__file__).with_name("fair_deal_vectors.json").read_text("utf-8"))[
    "vectors"
]
Deal = dict[str, Any]


def told(vector: Mapping[str, Any]) -> Deal:
    """Return a vector as the body of verifyDeal."""
    fields = {
        "game_id": vector["game_id"],
        "hand_number": vector["hand"],
        "server_commit": vector["server_commit"],
        "seed": vector["server_seed"],
        **{name: vector[name] for name in ("nonce0", "nonce1", "nonce_commit0", "nonce_commit1")},
        "deck": vector["deck"].split(),
    }
    return {name: value for name, value in fields.items() if value is not None}


def proof(deal: Deal) -> Deal:
    """Return what verifyDeal is asked as getHandProof answers it, between seats 0 and 1.

    What is checked as a commitment stands where a proof has it: beside its nonce.
    """
    nonces = [
        {"seat": seat, "nonce_commit": deal[f"nonce_commit{seat}"], "nonce": deal[f"nonce{seat}"]}
        for seat in (0, 1)
        if f"nonce{seat}" in deal
    ]
    taken = {name: value for name, value in deal.items() if not name.startswith("nonce_commit")}
    return {
        "scheme": "GRD1",
        **taken,
        "nonces": nonces,
        "playing_seats": [0, 1],
        "contributors": [each["seat"] for each in nonces],
        "dealer_draw": [],
    }


FULL = told(VECTORS[0])
"""A deal to which both seats contributed."""


def _flipped(hexadecimal: str) -> str:
    return f"{int(hexadecimal[0], 16) ^ 1:x}{hexadecimal[1:]}"


def _swapped(deck: list[str]) -> list[str]:
    return [deck[1], deck[0], *deck[2:]]


FALSE: Mapping[str, tuple[Deal, set[str]]] = {
    "flipped seed bit": (
        {**FULL, "seed": _flipped(FULL["seed"])},
        {"seed_matches_commit", "deck_follows"},
    ),
    "flipped bit of a nonce": (
        {**FULL, "nonce1": _flipped(FULL["nonce1"])},
        {"nonce_matches_commit", "deck_follows"},
    ),
    "another commitment": (
        {**FULL, "server_commit": _flipped(FULL["server_commit"])},
        {"seed_matches_commit"},
    ),
    "swapped nonces": (
        {**FULL, "nonce0": FULL["nonce1"], "nonce1": FULL["nonce0"]},
        {"nonce_matches_commit", "deck_follows"},
    ),
    "nonces and commitments swapped": (
        {
            **FULL,
            "nonce0": FULL["nonce1"],
            "nonce1": FULL["nonce0"],
            "nonce_commit0": FULL["nonce_commit1"],
            "nonce_commit1": FULL["nonce_commit0"],
        },
        {"deck_follows"},
    ),
    "hand and one": (
        {**FULL, "hand_number": FULL["hand_number"] + 1},
        {"seed_matches_commit", "deck_follows"},
    ),
    "another game": ({**FULL, "game_id": "g_02"}, {"seed_matches_commit", "deck_follows"}),
    "two cards swapped": ({**FULL, "deck": _swapped(FULL["deck"])}, {"deck_follows"}),
}
"""Deals that are well told but false, each with the checks that fail."""

MALFORMED: Mapping[str, tuple[Deal, str, str]] = {
    "upper-case seed": ({**FULL, "seed": FULL["seed"].upper()}, "/seed", "nonce_malformed"),
    "upper-case nonce": ({**FULL, "nonce0": FULL["nonce0"].upper()}, "/nonce0", "nonce_malformed"),
    "upper-case commitment": (
        {**FULL, "server_commit": FULL["server_commit"].upper()},
        "/server_commit",
        "nonce_malformed",
    ),
    "truncated nonce": ({**FULL, "nonce1": FULL["nonce1"][:-2]}, "/nonce1", "nonce_malformed"),
    "seed and a line break": ({**FULL, "seed": FULL["seed"] + "\n"}, "/seed", "nonce_malformed"),
    "wide digits": ({**FULL, "seed": "\u0663" * 64}, "/seed", "nonce_malformed"),
    "duplicate card": (
        {**FULL, "deck": [*FULL["deck"][:51], FULL["deck"][0]]},
        "/deck/51",
        "duplicate_card",
    ),
    "51 cards": ({**FULL, "deck": FULL["deck"][:51]}, "/deck", "wrong_card_count"),
    "a bar in the game's id": ({**FULL, "game_id": "g|1"}, "/game_id", "bad_text"),
}
"""Deals that are not told in the one form, with the place and the code of what is wrong."""
