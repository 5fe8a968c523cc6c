"""The pool: limits in number and time, and what each kind of failure is called."""

import contextlib
import threading
import traceback
from dataclasses import replace

import psycopg
import pytest

from service.storage import pool as module
from service.storage.errors import Busy, NotDurable, OutcomeUnknown, StatementRefused, Unavailable
from service.storage.pool import Store, connect, open_store, require_durable


@pytest.fixture
def admin(server_url):
    with psycopg.connect(server_url, autocommit=True) as conn:
        yield conn


@pytest.fixture
def stores(settings):
    """Makes stores with changed settings, and closes them."""
    with contextlib.ExitStack() as cleanup:

        def make(**changes) -> Store:
            store = Store(replace(settings, **changes))
            cleanup.callback(store.close)
            return store

        yield make


class TestAConnection:
    def test_commits_each_statement_by_itself(self, store):
        with store.writing() as conn:
            assert conn.autocommit

    def test_has_the_time_limits_of_the_settings(self, stores):
        store = stores(
            statement_timeout_ms=1234, lock_timeout_ms=567, idle_in_transaction_timeout_ms=8901
        )
        with store.reading() as conn:
            shown = [
                conn.execute(f"SHOW {name}").fetchone()[0]
                for name in (
                    "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout",
                )
            ]  # fmt: skip
        assert shown == ["1234ms", "567ms", "8901ms"]

    @pytest.mark.parametrize(("wanted", "threshold"), [(True, 0), (False, None)])
    def test_prepares_statements_as_the_settings_say(self, stores, wanted, threshold):
        with stores(prepare_statements=wanted).reading() as conn:
            assert conn.prepare_threshold == threshold

    def test_goes_back_clean_when_its_borrower_fails(self, stores):
        store = stores(pool_size=1)
        with pytest.raises(StatementRefused), store.writing() as conn, conn.transaction():
            conn.execute("SELECT 1/0")
        with store.reading() as conn:
            assert conn.info.transaction_status == psycopg.pq.TransactionStatus.IDLE


class TestAFullPool:
    def test_is_unavailable_after_its_timeout(self, stores):
        store = stores(pool_size=1, pool_timeout_seconds=0.05)
        with store.reading(), pytest.raises(Unavailable), store.reading():
            pass

    def test_refuses_at_once_who_comes_after_the_last_that_may_wait(self, stores):
        store = stores(pool_size=1, pool_max_waiting=1, pool_timeout_seconds=60)
        entered = threading.Event()

        def wait() -> None:
            with store.reading():
                entered.set()

        with store.reading():
            thread = threading.Thread(target=wait)
            thread.start()
            while not store._pool.get_stats()["requests_waiting"]:
                assert thread.is_alive()
            with pytest.raises(Unavailable, match="waiting"), store.reading():
                pass
            assert not entered.is_set()
        thread.join()
        assert entered.is_set()

    def test_is_unavailable_once_closed(self, stores):
        store = stores()
        store.open()
        store.close()
        with pytest.raises(Unavailable), store.reading():
            pass


class TestAServerThatIsAway:
    AWAY = "postgresql:///none?host=/nowhere"

    def test_is_unavailable_but_does_not_keep_the_service_from_starting(self, stores):
        store = stores(database_url=self.AWAY, pool_timeout_seconds=0.05)
        store.open()
        with pytest.raises(Unavailable), store.reading():
            pass

    def test_must_be_named(self, settings):
        with pytest.raises(ValueError, match="DATABASE_URL"):
            Store(replace(settings, database_url=None))


class TestAStatementThatTakesTooLong:
    @pytest.mark.parametrize("way", ["reading", "writing"])
    def test_is_busy(self, stores, way):
        store = stores(statement_timeout_ms=20)
        with pytest.raises(Busy), getattr(store, way)() as conn:
            conn.execute("SELECT pg_sleep(60)")

    def test_is_busy_when_it_waits_for_a_lock(self, stores, admin, database_url):
        store = stores(lock_timeout_ms=20)
        with psycopg.connect(database_url) as other:
            other.execute("SELECT pg_advisory_xact_lock(7)")
            with pytest.raises(Busy), store.writing() as conn:
                conn.execute("SELECT pg_advisory_xact_lock(7)")


