"""Runs that exist already: groups, partitions, medoid, clusters and points, and all outputs."""

from __future__ import annotations

import csv
import json
import pickle
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

import clustcmp
from clustcmp.errors import InputError, UsageError
from tests.files import write

# s2 lacks p5, s3 lacks p1. Values on common points, by hand: s1 and s2 agree, 1; s1 and s3 on p2 to
# p5: 1 pair together in both, 3 and 2 in each, of 6, so 0; s2 and s3 on p2 to p4: -1/2.
RUNS = "id,s1,s2,s3\np1,a,x,\np2,a,x,1\np3,b,y,1\np4,b,y,2\np5,b,,2\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has its own folder."""
    monkeypatch.chdir(tmp_path)


def stability_json(*arguments: str) -> dict[str, Any]:
    """The JSON of runs, which fits its schema."""
    document: dict[str, Any] = json.loads(clustcmp.stability_of(list(arguments)).to_text("json"))
    text = (files("clustcmp.schemas") / "stability-1.json").read_text(encoding="utf-8")
    jsonschema.Draft202012Validator(json.loads(text)).validate(document)
    return document


def test_columns_with_empty_cells_are_compared_on_common_points() -> None:
    write("runs.csv", RUNS)
    document = stability_json("runs.csv::*")
    assert document["schema"] == "clustcmp/stability/1"
    (point,) = document["curve"]
    # The mean of 1, 0 and -1/2; leaving out s1, s2, s3 leaves -1/2, 0, 1.
    assert point["value"] == pytest.approx(1 / 6)
    squares = (-1 / 2 - 1 / 6) ** 2 + (1 / 6) ** 2 + (1 - 1 / 6) ** 2
    assert point["standard_error"] == pytest.approx((2 / 3 * squares) ** 0.5)
    assert (point["low"], point["high"]) == pytest.approx((-0.45, 0.9))
    assert (point["group"], point["runs"], point["pairs"], point["failed"]) == ("all", 3, 3, 0)
    assert (point["partitions"], point["commonest"]) == (3, pytest.approx(1 / 3))
    assert point["medoid"] == "runs.csv::s1"


def test_the_clusters_of_the_medoid_are_followed_in_the_other_runs() -> None:
    write("runs.csv", RUNS)
    found = stability_json("runs.csv::*")["clusters"]
    # a = {p1,p2} is {p1,p2} in s2, and of s3 {p2} in {p2,p3}: 1/2; b = {p3,p4,p5} is {p3,p4} in s2
    # on p1 to p4, and {p4,p5} in s3: 2/3.
    assert [one["cluster"] for one in found] == ["b", "a"]
    assert [one["jaccard"] for one in found] == pytest.approx([5 / 6, 3 / 4])
    assert [(one["dissolved"], one["recovered"], one["samples"]) for one in found] == [
        (0, 1, 2),
        (1, 1, 2),
    ]
    assert [one["verdict"] for one in found] == ["stable", "stable"]


def test_one_file_per_run_gives_the_same_as_one_column_per_run() -> None:
    write("runs.csv", RUNS)
    table = list(csv.reader(RUNS.splitlines()))
    for column in (1, 2, 3):
        rows = [f"{row[0]},{row[column]}" for row in table[1:] if row[column]]
        write(f"s{column}.csv", "\n".join(["id,label", *reversed(rows)]) + "\n")
    one = stability_json("runs.csv::*")
    several = stability_json("s1.csv", "s2.csv", "s3.csv")
    for part in ("value", "standard_error", "low", "high", "pairs", "partitions"):
        assert several["curve"][0][part] == one["curve"][0][part]
    assert several["clusters"] == one["clusters"]


def test_pairs_have_scikit_learns_values() -> None:
    chance = np.random.default_rng(4)
    names = [f"p{number}" for number in range(40)]
    table = pd.DataFrame(
        chance.integers(3, size=(40, 5)).astype(float), pd.Index(names, name="id"), list("abcde")
    )
    table = table.mask(chance.random(table.shape) < 0.2)
    runs = {name: table[name].dropna().astype(int) for name in table}
    expected = []
    for one, other in combinations(runs, 2):
        both = table[[one, other]].dropna()
        expected.append(adjusted_rand_score(both[one], both[other]))
    report = clustcmp.stability_of(runs)
    assert report.to_frame("pairs")["value"].tolist() == pytest.approx(expected)
    assert report.curve[0].value == pytest.approx(np.mean(expected))


def test_runs_are_grouped_by_their_number_of_clusters() -> None:
    runs = {"a": [1, 1, 2, 2], "b": [1, 2, 3, 3], "c": [5, 5, 6, 6], "d": [1, 2, 3, 4]}
    curve = clustcmp.stability_of(runs, group="clusters").curve
    assert [(one.group, one.runs, one.value) for one in curve] == [
        ("2", 2, 1.0),
        ("3", 1, None),
        ("4", 1, None),
    ]


