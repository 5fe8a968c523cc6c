"""Clients made from a document by the generators that developers use.

openapi-generator needs a Java runtime; its program comes in a Python package, and so does the
Kotlin compiler. Nothing here asks the network for anything.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tests.contract.documents import OPENAPI
from tests.contract.test_document_lint import node

MODULES = OPENAPI / "node_modules"
COMPILED = {"strict": True, "noEmit": True, "target": "ES2022", "module": "ESNext"}
COMPILED |= {"moduleResolution": "bundler", "lib": ["ES2022", "DOM", "DOM.Iterable"]}
QUICK = ["-Xmx1500m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
"""Java for programs that run for seconds and not for days."""

MODELS = {"models": "", "modelDocs": "false", "modelTests": "false"}
LANGUAGES = {
    "kotlin": {
        "generatorName": "kotlin",
        "additionalProperties": {
            "serializationLibrary": "kotlinx_serialization",
            "packageName": "ginrummy",
        },
        "globalProperties": {**MODELS, "supportingFiles": ""},
    },
    "swift": {"generatorName": "swift6", "globalProperties": MODELS},
    "dart": {
        "generatorName": "dart-dio",
        "additionalProperties": {"serializationLibrary": "json_serializable"},
        "globalProperties": MODELS,
    },
}
"""What openapi-generator is told for each language; ``openapi/README.md`` tells developers."""


def run(*command: object, cwd: Path, **environ: str) -> str:
    """Run a program to its end; return what it said."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, f"{command[0]}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


def package(name: str) -> Path | None:
    """Return the folder of an installed Python package."""
    found = importlib.util.find_spec(name)
    return Path(found.origin).parent if found and found.origin else None


def missing_for_javascript() -> str | None:
    """Say what is missing for the TypeScript clients."""
    there = (MODULES / "typescript").exists() and node() is not None
    return None if there else "left out: no TypeScript here (`make openapi-tools` installs it)"


def missing_for_java() -> str | None:
    """Say what is missing for openapi-generator."""
    if shutil.which("java") is None:
        return "left out: no java here (apt-get install default-jre-headless)"
    if package("openapi_generator_cli") is None:
        return "left out: no openapi-generator here (`make clients` installs it)"
    return None


def typescript(document: Path, folder: Path) -> None:
    """Make the TypeScript clients of openapi-typescript and hey-api in ``folder``."""
    (folder / "node_modules").symlink_to(MODULES)
    run(node(), MODULES / "openapi-typescript/bin/cli.js", document, "-o", "types.ts", cwd=folder)
    run(
        *(node(), MODULES / "@hey-api/openapi-ts/bin/run.js"),
        *("-i", document, "-o", "hey"),
        cwd=folder,
    )


def type_check(folder: Path) -> str:
    """Type-check all TypeScript in ``folder``; return what the compiler complains of."""
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": COMPILED}))
    done = subprocess.run(
        [str(node()), str(MODULES / "typescript/bin/tsc"), "-p", "."],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    return done.stdout


def python(document: Path, folder: Path, name: str) -> None:
    """Make a Python client, a package of that name, in ``folder``."""
    config = folder / "config.json"
    config.write_text(json.dumps({"post_hooks": []}))
    run(
        *(sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"),
        *("--path", document, "--output-path", folder / name, "--config", config),
        "--fail-on-warning",
        cwd=folder,
    )


def mobile(document: Path, folder: Path, languages: Iterable[str] = LANGUAGES) -> None:
    """Make the models of Kotlin, Swift and Dart in folders of ``folder``; one run for all."""
    configs = []
    for language in languages:
        told = LANGUAGES[language]
        configs.append(folder / f"{language}.json")
        configs[-1].write_text(
            json.dumps(
                {**told, "inputSpec": str(document), "outputDir": str(folder / language)},
            )
        )
    jar = package("openapi_generator_cli") / "openapi-generator.jar"
    said = run("java", *QUICK, "-jar", jar, "batch", "--fail-fast", "-r", "1", *configs, cwd=folder)
    assert "[SUCCESS]" in said, said


def missing_for_kotlin() -> str | None:
    """Say what is missing to compile Kotlin."""
    if package("run_kotlin_kernel") is None:
        return "left out: no Kotlin compiler here (`make clients` installs it)"
    return missing_for_java()


def _jars(pattern: str) -> list[str]:
    return [str(path) for path in sorted((package("run_kotlin_kernel") / "jars").glob(pattern))]


def kotlin(folder: Path, program: Path) -> Path:
    """Compile the models of Kotlin in ``folder``, and a program on them; return what runs."""
    made = folder / "kotlin/src/main/kotlin/ginrummy"
    adapters = sorted((made / "infrastructure").glob("*Adapter.kt"))
    libraries = [*_jars("kotlin-stdlib-*.jar"), *_jars("kotlinx-serialization-*.jar")]
    compiler = _jars("kotlin-jupyter-kernel-*-all.jar")[0]  # with its plugin for serialization
    run(
        *("java", *QUICK, "-cp", ":".join(_jars("*.jar"))),
        *("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect"),
        *("-Xdisable-default-scripting-plugin", f"-Xplugin={compiler}"),
        *("-cp", ":".join(libraries), "-d", folder / "program.jar"),
        *(made / "models", *adapters, made / "infrastructure/Serializer.kt", program),
        cwd=folder,
    )
    return folder / "program.jar"


def java(program: Path, name: str, *words: object, cwd: Path) -> str:
    """Run the class ``name`` of a compiled program of Kotlin; return what it said."""
    libraries = [*_jars("kotlin-stdlib-*.jar"), *_jars("kotlinx-serialization-*.jar")]
    return run("java", *QUICK, "-cp", ":".join([str(program), *libraries]), name, *words, cwd=cwd)
