"""The examples in the help of each command are commands that run."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from clustcmp.cli import COMMANDS, run
from tests.files import write

PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def help_of(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The help of a command in a terminal of 80 columns; of the program if the command is empty."""
    capsys.readouterr()
    assert run([*command.split(), "--help"]) == 0
    return capsys.readouterr().out


def examples_of(text: str) -> list[str]:
    """The commands below the word Examples, each in one line."""
    found = re.search(r"\n  Examples:\n(.*?)(\n  Exit status|\Z)", text, re.DOTALL)
    lines = found[1].replace("\\\n", " ") if found else ""
    return [" ".join(line.split()) for line in lines.splitlines() if line.strip()]


@pytest.fixture
def small_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with all files that the examples name, of 200 points each, one of which moved."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    points = range(200)

    def table(header: str, *columns: Sequence[object]) -> str:
        rows = zip([f"p{i}" for i in points], *columns, strict=True)
        return f"id,{header}\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)

    fifths = [f"c{i // 40}" for i in points]
    moved = ["c1", *fifths[1:]]
    x, y = [i / 7 for i in points], [i % 5 for i in points]
    old, new = table("x,y,label", x, y, fifths), table("x,y,label", x, y, moved)
    days = [f"day{number:02d}.csv" for number in range(10)]
    windows = ["w1.csv", "w2.csv", "w3.csv", "monday.csv", "tuesday.csv", "wednesday.csv"]
    write("counts.csv", "a,b,count\nx,1,40\nx,2,10\ny,2,50\n")
    Path("runs").mkdir()
    Path("fits").mkdir()
    for name in ("k5-1", "k5-2", "k6-1", "k6-2"):
        write(f"fits/{name}.csv", old)
    for name in (
        "old.csv",
        "truth.csv",
        "truth1.csv",
        "january.csv",
        "runs/1.csv",
        *windows,
        *days,
    ):
        write(name, old)
    for name in ("new.csv", "found.csv", "truth2.csv", "may.csv", "runs/2.csv", "runs/3.csv"):
        write(name, new)
    write("entities.csv", table("label", [point // 4 for point in points]))
    write("new.csv.gz", gzip.compress(new.encode()))
    two = table("leiden,louvain", fifths, moved)
    write("cells.tsv", two.replace(",", "\t"))
    write("results.csv", two)
    write("obs.csv", table("leiden_1,leiden_2,cell_type", fifths, moved, fifths))
    write("soft.csv", table("a,b", [0.9] * 200, [0.1] * 200))
    for name in ("cells.csv", "xy.csv", "x1.csv", "x2.csv", "points.csv"):
        write(name, table("x,y", x, y))
    gates = '[gate]\nreference = "old.csv"\ncandidate = "new.csv"\n[gate.nightly]\nari.min = 0.8\n'
    write("clustcmp.toml", gates)
    write("gates.toml", gates)


@pytest.mark.parametrize("command", ["", *COMMANDS])
@pytest.mark.usefixtures("small_files")
def test_examples_run(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    examples = examples_of(help_of(command, capsys))
    assert examples
    for example in examples:
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", example],
            env={**os.environ, "PATH": PATH},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (example, done.stderr)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_80_columns_and_breaks_no_flag(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = help_of(command, capsys).splitlines()
    assert [line for line in lines if len(line) > 80] == []
    assert [line for line in lines if re.search(r"--\w+-$", line)] == []
    assert [line for line in lines if line.endswith("...") and line.startswith("  ")] == []
