import pytest
from marshmallow import ValidationError

from engine.actions import KnockKind
from engine.hand_scores import HandSide, Mistold, score_hand
from engine.layoffs import LayOff
from engine.rules import STANDARD
from service.schemas.scoring import HAND_SCORE_REQUEST, mistold
from service.schemas.shapes import faults
from tests.tables import NEAR_GIN, OTHER, cards

TEN, OTHER_TEN = NEAR_GIN.split(), OTHER.split()
RUN = {"kind": "run", "cards": ["AC", "2C", "3C"]}


def body(knocker=None, defender=None, **more):
    sides = {"knocker": knocker or {"cards": TEN}, "defender": defender or {"cards": OTHER_TEN}}
    return {"kind": "knock", **sides, **more}


def refused(sent):
    with pytest.raises(ValidationError) as caught:
        HAND_SCORE_REQUEST.read(sent)
    return [(fault["pointer"], fault["code"]) for fault in faults(caught.value.messages)]


class TestAHand:
    def test_is_read_as_what_the_engine_scores(self):
        sent = body({"seat": 1, "cards": TEN, "melds": [RUN]}, {"deadwood": 4}, upcard="3s")
        read = HAND_SCORE_REQUEST.read(sent)
        assert read == {
            "kind": KnockKind.KNOCK,
            "knocker": HandSide(1, cards(NEAR_GIN), (7,)),
            "defender": HandSide(deadwood=4),
            "upcard": 41,
        }
        assert read == HAND_SCORE_REQUEST.load(sent)

    def test_keeps_none_and_no_lay_offs_apart(self):
        off = [{"card": "4C", "meld": 0}]
        for lay_offs, wanted in (([], ()), (off, (LayOff(3, 0),))):
            side = {"cards": OTHER_TEN, "lay_offs": lay_offs}
            assert HAND_SCORE_REQUEST.read(body(defender=side))["defender"].lay_offs == wanted
        assert HAND_SCORE_REQUEST.read(body())["defender"].lay_offs is None


class TestAHandOfWhichASideIsToldWrongly:
    @pytest.mark.parametrize(
        ("knocker", "found"),
        [
            ({"seat": 1}, [("/knocker/cards", "required")]),
            ({"cards": TEN, "lay_offs": []}, [("/knocker/lay_offs", "field_not_allowed")]),
        ],
    )
    def test_is_refused_there(self, knocker, found):
        assert refused(body(knocker)) == found


class TestAFault:
    def at(self, sent, pointer=""):
        read = HAND_SCORE_REQUEST.read(sent)
        with pytest.raises(Mistold) as caught:
            score_hand(read["kind"], read["knocker"], read["defender"], STANDARD)
        return mistold(caught.value, sent, pointer)

    def test_points_at_the_card_whatever_its_spelling(self):
        theirs = [*OTHER_TEN[:9], "10s"]
        assert self.at(body(defender={"cards": theirs}), "/items/3") == {
            "pointer": "/items/3/defender/cards/9",
            "code": "duplicate_card",
            "params": {"card": "TS"},
        }

    def test_points_at_the_lay_off(self):
        off = [{"card": "4C", "meld": 0}, {"card": "KH", "meld": 1}]
        fault = self.at(body(defender={"cards": OTHER_TEN, "lay_offs": off}))
        assert fault["pointer"] == "/defender/lay_offs/1"
        assert fault["params"] == {"card": "KH", "meld": 1}

    def test_says_the_number_that_shows_why(self):
        fault = self.at(body({"deadwood": 11}))
        assert fault["pointer"] == "/knocker/deadwood"
        assert fault["params"] == {"deadwood": 11, "knock_limit": 10}
