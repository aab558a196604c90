"""Each file is opened and parsed once, whatever number of inputs it is used for."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pandas as pd
import pytest

import clustcmp
from clustcmp.errors import InputError, UsageError
from clustcmp.keywords import complete
from clustcmp.model import Texts
from clustcmp.read import Loader, Wanted, two
from clustcmp.settings import CompareSettings
from tests.files import comparing, labels_of, pipe, run_clustcmp, strings, write
from tests.read.counting import counting_readings

ROOT = Path(__file__).parent.parent.parent
TABLE = "id,old,new,x,y\np,1,a,0,1\nq,1,a,10,11\nr,2,b,20,21\ns,2,a,30,31\n"
DISTANCES = "a/b,p,q,r,s\np,0,1,2,3\nq,1,0,1,2\nr,2,1,0,1\ns,3,2,1,0\n"
FOUR = pd.Series([1, 1, 2, 2], index=[*"pqrs"])
GATES = """
[gate]
coordinates = "t.csv::x,y"

[gate.first]
reference = "t.csv::old"
candidate = "t.csv::new"
min = { ari = -1 }

[gate.second]
reference = "t.csv::new"
candidate = "u.csv"
min = { ari = -1 }
"""


@pytest.fixture(autouse=True)
def in_folder_with_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("t.csv", TABLE)
    write("u.csv", "id,label\ns,1\nr,1\nq,2\np,2\n")
    write("d.csv", DISTANCES)
    write("gates.toml", GATES)


def given(**settings: Any) -> CompareSettings:
    """All settings of compare, with the given ones changed."""
    return complete(CompareSettings, settings)


@pytest.mark.parametrize("command", ["compare", "changes"])
def test_two_columns_and_coordinates_in_one_file_are_one_reading(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["t.csv::old", "t.csv::new", "--coordinates", "t.csv::x,y"]
    with counting_readings() as readings:
        outcome = run_clustcmp(capsys, command, *arguments)
    assert outcome.status == 0
    readings.assert_once("t.csv")


@pytest.mark.parametrize("function", [clustcmp.compare, clustcmp.changes])
def test_the_library_reads_one_file_once(function: Any) -> None:
    with counting_readings() as readings:
        function("t.csv::old", Path("t.csv::new"), coordinates="t.csv::x,y")
    readings.assert_once("t.csv")


def test_a_file_that_is_written_in_two_ways_is_read_once() -> None:
    with counting_readings() as readings:
        clustcmp.compare("t.csv::old", os.path.abspath("t.csv") + "::new", ["ari"])
    readings.assert_once("t.csv")


def test_a_link_with_another_ending_is_another_file() -> None:
    os.symlink("t.csv", "t.txt")
    with counting_readings() as readings:
        wanted = Wanted(["t.csv::old", "t.txt"], ["a", "b"], comparing(by_position=True))
        sizes = [one.points.size for one in Loader(wanted).load(wanted).clusterings]
    assert sizes == [4, 5]
    assert readings.loads == {"t.csv": 1, "t.txt": 1}


def test_gates_that_share_files_read_each_once(capsys: pytest.CaptureFixture[str]) -> None:
    with counting_readings() as readings:
        outcome = run_clustcmp(capsys, "gate", "--all", "--config", "gates.toml")
    assert outcome.status == 0
    readings.assert_once("t.csv", "u.csv")


def test_the_example_gates_read_each_file_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    with counting_readings() as readings:
        run_clustcmp(capsys, "gate", "--all", "--config", "examples/gates.toml")
    assert len(readings.loads) == 3
    readings.assert_once(*readings.loads)


def test_distances_of_several_gates_are_read_once(capsys: pytest.CaptureFixture[str]) -> None:
    common = 'distances = "d.csv"\nmin = { ari = -1 }\nreference = "u.csv"\n'
    gates = "".join(f'[gate.{name}]\ncandidate = "t.csv::{name}"\n' for name in ("old", "new"))
    write("gates.toml", f"[gate]\n{common}{gates}")
    with counting_readings() as readings:
        outcome = run_clustcmp(capsys, "gate", "--all", "--config", "gates.toml")
    assert outcome.status == 0
    readings.assert_once("t.csv", "u.csv", "d.csv")


def test_a_matrix_reads_each_file_once(capsys: pytest.CaptureFixture[str]) -> None:
    files = ["t.csv::old", "t.csv::new", "u.csv"]
    options = ["--coordinates", "t.csv::x,y", "--reference", "t.csv::old"]
    with counting_readings() as readings:
        assert run_clustcmp(capsys, "matrix", *files, *options).status == 0
    readings.assert_once("t.csv", "u.csv")


@pytest.mark.parametrize(
    "clusterings",
    [
        ["t.csv::old", "t.csv::new", "u.csv"],
        {"one": "t.csv::old", "two": Path("t.csv::new"), "three": "u.csv", "four": FOUR},
    ],
    ids=["list", "mapping"],
)
def test_a_matrix_in_the_library_reads_each_file_once(clusterings: Any) -> None:
    with counting_readings() as readings:
        clustcmp.matrix(clusterings, coordinates="t.csv::x,y", reference="t.csv::old")
    readings.assert_once("t.csv", "u.csv")


@pytest.mark.parametrize("each", [False, True], ids=["one table", "a table for each window"])
def test_a_track_reads_a_window_that_comes_twice_once(
    each: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    windows = ["t.csv::old", "u.csv", "t.csv::old", "t.csv::new"]
    tables = ["--coordinates", "t.csv::x,y"] * (len(windows) if each else 1)
    with counting_readings() as readings:
        assert run_clustcmp(capsys, "track", *windows, *tables).status == 0
    readings.assert_once("t.csv", "u.csv")
    with counting_readings() as readings:
        clustcmp.track(windows, coordinates="t.csv::x,y")
    readings.assert_once("t.csv", "u.csv")


def test_ids_are_checked_for_duplicates_once_per_file() -> None:
    cached: Any = Texts.duplicate
    duplicate, checked = cached.func, []

    def counted(texts: Texts) -> Any:
        checked.append(texts)
        return duplicate(texts)

    with patch.object(cached, "func", counted):
        clustcmp.compare("t.csv::old", "t.csv::new", ["ari"], coordinates="t.csv::x,y")
    of_points = [texts for texts in checked if len(texts) == 4]
    assert len(of_points) == 1


def test_columns_of_one_file_share_their_points() -> None:
    wanted = Wanted(["t.csv::*", "t.csv::new"], ["1", "2"], comparing(), several=True)
    columns, (one,) = Loader(wanted).load(wanted).groups
    assert len({id(column.points) for column in [*columns, one]}) == 1
    assert strings(one.points.ids) == ["p", "q", "r", "s"]
    assert labels_of(columns[0]) == ["1", "1", "2", "2"]


def test_one_column_may_be_labels_for_one_clustering_and_degrees_for_another() -> None:
    write("t.csv", "id,p,q\nc1,0.5,0.5\nc2,1,0\nc3,0.5,0.5\n")
    wanted = Wanted(["t.csv", "t.csv::p"], ["a", "b"], comparing())
    with counting_readings() as readings:
        soft, hard = Loader(wanted).load(wanted).clusterings
    assert soft.membership.array.tolist() == [[0.5, 0.5], [1.0, 0.0], [0.5, 0.5]]
    assert labels_of(hard) == ["0.5", "1", "0.5"]
    assert soft.points is hard.points
    assert readings.loads == {"t.csv": 1}


def test_uses_with_different_settings_get_different_clusterings_from_one_reading() -> None:
    write("t.csv", "id,label\np,-1\nq,\nr,1\n")
    drop = two("t.csv", "t.csv", given(missing="drop"))
    noise = two("t.csv", "t.csv", given(missing="noise", noise=["-1"]))
    plain = two("t.csv", "t.csv", given())
    small = two("t.csv", "t.csv", given(missing="drop", max_bytes=5))
    loader = Loader(drop, noise, plain, small)
    with counting_readings() as readings:
        dropped, marked = loader.load(drop).clusterings[0], loader.load(noise).clusterings[0]
        with pytest.raises(InputError, match="label is empty"):
            loader.load(plain)
        with pytest.raises(InputError, match="more than 5 bytes"):
            loader.load(small)
    readings.assert_once("t.csv")
    assert (dropped.n_noise, marked.n_noise) == (0, 2)


def test_with_and_without_a_header_one_file_is_opened_once_and_parsed_twice() -> None:
    settings = [given(no_header=no_header) for no_header in (False, True)]
    with_header, without = (two("u.csv", "u.csv", one) for one in settings)
    loader = Loader(with_header, without)
    with counting_readings() as readings:
        sizes = [loader.load(one).clusterings[0].points.size for one in (with_header, without)]
    assert sizes == [4, 5]
    assert (readings.loads, readings.parses) == ({"u.csv": 1}, {"u.csv": 2})


def test_an_error_in_the_file_of_one_gate_leaves_the_others_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("t.csv", TABLE.replace("30,31", "30,far"))
    gates = GATES.replace("t.csv::x,y", "t.csv::x") + 'coordinates = "t.csv::x,y"\n'
    gates += '[gate.third]\nreference = "t.csv::old"\ncandidate = "none.csv"\nmin = { ari = 0 }\n'
    write("gates.toml", gates)
    outcome = run_clustcmp(capsys, "gate", "--all", "--config", "gates.toml", "-f", "markdown")
    assert outcome.status == 2
    assert "gate `first`: pass" in outcome.stdout
    assert "column 'y': 'far' is not a number" in outcome.stdout
    assert "none.csv: there is no such file" in outcome.stdout


def test_what_was_read_is_dropped_after_its_last_use() -> None:
    first, second = two("t.csv::old", "u.csv", given()), two("t.csv::new", "u.csv", given())
    loader = Loader(first, second)
    loader.load(first)
    assert loader._contents
    loader.load(second)
    assert not loader._contents


def test_a_gate_reads_its_column_of_stdin_after_another_gate_had_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    gates = "[gate]\nmin = { ari = 0 }\n"
    gates += '[gate.first]\nreference = "nowhere.csv"\ncandidate = "-::old"\n'
    gates += '[gate.second]\nreference = "t.csv::new"\ncandidate = "-::new"\n'
    write("gates.toml", gates)
    pipe(monkeypatch, TABLE)
    outcome = run_clustcmp(capsys, "gate", "--all", "--config", "gates.toml")
    assert outcome.status == 2
    assert "gate first: ERROR, nowhere.csv: there is no such file" in outcome.stdout
    assert "gate second: pass" in outcome.stdout


def test_an_error_is_not_kept_waiting_by_another_file(monkeypatch: pytest.MonkeyPatch) -> None:
    reading_end, writing_end = os.pipe()
    with open(reading_end) as stdin, open(writing_end, "w"):
        monkeypatch.setattr(sys, "stdin", stdin)
        # Nothing is written to the pipe, so that stdin has no end before this block does.
        with pytest.raises(InputError, match=r"nowhere\.csv: there is no such file"):
            clustcmp.compare("nowhere.csv", "-")


def test_an_index_that_several_columns_share_becomes_ids_once() -> None:
    frame = pd.read_csv("t.csv", index_col="id", dtype=str)[["old", "new"]]
    things = [column for _, column in frame.items()]
    wanted = Wanted(things, ["a", "b"], comparing(), {"coordinates": "t.csv::x,y"})
    first, second = Loader(wanted).load(wanted).clusterings
    assert first.points.ids is second.points.ids
    assert strings(first.points.ids) == ["p", "q", "r", "s"]


def test_indexes_of_other_numbers_are_other_ids() -> None:
    things = [pd.Series([1, 2], index=[1, 2]), pd.Series([1, 2], index=[1.0, 2.0])]
    wanted = Wanted(things, ["a", "b"], comparing(), {"coordinates": "t.csv::x,y"})
    ids = [strings(one.points.ids) for one in Loader(wanted).load(wanted).clusterings]
    assert ids == [["1", "2"], ["1.0", "2.0"]]


STDIN_TWICE: dict[str, Any] = {
    "compare": lambda: clustcmp.compare("-", "-"),
    "both names of stdin": lambda: clustcmp.compare("-", "/dev/stdin"),
    "one column twice": lambda: clustcmp.compare("-::old", "-::old"),
    "coordinates": lambda: clustcmp.compare("-::old", "u.csv", coordinates="-::x,y"),
    "distances": lambda: clustcmp.changes("-::old", "u.csv", distances="-"),
    "matrix": lambda: clustcmp.matrix(["-", "u.csv", "-"]),
    "track": lambda: clustcmp.track(["-", "u.csv", "-"]),
    "gate": lambda: clustcmp.gate("-", "-", min={"ari": 0}),
}


@pytest.mark.parametrize("call", STDIN_TWICE.values(), ids=STDIN_TWICE)
def test_stdin_cannot_be_read_twice(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, TABLE)
    with pytest.raises(UsageError, match=r"^- \(stdin\) is given twice, but can be read only once"):
        call()


def test_two_columns_of_stdin_are_one_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = clustcmp.compare("t.csv::old", "t.csv::new", ["ari"])["ari"]
    calls: list[Any] = [
        lambda: clustcmp.compare("-::old", "-::new", ["ari"])["ari"],
        lambda: clustcmp.matrix(["-::old", "-::new"], "ari")["ari"][0, 1],
        lambda: clustcmp.track(["-::old", "-::new"], "ari")["ari"][0],
    ]
    for call in calls:
        pipe(monkeypatch, TABLE)
        with counting_readings() as readings:
            assert call() == expected
        readings.assert_once("stdin")


def test_two_columns_of_stdin_are_shown_as_they_were_typed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(monkeypatch, TABLE)
    outcome = run_clustcmp(capsys, "compare", "-::old", "-::new", "-m", "ari")
    assert outcome.status == 0
    assert "-::old" in outcome.stdout
    assert "/dev/stdin" not in outcome.stdout


def test_files_and_objects_can_be_compared() -> None:
    labels = pd.Series([2, 2, 1, 1], index=list("srqp"))
    assert clustcmp.compare("t.csv::old", labels, ["ari"])["ari"] == 1.0
