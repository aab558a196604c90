"""Coordinates and distances belong to the right points, whatever the order of rows and columns."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import clustcmp
from clustcmp.align import align
from clustcmp.errors import InputError
from clustcmp.inputs import prepare
from clustcmp.keywords import complete
from clustcmp.model import Comparison
from clustcmp.read import read_clustering
from clustcmp.settings import CompareSettings
from tests.files import pipe, run_clustcmp, write

A = "id,label\np,1\nq,1\nr,2\n"
B = "id,label\nr,1\nq,1\np,2\n"
X = "id,x,y\nq,10,11\nr,20,21\np,0,1\n"
COORDINATES = {"p": [0, 1], "q": [10, 11], "r": [20, 21]}
DISTANCES = "a/b,q,p,r\nr,31,30,32\np,11,10,12\nq,21,20,22\n"
BETWEEN = {"pp": 10, "pq": 11, "pr": 12, "qp": 20, "qq": 21, "qr": 22, "rp": 30, "rq": 31, "rr": 32}


@pytest.fixture(autouse=True)
def in_folder_with_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("a.csv", A)
    write("b.csv", B)
    write("x.csv", X)
    write("d.csv", DISTANCES)


def compare_in_space(a: str = "a.csv", b: str = "b.csv", **given: Any) -> Comparison:
    """The comparison of two files under these settings."""
    return prepare(a, b, complete(CompareSettings, given))


def coordinates_of(comparison: Comparison) -> tuple[list[list[float]], list[list[float]]]:
    """The coordinates of each side, in the order of the comparison."""
    both = comparison.a.points.coordinates, comparison.b.points.coordinates
    assert both[0] is not None
    assert both[1] is not None
    return both[0].tolist(), both[1].tolist()


def order_of(*points: str) -> list[str]:
    """Points in the order in which a comparison has them."""
    names = "".join(f"{point},{point}\n" for point in points)
    clustering = read_clustering(write("order.csv", f"id,label\n{names}"))
    names_in_order = align(clustering, clustering).a.names
    return [names_in_order[code] for code in range(len(points))]


def assert_located(comparison: Comparison) -> None:
    """Both sides have p, q and r at their coordinates."""
    expected = [COORDINATES[point] for point in order_of("p", "q", "r")]
    assert coordinates_of(comparison) == (expected, expected)
    assert comparison.same_coordinates


GOOD_COORDINATES = {
    "id, x, y": X,
    "any case": X.replace("id", "ID"),
    "index": X.replace("id", ""),
    "index beside an id": ",id,x,y\n0,q,10,11\n1,r,20,21\n2,p,0,1\n",
    "more rows": f"{X}s,7,8\n",
    "exponents": "id,x,y\nq,1e1,+1.1E+1\nr,2.e1,210e-1\np,.0,1\n",
    "id at the end": "x,y,id\n10,11,q\n20,21,r\n0,1,p\n",
}


@pytest.mark.parametrize("content", GOOD_COORDINATES.values(), ids=GOOD_COORDINATES)
def test_coordinates_are_joined_by_id(content: str) -> None:
    comparison = compare_in_space(coordinates=write("x.csv", content))
    assert_located(comparison)
    assert comparison.notes == ()


@pytest.mark.parametrize("columns", ["x,y", "x,y,id=cell", "id=cell,x,y", "id=cell"])
def test_columns_can_be_chosen(columns: str) -> None:
    has_id = "id=" in columns
    content = X.replace("id", "cell") if has_id else "id,z,y,x\nq,?,11,10\nr,?,21,20\np,?,1,0\n"
    assert_located(compare_in_space(coordinates=f"{write('x.csv', content)}::{columns}"))


def test_chosen_columns_keep_the_order_in_which_they_were_chosen() -> None:
    here, _ = coordinates_of(compare_in_space(coordinates="x.csv::y,x"))
    assert here == [COORDINATES[point][::-1] for point in order_of("p", "q", "r")]


def test_an_existing_file_with_colons_is_not_split_at_them() -> None:
    assert_located(compare_in_space(coordinates=write("x.csv::y", X)))


@pytest.mark.parametrize("path", ["a.csv", "./a.csv", "link.csv"])
def test_id_and_labels_in_the_same_file_are_not_coordinates(path: str) -> None:
    write("a.csv", "cell,old,new,x,y\nq,1,1,10,11\nr,1,2,20,21\np,2,2,0,1\n")
    os.symlink("a.csv", "link.csv")
    comparison = compare_in_space(
        "a.csv::label=old,id=cell", "a.csv::label=new,id=cell", coordinates=path
    )
    assert_located(comparison)


@pytest.mark.parametrize("name", ["label", "Cluster", "LABEL"])
def test_columns_called_label_or_cluster_are_not_coordinates(name: str) -> None:
    content = f"id,{name},x\nq,5,10\nr,6,20\np,7,0\n"
    here, _ = coordinates_of(compare_in_space(coordinates=write("x.csv", content)))
    assert sorted(here) == [[0], [10], [20]]


def test_coordinates_without_ids_are_refused_where_labels_have_ids() -> None:
    path = write("x.csv", "x,y\n0.5,1\n10,11\n20,21\n")
    with pytest.raises(InputError, match=r"a\.csv has ids.* but x\.csv has none") as raised:
        compare_in_space(coordinates=path)
    assert "by_position=True" in raised.value.hint


def test_coordinates_go_by_position_when_told() -> None:
    write("b.csv", "id,label\np,1\nq,2\nr,2\n")
    path = write("x.csv", "x,y\n0,1\n10,11\n20,21\n")
    comparison = compare_in_space(coordinates=path, by_position=True)
    assert coordinates_of(comparison)[0] == [[0, 1], [10, 11], [20, 21]]
    assert comparison.notes == ()


def test_coordinates_with_ids_are_refused_where_labels_have_none() -> None:
    write("x.csv", "id,x\nq,1\np,2\nr,3\n")
    labels = write("a.txt", "1\n1\n2\n"), write("b.txt", "1\n2\n2\n")
    with pytest.raises(InputError, match=r"x\.csv has ids and a\.txt has none"):
        compare_in_space(*labels, coordinates="x.csv")
    comparison = compare_in_space(*labels, coordinates="x.csv", by_position=True)
    assert coordinates_of(comparison) == ([[1], [2], [3]], [[1], [2], [3]])


def test_neither_labels_nor_coordinates_have_ids_so_both_go_by_position_with_notes() -> None:
    path = write("x.csv", "x\n1.5\n2\n3\n")
    labels = write("a.txt", "1\n1\n2\n"), write("b.txt", "1\n2\n2\n")
    comparison = compare_in_space(*labels, coordinates=path)
    assert coordinates_of(comparison) == ([[1.5], [2], [3]], [[1.5], [2], [3]])
    assert comparison.notes[0] == (
        "x.csv, a.txt, b.txt: no id column, so coordinates are joined by position"
    )


@pytest.mark.parametrize("files", [("a.csv", "b.txt"), ("b.txt", "a.csv")])
def test_a_file_with_ids_is_not_joined_to_one_without(files: tuple[str, str]) -> None:
    write("b.txt", "1\n2\n2\n")
    with pytest.raises(InputError, match="which rows belong together"):
        compare_in_space(*files, coordinates="x.csv")


def test_coordinates_have_the_id_column_of_the_labels() -> None:
    files = write("a.csv", "cell,k\n1,a\n2,a\n3,b\n"), write("b.csv", "cell,k\n3,a\n1,a\n2,b\n")
    path = write("x.csv", "cell,x\n2,20\n3,30\n1,10\n")
    comparison = compare_in_space(*files, coordinates=path)
    assert coordinates_of(comparison)[0] == [[10 * int(i)] for i in order_of("1", "2", "3")]


def test_a_column_of_distinct_texts_holds_the_ids_of_coordinates() -> None:
    path = write("x.csv", "point,x\nq,10\nr,20\np,0\n")
    here, _ = coordinates_of(compare_in_space(coordinates=path))
    assert sorted(here) == [[0], [10], [20]]


def test_without_a_header_the_first_column_of_numbers_is_a_coordinate() -> None:
    files = write("a.txt", "1\n1\n2\n"), write("b.txt", "1\n2\n2\n")
    path = write("x.csv", "5,2\n6,1\n7,1\n")
    comparison = compare_in_space(*files, coordinates=path, no_header=True)
    assert coordinates_of(comparison)[0] == [[5, 2], [6, 1], [7, 1]]


def test_without_a_header_a_column_of_distinct_texts_holds_the_ids_of_coordinates() -> None:
    files = write("a.csv", "p,1\nq,1\n"), write("b.csv", "p,2\nq,2\n")
    path = write("x.csv", "q,2\np,1\n")
    by_id = compare_in_space(*files, no_header=True, coordinates=path)
    assert coordinates_of(by_id)[0] == [[{"p": 1, "q": 2}[point]] for point in order_of("p", "q")]


def test_each_side_may_have_its_own_coordinates() -> None:
    write("y.csv", "y,id,x\n1,p,0\n21,r,20\n11,q,10\n9,s,9\n")
    comparison = compare_in_space(coordinates_a="x.csv", coordinates_b="y.csv")
    assert_located(comparison)
    assert comparison.notes == ()


@pytest.mark.parametrize("points", ["pqr", "qr"], ids=["same points", "a point less"])
def test_the_same_points_may_be_elsewhere_on_each_side(points: str) -> None:
    place = {"p": [0.0], "q": [1.0], "r": [5.0]}
    write("a.csv", "id,label\np,1\nq,1\nr,2\n")
    write("b.csv", "id,label\n" + "".join(f"{point},1\n" for point in points))
    for name, shift in ("x.csv", 0.0), ("y.csv", 10.0):
        write(name, "id,x\n" + "".join(f"{point},{x + shift}\n" for point, (x,) in place.items()))
    compared = compare_in_space(
        "a.csv", "b.csv", points="intersect", coordinates_a="x.csv", coordinates_b="y.csv"
    )
    a, b = coordinates_of(compared)
    assert a == [place[point] for point in order_of(*points)]
    assert b == [[x + 10.0] for (x,) in a]


def test_columns_with_other_names_are_matched_by_position_with_a_note() -> None:
    write("y.csv", X.replace("x,y", "u,v"))
    comparison = compare_in_space(coordinates_a="x.csv", coordinates_b="y.csv")
    assert_located(comparison)
    assert comparison.notes == (
        "y.csv: columns 'u', 'v' are taken for 'x', 'y' of x.csv, by position",
    )


def test_unequal_lengths_with_coordinates_per_side_are_different_points() -> None:
    labels = write("a.txt", "1\n2\n"), write("b.txt", "1\n2\n2\n")
    write("x.csv", "x\n1\n2\n")
    write("y.csv", "x\n3\n4\n5\n")
    comparison = compare_in_space(*labels, coordinates_a="x.csv", coordinates_b="y.csv")
    assert not comparison.same_points
    assert coordinates_of(comparison) == ([[1], [2]], [[3], [4], [5]])


def test_different_points_of_one_coordinates_file_keep_their_coordinates() -> None:
    write("b.csv", "id,label\nr,1\ns,1\n")
    write("x.csv", f"{X}s,30,31\n")
    here, there = coordinates_of(compare_in_space(coordinates="x.csv"))
    assert here == [COORDINATES["r"], *here[1:]]
    assert there == [COORDINATES["r"], [30, 31]]


def test_coordinates_follow_dropped_and_intersected_points() -> None:
    write("a.csv", "id,label\np,n\nq,1\nr,2\n")
    write("b.csv", "id,label\nr,1\nq,1\np,2\n")
    how: dict[str, Any] = {"noise": ["n"], "noise_policy": "drop", "points": "intersect"}
    comparison = compare_in_space(coordinates="x.csv", **how)
    expected = [COORDINATES[point] for point in order_of("p", "q", "r") if point != "p"]
    assert coordinates_of(comparison) == (expected, expected)


@pytest.mark.parametrize("more", ["", "s,1,2,3\n"], ids=["same rows", "more rows"])
def test_distances_follow_the_points(more: str) -> None:
    comparison = compare_in_space(distances=write("d.csv", DISTANCES + more))
    order = order_of("p", "q", "r")
    assert comparison.distances is not None
    assert comparison.distances.tolist() == [[BETWEEN[i + j] for j in order] for i in order]


def test_distances_between_different_points_have_a_row_for_a_and_a_column_for_b() -> None:
    write("b.csv", "id,label\nr,1\nq,1\n")
    comparison = compare_in_space(distances="d.csv")
    assert comparison.distances is not None
    order = order_of("q", "r")
    assert comparison.distances.tolist() == [[BETWEEN[i + j] for j in order] for i in [*order, "p"]]


def test_distances_have_a_header_even_if_the_clusterings_have_none() -> None:
    files = write("a.csv", "p,1\nq,1\n"), write("b.csv", "q,1\np,1\n")
    comparison = compare_in_space(*files, no_header=True, distances="d.csv")
    assert comparison.distances is not None
    order = order_of("p", "q")
    assert comparison.distances.tolist() == [[BETWEEN[i + j] for j in order] for i in order]


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """The JSON of a comparison of a.csv and b.csv."""
    outcome = run_clustcmp(capsys, "compare", "a.csv", "b.csv", "-f", "json", *arguments)
    assert outcome.status == 0, outcome.stderr
    return json.loads(outcome.stdout)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--coordinates", "x.csv"),
        ("--coords", "x.csv::x"),
        ("--coordinates-a", "x.csv", "--coordinates-b", "x.csv"),
        ("--distances", "d.csv"),
        ("--coords=-::y",),
        ("--coords", "-::y"),
        ("--jobs", "2"),
        ("-j1",),
    ],
    ids=" ".join,
)
def test_coordinates_and_threads_do_not_change_a_metric_without_coordinates(
    arguments: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pipe(monkeypatch, X)
    without = run_json(capsys, "-m", "ari")
    located = run_json(capsys, "-m", "ari", *arguments)
    assert located["results"] == without["results"]
    assert located["notes"] == without["notes"]


def test_metrics_with_a_ground_distance_use_the_given_distances(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = "-m", "cdistance:ground=precomputed", "-m", "cdistance", "-m", "transport"
    results = run_json(capsys, "--distances", "d.csv", *asked)["results"]
    assert [result["metric"] for result in results].count("cdistance:ground=precomputed") == 1
    grounds = {result["options"]["ground"] for result in results if "ground" in result["options"]}
    assert grounds == {"precomputed"}


def test_metrics_of_one_side_do_not_apply_to_distances_between_a_and_b(
    capsys: pytest.CaptureFixture[str],
) -> None:
    results = run_json(capsys, "--distances", "d.csv", "-m", "ari", "-m", "internal")["results"]
    assert {result["status"] for result in results if result["side"]} == {"not_applicable"}


# The clusterings of the files as pandas objects in another order of rows.
FRAME = pd.DataFrame({"x": [20.0, 0.0, 10.0], "y": [21.0, 1.0, 11.0]}, index=list("rpq"))
SERIES_A = pd.Series([1, 1, 2], index=list("pqr"))
SERIES_B = pd.Series([1, 1, 2], index=list("rqp"))
MATRIX = pd.DataFrame(
    [[BETWEEN[i + j] for j in "qrp"] for i in "rqp"], index=list("rqp"), columns=list("qrp")
)


def cdistance(a: Any, b: Any, **given: Any) -> Any:
    return clustcmp.compare(a, b, ["cdistance"], **given)["cdistance"]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (SERIES_A, SERIES_B),
        (SERIES_A, SERIES_B[["p", "q", "r"]]),
        ([1, 1, 2], SERIES_B[["p", "q", "r"]]),
        (SERIES_A, "b.csv"),
    ],
    ids=["two indexes", "one index", "list and index", "index and file"],
)
@pytest.mark.parametrize("given", [FRAME, "x.csv", Path("x.csv")], ids=["frame", "text", "path"])
def test_objects_are_joined_like_files(a: Any, b: Any, given: Any) -> None:
    expected = cdistance("a.csv", "b.csv", coordinates="x.csv")
    assert cdistance(a, b, coordinates=given) == pytest.approx(expected)


@pytest.mark.parametrize("given", [FRAME, "x.csv"], ids=["frame", "text"])
def test_objects_of_each_side_are_joined_like_files(given: Any) -> None:
    expected = cdistance("a.csv", "b.csv", coordinates="x.csv")
    other = FRAME.sort_index()[["y", "x"]]
    found = cdistance(SERIES_A, SERIES_B, coordinates_a=given, coordinates_b=other)
    assert found == pytest.approx(expected)


def test_a_frame_is_joined_to_files_by_its_index() -> None:
    write("b.csv", "id,label\np,2\nq,1\nr,1\n")
    expected = cdistance("a.csv", "b.csv", coordinates="x.csv")
    frame = FRAME.loc[["r", "p", "q"]]
    assert cdistance("a.csv", "b.csv", coordinates=frame) == pytest.approx(expected)
    with pytest.raises(InputError, match="has no row for point"):
        cdistance("a.csv", "b.csv", coordinates=frame.reset_index(drop=True))


def test_an_array_is_joined_to_files_with_ids_by_position_only_when_told() -> None:
    write("b.csv", "id,label\np,2\nq,1\nr,1\n")
    expected = cdistance("a.csv", "b.csv", coordinates="x.csv")
    array = FRAME.loc[["p", "q", "r"]].to_numpy()
    with pytest.raises(InputError, match="has ids"):
        cdistance("a.csv", "b.csv", coordinates=array)
    found = cdistance("a.csv", "b.csv", coordinates=array, by_position=True)
    assert found == pytest.approx(expected)


def test_arrays_are_joined_by_position() -> None:
    expected = cdistance("a.csv", "b.csv", coordinates="x.csv")
    array = np.array(list(COORDINATES.values()))
    assert cdistance([1, 1, 2], [2, 1, 1], coordinates=array) == pytest.approx(expected)
    assert cdistance([1, 1, 2], [2, 1, 1], coordinates=array.tolist()) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("a", "b", "distances"),
    [
        (SERIES_A, SERIES_B, MATRIX),
        (SERIES_A, SERIES_B[["p", "q", "r"]], MATRIX),
        (SERIES_A, SERIES_B, "d.csv"),
        ([1, 1, 2], [2, 1, 1], [[10, 11, 12], [20, 21, 22], [30, 31, 32]]),
        ([1, 1, 2], [2, 1, 1], MATRIX.sort_index().sort_index(axis=1)),
    ],
    ids=["two indexes", "one index", "file", "lists", "frame for lists"],
)
def test_distances_in_objects_are_joined_like_those_in_a_file(
    a: Any, b: Any, distances: Any
) -> None:
    expected = cdistance("a.csv", "b.csv", distances="d.csv")
    assert cdistance(a, b, distances=distances) == pytest.approx(expected)


def test_distances_between_coordinates_give_the_same_value_as_the_coordinates() -> None:
    array = np.array(list(COORDINATES.values()), dtype=float)
    between = np.linalg.norm(array[:, None] - array[None], axis=2)
    with_coordinates = cdistance([1, 1, 2], [2, 1, 1], coordinates=array)
    assert cdistance([1, 1, 2], [2, 1, 1], distances=between) == pytest.approx(with_coordinates)


def test_a_report_on_distances_can_be_pickled() -> None:
    report = clustcmp.compare("a.csv", "b.csv", ["cdistance"], distances="d.csv")
    assert pickle.loads(pickle.dumps(report))["cdistance"] == report["cdistance"]


def test_a_comparison_has_the_number_of_threads_that_was_asked_for() -> None:
    clustering = read_clustering("a.csv")
    assert align(clustering, clustering, jobs=3).jobs == 3
