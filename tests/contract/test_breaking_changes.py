"""Nothing that was released is broken: `/v1` grows by addition only.

``openapi/released`` holds the document of the last release; ``make release`` writes it. Each way
to break it is planted here once, and so is each way to grow.
"""

import copy
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.contract.breaking import RELEASED, breaks, oasdiff, oasdiff_found
from tests.contract.documents import FILES, OPENAPI, kept, nodes, operations, schemas_below

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(
        oasdiff() is None,
        reason="left out: no oasdiff here (`make openapi-tools` installs it for Linux on x86-64)",
    ),
]

STRING = {"type": "string"}
ENOUGH = {
    "createHint",
    "createWebhook",
    "getGame",
    "getLiveness",
    "getScore",
    "listGames",
    "playTurn",
}
"""The operations that the plants need; with all of them it would take minutes."""


def small() -> dict:
    """Return the document with few operations, and what they lead to."""
    document = kept()
    for path, item in list(document["paths"].items()):
        for method, operation in list(item.items()):
            if isinstance(operation, dict) and operation.get("operationId") not in ENOUGH:
                del item[method]
        if not item.keys() - {"parameters"}:
            del document["paths"][path]
    schemas = document["components"]["schemas"]
    for name in ("game", "moves"):
        del schemas["Problem"]["properties"][name]  # or each operation would lead to everything
    needed = schemas_below(document, document["paths"])
    document["components"]["schemas"] = {name: schemas[name] for name in needed}
    del document["components"]["examples"]
    for _, node in nodes([document["paths"], document["components"]["responses"]]):
        node.pop("examples", None)
    return document


class Change:
    """A document that is being changed; the schemas and operations that the plants need."""

    def __init__(self, document: dict) -> None:
        self.document = copy.deepcopy(document)
        self.schemas = self.document["components"]["schemas"]
        self.operations = {each["operationId"]: each for *_, each in operations(self.document)}

    def fields(self, schema: str) -> dict:
        return self.schemas[schema]["properties"]

    def parameter(self, operation_id: str, name: str) -> dict:
        return next(
            each
            for each in self.operations[operation_id]["parameters"]
            if each.get("name") == name and each.get("in") == "query"
        )


def add_parameter(change: Change, *, required: bool) -> None:
    added = {"in": "query", "name": "colour", "required": required, "schema": STRING}
    change.operations["getGame"].setdefault("parameters", []).append(added)


def add_operation(change: Change) -> None:
    operation = copy.deepcopy(change.operations["getLiveness"])
    change.document["paths"]["/v1/weather"] = {"get": operation | {"operationId": "getWeather"}}


def rename_schema(change: Change) -> None:
    text = json.dumps(change.document).replace('/schemas/Seat"', '/schemas/Chair"')
    change.document = json.loads(text.replace('"Seat": {', '"Chair": {'))


def swap_names_of_cards(change: Change) -> None:
    names = change.schemas["Card"]["x-enum-varnames"]
    names[0], names[1] = names[1], names[0]


Plant = Callable[[Change], object]

GROWTH: dict[str, Plant] = {
    "a field of an answer": lambda it: it.fields("Game").update(colour=STRING),
    "a field of an answer, always sent": lambda it: (
        it.fields("Game").update(colour=STRING),
        it.schemas["Game"]["required"].append("colour"),
    ),
    "an optional field of a request": lambda it: it.fields("TurnRequest").update(colour=STRING),
    "a value that requests may have": lambda it: it.schemas["WebhookEventType"]["enum"].append(
        "game_painted"
    ),
    "an optional parameter": lambda it: add_parameter(it, required=False),
    "an operation": add_operation,
    "a wider bound of a request": lambda it: it.fields("TurnRequest")["move_number"].update(
        maximum=10**10
    ),
    "a field that is always sent from now on": lambda it: it.schemas["Game"]["required"].append(
        "winner_seat"
    ),
    "a description": lambda it: it.fields("Game")["phase"].update(description="open: some more"),
}

