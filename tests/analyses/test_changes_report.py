"""The report on changes in Python: plain data that knows whatever the files and the JSON know."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import clustcmp
from clustcmp.analyses.changes.order import natural, rank
from clustcmp.errors import UsageError
from clustcmp.model.texts import Texts
from tests.analyses.test_changes import BAD, IRIS, table
from tests.commands.test_command_line import GOOD, SOFT, SPECIES, schema
from tests.conftest import label_pairs
from tests.files import run_clustcmp, write


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read_table(path: str) -> pd.DataFrame:
    """A written table, with all cells as text and empty ones as None."""
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    return frame.replace({"": None}).astype(object)


@pytest.mark.parametrize("b", [GOOD, BAD, SOFT])
def test_moved_points_are_those_of_the_file(b: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_clustcmp(capsys, "changes", SPECIES, b, "--moved", "moved.csv")
    pd.testing.assert_frame_equal(
        clustcmp.changes(SPECIES, b).moved_points, read_table("moved.csv")
    )


def test_moved_points_without_an_expected_cluster_have_none() -> None:
    moved = clustcmp.changes(list("aaabb"), list("xxxxx")).moved_points
    assert moved.to_dict("list") == {
        "id": ["4", "5"],
        "from": ["b", "b"],
        "to": ["x", "x"],
        "expected": [None, None],
    }


def test_moved_points_are_empty_columns_if_nothing_moved() -> None:
    moved = clustcmp.changes(list("aab"), list("xxy")).moved_points
    assert list(moved.columns) == ["id", "from", "to", "expected"]
    assert len(moved) == 0


def test_moved_points_of_disjoint_clusterings_are_an_error() -> None:
    a, b = {"1": "x", "2": "y"}, {"3": "x", "4": "y"}
    report = clustcmp.changes(a, b, coordinates_a=[[0], [1]], coordinates_b=[[0], [1]])
    with pytest.raises(UsageError, match="too few points in common"):
        _ = report.moved_points


@pytest.mark.parametrize("b", [GOOD, BAD])
def test_relabelled_is_the_label_column_of_the_file(
    b: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run_clustcmp(capsys, "changes", SPECIES, b, "--relabel", "new.csv")
    relabelled = clustcmp.changes(SPECIES, b).relabelled
    pd.testing.assert_frame_equal(
        relabelled.reset_index(), read_table("new.csv"), check_dtype=False
    )


def test_relabelled_degrees_are_those_of_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    run_clustcmp(capsys, "changes", SPECIES, SOFT, "--relabel", "new.csv")
    relabelled = clustcmp.changes(SPECIES, SOFT).relabelled
    written = read_table("new.csv").set_index("id").astype(float)
    pd.testing.assert_frame_equal(
        relabelled, written, check_exact=True, check_index_type=False, check_column_type=False
    )


def test_relabelled_keeps_noise_and_missing_labels() -> None:
    table("a.csv", "12345", "xxyyy")
    write("b.csv", "id,label\n5,q\n4,N\n3,q\n2,\n1,p\n")
    report = clustcmp.changes("a.csv", "b.csv", noise="N", missing="drop")
    labels = {"5": "y", "4": "N", "3": "y", "2": None, "1": "x"}
    assert report.relabelled["label"].to_dict() == labels


def test_relabelled_lists_are_indexed_by_position() -> None:
    relabelled = clustcmp.changes(list("xxy"), [1, 1, 2]).relabelled
    assert relabelled["label"].to_dict() == {0: "x", 1: "x", 2: "y"}


def test_a_report_can_be_pickled_and_says_the_same_afterwards() -> None:
    report = clustcmp.changes(SPECIES, BAD, coordinates=IRIS)
    assert report.clusters
    again = pickle.loads(pickle.dumps(report))
    assert again.clusters == report.clusters
    assert (again.flows, again.plan, again.notes) == (report.flows, report.plan, report.notes)
    assert (again.merges, again.splits, again.kinds) == (report.merges, report.splits, report.kinds)
    pd.testing.assert_frame_equal(again.moved_points, report.moved_points)
    pd.testing.assert_frame_equal(again.relabelled, report.relabelled)


def test_a_report_holds_no_coordinates_and_nothing_that_was_computed_for_the_comparison() -> None:
    generator = np.random.default_rng(0)
    labels = generator.integers(0, 20, (2, 5000))
    coordinates = generator.normal(size=(5000, 40))
    plain = clustcmp.changes(labels[0], labels[1])
    located = clustcmp.changes(labels[0], labels[1], coordinates=coordinates)
    assert located.contributions.totals["css"] > 0
    assert located.clusters
    sizes = [len(pickle.dumps(report)) for report in (plain, located)]
    # The plan between 20 clusters and the contributions are all that coordinates add.
    assert sizes[1] - sizes[0] < 20_000 < coordinates.nbytes
    assert b"Comparison" not in pickle.dumps(located)


def test_the_first_of_many_clusters_are_found_without_building_the_others() -> None:
    n = 200_000
    old = np.arange(2 * n) // 2
    new = old.copy()
    new[:6:2] = old[2:8:2]
    report = clustcmp.changes(old, new)
    first = report.first_clusters(3)
    assert [cluster.cluster for cluster in first] == [1, 2, 0]
    assert "clusters" not in vars(report)


def changes_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """The JSON of changes, checked by its schema."""
    outcome = run_clustcmp(capsys, "changes", *arguments, "-f", "json")
    assert outcome.status == 0, outcome.stderr
    document: dict[str, Any] = json.loads(outcome.stdout)
    jsonschema.Draft202012Validator(schema("changes-1")).validate(document)
    return document


def test_the_json_schema_is_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(schema("changes-1"))


@pytest.mark.parametrize("options", [(), ("--coordinates", IRIS)], ids=["plain", "coordinates"])
@pytest.mark.parametrize("b", [GOOD, BAD, SOFT], ids=["good", "bad", "soft"])
def test_json_fits_the_shipped_schema(
    b: str, options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    document = changes_json(capsys, SPECIES, b, *options)
    assert sum(flow["mass"] for flow in document["flows"]) == pytest.approx(150)
    if options:
        cells = document["plan"]["cells"]
        assert sum(cell["weight"] for cell in cells) == pytest.approx(1.0)
        costs = sum(cell["weight"] * cell["distance"] for cell in cells)
        assert costs == pytest.approx(document["plan"]["d_ot"])
    else:
        assert document["plan"] is None


def test_json_names_splits_merges_births_and_deaths(capsys: pytest.CaptureFixture[str]) -> None:
    a = table("a.csv", "0123456789abcdefghijk", "sssssmmnnXaaaXbbbXccc")
    b = table("b.csv", "0123456789abcdefghijk", "ssstt" + "mmmm" + "aaaabbbbcccc")
    document = changes_json(capsys, a, b)
    assert document["splits"] == [{"from": "s", "to": ["s", "t"]}]
    assert document["merges"] == [{"from": ["m", "n"], "to": "m"}]
    assert document["deaths"] == ["X"]
    assert document["births"] == []
    back = changes_json(capsys, b, a)
    assert back["splits"] == [{"from": "m", "to": ["m", "n"]}]
    assert back["merges"] == [{"from": ["s", "t"], "to": "s"}]
    assert back["deaths"] == []
    assert back["births"] == [{"cluster": "X", "size": 3, "new": 0}]
    assert back["kinds"]["split"] == 1


@given(label_pairs, st.integers(0, 1000))
def test_the_order_of_rows_does_not_change_the_json(
    pair: tuple[list[int], list[int]], seed: int
) -> None:
    order = np.random.default_rng(seed).permutation(len(pair[0])).tolist()
    texts = []
    for rows in (range(len(order)), order):
        for name, labels in zip("ab", pair, strict=True):
            lines = "".join(f"p{row},{labels[row]}\n" for row in rows)
            write(f"{name}.csv", "id,label\n" + lines)
        texts.append(clustcmp.changes("a.csv", "b.csv").to_text("json"))
    assert texts[0] == texts[1]


def test_numbers_in_names_are_sorted_by_value() -> None:
    names = ["10", "9", "a10", "a9", "b", "1" * 5000, "01", "1"]
    assert sorted(names, key=natural) == ["01", "1", "9", "10", "1" * 5000, "a9", "a10", "b"]


@pytest.mark.parametrize("b", [GOOD, BAD, SOFT])
def test_to_dict_is_the_json_of_the_command(b: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = changes_json(capsys, SPECIES, b, "--coordinates", IRIS)
    assert clustcmp.changes(SPECIES, b, coordinates=IRIS).to_dict() == document


def test_a_report_knows_what_its_json_knows() -> None:
    report = clustcmp.changes(SPECIES, BAD, coordinates=IRIS)
    document = report.to_dict()
    assert document["kinds"] == report.kinds
    assert document["moved"] == {"points": report.moved, "share": report.moved_share}
    assert [flow["mass"] for flow in document["flows"]] == [flow.mass for flow in report.flows]
    assert [(merge.sources, merge.target) for merge in report.merges] == [
        (("Iris-virginica", "Iris-versicolor"), "C3")
    ]
    assert [(split.source, split.targets) for split in report.splits] == [
        ("Iris-setosa", ("C1", "C2"))
    ]
    assert report.plan is not None
    assert document["plan"] == report.plan.to_dict()
    assert report.deaths == ()


def test_to_frame_has_a_row_for_each_cluster_of_a() -> None:
    report = clustcmp.changes(SPECIES, BAD, coordinates=IRIS)
    frame = report.to_frame()
    assert list(frame.index) == ["Iris-versicolor", "Iris-virginica", "Iris-setosa"]
    assert frame["kind"].tolist() == ["merged", "merged", "split"]
    assert frame["left"].sum() == report.moved
    assert frame["css"].sum() == pytest.approx(report.contributions.totals["css"])
    assert "css" not in clustcmp.changes(SPECIES, BAD).to_frame()


@pytest.mark.parametrize("format", ["table", "markdown", "csv", "json"])
def test_to_text_is_what_the_command_prints(
    format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # Each of the 30 clusters gives one of its three points to the next one.
    labels = [str(i // 3) for i in range(90)], [str((i + 1) // 3) for i in range(90)]
    for name, column in zip(("a.csv", "b.csv"), labels, strict=True):
        write(name, "id,label\n" + "".join(f"{i},{label}\n" for i, label in enumerate(column)))
    report = clustcmp.changes("a.csv", "b.csv")
    for options, view in ((), {}), (("--top", "1"), {"top": 1}), (("--all",), {"show_all": True}):
        printed = run_clustcmp(capsys, "changes", "a.csv", "b.csv", *options, "-f", format).stdout
        # Each says how its own reader sees all clusters.
        assert report.to_text(format, **view).replace("to_text(show_all=True)", "--all") == printed


@given(rows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), min_size=1, max_size=9))
@example(rows=[(0, 5), (0, 4), (0, 3), (0, 2), (0, 1)])
def test_the_first_clusters_are_those_with_the_largest_keys(
    rows: list[tuple[int, int]],
) -> None:
    names = [str(number) for number in range(len(rows))]
    keys = [np.array(key) for key in zip(*rows, strict=True)]
    expected = sorted(range(len(rows)), key=lambda code: (-rows[code][0], -rows[code][1], code))
    for top in range(len(rows) + 2):
        assert rank(keys, np.arange(len(rows)), Texts.of(names), top) == expected[:top]
