"""Markdown as it is shown: links that lead to served pages, headings with names, code as it is.

Knows no page in particular. Raw HTML is shown as text.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final
from urllib.parse import urldefrag

from markdown_it import MarkdownIt
from markdown_it.token import Token

LANGUAGES: Final = {
    "js": "JavaScript",
    "json": "JSON",
    "python": "Python",
    "sh": "Shell",
    "ts": "TypeScript",
    "http": "HTTP",
}
"""What a language of a code block is called."""

Link = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a page: its name in the address, and its text."""

    level: int
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page: its title, its headings below that, and all of it as HTML."""

    title: str
    headings: tuple[Heading, ...]
    html: str


def slug(text: str) -> str:
    """Return the name of a heading in an address, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def rendered(text: str, link: Link = str, words: Mapping[str, str] | None = None) -> Rendered:
    """Return ``text`` as a page.

    ``link`` turns the address of a link into the one that is served. ``words`` has the address
    of each word that leads somewhere where it is written as code.
    """
    parser = _parser()
    tokens = parser.parse(text)
    headings = tuple(_name_headings(tokens))
    _name_tables(tokens)
    for token in tokens:
        if token.type == "inline":
            token.children = list(_linked(token.children or [], link, words or {}))
    title = next((each.text for each in headings if each.level == 1), "")
    below = tuple(each for each in headings if each.level > 1)
    return Rendered(title, below, parser.renderer.render(tokens, parser.options, {}))


def links_of(text: str) -> list[tuple[str, str, str]]:
    """Return text, address and what stands behind it of each link that begins a list's item."""
    return re.findall(r"^- \[([^\]]+)\]\(([^)]+)\):? ?(.*)$", text, re.MULTILINE)


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("table_open", _table_open)
    parser.add_render_rule("table_close", _table_close)
    return parser


def _name_headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    seen: dict[str, int] = {}
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            text = "".join(each.content for each in inline.children or [])
            name = slug(text)
            times = seen[name] = seen.get(name, -1) + 1
            name += f"-{times}" if times else ""
            opening.attrSet("id", name)
            yield Heading(int(opening.tag[1]), name, text)


def _linked(tokens: Sequence[Token], link: Link, words: Mapping[str, str]) -> Iterator[Token]:
    inside = False
    for token in tokens:
        if token.type == "link_open":
            inside = True
            address, fragment = urldefrag(str(token.attrGet("href")))
            served = link(address) if address else ""
            token.attrSet("href", served + (f"#{fragment}" if fragment else ""))
        elif token.type == "link_close":
            inside = False
        leads = words.get(token.content) if token.type == "code_inline" and not inside else None
        if leads is not None:
            opening = Token("link_open", "a", 1)
            opening.attrSet("href", leads)
            yield from (opening, token, Token("link_close", "a", -1))
        else:
            yield token


def _fence(_self: Any, tokens: Sequence[Token], index: int, *_rest: Any) -> str:  # noqa: ANN401
    language, _, about = tokens[index].info.strip().partition(" ")
    said = LANGUAGES.get(language, "")
    operation, _, kind = about.partition(".")
    if language == "json" and kind:
        of = f"problem {kind}" if operation == "problem" else f"{_kind(kind)} of {operation}"
        said = f"JSON, from a recorded {of}"
    caption = f"<figcaption>{escaped(said)}</figcaption>" if said else ""
    code = escaped(tokens[index].content)
    return f'<figure class="code">{caption}<pre tabindex="0"><code>{code}</code></pre></figure>\n'


def _kind(kind: str) -> str:
    return kind.partition("_")[0]


def _name_tables(tokens: Sequence[Token]) -> None:
    """Call each table what the heading above it says, so that who hears it knows where it is."""
    heading, times = "Table", 0
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            heading, times = "".join(each.content for each in inline.children or []), 0
        elif opening.type == "table_open":
            times += 1
            opening.meta["name"] = f"Table: {heading}" + (f" ({times})" if times > 1 else "")


def _table_open(_self: Any, tokens: Sequence[Token], index: int, *_rest: Any) -> str:  # noqa: ANN401
    name = escaped(tokens[index].meta["name"])
    return f'<div class="table" tabindex="0" role="region" aria-label="{name}"><table>\n'


def _table_close(*_rest: Any) -> str:
    return "</table></div>\n"


def escaped(text: str) -> str:
    """Return ``text`` as it may stand in HTML."""
    pairs = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
    return re.sub(r'[&<>"]', lambda found: pairs[found[0]], text)
