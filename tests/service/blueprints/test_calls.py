"""From a request to a use case and back."""

import pytest
from flask import Flask

from engine.actions import Discard, Draw, DrawSource, Knock, KnockKind, LayOffs, Pass, Resign
from engine.layoffs import LayOff
from service.blueprints.calls import OF_A_MOVE, Pages, refusing, sender_of
from service.cursors import Cursors
from service.errors import Refusal
from service.problems import CATALOGUE, FIELD_CODES
from service.use_cases.refusals import Refused

CURSORS = Cursors([b"s" * 32])


class TestASender:
    def test_is_the_same_for_the_same_action(self):
        assert sender_of(0, Discard(5)) == sender_of(0, Discard(5))

    def test_is_another_for_any_other_action_or_seat(self):
        actions = [
            Pass(),
            Resign(),
            Discard(5),
            Discard(6),
            Draw(DrawSource.STOCK),
            Draw(DrawSource.DISCARD_PILE),
            Draw(DrawSource.DISCARD_PILE, 5),
            Knock(KnockKind.KNOCK, 5),
            Knock(KnockKind.GIN, 5),
            Knock(KnockKind.KNOCK, 5, ()),
            Knock(KnockKind.KNOCK, 5, (7,)),
            Knock(KnockKind.BIG_GIN),
            LayOffs(),
            LayOffs(()),
            LayOffs((LayOff(5, 0),)),
            LayOffs((), ()),
            ("ai", 1, "move"),
            ("ai", 1, "turn"),
            ("ai", 0, "turn"),
        ]
        senders = {
            (sender_of(s, a).seat, sender_of(s, a).request_hash) for a in actions for s in (0, 1)
        }
        assert len(senders) == 2 * len(actions)


class TestARefusal:
    def test_of_a_field_says_where_it_stands(self):
        with pytest.raises(Refusal) as caught, refusing(None):
            raise Refused("out_of_range", {"min": 0, "max": 1}, pointer="/seat")
        assert caught.value.kind.code == "validation_failed"
        assert caught.value.errors == [
            {"pointer": "/seat", "code": "out_of_range", "params": {"min": 0, "max": 1}}
        ]

    def test_without_a_viewer_shows_no_game(self):
        with pytest.raises(Refusal) as caught, refusing(None):
            raise Refused("game_full")
        assert (caught.value.kind.code, caught.value.game, caught.value.moves) == (
            "game_full", None, None
        )  # fmt: skip

    def test_names_cards_as_answers_do(self):
        with pytest.raises(Refusal) as caught, refusing(None):
            raise Refused("card_not_in_hand", {"card": 0})
        assert caught.value.params == {"card": "AC"}


class TestTheCodesOfAMove:
    def test_are_problems_of_their_own(self):
        assert set(OF_A_MOVE) <= CATALOGUE.keys() - FIELD_CODES
        assert len(set(OF_A_MOVE)) == len(OF_A_MOVE)


class TestPages:
    def pages(self, **query):
        return Pages(CURSORS, "moves|g_1|None", {"limit": 2, **query})

    def answer(self, pages, found):
        with Flask("pages").test_request_context("/v1/x?limit=2&hand=1"):
            return pages.answer(found, lambda n: {"n": n}, lambda n: (n, 0))

    def test_begin_at_the_beginning(self):
        assert self.pages().start() == (0, 0)

    def test_go_on_at_the_cursor(self):
        body, status, headers = self.answer(self.pages(), [1, 2, 3])
        assert (body["items"], status) == ([{"n": 1}, {"n": 2}], 200)
        cursor = body["next_cursor"]
        assert headers["Link"] == f'</v1/x?limit=2&hand=1&cursor={cursor}>; rel="next"'
        assert self.pages(cursor=cursor).start() == (2, 0)

    def test_end_when_all_fits(self):
        body, _, headers = self.answer(self.pages(), [1, 2])
        assert (body, headers) == ({"items": [{"n": 1}, {"n": 2}]}, {})
        assert self.answer(self.pages(), [])[0] == {"items": []}

    def test_refuse_a_cursor_of_another_list(self):
        other = CURSORS.write("moves|g_2|None", 1)
        with pytest.raises(Refusal) as caught:
            self.pages(cursor=other).start()
        assert caught.value.errors == [{"pointer": "#query/cursor", "code": "bad_cursor"}]
