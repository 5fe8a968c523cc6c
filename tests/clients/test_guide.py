"""The guide's page on generated clients shows the sample programs as they are."""

import re

import pytest

from tests.clients.programs import CLIENTS, PROGRAMS
from tests.server import ROOT

PAGE = (ROOT / "openapi" / "guide" / "clients.md").read_text("utf-8")
FOLDERS = {"ts": "typescript", "python": "python"}
BLOCKS = re.findall(r"^```(\w+) (\S+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
EXCERPTS = [
    pytest.param(FOLDERS[kind], name, code, id=f"{name}-{place}")
    for place, (kind, name, code) in enumerate(BLOCKS)
    if kind in FOLDERS
]


class TestThePage:
    @pytest.mark.parametrize(("language", "name", "code"), EXCERPTS)
    def test_shows_lines_of_a_file(self, language, name, code):
        lines = (CLIENTS / language / name).read_text("utf-8")
        assert f"\n{code}" in lines

    def test_has_nothing_else(self):
        fences = re.findall(r"^```(\w.*)$", PAGE, re.MULTILINE)
        assert len(fences) == len(BLOCKS)
        assert {kind for kind, *_ in BLOCKS} == {*FOLDERS, "sh"}

    @pytest.mark.parametrize("language", PROGRAMS)
    def test_starts_a_program_as_the_tests_do(self, language):
        [typed] = [code.split() for kind, name, code in BLOCKS if (kind, name) == ("sh", language)]
        assert typed == [language.replace("typescript", "node"), PROGRAMS[language][-1], typed[-1]]
