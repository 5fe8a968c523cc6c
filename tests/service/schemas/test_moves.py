"""What a move's body may say, by its action."""

import pytest
from marshmallow import ValidationError

from engine.cards import cards_of, parse_card, parse_cards
from engine.layoffs import LayOff
from service.schemas.moves import (
    FIELDS_OF_ACTION,
    KNOCK_REQUEST,
    LAY_OFFS_REQUEST,
    MOVE_ACTIONS,
    MOVE_REQUEST,
    TURN_ACTIONS,
    TURN_REQUEST,
)
from service.schemas.shapes import faults

FILLED = {
    "source": "discard_pile",
    "card": "TH",
    "melds": [],
    "lay_offs": [],
}
RUN = {"kind": "run", "cards": ["AC", "2C", "3C"]}


def found(schema, body) -> set[tuple[str, str]]:
    with pytest.raises(ValidationError) as refused:
        schema.read(body)
    return {(fault["pointer"], fault["code"]) for fault in faults(refused.value.messages)}


class TestTheFieldsOfAnAction:
    @pytest.mark.parametrize("action", MOVE_ACTIONS)
    def test_are_enough(self, action):
        needed, taken = FIELDS_OF_ACTION[action]
        body = {"action": action, "move_number": 1}
        for names in (needed, (*needed, *taken)):
            MOVE_REQUEST.read({**body, **{name: FILLED[name] for name in names}})

    @pytest.mark.parametrize("action", MOVE_ACTIONS)
    def test_are_needed(self, action):
        needed, _ = FIELDS_OF_ACTION[action]
        if needed:
            assert found(MOVE_REQUEST, {"action": action, "move_number": 1}) == {
                (f"/{name}", "required") for name in needed
            }

    @pytest.mark.parametrize("action", MOVE_ACTIONS)
    @pytest.mark.parametrize("name", FILLED)
    def test_are_all_there_are(self, action, name):
        needed, taken = FIELDS_OF_ACTION[action]
        if name not in (*needed, *taken):
            body = {"action": action, "move_number": 1, name: FILLED[name]}
            body |= {field: FILLED[field] for field in needed}
            assert found(MOVE_REQUEST, body) == {(f"/{name}", "field_not_allowed")}

    def test_of_a_draw_from_the_stock_name_no_card(self):
        body = {"action": "draw", "source": "stock", "card": "TH", "move_number": 1}
        for schema in (MOVE_REQUEST, TURN_REQUEST):
            assert found(schema, body) == {("/card", "field_not_allowed")}

    def test_are_those_of_the_typed_door_as_well(self):
        assert set(TURN_ACTIONS) < set(MOVE_ACTIONS)
        body = {"action": "knock", "card": "TH", "move_number": 1}
        assert found(TURN_REQUEST, body) == {("/action", "unknown_value")}


class TestAKnock:
    def test_without_kind_may_have_a_discard_or_none(self):
        assert KNOCK_REQUEST.read({"move_number": 1}) == {"move_number": 1}
        assert KNOCK_REQUEST.read({"move_number": 1, "discard": "as"})["discard"] == 39

    @pytest.mark.parametrize("kind", ["knock", "gin"])
    def test_by_name_needs_its_discard(self, kind):
        assert found(KNOCK_REQUEST, {"move_number": 1, "kind": kind}) == {("/discard", "required")}

    def test_as_big_gin_has_none(self):
        body = {"move_number": 1, "kind": "big_gin", "discard": "AS"}
        assert found(KNOCK_REQUEST, body) == {("/discard", "field_not_allowed")}


class TestMeldsSent:
    def test_are_read_as_sets_of_cards(self):
        body = {"move_number": 1, "melds": [RUN, {"kind": "set", "cards": ["4c", "4D", "4S"]}]}
        assert KNOCK_REQUEST.read(body)["melds"] == [
            parse_cards(["AC", "2C", "3C"]),
            parse_cards(["4C", "4D", "4S"]),
        ]

    @pytest.mark.parametrize(
        ("kind", "cards", "pointer", "code"),
        [
            ("run", ["AC", "2C"], "", "wrong_card_count"),
            ("set", ["AC"], "", "wrong_card_count"),
            ("set", ["AC", "2C", "3C", "4C", "5C"], "", "wrong_card_count"),
            ("set", ["AC", "2C", "3C"], "", "not_a_set"),
            ("run", ["AC", "AD", "AH"], "", "not_a_run"),
            ("run", ["AC", "2C", "4C"], "", "not_a_run"),
            ("run", ["AC", "2D", "3C"], "", "not_a_run"),
            ("run", ["QC", "KC", "AC"], "", "run_wraps_ace"),
            ("set", ["QC", "KC", "AC"], "", "not_a_set"),
            ("run", ["AC", "2C", "2c"], "/2", "duplicate_card"),
            ("run", ["AC", "2C", "3X"], "/2", "bad_card"),
            ("run", ["AC", "2C", 3], "/2", "wrong_type"),
        ],
    )
    def test_are_melds_of_their_kind(self, kind, cards, pointer, code):
        body = {"move_number": 1, "melds": [RUN, {"kind": kind, "cards": cards}]}
        assert found(LAY_OFFS_REQUEST, body) == {(f"/melds/1/cards{pointer}", code)}

    def test_have_no_card_in_common(self):
        melds = [RUN, {"kind": "set", "cards": ["AC", "AD", "AH"]}]
        for schema in (KNOCK_REQUEST, LAY_OFFS_REQUEST):
            body = {"move_number": 1, "melds": melds}
            assert found(schema, body) == {("/melds/1/cards", "card_in_two_melds")}
        body = {"action": "big_gin", "move_number": 1, "melds": melds}
        assert found(MOVE_REQUEST, body) == {("/melds/1/cards", "card_in_two_melds")}

    def test_hold_nothing_else(self):
        body = {"move_number": 1, "melds": [{**RUN, "owner": 1}]}
        assert found(KNOCK_REQUEST, body) == {("/melds/0/owner", "unknown_field")}

    def test_are_not_without_number(self):
        body = {"move_number": 1, "melds": [RUN] * 18}
        assert found(KNOCK_REQUEST, body) == {("/melds", "too_long")}


class TestLayOffsSent:
    def test_keep_their_order(self):
        sent = [{"card": "5C", "meld": 0}, {"card": "6C", "meld": 0}]
        loaded = LAY_OFFS_REQUEST.read({"move_number": 1, "lay_offs": sent})
        assert loaded["lay_offs"] == [LayOff(parse_card("5C"), 0), LayOff(parse_card("6C"), 0)]

    def test_may_be_none_or_left_away(self):
        assert LAY_OFFS_REQUEST.read({"move_number": 1, "lay_offs": []})["lay_offs"] == []
        assert "lay_offs" not in LAY_OFFS_REQUEST.read({"move_number": 1})


class TestACard:
    @pytest.mark.parametrize("spelling", ["TH", "10H", "10h", "th", "tH"])
    def test_is_read_however_it_is_spelt(self, spelling):
        body = {"action": "discard", "card": spelling, "move_number": 1}
        assert cards_of([TURN_REQUEST.read(body)["card"]]) == parse_cards(["TH"])

    @pytest.mark.parametrize(
        "spelling", ["", "1H", "T", "HT", "TH ", "TH\n", "joker", "\uff11\uff10H", "11H"]
    )
    def test_is_none_if_it_is_in_no_deck(self, spelling):
        body = {"action": "discard", "card": spelling, "move_number": 1}
        assert found(TURN_REQUEST, body) == {("/card", "bad_card")}
