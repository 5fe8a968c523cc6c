"""The operator's commands: ``python -m service.cli run``, ``migrate``, ``verify`` and others.

Exit codes: 0 done, 1 it went wrong, 2 wrong usage or settings, 3 ``verify`` found a difference.
"""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from service import launcher
from service.leash import follow_parent
from service.postgres_programs import LocalServerError
from service.settings import Settings, SettingsError, load
from service.storage.errors import StorageError
from service.storage.pool import open_store
from service.storage.setup import prepare

WENT_WRONG: Final = 1
WRONG_SETTINGS: Final = 2
DIFFERENCE: Final = 3

# What a command needs beyond its database is imported when it runs: `migrate` must work, and the
# others must say what is wrong, on a machine where some of it does not.


def run(settings: Settings, arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C, with a database of our own unless DATABASE_URL names one."""
    if arguments.with_parent:
        follow_parent(signal.SIGTERM)
    launcher.run(launcher.own_secrets(settings), arguments.application)
    return 0


def migrate(settings: Settings, _arguments: argparse.Namespace) -> int:
    """Bring the database to the schema of this version."""
    with launcher.database(settings) as found:
        applied = prepare(found)
    for one in applied:
        print(f"applied {one.number:04} {one.name}")
    print("The database is at head.")
    return 0


def spec(_settings: Settings, arguments: argparse.Namespace) -> int:
    """Write the OpenAPI documents."""
    from service import document

    document.write(arguments.folder)
    return 0


def verify(settings: Settings, _arguments: argparse.Namespace) -> int:
    """Fold the log of every game and compare it with what is stored."""
    from service.use_cases.verify_games import verify_all

    differences = 0
    with launcher.database(launcher.own_secrets(settings)) as found:
        store = open_store(found)
        try:
            for difference in verify_all(store):
                print(difference)
                differences += 1
        finally:
            store.close()
    print(f"{differences} differences")
    return DIFFERENCE if differences else 0


def replay(settings: Settings, arguments: argparse.Namespace) -> int:
    """Print one game, move by move, from its log."""
    from service.use_cases.replay_game import replay as replay_game

    with launcher.database(launcher.own_secrets(settings)) as found:
        store = open_store(found)
        try:
            for line in replay_game(store, arguments.game_id):
                print(line)
        finally:
            store.close()
    return 0


COMMANDS: Final[dict[str, Callable[[Settings, argparse.Namespace], int]]] = {
    "run": run,
    "migrate": migrate,
    "spec": spec,
    "verify": verify,
    "replay": replay,
}


def parser() -> argparse.ArgumentParser:
    """Return the reader of command lines."""
    top = argparse.ArgumentParser(prog="python -m service.cli", description="Gin Rummy over HTTP.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    of = {
        name: commands.add_parser(name, help=command.__doc__, description=command.__doc__)
        for name, command in COMMANDS.items()
    }
    of["run"].add_argument(
        "--with-parent",
        action="store_true",
        help="stop when the process that started this one dies",
    )
    of["run"].add_argument("--application", default="service.wsgi:app", help=argparse.SUPPRESS)
    of["spec"].add_argument("folder", nargs="?", type=Path, default=Path("openapi"))
    of["replay"].add_argument("game_id", metavar="GAME_ID")
    return top


def main(words: Sequence[str] | None = None) -> int:
    """Run the command that ``words`` name; return the exit code."""
    arguments = parser().parse_args(words)
    try:
        return COMMANDS[arguments.command](load(os.environ), arguments)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return WRONG_SETTINGS
    except (launcher.LaunchError, LocalServerError, StorageError) as error:
        print(error, file=sys.stderr)
        return WENT_WRONG
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


if __name__ == "__main__":
    sys.exit(main())
