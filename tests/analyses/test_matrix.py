"""Several clusterings against each other: the values, the order, the medoid, the outputs."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from importlib.resources import files
from pathlib import Path
from typing import Any
from unittest.mock import patch

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import contingency_matrix

import clustcmp
from clustcmp import backends
from clustcmp.align import Collection, Labelings
from clustcmp.analyses.matrix import cells, count
from clustcmp.cli import run
from clustcmp.errors import UsageError
from clustcmp.metrics import METRICS
from clustcmp.model import Comparison
from clustcmp.read.objects import as_clustering
from tests.files import comparing, pipe, run_clustcmp, write

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
IRIS = [str(EXAMPLES / f"iris_{name}.csv") for name in ("species", "kmeans_good", "kmeans_bad")]
SOFT = [str(EXAMPLES / f"iris_{name}.csv") for name in ("soft", "soft_pc")]
COORDINATES = str(EXAMPLES / "iris.csv")

# Three clusterings of the same cells in different orders, one of them with noise.
FIRST = "id,label\nc1,x\nc2,x\nc3,y\nc4,y\nc5,z\nc6,z\n"
SECOND = "id,label\nc6,3\nc5,2\nc4,2\nc3,2\nc2,1\nc1,1\n"
NOISY = "id,label\nc3,-1\nc1,a\nc2,a\nc5,b\nc4,b\nc6,-1\n"
TABLE = "id,leiden,louvain,depth\nc1,a,1,0.5\nc2,a,1,0.25\nc3,b,2,7\nc4,b,1,8\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has its own folder."""
    monkeypatch.chdir(tmp_path)


