"""Migrations: each once, in order, all or nothing, and never edited afterwards."""

import threading

import psycopg
import pytest

from service.storage import migrate as module
from service.storage.errors import MigrationError
from service.storage.migrate import at_head, migrate, read

ONE = "CREATE TABLE one (id int);"
TWO = "CREATE TABLE two (id int);"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "0001_one.sql").write_text(ONE)
    return tmp_path


@pytest.fixture
def conn(empty_database_url):
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        yield connection


def tables(conn) -> set[str]:
    found = conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    return {name for (name,) in found} - {"schema_migrations"}


class TestAFreshDatabase:
    def test_is_not_at_head(self, conn, folder):
        assert not at_head(conn, folder)

    def test_gets_every_file_in_order(self, conn, folder):
        (folder / "0002_two.sql").write_text("ALTER TABLE one ADD COLUMN more text;")
        assert [one.name for one in migrate(conn, folder)] == ["one", "two"]
        assert at_head(conn, folder)

    def test_is_at_head_of_no_migrations_once_migrated(self, conn, tmp_path):
        assert migrate(conn, tmp_path) == []
        assert at_head(conn, tmp_path)


class TestAMigratedDatabase:
    @pytest.fixture(autouse=True)
    def migrated(self, conn, folder):
        migrate(conn, folder)

    def test_is_left_alone(self, conn, folder):
        assert migrate(conn, folder) == []

    def test_gets_only_what_is_new(self, conn, folder):
        (folder / "0002_two.sql").write_text(TWO)
        assert not at_head(conn, folder)
        assert [one.number for one in migrate(conn, folder)] == [2]
        assert tables(conn) == {"one", "two"}

    def test_may_be_ahead_of_an_older_version(self, conn, folder, tmp_path_factory):
        (folder / "0002_two.sql").write_text(TWO)
        migrate(conn, folder)
        (folder / "0002_two.sql").unlink()
        assert at_head(conn, folder)

    def test_refuses_an_edited_file(self, conn, folder):
        (folder / "0001_one.sql").write_text(ONE + " -- better")
        (folder / "0002_two.sql").write_text(TWO)
        with pytest.raises(MigrationError, match="migration 1 was edited"):
            migrate(conn, folder)
        assert tables(conn) == {"one"}
        assert not at_head(conn, folder)

    def test_refuses_a_missing_file(self, conn, folder):
        (folder / "0001_one.sql").unlink()
        with pytest.raises(
            MigrationError, match="migration 1 was applied, but its file is missing"
        ):
            migrate(conn, folder)


class TestAFileThatFails:
    def test_leaves_nothing_of_itself_and_keeps_those_before(self, conn, folder):
        (folder / "0002_two.sql").write_text(TWO + " SELECT 1/0;")
        with pytest.raises(psycopg.errors.DivisionByZero):
            migrate(conn, folder)
        assert tables(conn) == {"one"}

    def test_gives_the_lock_back(self, conn, folder):
        (folder / "0001_one.sql").write_text("SELECT 1/0;")
        with pytest.raises(psycopg.errors.DivisionByZero):
            migrate(conn, folder)
        held = (
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
        )
        assert conn.execute(held).fetchone() == (0,)


class TestAFileWithoutATransaction:
    def test_may_build_an_index_concurrently(self, conn, folder):
        text = "-- no-transaction\nCREATE INDEX CONCURRENTLY one_id ON one (id);"
        (folder / "0002_index.sql").write_text(text)
        migrate(conn, folder)
        assert at_head(conn, folder)

    def test_may_not_without_the_mark(self, conn, folder):
        (folder / "0002_index.sql").write_text("CREATE INDEX CONCURRENTLY one_id ON one (id);")
        with pytest.raises(psycopg.errors.ActiveSqlTransaction):
            migrate(conn, folder)


class TestTwoMigrators:
    def test_work_one_after_the_other(self, conn, folder, empty_database_url):
        done: list[int] = []

        def other() -> None:
            with psycopg.connect(empty_database_url, autocommit=True) as second:
                done.append(len(migrate(second, folder)))

        conn.execute("SELECT pg_advisory_lock(%s)", (module.LOCK,))
        thread = threading.Thread(target=other)
        thread.start()
        waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        while conn.execute(waits).fetchone() == (0,):
            assert thread.is_alive()
        assert tables(conn) == set()
        conn.execute("SELECT pg_advisory_unlock(%s)", (module.LOCK,))
        thread.join()
        assert done == [1]
        assert migrate(conn, folder) == []


class TestNamesOfFiles:
    @pytest.mark.parametrize("name", ["1_one.sql", "0002-two.sql", "0002_Two.sql"])
    def test_must_be_proper(self, folder, name):
        (folder / name).write_text(TWO)
        with pytest.raises(MigrationError, match="is not named like"):
            read(folder)

    def test_must_not_leave_a_number_out(self, folder):
        (folder / "0003_three.sql").write_text(TWO)
        with pytest.raises(MigrationError, match="without a gap"):
            read(folder)

    def test_must_not_use_a_number_twice(self, folder):
        (folder / "0001_other.sql").write_text(TWO)
        with pytest.raises(MigrationError, match="without a gap"):
            read(folder)


class TestOurOwnFiles:
    def test_bring_an_empty_database_to_head(self, conn):
        migrate(conn)
        assert at_head(conn)
