"""The five noes of the documents, and what else keeps generated clients pleasant.

Each function returns the places at which a document breaks one of them.
"""

from tests.contract.documents import nodes, operations, schemas_below

RENAMED = {"Error", "Event", "Result", "Type", "Object", "File", "Response"}


def nulls(document: dict) -> list[str]:
    """No null in any form."""
    return [
        path
        for path, node in nodes(document)
        if "nullable" in node
        or node.get("type") == "null"
        or isinstance(node.get("type"), list)
        or None in node.get("enum", [])
        or None in node.values()
    ]


def unions(document: dict) -> list[str]:
    """No ``oneOf``, ``anyOf``, ``allOf``."""
    return [path for path, node in nodes(document) if {"oneOf", "anyOf", "allOf"} & node.keys()]


def constants(document: dict) -> list[str]:
    """No ``const``."""
    return [path for path, node in nodes(document) if "const" in node]


def inline_enums(document: dict) -> list[str]:
    """No enum but in a component of its own."""
    return [
        path
        for path, node in nodes(document)
        if "enum" in node and path.rsplit("/", 1)[0] != "#/components/schemas"
    ]


def closed_answers(document: dict) -> list[str]:
    """No ``additionalProperties: false`` in an answer."""
    schemas = document["components"]["schemas"]
    answered = set().union(
        *(schemas_below(document, operation["responses"]) for *_, operation in operations(document))
    )
    return sorted(
        name
        for name in answered
        for _, node in nodes(schemas[name])
        if node.get("additionalProperties") is False
    )


def open_requests(document: dict) -> list[str]:
    """Every request says that it takes nothing else, but for one that answers hold as well."""
    schemas = document["components"]["schemas"]
    answered = {
        name
        for *_, operation in operations(document)
        for name in schemas_below(document, operation["responses"])
    }
    asked = {
        node["$ref"].rsplit("/", 1)[1]
        for *_, operation in operations(document)
        for _, node in nodes(operation.get("requestBody", {}))
        if "$ref" in node and "/schemas/" in node["$ref"]
    }
    asked -= answered
    return sorted(name for name in asked if schemas[name].get("additionalProperties") is not False)


def unnamed_operations(document: dict) -> list[str]:
    """Every operation has an id of its own, one known tag, a summary and a description."""
    tags = {tag["name"] for tag in document["tags"] if tag.get("description")}
    ids = [operation.get("operationId") for *_, operation in operations(document)]
    return [
        f"{method} {path}"
        for method, path, operation in operations(document)
        if ids.count(operation.get("operationId")) != 1
        or operation.get("operationId") is None
        or len(operation.get("tags", [])) != 1
        or operation["tags"][0] not in tags
        or not operation.get("summary")
        or "Problems: " not in operation.get("description", "")
    ]


def odd_responses(document: dict) -> list[str]:
    """Success of one shape or none, 204 or 304 perhaps, and one ``default``: a Problem."""
    odd = []
    for method, path, operation in operations(document):
        responses = dict(operation["responses"])
        default = responses.pop("default", None)
        responses.pop("304", None)
        empty = responses.keys() == {"204"} and "content" not in responses["204"]
        responses.pop("204", None)
        shapes = [
            content["schema"]
            for response in responses.values()
            for content in response.get("content", {}).values()
        ]
        one_shape = bool(shapes) and all(shape == shapes[0] for shape in shapes)
        known = one_shape and set(responses) <= {"200", "201", "202"}
        if default != {"$ref": "#/components/responses/Problem"} or not (known or empty):
            odd.append(f"{method} {path}")
    return odd


def odd_formats(document: dict) -> list[str]:
    """No format but ``date-time`` and ``uri``, no pattern, no default, no name that is renamed."""
    odd = [
        path
        for path, node in nodes(document["components"]["schemas"])
        if node.get("format") not in (None, "date-time", "uri")
        or isinstance(node.get("pattern"), str)
        or ("default" in node and not path.endswith("/properties"))
    ]
    return odd + sorted(RENAMED & document["components"]["schemas"].keys())


def missing_examples(document: dict) -> list[str]:
    """At least one example for each body and each success."""
    missing = []
    for method, path, operation in operations(document):
        asked = [operation["requestBody"]] if "requestBody" in operation else []
        answered = [operation["responses"].get(status) for status in ("200", "201")]
        missing += [
            f"{method} {path}"
            for place in (*asked, *filter(None, answered))
            if not all(content.get("examples") for content in place["content"].values())
        ]
    return missing


ALL = {
    check.__name__: check
    for check in (
        nulls,
        unions,
        constants,
        inline_enums,
        closed_answers,
        open_requests,
        unnamed_operations,
        odd_responses,
        odd_formats,
    )
}
