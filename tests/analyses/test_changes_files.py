"""The files about single points: those that moved, and b with the names of a."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp.analyses.changes.lines import join_lines, quote_all
from clustcmp.analyses.changes.moved import list_moved
from clustcmp.analyses.changes.relabel import relabel
from clustcmp.analyses.changes.report import report_changes
from clustcmp.inputs import prepare
from clustcmp.keywords import complete
from clustcmp.model.texts import Texts
from clustcmp.settings import CompareSettings
from tests.analyses.test_changes import table
from tests.commands.test_command_line import SOFT, SPECIES
from tests.files import ids_of, labels_of, run_clustcmp, strings, write

# Texts with every character that has a meaning in CSV, and some that readers treat specially.
texts = st.text(
    st.sampled_from([*"ab1 ,\"'\t\r\n;|=-(new)é漢", "\ufeff", "\u2028", "\x1b", "\x0b"]),
    min_size=1,
    max_size=5,
)


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read_rows(name: str) -> list[list[str]]:
    """The rows of a CSV file without its header."""
    return list(csv.reader(io.StringIO(Path(name).read_text(encoding="utf-8"), newline="")))[1:]


def write_rows(name: str, header: list[str], rows: list[list[str]]) -> None:
    """Write a CSV file by Python's own writer, with everything in quotes."""
    with open(name, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerows([header, *rows])


def test_moved_points_are_listed_in_the_order_of_a(capsys: pytest.CaptureFixture[str]) -> None:
    a, b = table("a.csv", "zyxwvu", "aaabbc"), table("b.csv", "uvwxyz", "aBBBAA")
    outcome = run_clustcmp(capsys, "changes", a, b, "--moved", "moved.csv")
    assert outcome.status == 0
    # Cluster a is matched with A, b with B and c with a. Point x went from a to B.
    assert Path("moved.csv").read_text() == "id,from,to,expected\nx,a,B,A\n"


def test_moved_points_of_an_unmatched_cluster_have_no_expected_cluster(
    capsys: pytest.CaptureFixture[str],
) -> None:
    a, b = table("a.csv", "12345", "aaabb"), table("b.csv", "12345", "xxxxx")
    run_clustcmp(capsys, "changes", a, b, "--moved", "moved.csv")
    assert read_rows("moved.csv") == [["4", "b", "x", ""], ["5", "b", "x", ""]]


def test_points_without_ids_are_named_by_their_row(capsys: pytest.CaptureFixture[str]) -> None:
    a, b = write("a.csv", "label\na\na\nb\nb\n"), write("b.csv", "label\na\nb\nb\nb\n")
    run_clustcmp(capsys, "changes", a, b, "--moved", "moved.tsv")
    assert Path("moved.tsv").read_text() == "id\tfrom\tto\texpected\n2\ta\tb\ta\n"


def test_points_of_one_side_only_are_not_listed_as_moved(
    capsys: pytest.CaptureFixture[str],
) -> None:
    a, b = table("a.csv", "123456", "aaabbb"), table("b.csv", "234567", "aabbbb")
    run_clustcmp(capsys, "changes", a, b, "--moved", "moved.csv")
    assert read_rows("moved.csv") == []


def test_soft_points_are_in_their_strongest_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run_clustcmp(capsys, "changes", SPECIES, SOFT, "--moved", "moved.csv")
    assert "strongest" in outcome.stderr
    soft = clustcmp.read_clustering(SOFT)
    names = [soft.names[code] for code in soft.membership.strongest().tolist()]
    expected = {"Iris-setosa": "C2", "Iris-versicolor": "C1", "Iris-virginica": "C3"}
    old = labels_of(clustcmp.read_clustering(SPECIES))
    rows = [
        [point, before, after, expected[before]]
        for point, before, after in zip(ids_of(soft), old, names, strict=True)
        if expected[before] != after
    ]
    assert rows
    assert read_rows("moved.csv") == rows


def test_moved_points_of_disjoint_files_are_an_error_that_writes_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    a, b = table("a.csv", "12", "ab"), table("b.csv", "34", "ab")
    write("x.csv", "id,x\n1,0\n2,1\n3,0\n4,1\n")
    arguments = ("changes", a, b, "--coordinates", "x.csv", "--relabel", "r.csv")
    outcome = run_clustcmp(capsys, *arguments, "--moved", "moved.csv")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert sorted(os.listdir()) == ["a.csv", "b.csv", "x.csv"]
    assert run_clustcmp(capsys, *arguments).status == 0


def test_b_gets_the_names_of_a_and_keeps_its_rows(capsys: pytest.CaptureFixture[str]) -> None:
    a, b = table("a.csv", "12345678", "xxxyyyzz"), table("b.csv", "87654321", "nn2yx111")
    outcome = run_clustcmp(capsys, "changes", a, b, "--relabel", "new.csv")
    # x is matched with 1 and z with n. 2, y and x have one point of y each, and y has its name.
    expected = [["8", "z"], ["7", "z"], ["6", "2"], ["5", "y"], ["4", "x (new)"]]
    assert read_rows("new.csv") == [*expected, ["3", "x"], ["2", "x"], ["1", "x"]]
    assert '1 cluster of b had the name of another cluster of a and is now called "... (new)"' in (
        outcome.stderr
    )


def test_relabel_never_reuses_a_taken_name() -> None:
    table("a.csv", "1234", "xxxy")
    write_rows("b.csv", ["id", "label"], [["1", "b"], ["2", "b"], ["3", "x"], ["4", "x (new)"]])
    file = relabel_files("a.csv", "b.csv")
    assert [row[1] for row in csv.reader(io.StringIO(file))] == [
        "label",
        "x",
        "x",
        "x (new 2)",
        "y",
    ]


def relabel_files(a: str, b: str, **settings: Any) -> str:
    """The text of b with the names of a."""
    comparison = prepare(a, b, complete(CompareSettings, settings))
    return relabel(report_changes(comparison)).text


@pytest.mark.parametrize("policy", ["cluster", "drop", "singletons"])
def test_relabel_keeps_noise(policy: Any, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = table("a.csv", "1234567", "xxNyyyN"), table("b.csv", "1234567", "NppqqNN")
    options = ("--noise=N", "--noise-policy", policy)
    outcome = run_clustcmp(capsys, "changes", a, b, *options, "--relabel", "new.csv")
    assert outcome.status == 0
    labels = [row[1] for row in read_rows("new.csv")]
    assert [label == "N" for label in labels] == [True, False, False, False, False, True, True]
    assert labels[3:5] == ["y", "y"]
    assert labels[1] == labels[2] != "noise"
    for other in (a, b):
        before = clustcmp.compare(other, b, "all", noise="N", noise_policy=policy)
        after = clustcmp.compare(other, "new.csv", "all", noise="N", noise_policy=policy)
        assert [result.value for result in before] == [result.value for result in after]


def test_relabel_keeps_missing_labels() -> None:
    table("a.csv", "123", "xxy")
    write("b.csv", "id,label\n1,p\n2,\n3,q\n")

    text = relabel_files("a.csv", "b.csv", missing="drop")
    assert text == 'id,label\n1,x\n2,""\n3,y\n'


def test_relabel_renames_the_columns_of_a_soft_file(capsys: pytest.CaptureFixture[str]) -> None:
    run_clustcmp(capsys, "changes", SPECIES, SOFT, "--relabel", "new.csv")
    old, new = clustcmp.read_clustering(SOFT), clustcmp.read_clustering("new.csv")
    assert strings(old.names) == ["C1", "C2", "C3"]
    assert strings(new.names) == ["Iris-versicolor", "Iris-setosa", "Iris-virginica"]
    assert np.abs(old.membership.array - new.membership.array).max() < 1e-15
    assert ids_of(old) == ids_of(new)


def test_relabel_gives_no_soft_column_a_reserved_name() -> None:
    table("a.csv", "12", "xy")
    write("a.csv", "id,label\n1,label\n2,Cluster\n")
    write("b.csv", "id,p,q\n1,0.9,0.1\n2,0.2,0.8\n")
    assert relabel_files("a.csv", "b.csv").splitlines()[0] == "id,p,q"


@given(st.data())
def test_relabelled_files_compare_like_the_original(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 8))
    ids = data.draw(st.lists(texts, min_size=n, max_size=n, unique=True))
    names = data.draw(st.lists(texts, min_size=1, max_size=4, unique=True))
    pick = st.lists(st.sampled_from(names), min_size=n, max_size=n)
    for name in ("a.csv", "b.csv"):
        labels = data.draw(pick)
        write_rows(name, ["id", "label"], [[i, k] for i, k in zip(ids, labels, strict=True)])
    ending = data.draw(st.sampled_from(["csv", "tsv"]))
    comparison = prepare("a.csv", "b.csv", complete(CompareSettings, {}))
    report = report_changes(comparison)
    delimiter = "\t" if ending == "tsv" else ","
    written = relabel(report, delimiter).text
    write(f"new.{ending}", written)
    new = clustcmp.read_clustering(f"new.{ending}")
    assert ids_of(new) == ids
    assert clustcmp.compare("b.csv", f"new.{ending}", "ari")["ari"] == 1.0
    before = clustcmp.compare("a.csv", "b.csv", "all")
    after = clustcmp.compare("a.csv", f"new.{ending}", "all")
    assert [result.value for result in before] == [result.value for result in after]
    # With the names of a, all matched clusters have the same name.
    again = clustcmp.changes("a.csv", f"new.{ending}")
    assert again.moved == report.moved
    moved = list(csv.reader(io.StringIO(list_moved(report).text, newline="")))
    assert len(moved) == 1 + report.moved
    assert {row[0] for row in moved[1:]} <= set(ids)


@given(st.lists(st.tuples(texts | st.just(""), texts), min_size=1, max_size=9))
def test_written_lines_are_read_back_by_the_csv_module(rows: list[tuple[str, str]]) -> None:
    every = np.arange(len(rows))
    columns = [(Texts.of(column), every) for column in zip(*rows, strict=True)]
    text = join_lines(("one", "two"), columns)
    assert list(csv.reader(io.StringIO(text, newline="")))[1:] == [list(row) for row in rows]


def test_only_empty_cells_and_those_with_special_characters_are_quoted() -> None:
    given_texts = Texts.of(["a", "", 'b"', "c,d", "e f", "é\n"])
    assert strings(quote_all(given_texts)) == ["a", '""', '"b"""', '"c,d"', "e f", '"é\n"']
    part = given_texts.take(np.array([4, 0]))
    assert strings(quote_all(part)) == ["e f", "a"]


def test_lines_of_several_blocks_are_joined_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clustcmp.analyses.changes.lines.BLOCK", 3)
    numbers = np.arange(8)
    text = join_lines(
        ["n", "label"], [(Texts.of(map(str, numbers)), numbers), (Texts.of("xy"), numbers % 2)]
    )
    assert text == "n,label\n0,x\n1,y\n2,x\n3,y\n4,x\n5,y\n6,x\n7,y\n"


def test_relabel_writes_noise_of_both_sides_without_a_note(
    capsys: pytest.CaptureFixture[str],
) -> None:
    a, b = table("a.csv", "1234567", "aaabb--"), table("b.csv", "1234567", "xxxyy--")
    outcome = run_clustcmp(capsys, "changes", a, b, "--noise=-", "--relabel", "new.csv")
    assert "relabelled" not in outcome.stderr
    assert Path("new.csv").read_text() == "id,label\n1,a\n2,a\n3,a\n4,b\n5,b\n6,-\n7,-\n"


def test_the_note_on_one_renamed_cluster_is_in_the_singular(
    capsys: pytest.CaptureFixture[str],
) -> None:
    a, b = table("a.csv", "123456", "aaaabb"), table("b.csv", "123456", "xxxabb")
    outcome = run_clustcmp(capsys, "changes", a, b, "--relabel", "new.csv")
    assert "relabelled: 1 cluster of b had the name of another cluster" in outcome.stderr
    assert "4,a (new)\n" in Path("new.csv").read_text()
