"""Messages name settings as their reader writes them: flags for commands, keywords for Python."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

import clustcmp
from clustcmp.backends import map_tasks
from clustcmp.wording import Reader, find, name_of, read_by, say

PACKAGE = Path(clustcmp.__file__).parent

CASES: list[tuple[tuple[Any, ...], str, str]] = [
    (("points", "intersect"), "--points intersect", 'points="intersect"'),
    (("noise", -1), "--noise=-1", "noise=-1"),
    (("noise", "-1"), "--noise=-1", "noise=-1"),
    (("noise", "--1"), "--noise=--1", 'noise="--1"'),
    (("noise", "01"), "--noise 01", 'noise="01"'),
    (("noise", ["-1", "not known"]), "--noise=-1 --noise 'not known'", 'noise=[-1, "not known"]'),
    (
        ("min", {"ari": 0.9, "nmi": 0.8}),
        "--min ari=0.9 --min nmi=0.8",
        'min={"ari": 0.9, "nmi": 0.8}',
    ),
    (("max_moved", "1%"), "--max-moved 1%", 'max_moved="1%"'),
    (("no_header",), "--no-header", "no_header=True"),
    (("life_lines", False), "--no-life-lines", "life_lines=False"),
    (("coordinates",), "--coordinates FILE", "coordinates=..."),
    (("coordinates", "a.csv::x,y"), "--coordinates a.csv::x,y", 'coordinates="a.csv::x,y"'),
    (("lag", 3), "--window-lag 3", "lag=3"),
    (("metrics", ["ari", "nmi"]), "-m ari -m nmi", 'metrics=["ari", "nmi"]'),
]


@pytest.mark.parametrize(("words", "flag", "keyword"), CASES)
def test_a_setting_is_written_as_its_reader_types_it(
    words: tuple[Any, ...], flag: str, keyword: str
) -> None:
    assert say(*words) == keyword
    with read_by("command line"):
        assert say(*words) == flag


def test_a_setting_without_a_value_is_its_name() -> None:
    assert name_of("coordinates_a") == "coordinates_a="
    with read_by("command line"):
        assert name_of("coordinates_a") == "--coordinates-a"


@pytest.mark.parametrize("reader", ["command line", "python"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_threads_write_for_the_reader_of_their_caller(reader: Reader, jobs: int) -> None:
    with read_by(reader):
        expected = [say("noise", label) for label in ("x", "y")]
        assert map_tasks(say_noise, ["x", "y"], jobs) == expected


def say_noise(label: str) -> str:
    """A task that makes a message."""
    return say("noise", label)


def test_every_setting_that_a_message_names_is_declared() -> None:
    for path in PACKAGE.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and ast.unparse(call.func) in {"say", "name_of"}:
                key = call.args[0]
                assert not isinstance(key, ast.Constant) or find(key.value), path
