"""Where the pages hang in the application, and how they are sent.

They are no operations: the document does not have them, they are not counted, and a browser that
opens the service's own address, or the type of a problem, is led to them.
"""

import gzip
import hashlib
import mimetypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from service.document import api_of
from service.web.site import DOCS, Site

FILES: Final = (Path(__file__).with_name("static"), Path(__file__).with_name("vendor"))
HTML: Final = "text/html; charset=utf-8"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What a page may do: nothing but show what this host sends, and ask this host."""

LED: Final = {"service.getService": DOCS, "service.listProblems": f"{DOCS}/problems"}
"""The page to which a browser is led that asks for what is meant for programs."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What is sent, whole and packed, and the name of exactly this."""

    body: bytes
    packed: bytes
    tag: str
    kind: str


class Pages:
    """All pages of an application, each made when it is first asked for.

    ``public_url`` is the address under which clients reach the service.
    """

    def __init__(self, app: Flask, public_url: str) -> None:
        self._app, self._public_url = app, public_url
        self._made: dict[str, Sent] = {}

    @cached_property
    def site(self) -> Site:
        """What the pages are, of all that is registered by now."""
        return Site(self._public_url, api_of(self._app).document())

    def page(self, name: str, of: str | None = None) -> Response:
        """Answer with a page, or say in one that there is none."""
        address = request.path.rstrip("/")
        if address not in self._made:
            make: Callable[..., str | None] = getattr(self.site, name)
            text = make() if of is None else make(of)
            if text is None:
                return self.missing()
            self._made[address] = _sent(text.encode(), HTML)
        return _answer(self._made[address])

    def file(self, name: str) -> Response:
        """Answer with a file that pages are shown with."""
        return _answer(_read(name)) if name in _files() else self.missing()

    def missing(self, **_path: str) -> Response:
        """Say that there is no such page."""
        return _answer(_sent(self.site.missing().encode(), HTML), status=404)


def install(app: Flask, public_url: str) -> None:
    """Hang the pages into ``app``, after its blueprints: they tell what there is to be told of."""
    pages = Pages(app, public_url)
    for rule, name in _RULES.items():
        app.add_url_rule(rule, f"docs_{name}", partial(pages.page, name))
    app.add_url_rule(f"{DOCS}/files/<name>", "docs_file", pages.file)
    app.add_url_rule(f"{DOCS}/<path:path>", "docs_missing", pages.missing)
    app.before_request(_lead_browsers)


_RULES: Final = {
    DOCS: "index",
    f"{DOCS}/guide/<of>": "guide",
    f"{DOCS}/programs/<path:of>": "program",
    f"{DOCS}/problems": "problems",
    f"{DOCS}/problems/<of>": "problem",
    f"{DOCS}/reference": "reference",
    f"{DOCS}/changelog": "changelog",
}


def _lead_browsers() -> AnyResponse | None:
    """Lead whoever would rather have a page than JSON to the page."""
    if request.method != "GET" or not _is_browser():
        return None
    code = (request.view_args or {}).get("problem_code")
    page = f"{DOCS}/problems/{code}" if code else LED.get(request.endpoint or "")
    if page is None:
        return None
    led = redirect(page, 303)
    led.headers["Vary"] = "Accept"
    return led


def _is_browser() -> bool:
    """Tell whether HTML is asked for by name and before JSON; who takes no JSON was refused."""
    accepts = request.accept_mimetypes
    before = accepts.quality("text/html") > accepts.quality("application/json")
    return before and "text/html" in dict(accepts)


@cache
def _files() -> dict[str, Path]:
    return {path.name: path for folder in FILES for path in folder.iterdir()}


@cache
def _read(file: str) -> Sent:
    kind = mimetypes.guess_type(file)[0] or "text/plain"
    kind = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
    return _sent(_files()[file].read_bytes(), kind)


def _sent(body: bytes, kind: str) -> Sent:
    tag = hashlib.sha256(body).hexdigest()[:20]
    return Sent(body, gzip.compress(body, mtime=0), tag, kind)


def _answer(sent: Sent, status: int = 200) -> Response:
    """Return the answer that ``sent`` becomes; 304 if whoever asks has it."""
    packs = request.accept_encodings.quality("gzip") > 0
    headers: dict[str, Any] = {
        "Content-Security-Policy": POLICY,
        "Cache-Control": "no-cache",
        "Vary": "Accept-Encoding",
    }
    if packs:
        headers["Content-Encoding"] = "gzip"
    body = sent.packed if packs else sent.body
    answer = Response(body, status, headers, content_type=sent.kind)
    answer.set_etag(f"{sent.tag}{'-gzip' if packs else ''}")
    answer.make_conditional(request)
    return answer
