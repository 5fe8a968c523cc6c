"""What a request with a key asks for is done once, whoever is killed, late or in the way."""

from dataclasses import replace

import pytest

from engine.rules import STANDARD
from service.storage import games
from service.storage.errors import Busy, OutcomeUnknown
from service.storage.idempotency import KeyedRequest
from service.use_cases.create_game import create_game
from service.use_cases.create_rematch import create_rematch
from service.use_cases.do_once import do_once, write_keeping
from service.use_cases.join_game import join_game
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused
from tests.service.statements import listening
from tests.service.storage.stored import ADA, count
from tests.service.table import ADA as ADAS_SEAT

REQUEST = KeyedRequest(b"createGame|a-key", b"h" * 16)
OPEN = {"kind": "human"}
RESIGNED = ("0 resign",)


@pytest.fixture
def house(answering):
    return answering.house


def make(house, keep=None):
    return create_game(house, STANDARD, (ADA, ADA), keep=keep)


def id_of(created) -> bytes:
    return created.stored.game.setup.id.encode()


def once(house, request=REQUEST, act=make):
    return do_once(house, request, lambda keep: act(house, keep), id_of)


def kept(house) -> int:
    return count(house.store, "idempotency_keys")


def code_of(act):
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.code


class TestARequest:
    def test_is_done_once_and_answered_twice(self, house):
        first, replayed = once(house)
        assert not replayed
        assert once(house) == (first, True)
        assert count(house.store, "games") == 1

    def test_is_done_again_under_another_key(self, house):
        first, _ = once(house)
        second, replayed = once(house, KeyedRequest(b"createGame|b-key", b"h" * 16))
        assert (first == second, replayed) == (False, False)

    def test_is_refused_under_the_key_of_another(self, house):
        once(house)
        reused = replace(REQUEST, request_hash=b"x" * 16)
        assert code_of(lambda: once(house, reused)) == "idempotency_key_reused"
        assert count(house.store, "games") == 1

    def test_that_was_refused_may_be_sent_again(self, house):
        def refuse(_house, _keep):
            raise Refused("not_found")

        assert code_of(lambda: once(house, act=refuse)) == "not_found"
        assert kept(house) == 0
        assert once(house)[1] is False

    def test_is_undone_if_its_answer_cannot_be_kept(self, house, monkeypatch):
        def fail(*_arguments):
            raise OutcomeUnknown("lost")

        with monkeypatch.context() as patch:
            patch.setattr(type(house.kept), "keep", fail)
            with pytest.raises(OutcomeUnknown):
                once(house)
        assert count(house.store, "games") == count(house.store, "moves") == 0
        assert once(house)[1] is False

    def test_has_no_answer_kept_if_it_was_not_done(self, house, monkeypatch):
        monkeypatch.setattr(games, "insert", lambda *_, **__: (_ for _ in ()).throw(Busy("locked")))
        with pytest.raises(Busy):
            once(house)
        assert kept(house) == 0

    def test_without_a_key_costs_nothing_more(self, house):
        with listening() as said:
            make(house)
        assert not any("idempotency" in statement for statement in said.statements)
        assert (len(said.statements), said.trips) == (3, 5)

    def test_with_a_key_costs_a_look_and_an_entry(self, house):
        with listening() as said:
            once(house)
        keyed = [each for each in said.statements if "idempotency_keys" in each]
        assert len(keyed) == 2
        assert len(said.statements) == 5


class TestTheSameRequestMeanwhile:
    """Somebody does it between this one's first look and its write."""

    def test_is_what_is_answered(self, house, monkeypatch):
        insert, others = games.insert, []

        def late(*arguments, **more):
            if not others:
                others.append(None)
                others[0] = once(house)[0]
            return insert(*arguments, **more)

        monkeypatch.setattr(games, "insert", late)
        assert once(house) == (others[0], True)
        assert count(house.store, "games") == 1

    def test_that_is_not_done_yet_is_said_to_be_in_progress(self, house):
        """Its answer is being kept for longer than one waits for a lock."""
        with house.store.writing() as conn, conn.transaction(force_rollback=True):
            house.kept.keep(conn, REQUEST, b"", None)
            assert code_of(lambda: once(house)) == "idempotency_in_progress"
        assert count(house.store, "games") == 0
        assert once(house)[1] is False

    def test_that_took_the_last_seat_is_what_is_answered(self, tables, meanwhile):
        table = tables(seats=(ADAS_SEAT, OPEN))
        house, first = table.answering.house, []

        def sit():
            def act(keep):
                return join_game(house, table.id, table.join_code, None, None, keep=keep)

            return do_once(house, REQUEST, act, lambda joined: joined.token.encode(), table.id)

        meanwhile(lambda: first.append(sit()))
        assert sit() == (first[0][0], True)
        assert first[0][1] is False

    def test_that_took_one_of_two_seats_leaves_the_other(self, tables, meanwhile):
        open_seats = ({**OPEN, "seating": "open"},) * 2
        table = tables(seats=open_seats)
        house, first = table.answering.house, []

        def sit():
            def act(keep):
                return join_game(house, table.id, table.join_code, None, None, keep=keep)

            return do_once(house, REQUEST, act, lambda joined: b"%d" % joined.seat, table.id)

        meanwhile(lambda: first.append(sit()))
        assert (sit(), first) == ((b"0", True), [(b"0", False)])
        assert [seat["occupied"] for seat in table.get(who="spectator").json["seats"]] == [
            True,
            False,
        ]

    def test_that_left_nothing_to_do_is_what_is_answered(self, tables):
        table = tables(*RESIGNED)
        house, first = table.answering.house, []

        def again():
            before = load(house, table.id)

            def act(keep):
                if not first:
                    first.append(None)
                    first[0] = again()
                return create_rematch(house, before, 0, keep=keep)

            return do_once(house, REQUEST, act, lambda rematch: b"%d" % rematch.made, table.id)

        assert (again(), first) == ((b"1", True), [(b"1", False)])


class TestWhatIsWritten:
    def test_without_a_key_has_no_transaction_around_it(self, house):
        with listening() as said:
            assert (
                write_keeping(house, lambda conn: conn.info.transaction_status.name, None) == "IDLE"
            )
        assert said.statements == []

    def test_that_changed_nothing_is_not_kept(self, house):
        def keep(*_arguments):
            raise AssertionError("there is nothing to keep")

        assert write_keeping(house, lambda _conn: None, keep) is None
