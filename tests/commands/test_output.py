"""--output writes the result to a file, whole or not at all."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.files import run_clustcmp, write

COMMANDS: dict[str, list[str]] = {
    "compare": ["compare", "a.csv", "b.csv"],
    "changes": ["changes", "a.csv", "b.csv"],
    "matrix": ["matrix", "a.csv", "b.csv"],
    "track": ["track", "a.csv", "b.csv"],
    "gate": ["gate", "a.csv", "b.csv", "--min", "ari=0.1"],
    "metrics": ["metrics", "ari"],
}
FORMATS = {
    ".json": "json",
    ".csv": "csv",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".txt": "table",
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two clusterings in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    write("a.csv", "id,label\np,1\nq,1\nr,2\ns,2\n")
    write("b.csv", "id,label\np,1\nq,1\nr,2\ns,3\n")


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_ending_of_the_file_chooses_the_format(
    command: str, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = run_clustcmp(capsys, *COMMANDS[command], "-f", FORMATS[ending])
    written = run_clustcmp(capsys, *COMMANDS[command], "-o", f"result{ending}")
    assert (written.status, written.stdout) == (printed.status, "")
    assert Path(f"result{ending}").read_text(encoding="utf-8") == printed.stdout


def test_a_format_that_is_typed_beats_the_ending(capsys: pytest.CaptureFixture[str]) -> None:
    run_clustcmp(capsys, *COMMANDS["compare"], "-o", "result.txt", "-f", "json")
    assert json.loads(Path("result.txt").read_text())["schema"] == "clustcmp/compare/1"


def test_the_exit_status_of_a_gate_stays(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run_clustcmp(capsys, "gate", "a.csv", "b.csv", "--min", "ari=0.99", "-o", "v.json")
    assert outcome.status == 1
    assert json.loads(Path("v.json").read_text())["outcome"] == "fail"


def test_folders_for_the_result_and_the_junit_file_are_made(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = (*COMMANDS["gate"], "-o", "out/day/v.json", "--junit", "out/junit/v.xml")
    assert run_clustcmp(capsys, *arguments).status == 0
    assert json.loads(Path("out/day/v.json").read_text())["outcome"] == "pass"
    assert Path("out/junit/v.xml").read_text().startswith("<?xml")


def test_an_error_makes_no_folder_for_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_clustcmp(capsys, "compare", "a.csv", "no.csv", "-o", "out/v.json").status == 2
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("result.xml", "does not say which format"),
        ("a.csv", "already reads or writes"),
        ("a.csv/result.json", "is in the way"),
        (".", "ending"),
    ],
)
def test_an_output_file_that_cannot_be_written_is_refused_before_any_work(
    path: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path("a.csv").read_bytes()
    outcome = run_clustcmp(capsys, *COMMANDS["compare"], "-o", path)
    assert (outcome.status, outcome.stdout) == (2, "")
    assert words in outcome.stderr
    assert Path("a.csv").read_bytes() == before
    assert sorted(os.listdir()) == ["a.csv", "b.csv"]


def test_with_an_error_the_old_file_stays(capsys: pytest.CaptureFixture[str]) -> None:
    write("result.json", "old")
    outcome = run_clustcmp(capsys, "compare", "a.csv", "missing.csv", "-o", "result.json")
    assert outcome.status == 2
    assert Path("result.json").read_text() == "old"


def test_a_file_gets_no_colours_and_no_line_breaks_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    run_clustcmp(capsys, *COMMANDS["compare"], "-o", "plain.txt")
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("COLUMNS", "80")
    run_clustcmp(capsys, *COMMANDS["compare"], "-o", "from_terminal.txt")
    assert Path("from_terminal.txt").read_text() == Path("plain.txt").read_text()


def test_values_of_settings_are_not_taken_for_input_files(
    capsys: pytest.CaptureFixture[str],
) -> None:
    outcome = run_clustcmp(
        capsys, *COMMANDS["compare"], "--points", "intersect", "-o", "intersect", "-f", "json"
    )
    assert outcome.status == 0, outcome.stderr
    assert Path("intersect").exists()


def test_the_csv_of_a_gate_has_a_line_for_each_bound_and_for_a_broken_gate(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(
        "gates.toml",
        '[gate]\na = "a.csv"\n[gate.one]\nb = "b.csv"\nrand = { min = 0.5, warn_min = 0.99 }\n'
        '[gate.two]\nb = "c.csv"\nrand = { min = 0.5 }\n',
    )
    outcome = run_clustcmp(capsys, "gate", "--config", "gates.toml", "--all", "-f", "csv")
    lines = [line.split(",")[:5] for line in outcome.stdout.splitlines()]
    assert lines == [
        ["gate", "outcome", "metric", "kind", "bound"],
        ["one", "warn", "rand", "warn_min", "0.99"],
        ["one", "pass", "rand", "min", "0.5"],
        ["two", "error", "", "", ""],
    ]


@pytest.mark.parametrize("name", ["base.json", "gates.toml", "old.xml"])
def test_a_gate_does_not_write_its_verdict_over_its_other_files(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("gates.toml", '[gate]\na = "a.csv"\nb = "b.csv"\nbaseline = "base.json"\n')
    bounds = ["gate", "--config", "gates.toml", "--min", "ari=0.1"]
    assert run_clustcmp(capsys, *bounds, "--update-baseline").status == 0
    write("old.xml", "<?xml")
    before = Path(name).read_bytes()
    outcome = run_clustcmp(capsys, *bounds, "--junit", "old.xml", "-f", "json", "-o", name)
    assert outcome.status == 2
    assert "already reads or writes" in outcome.stderr
    assert name == "old.xml" or Path(name).read_bytes() == before


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["gate", "a.csv", "b.csv", "--min", "ari=0.99", "--noise", "x"], 1),
        (["gate", "a.csv", "missing.csv", "--min", "ari=0.99"], 2),
        (["compare", "a.csv", "missing.csv"], 2),
    ],
)
def test_the_exit_status_holds_if_stderr_cannot_be_written(
    arguments: list[str], status: int
) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "clustcmp", *arguments],
            stdout=subprocess.DEVNULL,
            stderr=full,
            check=False,
        )
    assert done.returncode == status


def test_a_file_does_not_depend_on_the_width_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = range(60)
    write("a.csv", "id,label\n" + "".join(f"{i},cluster number {i // 3}\n" for i in rows))
    write("b.csv", "id,label\n" + "".join(f"{i},cluster number {i // 4}\n" for i in rows))
    run_clustcmp(capsys, "changes", "a.csv", "b.csv", "-o", "narrow.txt")
    wide = os.terminal_size((200, 50))
    monkeypatch.setattr(shutil, "get_terminal_size", lambda *fallback: wide)
    run_clustcmp(capsys, "changes", "a.csv", "b.csv", "-o", "wide.txt")
    assert Path("wide.txt").read_bytes() == Path("narrow.txt").read_bytes()
