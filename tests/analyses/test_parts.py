"""Which clusters and which points a value comes from."""

from __future__ import annotations

import csv
import io
import json
import math
from importlib.resources import files

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import clustcmp
from clustcmp.analyses.parts.measures import CLUSTER_MEASURES
from clustcmp.errors import InputError, UsageError
from tests.conftest import Labels, label_pairs
from tests.files import run_clustcmp

# a has {1 2 3 4}, {5 6}, {7}; b has {1 2 3}, {4 5 6}, {7}.
OLD, NEW = list("xxxxyyz"), list("pppqqqr")


def by_cluster(measure: str) -> dict[tuple[str, str], float]:
    """One measure of all clusters."""
    rows = clustcmp.per_cluster(OLD, NEW, measure).rows()
    return {(side, name): math.nan if value is None else value for side, name, _, value in rows}


def test_clusters_by_hand() -> None:
    # x has 4 points, 3 of them in p (3 points) and 1 in q (3 points).
    expected = {
        "f1": 6 / 7,
        "jaccard": 3 / 4,
        "parts": 2.0,
        "largest_share": 3 / 4,
        "exact": 0.0,
        "pairs_kept": 3 / 6,
        # b has 3 + 3 of 21 pairs together: (1/2 - 6/21) / (1 - 6/21).
        "pairs_kept_adjusted": (1 / 2 - 6 / 21) / (15 / 21),
        # Three points with 3/4, one with 1/4.
        "element_centric": (3 * 3 / 4 + 1 / 4) / 4,
        # Each of three points misses one, the fourth misses three.
        "missing": 6 / 4,
        # The fourth is with two strange points.
        "extra": 2 / 4,
        "entropy": -(3 / 4 * math.log(3 / 4) + 1 / 4 * math.log(1 / 4)),
    }
    assert set(expected) == set(CLUSTER_MEASURES)
    for measure, value in expected.items():
        assert by_cluster(measure)["a", "x"] == pytest.approx(value, abs=1e-12), measure
    assert by_cluster("exact")["b", "r"] == 1.0
    assert math.isnan(by_cluster("pairs_kept")["a", "z"])


def test_clusters_of_warrens_table_6() -> None:
    # Warrens 2022, table 6: pairs kept 1 1 .43 .43, above chance 1 1 .20 .20.
    table = np.array([[20, 0, 0, 0], [0, 20, 0, 0], [0, 0, 4, 4], [0, 0, 4, 4]])
    a, b = (np.repeat(codes, table.ravel()) for codes in np.indices(table.shape).reshape(2, -1))
    frame = clustcmp.per_cluster(a, b, ["pairs_kept", "pairs_kept_adjusted"]).to_frame()
    kept = frame.loc["a"].sort_index().round(2)
    assert kept["pairs_kept"].tolist() == [1.0, 1.0, 0.43, 0.43]
    assert kept["pairs_kept_adjusted"].tolist() == [1.0, 1.0, 0.2, 0.2]


@given(pair=label_pairs)
def test_means_over_points_are_the_metrics(pair: tuple[Labels, Labels]) -> None:
    names = ["element_centric", "bcubed_precision", "bcubed_recall", "rand"]
    frame = clustcmp.per_point(*pair, names).to_frame()
    values = clustcmp.compare(*pair, names)
    for name in names:
        assert frame[name].mean() == pytest.approx(values[name], abs=1e-12), name


@given(pair=label_pairs)
def test_pairs_kept_average_to_pair_recall_and_precision(pair: tuple[Labels, Labels]) -> None:
    frame = clustcmp.per_cluster(*pair, "pairs_kept").to_frame().reset_index()
    frame["pairs"] = frame["size"] * (frame["size"] - 1) / 2
    for side, metric in (("a", "pair_recall"), ("b", "pair_precision")):
        own = frame[(frame["side"] == side) & (frame["pairs"] > 0)]
        if len(own):
            mean = (own["pairs_kept"] * own["pairs"]).sum() / own["pairs"].sum()
            assert mean == pytest.approx(clustcmp.compare(*pair, metric)[metric], abs=1e-12)


