"""clustcmp inspect says what compare would do, and its command lines run."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import clustcmp
from tests.files import run_clustcmp, write

FILES = {
    "named.csv": "id,label,x,y\np1,a,1.5,2\np2,a,2.5,3\np3,b,3.5,1\n",
    "shuffled.csv": "id,cluster\np3,2\np1,1\np2,1\n",
    "plain.csv": "cell,kind\np1,a\np2,a\np3,b\n",
    "soft.csv": "id,p,q\np1,.5,.5\np2,1,0\np3,.25,.75\n",
    "lines.txt": "a\na\nb\n",
    "several.csv": "id,one,two,size\np1,x,1,.5\np2,x,2,.7\np3,y,2,.9\n",
    "cells_a.csv": "cell,size,kind\nc1,1.5,a\nc2,2.5,a\nc3,1.5,b\n",
    "cells_b.csv": "cell,batch,size\nc2,u,1.5\nc3,v,2.5\nc4,v,2.5\n",
    "noise.csv": "id,label\np1,-1\np2,a\np3,\np4,a\n",
    "fewer.csv": "id,label\np1,a\np2,b\n",
    "points.csv": "x,y\n1.5,2.5\n2.5,3.5\n",
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        write(name, text)
    pd.read_csv("named.csv").to_parquet("named.parquet", index=False)


def look(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """What inspect prints as JSON."""
    outcome = run_clustcmp(capsys, "inspect", *words, "-f", "json")
    assert outcome.status == 0, outcome.stderr
    document: dict[str, Any] = json.loads(outcome.stdout)
    return document


PAIRS = [
    ("named.csv", "shuffled.csv"),
    ("named.csv", "soft.csv"),
    ("named.csv", "named.parquet"),
    ("plain.csv", "plain.csv"),
    ("lines.txt", "lines.txt"),
    ("named.csv", "fewer.csv"),
    ("cells_a.csv::kind", "cells_b.csv::batch"),
    ("named.csv::label,weights=y", "shuffled.csv"),
]


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_two_files_are_seen_as_compare_reads_them(
    a: str, b: str, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = look(capsys, a, b)
    compared = json.loads(
        run_clustcmp(capsys, "compare", a, b, "--points", "intersect", "-f", "json").stdout
    )
    assert seen["join"]["joined_by"] == compared["joined_by"]
    coverage = {key: seen["join"][key] for key in ("shared", "only_a", "only_b")}
    assert coverage == compared["coverage"]
    for file, side in zip(seen["files"], compared["inputs"], strict=True):
        (found,) = file["clusterings"]
        assert (found["kind"], found["id"]) == (side["kind"], side["id"])
        taken = {one["taken_for"]: one["name"] for one in file["columns"]}
        assert taken.get("id") == side["id"]
    assert (seen["join"]["problem"] is None) == (
        run_clustcmp(capsys, "compare", a, b, "-m", "rand").status == 0
    )


@pytest.mark.parametrize(
    "words",
    [*PAIRS, ("several.csv",), ("several.csv::*",), ("named.csv", "shuffled.csv", "fewer.csv")],
)
def test_command_lines_run(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    commands = look(capsys, *words)["commands"]
    assert commands
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "clustcmp"
        outcome = run_clustcmp(capsys, *arguments)
        assert outcome.status == 0, (command, outcome.stderr)


def test_columns_say_what_they_could_be(capsys: pytest.CaptureFixture[str]) -> None:
    (file,) = look(capsys, "several.csv")["files"]
    assert file["format"] == "csv"
    assert file["rows"] == 3
    could_be = {one["name"]: one["could_be"] for one in file["columns"]}
    assert could_be == {
        "id": ["id"],
        "one": ["label"],
        "two": ["label", "weight", "coordinate"],
        "size": ["membership", "weight", "coordinate"],
    }
    # compare does not choose between two columns of labels.
    assert run_clustcmp(capsys, "compare", "several.csv", "several.csv").status == 2
    assert "'x' is not a number" in file["problem"]
    assert [one["address"] for one in file["clusterings"]] == [
        "several.csv::one",
        "several.csv::two",
    ]


def test_clusters_noise_and_missing_labels_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["noise.csv", "--noise=-1", "--missing", "drop"]
    seen = look(capsys, *words)
    (clustering,) = seen["files"][0]["clusterings"]
    assert clustering["clusters"] == [{"label": "a", "size": 2}]
    assert (clustering["points"], clustering["noise"], clustering["missing"]) == (4, 1, 1)
    # What was said about reading is said again.
    assert all(one.endswith(" --noise=-1 --missing drop") for one in seen["commands"])
    (file,) = look(capsys, "noise.csv")["files"]
    assert "noise.csv:4: the label is empty" in file["problem"]


def test_soft_clusters_have_masses(capsys: pytest.CaptureFixture[str]) -> None:
    (file,) = look(capsys, "soft.csv")["files"]
    assert file["clusterings"][0]["clusters"] == [
        {"label": "p", "size": 1.75},
        {"label": "q", "size": 1.25},
    ]
    assert [one["taken_for"] for one in file["columns"]] == ["id", "membership", "membership"]


def test_points_without_labels_lead_to_stability(capsys: pytest.CaptureFixture[str]) -> None:
    seen = look(capsys, "points.csv")
    assert seen["files"][0]["clusterings"] == []
    assert seen["files"][0]["problem"]
    (command,) = seen["commands"]
    assert command.startswith("clustcmp stability points.csv::x,y ")


def test_files_that_do_not_belong_together_say_why(capsys: pytest.CaptureFixture[str]) -> None:
    seen = look(capsys, "named.csv", "lines.txt")
    refused = run_clustcmp(capsys, "compare", "named.csv", "lines.txt")
    assert (refused.status, seen["join"]["joined_by"]) == (2, None)
    assert seen["join"]["problem"] in refused.stderr.replace("\n    ", " ")
    assert seen["commands"] == []


def test_every_format_shows_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    for form in ("table", "markdown", "csv", "html", "latex"):
        outcome = run_clustcmp(capsys, "inspect", "named.csv", "shuffled.csv", "-f", form)
        assert outcome.status == 0
        assert "shuffled.csv" in outcome.stdout
    rows = run_clustcmp(capsys, "inspect", "named.csv", "-f", "csv").stdout.splitlines()
    assert rows[0] == "file,column,taken_for,could_be,why"
    assert rows[1].startswith("named.csv,id,id,id,")
    assert len(rows) == 5


def test_the_library_gives_the_same_report() -> None:
    report = clustcmp.inspect("named.csv", Path("shuffled.csv"))
    assert report.join is not None
    assert report.join.shared == 3
    assert report.files[0].columns[2].could_be == ("weight", "coordinate")
    assert len(report.to_frame()) == 6
    assert "named.csv" in repr(report)
    with pytest.raises(clustcmp.InputError, match="list is not the path of a file"):
        clustcmp.inspect([1, 1, 2])
    with pytest.raises(clustcmp.UsageError, match="no file"):
        clustcmp.inspect()


def test_stdin_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run_clustcmp(capsys, "inspect", "-")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "can be read only once" in outcome.stderr


def test_a_missing_file_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run_clustcmp(capsys, "inspect", "nowhere.csv")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "nowhere.csv" in outcome.stderr
