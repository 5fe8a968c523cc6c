"""What the pages are: which there are, where they stand, and what is in them.

Knows no HTTP. All of it follows from the code and the files beside it, so a page is made once.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import orjson
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from service.problem_kinds import FIELD, ProblemKind
from service.problems import CATALOGUE, FIELD_CODES
from service.web.markdown import Rendered, links_of, rendered, slug

ROOT: Final = Path(__file__).parents[2]
GUIDE: Final = ROOT / "openapi" / "guide"
EXAMPLES: Final = ROOT / "openapi" / "examples"
PROGRAMS: Final = ROOT / "openapi" / "clients"
CHANGELOG: Final = ROOT / "CHANGELOG.md"
TEMPLATES: Final = Path(__file__).with_name("templates")

DOCS: Final = "/docs"
"""Where the pages begin."""

LOCAL_ADDRESS: Final = "http://localhost:8000"
"""The address that the guide is written with; a served page has the service's own instead."""

LONG: Final = ("game", "moves", "score_sheet")
"""What a page leaves out of the example of a problem."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of the guide in its list."""

    name: str
    title: str
    says: str

    @property
    def address(self) -> str:
        """Where it is served."""
        return f"{DOCS}/guide/{self.name}"


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the list of the guide."""

    title: str
    entries: tuple[Entry, ...]


class Site:
    """Makes pages.

    ``public_url`` is the address under which clients reach the service. ``document`` is the OpenAPI
    document, from which the words come that lead into the reference.
    """

    def __init__(self, public_url: str, document: Mapping[str, Any]) -> None:
        self._public_url = public_url
        self._operations = {one["operationId"]: one for one in _operations(document)}
        self._words = {code: f"{DOCS}/problems/{code}" for code in CATALOGUE}
        self._words |= {name: _in_reference(one) for name, one in self._operations.items()}
        self.chapters = tuple(_chapters((GUIDE / "README.md").read_text("utf-8")))
        self._templates = Environment(
            loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
        )
        self._templates.globals |= {"docs": DOCS, "chapters": self.chapters}
        self._templates.filters["inline"] = self._inline

    @property
    def addresses(self) -> list[str]:
        """Where every page stands."""
        entries = [one.address for chapter in self.chapters for one in chapter.entries]
        problems = [f"{DOCS}/problems/{code}" for code in CATALOGUE]
        apart = [f"{DOCS}/{name}" for name in ("problems", "reference", "changelog")]
        programs = [f"{DOCS}/programs/{name}" for name in programs_shown()]
        return [DOCS, *entries, *apart, *problems, *programs]

    def index(self) -> str:
        """Return the first page."""
        return self._page("index.html", title="Gin Rummy API", here=DOCS, api=self._public_url)

    def guide(self, name: str) -> str | None:
        """Return the page ``name`` of the guide, or None if there is none."""
        entries = [one for chapter in self.chapters for one in chapter.entries]
        found = [index for index, one in enumerate(entries) if one.name == name]
        if not found:
            return None
        [index] = found
        page = self._markdown(GUIDE / f"{name}.md")
        around = {
            "before": entries[index - 1] if index else None,
            "after": entries[index + 1] if index + 1 < len(entries) else None,
        }
        return self._text(page, entries[index].address, **around)

    def program(self, name: str) -> str | None:
        """Return the page of a file of the sample programs, or None if there is none."""
        shown = programs_shown()
        if name not in shown:
            return None
        language = name.partition("/")[0]
        files = [
            (each.partition("/")[2], f"{DOCS}/programs/{each}")
            for each in shown
            if each.startswith(f"{language}/")
        ]
        here, code = f"{DOCS}/programs/{name}", shown[name].read_text("utf-8")
        return self._page("program.html", title=name, here=here, code=code, files=files)

    def changelog(self) -> str:
        """Return the page of what has changed."""
        return self._text(self._markdown(CHANGELOG), f"{DOCS}/changelog")

    def problems(self) -> str:
        """Return the list of all problems, by status."""
        kinds = sorted(CATALOGUE.values(), key=lambda one: (one.code in FIELD_CODES, one.status))
        groups = [
            (_status(status, of_fields), list(group))
            for (of_fields, status), group in groupby(
                kinds, key=lambda one: (one.code in FIELD_CODES, one.status)
            )
        ]
        names = [(slug(title), title, group) for title, group in groups]
        return self._page("problems.html", title="Problems", here=f"{DOCS}/problems", groups=names)

    def problem(self, code: str) -> str | None:
        """Return the page of a problem, or None if there is none."""
        kind = CATALOGUE.get(code)
        if kind is None:
            return None
        return self._page(
            "problem.html",
            title=code,
            here=f"{DOCS}/problems",
            kind=kind,
            phrase=HTTPStatus(kind.status).phrase,
            description=kind.description.removeprefix(FIELD),
            in_errors=code in FIELD_CODES,
            example=_example(kind),
            operations=[(name, self._words[name]) for name in self._raised_by(code)],
        )

    def reference(self) -> str:
        """Return the page of the reference."""
        return self._page("reference.html", title="API reference", here=f"{DOCS}/reference")

    def missing(self) -> str:
        """Return what is shown where there is no page."""
        return self._page("missing.html", title="There is no such page", here="")

    def _raised_by(self, code: str) -> list[str]:
        mark = f"`{code}`"
        return [
            name
            for name, one in self._operations.items()
            if mark in one["description"].rpartition("Problems: ")[2]
        ]

    def _markdown(self, path: Path) -> Rendered:
        text = path.read_text("utf-8").replace(LOCAL_ADDRESS, self._public_url)
        return rendered(text, _served, self._words)

    def _inline(self, text: str) -> Markup:
        return Markup(rendered(text, _served, self._words).html)  # noqa: S704 - escaped there

    def _text(self, page: Rendered, here: str, **more: Entry | None) -> str:
        sections = [each for each in page.headings if each.level == 2]
        return self._page(
            "text.html",
            title=page.title,
            here=here,
            sections=sections if len(sections) > 2 else [],
            body=Markup(page.html),  # noqa: S704 - raw HTML in Markdown is shown as text
            **{"before": None, "after": None, **more},
        )

    def _page(self, template: str, **values: object) -> str:
        return self._templates.get_template(template).render(**values)


@cache
def programs_shown() -> Mapping[str, Path]:
    """Return the files of the sample programs that have a page, by language and name."""
    paths = sorted(
        path
        for kind in ("*.py", "src/*.ts", "package.json", "tsconfig.json")
        for path in PROGRAMS.glob(f"*/{kind}")
    )
    return {path.relative_to(PROGRAMS).as_posix(): path for path in paths}


def _operations(document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for item in document["paths"].values():
        yield from (one for one in item.values() if "operationId" in one)


def _in_reference(operation: Mapping[str, Any]) -> str:
    return f"{DOCS}/reference#/{operation['tags'][0]}/{operation['operationId']}"


def _chapters(text: str) -> Iterator[Chapter]:
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, below = part.partition("\n")
        entries = [
            Entry(address.removesuffix(".md"), name, says)
            for name, address, says in links_of(below)
        ]
        yield Chapter(title, tuple(entries))


def _served(address: str) -> str:
    """Return where the page is served to which a page of the guide leads."""
    if address == "README.md":
        return DOCS
    if re.fullmatch(r"[\w-]+\.md", address):
        return f"{DOCS}/guide/{address.removesuffix('.md')}"
    if address.startswith("../clients/"):
        return f"{DOCS}/programs/{address.removeprefix('../clients/')}"
    return address.removeprefix("..")


def _status(status: int, of_fields: bool) -> str:
    phrase = f"{status} {HTTPStatus(status).phrase}"
    return f"{phrase}, in errors of validation_failed" if of_fields else phrase


def _example(kind: ProblemKind) -> str:
    """Return the recorded example of a problem, less what would fill the page."""
    example = orjson.loads((EXAMPLES / f"problem.{kind.code}.json").read_bytes())
    for name in LONG:
        if name in example:
            example[name] = [] if name == "moves" else {}
    return orjson.dumps(example, option=orjson.OPT_INDENT_2).decode()