@given(pair=label_pairs)
def test_points_have_the_values_that_counting_gives(pair: tuple[Labels, Labels]) -> None:
    a, b = pair
    found = clustcmp.per_point(a, b, "all").to_frame()
    for i, (here, there) in enumerate(pair_up(a, b)):
        own = {j for j, label in enumerate(a) if label == here}
        new = {j for j, label in enumerate(b) if label == there}
        both, either = len(own & new), len(own | new)
        row = found.loc[str(i + 1)]
        assert row["overlap"] == pytest.approx(both / either)
        assert row["bcubed_precision"] == pytest.approx(both / len(new))
        others = len(a) - 1
        agree = both - 1 + len(a) - either
        assert row["rand"] == pytest.approx(agree / others if others else 1.0)


def pair_up(a: Labels, b: Labels) -> list[tuple[int, int]]:
    """The two labels of each point."""
    return list(zip(a, b, strict=True))


def test_the_worst_come_first_and_labels_keep_their_types() -> None:
    report = clustcmp.per_point([1, 1, 1, 2], [True, True, False, False], "overlap")
    assert next(report.rows())[:3] == ("3", 1, False)
    values = [row[-1] for row in report.rows()]
    assert values == sorted(values)
    clusters = clustcmp.per_cluster(OLD, NEW, "missing")
    missing = [row[-1] for row in clusters.rows()]
    assert missing == sorted(missing, reverse=True)


def test_a_table_of_counts_has_clusters_but_no_points() -> None:
    counts = [[3, 1, 0], [0, 2, 0], [0, 0, 1]]
    from_counts = clustcmp.per_cluster(contingency=counts, measures="f1").to_frame()["f1"]
    from_points = clustcmp.per_cluster(OLD, NEW, "f1").to_frame()["f1"]
    assert from_counts.tolist() == pytest.approx(from_points.tolist())
    with pytest.raises(UsageError, match="no single points"):
        clustcmp.per_point(contingency=counts)


@pytest.mark.parametrize("per", ["cluster", "point"])
def test_the_command_writes_all_rows_for_programs(
    per: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("compare", "examples/iris_species.csv", "examples/iris_kmeans_bad.csv", "--per", per)
    document = json.loads(run_clustcmp(capsys, *words, "-f", "json").stdout)
    schema = json.loads((files("clustcmp.schemas") / f"{per}s-1.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)
    rows = document[f"{per}s"]
    assert len(rows) == {"cluster": 6, "point": 150}[per]
    table = list(csv.DictReader(io.StringIO(run_clustcmp(capsys, *words, "-f", "csv").stdout)))
    first = document["measures"][0]
    assert [float(row[first]) for row in table] == [row["values"][first] for row in rows]


def test_the_table_shows_the_worst_and_says_how_to_see_all(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("compare", "examples/iris_species.csv", "examples/iris_kmeans_bad.csv")
    few = run_clustcmp(capsys, *words, "--per", "point", "--top", "3").stdout
    assert "not shown: 147 more points, none of them worse; --all shows all" in few
    assert few.count("iris-0") + few.count("iris-1") == 3
    everything = run_clustcmp(capsys, *words, "--per", "point", "--all").stdout
    assert "not shown" not in everything
    assert everything.count("iris-") == 150


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (("--per", "point", "-m", "vi"), "vi: has no value for each point", "overlap"),
        (
            ("--per", "cluster", "-m", "jacard"),
            "jacard: has no value for each cluster",
            "did you mean",
        ),
        (("--per", "point", "--confidence", "0.9"), "--confidence asks about values", "--per"),
        (("--per", "point", "--draws", "d.csv"), "--draws asks about values", "--per"),
        (("--top", "3"), "--top has no effect without --per", "add --per"),
        (("--all",), "--all has no effect without --per", "add --per"),
    ],
)
def test_what_does_not_go_together_is_refused(
    words: tuple[str, ...], message: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    iris = ("examples/iris_species.csv", "examples/iris_kmeans_bad.csv")
    done = run_clustcmp(capsys, "compare", *iris, *words)
    assert (done.status, done.stdout) == (2, "")
    assert message in done.stderr
    assert hint in done.stderr


def test_soft_clusterings_and_other_points_are_refused() -> None:
    with pytest.raises(UsageError, match="need hard clusterings"):
        clustcmp.per_cluster([[0.5, 0.5], [1.0, 0.0]], [0, 1])
    one, other = pd.Series(["x", "y"], index=[1, 2]), pd.Series(["x", "y"], index=[2, 3])
    with pytest.raises(InputError) as error:
        clustcmp.per_point(one, other)
    assert 'points="intersect"' in error.value.hint
    assert next(clustcmp.per_point(one, other, points="intersect").rows())[0] == 2
