"""The recorded examples by the schemas that they are of, and what a later service might answer."""

import json

from tests.contract.documents import OPENAPI, kept, operations

STRANGE = {"unheard_of": {"deep": [1, "two"]}}


def examples() -> dict[str, str]:
    """Return the schema of each recorded JSON example by the name of its file."""
    schemas = {}
    for *_, operation in operations(kept()):
        name = operation["operationId"]
        asked = operation.get("requestBody", {}).get("content", {})
        answered = [each.get("content", {}) for each in operation["responses"].values()]
        for kind, contents in (("request", [asked]), ("answer", answered)):
            for content in contents:
                schema = content.get("application/json", {}).get("schema", {}).get("$ref")
                for path in OPENAPI.glob(f"examples/{name}.{kind}*.json") if schema else ():
                    schemas[path.name] = schema.rsplit("/", 1)[1]
    problems = OPENAPI.glob("examples/problem.*.json")
    return schemas | dict.fromkeys((path.name for path in problems), "Problem")


EXAMPLES = examples()


def value_of(name: str):
    """Return what was recorded."""
    return json.loads((OPENAPI / "examples" / name).read_bytes())


def strange(value, schema: dict, schemas: dict, added: dict = STRANGE):
    """Return ``value`` with ``added`` in each object and open strings made unknown."""
    schema = schemas[schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema
    if isinstance(value, list):
        return [strange(each, schema.get("items", {}), schemas, added) for each in value]
    if isinstance(value, dict) and "properties" in schema:
        known = schema["properties"]
        inner = {k: strange(v, known.get(k, {}), schemas, added) for k, v in value.items()}
        return inner | added
    if isinstance(value, str) and schema.get("description", "").startswith("open:"):
        return "unheard_of"
    return value
