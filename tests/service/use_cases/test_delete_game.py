"""Deleting a game while somebody plays it."""

import pytest

from service.portal_keys import parse_key
from service.storage import game_ends
from service.storage.errors import Busy
from service.use_cases.delete_game import delete_game
from service.use_cases.make_move import TRIES
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused

FORGET = game_ends.forget


@pytest.fixture
def table(portal):
    return portal.make()


@pytest.fixture
def house(table):
    return table.answering.house


@pytest.fixture
def before_the_write(monkeypatch):
    def arrange(*happenings):
        left = list(happenings)

        def late(*values, **options):
            if left:
                left.pop(0)()
            return FORGET(*values, **options)

        monkeypatch.setattr(game_ends, "forget", late)

    return arrange


def delete(house, portal, table, is_expected=lambda stored: True):
    delete_game(house, parse_key(portal.key), table.id, is_expected)


class TestDeleting:
    def test_takes_what_was_played_meanwhile_along(self, house, portal, table, before_the_write):
        before_the_write(lambda: table.play("0 pass"))
        delete(house, portal, table)
        assert load(house, table.id) is None

    def test_looks_at_the_version_again(self, house, portal, table, before_the_write):
        seen = load(house, table.id).version
        before_the_write(lambda: table.play("0 pass"))
        with pytest.raises(Refused) as caught:
            delete(house, portal, table, lambda stored: stored.version == seen)
        assert caught.value.code == "version_mismatch"
        assert caught.value.params == {"expected_version": seen + 1}
        assert load(house, table.id) is not None

    def test_gives_up_while_others_keep_changing_it(self, house, portal, table, before_the_write):
        before_the_write(*[lambda: table.play("0 pass"), lambda: table.play("1 pass")])
        delete(house, portal, table)
        other = portal.make()
        lines = ["0 pass", "1 pass", "0 draw stock"]
        assert len(lines) == TRIES
        before_the_write(*[lambda line=line: other.play(line) for line in lines])
        with pytest.raises(Busy):
            delete(house, portal, other)

    def test_lets_no_move_be_made_that_was_decided_before(self, house, portal, table, meanwhile):
        meanwhile(lambda: delete(house, portal, table))
        answer = table.send("0 pass")
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")
