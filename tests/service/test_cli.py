"""The operator's commands: what they do, and the exit codes that scripts rely on."""

import os
import re
import subprocess
import sys
import types
from pathlib import Path

import psycopg
import pytest

from service import cli
from service.storage.pool import Store
from service.use_cases.verify_games import Finding, Verdict

ROOT = Path(__file__).parents[2]


@pytest.fixture
def environ(monkeypatch, empty_database_url):
    """The environment of a command on a database of its own."""
    monkeypatch.setenv("DATABASE_URL", empty_database_url)
    monkeypatch.setenv("GIN_REQUIRE_DURABLE", "false")
    monkeypatch.setenv("GIN_SECRET", "0123456789abcdef0123456789abcdef")


@pytest.fixture
def use_case(monkeypatch):
    """Puts a use case in the place of the real one."""

    def put(module: str, **functions) -> None:
        monkeypatch.setitem(sys.modules, module, types.SimpleNamespace(**functions))

    return put


class TestMigrate:
    def test_brings_the_database_to_head_and_says_what_it_did(self, environ, capsys):
        assert cli.main(["migrate"]) == 0
        said = capsys.readouterr().out
        assert said.endswith("The database is at head.\n")
        assert cli.main(["migrate"]) == 0
        assert capsys.readouterr().out == "The database is at head.\n"

    def test_says_when_there_is_no_server(self, monkeypatch, capsys):
        monkeypatch.setenv("DATABASE_URL", "postgresql:///none?host=/nowhere")
        assert cli.main(["migrate"]) == 1
        assert "/nowhere" in capsys.readouterr().err

    def test_refuses_files_that_do_not_belong_to_the_database(
        self, environ, empty_database_url, capsys
    ):
        cli.main(["migrate"])
        with psycopg.connect(empty_database_url) as conn:
            conn.execute("INSERT INTO schema_migrations VALUES (9999, 'other', '')")
        assert cli.main(["migrate"]) == 1
        assert "migration 9999" in capsys.readouterr().err


class TestVerify:
    def test_asks_for_the_migrations_first(self, environ, capsys):
        assert cli.main(["verify"]) == 1
        assert capsys.readouterr().err == "the database is not at head: run migrate first\n"

    def test_is_content_without_findings(self, environ, capsys):
        cli.main(["migrate"])
        capsys.readouterr()
        assert cli.main(["verify"]) == 0
        assert capsys.readouterr().out == "0 games, 0 findings\n"

    def test_prints_each_finding_and_has_its_own_exit_code(self, environ, use_case, capsys):
        cli.main(["migrate"])
        capsys.readouterr()

        def verify_all(store, codec):
            return Verdict(2, (Finding("g_1", "the log has a hole"),))

        use_case("service.use_cases.verify_games", verify_all=verify_all)
        assert cli.main(["verify"]) == 3
        assert capsys.readouterr().out == "g_1: the log has a hole\n2 games, 1 findings\n"


class TestReplay:
    def test_prints_a_game_line_by_line(self, environ, use_case, capsys):
        cli.main(["migrate"])
        capsys.readouterr()

        def replay(store, codec, game_id):
            assert isinstance(store, Store)
            return [game_id, "1 draw"]

        use_case("service.use_cases.replay_game", replay=replay)
        assert cli.main(["replay", "g_1"]) == 0
        assert capsys.readouterr().out == "g_1\n1 draw\n"

    def test_says_when_there_is_no_such_game(self, environ, capsys):
        cli.main(["migrate"])
        assert cli.main(["replay", "g_none"]) == 1
        assert capsys.readouterr().err == "there is no game g_none\n"

    def test_needs_a_game(self, capsys):
        with pytest.raises(SystemExit, match="2"):
            cli.main(["replay"])


@pytest.fixture
def migrated(environ, capsys):
    cli.main(["migrate"])
    capsys.readouterr()


def made(capsys, *words):
    """The key that a command shows, and its id."""
    assert cli.main(["keys", *words]) == 0
    said = capsys.readouterr()
    key = said.out.removesuffix("\n")
    assert re.fullmatch(r"grk_[A-Za-z0-9_-]{43}", key)
    return key, re.fullmatch(r"This is key (k_\w+)\. It is not shown again\.\n", said.err)[1]


