"""Folding every log: what does not belong together is found, and what does is left alone."""

import random
from dataclasses import replace

import pytest

from service.storage.codec import Codec
from service.storage.sealing import Sealer
from service.use_cases import verify_games as module
from service.use_cases.open_game import load
from service.use_cases.verify_games import Finding, Verdict, verify_all, verify_game
from tests.service.table import ADA, BOTH, EASY, SCORED

PHASES = (
    "waiting",
    "first_upcard",
    "draw",
    "discard",
    "lay_off",
    "confirming",
    "hand_over",
    "game_over",
)


@pytest.fixture
def house(answering):
    return answering.house


@pytest.fixture
def table(tables):
    return tables(*SCORED, "0 deal", "1 pass")


def verify(house):
    return verify_all(house.store, house.codec)


def found(house):
    return [finding.problem for finding in verify(house).findings]


def spoil(house, *statements):
    with house.store.writing() as conn:
        for statement in statements:
            conn.execute(statement)


class TestCleanGames:
    def test_are_found_clean(self, tables, house):
        for phase in PHASES:
            tables.at(phase)
        tables(deal=None, seats=(ADA, EASY), rules={"target": 30}).play_on()
        assert verify(house) == Verdict(len(PHASES) + 1, ())

    def test_have_confirmations_and_consents_in_their_log(self, tables, house):
        table = tables(*SCORED, rules=BOTH)
        for seat in (1, 0):
            table.confirm(seat)
        table.play("0 deal")
        for seat, void in ((0, True), (0, False), (1, True), (0, True)):
            table.put("/hands/2/void-consent", {"consent": void}, seat)
            assert found(house) == []
        table.play("0 deal", "1 pass")
        assert found(house) == []

    def test_may_be_none(self, house, answering):
        assert verify(house) == Verdict(0, ())

    def test_are_looked_at_in_batches(self, tables, house, monkeypatch):
        monkeypatch.setattr(module, "BATCH", 2)
        for _ in range(5):
            tables.at("first_upcard")
        assert verify(house).games == 5

    def test_are_not_changed(self, house, table):
        before = load(house, table.id)
        verify(house)
        assert load(house, table.id).version == before.version


class TestAMissingMove:
    @pytest.mark.parametrize("number", [1, 3, 8])
    def test_is_found(self, house, table, number):
        spoil(house, f"DELETE FROM moves WHERE number = {number}")
        assert found(house) == ["the log has a hole or a move too many"]

    def test_too_many_is_found(self, house, table):
        spoil(house, "UPDATE games SET next_move = next_move", "DELETE FROM moves WHERE number > 5")
        assert found(house) == ["the log has a hole or a move too many"]


class TestAHoleInTheVersions:
    @pytest.mark.parametrize(
        "statement",
        [
            "DELETE FROM changes",
            "UPDATE games SET version = version + 1",
            "UPDATE moves SET version = version + 1 WHERE number = 3",
            "INSERT INTO changes SELECT id, 3, 'joined', 1 FROM games",
        ],
    )
    def test_is_found(self, house, table, statement):
        spoil(house, statement)
        assert found(house) == ["moves and changes do not make up all versions"]


class TestAnotherState:
    def test_than_that_of_the_log_is_found(self, house, tables, table):
        """The snapshot is sealed in its place and opens, but it is an older one."""
        with house.store.reading() as conn:
            (older,) = conn.execute("SELECT state FROM games").fetchone()
        before = load(house, table.id)
        table.play("0 pass")
        forged = house.codec.write_state(replace(before.game, next_move=before.game.next_move + 1))
        with house.store.writing() as conn:
            conn.execute("UPDATE games SET state = %b", (forged,))
        assert found(house) == ["the log leads to another state than the snapshot"]
        with house.store.writing() as conn:
            conn.execute("UPDATE games SET state = %b", (older,))
        assert len(found(house)) == 1

    def test_of_a_single_card_is_found(self, house, table):
        game = load(house, table.id).game
        stock = list(game.hand.stock)
        random.Random(1).shuffle(stock)
        other = replace(game, hand=replace(game.hand, stock=tuple(stock)))
        with house.store.writing() as conn:
            conn.execute("UPDATE games SET state = %b", (house.codec.write_state(other),))
        assert found(house) == ["the log leads to another state than the snapshot"]


class TestAChange:
    """What the seats said is folded with the moves, in the order of the versions."""

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE changes SET kind = 'consented' WHERE kind = 'confirmed'",
            "UPDATE changes SET seat = 1 - seat WHERE kind = 'confirmed'",
            "UPDATE changes SET kind = 'joined' WHERE kind = 'confirmed'",
        ],
    )
    def test_that_was_another_is_found(self, tables, house, statement):
        tables(*SCORED, rules=BOTH).confirm(1)
        spoil(house, statement)
        assert found(house) == ["the log leads to another state than the snapshot"]

    def test_at_another_version_is_found(self, tables, house):
        """A consent after the move that its void made would be one to the next hand."""
        table = tables(*SCORED[:2])
        for seat in (0, 1):
            table.put("/hands/1/void-consent", {"consent": True}, seat)
        version = table.view()["version"]
        spoil(
            house,
            f"UPDATE moves SET version = {version - 1} WHERE version = {version}",
            f"UPDATE changes SET version = {version} WHERE version = {version - 1}",
        )
        assert found(house) == ["the log leads to another state than the snapshot"]


class TestAWrongStatus:
    @pytest.mark.parametrize("status", ["waiting", "finished"])
    def test_is_found(self, house, table, status):
        spoil(house, f"UPDATE games SET status = '{status}'")
        assert found(house) == ["the status is not that of the state"]


class TestABrokenSeal:
    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE games SET state = set_byte(state, 20, get_byte(state, 20) # 1)",
            "UPDATE games SET setup = state",
            "UPDATE games SET state = ''",
            "UPDATE moves SET fact = set_byte(fact, 20, get_byte(fact, 20) # 1) WHERE number = 2",
        ],
    )
    def test_is_found(self, house, table, statement):
        house.codec.read_setup.cache_clear()
        spoil(house, statement)
        (problem,) = found(house)
        assert "does not open" in problem

    def test_under_a_secret_that_is_gone_is_found(self, house, table):
        other = Codec(Sealer([b"x" * 32]))
        assert "does not open" in verify_game(house.store, other, table.id)


class TestAFinding:
    def test_names_the_game_and_leaves_the_others_alone(self, house, tables):
        clean, spoilt = tables(), tables()
        with house.store.writing() as conn:
            conn.execute("DELETE FROM moves WHERE game_id = %s", (spoilt.id,))
        assert verify(house) == Verdict(
            2, (Finding(spoilt.id, "the log has a hole or a move too many"),)
        )
        assert verify_game(house.store, house.codec, clean.id) is None

    def test_is_none_for_a_game_that_is_gone(self, house):
        assert verify_game(house.store, house.codec, "g_x") is None
