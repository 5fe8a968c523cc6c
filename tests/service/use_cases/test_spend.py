"""A request is counted against the limit of whoever sends it."""

import pytest

from service.settings import Limit
from service.storage import buckets
from service.storage.errors import Busy, Unavailable
from service.use_cases.refusals import Refused
from service.use_cases.spend import load_and_spend, spend
from tests.service.statements import listening
from tests.service.storage.stored import count

DAY = 86_400


@pytest.fixture
def house(answering, empty_tables, monkeypatch):
    """A house with a limit of two moves a day."""
    allowances = answering.house.allowances
    monkeypatch.setitem(allowances.limits, "moves", Limit(2, DAY))
    allowances._purses.clear()
    yield answering.house
    allowances._purses.clear()
    allowances._away_until = float("-inf")


def charge(house, owner="somebody"):
    return house.allowances.charge("moves", owner)


class TestARequestThatNeedsNoGame:
    def test_is_let_through_while_there_are_some_left(self, house):
        charges = [charge(house) for _ in range(2)]
        for each in charges:
            spend(house, each)
        assert [each.standing.left for each in charges] == [1, 0]

    def test_is_refused_after_that(self, house):
        for _ in range(2):
            spend(house, charge(house))
        with pytest.raises(Refused) as refused:
            spend(house, charge(house))
        assert refused.value.code == "rate_limited"
        assert refused.value.params == {"policy": "moves", "retry_after_seconds": DAY // 2}

    @pytest.mark.parametrize("error", [Busy, Unavailable])
    def test_is_let_through_uncounted_while_the_database_is_away(self, house, monkeypatch, error):
        def fail(*_arguments):
            raise error("away")

        with monkeypatch.context() as patch:
            patch.setattr(buckets, "take", fail)
            lost = charge(house)
            spend(house, lost)
        with listening() as said:
            for _ in range(5):
                spend(house, charge(house))
        assert lost.standing is None
        assert said.statements == []

    def test_removes_old_buckets_now_and_then(self, house, monkeypatch):
        due = iter([False, True])
        monkeypatch.setattr(type(house.allowances), "sweep_is_due", lambda _self: next(due))
        spend(house, charge(house, "old"))
        with house.store.writing() as conn:
            conn.execute("UPDATE rate_buckets SET used_at = now() - interval '2 days'")
        spend(house, charge(house, "new"))
        assert count(house.store, "rate_buckets") == 1


class TestARequestOfAGame:
    def test_is_counted_where_the_game_is_loaded(self, house, tables):
        table = tables()
        owned = charge(house, table.id)
        with listening() as said:
            stored = load_and_spend(house, table.id, owned)
        assert len(said.statements) == 1
        assert stored.game.setup.id == table.id
        assert owned.standing.left == 1

    def test_is_refused_when_there_are_none_left(self, house, tables):
        table = tables()
        for _ in range(2):
            load_and_spend(house, table.id, charge(house, table.id))
        for statements in (1, 0):  # the second time it is known here
            with listening() as said, pytest.raises(Refused) as refused:
                load_and_spend(house, table.id, charge(house, table.id))
            assert refused.value.code == "rate_limited"
            assert len(said.statements) == statements

    def test_of_none_finds_none(self, house):
        assert load_and_spend(house, "g_none", charge(house, "g_none")) is None
