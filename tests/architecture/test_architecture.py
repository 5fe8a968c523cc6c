"""The laws of the house that no import contract can hold: read from the source, not believed."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "service")
SOURCES = sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))
ALL = sorted([*SOURCES, *(ROOT / "tests").rglob("*.py"), *(ROOT / "deploy").rglob("*.py")])

LONGEST_FUNCTION = 70
LONGEST_FILE = 400
LARGEST_ENGINE = 5 * 1024 * 1024
"""Bytes of the engine with the weights of its players."""

USUAL_FUNCTION = 8
BANNED_NAMES = {
    "utils",
    "util",
    "helpers",
    "helper",
    "common",
    "base",
    "manager",
    "managers",
    "misc",
}

MAY_USE_NUMPY = ("engine/bulk.py", "engine/players/")
COMMANDS = ("engine/simulation.py", "engine/players/training/__main__.py")
"""What is run by hand: may look at the clock, write files, and say how many threads sums have."""

DEAL_PATH = ("engine/shuffle.py", "engine/game.py", "engine/hand.py", "service/")
"""Where a guessable random number would be a stacked deck or a stolen seat."""

DEALS_NOTHING = {
    "service/use_cases/computer_seats.py": "chooses moves, seeded by the service",
}
"""Modules that may have guessable random numbers all the same, and why."""

TESTED_ELSEWHERE = {
    "engine/__init__.py": "a docstring",
    "service/__init__.py": "a docstring",
    "service/call_problems.py": "a part of the table of service/problems.py",
    "service/card_problems.py": "a part of the table of service/problems.py",
    "service/field_problems.py": "a part of the table of service/problems.py",
    "service/problem_kinds.py": "what service/problems.py is made of",
    "service/problems.py": "a table: tests/service/test_errors.py, contract/test_catalogue.py",
    "service/schemas/ai.py": "declared: every answer is held to it, see tests/service/answering.py",
    "service/schemas/cards.py": "read in tests/service/schemas/test_moves.py and test_quick.py",
    "service/schemas/declare.py": "makes the fields of answers: tests/contract/test_five_noes.py",
    "service/schemas/dump.py": "writes every answer: tests/service/test_answers.py, blueprints/",
    "service/schemas/entries.py": "read in tests/service/blueprints/test_entries.py",
    "service/schemas/fields.py": "read in tests/service/schemas/test_quick.py and test_moves.py",
    "service/schemas/hands.py": "read in tests/service/blueprints/test_hands.py",
    "service/schemas/legal.py": "declared: tests/service/answering.py holds every answer to it",
    "service/schemas/log.py": "declared: tests/service/answering.py holds every answer to it",
    "service/schemas/score_sheets.py": "read in tests/service/blueprints/test_score_sheets.py",
    "service/schemas/play_analyses.py": "declared: every answer is held to it; test_advice.py",
    "service/schemas/portals.py": "read and declared: blueprints/test_portal_games.py",
    "service/schemas/scores.py": "declared: every answer is held to it",
    "service/schemas/seats.py": "read in blueprints/test_seats.py and schemas/test_quick.py",
    "service/schemas/service.py": "declared: tests/service/blueprints/test_service.py",
    "service/schemas/shapes.py": "read in tests/service/schemas/test_quick.py, test_incoming.py",
    "service/schemas/webhooks.py": "read in blueprints/test_webhooks.py and test_portal_feed.py",
    "service/storage/errors.py": "raised in tests/service/storage/test_pool.py and test_migrate.py",
}
"""Modules without a test file of their own, and where their tests are instead."""

SQL = re.compile(
    r"\b(SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+(TABLE|INDEX))\b",
    re.DOTALL,
)


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)} imports by a relative name"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef))


def length(node: ast.FunctionDef) -> int:
    """Lines of the function, less its docstring and the functions inside, which count alone."""
    inner = [one for one in ast.walk(node) if isinstance(one, ast.FunctionDef) and one is not node]
    outermost = [
        one
        for one in inner
        if not any(one in ast.walk(other) for other in inner if other is not one)
    ]
    first = node.body[0]
    documented = ast.get_docstring(node) is not None
    docstring = first.end_lineno - first.lineno + 1 if documented else 0
    apart = sum(one.end_lineno - one.lineno + 1 for one in outermost)
    return node.end_lineno - node.lineno + 1 - docstring - apart


def public(path: Path) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """The functions and classes of a module, and the methods of its classes, without underscore."""

    def inside(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.ClassDef]:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                yield node
                if isinstance(node, ast.ClassDef):
                    yield from inside(node.body)

    return inside(tree(path).body)


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """Every string of a module that is not a docstring."""
    module = tree(path)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(module)
        if isinstance(node, documented) and ast.get_docstring(node) is not None
    }
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and id(node) not in docstrings:
            yield node.lineno, str(node.value)


def test_there_is_something_to_look_at():
    assert len(SOURCES) > 20
    assert sum(1 for path in SOURCES for _ in functions(path)) > 100


class TestImports:
    def test_keep_the_contracts(self):
        command = [Path(sys.executable).parent / "lint-imports", "--no-cache"]
        told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert told.returncode == 0, told.stdout + told.stderr
        assert "0 broken" in told.stdout

    def test_of_the_engine_are_the_standard_library(self):
        for path in (path for path in SOURCES if name_of(path).startswith("engine/")):
            allowed = sys.stdlib_module_names | {"engine"}
            if name_of(path).startswith(MAY_USE_NUMPY):
                allowed |= {"numpy"}
            assert {name.split(".")[0] for name in imports(path)} <= allowed, name_of(path)

    def test_of_the_rules_leave_bulk_and_players_alone(self):
        apart = ("engine.bulk", "engine.players")
        for path in (path for path in SOURCES if name_of(path).startswith("engine/")):
            if not name_of(path).startswith((*MAY_USE_NUMPY, "engine/simulation.py")):
                assert not [name for name in imports(path) if name.startswith(apart)], name_of(path)

    def test_of_the_engine_touch_neither_clock_nor_disk_nor_net(self):
        banned = {"time", "os", "socket", "subprocess", "pathlib", "threading", "secrets", "uuid"}
        for path in (path for path in SOURCES if name_of(path).startswith("engine/")):
            if name_of(path) not in COMMANDS:
                assert not {name.split(".")[0] for name in imports(path)} & banned, name_of(path)

    def test_of_the_deal_know_no_guessable_random_numbers(self):
        for path in (path for path in SOURCES if name_of(path).startswith(DEAL_PATH)):
            if name_of(path) in DEALS_NOTHING:
                continue
            found = {name.split(".")[0] for name in imports(path)}
            assert "random" not in found, name_of(path)
            assert "numpy.random" not in set(imports(path)), name_of(path)

    def test_of_psycopg_are_in_storage(self):
        for path in (path for path in SOURCES if not name_of(path).startswith("service/storage/")):
            assert not [name for name in imports(path) if name.startswith("psycopg")], name_of(path)

    def test_of_flask_are_not_in_use_cases_and_storage(self):
        http = ("flask", "werkzeug", "marshmallow", "webargs", "apispec")
        for path in (path for path in SOURCES if name_of(path).startswith("service/")):
            if name_of(path).startswith(("service/use_cases/", "service/storage/")):
                assert not [name for name in imports(path) if name.startswith(http)], name_of(path)


class TestSql:
    def test_is_in_storage_alone(self):
        for path in (path for path in SOURCES if not name_of(path).startswith("service/storage/")):
            found = [line for line, text in strings(path) if SQL.search(text)]
            assert not found, f"{name_of(path)} speaks SQL in lines {found}"

    def test_is_recognised(self):
        storage = (ROOT / "service" / "storage").rglob("*.py")
        found = [name_of(path) for path in storage for _, text in strings(path) if SQL.search(text)]
        assert "service/storage/migrate.py" in found


class TestNames:
    def test_of_modules_say_what_is_in_them(self):
        assert not [name_of(path) for path in ALL if path.stem in BANNED_NAMES]

    def test_of_the_environment_are_read_in_one_place(self):
        """Processes are started with an environment; only the settings take anything from it."""
        readers = {
            name_of(path)
            for path in SOURCES
            for node in ast.walk(tree(path))
            if isinstance(node, ast.Attribute) and ast.unparse(node) in {"os.environ", "os.getenv"}
        }
        starters = {"service/cli.py", "service/wsgi.py", "service/launcher.py", "service/local.py"}
        assert readers <= {"service/settings.py"} | starters | set(COMMANDS)


class TestSizes:
    @pytest.mark.parametrize("path", ALL, ids=name_of)
    def test_of_files(self, path):
        assert len(path.read_text("utf-8").splitlines()) <= LONGEST_FILE

    def test_of_the_engine_with_its_weights(self):
        """A player is downloaded with the engine; a few hundred KiB of weights have to do."""
        files = [path for path in (ROOT / "engine").rglob("*") if path.is_file()]
        kept = [path for path in files if "__pycache__" not in path.parts]
        assert any(path.suffix == ".npz" for path in kept)
        assert sum(path.stat().st_size for path in kept) < LARGEST_ENGINE

    def test_of_functions(self):
        long = [
            f"{name_of(path)}:{node.lineno} {node.name}"
            for path in ALL
            for node in functions(path)
            if length(node) > LONGEST_FUNCTION
        ]
        assert long == []

    def test_of_most_functions(self):
        lengths = sorted(length(node) for path in SOURCES for node in functions(path))
        assert lengths[len(lengths) // 2] <= USUAL_FUNCTION
        assert lengths[len(lengths) * 9 // 10] <= 25


class TestPublicNames:
    def test_have_a_docstring(self):
        bare = [
            f"{name_of(path)}:{node.lineno} {node.name}"
            for path in SOURCES
            for node in public(path)
            if ast.get_docstring(node) is None
        ]
        assert bare == []

    def test_have_types(self):
        bare = [
            f"{name_of(path)}:{node.lineno} {node.name}"
            for path in SOURCES
            for node in public(path)
            if isinstance(node, ast.FunctionDef) and node.returns is None
        ]
        assert bare == []

    def test_of_modules_begin_with_a_docstring(self):
        assert not [name_of(path) for path in SOURCES if ast.get_docstring(tree(path)) is None]


class TestMirror:
    """Every module has its tests in a file that can be found from its name."""

    def test_is_complete(self):
        missing = [
            name_of(path)
            for path in SOURCES
            if name_of(path) not in TESTED_ELSEWHERE
            and not (path.name == "__init__.py" and not list(public(path)))
            and not (ROOT / "tests" / path.relative_to(ROOT).parent / f"test_{path.name}").is_file()
        ]
        assert missing == []

    def test_excepts_only_what_is_there(self):
        assert all((ROOT / name).is_file() for name in TESTED_ELSEWHERE)


class TestFolders:
    def test_open_with_a_few_sentences(self):
        folders = {path.parent for path in SOURCES} | {
            ROOT / name for name in ("tests", "deploy", "openapi")
        }
        for folder in folders:
            text = (folder / "README.md").read_text("utf-8")
            assert text.startswith(f"# {folder.relative_to(ROOT)}\n")
            assert text.count(".") >= 2, f"{name_of(folder)}/README.md says nothing"


class TestLeftovers:
    UNFINISHED = re.compile(
        r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b|NotImplemented" + "Error"
    )

    @pytest.mark.parametrize("path", ALL, ids=name_of)
    def test_are_none(self, path):
        assert not self.UNFINISHED.search(path.read_text("utf-8"))
