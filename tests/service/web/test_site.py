"""Which pages there are, and what stands in them."""

import re
from html import unescape
from itertools import pairwise

import pytest

from service.document import api_of
from service.problems import CATALOGUE, FIELD_CODES
from service.web.site import CHANGELOG, DOCS, GUIDE, PROGRAMS, Site, programs_shown
from tests.service.framed import echoing, framed_app

API = "https://gin.example.org"
VERBS = {
    *("ask", "check", "choose", "commit", "correct", "delete", "discard", "draw", "end", "enter"),
    *("give", "go", "join", "lay", "leave", "let", "look", "make", "name", "play", "put", "send"),
    *("take", "throw", "try", "use", "wait", "write"),
}
"""What a caller can be told to do."""


@pytest.fixture(scope="module")
def site():
    app, _ = framed_app(echoing())
    return Site(API, api_of(app).document())


@pytest.fixture(scope="module")
def pages(site):
    guide = {e.address: site.guide(e.name) for c in site.chapters for e in c.entries}
    problems = {f"{DOCS}/problems/{code}": site.problem(code) for code in CATALOGUE}
    names = ("problems", "reference", "changelog")
    apart = {f"{DOCS}/{name}": getattr(site, name)() for name in names}
    programs = {f"{DOCS}/programs/{name}": site.program(name) for name in programs_shown()}
    return {DOCS: site.index(), **guide, **apart, **problems, **programs}


class TestTheGuide:
    def test_has_every_page_of_the_folder_in_a_chapter(self, site):
        names = [entry.name for chapter in site.chapters for entry in chapter.entries]
        assert sorted([*names, "README"]) == sorted(path.stem for path in GUIDE.glob("*.md"))
        assert all(entry.says for chapter in site.chapters for entry in chapter.entries)

    def test_is_written_with_the_address_of_the_service(self, site):
        for path in GUIDE.glob("*.md"):
            page = site.guide(path.stem) or ""
            assert "http://localhost:8000" not in page
        assert f"api={API}/v1" in site.guide("first-game")

    def test_leads_from_page_to_page(self, site):
        page = site.guide("polling")
        assert re.search(r'href="/docs/guide/reconnect" rel="prev"', page)
        assert re.search(r'href="/docs/guide/streaming" rel="next"', page)

    def test_has_no_page_that_is_not_there(self, site):
        assert site.guide("nothing") is None
        assert site.guide("README") is None


class TestASampleProgram:
    def test_is_shown_file_by_file_as_it_is(self, site, pages):
        for name in ("python/play.py", "typescript/src/play.ts", "typescript/package.json"):
            shown = re.search("<code>([^<]*)</code></pre>", pages[f"{DOCS}/programs/{name}"])[1]
            assert unescape(shown) == (PROGRAMS / name).read_text("utf-8")

    def test_is_led_to_from_the_guide_and_leads_to_its_other_files(self, site):
        assert 'href="/docs/programs/python/play.py"' in site.guide("clients")
        assert 'href="/docs/programs/python/witness.py"' in site.program("python/play.py")
        assert "/docs/programs/typescript" not in site.program("python/play.py")

    def test_has_no_page_of_what_was_generated_or_lies_elsewhere(self, site):
        for name in ("python/gin_rummy_client/client.py", "../openapi.json", "nothing"):
            assert site.program(name) is None


class TestTheCatalogue:
    def test_lists_every_problem_once(self, site):
        page = site.problems()
        assert all(page.count(f'href="{DOCS}/problems/{code}"') == 1 for code in CATALOGUE)

    @pytest.mark.parametrize("code", CATALOGUE)
    def test_has_a_page_of_each_with_meaning_advice_and_example(self, site, code):
        page, kind = site.problem(code), CATALOGUE[code]
        for heading in ("What it means", "What to do", "How it is sent"):
            assert f"<h2>{heading}</h2>" in page
        assert f"&#34;{code}&#34;" in page
        assert ("<dt>Where</dt>" in page) == (code in FIELD_CODES)
        assert all(f"<code>{name}</code>" in page for name in kind.params)

    def test_names_the_operations_that_refuse_so(self, site):
        assert 'href="/docs/reference#/games/joinGame"' in site.problem("malformed_json")
        assert "joinGame" not in site.problem("rate_limited").partition("<dt>By</dt>")[0]

    def test_has_no_page_of_a_code_that_there_is_not(self, site):
        assert site.problem("nothing") is None


class TestTheTitleOfAProblem:
    @pytest.mark.parametrize("code", CATALOGUE)
    def test_is_a_sentence_that_says_what_to_do_next(self, code):
        title = CATALOGUE[code].title
        fact, _, do = title.partition(": ")
        assert fact[0].isupper()
        assert do.split()[0] in VERBS, do
        assert not title.endswith(".")
        assert re.sub("`[^`]*`", "", title).count(": ") == 1
        assert len(title) <= 125

    @pytest.mark.parametrize("code", CATALOGUE)
    def test_is_not_said_again_in_the_description(self, code):
        kind = CATALOGUE[code]
        assert kind.do.lower() not in kind.description.lower()


class TestEveryPage:
    def test_is_in_the_list_of_addresses(self, site, pages):
        assert sorted(site.addresses) == sorted(pages)

    def test_leads_to_pages_and_places_that_are_there(self, site, pages):
        known = set(pages) | {"/openapi.json", "/openapi-3.0.json"}
        places = {
            address: set(re.findall(r' id="([^"]+)"', page)) for address, page in pages.items()
        }
        for address, page in pages.items():
            for href in re.findall(r'<a [^>]*href="([^"]+)"', page):
                led, _, place = href.partition("#")
                path = led or address
                assert path in known, (address, path)
                if place and not place.startswith("/"):
                    assert place in places[path], (address, path, place)

    def test_has_one_heading_above_all_and_none_left_out(self, pages):
        for address, page in pages.items():
            levels = [int(level) for level in re.findall(r"<h([1-6])", page)]
            assert levels.count(1) == 1, address
            assert levels[0] == 1, address
            assert all(after <= before + 1 for before, after in pairwise(levels)), address

    def test_has_a_name_of_its_own(self, pages):
        names = [re.search("<title>(.*?)</title>", page)[1] for page in pages.values()]
        assert len(set(names)) == len(names)

    def test_runs_no_script_and_takes_no_style_that_stands_in_it(self, pages):
        for page in pages.values():
            assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=", page)

    def test_asks_no_other_host(self, pages):
        for page in pages.values():
            loaded = re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"', page)
            assert all(address.startswith(f"{DOCS}/files/") for address in loaded)


class TestTheChangelog:
    def test_is_that_of_the_project(self, site):
        page = site.changelog()
        assert re.findall(r"^## (.+)$", CHANGELOG.read_text("utf-8"), re.MULTILINE)[0] in page
