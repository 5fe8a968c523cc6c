import pytest
from marshmallow import ValidationError

from engine.actions import DrawSource
from engine.hand import Phase
from engine.positions import Position
from service.schemas.positions import BARRED, PHASES, POSITION
from tests.tables import NEAR_GIN, cards, row

DISCARD = {
    "phase": "discard",
    "cards": [*NEAR_GIN.split(), "ks"],
    "stock_count": 20,
    "discard_pile": ["QH", "10h"],
    "drawn_card": "KS",
    "drawn_from": "discard_pile",
    "knocker_melds": [],
}


def errors(**changes):
    with pytest.raises(ValidationError) as raised:
        POSITION.load({**DISCARD, **changes})
    return raised.value.messages


class TestAPosition:
    def test_is_read_as_the_engines(self):
        sent = {name: value for name, value in DISCARD.items() if name != "knocker_melds"}
        read = POSITION.read(sent)
        assert Position(**read) == Position(
            Phase.DISCARD,
            cards(f"{NEAR_GIN} KS"),
            20,
            discard_pile=row("QH TH"),
            drawn_card=51,
            drawn_from=DrawSource.DISCARD_PILE,
        )
        assert POSITION.load(sent) == read

    def test_has_no_fields_that_do_not_go_with_its_phase(self):
        assert errors() == {"knocker_melds": ["field_not_allowed"]}
        assert set(BARRED) == set(PHASES)
        assert errors(phase="draw") == {
            name: ["field_not_allowed"] for name in ("drawn_card", "drawn_from", "knocker_melds")
        }

    def test_names_a_phase_in_which_a_seat_has_to_act(self):
        assert list(errors(phase="confirming")) == ["phase"]
        assert {Phase(phase) for phase in PHASES} < set(Phase)
