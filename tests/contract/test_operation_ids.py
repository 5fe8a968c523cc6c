"""The operations are those of a fixed list, and generated clients find them where they were.

``operation_ids.txt`` holds name, method, path and tag of each. A tag is the class and a name the
method of a generated client. Only a line for a new operation is ever added to it.
"""

from pathlib import Path

import pytest

from tests.contract.documents import FILES, kept, operations

LIST = Path(__file__).with_name("operation_ids.txt")


def listed() -> set[str]:
    return set(LIST.read_text().splitlines())


def found(document: dict) -> set[str]:
    return {
        f"{operation['operationId']} {method} {path} {' '.join(operation['tags'])}"
        for method, path, operation in operations(document)
    }


class TestTheOperations:
    @pytest.mark.parametrize("name", FILES)
    def test_are_those_of_the_list(self, name):
        assert found(kept(name)) == listed()

    def test_are_listed_once_and_in_order(self):
        lines = LIST.read_text().splitlines()
        assert lines == sorted(set(lines))


class TestTheCheck:
    def test_sees_an_operation_removed(self):
        document = kept()
        del document["paths"]["/v1/games/{game_id}"]["get"]
        assert listed() - found(document) == {"getGame GET /v1/games/{game_id} games"}

    @pytest.mark.parametrize(
        "change", [{"operationId": "readGame"}, {"tags": ["moves"]}, {"tags": ["games", "moves"]}]
    )
    def test_sees_an_operation_renamed_or_moved(self, change):
        document = kept()
        document["paths"]["/v1/games/{game_id}"]["get"].update(change)
        assert len(listed() - found(document)) == 1

    def test_sees_an_operation_that_nobody_listed(self):
        document = kept()
        item = document["paths"]["/v1/games/{game_id}"]
        item["patch"] = item["get"] | {"operationId": "patchGame"}
        assert found(document) - listed() == {"patchGame PATCH /v1/games/{game_id} games"}
