"""A move is decided without a lock, written once, and looked at again if others were quicker."""

import pytest

from engine.actions import Discard, Draw, DrawSource, Pass
from engine.cards import parse_card
from service.storage.errors import Busy
from service.storage.log_rows import Sender
from service.use_cases import make_move as module
from service.use_cases.make_move import TRIES, decided, make_move
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused
from service.use_cases.verify_games import verify_game
from tests.service.statements import listening
from tests.service.table import ADA, DRAWN, EASY, THROWN

KING = Discard(parse_card("KS"))
TEN = Discard(parse_card("TS"))
MINE = Sender(0, b"m" * 16)


@pytest.fixture
def table(tables):
    return tables(*DRAWN)


@pytest.fixture
def house(table):
    return table.answering.house


def move(house, table, action=KING, sender=MINE, number=None):
    stored = load(house, table.id)
    return make_move(house, stored, action, number or table.next_move, sender)


@pytest.fixture
def a_change(house, table):
    """A change that is no move, such as somebody's sitting down."""

    def change() -> None:
        with house.store.writing() as conn, conn.transaction():
            conn.execute("UPDATE games SET version = version + 1 WHERE id = %s", (table.id,))
            conn.execute(
                "INSERT INTO changes SELECT id, version, 'joined', 1 FROM games WHERE id = %s",
                (table.id,),
            )

    return change


class TestAMove:
    def test_is_written_with_its_version_and_number(self, house, table):
        before = load(house, table.id)
        made = move(house, table)
        assert made.stored.version == before.version + 1
        assert [each.move.number for each in made.moves] == [table.next_move]
        assert not made.replayed
        assert load(house, table.id).game == made.stored.game

    def test_comes_with_the_replies_of_computers_in_one_write(self, tables):
        table = tables("0 draw pile", seats=(ADA, EASY))
        house = table.answering.house
        made = move(house, table, TEN)
        assert [each.move.seat for each in made.moves] == [0, 1, 1]
        assert [each.version for each in made.moves] == list(
            range(made.stored.version - 2, made.stored.version + 1)
        )
        assert verify_game(house.store, house.codec, table.id) is None

    def test_is_refused_with_the_game(self, house, table):
        with pytest.raises(Refused) as caught:
            move(house, table, Pass())
        assert (caught.value.code, caught.value.stored.game.phase) == ("wrong_phase", "discard")
        assert caught.value.moves is None


class TestTheStatementsOfAMove:
    """A budget: more statements are more round trips for every player's every move."""

    def test_are_two(self, table):
        table.view()
        with listening() as said:
            table.play("0 discard KS")
        assert len(said.statements) == 2
        assert said.trips == 2
        select, save = said.statements
        assert select.startswith("SELECT")
        assert "UPDATE games" in save
        assert "INSERT INTO moves" in save

    def test_are_two_with_a_computers_reply_and_at_the_end_of_a_hand(self, tables):
        table = tables("0 draw pile", seats=(ADA, EASY))
        with listening() as said:
            table.play("0 discard TS")
        assert len(said.statements) == 2

    def test_of_a_refusal_is_one(self, table):
        with listening() as said:
            assert table.send("0 discard QD").status_code == 409
        assert len(said.statements) == 1

    def test_of_a_view_is_one(self, table):
        for path in ("", "/score"):
            with listening() as said:
                table.get(path)
            assert (len(said.statements), said.trips) == (1, 1)

    def test_of_an_update_are_two_and_of_none_is_one(self, table):
        version = table.view()["version"]
        for after, statements in ((version - 2, 2), (version, 1)):
            with listening() as said:
                table.get(f"/updates?after={after}")
            assert len(said.statements) == statements

    def test_take_no_lock_before_the_write(self, tables):
        with listening() as said:
            table = tables(*THROWN, "1 draw stock", "1 discard QS", "0 draw stock")
            table.play("0 knock 4S", "1 lay_off", "0 deal", "1 resign")
        text = " ".join(said.statements).upper()
        for word in ("FOR UPDATE", "FOR SHARE", "FOR NO KEY", "LOCK TABLE", "ADVISORY"):
            assert word not in text


class TestARequestThatWasAccepted:
    def test_is_answered_again_and_not_made_again(self, house, table):
        first = move(house, table)
        again = move(house, table)
        assert (again.replayed, again.moves) == (True, first.moves)
        assert again.stored.version == first.stored.version

    def test_is_answered_with_all_since(self, house, table):
        number = table.next_move
        move(house, table)
        move(house, table, Draw(DrawSource.STOCK), Sender(1, b"o" * 16), number + 1)
        assert len(move(house, table, number=number).moves) == 2

    @pytest.mark.parametrize("sender", [Sender(1, MINE.request_hash), Sender(0, b"x" * 16)])
    def test_is_another_for_another_seat_or_body(self, house, table, sender):
        move(house, table)
        with pytest.raises(Refused) as caught:
            move(house, table, sender=sender)
        assert caught.value.code == "stale_move"
        assert caught.value.params == {"expected_move": table.next_move + 1}
        assert [each.move.number for each in caught.value.moves] == [table.next_move]


class TestAMissedGuard:
    def test_after_a_change_that_is_no_move_is_decided_again(
        self, house, table, meanwhile, a_change
    ):
        before = load(house, table.id)
        meanwhile(a_change)
        made = move(house, table)
        assert (made.replayed, made.stored.version) == (False, before.version + 2)
        assert verify_game(house.store, house.codec, table.id) is None

    def test_is_decided_so_often_and_no_more(self, house, table, meanwhile, a_change):
        meanwhile(a_change, TRIES - 1)
        assert not move(house, table).replayed

    def test_is_busy_in_the_end(self, house, table, meanwhile, a_change):
        meanwhile(a_change, TRIES)
        with pytest.raises(Busy):
            move(house, table)
        assert load(house, table.id).game.next_move == table.next_move

    def test_after_this_very_request_is_a_replay(self, house, table, meanwhile):
        meanwhile(lambda: move(house, table))
        made = move(house, table)
        assert made.replayed
        assert [each.move.number for each in made.moves] == [table.next_move]

    def test_after_another_move_is_stale(self, house, table, meanwhile):
        meanwhile(lambda: move(house, table, TEN, Sender(0, b"t" * 16)))
        with pytest.raises(Refused) as caught:
            move(house, table)
        assert caught.value.code == "stale_move"
        assert load(house, table.id).game.hand.discard_pile[-1] == TEN.card

    def test_after_a_deletion_is_not_found(self, house, table, meanwhile):
        def delete() -> None:
            with house.store.writing() as conn:
                conn.execute("DELETE FROM games")

        meanwhile(delete)
        with pytest.raises(Refused) as caught:
            move(house, table)
        assert caught.value.code == "not_found"


class TestADecision:
    def test_that_is_refused_keeps_what_it_was_made_on(self, house, table):
        stored = load(house, table.id)

        def decide(game):
            raise module.IllegalAction

        with pytest.raises(Refused) as caught:
            decided(stored, decide)
        assert caught.value.stored is stored