def test_runs_are_grouped_by_what_a_regular_expression_captures() -> None:
    runs = {
        "k=2 s=1": [1, 1, 2],
        "k=10 s=1": [1, 2, 3],
        "k=2 s=2": [1, 1, 2],
        "k=10 s=2": [1, 2, 3],
    }
    report = clustcmp.stability_of(runs, group="k=([0-9]+)")
    assert [(one.group, one.runs) for one in report.curve] == [("2", 2), ("10", 2)]
    # Without a capture the whole match is the group.
    assert [one.group for one in clustcmp.stability_of(runs, group="s=.").curve] == ["s=1", "s=2"]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [("k=(", "is not a regular expression"), ("k=(9)", "does not match the name of the run 1")],
)
def test_a_regular_expression_that_does_not_fit_is_an_error(pattern: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        clustcmp.stability_of([[1, 1, 2], [1, 2, 2]], group=pattern)


def test_groups_of_one_run_each_are_an_error() -> None:
    with pytest.raises(UsageError, match="each of the 2 groups has one run"):
        clustcmp.stability_of([[1, 1, 2], [1, 2, 3]], group="clusters")


def test_a_reference_is_followed_and_is_not_a_run() -> None:
    runs = {"a": [1, 1, 2, 2], "b": [1, 1, 2, 2], "truth": [1, 2, 2, 2]}
    for reference in ("truth", [1, 2, 2, 2]):
        chosen = runs if reference == "truth" else {"a": runs["a"], "b": runs["b"]}
        report = clustcmp.stability_of(chosen, reference=reference)
        assert [run.name for run in report.inputs] == ["a", "b"]
        assert report.curve[0].value == 1.0
        # {1} in {1,2}: 1/2; {2,3,4} in {3,4}: 2/3; both runs count.
        assert [one.jaccard for one in report.clusters] == pytest.approx([2 / 3, 1 / 2])
        assert [one.samples for one in report.clusters] == [2, 2]
        assert report.to_frame("points")["share"].tolist() == pytest.approx([1, 0, 1, 1])


def test_distinct_partitions_do_not_depend_on_names() -> None:
    runs = [[1, 1, 2, 2], ["b", "b", "a", "a"], [7, 7, 7, 8], [2, 2, 1, 1]]
    (point,) = clustcmp.stability_of(runs).curve
    assert (point.partitions, point.commonest) == (2, 0.75)


@pytest.mark.parametrize(("metric", "medoid"), [("ari", "2"), ("vi", "2")])
def test_the_medoid_has_the_best_mean_for_similarities_and_distances(
    metric: str, medoid: str
) -> None:
    runs = [[1, 1, 1, 2, 2, 2], [1, 1, 1, 2, 2, 3], [1, 1, 4, 2, 2, 3]]
    assert clustcmp.stability_of(runs, metric).curve[0].medoid == medoid


def test_runs_without_ids_have_the_same_number_of_rows() -> None:
    with pytest.raises(InputError, match="1 has 3 rows and 2 has 2"):
        clustcmp.stability_of([[1, 1, 2], [1, 2]])


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("beta_cv", "beta_cv is a metric of one clustering"),
        ("joint_entropy", "joint_entropy does not say what is better"),
        ("pair_counting", "stability has one metric"),
    ],
)
def test_metrics_that_cannot_tell_stability_are_refused(metric: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        clustcmp.stability_of([[1, 1, 2], [1, 2, 2]], metric)


def test_cdistance_is_compared_where_the_common_points_are() -> None:
    chance = np.random.default_rng(8)
    ids = pd.Index([f"p{number}" for number in range(10)], name="id")
    places = pd.DataFrame(chance.normal(size=(10, 2)), ids, ["x", "y"])
    whole = pd.Series(chance.integers(2, size=10), ids)
    part = pd.Series(chance.integers(2, size=7), ids[:7])
    expected = clustcmp.compare(whole, part, "cdistance", points="intersect", coordinates=places)[
        "cdistance"
    ]
    report = clustcmp.stability_of({"a": whole, "b": part}, "cdistance", coordinates=places)
    assert report.curve[0].value == pytest.approx(expected)


def test_a_metric_without_coordinates_is_an_error() -> None:
    with pytest.raises(UsageError, match="needs coordinates"):
        clustcmp.stability_of([[1, 1, 2], [1, 2, 2]], "cdistance")


def test_soft_runs_are_compared_and_need_a_metric_for_soft() -> None:
    one = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    other = np.array([[0.8, 0.2], [0.3, 0.7], [0.1, 0.9]])
    report = clustcmp.stability_of({"a": one, "b": other})
    assert report.curve[0].value == pytest.approx(clustcmp.compare(one, other, "ari")["ari"])
    with pytest.raises(UsageError, match="needs hard clusterings"):
        clustcmp.stability_of({"a": one, "b": other}, "ami")


def test_a_report_survives_pickling_and_shows_itself() -> None:
    report = clustcmp.stability_of([[1, 1, 2, 2], [1, 1, 2, 3], [1, 1, 2, 2]])
    assert pickle.loads(pickle.dumps(report)) == report
    assert "3 runs of 4 points" in repr(report)
    assert "<table" in report._repr_html_()


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=6, max_size=6), min_size=3, max_size=4),
    st.permutations(range(6)),
    st.permutations("wxyz"),
)
def test_renamed_clusters_and_reordered_points_change_nothing(
    labels: list[list[int]], order: list[int], names: list[str]
) -> None:
    ids = np.array([f"p{number}" for number in range(6)])
    before = {f"r{n}": pd.Series(run, ids) for n, run in enumerate(labels)}
    after = {
        f"r{n}": pd.Series([names[run[at]] for at in order], ids[order])
        for n, run in enumerate(labels)
    }
    one, other = clustcmp.stability_of(before), clustcmp.stability_of(after)
    assert one.curve == other.curve
    assert sorted((c.size, c.jaccard) for c in one.clusters) == (
        sorted((c.size, c.jaccard) for c in other.clusters)
    )
    shares = [
        report.to_frame("points").set_index("id")["share"].sort_index() for report in (one, other)
    ]
    assert shares[0].equals(shares[1])
