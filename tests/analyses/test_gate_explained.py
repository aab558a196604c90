"""A gate that failed names the command that shows what changed, ready to be typed in a shell."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp.analyses.gate.definition import Gate
from clustcmp.analyses.gate.explain import changes_command
from tests.analyses.test_gate import A, B
from tests.files import pipe, run_clustcmp, write

FAILING = ("--max-moved", "1%")


@pytest.fixture(autouse=True)
def two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reference and a candidate in an empty folder, outside of GitHub."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    write("a.csv", A)
    write("b.csv", B)


def gate(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """The only gate of a run in JSON."""
    (found,) = json.loads(run_clustcmp(capsys, "gate", "-f", "json", *arguments).stdout)["gates"]
    return found


def test_the_command_shows_the_points_that_failed_the_gate(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("my a.csv", A + "5,-1\n6,\n7,x\n")
    write("b's.csv", "id,label,other\n" + B.partition("\n")[2].replace("\n", ",0\n") + "5,p,0\n")
    arguments = ("my a.csv", "b's.csv::label", "--noise=-1", "--noise-policy", "drop")
    found = gate(
        capsys, *arguments, "--points", "intersect", "--missing=drop", "--jobs=1", *FAILING
    )
    assert found["explained_by"] == (
        "clustcmp changes 'my a.csv' 'b'\"'\"'s.csv::label' --noise=-1 --missing drop "
        "--noise-policy drop --points intersect"
    )
    program, *command = shlex.split(found["explained_by"])
    told = run_clustcmp(capsys, *command, "-f", "json")
    assert (program, told.status) == ("clustcmp", 0)
    assert json.loads(told.stdout)["moved"]["share"] == found["checks"][0]["found"]


def test_the_command_has_the_coordinates_and_their_distance(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("x.csv", "id,x\n1,0\n2,1\n3,5\n4,9\n")
    bounds = ("--min", "ari=0.9", "--max", "cdistance:ground=cityblock=0.01")
    found = gate(capsys, "a.csv", "b.csv", "--coordinates", "x.csv::x", *bounds)
    assert found["explained_by"] == (
        "clustcmp changes a.csv b.csv --coordinates x.csv::x --ground cityblock"
    )
    assert run_clustcmp(capsys, *shlex.split(found["explained_by"])[1:]).status == 0


def test_the_command_has_the_settings_of_configuration_and_baseline(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (Path("deep")).mkdir()
    write("a.csv", A + "5,x\n")
    clustcmp.accept_baseline(
        "a.csv", "b.csv", baseline="deep/base.json", min={"ari": 0.0}, points="intersect"
    )
    write(
        "deep/gates.toml",
        "[gate]\ncandidate = '../b.csv'\nbaseline = 'base.json'\nari = { min = 0.9 }\n",
    )
    found = gate(capsys, "--config", "deep/gates.toml")
    assert found["explained_by"] == (
        "clustcmp changes deep/../a.csv deep/../b.csv --points intersect"
    )
    assert run_clustcmp(capsys, *shlex.split(found["explained_by"])[1:]).status == 0


@pytest.mark.parametrize(
    ("format", "line"),
    [
        ("table", "  what changed: clustcmp changes a.csv b.csv\n"),
        ("markdown", "\n\nwhat changed: `clustcmp changes a.csv b.csv`\n"),
        ("github", "too high%0Awhat changed: clustcmp changes a.csv b.csv\n"),
    ],
)
def test_formats_for_people_name_the_command(
    format: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = run_clustcmp(capsys, "gate", "a.csv", "b.csv", *FAILING, "-f", format).stdout
    assert line in told
    good = run_clustcmp(capsys, "gate", "a.csv", "b.csv", "--warn-min=ari=1", "-f", format).stdout
    assert "what changed" not in good


def test_in_github_a_warning_beside_a_failure_does_not_repeat_the_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ("gate", "a.csv", "b.csv", *FAILING, "--warn-min", "ari=1", "-f", "github")
    error, warning, *_ = run_clustcmp(capsys, *arguments).stdout.splitlines()
    assert "what changed" in error
    assert warning.startswith("::warning")
    assert "what changed" not in warning


def test_files_that_look_like_flags_stand_after_all_flags(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("-a.csv", A)
    found = gate(capsys, "--noise=x", *FAILING, "--", "-a.csv", "b.csv")
    assert found["explained_by"] == "clustcmp changes --noise x -- -a.csv b.csv"
    assert run_clustcmp(capsys, *shlex.split(found["explained_by"])[1:]).status == 0


def test_a_gate_that_does_not_fail_names_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert gate(capsys, "a.csv", "b.csv", "--max-moved", "25%")["explained_by"] is None
    assert gate(capsys, "a.csv", "b.csv", "--warn-min", "ari=1")["explained_by"] is None


def test_what_cannot_be_read_again_has_no_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(monkeypatch, A)
    assert gate(capsys, "-", "b.csv", *FAILING)["explained_by"] is None
    with pytest.raises(clustcmp.GateFailed) as failed:
        clustcmp.gate([1, 1, 2], [1, 2, 2], max_moved="1%")
    assert failed.value.verdict.explained_by is None
    places = pd.DataFrame({"x": [0.0] * 4}, index=["1", "2", "3", "4"])
    with pytest.raises(clustcmp.GateFailed) as failed:
        clustcmp.gate(Path("a.csv"), Path("b.csv"), max_moved="1%", coordinates=places)
    assert failed.value.verdict.explained_by is None


@given(st.text(min_size=1), st.text(min_size=1), st.lists(st.text(), max_size=2))
def test_a_shell_reads_any_name_and_any_label_as_they_are(
    a: str, b: str, labels: list[str]
) -> None:
    command = changes_command(Gate(a, b, said={"noise": tuple(labels)}))
    if command is None:
        assert any(one.startswith(("-", "/dev/stdin")) or "=" in one for one in (a, b))
        return
    words = shlex.split(command)
    flags = [word.removeprefix("--noise=") for word in words if word not in ("--noise", "--")]
    assert words[:2] == ["clustcmp", "changes"]
    assert sorted(flags[2:]) == sorted([a, b, *labels])
    if a.startswith("-") or b.startswith("-"):
        assert words[-3:] == ["--", a, b]
    else:
        assert words[2:4] == [a, b]
