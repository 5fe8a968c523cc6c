"""The authorisation matrix: everybody x every operation x own and other games, as the table says.

What to do for a new operation stands in :mod:`tests.contract.authorisation`.
"""

import json

import pytest

from tests.contract import authorisation
from tests.contract.authorisation import CALLERS, TARGETS, Matrix, rows, written
from tests.contract.documents import kept, operations
from tests.service.questions import UNKNOWN

OPERATIONS = sorted(operation["operationId"] for *_, operation in operations(kept()))
OF_GAMES = sorted(
    operation["operationId"] for _, path, operation in operations(kept()) if "{game_id}" in path
)
OF_SHEETS = sorted(
    operation["operationId"]
    for _, path, operation in operations(kept())
    if "{score_sheet_id}" in path
)
OF_WEBHOOKS = sorted(
    operation["operationId"] for _, path, operation in operations(kept()) if "{webhook_id}" in path
)


@pytest.fixture
def matrix(tables):
    return Matrix(tables)


def sorted_row(row):
    return json.loads(written({"row": row}))["row"]


class TestTheTable:
    def test_has_a_row_for_every_operation_and_for_nothing_else(self):
        missing, unknown = set(OPERATIONS) - rows().keys(), rows().keys() - set(OPERATIONS)
        assert not unknown, f"{sorted(unknown)} are no operations of the document"
        assert not missing, f"{sorted(missing)} have no row in authorisation.json: see there"

    @pytest.mark.parametrize("name", OPERATIONS)
    def test_has_each_cell_once(self, name):
        for found in rows().get(name, {}).values():
            callers = [caller for outcome in found.values() for caller in outcome]
            assert sorted(callers) == sorted(CALLERS)

    def test_is_written_to_be_read(self):
        assert authorisation.FILE.read_text("utf-8") == written(rows())

    def test_lets_nobody_do_anything_with_a_game_of_others(self):
        for name in OF_GAMES + OF_SHEETS + OF_WEBHOOKS:
            for outcome in rows()[name]["other"]:
                lacking = {"403"} if name in OF_WEBHOOKS else set()  # no key of the right kind
                assert outcome[:3] in {"401", "404"} | lacking, (name, outcome)

    def test_lets_nobody_in_with_a_key_that_was_revoked(self):
        for name in OPERATIONS:
            for target, found in rows()[name].items():
                [outcome] = [each for each, callers in found.items() if "revoked" in callers]
                public = "nobody" in found.get(outcome, [])
                assert outcome == "401 token_invalid" or public, (name, target)


class TestEveryOperation:
    @pytest.mark.parametrize("name", OPERATIONS)
    def test_answers_everybody_as_the_table_says(self, matrix, name):
        expected = rows().get(name)
        found = sorted_row(matrix.row(name, expected))
        assert found == expected, (
            f"if this is right, it is the row of {name}: {written({name: found})}"
        )

    @pytest.mark.parametrize("name", OF_GAMES)
    def test_tells_no_strange_game_from_one_that_there_is_not(self, matrix, name):
        table = matrix.game(name)
        compared = 0
        for caller in CALLERS:
            unknown = matrix.ask(name, caller, table, UNKNOWN)
            targets = {"own": table.id, "other": matrix.others.id}
            for target in TARGETS:
                row = rows()[name][target]
                if caller in row.get("404 not_found", []):
                    asked = matrix.ask(name, caller, table, targets[target])
                    assert asked.said == unknown.said, (caller, target)
                    compared += 1
        # All but who has no token, or one that is of no use for this operation.
        assert compared >= len(CALLERS) - 1 - len(rows()[name]["own"]["401 token_invalid"])