class TestAConnectionThatIsLost:
    def lose(self, conn, admin) -> None:
        admin.execute("SELECT pg_terminate_backend(%s, 5000)", (conn.info.backend_pid,))
        conn.execute("SELECT 1")

    def test_while_reading_is_unavailable(self, stores, admin):
        with pytest.raises(Unavailable), stores().reading() as conn:
            self.lose(conn, admin)

    def test_while_writing_leaves_the_outcome_unknown(self, stores, admin):
        with pytest.raises(OutcomeUnknown), stores().writing() as conn:
            self.lose(conn, admin)

    def test_during_a_statement_leaves_the_outcome_unknown(self, stores, admin):
        with pytest.raises(OutcomeUnknown), stores().writing() as conn:
            conn.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    def test_while_idle_is_noticed_before_it_is_lent(self, stores, admin):
        store = stores(pool_size=1)
        with store.reading() as conn:
            lost = conn.info.backend_pid
        admin.execute("SELECT pg_terminate_backend(%s, 5000)", (lost,))
        with store.reading() as conn:
            assert conn.info.backend_pid != lost
            assert conn.execute("SELECT 1").fetchone() == (1,)


class TestAServerThatRefuses:
    def test_a_standby_is_unavailable(self, stores):
        refuse = "DO $$ BEGIN SET TRANSACTION READ ONLY; CREATE TABLE never (id int); END $$"
        with pytest.raises(Unavailable), stores().writing() as conn:
            conn.execute(refuse)

    def test_a_full_disk_is_unavailable(self, stores):
        with pytest.raises(Unavailable), stores().writing() as conn:
            conn.execute("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full'; END $$")

    @pytest.mark.parametrize("borrow", [Store.reading, Store.writing])
    def test_a_mistake_of_ours_is_told_as_one(self, stores, borrow):
        said = '^SyntaxError 42601 syntax error at or near "SELEC"'
        with pytest.raises(StatementRefused, match=said), borrow(stores()) as conn:
            conn.execute("SELEC 1")

    @pytest.mark.parametrize(
        ("statement", "said"),
        [
            ("INSERT INTO kept VALUES ('a secret', 1)", "CheckViolation 23514 kept positive"),
            ("INSERT INTO kept VALUES (NULL, -1)", "NotNullViolation 23502 kept name"),
            ("SELECT 'a secret'::int", "InvalidTextRepresentation 22P02"),
        ],
    )
    def test_a_row_that_it_refuses_is_not_told(self, stores, statement, said):
        store = stores(pool_size=1)
        with store.writing() as conn:
            conn.execute(
                "CREATE TEMPORARY TABLE kept"
                " (name text NOT NULL, number int CONSTRAINT positive CHECK (number < 0))"
            )
        with pytest.raises(StatementRefused) as caught, store.writing() as conn:
            conn.execute(statement)
        assert str(caught.value) == said
        assert "a secret" not in "".join(traceback.format_exception(caught.value))


class TestANotice:
    RAISE = "DO $$ BEGIN RAISE WARNING 'canceling wait for synchronous replication'; END $$"

    def test_during_a_write_leaves_the_outcome_unknown(self, stores):
        with pytest.raises(OutcomeUnknown, match="synchronous"), stores().writing() as conn:
            conn.execute(self.RAISE)

    def test_does_not_stick_to_the_connection(self, stores):
        store = stores(pool_size=1)
        with pytest.raises(OutcomeUnknown), store.writing() as conn:
            conn.execute(self.RAISE)
        with store.writing() as conn:
            conn.execute("SELECT 1")
        assert conn._notice_handlers == []

    def test_during_a_read_changes_nothing(self, stores):
        with stores().reading() as conn:
            conn.execute(self.RAISE)


class TestPromises:
    """A server that would lose acknowledged moves is refused, unless a test says that it may."""

    @pytest.fixture
    def forgetful(self, database_url) -> str:
        """The tests' server waits for nothing: the very server to refuse."""
        return database_url

    def test_the_setting_that_is_off_is_named(self, forgetful):
        with psycopg.connect(forgetful) as conn, pytest.raises(NotDurable, match="fsync = off"):
            require_durable(conn)

    def test_a_store_does_not_open(self, settings, forgetful):
        with pytest.raises(NotDurable):
            open_store(replace(settings, require_durable=True))

    @pytest.mark.parametrize("name", module.DURABLE)
    def test_each_setting_is_looked_at(self, settings, name, monkeypatch):
        monkeypatch.setattr(module, "DURABLE", (name,))
        with connect(settings) as conn, pytest.raises(NotDurable, match=f"{name} = off"):
            require_durable(conn)

    def test_a_server_that_keeps_them_is_accepted(self, settings, monkeypatch):
        monkeypatch.setattr(module, "DURABLE", ("enable_seqscan",))
        with connect(settings) as conn:
            require_durable(conn)
