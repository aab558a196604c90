"""The words that ask for metrics are parsed once in a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

import clustcmp
from clustcmp.registry import Registry, Request
from tests.files import run_clustcmp, write

ROOT = Path(__file__).parent.parent
LABELS = [1, 1, 2, 2]
OTHERS = [1, 1, 2, 3]


@pytest.fixture
def parsed() -> Iterator[list[str]]:
    """The words that were parsed."""
    words: list[str] = []
    parse = Registry._requests

    def count(registry: Registry, spec: str) -> tuple[Request, ...]:
        words.append(spec)
        return parse(registry, spec)

    with patch.object(Registry, "_requests", count):
        yield words


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two clusterings, coordinates and distances in an empty folder."""
    monkeypatch.chdir(tmp_path)
    write("a.csv", "id,label\np,1\nq,1\nr,2\ns,2\n")
    write("b.csv", "id,label\np,1\nq,1\nr,2\ns,3\n")
    write("d.csv", ",p,q,r,s\np,0,1,2,3\nq,1,0,1,2\nr,2,1,0,1\ns,3,2,1,0\n")


COMMANDS: dict[str, tuple[list[str], list[str]]] = {
    "compare": (
        ["compare", "a.csv", "b.csv", "-m", "ari", "-m", "vi:base=2"],
        ["ari", "vi:base=2"],
    ),
    "compare by default": (["compare", "a.csv", "b.csv"], []),
    "compare with distances": (
        ["compare", "a.csv", "b.csv", "--distances", "d.csv", "-m", "cdistance"],
        ["cdistance"],
    ),
    "changes": (["changes", "a.csv", "b.csv"], []),
    "matrix": (["matrix", "a.csv", "b.csv", "-m", "ari", "-m", "purity"], ["ari", "purity"]),
    "track": (["track", "a.csv", "b.csv", "-m", "vi", "--min", "ari=0.1"], ["ari", "vi"]),
    "gate": (
        ["gate", "a.csv", "b.csv", "--min", "ari=0.1", "--warn-max", "vi=2"],
        ["ari", "vi"],
    ),
}


@pytest.mark.parametrize("case", COMMANDS.values(), ids=COMMANDS)
def test_a_command_parses_each_word_once(
    case: tuple[list[str], list[str]], parsed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, words = case
    outcome = run_clustcmp(capsys, *arguments)
    assert outcome.status == 0, outcome.stderr
    assert sorted(parsed) == sorted(words)


def test_all_gates_of_a_file_parse_each_bound_once(
    parsed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    config = str(ROOT / "examples" / "gates.toml")
    assert run_clustcmp(capsys, "gate", "--config", config, "--all").status == 0
    assert sorted(parsed) == ["adco", "ari", "cdistance", "nmi:average=geometric"]


def test_the_library_parses_each_word_once(parsed: list[str]) -> None:
    clustcmp.compare(LABELS, OTHERS, ["ari", "vi"])
    clustcmp.changes(LABELS, OTHERS)
    clustcmp.matrix([LABELS, OTHERS], "nmi")
    clustcmp.track([LABELS, OTHERS], "ami", min={"rand": 0.1})
    clustcmp.gate(LABELS, OTHERS, min={"purity": 0.1})
    assert sorted(parsed) == sorted(["ari", "vi", "nmi", "ami", "rand", "purity"])