BREAKS: dict[str, Plant] = {
    "a path": lambda it: it.document["paths"].pop("/v1/games/{game_id}"),
    "an operation": lambda it: it.document["paths"]["/v1/games/{game_id}"].pop("get"),
    "the name of an operation": lambda it: it.operations["getGame"].update(operationId="readGame"),
    "the tag of an operation": lambda it: it.operations["getGame"].update(tags=["moves"]),
    "the name of a schema": rename_schema,
    "the name of an enum's value": swap_names_of_cards,
    "a field of an answer": lambda it: it.fields("Game").pop("phase"),
    "an optional field of an answer": lambda it: it.fields("Game").pop("winner_seat"),
    "a field of an answer deep inside": lambda it: it.fields("DrawOption").pop("source"),
    "a field of a problem": lambda it: it.fields("ProblemParams").pop("expected_move"),
    "that a field is always sent": lambda it: it.schemas["Game"]["required"].remove("phase"),
    "the type of a field": lambda it: it.fields("Game")["version"].update(type="string"),
    "the format of a field": lambda it: it.fields("Game")["created_at"].pop("format"),
    "a field of a request": lambda it: it.fields("TurnRequest").pop("source"),
    "a request without a field": lambda it: it.schemas["TurnRequest"]["required"].append("card"),
    "a request without a new field": lambda it: (
        it.fields("TurnRequest").update(colour=STRING),
        it.schemas["TurnRequest"]["required"].append("colour"),
    ),
    "a request without a parameter": lambda it: add_parameter(it, required=True),
    "a parameter": lambda it: it.operations["listGames"]["parameters"].remove(
        it.parameter("listGames", "limit")
    ),
    "an upper bound of a request": lambda it: it.fields("TurnRequest")["move_number"].update(
        maximum=10
    ),
    "a lower bound of a request": lambda it: it.fields("TurnRequest")["move_number"].update(
        minimum=2
    ),
    "a bound of a request where none was": lambda it: it.fields("TurnRequest")["card"].update(
        {"$ref": "#/components/schemas/DrawSource"}
    ),
    "a bound of a parameter": lambda it: it.parameter("listGames", "limit")["schema"].update(
        maximum=50
    ),
    "a value that requests may have": lambda it: it.schemas["TurnAction"]["enum"].pop(),
    "a value of a closed set": lambda it: it.schemas["MeldKind"]["enum"].pop(),
    "a closed set that was closed": lambda it: it.schemas["MeldKind"]["enum"].append("pair"),
    "a default": lambda it: it.parameter("listGames", "limit")["schema"].update(default=7),
    "an answer": lambda it: it.operations["getGame"]["responses"].pop("200"),
    "a media type": lambda it: it.operations["getGame"]["responses"]["200"].update(
        content={"text/plain": {"schema": STRING}}
    ),
    "a header of an answer": lambda it: it.operations["getGame"]["responses"]["200"]["headers"].pop(
        "ETag"
    ),
}


WITHOUT_A_PATH = {"the name of a schema", "the name of an enum's value"}
"""These are not told apart where many documents are compared at once."""


class Planted:
    """What each plant breaks. One run judges them all: the program takes a while to begin."""

    def __init__(self, folder: Path, plants: dict[str, Plant]) -> None:
        self._folder = folder
        self._places = {name: f"/planted-{number}" for number, name in enumerate(plants)}
        for name, plant in plants.items():
            self._plant(plant, self._places[name])
        self._found = oasdiff_found(folder / "before*.json", folder / "after*.json")

    def _plant(self, plant: Plant, place: str) -> None:
        before = small()
        change = Change(before)
        plant(change)
        assert change.document != before, "nothing was planted"
        for path, document in zip(self._files(place), (before, change.document), strict=True):
            paths = {place + each: item for each, item in document["paths"].items()}
            path.write_text(json.dumps(document | {"paths": paths}))

    def _files(self, place: str) -> tuple[Path, Path]:
        end = place.replace("/", "-")
        return self._folder / f"before{end}.json", self._folder / f"after{end}.json"

    def breaks(self, name: str) -> list[str]:
        place = self._places[name]
        if name.removeprefix("lose ") in WITHOUT_A_PATH:
            return breaks(*self._files(place))
        return [each for each in self._found if f" {place}/" in each]


@pytest.fixture(scope="module")
def planted(tmp_path_factory) -> Planted:
    plants = {f"gain {name}": plant for name, plant in GROWTH.items()}
    plants |= {f"lose {name}": plant for name, plant in BREAKS.items()}
    return Planted(tmp_path_factory.mktemp("planted"), plants)


class TestTheDocuments:
    @pytest.mark.parametrize("name", FILES)
    def test_break_nothing_that_was_released(self, name):
        assert breaks(RELEASED, OPENAPI / name) == []


class TestTheCheck:
    @pytest.mark.parametrize("what", GROWTH)
    def test_lets_the_document_gain(self, planted, what):
        assert planted.breaks(f"gain {what}") == []

    @pytest.mark.parametrize("what", BREAKS)
    def test_sees_that_it_loses(self, planted, what):
        assert planted.breaks(f"lose {what}") != []
