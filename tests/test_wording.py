"""Messages name settings as their reader writes them: flags for commands, keywords for Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import clustcmp
from clustcmp import ClustcmpError
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
    (("max", {"vi": 1.0}), "--max vi=1", 'max={"vi": 1.0}'),
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


# A flag in a text: two dashes and a letter, or a dash and the letter of a short one.
FLAG = re.compile(r"(?:^|[\s'\"(`])(?<!iconv )(--[a-z]|--$|-[mfo] )")

# Texts for the command line only: rooms, the declarations of flags, the list of metrics.
DECLARATIONS = (
    "settings.py",
    "output_settings.py",
    "stability_settings.py",
    "wording.py",
    "render/metrics.py",
)
COMMANDS_ONLY = ("commands/", "cli.py", "__main__.py", *DECLARATIONS)


def texts_in(path: Path) -> Iterator[str]:
    """The texts in a module that may become messages: no docstrings, and nothing for `either`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            skipped.update(ast.walk(node))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "either":
            skipped.update(ast.walk(node))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in skipped:
            yield node.value


def test_no_message_of_the_library_spells_out_a_flag() -> None:
    for path in PACKAGE.rglob("*.py"):
        if not str(path.relative_to(PACKAGE)).startswith(COMMANDS_ONLY):
            assert [text for text in texts_in(path) if FLAG.search(text)] == [], path


ONE, OTHER = (pd.Series([1, 1], index=list(ids)) for ids in ("xy", "yz"))

# Calls that cannot be answered, and the keyword that their message names.
REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: clustcmp.compare([1, 1], [1, 2], metrics="cdistance"), "coordinates=..."),
    (lambda: clustcmp.compare(ONE, OTHER), 'points="intersect"'),
    (
        lambda: clustcmp.compare([1, 1], [1, 2], metrics="cdistance:ground=precomputed"),
        "distances=...",
    ),
    (lambda: clustcmp.compare([1, 1], [1, 1], noise=1, noise_policy="drop"), "noise_policy="),
    (lambda: clustcmp.changes([1, 2], [1, 2], ground="cityblock"), "leave out ground="),
    (lambda: clustcmp.track([[1, 2], [1, 2]], lag=3), "lag=3 leaves nothing"),
    (lambda: clustcmp.gate([1, 2], [1, 2]), 'min={"ari": 0.9}'),
    (lambda: clustcmp.gate([1, 2], [1, 2], min={"coverage": 0.9}), "min_coverage="),
    (lambda: clustcmp.gate([1, 2], [1, 2], max_change={"ari": 0.1}), "baseline="),
    (
        lambda: clustcmp.gate([1, 2], baseline="none.json", max_moved=0),
        "with clustcmp.accept_baseline",
    ),
    (lambda: clustcmp.compare([1, 2], [1, 2], metrics="ari,nmi"), 'metrics=["ari", "nmi"]'),
    (lambda: clustcmp.matrix([[1, 2]]), "reference="),
    (lambda: clustcmp.compare([1], [1], coordinates=[[0]], distances=[[0]]), "distances= is used"),
    (lambda: clustcmp.compare([1], [1], coordinates=[[0]], coordinates_a=[[0]]), "coordinates_b="),
    (lambda: clustcmp.compare([1], [1], coordinates_b=[[0]]), "without coordinates_a="),
    (lambda: clustcmp.compare([[0.5, 0.2]], [1]), "normalize=True"),
    (lambda: clustcmp.compare([[0.5, 0.2]], [1]), "choose it: labels[:, 0]"),
    (lambda: clustcmp.compare(pd.DataFrame({"x": [-0.5], "y": [1.5]}), [1]), 'it: df["x"]'),
    (lambda: clustcmp.compare([1, None], [1, 2]), 'missing="drop"'),
    (lambda: clustcmp.compare(__file__, [1], max_bytes=5), "max_bytes="),
]


@pytest.mark.parametrize(("call", "keyword"), REFUSED, ids=[keyword for _, keyword in REFUSED])
def test_an_error_in_python_names_the_keyword(call: Callable[[], Any], keyword: str) -> None:
    with pytest.raises(ClustcmpError) as error:
        call()
    assert keyword in str(error.value)
    assert "--" not in str(error.value)