class TestKeys:
    def test_are_shown_once_and_listed_by_their_ids(self, migrated, capsys):
        key, key_id = made(
            capsys, "create", "--portal", "arcade", "--scopes", "games:read, sandbox"
        )
        assert cli.main(["keys", "list"]) == 0
        listed = capsys.readouterr().out
        assert re.fullmatch(
            rf"{key_id}  arcade  games:read,sandbox  since \d{{4}}-\d\d-\d\d  good\n", listed
        )
        assert key not in listed

    def test_can_be_rotated_and_revoked(self, migrated, capsys):
        _, old = made(capsys, "create", "--portal", "arcade", "--scopes", "scoring")
        _, new = made(capsys, "rotate", old)
        assert cli.main(["keys", "revoke", old]) == 0
        assert capsys.readouterr().out == f"{old} is revoked.\n"
        cli.main(["keys", "list"])
        first, second = capsys.readouterr().out.splitlines()
        assert "revoked 2" in first
        assert second.startswith(new)
        assert second.endswith(f"good  replaces {old}")

    def test_of_an_unknown_scope_are_wrong_usage(self, migrated, capsys):
        assert cli.main(["keys", "create", "--portal", "arcade", "--scopes", "games"]) == 2
        assert capsys.readouterr().err.startswith("the scopes are scoring, games:read")

    @pytest.mark.parametrize("command", ["rotate", "revoke"])
    def test_that_are_not_there_are_said_to_be_none(self, migrated, capsys, command):
        assert cli.main(["keys", command, "k_none"]) == 1
        assert "k_none" in capsys.readouterr().err

    @pytest.mark.parametrize("words", [[], ["create"], ["create", "--portal", "x"], ["rotate"]])
    def test_need_their_words(self, words):
        with pytest.raises(SystemExit, match="2"):
            cli.main(["keys", *words])


class TestSweep:
    def test_says_what_it_did(self, migrated, capsys):
        assert cli.main(["sweep"]) == 0
        said = (
            "0 games abandoned, 0 archived, 0 score sheets deleted\n"
            "0 events and deliveries removed\n"
        )
        assert capsys.readouterr().out == said


class TestErase:
    def test_says_how_many_games_it_was(self, migrated, capsys):
        assert cli.main(["erase", "--player-ref", "x", "--portal", "arcade"]) == 0
        assert capsys.readouterr().out == "0 games\n"

    def test_says_when_there_is_no_such_game(self, migrated, capsys):
        assert cli.main(["erase", "--game", "g_none"]) == 1
        assert capsys.readouterr().err == "there is no game g_none\n"

    def test_erases_a_game(self, migrated, use_case, capsys):
        erased = []
        use_case(
            "service.use_cases.forget_players",
            forget_game=lambda store, game_id: erased.append(game_id),
            forget_player=None,
            forget_score_sheet=None,
        )
        assert cli.main(["erase", "--game", "g_1"]) == 0
        assert (erased, capsys.readouterr().out) == (["g_1"], "1 games\n")

    def test_erases_a_score_sheet(self, migrated, use_case, capsys):
        assert cli.main(["erase", "--score-sheet", "ss_none"]) == 1
        assert capsys.readouterr().err == "there is no score sheet ss_none\n"
        erased = []
        use_case(
            "service.use_cases.forget_players",
            forget_game=None,
            forget_player=None,
            forget_score_sheet=lambda store, sheet_id: erased.append(sheet_id),
        )
        assert cli.main(["erase", "--score-sheet", "ss_1"]) == 0
        assert (erased, capsys.readouterr().out) == (["ss_1"], "1 score sheets\n")

    @pytest.mark.parametrize(
        "words",
        [[], ["--game", "g_1", "--player-ref", "x"], ["--game", "g_1", "--score-sheet", "ss_1"]],
    )
    def test_is_of_a_game_a_sheet_or_a_player(self, words):
        with pytest.raises(SystemExit, match="2"):
            cli.main(["erase", *words])


class TestSpec:
    def test_writes_both_documents_whatever_is_set(self, tmp_path, monkeypatch):
        monkeypatch.setenv("GIN_PUBLIC_URL", "https://elsewhere.example.org")
        assert cli.main(["spec", str(tmp_path)]) == 0
        assert {path.name for path in tmp_path.iterdir()} == {"openapi.json", "openapi-3.0.json"}
        assert "elsewhere.example.org" not in (tmp_path / "openapi.json").read_text()


class TestWrongUsage:
    def test_of_a_setting_names_it(self, monkeypatch, capsys):
        monkeypatch.setenv("PORT", "http")
        assert cli.main(["migrate"]) == 2
        assert capsys.readouterr().err.startswith("PORT: ")

    @pytest.mark.parametrize("words", [[], ["dance"], ["run", "--fast"]])
    def test_of_words_shows_the_usage(self, words, capsys):
        with pytest.raises(SystemExit, match="2"):
            cli.main(words)
        assert "usage: python -m service.cli" in capsys.readouterr().err


class TestHelp:
    def test_names_every_command(self):
        command = [sys.executable, "-m", "service.cli", "--help"]
        told = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True)
        assert told.returncode == 0
        assert all(name in told.stdout for name in cli.COMMANDS)
