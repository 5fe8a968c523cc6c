"""The documents that clients are made from: ours, and one that has grown."""

import copy
import json

import pytest

from tests.contract.documents import OPENAPI, kept, operations, schemas_below

GROWTH = {"colour": {"type": "string", "description": "nobody knew of it"}}


def grown() -> dict:
    """Return the document with a field more in each schema and a value more in open enums.

    The fields are optional; values are added where only requests have them.
    """
    document = copy.deepcopy(kept())
    schemas = document["components"]["schemas"]
    answered = set().union(
        *(schemas_below(document, operation["responses"]) for *_, operation in operations(document))
    )
    for name, schema in schemas.items():
        if "properties" in schema:
            schema["properties"] |= GROWTH
        elif "enum" in schema and name not in answered:
            schema["enum"].append("something_new")
    return document


@pytest.fixture(scope="session", params=["ours", "grown"])
def document(request, tmp_path_factory):
    """The path of a document."""
    if request.param == "ours":
        return OPENAPI / "openapi.json"
    path = tmp_path_factory.mktemp("documents") / "grown.json"
    path.write_text(json.dumps(grown()))
    return path
