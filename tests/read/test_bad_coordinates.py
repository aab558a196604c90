"""Coordinates and distances that do not fit end with status 2 and an error that says what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import clustcmp
from clustcmp.errors import InputError, UsageError
from tests.files import pipe, run_clustcmp, write

X = "id,x,y\np,0,1\nq,10,11\n"
D = "a/b,p,q\np,0,1\nq,2,0\n"


def number(text: str) -> str:
    """Coordinates with this text on line 3."""
    return f"id,x,y\np,0,1\nq,{text},11\n"


def distance(text: str) -> str:
    """Distances with this text on line 3."""
    return f"a/b,p,q\np,0,1\nq,{text},0\n"


# The content of the file, where the error points to, and what else it says.
BAD_COORDINATES = {
    "words": (number("far"), "x.csv:3", ("'x'", "'far' is not a number", "x.csv::x,y", "'y'")),
    "NaN": (number("NaN"), "x.csv:3", ("'x'", "'NaN' is not a number")),
    "infinite": (number("-inf"), "x.csv:3", ("'x'", "'-inf' is not a number")),
    "too large": (number("1e999"), "x.csv:3", ("'x'", "'1e999'")),
    "hexadecimal": (number("0x1"), "x.csv:3", ("'x'", "'0x1' is not a number")),
    "empty": (number(""), "x.csv:3", ("'x'", "is empty")),
    "spaces": (number(" "), "x.csv:3", ("'x'", "is empty")),
    "a column of words": ("id,x,kind\np,0,a\nq,1,b\n", "x.csv:2", ("'kind'", "'a' is not a")),
    "an id twice": (f"{X}p,2,3\n", "x.csv:4", ("'p'", "twice", "on line 2", "::id=NAME")),
    "an empty id": (f"{X},2,3\n", "x.csv:4", ("id is empty",)),
    "a missing point": ("id,x,y\np,0,1\n", "x.csv", ("no row for point 'q' of a.csv", "add it")),
    "other ids": ("id,x\n1,0\n2,1\n", "x.csv", ("'p' of a.csv and 1 more", "same kind of ids")),
    "no ids": ("x\n1.5\n2\n", "a.csv has ids", ("'id'", "x.csv has none", "--by-position")),
    "only ids": ("id\np\nq\n", "x.csv", ("no column with coordinates", "'id'")),
    "a ragged row": (f"{X}r,1\n", "x.csv:4", ("2 fields",)),
    "nothing": ("", "x.csv", ("is empty",)),
}

BAD_DISTANCES = {
    "negative": (distance("-2"), "d.csv:3", ("column 'p'", "-2 is negative")),
    "negative in another order of rows": (
        "a/b,q,p\nr,1,1\nq,0,2\np,1,-0.5\n",
        "d.csv:4",
        ("column 'p'", "-0.5 is negative"),
    ),
    "words": (distance("far"), "d.csv:3", ("'p'", "'far' is not a number", "ids of a")),
    "NaN": (distance("nan"), "d.csv:3", ("'p'", "'nan' is not a number")),
    "infinite": (distance("inf"), "d.csv:3", ("'p'", "'inf' is not a number")),
    "empty": (distance(""), "d.csv:3", ("'p'", "is empty")),
    "a missing row": ("a/b,p,q\np,0,1\n", "d.csv", ("no row for point 'q' of a.csv",)),
    "a missing column": ("a/b,p\np,0\nq,1\n", "d.csv:1", ("no column for point 'q' of b.csv",)),
    "no columns": ("p\nq\n", "d.csv:1", ("no column for point 'p' of b.csv and 1 more",)),
    "a row twice": (f"{D}p,1,1\n", "d.csv:4", ("'p'", "twice", "on line 2", "ids of a")),
    "a column twice": ("a/b,p,p\np,0,1\n", "d.csv:1", ("columns 2 and 3", "'p'")),
    "an empty id": (f"{D},1,1\n", "d.csv:4", ("id is empty", "ids of a")),
}

BAD_CHOICES = {
    "an unknown column": ("x.csv::x,z", ("x.csv", "no column 'z'", "'id', 'x', 'y'")),
    "an unknown id": ("x.csv::x,id=cell", ("x.csv", "no column 'cell'")),
    "no column": ("x.csv::", ("x.csv::", "does not name a column", "path::COLUMN,COLUMN")),
    "no column after a comma": ("x.csv::x,", ("x.csv::x,", "does not name a column")),
    "a column twice": ("x.csv::x,x", ("x.csv::x,x", "twice")),
    "two ids": ("x.csv::id=x,id=y", ("x.csv::id=x,id=y", "twice")),
    "the id as a coordinate": ("x.csv::id,x", ("x.csv", "'id'", "both id and coordinate")),
    "an id named twice over": ("x.csv::x,id=x", ("x.csv", "'x'", "both id and coordinate")),
    "no file": ("nowhere.csv", ("nowhere.csv", "no such file")),
    "a clustering": ("a.csv", ("a.csv", "no column with coordinates", "'id', 'label'")),
}

BAD_USAGE = {
    "for both and for a": (
        ("--coordinates", "x.csv", "--coordinates-a", "x.csv"),
        ("--coordinates", "both sides", "--coordinates-b"),
    ),
    "for both and for each": (
        ("--coords", "x.csv", "--coordinates-a", "x.csv", "--coordinates-b", "x.csv"),
        ("--coordinates", "both sides"),
    ),
    "for a alone": (("--coordinates-a", "x.csv"), ("without --coordinates-b",)),
    "for b alone": (("--coordinates-b", "x.csv"), ("without --coordinates-a",)),
    "distances and coordinates": (
        ("--distances", "d.csv", "--coordinates", "x.csv"),
        ("--distances", "instead of coordinates, but both are given"),
    ),
    "distances and coordinates of a": (
        ("--distances", "d.csv", "--coordinates-a", "x.csv"),
        ("--distances", "instead of coordinates, but both are given"),
    ),
    "distances and another ground": (
        ("--distances", "d.csv", "-m", "cdistance:ground=cityblock"),
        ("cdistance:ground=cityblock", "--distances"),
    ),
    "distances and the default ground": (
        ("--distances", "d.csv", "-m", "cdistance:ground=euclidean"),
        ("cdistance:ground=euclidean", "--distances"),
    ),
    "precomputed without distances": (
        ("--coordinates", "x.csv", "-m", "cdistance:ground=precomputed"),
        ("cdistance", "needs --distances"),
    ),
    "no threads": (("--jobs", "0"), ("--jobs", "0")),
    "a negative number of threads": (("-j", "-1"), ("--jobs", "-1")),
    "threads in words": (("-j", "all"), ("--jobs", "'all'")),
    "two coordinates on one side, one on the other": (
        ("--coordinates-a", "x.csv", "--coordinates-b", "x.csv::y"),
        ("x.csv has 2 coordinates ('x', 'y')", "has 1 ('y')", "::x,y"),
    ),
}


@pytest.fixture(autouse=True)
def in_folder_with_good_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("a.csv", "id,label\np,1\nq,2\n")
    write("b.csv", "id,label\np,1\nq,1\n")
    write("x.csv", X)
    write("d.csv", D)


def error_of(
    capsys: pytest.CaptureFixture[str], *arguments: str, files: tuple[str, str] = ("a.csv", "b.csv")
) -> str:
    """What a comparison says that ends with status 2."""
    outcome = run_clustcmp(capsys, "compare", *files, "-m", "ari", *arguments)
    assert (outcome.status, outcome.stdout) == (2, ""), outcome.stderr
    assert outcome.stderr.startswith("clustcmp: error: ")
    return outcome.stderr.removeprefix("clustcmp: error: ")


def assert_says(text: str, words: tuple[str, ...]) -> None:
    for word in words:
        assert word in text


@pytest.mark.parametrize(
    ("content", "where", "words"), BAD_COORDINATES.values(), ids=BAD_COORDINATES
)
def test_an_error_about_coordinates_names_the_file_the_line_and_the_fault(
    content: str, where: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    said = error_of(capsys, "--coordinates", write("x.csv", content))
    assert said.startswith(where)
    assert_says(said, words)


@pytest.mark.parametrize(("content", "where", "words"), BAD_DISTANCES.values(), ids=BAD_DISTANCES)
def test_an_error_about_distances_names_the_file_the_line_and_the_fault(
    content: str, where: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    said = error_of(capsys, "--distances", write("d.csv", content))
    assert said.startswith(f"{where}:")
    assert_says(said, words)


@pytest.mark.parametrize(("address", "words"), BAD_CHOICES.values(), ids=BAD_CHOICES)
def test_columns_that_cannot_be_chosen_are_refused(
    address: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert_says(error_of(capsys, "--coordinates", address), words)


@pytest.mark.parametrize(("arguments", "words"), BAD_USAGE.values(), ids=BAD_USAGE)
def test_an_error_about_arguments_says_what_is_allowed(
    arguments: tuple[str, ...], words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert_says(error_of(capsys, *arguments), words)


def test_a_wrong_combination_is_found_before_any_file_is_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = "--distances", "d.csv", "-m", "cdistance:ground=cosine"
    said = error_of(capsys, *arguments, files=("nowhere.csv", "b.csv"))
    assert_says(said, ("cdistance:ground=cosine",))


@pytest.mark.parametrize("side", ["a", "b"])
def test_distances_need_ids_on_both_sides(side: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(f"{side}.csv", "label\n1\n2\n")
    assert_says(error_of(capsys, "--distances", "d.csv"), (f"{side}.csv has none", "id column"))


def test_distances_need_ids(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = "--distances", "d.csv", "--by-position"
    assert_says(error_of(capsys, *arguments), ("has no ids", "::id=NAME"))


@pytest.mark.parametrize(
    ("files", "arguments"),
    [
        (("-", "b.csv"), ("--coordinates", "-")),
        (("a.csv", "-"), ("--coordinates", "-::x")),
        (("a.csv", "-::label"), ("--distances", "-")),
        (("a.csv", "b.csv"), ("--coordinates-a", "-", "--coordinates-b", "-")),
    ],
)
def test_stdin_cannot_be_labels_and_coordinates(
    files: tuple[str, str],
    arguments: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pipe(monkeypatch, X)
    assert_says(error_of(capsys, *arguments, files=files), ("stdin", "once"))


def test_a_point_of_b_without_a_row_is_named_with_its_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("b.csv", "id,label\np,1\nq,1\nr,1\n")
    said = error_of(capsys, "--coordinates", "x.csv", "--points", "intersect")
    assert_says(said, ("x.csv: has no row for point 'r' of b.csv",))


FRAME = pd.DataFrame({"x": [1.0, 2.0]}, index=["p", "q"])
SERIES = pd.Series([1, 2], index=["p", "q"])
BAD_OBJECTS: dict[str, tuple[Any, dict[str, Any], str]] = {
    "one dimension": ([1, 2], {"coordinates": [1.0, 2.0]}, r"coordinates: .* shape \(2,\)"),
    "words": (
        [1, 2],
        {"coordinates": np.array([["1"], ["2"]])},
        "coordinates: an array of <U1",
    ),
    "ragged": ([1, 2], {"coordinates": [[1], [1, 2]]}, "coordinates: .* inhomogeneous .* matrix"),
    "complex": ([1, 2], {"coordinates": [[1j], [2]]}, "coordinates: .* complex128"),
    "a column of words": (
        SERIES,
        {"coordinates": FRAME.assign(kind=["far", "near"])},
        "coordinates: could not convert string to float: 'far'",
    ),
    "NaN": ([1, 2], {"coordinates": [[1, 2], [3, np.nan]]}, "coordinates: nan in row 1, column 1"),
    "infinite": ([1, 2], {"coordinates": [[np.inf], [3]]}, "coordinates: inf in row 0, column 0"),
    "no columns": ([1, 2], {"coordinates": np.empty((2, 0))}, r"coordinates: .* shape \(2, 0\)"),
    "rows": ([1, 2], {"coordinates": [[1.0]]}, "coordinates has 1 row .* a has 2 points"),
    "index": (SERIES, {"coordinates": FRAME[:1]}, "coordinates: has no row for point 'q' of a"),
    "entry twice": (
        SERIES,
        {"coordinates": pd.concat([FRAME, FRAME])},
        "coordinates: point 'p' is listed twice",
    ),
    "columns": (
        [1, 2],
        {"coordinates_a": [[1], [2]], "coordinates_b": [[1, 1], [2, 2]]},
        "coordinates_a has 1 coordinate .* coordinates_b has 2",
    ),
    "shape": ([1, 2], {"distances": [[1.0, 2.0]]}, r"distances .* \(1, 2\), .* \(2, 2\) points"),
    "negative": ([1, 2], {"distances": [[0, 1], [-1, 0]]}, "distances: .* row 1, column 0"),
    "no ids": ([1, 2], {"distances": "d.csv"}, "b has no ids"),
    "no such column": (
        SERIES,
        {"distances": pd.DataFrame([[0.0], [1.0]], index=["p", "q"], columns=["p"])},
        "distances: no column for point 'q' of b",
    ),
}


@pytest.mark.parametrize(("labels", "given", "words"), BAD_OBJECTS.values(), ids=BAD_OBJECTS)
def test_objects_that_do_not_fit_are_refused(
    labels: Any, given: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        clustcmp.compare(labels, labels, ["ari"], **given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"coordinates_a": [[1], [2]]}, "without coordinates_b="),
        ({"coordinates": [[1], [2]], "distances": [[0, 1], [1, 0]]}, "both are given"),
        ({"jobs": 0}, "jobs=0"),
    ],
)
def test_an_error_about_keywords_says_what_is_allowed(given: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        clustcmp.compare([1, 2], [1, 2], ["ari"], **given)