def matrix_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """The JSON of a matrix, which fits its schema."""
    outcome = run_clustcmp(capsys, "matrix", *arguments, "-f", "json")
    assert outcome.status == 0, outcome.stderr
    document: dict[str, Any] = json.loads(outcome.stdout)
    text = (files("clustcmp.schemas") / "matrix-1.json").read_text(encoding="utf-8")
    jsonschema.Draft202012Validator(json.loads(text)).validate(document)
    return document


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What stderr says about wrong input; stdout stays empty."""
    outcome = run_clustcmp(capsys, "matrix", *arguments)
    assert (outcome.status, outcome.stdout) == (2, "")
    return outcome.stderr


def compared(a: str, b: str, metrics: Sequence[str], *options: str) -> dict[str, float | None]:
    """The values of one comparison by the command that makes one."""
    words = [word for metric in metrics for word in ("-m", metric)]
    found = json.loads(captured_compare(a, b, *words, *options))
    return {result["metric"]: result["value"] for result in found["results"]}


def captured_compare(*arguments: str) -> str:
    """What `compare` writes."""
    text = io.StringIO()
    with redirect_stdout(text):
        assert run(["compare", *arguments, "-q", "-f", "json"]) == 0
    return text.getvalue()


def check_like_compare(
    capsys: pytest.CaptureFixture[str], names: Sequence[str], metrics: Sequence[str], *options: str
) -> None:
    """Every cell is what `compare` says about its row and its column."""
    words = [word for metric in metrics for word in ("-m", metric)]
    document = matrix_json(capsys, *names, *words, *options)
    assert [result["metric"] for result in document["results"]] == list(metrics)
    for row, a in enumerate(names):
        for column, b in enumerate(names):
            expected = compared(a, b, metrics, *options)
            for result in document["results"]:
                value = result["matrix"][row][column]
                wanted = expected[result["metric"]]
                if row <= column or not METRICS[result["name"]].symmetric:
                    assert value == wanted
                else:
                    # Computed once: the last digit may be that of the other direction.
                    assert value == pytest.approx(wanted, abs=1e-12)


HARD = [metric.name for metric in METRICS.values() if metric.arity == 2]
HARD = [name for name in HARD if not METRICS[name].needs_coordinates]
SPATIAL = [
    metric.name
    for metric in METRICS.values()
    if metric.arity == 2 and metric.needs_coordinates and metric.accepts_soft
]
FOR_SOFT = [name for name in HARD if METRICS[name].accepts_soft]


def test_every_cell_is_what_compare_says(capsys: pytest.CaptureFixture[str]) -> None:
    check_like_compare(capsys, IRIS, HARD)


def test_soft_cells_are_what_compare_says(capsys: pytest.CaptureFixture[str]) -> None:
    check_like_compare(capsys, [*SOFT, IRIS[1]], FOR_SOFT)


def test_cells_with_coordinates_are_what_compare_says(capsys: pytest.CaptureFixture[str]) -> None:
    check_like_compare(capsys, [*IRIS[:2], SOFT[0]], SPATIAL, "--coordinates", COORDINATES)


@pytest.mark.parametrize("policy", ["cluster", "drop", "singletons"])
def test_noise_is_treated_as_in_compare(policy: str, capsys: pytest.CaptureFixture[str]) -> None:
    names = [write("a.csv", FIRST), write("b.csv", SECOND), write("c.csv", NOISY)]
    check_like_compare(capsys, names, HARD, "--noise=-1", "--noise-policy", policy)


@pytest.mark.parametrize("missing", ["drop", "noise"])
def test_empty_labels_are_treated_as_in_compare(
    missing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = write("c.csv", NOISY.replace("-1", ""))
    names = [write("a.csv", FIRST), write("b.csv", SECOND), empty]
    check_like_compare(capsys, names, HARD, "--missing", missing)


def test_different_points_are_intersected_for_each_comparison(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = [
        write("a.csv", FIRST),
        write("b.csv", SECOND.replace("c6,3\n", "")),
        write("c.csv", SECOND.replace("c1,1\n", "c9,1\n")),
    ]
    check_like_compare(capsys, names, HARD, "--points", "intersect")


def many_points(name: str, left_out: int, seed: int) -> str:
    """A file of 59 points in two clusters, without one of the points p0 to p59."""
    labels = np.random.default_rng(seed).integers(0, 2, 60)
    rows = "".join(f"p{i},{label}\n" for i, label in enumerate(labels) if i != left_out)
    return write(name, f"id,label\n{rows}")


def test_intersections_of_the_same_size_are_counted_apart(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = [many_points(f"{number}.csv", 7 * number, number) for number in range(4)]
    check_like_compare(capsys, names, HARD, "--points", "intersect")


def test_a_clustering_of_other_points_is_not_counted_with_its_neighbour(
    capsys: pytest.CaptureFixture[str],
) -> None:
    coordinates = write("x.csv", "id,x\n" + "".join(f"p{i},{i * i}\n" for i in range(60)))
    names = [many_points(f"{number}.csv", -(number % 2), number) for number in range(4)]
    Path("1.csv").write_text("id,label\np1,0\np2,0\np3,1\n", encoding="utf-8")
    check_like_compare(capsys, names, ["cdistance", "adco"], "--coordinates", coordinates)


def test_files_with_and_without_ids_are_compared_by_position_when_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    coordinates = write("x.csv", "id,x\n" + "".join(f"c{i},{i * i}\n" for i in range(6, 0, -1)))
    names = [write("a.csv", FIRST), write("b.csv", SECOND), write("c.txt", "1\n1\n2\n2\n2\n3\n")]
    assert run_clustcmp(capsys, "matrix", *names).status == 2
    check_like_compare(capsys, names, HARD, "--by-position")
    check_like_compare(capsys, names, SPATIAL, "--by-position", "--coordinates", coordinates)


def test_spatial_metrics_compare_different_points(capsys: pytest.CaptureFixture[str]) -> None:
    coordinates = write("x.csv", "id,x\n" + "".join(f"c{i},{i * i}\n" for i in range(10)))
    names = [write("a.csv", FIRST), write("b.csv", SECOND.replace("c1,1\n", "c9,1\nc8,3\n"))]
    check_like_compare(capsys, names, ["cdistance", "adco"], "--coordinates", coordinates)


labelings = st.integers(1, 8).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 3), min_size=n, max_size=n), min_size=2, max_size=5)
)


@given(labelings)
def test_the_library_agrees_with_scikit_learn(labels: list[list[int]]) -> None:
    found = clustcmp.matrix(labels, "ari", jobs=2)["ari"]
    expected = [[adjusted_rand_score(a, b) for b in labels] for a in labels]
    assert found == pytest.approx(np.array(expected), abs=1e-9)


@given(labelings)
def test_the_number_of_threads_does_not_matter(labels: list[list[int]]) -> None:
    one, two = (clustcmp.matrix(labels, ["ari", "purity"], jobs=jobs) for jobs in (1, 2))
    assert one.matrices == two.matrices


def test_slow_comparisons_go_to_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = [[i % k for i in range(30)] for k in range(1, 8)]
    expected = clustcmp.matrix(labels, ["ari", "purity"], jobs=1).matrices
    monkeypatch.setattr(cells, "WORTHWHILE", 0.0)
    with patch.object(backends, "ThreadPoolExecutor", wraps=ThreadPoolExecutor) as pool:
        assert clustcmp.matrix(labels, ["ari", "purity"], jobs=3).matrices == expected
    pool.assert_called_once_with(3)


@given(labelings)
def test_contingencies_counted_together_equal_those_counted_alone(labels: list[list[int]]) -> None:
    # Long enough that it is worthwhile.
    given_labels = [row * 60 for row in labels]
    report = clustcmp.matrix(given_labels, "pair_f1", jobs=1)
    for row, a in enumerate(given_labels):
        for column, b in enumerate(given_labels):
            assert report[0].values[row, column] == clustcmp.compare(a, b, "pair_f1")["pair_f1"]


@pytest.mark.parametrize("n_clusters", [3, 40])
def test_contingencies_in_both_directions_are_those_of_scikit_learn(n_clusters: int) -> None:
    random = np.random.default_rng(5)
    labels = random.integers(0, n_clusters, (5, 900)).tolist()
    collection = collect(labels)
    for row in range(5):
        for columns in cells.neighbours(row, 5):
            comparisons = [collection.comparison(row, column) for column in columns]
            for comparison in count.count_both(collection, comparisons):
                check_contingency(comparison, n_clusters)


def test_columns_have_the_same_neighbours_in_every_row() -> None:
    assert list(cells.neighbours(0, 5)) == [(0, 1), (2, 3), (4,)]
    assert list(cells.neighbours(3, 5)) == [(3,), (4,)]


def test_neighbouring_columns_are_counted_in_one_pass() -> None:
    labels = np.random.default_rng(5).integers(0, 3, (4, 900)).tolist()
    with patch.object(count, "count_two", wraps=count.count_two) as count_two:
        clustcmp.matrix(labels, "ari", jobs=1)
    # Rows 0 to 3 begin with columns 0 and 1, 1 alone, 2 and 3, 3 alone.
    assert count_two.call_count == 2 + 1 + 1


def check_contingency(comparison: Comparison, n_clusters: int) -> None:
    """The contingency of a comparison, and of the reverse one, is what scikit-learn counts."""
    for one in (comparison, cells.turn_around(comparison)):
        found = one.contingency
        table = np.zeros((n_clusters, n_clusters), dtype=np.int64)
        table[found.rows, found.columns] = found.masses
        a, b = one.a, one.b
        expected = contingency_matrix(a.membership.array, b.membership.array)
        assert np.array_equal(table, expected)
        assert found.is_hard
        assert np.array_equal(found.masses_a, expected.sum(axis=1))


def collect(labels: Sequence[Any]) -> Collection:
    """The given labels, ready to be compared."""
    titles = tuple(map(str, range(len(labels))))
    given_labels = tuple(map(as_clustering, labels, titles))
    return Collection(Labelings(given_labels, comparing(), titles))


@pytest.mark.parametrize(("metric", "expected"), [("ari", 4 * 5 // 2), ("purity", 4 * 4)])
def test_symmetric_metrics_are_computed_once(metric: str, expected: int) -> None:
    with patch.object(cells, "answer", wraps=cells.answer) as answer:
        clustcmp.matrix([[0, 0, 1]] * 4, metric, jobs=1)
    assert answer.call_count == expected


def test_purity_has_its_reference_in_the_row() -> None:
    fine, coarse = [0, 0, 1, 1], [0, 0, 0, 0]
    found = clustcmp.matrix({"fine": fine, "coarse": coarse}, "purity").to_frame()
    # The one cluster of coarse holds half of each of fine's; each of fine's is within coarse's.
    assert found.loc["fine", "coarse"] == 0.5
    assert found.loc["coarse", "fine"] == 1.0


def test_an_option_that_makes_a_metric_one_way_has_both_directions() -> None:
    # b splits a cluster of a: they share log 2, all of a's entropy and 2/3 of b's 3/2 log 2.
    a, b = [0, 0, 1, 1], [0, 1, 2, 2]
    found = clustcmp.matrix({"a": a, "b": b}, "v_measure:beta=3").to_frame()
    # a against b: homogeneity 1, completeness 2/3: (1 + 3) 2/3 / (3 + 2/3) = 8/11.
    assert found.loc["a", "b"] == pytest.approx(8 / 11)
    # b against a: homogeneity 2/3, completeness 1: (1 + 3) 2/3 / (3 2/3 + 1) = 8/9.
    assert found.loc["b", "a"] == pytest.approx(8 / 9)


SEVERAL = {"fine": [0, 0, 1, 1], "coarse": [0, 0, 0, 0], "other": [0, 1, 1, 1]}


def test_a_frame_of_several_metrics_has_the_square_of_each() -> None:
    report = clustcmp.matrix(SEVERAL, ["purity", "rand"])
    frame = report.to_frame()
    assert frame.columns.names == ["metric", None]
    assert np.array_equal(frame["purity"], report.to_frame("purity"))
    # Of the six pairs fine and coarse agree on the two within clusters of fine.
    assert frame.loc["fine", ("rand", "coarse")] == pytest.approx(1 / 3)
    assert frame.to_numpy().shape == (3, 6)


def test_a_frame_with_a_reference_has_a_row_for_each_clustering() -> None:
    report = clustcmp.matrix(SEVERAL, ["purity", "rand"], reference=[0, 0, 1, 1])
    frame = report.to_frame()
    # In the order of the table: by purity.
    assert frame.index.tolist() == ["fine", "other", "coarse"]
    assert frame.columns.tolist() == ["purity", "rand"]
    assert frame["rand"][list(SEVERAL)].tolist() == pytest.approx([1.0, 1 / 3, 0.5])
    assert report.to_frame("rand")["rand"].equals(frame["rand"])


def test_the_medoid_is_the_one_in_the_middle() -> None:
    # Along a line of merges the middle one is closest to both ends.
    chain = {
        "left": [0, 0, 0, 0, 0, 0, 0, 0],
        "middle": [0, 0, 0, 0, 1, 1, 1, 1],
        "right": [0, 0, 1, 1, 2, 2, 3, 3],
    }
    found = clustcmp.matrix(chain, "vi").matrix("vi")
    assert found.medoid == 1
    values = found.values
    # By hand: ln 2 for each step.
    assert values[0].tolist() == pytest.approx([0.0, np.log(2), 2 * np.log(2)])


def test_similar_clusterings_are_neighbours_in_the_order() -> None:
    a, b = [0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 0, 1]
    near_a, near_b = [0, 0, 0, 1, 1, 0], [0, 1, 0, 1, 0, 0]
    order = clustcmp.matrix([a, b, near_a, near_b]).matrices[0].order
    assert set(order[:2]) in ({0, 2}, {1, 3})
    assert order[0] < order[-1]


def test_the_first_of_equal_clusterings_is_the_medoid() -> None:
    found = clustcmp.matrix([[0, 0, 1]] * 5).matrices[0]
    assert (found.medoid, found.order) == (0, (0, 1, 2, 3, 4))


def test_two_clusterings_have_no_medoid(capsys: pytest.CaptureFixture[str]) -> None:
    assert matrix_json(capsys, *IRIS[:2])["results"][0]["medoid"] is None


def test_values_that_are_missing_have_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    result = matrix_json(capsys, *IRIS, SOFT[0], "-m", "ami")["results"][0]
    assert [row[3] for row in result["matrix"]] == [None] * 4
    assert len(result["missing"]) == 7
    assert result["missing"][0]["reason"] == "needs hard clusterings"
    assert result["order"][-1] == SOFT[0] or result["order"][0] == SOFT[0]
    outcome = run_clustcmp(capsys, "matrix", *IRIS, SOFT[0], "-m", "ami")
    assert "— not applicable (needs hard clusterings): 7 of the cells" in outcome.stdout


def test_a_named_metric_that_applies_to_no_comparison_is_an_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "needs hard clusterings" in refused(capsys, *SOFT, "-m", "ami")
    # The comparison of the one hard clustering with itself does not count.
    assert "needs hard clusterings" in refused(capsys, SOFT[0], IRIS[0], "-m", "ami")
    assert "needs coordinates" in refused(capsys, *IRIS, "-m", "cdistance")


def test_a_family_without_any_metric_that_applies_is_an_error_about_two_clusterings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    message = refused(capsys, IRIS[0], SOFT[0], "-m", "coreference")
    assert "none of the metrics: needs hard clusterings" in message
    assert SOFT[0] in message


def test_a_family_leaves_out_metrics_that_apply_to_no_comparison(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = matrix_json(capsys, *SOFT, "-m", "information")
    assert "ami" not in [result["name"] for result in document["results"]]
    assert any("ami" in note and "hard" in note for note in document["notes"])


def test_a_metric_of_one_clustering_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "beta_cv is a metric of one" in refused(
        capsys, *IRIS, "-m", "beta_cv", "--coordinates", COORDINATES
    )
    assert "of one" in refused(capsys, *IRIS, "-m", "internal", "--coordinates", COORDINATES)


def test_different_points_are_an_error_that_names_both_files(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = [write("a.csv", FIRST), write("b.csv", FIRST), write("c.csv", "id,label\nc1,a\n")]
    message = refused(capsys, *names)
    assert "a.csv and c.csv do not have the same points" in message
    assert "--points intersect" in message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([IRIS[0]], "a matrix needs two"),
        ([IRIS[0], "--reference", IRIS[0]], "no clustering besides the reference"),
        ([IRIS[0], IRIS[0]], "is given twice"),
        (["-", "/dev/stdin"], "stdin"),
        ([*IRIS, "-m", "ari", "-m", "vi", "-f", "csv"], "one matrix"),
        ([*IRIS, "-m", "nonsense"], "nonsense"),
        ([*IRIS, "--order", "size"], "size"),
        ([*IRIS, "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_wrong_calls_are_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(capsys, *arguments)


def test_a_star_names_all_columns_but_the_id(capsys: pytest.CaptureFixture[str]) -> None:
    write("t.csv", TABLE)
    document = matrix_json(capsys, "t.csv::*")
    names = [one["name"] for one in document["inputs"]]
    assert names == ["t.csv::leiden", "t.csv::louvain"]
    assert [one["clusters"] for one in document["inputs"]] == [2, 2]
    check_like_compare(capsys, names, ["adjusted_rand"])


@pytest.mark.parametrize("address", ["t.csv::l*", "t.csv::leiden,louvain", "t.csv::l?*n,leiden"])
def test_a_pattern_or_a_list_names_several_columns(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("t.csv", TABLE)
    names = [one["name"] for one in matrix_json(capsys, address)["inputs"]]
    assert sorted(names) == ["t.csv::leiden", "t.csv::louvain"]


@pytest.mark.parametrize("depth", ["0.5", "7"], ids=["not whole", "all differ"])
def test_a_star_leaves_out_ids_and_measurements_and_says_so(
    depth: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("t.csv", f"id,leiden,louvain,depth\nc1,a,x,{depth}\nc2,a,y,8\nc3,b,y,9\n")
    document = matrix_json(capsys, "t.csv::*")
    assert [one["name"] for one in document["inputs"]] == ["t.csv::leiden", "t.csv::louvain"]
    assert ["'depth'" in note for note in document["notes"]] == [True]


def test_a_star_with_an_id_column(capsys: pytest.CaptureFixture[str]) -> None:
    write("t.csv", TABLE.replace("id,", "cell,"))
    document = matrix_json(capsys, "t.csv::label=*,id=cell")
    names = [one["name"] for one in document["inputs"]]
    assert names == ["t.csv::leiden", "t.csv::louvain"]


def test_a_star_names_the_column_of_that_name_if_there_is_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("t.csv", "id,*,b\nc1,x,1\nc2,y,1\n")
    names = [one["name"] for one in matrix_json(capsys, "t.csv::*", "t.csv::b")["inputs"]]
    assert names == ["t.csv::*", "t.csv::b"]


def test_stdin_is_read_once_for_all_its_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(monkeypatch, TABLE)
    assert len(matrix_json(capsys, "-::*")["inputs"]) == 2


def test_the_reference_ranks_from_best_to_worst(capsys: pytest.CaptureFixture[str]) -> None:
    # A glob that holds the reference too compares it with the others only.
    document = matrix_json(capsys, *IRIS, *SOFT, "--reference", IRIS[0], "-m", "ari", "-m", "vi")
    assert document["reference"]["name"] == IRIS[0]
    assert IRIS[0] not in [one["name"] for one in document["inputs"]]
    for result, sign in zip(document["results"], (-1, 1), strict=True):
        values = [entry["value"] for entry in result["ranking"]]
        assert values == sorted(values, key=lambda value: sign * value)
        for entry in result["ranking"]:
            expected = compared(IRIS[0], entry["name"], [result["metric"]])
            assert entry["value"] == expected[result["metric"]]


def test_the_reference_is_side_a(capsys: pytest.CaptureFixture[str]) -> None:
    fine, coarse = write("fine.txt", "1\n1\n2\n2\n"), write("coarse.txt", "1\n1\n1\n1\n")
    result = matrix_json(capsys, coarse, "--reference", fine, "-m", "purity")["results"][0]
    assert result["ranking"][0]["value"] == 0.5


def test_clusterings_without_a_value_are_last_in_a_ranking(
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = matrix_json(capsys, SOFT[0], *IRIS[1:], "--reference", IRIS[0], "-m", "ami")
    last = result["results"][0]["ranking"][-1]
    assert (last["name"], last["value"], last["status"]) == (SOFT[0], None, "not_applicable")


@pytest.fixture
def titled() -> list[str]:
    """Two files that the user calls old and new."""
    return [f"old={write('a.csv', FIRST)}", f"new={write('b.csv', SECOND)}"]


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "csv"])
@pytest.mark.parametrize("more", [[], ["--reference", "truth=c.csv"]], ids=["square", "ranking"])
def test_a_name_before_the_path_is_the_name_in_all_outputs(
    titled: list[str], more: list[str], form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("c.csv", NOISY.replace("-1", "c"))
    text = run_clustcmp(capsys, "matrix", *titled, *more, "-f", form).stdout
    assert all(name in text for name in ("old", "new", *(["truth"] if more else [])))
    assert ".csv" not in text


def test_json_has_the_name_and_the_file(
    titled: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    document = matrix_json(capsys, *titled)
    assert [one["name"] for one in document["inputs"]] == ["old", "new"]
    assert [one["file"] for one in document["inputs"]] == ["a.csv", "b.csv"]
    assert document["results"][0]["order"] == ["old", "new"]
    assert clustcmp.matrix(titled).names == ["old", "new"]


def test_several_columns_under_one_name_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    write("t.csv", TABLE)
    document = matrix_json(capsys, "run=t.csv::l*")
    assert [one["name"] for one in document["inputs"]] == ["run::leiden", "run::louvain"]
    assert [one["file"] for one in document["inputs"]] == ["t.csv::leiden", "t.csv::louvain"]


def test_a_reference_is_found_by_its_name_or_its_file(
    titled: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    by_name = matrix_json(capsys, *titled, "--reference", "old")
    assert by_name["reference"]["name"] == "old"
    assert [one["name"] for one in by_name["inputs"]] == ["new"]
    # The file is among those that are compared, so that it is not listed under another name.
    by_file = matrix_json(capsys, "a.csv", "b.csv", "--reference", "truth=a.csv")
    assert [one["name"] for one in by_file["inputs"]] == ["b.csv"]
    assert "old is given twice" in refused(capsys, *titled, "--reference", "old=b.csv")
    assert "old is given twice" in refused(capsys, titled[0], "old=b.csv")


def test_the_library_takes_mappings_frames_lists_and_files() -> None:
    write("t.csv", TABLE)
    frame = pd.read_csv("t.csv", index_col=0)
    by_file = clustcmp.matrix("t.csv::leiden,louvain,depth")
    assert by_file.names == ["t.csv::leiden", "t.csv::louvain", "t.csv::depth"]
    by_frame = clustcmp.matrix(frame)
    assert by_frame.names == ["leiden", "louvain", "depth"]
    assert np.array_equal(by_file["ari"], by_frame["ari"])
    # Joined by the index, in whatever order its rows are.
    shuffled = clustcmp.matrix({"a": frame["leiden"], "b": frame["louvain"][::-1]}, "ari")
    assert shuffled["ari"][0, 1] == by_file["ari"][0, 1]
    mixed = clustcmp.matrix(["t.csv::leiden", [1, 1, 2, 1]], by_position=True)
    assert mixed.names == ["t.csv::leiden", "2"]
    assert mixed["ari"][0, 1] == by_file["ari"][0, 1]


def test_the_library_ranks_by_a_name_or_an_object() -> None:
    labels = {"truth": [0, 0, 1, 1], "same": [1, 1, 0, 0], "other": [0, 1, 0, 1]}
    named = clustcmp.matrix(labels, reference="truth")
    assert named.names == ["same", "other"]
    assert named["ari"].tolist() == pytest.approx([1.0, -0.5])
    given_apart = clustcmp.matrix([labels["other"], labels["same"]], reference=labels["truth"])
    assert given_apart.matrices[0].order == (1, 0)


def test_the_library_refuses_what_the_command_refuses() -> None:
    with pytest.raises(UsageError, match="needs two"):
        clustcmp.matrix([[1, 2]])
    with pytest.raises(UsageError, match="needs two"):
        clustcmp.matrix([])
    with pytest.raises(KeyError):
        clustcmp.matrix([[1, 2], [1, 1]])["vi"]


def test_the_package_does_not_hide_the_function() -> None:
    clustcmp.matrix([[1, 2], [1, 1]])
    assert callable(clustcmp.matrix)


def test_a_soft_clustering_may_miss_the_best_value_with_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    results = matrix_json(capsys, *SOFT, "-m", "ari:soft=expected", "-m", "ari")["results"]
    assert [result["matrix"][0][0] < 1.0 for result in results] == [True, False]


def test_remarks_are_about_two_clusterings_and_not_about_one_and_itself() -> None:
    labels = {"two": [0, 0, 1], "one": [0, 0, 0]}
    report = clustcmp.matrix(labels, "cdistance", coordinates=[[0.0], [1.0], [2.0]])
    always = "cdistance is always 1 (or 0) when a or b has a single cluster"
    assert [str(note) for note in report.notes] == [f"two and one: {always}"]
