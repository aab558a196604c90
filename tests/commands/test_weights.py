"""Weights on the command line and in Python: read, joined, noted and refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import clustcmp
from clustcmp.model import Clustering, Comparison, Coverage, Hard, PointSet, Side, Texts
from tests.files import run_clustcmp, write

OLD = "id,label,w,share,x\np1,x,2,.5,0\np2,x,1,1.5,1\np3,y,3,2,2\np4,y,0,1,3\np5,x,1,1,4\n"
NEW = "id,label\np5,2\np1,1\np3,2\np2,2\np4,1\n"
# The rows of OLD and NEW, each as often as w says.
OLD_ROWS = "id,label\n1,x\n2,x\n3,x\n4,y\n5,y\n6,y\n7,x\n"
NEW_ROWS = "id,label\n1,1\n2,1\n3,2\n4,2\n5,2\n6,2\n7,2\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """old.csv with weights, new.csv, and both with repeated rows."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "old.csv": OLD,
        "new.csv": NEW,
        "w.csv": "id,weight\np4,0\np3,3\np5,1\np2,1\np1,2\nmore,7\n",
        "old_rows.csv": OLD_ROWS,
        "new_rows.csv": NEW_ROWS,
    }.items():
        write(name, text)


def values(capsys: pytest.CaptureFixture[str], *words: str) -> list[float | None]:
    """The values that compare prints."""
    outcome = run_clustcmp(capsys, *words, "-f", "json")
    assert outcome.status == 0, outcome.stderr
    return [one["value"] for one in json.loads(outcome.stdout)["results"]]


REPEATED = ["compare", "old_rows.csv", "new_rows.csv", "-m", "pair_counting", "-m", "information"]
METRICS = REPEATED[3:]


