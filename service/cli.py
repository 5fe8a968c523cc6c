"""The operator's commands: ``python -m service.cli run``, ``migrate``, ``verify`` and others.

Exit codes: 0 done, 1 it went wrong, 2 wrong usage or settings, 3 ``verify`` found something.
"""

import argparse
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from service import launcher
from service.leash import follow_parent
from service.postgres_programs import LocalServerError
from service.settings import Settings, SettingsError, load
from service.storage.errors import StorageError
from service.storage.setup import prepare, ready

if TYPE_CHECKING:
    from service.use_cases.house import House

WENT_WRONG: Final = 1
WRONG_SETTINGS: Final = 2
FINDING: Final = 3

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
    """Write the OpenAPI documents, which do not depend on any setting."""
    from service.app import create_app
    from service.document import api_of

    nowhere = replace(load({}), database_url="postgresql:///none", secrets=(b"unused" * 6,))
    api_of(create_app(nowhere)).write(arguments.folder)
    return 0


def verify(settings: Settings, _arguments: argparse.Namespace) -> int:
    """Fold the log of every game and compare it with what is stored."""
    from service.use_cases.verify_games import verify_all

    with _house(settings) as house:
        verdict = verify_all(house.store, house.codec)
    for finding in verdict.findings:
        print(f"{finding.game_id}: {finding.problem}")
    print(f"{verdict.games} games, {len(verdict.findings)} findings")
    return FINDING if verdict.findings else 0


def replay(settings: Settings, arguments: argparse.Namespace) -> int:
    """Print one game, move by move, from its log."""
    from service.use_cases.replay_game import replay as replay_game

    with _house(settings) as house:
        for line in replay_game(house.store, house.codec, arguments.game_id):
            print(line)
    return 0


@contextlib.contextmanager
def _house(settings: Settings) -> Iterator["House"]:
    """Find a database and lend what use cases work with."""
    from service.app import create_house

    with launcher.database(launcher.own_secrets(settings)) as found:
        house = create_house(found)
        try:
            if not ready(house.store):
                raise launcher.LaunchError("the database is not at head: run migrate first")
            yield house
        finally:
            house.store.close()


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
