"""Markdown becomes pages: headings can be led to, links lead to what is served, code stays code."""

from service.web.markdown import links_of, rendered, slug


class TestAHeading:
    def test_has_the_name_that_github_gives_it(self):
        assert slug("The score sheets of a portal") == "the-score-sheets-of-a-portal"
        assert slug("What, and when?") == "what-and-when"

    def test_can_be_led_to_even_if_there_are_two(self):
        page = rendered("# Page\n\n## Two\n\n## Two\n")
        assert page.title == "Page"
        assert [(each.name, each.level) for each in page.headings] == [("two", 2), ("two-1", 2)]
        assert '<h2 id="two-1">Two</h2>' in page.html


class TestALink:
    def test_leads_to_what_is_served(self):
        page = rendered("[one](a.md#b) [two](#here)", lambda address: f"/docs/{address}")
        assert 'href="/docs/a.md#b"' in page.html
        assert 'href="#here"' in page.html

    def test_stands_on_a_word_that_leads_somewhere(self):
        html = rendered("Ask `getGame`, not `that`.", words={"getGame": "/there"}).html
        assert '<a href="/there"><code>getGame</code></a>' in html
        assert "<code>that</code>." in html

    def test_does_not_stand_inside_of_another(self):
        html = rendered("[see `getGame`](#x)", words={"getGame": "/there"}).html
        assert html.count("<a ") == 1

    def test_that_runs_code_is_none(self):
        assert "<a" not in rendered("[x](javascript:alert(1))").html


class TestCode:
    def test_is_shown_as_it_is_and_says_its_language(self):
        html = rendered("```sh check\necho '<b>' && true\n```").html
        assert "<figcaption>Shell</figcaption>" in html
        assert "echo '&lt;b&gt;' &amp;&amp; true\n" in html
        assert '<pre tabindex="0">' in html

    def test_that_was_recorded_says_of_what(self):
        html = rendered(
            "```json getGame.answer_portal\n{}\n```\n```json problem.busy\n{}\n```"
        ).html
        assert "from a recorded answer of getGame<" in html
        assert "from a recorded problem busy<" in html


class TestAPage:
    def test_takes_no_raw_html(self):
        assert "<script" not in rendered("a <script>x</script>\n\n<script>y</script>").html

    def test_has_tables_that_scroll_and_can_be_reached(self):
        html = rendered("# Two\n\n| a |\n|---|\n\nx\n\n| b |\n|---|\n").html
        for name in ("Table: Two", "Table: Two (2)"):
            assert f'<div class="table" tabindex="0" role="region" aria-label="{name}">' in html


class TestAList:
    def test_tells_links_with_what_is_said_of_them(self):
        text = "Not [this](no.md).\n\n- [One](one.md): the first\n- [Two](two.md)\n"
        assert links_of(text) == [("One", "one.md", "the first"), ("Two", "two.md", "")]
