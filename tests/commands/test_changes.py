"""The command changes: what it refuses, what it writes, and where its notes go."""

from __future__ import annotations

from pathlib import Path

import pytest

import clustcmp
from tests.analyses.test_changes import table
from tests.analyses.test_changes_files import read_rows
from tests.commands.test_command_line import GOOD, SPECIES
from tests.files import run_clustcmp, write
from tests.render.test_changes import shown


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_disjoint_points_without_coordinates_are_an_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    a, b = table("a.csv", "12", "ab"), table("b.csv", "34", "ab")
    outcome = run_clustcmp(capsys, "changes", a, b)
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "do not have the same points: none in both" in outcome.stderr
    assert "--coordinates" in outcome.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--ground", "euclid"),
        ("--top", "0"),
        ("--moved", "-"),
        ("--relabel", "a.csv/new.csv"),
        ("--relabel", "new.txt"),
        ("--relabel", "new.csv.gz"),
        ("--moved", "x.csv", "--relabel", "./x.csv"),
        ("--moved", "a.csv"),
        ("--relabel", "b.csv"),
        ("--coordinates", "x.csv::x", "--moved", "x.csv"),
    ],
)
def test_an_error_writes_neither_stdout_nor_files(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = table("a.csv", "123", "aab"), table("b.csv", "123", "abb")
    write("x.csv", "id,x\n1,1\n2,2\n3,3\n") if "x.csv::x" in arguments else None
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    outcome = run_clustcmp(capsys, "changes", a, b, *arguments)
    assert (outcome.status, outcome.stdout) == (2, ""), outcome
    assert "hint: " in outcome.stderr
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


def test_notes_go_to_stderr_unless_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    a, b = table("a.csv", "123", "aab"), table("b.csv", "234", "abb")
    assert "note: clusters are matched by the 2 points in both" in (
        run_clustcmp(capsys, "changes", a, b).stderr
    )
    assert run_clustcmp(capsys, "changes", a, b, "-q").stderr == ""


def test_help_says_what_points_and_top_do_for_changes(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(run_clustcmp(capsys, "changes", "--help").stdout.split())
    assert "--points intersect leaves both out" in text
    assert "json and csv always have all" in text


@pytest.mark.parametrize(
    "arguments",
    [
        ("--ground", "manhattan"),
        ("--ground", "cityblock"),
        ("--relabel", "new.parquet"),
        ("--relabel", "new.csv.zst"),
        ("--relabel", "new.labels"),
        ("--moved", "moved.json"),
    ],
)
def test_options_without_effect_and_unknown_endings_are_errors(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = table("a.csv", "123", "aab"), table("b.csv", "123", "abb")
    outcome = run_clustcmp(capsys, "changes", a, b, *arguments)
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "hint: " in outcome.stderr
    assert sorted(path.name for path in Path().iterdir()) == ["a.csv", "b.csv"]


def test_a_ground_beside_distances_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    a = table("a.csv", "12", "ab")
    write("d.csv", "id,1,2\n1,0,3\n2,3,0\n")
    outcome = run_clustcmp(capsys, "changes", a, a, "--distances", "d.csv", "--ground", "cityblock")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "--ground cityblock is given, but --distances says how far points are" in outcome.stderr


def test_the_default_ground_is_accepted_without_coordinates(
    capsys: pytest.CaptureFixture[str],
) -> None:
    a = table("a.csv", "123", "aab")
    assert shown(capsys, a, a, "--ground", "euclidean")


def test_an_input_is_not_overwritten_through_a_link(
    capsys: pytest.CaptureFixture[str],
) -> None:
    a, b = table("a.csv", "12", "ab"), table("b.csv", "12", "ab")
    Path("link.csv").symlink_to("a.csv")
    before = Path("a.csv").read_bytes()
    outcome = run_clustcmp(capsys, "changes", f"{a}::label", b, "--moved", "link.csv")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert Path("a.csv").read_bytes() == before


def test_the_example_of_the_help_writes_both_files(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--moved", "moved.csv", "--relabel", "new_as_old.csv")
    assert run_clustcmp(capsys, "changes", SPECIES, GOOD, *arguments).status == 0
    assert len(read_rows("moved.csv")) == 17
    assert clustcmp.compare(GOOD, "new_as_old.csv", "ari")["ari"] == 1.0
    assert {row[1] for row in read_rows("new_as_old.csv")} == {
        "Iris-setosa",
        "Iris-versicolor",
        "Iris-virginica",
    }
