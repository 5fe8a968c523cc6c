"""Generated models read back: which fields each has, and whether one may be absent."""

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Field:
    """A field of a model by its name in JSON; ``kind`` as the language spells it."""

    name: str
    kind: str
    optional: bool


@dataclass(frozen=True)
class Model:
    """A class by its name: its fields, or the values of an enum by the names they have."""

    name: str
    fields: tuple[Field, ...]
    values: dict[str, str]


KOTLIN = re.compile(
    r'@SerialName\(value = "(?P<name>[^"]+)"\)\s+val `?\w+`?: '
    r"(?P<kind>[\w.<>, @]+?)(?P<optional>\?)?"
    r"(?: = [^,\n]+)?,?\n"
)
KOTLIN_VALUE = re.compile(r'@SerialName\(value = "(?P<value>[^"]+)"\)\s+`?(?P<name>\w+)`?\("')
SWIFT = re.compile(r"public var (?P<name>\w+): (?P<kind>[\w\[\]: ]+)(?P<optional>\?)?\n")
SWIFT_KEY = re.compile(r'case (?P<name>\w+)(?: = "(?P<value>[^"]+)")?\n')
DART = re.compile(
    r"name: r'(?P<name>[^']+)',.*?final (?P<kind>[\w<>, ]+?)(?P<optional>\?)? \w+;", re.DOTALL
)
DART_VALUE = re.compile(r"@JsonValue\(r'(?P<value>[^']+)'\)\s+(?P<name>\w+)\(")


def kotlin(folder: Path) -> list[Model]:
    """Read the models of Kotlin."""
    return [
        Model(path.stem, _fields(KOTLIN, text), _values(KOTLIN_VALUE, text, "enum class"))
        for path, text in _sources(folder / "src/main/kotlin/ginrummy/models", "kt")
    ]


def swift(folder: Path) -> list[Model]:
    """Read the models of Swift, where the names in JSON stand apart from the fields."""
    models = []
    for path, text in _sources(folder / "Sources", "swift"):
        head, _, keys = text.partition("enum CodingKeys")
        names = {key["name"]: key["value"] or key["name"] for key in SWIFT_KEY.finditer(keys)}
        fields = tuple(
            Field(names[each.name], each.kind, each.optional) for each in _fields(SWIFT, head)
        )
        values = _values(SWIFT_KEY, text, "public enum") if not keys else {}
        models.append(Model(path.stem, fields, values))
    return models


def dart(folder: Path) -> list[Model]:
    """Read the models of Dart."""
    return [
        Model(_camel(path.stem), _fields(DART, text), _values(DART_VALUE, text, "\nenum "))
        for path, text in _sources(folder / "lib/src/model", "dart")
    ]


def _sources(folder: Path, suffix: str) -> list[tuple[Path, str]]:
    return [(path, path.read_text()) for path in sorted(folder.rglob(f"*.{suffix}"))]


def _fields(pattern: re.Pattern, text: str) -> tuple[Field, ...]:
    return tuple(
        Field(found["name"], found["kind"].strip(), bool(found["optional"]))
        for found in pattern.finditer(text)
    )


def _values(pattern: re.Pattern, text: str, mark: str) -> dict[str, str]:
    if mark not in text:
        return {}
    return {found["value"] or found["name"]: found["name"] for found in pattern.finditer(text)}


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
