"""A contingency in a file: which texts are counts, and what is refused with file, line and cell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import clustcmp
from clustcmp.keywords import complete
from clustcmp.read.count_files import parse_count, read_counts
from clustcmp.read.counts import as_counts
from clustcmp.settings import TwoSettings
from tests.files import write


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def two_files(**given: Any) -> TwoSettings:
    """All settings for two files, with the given ones changed."""
    return complete(TwoSettings, given)


def counted(text: str, **settings: Any) -> tuple[list[list[int]], list[str], list[str]]:
    """The table in a file, with the names of its rows and of its columns."""
    found = read_counts(write("c.csv", text), two_files(**settings))
    a, b = found.names
    table = np.zeros((len(a), len(b)), dtype=int)
    table[found.table.rows, found.table.columns] = found.table.masses
    return table.tolist(), a.tolist(), b.tolist()


def refused(text: str, **settings: Any) -> str:
    """The error about a file."""
    with pytest.raises(clustcmp.InputError) as raised:
        read_counts(write("c.csv", text), two_files(**settings))
    return str(raised.value)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        *(
            ("0", 0),
            ("0.0", 0),
            ("7", 7),
            ("007", 7),
            ("3.0", 3),
            ("1e3", 1000),
            ("12E-1", "12E-1"),
        ),
        *(("9" * 29, int("9" * 29)), ("9" * 30, "9" * 30), ("1e30", 10**30), ("1e31", "1e31")),
        *(("-1", "-1"), ("1.5", "1.5"), ("inf", "inf"), ("nan", "nan"), ("x", "x"), ("", "")),
        ("12E-1", "12E-1"),
        *(("٣", "٣"), ("1,0", "1,0")),
    ],
)
def test_a_count_is_a_whole_number_also_with_a_fraction_of_zero_or_an_exponent(
    text: str, count: int | str
) -> None:
    assert parse_count(text) == count


def test_rows_and_matrices_are_the_same_table() -> None:
    table = ([[40, 10], [0, 50]], ["x", "y"], ["1", "2"])
    assert counted("a,b,count\nx,1,40\nx,2,10\ny,2,50\n") == table
    assert counted("count,B,A\n50,2,y\n1e1,2,x\n40.0,1,x\n")[0] == [[50, 0], [10, 40]]
    assert counted("from,1,2\nx,40,10\ny,0,50\n") == table
    # A column that repeats a name of these is no such table, but a matrix.
    assert counted("a,b,n\nx,1,4\n") == ([[1, 4]], ["x"], ["b", "n"])


def test_clusters_without_points_are_left_out() -> None:
    assert counted(",1,2,3\nx,4,0,0\ny,0,0,5\nz,0,0,0\n") == (
        [[4, 0], [0, 5]],
        ["x", "y"],
        ["1", "3"],
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (",1,2\nx,4,y\n", "c.csv:2: column '2': y is not a count"),
        (",1\nx,4\ny,y\n", "c.csv:3: column '1': y is not a count"),
        (",1,2\nx,y,z\n", "c.csv:2: column '1': y is not a count"),
        ("a,b,count\nx,1,y\n", "c.csv:2: y is not a count"),
        ("a,b,count\nx,1,3\n,,4\n", "c.csv:3: names no cluster, neither of a nor of b"),
        ("a,b,count\nx,1,0\n", "c.csv: there is no point"),
        (",1\nx,0\n", "c.csv: there is no point"),
        ("x\n1\n", "c.csv: has one column, which is not a contingency"),
        (",1\nx,1\n,2\n", "c.csv:3: the row has no name"),
        (",1\nx,1\ny,2\nx,3\n", "c.csv:4: cluster 'x' has a row before, line 2"),
        (f",1,2\nx,{2**61},{2**61}\n", "c.csv: there are 4.6e+18 points"),
        (f"a,b,count\nx,1,{2**61}\nx,2,{2**61}\n", "c.csv: there are 4.6e+18 points"),
        (",1,2,All\nx,1,2,3\ny,3,4,7\n", "c.csv: 'All' is the sum of the others"),
        (",1,2\nx,1,2\ny,3,4\nAll,4,6\n", "c.csv: 'All' is the sum of the others"),
        ("a,b,count\nx,1,4\n,1,2\n", "c.csv: 0 points have a cluster of a only, and 2 points"),
        ("a,b,count\nx,1,4\nx,,3\n", "c.csv: 3 points have a cluster of a only, and 0 points"),
    ],
)
def test_an_error_names_file_line_and_cell(text: str, message: str) -> None:
    assert message in refused(text)


def test_a_cluster_may_be_called_all() -> None:
    assert counted(",1,All\nx,1,2\ny,3,4\n")[2] == ["1", "All"]
    assert counted(",All\nx,1\n") == ([[1]], ["x"], ["All"])


def test_points_of_one_side_are_counted_apart() -> None:
    text = "a,b,count\nx,1,4\nx,,3\n,1,2\ny,2,1\n"
    found = read_counts(write("c.csv", text), two_files(points="intersect"))
    assert found.coverage == clustcmp.model.Coverage(5, 3, 2)
    assert (found.table.total, found.source) == (5, "c.csv")
    wrong = "a,b,count\nx,,3\ny,2,1\nx,1,z\n"
    assert "c.csv:4: z is not a count" in refused(wrong, points="intersect")


def test_columns_of_a_contingency_cannot_be_chosen() -> None:
    with pytest.raises(clustcmp.InputError, match="a contingency has no columns to choose"):
        read_counts(f"{write('c.csv', 'a,b,count')}::a", two_files())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (pd.DataFrame({"a": ["x", None], "b": [1, 2], "count": [1, 2]}), "column 'a'"),
        ([[0, 0]], "counts: there is no point"),
        ([[True]], "counts: row 0, column 0: True is not a count"),
        ([[2**62]], "row 0, column 0: 4611686018427387904 is not a count"),
        (np.array([[2**62]]), "row 0, column 0: 4611686018427387904 is not a count"),
        ([[2**61, 2**61]], r"counts: there are 4.6e\+18 points"),
    ],
)
def test_an_error_about_an_object_names_the_cell(given: Any, message: str) -> None:
    with pytest.raises(clustcmp.InputError, match=message):
        as_counts(given)
