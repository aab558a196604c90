"""Python objects as clusterings: DataFrames, columns of a matrix, labels that are numbers."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays, integer_dtypes, unsigned_integer_dtypes

import clustcmp
from clustcmp.read.objects import as_clustering

LABELS = ["x", "x", "y"]


def kind_and_clusters(given: Any, **settings: Any) -> tuple[str, list[str]]:
    """What an object is read as: hard or soft, and the names of its clusters."""
    found = clustcmp.read_clustering(given, **settings)
    return found.kind, found.names.tolist()


@pytest.mark.parametrize(
    ("column", "names"),
    [
        (LABELS, ["x", "y"]),
        (pd.Categorical(LABELS), ["x", "y"]),
        (pd.array(LABELS, dtype="string"), ["x", "y"]),
        ([3, 3, 7], ["3", "7"]),
        ([1, 1, 1], ["1"]),
        ([0.0, 1.0, 1.0], ["0", "1"]),
        ([True, True, True], ["True"]),
    ],
    ids=lambda column: str(column)[:30],
)
def test_a_data_frame_of_one_column_is_labels(column: Any, names: list[str]) -> None:
    frame = pd.DataFrame({"leiden": column})
    assert kind_and_clusters(frame) == ("hard", names)
    assert clustcmp.compare(frame, frame["leiden"])["ari"] == 1.0


def test_a_data_frame_of_one_cluster_is_degrees() -> None:
    assert kind_and_clusters(pd.DataFrame({"only": [1.0, 1.0]})) == ("soft", ["only"])


@pytest.mark.parametrize("column", [[[1], [1], [2]], [["x"], ["x"], ["y"]], [[0.5], [0.5], [1.5]]])
def test_an_array_of_one_column_is_labels(column: Any) -> None:
    assert clustcmp.compare(np.array(column), [0, 0, 1])["ari"] == 1.0


def test_a_text_column_without_numbers_beside_it_is_labels() -> None:
    frame = pd.DataFrame(
        {"when": pd.date_range("2026-01-01", periods=3), "doublet": [True, False, True]}
    ).assign(leiden=LABELS)
    assert kind_and_clusters(frame) == ("hard", ["x", "y"])


def test_the_index_of_a_data_frame_of_labels_holds_the_ids() -> None:
    one = pd.DataFrame({"leiden": LABELS}, index=list("pqr"))
    other = pd.Series([2, 1, 1], index=list("rqp"))
    assert clustcmp.compare(one, other)["ari"] == 1.0


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"n_genes": [200, 300, 250], "leiden": LABELS}),
        pd.DataFrame({"leiden": LABELS, "louvain": LABELS}),
        pd.DataFrame({"n_genes": [200, None, 250], "leiden": pd.Categorical(LABELS)}),
    ],
    ids=["numbers", "two", "categories"],
)
def test_a_data_frame_with_several_columns_is_refused_with_the_column_to_choose(
    frame: pd.DataFrame,
) -> None:
    with pytest.raises(clustcmp.InputError, match=r"columns .* is not a clustering") as error:
        clustcmp.compare(frame, [0, 0, 1])
    assert error.value.hint == 'choose the column with the labels: df["leiden"]'


@pytest.mark.parametrize(
    ("given", "column"),
    [
        (pd.DataFrame({"leiden": [0, 0, 1], "louvain": [2, 2, 3]}), 'df["leiden"]'),
        (pd.DataFrame([[0, 2], [0, 2], [1, 3]]), "df[0]"),
        (np.array([[0, 2], [0, 2], [1, 3]]), "labels[:, 0]"),
    ],
    ids=["names", "numbers", "array"],
)
def test_columns_of_whole_numbers_above_one_are_not_degrees(given: Any, column: str) -> None:
    with pytest.raises(clustcmp.InputError, match="whole numbers above 1") as error:
        clustcmp.compare(given, [0, 0, 1])
    assert f"{column}; counts become degrees with normalize=True" in error.value.hint


def test_counts_become_degrees_on_request() -> None:
    counts = pd.DataFrame({"x": [3, 0], "y": [1, 4]})
    found = clustcmp.read_clustering(counts, normalize=True)
    assert found.membership.array.tolist() == [[0.75, 0.25], [0.0, 1.0]]


@pytest.mark.parametrize("infinite", [np.inf, -np.inf, np.float32("inf"), Decimal("Infinity")])
@pytest.mark.parametrize("others", [[1.0, 2.0], ["x", None]], ids=["numbers", "objects"])
def test_an_infinite_number_is_not_a_label(infinite: Any, others: list[Any]) -> None:
    with pytest.raises(
        clustcmp.InputError, match=r"a: position 3: the label -?\w+ is not a finite"
    ):
        clustcmp.compare([*others, infinite], [1, 2, 3], missing="drop")


def test_the_text_inf_is_a_label() -> None:
    assert as_clustering(["inf", "nan", "inf"], "a").names.tolist() == ["inf", "nan"]


def test_nan_is_a_missing_label() -> None:
    with pytest.raises(clustcmp.InputError, match="a: position 2: the label is empty"):
        clustcmp.compare([1.0, float("nan"), 2.0], [1, 2, 3])


@given(arrays(st.one_of(integer_dtypes(), unsigned_integer_dtypes()), st.integers(1, 30)))
def test_each_whole_number_that_occurs_is_one_cluster(labels: Any) -> None:
    found = as_clustering(labels, "a")
    assert found.names.tolist() == [str(label) for label in sorted(set(labels.tolist()))]
    names = [found.names[code] for code in found.membership.array]
    assert names == [str(label) for label in labels.tolist()]


def test_a_list_of_whole_numbers_is_read_like_an_array_of_them() -> None:
    numbers = [7, -5, 7, 2**40]
    of_list, of_array = (as_clustering(given, "a") for given in (numbers, np.array(numbers)))
    assert of_list.names.tolist() == of_array.names.tolist() == ["-5", "7", str(2**40)]
    assert of_list.membership.array.tolist() == of_array.membership.array.tolist()
    assert [of_list.label(code) for code in range(3)] == [-5, 7, 2**40]
    beyond = as_clustering([2**70, 1], "a")
    assert [beyond.label(code) for code in range(2)] == [2**70, 1]


def test_whole_numbers_and_truth_values_in_one_list_are_different_labels() -> None:
    assert kind_and_clusters([2, True, False]) == ("hard", ["2", "True", "False"])


def test_lists_of_whole_numbers_are_compared_without_importing_pandas() -> None:
    code = "import clustcmp; clustcmp.compare([0, 0, 1], [0, 1, 1])"
    shown = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print('pandas' in sys.modules)"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert shown.stdout.split() == ["False"]