@pytest.mark.parametrize(
    "words",
    [
        ["old.csv::label", "new.csv", "--weights", "old.csv::w"],
        ["old.csv::label", "new.csv", "--weights", "w.csv"],
        ["old.csv::label,weights=w", "new.csv"],
        ["old.csv::weights=w,id=id,label=label", "new.csv"],
    ],
)
def test_whole_weights_of_a_file_are_repeated_rows(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = values(capsys, "compare", *words, *METRICS)
    assert found == pytest.approx(values(capsys, *REPEATED), rel=1e-12)


def test_a_column_of_weights_holds_neither_labels_nor_degrees(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("soft.csv", "id,p,q,w\na,.2,.8,3\nb,1,0,1\n")
    outcome = run_clustcmp(capsys, "compare", "soft.csv::weights=w", "soft.csv::weights=w")
    assert outcome.stdout.splitlines()[0].split() == (
        ["a", "soft.csv::weights=w", "2", "points", "weight", "4", "2", "clusters", "soft"]
    )


def test_other_commands_take_weights(capsys: pytest.CaptureFixture[str]) -> None:
    (ari,) = values(capsys, *REPEATED[:3], "-m", "ari")
    weights = ["--weights", "w.csv"]
    matrix = clustcmp.matrix(["old.csv::label", "new.csv"], "ari", weights="w.csv")
    assert matrix["ari"][0][1] == pytest.approx(ari)
    outcome = run_clustcmp(
        capsys, "track", "old.csv::label", "new.csv", "-m", "ari", *weights, "-f", "json"
    )
    assert json.loads(outcome.stdout)["steps"][0]["results"][0]["value"] == pytest.approx(ari)
    changes = run_clustcmp(capsys, "changes", "old.csv::label", "new.csv", *weights, "-f", "json")
    repeated = run_clustcmp(capsys, "changes", "old_rows.csv", "new_rows.csv", "-f", "json")
    for key in ("moved", "clusters", "flows"):
        assert json.loads(changes.stdout)[key] == json.loads(repeated.stdout)[key]
    gate = ["gate", "old.csv::label", "new.csv", *weights, "--max-moved"]
    moved = json.loads(repeated.stdout)["moved"]["share"]
    assert run_clustcmp(capsys, *gate, str(moved + 0.001)).status == 0
    assert run_clustcmp(capsys, *gate, str(moved - 0.001)).status == 1


def test_parts_of_weighted_points_are_those_of_repeated_rows() -> None:
    weighted = clustcmp.per_cluster("old.csv::label", "new.csv", "all", weights="w.csv").to_frame()
    repeated = clustcmp.per_cluster("old_rows.csv", "new_rows.csv", "all").to_frame()
    pd.testing.assert_frame_equal(weighted.sort_index(), repeated.sort_index())
    points = clustcmp.per_point("old.csv::label", "new.csv", "all", weights="w.csv").to_frame()
    copies = clustcmp.per_point("old_rows.csv", "new_rows.csv", "all").to_frame()
    # Row 1 and its copy, row 2, are p1.
    assert list(points.loc["p1"]) == list(copies.loc["1"])
    with pytest.raises(clustcmp.UsageError, match="whole numbers"):
        clustcmp.per_point("old.csv::label", "new.csv", weights="balanced")


def test_a_gate_file_names_weights(capsys: pytest.CaptureFixture[str]) -> None:
    Path("gates").mkdir()
    for weights in ("../w.csv::weight", "balanced"):
        write(
            "gates/g.toml",
            f'[gate]\na = "../old.csv::label"\nb = "../new.csv"\nweights = "{weights}"\n'
            "purity.min = 0.1\n",
        )
        assert run_clustcmp(capsys, "gate", "--config", "gates/g.toml").status == 0


def test_masses_of_changes_are_in_points() -> None:
    report = clustcmp.changes("old.csv::label", "new.csv", weights="balanced")
    # By hand: each cluster of a weighs 5/2; of x two of three points are in its match 2, and of y
    # one of two is in its match 1.
    assert report.moved == pytest.approx(2.5 / 3 + 2.5 / 2)
    assert report.moved_share == pytest.approx(1 / 6 + 1 / 4)


def test_balanced_weights_make_clusters_of_a_count_alike(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["compare", "old.csv::label", "new.csv", "--weights", "balanced", "-m"]
    # By hand: x is 1/3 in 1 and 2/3 in 2, y is 1/2 in each, and each cluster of a weighs 1/2.
    both = (1 / 6) ** 2 + (1 / 3) ** 2 + 2 * (1 / 4) ** 2
    in_b = (1 / 6 + 1 / 4) ** 2 + (1 / 3 + 1 / 4) ** 2
    expected = 0.5 * in_b
    ari = (both - expected) / ((0.5 + in_b) / 2 - expected)
    assert values(capsys, *words, "ari") == pytest.approx([ari])
    assert values(capsys, *words, "purity") == pytest.approx([1 / 4 + 1 / 3])
    outcome = run_clustcmp(capsys, *words, "ari")
    assert "they are masses" in outcome.stderr


def test_intervals_and_chance_of_counts_are_those_of_repeated_rows(
    capsys: pytest.CaptureFixture[str],
) -> None:
    more = ["-m", "ari", "-m", "vi", "--confidence", "0.9", "--permutations", "19", "--seed", "3"]
    weighted = run_clustcmp(
        capsys, "compare", "old.csv::label", "new.csv", "--weights", "w.csv", *more, "-f", "json"
    )
    repeated = run_clustcmp(capsys, *REPEATED[:3], *more, "-f", "json")
    found, expected = (json.loads(one.stdout)["results"] for one in (weighted, repeated))
    for one, other in zip(found, expected, strict=True):
        assert one["interval"] == pytest.approx(other["interval"])
        assert one["chance"] == pytest.approx(other["chance"])


def test_masses_have_no_interval(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", "old.csv::label", "new.csv", "--weights", "old.csv::share", "-m", "ari"]
    outcome = run_clustcmp(
        capsys, *words, "--confidence", "0.9", "--permutations", "9", "-f", "json"
    )
    (result,) = json.loads(outcome.stdout)["results"]
    assert result["interval"]["reason"] == "the weights are masses, and not numbers of points"
    assert result["chance"]["reason"] == "the weights are masses, and not numbers of points"


def test_versus_with_counts_is_that_of_repeated_rows(capsys: pytest.CaptureFixture[str]) -> None:
    write("third.csv", "id,label\np1,1\np2,1\np3,2\np4,1\np5,2\n")
    write("third_rows.csv", "id,label\n1,1\n2,1\n3,1\n4,2\n5,2\n6,2\n7,2\n")
    more = ["-m", "ari", "-f", "json", "--versus"]
    weighted = run_clustcmp(
        capsys, "compare", "old.csv::label", "new.csv", "--weights", "w.csv", *more, "third.csv"
    )
    repeated = run_clustcmp(capsys, *REPEATED[:3], *more, "third_rows.csv")
    found, expected = (
        json.loads(one.stdout)["results"][0]["versus"] for one in (weighted, repeated)
    )
    assert {**found, "file": ""} == pytest.approx({**expected, "file": ""})


def test_the_library_takes_arrays_series_columns_and_files() -> None:
    old, new = pd.read_csv("old.csv", index_col="id"), pd.read_csv("new.csv", index_col="id")
    ari = clustcmp.compare("old_rows.csv", "new_rows.csv", "ari")["ari"]
    new = new.loc[old.index]
    shuffled = old["w"].iloc[::-1]
    weights: Any
    for weights in (old["w"], shuffled, old[["w"]], "w.csv::weight"):
        found = clustcmp.compare(old["label"], new["label"], "ari", weights=weights)
        assert found["ari"] == pytest.approx(ari)
    labels = old["label"].to_list(), new["label"].to_list()
    for given in (old["w"].to_numpy(), old["w"].to_list()):
        assert clustcmp.compare(*labels, "ari", weights=given)["ari"] == pytest.approx(ari)
    assert clustcmp.compare(*labels, "ari", weights=[1] * 5).inputs[0].mass == 5.0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--weights", "bad.csv::negative"], "bad.csv: the weight -1 of point 'p2' is negative"),
        (["--weights", "bad.csv::zero"], "bad.csv: all weights are 0"),
        (["--weights", "bad.csv::word"], "bad.csv:2: point 'p1', column 'word': 'a' is not a num"),
        (["--weights", "bad.csv::negative,zero"], "which column holds the weights?"),
        (["--weights", "few.csv"], "few.csv: has no weight for point 'p2' of old.csv::label"),
        (["--weights", "nowhere.csv"], "nowhere.csv"),
        (["--weights", "old.csv::nothing"], "has no column 'nothing'"),
        (["--weights", "balanced", "--points", "intersect", "-m", "ami"], "whole numbers"),
    ],
)
def test_wrong_weights_are_refused(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        "bad.csv",
        "id,negative,zero,word\np1,1,0,a\np2,-1,0,b\np3,1,0,c\np4,1,0,d\np5,1,0,e\n",
    )
    write("few.csv", "id,w\np1,1\n")
    outcome = run_clustcmp(capsys, "compare", "old.csv::label", "new.csv", *words)
    assert (outcome.status, outcome.stdout) == (2, "")
    assert message in outcome.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["compare", "old.csv::label,weights=w", "new.csv::label=label,weights=label"],
            "cannot be both",
        ),
        (["compare", "old.csv::label,weights=x", "old.csv::label,weights=w"], "other weights"),
        (["compare", "old.csv::label,weights=w", "new.csv", "--weights", "w.csv"], "of its own"),
        (["matrix", "old.csv::label", "new.csv", "--weights", "balanced"], "needs a --reference"),
        (
            ["compare", "old.csv::label", "old.csv::label,weights=share", "--versus", "new.csv"],
            "not compared with a under the same weights",
        ),
        (["compare", "neg.csv::weights=w", "new.csv"], "neg.csv:3: column 'w': the weight -2 is"),
    ],
)
def test_contradictions_of_weights_are_refused(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("neg.csv", "id,label,w\np1,x,1\np2,x,-2\n")
    outcome = run_clustcmp(capsys, *words)
    assert (outcome.status, outcome.stdout) == (2, "")
    assert message in outcome.stderr


def test_a_comparison_whose_sides_weigh_the_same_points_differently_is_refused() -> None:
    hard, names = Hard(np.zeros(2, dtype=np.int32), 1), Texts.of("x")
    sides = [
        Clustering(PointSet(2, None, None, np.array([1.0, weight])), hard, names)
        for weight in (1.0, 2.0)
    ]
    described = Side("a", None, "hard", 2, 1, 0), Side("b", None, "hard", 2, 1, 0)
    with pytest.raises(clustcmp.InputError, match="other weights"):
        Comparison(sides[0], sides[1], described, Coverage(2, 0, 0))
