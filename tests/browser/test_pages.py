"""The pages in a real browser: for every reader, on every width, in both themes, from one host.

axe looks at each page. In every run a page is seen once, and the next one on another width and in
another theme; the first ``GIN_SWEEP_PAGES`` pages are seen in both on both, and of the problems so
many are looked at. Without ``make openapi-tools`` axe is not there, and the run says so.
"""

import os
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from service.problems import CATALOGUE
from service.web.site import DOCS, GUIDE
from tests.browser.test_other_origin import FLAGS

MODULES = Path(__file__).with_name("node_modules")
AXE = MODULES / "axe-core" / "axe.min.js"
VENDOR = Path(__file__).parents[2] / "service" / "web" / "vendor"
SLOW_MS = 90_000
PHONE, DESK = 360, 1280
MOST = int(os.environ.get("GIN_SWEEP_PAGES", "0"))
USUAL_PROBLEMS = ("stale_move", "required", "outcome_unknown")
PROBLEMS = [*USUAL_PROBLEMS, *sorted(set(CATALOGUE) - set(USUAL_PROBLEMS))][: max(3, MOST)]
PATHS = [
    "",
    "/problems",
    "/reference",
    "/changelog",
    "/nothing",
    *(f"/guide/{page.stem}" for page in sorted(GUIDE.glob("*.md")) if page.stem != "README"),
    *(f"/problems/{code}" for code in PROBLEMS),
]
WAYS = tuple(product((PHONE, DESK), ("light", "dark")))
SIGHTS = [
    (path, *way)
    for index, path in enumerate(PATHS)
    for way in (WAYS if index < MOST else [WAYS[index % len(WAYS)]])
]
TRIED = [(PHONE, "dark"), (DESK, "light")][: 2 if MOST else 1]

pytestmark = [
    pytest.mark.http,
    pytest.mark.system("chromium"),
    pytest.mark.skipif(not AXE.exists(), reason="left out: no axe here (make openapi-tools)"),
]


@pytest.fixture(scope="module")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=[*FLAGS], timeout=SLOW_MS
        )
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, served):
    """Opens a page; at the end, no other host was asked and nothing was complained of."""
    asked, complaints, contexts = [], [], []

    def open_page(path, width=DESK, scheme="light"):
        context = chromium.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme
        )
        context.set_default_timeout(SLOW_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda sent: asked.append(sent.url))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else 0)
        page.goto(f"{served.url}{path}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    own = (f"{served.url}/", "data:", "blob:")
    assert [url for url in asked if not url.startswith(own)] == []
    assert [text for text in complaints if "404" not in text] == []


def violations(page):
    """What axe finds, with the first place of each."""
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [(each["id"], len(each["nodes"]), each["nodes"][0]["html"]) for each in found]


def overflow(page):
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")


class TestEveryPage:
    @pytest.mark.parametrize(("path", "width", "scheme"), SIGHTS)
    def test_can_be_used_by_everybody(self, visit, path, width, scheme):
        page = visit(DOCS + path, width, scheme)
        if path == "/reference":
            page.wait_for_selector(".opblock-tag")
        assert violations(page) == []
        assert overflow(page) <= 0


class TestAxe:
    def test_sees_what_is_wrong(self, visit):
        page = visit(DOCS)
        page.evaluate(
            "document.querySelector('h1').outerHTML = '<img src=data:,><button></button>'"
        )
        assert {"image-alt", "button-name"} <= {name for name, *_ in violations(page)}

    def test_is_asked_of_a_page_whose_width_is_measured(self, visit):
        page = visit(DOCS, PHONE)
        page.evaluate("document.querySelector('h1').style.width = '900px'")
        assert overflow(page) > 0


class TestTheKeyboard:
    def test_skips_to_the_content(self, visit):
        page = visit(f"{DOCS}/guide/rules")
        page.keyboard.press("Tab")
        expect(page.locator(":focus")).to_have_text("Skip to the content")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"

    def test_shows_where_it_is(self, visit):
        page = visit(DOCS)
        for _ in range(3):
            page.keyboard.press("Tab")
            style = "getComputedStyle(document.activeElement).outlineStyle"
            assert page.evaluate(style) == "solid"


class TestTheReference:
    @pytest.mark.parametrize(("width", "scheme"), TRIED)
    def test_tries_an_operation_out(self, visit, width, scheme):
        """Makes a game with the keyboard alone, and axe looks at it open, in use and answered."""
        page = visit(f"{DOCS}/reference#/games/createGame", width, scheme)
        page.wait_for_selector(".opblock-body .try-out__btn")
        assert violations(page) == []
        page.locator(".try-out__btn").press("Enter")
        page.locator(".execute").press("Enter")
        status = page.locator(".live-responses-table tbody .response-col_status").first
        expect(status).to_contain_text("201", timeout=SLOW_MS)
        assert violations(page) == []
        assert overflow(page) <= 0

    @pytest.mark.parametrize("path", sorted(VENDOR.iterdir()), ids=lambda path: path.name)
    def test_is_shown_with_what_npm_has(self, path):
        package = MODULES / "swagger-ui-dist"
        assert path.read_bytes() == (package / path.name).read_bytes(), "make vendor"


class TestABrowser:
    def test_that_opens_the_service_sees_the_first_page(self, visit):
        page = visit("/")
        expect(page.locator("h1")).to_have_text("Gin Rummy API")

    def test_that_opens_the_type_of_a_problem_sees_its_page(self, visit):
        page = visit("/v1/problems/deadwood_too_high")
        expect(page.locator("h1")).to_have_text("deadwood_too_high")
