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
from service.portal_keys import SCOPES
from service.postgres_programs import LocalServerError
from service.settings import Settings, SettingsError, load
from service.storage.errors import StorageError
from service.storage.setup import prepare, ready

if TYPE_CHECKING:
    from service.use_cases.house import House
    from service.use_cases.manage_keys import NewKey

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


def keys(settings: Settings, arguments: argparse.Namespace) -> int:
    """Make, list, rotate and revoke the keys of portals."""
    from service.use_cases.manage_keys import UnknownScope

    with _house(settings) as house:
        try:
            return KEYS[arguments.keys_command](house, arguments)
        except UnknownScope as error:
            print(error, file=sys.stderr)
            return WRONG_SETTINGS


def create_key(house: "House", arguments: argparse.Namespace) -> int:
    """Make a key of a portal, and the portal with its first; show the key this once."""
    from service.use_cases import manage_keys

    scopes = [scope.strip() for scope in arguments.scopes.split(",") if scope.strip()]
    _show(manage_keys.create_key(house.store, arguments.portal, scopes))
    return 0


def list_keys(house: "House", _arguments: argparse.Namespace) -> int:
    """List all keys by id, without the keys themselves."""
    from service.use_cases import manage_keys

    for key in manage_keys.list_keys(house.store):
        until = f"revoked {key.revoked_at:%Y-%m-%d}" if key.revoked_at else "good"
        since = f"since {key.created_at:%Y-%m-%d}"
        instead = f"replaces {key.replaces}" if key.replaces else ""
        line = (key.id, key.portal, ",".join(key.scopes), since, until, instead)
        print("  ".join(filter(None, line)))
    return 0


def rotate_key(house: "House", arguments: argparse.Namespace) -> int:
    """Make a key in the place of another, which stays good until it is revoked."""
    from service.use_cases import manage_keys

    _show(manage_keys.rotate_key(house.store, arguments.key_id))
    return 0


def revoke_key(house: "House", arguments: argparse.Namespace) -> int:
    """End a key at once."""
    from service.use_cases import manage_keys

    manage_keys.revoke_key(house.store, arguments.key_id)
    print(f"{arguments.key_id} is revoked.")
    return 0


def _show(made: "NewKey") -> None:
    print(made.key)
    print(f"This is key {made.id}. It is not shown again.", file=sys.stderr)


def sweep(settings: Settings, _arguments: argparse.Namespace) -> int:
    """Let clocks act, end games that nobody goes on with, and delete old sheets and events."""
    from service.use_cases.expire_overdue import expire_all
    from service.use_cases.read_feed import sweep_events
    from service.use_cases.sweep_games import expiry_of, sweep_games

    with _house(settings) as house:
        expire_all(house)
        swept = sweep_games(house, expiry_of(settings))
        removed = sweep_events(house.store)
    print(
        f"{swept.abandoned} games abandoned, {swept.archived} archived, "
        f"{swept.sheets} score sheets deleted"
    )
    print(f"{removed} events and deliveries removed")
    return 0


def erase(settings: Settings, arguments: argparse.Namespace) -> int:
    """Erase who played: names, references, notes, reasons, labels, metadata. Scores stay."""
    from service.use_cases.forget_players import forget_game, forget_player, forget_score_sheet

    count, what = 1, "games"
    with _house(settings) as house:
        if arguments.score_sheet is not None:
            forget_score_sheet(house.store, arguments.score_sheet)
            what = "score sheets"
        elif arguments.game is not None:
            forget_game(house.store, arguments.game)
        else:
            count = forget_player(house.store, arguments.player_ref, arguments.portal)
    print(f"{count} {what}")
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
    "keys": keys,
    "sweep": sweep,
    "erase": erase,
}

KEYS: Final[dict[str, Callable[["House", argparse.Namespace], int]]] = {
    "create": create_key,
    "list": list_keys,
    "rotate": rotate_key,
    "revoke": revoke_key,
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
    _describe_keys(of["keys"])
    _describe_erase(of["erase"])
    return top


def _describe_keys(keys_parser: argparse.ArgumentParser) -> None:
    commands = keys_parser.add_subparsers(dest="keys_command", required=True, metavar="COMMAND")
    of = {
        name: commands.add_parser(name, help=command.__doc__, description=command.__doc__)
        for name, command in KEYS.items()
    }
    of["create"].add_argument("--portal", required=True, metavar="NAME")
    of["create"].add_argument(
        "--scopes", required=True, metavar="SCOPES", help=f"with commas: {', '.join(SCOPES)}"
    )
    for name in ("rotate", "revoke"):
        of[name].add_argument("key_id", metavar="KEY_ID")


def _describe_erase(erase_parser: argparse.ArgumentParser) -> None:
    whom = erase_parser.add_mutually_exclusive_group(required=True)
    whom.add_argument("--game", metavar="GAME_ID")
    whom.add_argument("--player-ref", metavar="REF", help="in all games of a portal, or of all")
    whom.add_argument("--score-sheet", metavar="SHEET_ID", help="all names on it")
    erase_parser.add_argument("--portal", metavar="NAME", help="with --player-ref")


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
