"""The schemas that are shipped: generated from the types of reports, and kept by every output."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests import schemas
from tests.files import run_clustcmp

EXAMPLES = Path(__file__).parent.parent / "examples"
SPECIES, GOOD = (str(EXAMPLES / name) for name in ("iris_species.csv", "iris_kmeans_good.csv"))
SOFT, IRIS = (str(EXAMPLES / name) for name in ("iris_soft.csv", "iris.csv"))

# At least one command for each schema, and as many as it takes to see all fields filled and empty.
COMMANDS = [
    ("compare", "compare", SPECIES, GOOD, "-m", "all", "--coordinates", IRIS),
    ("compare", "compare", SPECIES, SOFT, "-m", "all"),
    ("changes", "changes", SPECIES, GOOD),
    ("changes", "changes", SPECIES, SOFT, "--coordinates", IRIS),
    ("matrix", "matrix", SPECIES, GOOD, SOFT, "-m", "ari", "-m", "ami"),
    ("matrix", "matrix", SPECIES, GOOD, SOFT, "-m", "ami", "--reference", GOOD),
    ("inspect", "inspect", SPECIES, GOOD),
    ("inspect", "inspect", IRIS),
    ("metrics", "metrics"),
    ("track", "track", SPECIES, GOOD, SOFT, "-m", "ari", "--min", "ari=0.9"),
    ("track", "track", SPECIES, GOOD, SOFT, "--coordinates", IRIS, "--no-life-lines"),
    ("gate", "gate", SPECIES, GOOD, "--min", "ari=0.9", "--max-moved", "5%"),
    ("gate", "gate", "--config", str(EXAMPLES / "gates.toml"), "--all"),
]


def shipped(name: str) -> Any:
    """A schema as it is in the package."""
    return json.loads((files("clustcmp.schemas") / f"{name}-1.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", schemas.DOCUMENTS)
def test_shipped_schemas_are_the_generated_ones(name: str) -> None:
    text = (files("clustcmp.schemas") / f"{name}-1.json").read_text(encoding="utf-8")
    assert text == schemas.write(schemas.schema_of_document(name)), "run 'make docs'"


@pytest.mark.parametrize("path", sorted(schemas.FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_schemas_are_valid_schemas(path: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(("name", "command"), [(name, words) for name, *words in COMMANDS])
def test_what_a_command_prints_keeps_its_schema(
    name: str,
    command: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    document = json.loads(run_clustcmp(capsys, *command, "-f", "json").stdout)
    jsonschema.Draft202012Validator(shipped(name)).validate(document)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("more", 1),
        ("results", []),
        ("inputs.0.points", 0),
        ("inputs.1.side", "c"),
        ("coverage.shared", -1),
        ("results.0.value", None),
        ("results.0.bounds", [1.0]),
    ],
)
def test_a_schema_refuses_what_no_command_prints(
    path: str, value: object, capsys: pytest.CaptureFixture[str]
) -> None:
    text = run_clustcmp(capsys, "compare", SPECIES, GOOD, "-m", "ari", "-f", "json").stdout
    document = json.loads(text)
    validator = jsonschema.Draft202012Validator(shipped("compare"))
    assert not list(validator.iter_errors(document))
    *parents, last = path.split(".")
    entry = document
    for name in parents:
        entry = entry[int(name) if name.isdigit() else name]
    entry[last] = value
    assert list(validator.iter_errors(document))
