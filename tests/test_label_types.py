"""Labels and ids come back in Python with the type that they had there; in JSON they are texts."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Hashable, Iterator
from contextlib import chdir
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from tests.conftest import label_pairs
from tests.files import write

# What a label may be, and the type that comes back.
TYPES: dict[str, tuple[Callable[[int], Any], type]] = {
    "int": (int, int),
    "large": (lambda label: label * 10**12, int),
    "float": (lambda label: label + 0.5, float),
    "whole float": (float, float),
    "bool": (bool, bool),
    "text": (str, str),
    "time": (lambda label: pd.Timestamp(2026, 1, 1 + label), pd.Timestamp),
}


@pytest.fixture(autouse=True, scope="module")
def in_empty_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with chdir(tmp_path_factory.mktemp("labels")):
        yield


@pytest.mark.parametrize("kind", TYPES)
def test_labels_of_a_list_come_back_as_they_were(kind: str) -> None:
    make, kept = TYPES[kind]
    a, b = [make(label) for label in (0, 0, 1, 1)], [make(label) for label in (1, 1, 0, 0)]
    report = clustcmp.changes(a, b)
    assert report.matches == {a[0]: b[0], a[2]: b[2]}
    assert report.relabelled["label"].tolist() == a
    assert {type(label) for label in report.relabelled["label"].tolist()} == {kept}
    assert {cluster.cluster for cluster in report.clusters} == set(a)
    assert set(report.to_frame().index) == set(a)


@pytest.mark.parametrize(
    "make",
    [
        np.array,
        lambda labels: np.array(labels, dtype=np.int8),
        lambda labels: np.array(labels) * 10**15,
        pd.Series,
        lambda labels: pd.Series(labels, dtype="Int64"),
        lambda labels: pd.Series(labels).astype("category"),
        lambda labels: pd.DataFrame({"leiden": labels}),
    ],
    ids=["array", "small", "far apart", "series", "nullable", "category", "frame"],
)
def test_whole_numbers_come_back_as_whole_numbers(make: Callable[[list[int]], Any]) -> None:
    report = clustcmp.changes(make([3, 3, 7, 7]), make([7, 7, 3, 3]))
    unit = make([1])[0] if isinstance(make([1]), np.ndarray) and make([1])[0] > 1 else 1
    assert report.relabelled["label"].tolist() == [3 * unit, 3 * unit, 7 * unit, 7 * unit]
    assert report.relabelled["label"].dtype.kind == "i"
    assert report.matches == {3 * unit: 7 * unit, 7 * unit: 3 * unit}


def test_every_entry_of_a_report_has_the_labels_as_they_were() -> None:
    # 1 splits into 11 and 12, 2 and 3 merge into 13, 4 dies, 14 is born.
    a = dict(enumerate([1] * 4 + [2] * 2 + [3] * 2 + [4]))
    b = dict(enumerate([11, 11, 12, 12] + [13] * 4)) | {9: 14, 10: 14}
    report = clustcmp.changes(a, b)
    assert [(one.source, set(one.targets)) for one in report.splits] == [(1, {11, 12})]
    assert [(set(one.sources), one.target) for one in report.merges] == [({2, 3}, 13)]
    assert report.deaths == (4,)
    assert [birth.cluster for birth in report.births] == [14]
    assert {(flow.source, flow.target) for flow in report.flows} == {
        (1, 11),
        (1, 12),
        (2, 13),
        (3, 13),
    }
    assert {part.cluster for one in report.clusters for part in one.parts} == {11, 12, 13}


def test_the_plan_has_the_labels_as_they_were() -> None:
    report = clustcmp.changes([1, 2], [5, 6], coordinates=[[0.0], [1.0]])
    assert report.plan is not None
    assert [(cell.source, cell.target) for cell in report.plan.cells] == [(1, 5), (2, 6)]


def test_moved_points_have_ids_and_labels_as_they_were() -> None:
    a = pd.Series([0, 0, 0, 1, 1], index=[10, 20, 30, 40, 50])
    for b in (pd.Series([5, 5, 6, 6, 6], a.index), pd.Series([6, 6, 6, 5, 5], a.index[::-1])):
        moved = clustcmp.changes(a, b).moved_points
        assert moved.to_dict("records") == [{"id": 30, "from": 0, "to": 6, "expected": 5}]
        assert {column.kind for column in moved.dtypes} == {"i"}


def test_the_ids_of_moved_points_are_those_of_the_side_that_has_some() -> None:
    write("a.csv", "id,label\nx,0\ny,0\nz,0\nu,1\nv,1\n")
    b = pd.Series([6, 6, 6, 5, 5], index=list("vuzyx"))
    moved = clustcmp.changes("a.csv", b).moved_points
    assert moved.to_dict("records") == [{"id": "z", "from": "0", "to": 6, "expected": 5}]


def test_relabelled_has_the_index_of_b() -> None:
    b = pd.Series([1, 1, 0], index=pd.Index([7, 8, 9], name="cell"))
    for a in (pd.Series([0, 0, 1], index=b.index), pd.Series([1, 0, 0], index=[9, 8, 7])):
        relabelled = clustcmp.changes(a, b).relabelled
        pd.testing.assert_index_equal(relabelled.index, b.index)
        assert relabelled["label"].tolist() == [0, 0, 1]
    mapped = clustcmp.changes({7: 0, 8: 1}, {8: "x", 7: "y"}).relabelled
    assert mapped["label"].to_dict() == {8: 1, 7: 0}


def test_relabelled_takes_each_label_from_its_own_side() -> None:
    # Cluster "y" of b has no match and keeps its text, the others get the numbers of a.
    report = clustcmp.changes([1, 1, 2, 2, 2], ["p", "p", "q", "q", "y"])
    assert report.relabelled["label"].tolist() == [1, 1, 2, 2, "y"]


def test_noise_and_missing_labels_come_back_as_they_were() -> None:
    report = clustcmp.changes([0, 0, 1, -1], [1, 1, 0, -1], noise=-1)
    assert report.relabelled["label"].tolist() == [0, 0, 1, -1]
    assert report.matches == {0: 1, 1: 0, "noise": "noise"}
    zero = clustcmp.changes([1, 1, 2, 0], [2, 2, 1, 0], noise=0)
    assert zero.relabelled["label"].tolist() == [1, 1, 2, 0]
    some = clustcmp.changes([0, 0, 1, 1], [1, 1, 0, None], missing="drop")
    assert some.relabelled["label"].tolist() == [0, 0, 1, None]


def test_columns_of_degrees_come_back_as_they_were() -> None:
    degrees = pd.DataFrame({3: [1.0, 0.75, 0.0], 4: [0.0, 0.25, 1.0]})
    relabelled = clustcmp.changes([0, 0, 1], degrees).relabelled
    assert relabelled.columns.equals(pd.Index([0, 1]))
    assert clustcmp.changes([0, 0, 1], degrees).matches == {0: 3, 1: 4}


def test_a_text_that_stands_for_two_labels_stays_a_text() -> None:
    mixed: list[Hashable] = [1, 1, "1", "1"]
    report = clustcmp.changes(["x", "x", "y", "y"], mixed)
    assert set(report.matches.values()) == {"1"}


def test_labels_of_files_are_texts() -> None:
    write("a.csv", "id,label\nx,1\ny,2\n")
    report = clustcmp.changes("a.csv", "a.csv")
    assert report.matches == {"1": "1", "2": "2"}
    assert report.relabelled.index.tolist() == ["x", "y"]


def test_life_lines_have_the_labels_as_they_were() -> None:
    track = clustcmp.track([[0, 0, 1], [5, 5, 6], [6.5, 6.5, 7.5]])
    assert track.life_lines is not None
    found = [[cluster.name for cluster in line.clusters] for line in track.life_lines]
    assert found == [[0, 5, 6.5], [1, 6, 7.5]]


@given(label_pairs, st.sampled_from(sorted(TYPES)))
def test_outside_of_python_all_labels_are_texts(
    pair: tuple[list[int], list[int]], kind: str
) -> None:
    make, _ = TYPES[kind]
    typed = [[make(label) for label in labels] for labels in pair]
    as_text: dict[Any, str] = {}
    for label in (label for labels in typed for label in labels):
        whole = isinstance(label, float) and label.is_integer()
        as_text[label] = str(int(label)) if whole else str(label)
    texts = [[as_text[label] for label in labels] for labels in typed]
    one, other = clustcmp.changes(*typed), clustcmp.changes(*texts)
    assert json.loads(one.to_text("json")) == json.loads(other.to_text("json"))
    for form in ("table", "markdown", "csv"):
        assert one.to_text(form) == other.to_text(form)
    assert repr(one) == repr(other)
    track, text_track = clustcmp.track(typed), clustcmp.track(texts)
    assert track.to_text("json") == text_track.to_text("json")
    assert track.to_text() == text_track.to_text()


def test_a_report_with_typed_labels_can_be_pickled() -> None:
    report = clustcmp.changes(pd.Series([0, 0, 1], list("xyz")), pd.Series([1, 1, 0], list("xyz")))
    copy = pickle.loads(pickle.dumps(report))
    assert copy.matches == {0: 1, 1: 0}
    assert copy.relabelled.equals(report.relabelled)
    assert copy == report
    assert copy != report.in_texts()
