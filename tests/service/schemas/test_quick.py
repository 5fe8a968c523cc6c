"""The quick reading of bodies and marshmallow's agree, whatever is sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError

from engine.cards import CARD_NAMES
from service.schemas.ai import AI_MOVE_REQUEST
from service.schemas.entries import GAME_SCORE_REQUEST, HAND_ENTRY_REQUEST
from service.schemas.fields import DOUBT
from service.schemas.games import GAME_REQUEST, JOIN_REQUEST
from service.schemas.hands import DEAL_REQUEST, VOID_CONSENT_REQUEST
from service.schemas.moves import (
    KNOCK_REQUEST,
    LAY_OFFS_REQUEST,
    MELD_CHECK_REQUEST,
    MOVE_ACTIONS,
    MOVE_REQUEST,
    RESIGN_REQUEST,
    TURN_REQUEST,
)
from service.schemas.positions import PHASES, POSITION
from service.schemas.rules import RULES_REQUEST
from service.schemas.score_sheets import SCORE_SHEET_REQUEST
from service.schemas.scoring import HAND_SCORE_REQUEST
from service.schemas.scoring_cards import (
    CARDS_ANALYSIS_REQUEST,
    LAY_OFF_SEARCH_REQUEST,
    LAY_OUT_CHECK_REQUEST,
)
from service.schemas.seats import NOTES_REQUEST

SCHEMAS = {
    "move": MOVE_REQUEST,
    "turn": TURN_REQUEST,
    "knock": KNOCK_REQUEST,
    "lay_offs": LAY_OFFS_REQUEST,
    "resign": RESIGN_REQUEST,
    "deal": DEAL_REQUEST,
    "ai": AI_MOVE_REQUEST,
    "join": JOIN_REQUEST,
    "game": GAME_REQUEST,
    "rules": RULES_REQUEST,
    "consent": VOID_CONSENT_REQUEST,
    "notes": NOTES_REQUEST,
    "check": MELD_CHECK_REQUEST,
    "score": HAND_SCORE_REQUEST,
    "analysis": CARDS_ANALYSIS_REQUEST,
    "search": LAY_OFF_SEARCH_REQUEST,
    "position": POSITION,
    "lay_out": LAY_OUT_CHECK_REQUEST,
    "hand": HAND_ENTRY_REQUEST,
    "game_score": GAME_SCORE_REQUEST,
    "sheet": SCORE_SHEET_REQUEST,
}

wild = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=5,
)
cards = st.sampled_from([*CARD_NAMES, "10h", "th", "AC", "2C", "3C", "4C", "1X", ""])
melds = st.lists(
    st.fixed_dictionaries(
        {"kind": st.sampled_from(["run", "set"]), "cards": st.lists(cards, min_size=2, max_size=4)}
    )
    | st.sampled_from(
        [
            {"kind": "run", "cards": ["AC", "2C", "3C"]},
            {"kind": "set", "cards": ["4C", "4D", "4S"]},
            {"kind": "run", "cards": ["QH", "KH", "AH"]},
        ]
    ),
    max_size=3,
)
some_cards = st.lists(cards, min_size=1, max_size=4)
laid = st.lists(st.fixed_dictionaries({"card": cards, "meld": st.integers(-1, 18)}), max_size=3)
side = st.fixed_dictionaries(
    {},
    optional={
        "seat": st.integers(-1, 4),
        "cards": some_cards,
        "melds": melds,
        "lay_offs": laid,
        "deadwood": st.integers(-1, 171),
    },
)
told = st.fixed_dictionaries(
    {},
    optional={
        "outcome": st.sampled_from(["knock", "gin", "undercut", "drawn", "net"]),
        "winner_seat": st.integers(0, 3),
        "points": st.sampled_from([0, 25]) | st.integers(-1, 10_001),
        "knocker_seat": st.integers(0, 3),
    },
)
counted = st.fixed_dictionaries(
    {"seat": st.integers(0, 2), "deadwood": st.integers(0, 9)}, optional={"lay_offs": st.just([])}
)
likely = {
    "knocker": side | st.just({"deadwood": 3}),
    "defender": side | st.just({"cards": ["AC", "2C"], "seat": 1}),
    "cards": some_cards,
    "upcard": cards,
    "taken_from_discard": cards,
    "max_arrangements": st.integers(0, 51),
    "knocker_melds": melds,
    "phase": st.sampled_from([*PHASES, "hand_over"]),
    "stock_count": st.integers(-1, 33),
    "discard_pile": some_cards,
    "known_cards": some_cards,
    "opponent_known_cards": some_cards,
    "opponent_card_count": st.integers(9, 23),
    "drawn_card": cards,
    "drawn_from": st.sampled_from(["stock", "discard_pile", "hand"]),
    "knocker_unmatched": some_cards,
    "dealer": st.booleans(),
    "turn": st.integers(-1, 1001),
    "outcome": st.sampled_from(["knock", "gin", "undercut", "drawn", "net"]),
    "winner_seat": st.integers(0, 4),
    "points": st.sampled_from([0, 25]) | st.integers(-1, 10_001),
    "knocker_seat": st.integers(0, 4),
    "sides": st.lists(counted, max_size=3),
    "tables": st.lists(told, max_size=3),
    "hands": st.lists(told, max_size=3),
    "by": st.text(max_size=61),
    "confirmed_by": st.lists(st.text(max_size=3), max_size=5),
    "reason": st.text(max_size=5),
    "names": st.lists(st.sampled_from(["Ada", "Bob", "", " "]), max_size=5),
    "action": st.sampled_from([*MOVE_ACTIONS, "fly"]),
    "move_number": st.integers(-1, 40) | st.just(10**9),
    "hand_number": st.integers(0, 3),
    "source": st.sampled_from(["stock", "discard_pile", "hand"]),
    "card": cards,
    "discard": cards,
    "kind": st.sampled_from(["knock", "gin", "big_gin", "set"]),
    "melds": melds,
    "lay_offs": st.lists(
        st.fixed_dictionaries({"card": cards, "meld": st.integers(-1, 18)}), max_size=3
    ),
    "seat": st.integers(-1, 4),
    "level": st.text(max_size=70),
    "until": st.sampled_from(["move", "turn", "end"]),
    "join_code": st.text(max_size=70),
    "name": st.text(max_size=70),
    "seats": st.lists(
        st.sampled_from(
            [
                {"kind": "human"},
                {"kind": "human", "name": "Ada", "seating": "open"},
                {"kind": "ai", "ai": {"level": "easy"}},
                {"kind": "ai"},
                {"kind": "human", "ai": {"level": "easy"}},
            ]
        ),
        max_size=5,
    ),
    "rules": st.sampled_from([{}, {"base": "short"}, {"target": 5}, {"target": 50, "notes": 1}]),
    "base": st.sampled_from(["short", ""]),
    "knock_mode": st.sampled_from(["standard", "no"]),
    "target": st.integers(0, 2000),
    "notes": st.booleans(),
    "consent": st.booleans(),
    "text": st.text(max_size=5) | st.text("x\n\r", min_size=3990, max_size=4010),
    "scenario": st.sampled_from(["can_gin", "can_fly", ""]),
    "deck": st.permutations(CARD_NAMES) | st.lists(cards, max_size=3),
}


def bodies(schema):
    """Bodies that are nearly right, with now and then something wild in a field or beside it."""
    known = {
        name: likely.get(name, wild) | (wild if index % 3 == 0 else st.nothing())
        for index, name in enumerate(schema.fields)
        if name in likely
    }
    required = {name: known[name] for name, field in schema.fields.items() if field.required}
    optional = {name: value for name, value in known.items() if name not in required}
    right = st.fixed_dictionaries(required, optional=optional)
    return st.one_of(right, right.map(lambda body: {**body, "discrad": 1}), wild)


def loaded(schema, body):
    try:
        return schema.load(body)
    except ValidationError:
        return DOUBT


@pytest.mark.parametrize("name", SCHEMAS)
class TestQuickReading:
    @given(data=st.data())
    def test_agrees_with_marshmallow(self, name, data):
        schema = SCHEMAS[name]
        body = data.draw(bodies(schema))
        quick = schema.quick(body)
        if quick is not DOUBT:
            assert quick == loaded(schema, body)

    def test_is_not_idle(self, name):
        body = {
            "move": {"action": "knock", "card": "TH", "move_number": 1, "melds": []},
            "turn": {"action": "discard", "card": "TH", "move_number": 1},
            "knock": {
                "discard": "TH",
                "move_number": 1,
                "melds": [{"kind": "run", "cards": ["AC", "2C", "3C"]}],
            },
            "lay_offs": {"move_number": 1, "lay_offs": [{"card": "TH", "meld": 0}]},
            "resign": {"move_number": 1},
            "deal": {"hand_number": 1},
            "ai": {"seat": 1, "move_number": 1, "until": "turn"},
            "join": {"join_code": "abc", "name": "Ada"},
            "game": {"rules": {"base": "short"}, "seats": [{"kind": "human"}, {"kind": "human"}]},
            "rules": {"base": "short", "knock_limit": 5, "notes": False},
            "consent": {"consent": True},
            "notes": {"text": "a\nb"},
            "check": {"melds": [{"kind": "run", "cards": ["AC", "2C", "3C"]}]},
            "score": {
                "kind": "knock",
                "knocker": {
                    "cards": ["AC", "2C", "3C"],
                    "melds": [{"kind": "run", "cards": ["2C", "AC", "3C"]}],
                },
                "defender": {"cards": ["4C"], "lay_offs": [{"card": "4C", "meld": 0}]},
                "rules": {"target": 50},
            },
            "analysis": {"cards": ["AC", "2C"], "upcard": "3H", "max_arrangements": 2},
            "search": {"knocker_melds": [], "cards": ["AC"], "lay_offs": []},
            "position": {
                "phase": "lay_off",
                "cards": ["AC", "2C"],
                "stock_count": 20,
                "knocker_melds": [{"kind": "set", "cards": ["4C", "4D", "4S"]}],
                "knocker_unmatched": ["7H"],
                "dealer": True,
            },
            "lay_out": {"melds": [{"kind": "set", "cards": ["AC"]}], "cards": ["AC"]},
            "hand": {
                "kind": "knock",
                "knocker_seat": 0,
                "sides": [{"seat": 0, "deadwood": 3}, {"seat": 1, "deadwood": 9}],
                "by": "Ada",
            },
            "game_score": {"seats": 2, "hands": [{"outcome": "drawn"}]},
            "sheet": {"names": ["Ada", "Bob"], "rules": {"base": "short"}},
        }[name]
        schema = SCHEMAS[name]
        assert schema.quick(body) is not DOUBT
        assert schema.read(body) == schema.load(body)
