"""The one table between the words of the case file and ours.

The case file is kept as it was written: it says *match* for a game and has names of its own for
phases, errors, outcomes and actions.
"""

from engine.rules import resolve

PHASES = {
    "upcard": "first_upcard",
    "draw": "draw",
    "discard": "discard",
    "layoff": "lay_off",
    "pending_confirmation": "confirming",
    "over": "hand_over",
}

ERRORS = {
    "not_your_turn": {"not_your_turn"},
    "wrong_phase": {"wrong_phase"},
    "must_draw_stock": {"must_draw_stock"},
    "card_just_taken": {"card_just_taken", "card_just_drawn"},
    "card_not_in_hand": {"card_not_in_hand"},
    "only_top_discard": {"only_top_discard"},
    "card_not_in_discards": {"card_not_in_discards"},
    "bad_melds": {
        "not_a_set",
        "not_a_run",
        "run_wraps_ace",
        "card_in_two_melds",
        "meld_not_in_hand",
    },
    "over_limit": {"deadwood_too_high"},
    "not_gin": {"not_gin"},
    "not_big_gin": {"not_big_gin"},
    "big_gin_not_enabled": {"big_gin_not_enabled"},
    "cannot_lay_off": {"layoff_not_possible"},
    "no_such_meld": {"meld_not_found"},
    "stock_empty": {"stock_empty"},
    "pickup_not_melded": {"pickup_not_melded"},
    "must_knock_or_pass": {"must_knock_or_pass"},
    "layout_not_minimal": {"layout_not_minimal"},
}

RESULTS = {
    "draw": "drawn",
    "knock": "knock",
    "gin": "gin",
    "big_gin": "big_gin",
    "undercut": "undercut",
}

ACTIONS = {
    "pass": "pass",
    "take_upcard": "draw pile",
    "draw_discard": "draw pile",
    "draw_stock": "draw stock",
    "discard": "discard",
    "knock": "knock",
    "gin": "gin",
    "big_gin": "big_gin",
    "lay_off": "lay_off",
}


def rules_of(case):
    """The rules of a case, which gives only what differs from the defaults."""
    overrides = dict(case["input"].get("rules", {}))
    if isinstance(overrides.get("first_dealer"), int):
        overrides["first_dealer"] = f"seat{overrides['first_dealer']}"
    return resolve("standard", overrides)


def action_of(step):
    """A step of a case in the words of our notation: ``0 knock TS AC2C3C 4D5D6D``."""
    words = [str(step["player"]), ACTIONS[step["action"]]]
    if step["action"] == "lay_off":
        words.append(f"{step['card']}>{step['meld']}")
    elif "card" in step:
        words.append(step["card"])
    return " ".join([*words, *("".join(meld) for meld in step.get("melds", []))])
