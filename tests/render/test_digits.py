"""--digits: how many decimals the values have that are shown to people."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp.errors import UsageError
from clustcmp.render.words import rounded_to, show_interval, show_value
from tests.files import run_clustcmp, write

# Adjusted Rand of these two by hand: 4/7.
A, B = [1, 1, 2, 2], [1, 1, 2, 3]

COMMANDS = {
    "compare": ["compare", "a.csv", "b.csv", "-m", "ari"],
    "matrix": ["matrix", "a.csv", "b.csv"],
    "ranking": ["matrix", "a.csv", "--reference", "b.csv"],
    "track": ["track", "a.csv", "b.csv", "-m", "ari"],
    "gate": ["gate", "a.csv", "b.csv", "--min", "ari=0.1"],
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two clusterings in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    for name, labels in (("a.csv", A), ("b.csv", B)):
        write(name, "id,label\n" + "".join(f"p{i},{label}\n" for i, label in enumerate(labels)))


@pytest.mark.parametrize("form", ["table", "markdown"])
@pytest.mark.parametrize("command", COMMANDS)
def test_values_have_so_many_decimals(
    command: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for digits, shown in (("1", "0.6"), ("3", "0.571"), ("10", "0.5714285714")):
        outcome = run_clustcmp(capsys, *COMMANDS[command], "--digits", digits, "-f", form)
        assert outcome.status == 0, outcome.stderr
        assert shown in outcome.stdout
        assert f"{shown}4" not in outcome.stdout
        assert "0.571429" not in outcome.stdout


@pytest.mark.parametrize("form", ["json", "csv"])
@pytest.mark.parametrize("command", COMMANDS)
def test_json_and_csv_keep_all_digits(
    command: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = run_clustcmp(capsys, *COMMANDS[command], "-f", form).stdout
    assert run_clustcmp(capsys, *COMMANDS[command], "-f", form, "--digits", "2").stdout == whole
    assert "0.571428571428571" in whole


def test_changes_rounds_the_values_of_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    write("x.csv", "id,x\np0,0\np1,0\np2,0\np3,1\n")
    command = ["changes", "a.csv", "b.csv", "--coordinates", "x.csv", "--digits", "2"]
    css = clustcmp.compare("a.csv", "b.csv", "css", coordinates="x.csv")["css"]
    assert css is not None
    assert f"css: {css:.2f}\n" in run_clustcmp(capsys, *command).stdout


@pytest.mark.parametrize("digits", ["-1", "18", "many"])
def test_other_numbers_of_decimals_are_refused(
    digits: str, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = run_clustcmp(capsys, "compare", "a.csv", "b.csv", f"--digits={digits}")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "--digits" in outcome.stderr


def test_the_library_rounds_as_the_command_does(capsys: pytest.CaptureFixture[str]) -> None:
    report = clustcmp.compare("a.csv", "b.csv", "ari")
    printed = run_clustcmp(capsys, *COMMANDS["compare"], "--digits", "2").stdout
    assert report.to_text(digits=2) == printed
    assert report.to_text() != printed
    with pytest.raises(UsageError, match="from 0 to 17"):
        report.to_text(digits=18)


@given(st.floats(-1e6, 1e6), st.integers(0, 17))
def test_a_value_is_rounded_to_the_nearest(value: float, digits: int) -> None:
    with rounded_to(digits):
        shown = show_value(value)
    assert float(shown) == pytest.approx(value, abs=0.5000001 * 10.0**-digits)
    assert len(shown.partition(".")[2]) == digits
    assert shown.strip("-0.") or not shown.startswith("-")


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 9))
def test_a_rounded_interval_holds_the_whole_interval(one: float, two: float, digits: int) -> None:
    low, high = sorted((one, two))
    with rounded_to(digits):
        shown_low, shown_high = map(float, show_interval((low, high)).split(" to "))
    assert shown_low <= low
    assert shown_high >= high


def test_a_bound_that_is_missed_is_never_missed_by_0(capsys: pytest.CaptureFixture[str]) -> None:
    gate = "gate", "a.csv", "b.csv", "--digits", "3"
    missed = run_clustcmp(capsys, *gate, "--min", "ari=0.5715")
    assert missed.status == 1
    assert "0.571  7e-05 too low" in missed.stdout
    # 0.571 would be on the other side of this bound.
    kept = run_clustcmp(capsys, *gate, "--min", "ari=0.5714")
    assert kept.status == 0
    assert "0.571428571428571" in kept.stdout


def test_a_list_without_values_has_no_digits(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_clustcmp(capsys, "metrics", "--digits", "2").status == 2


def test_the_summary_of_a_step_is_rounded_as_well(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    run_clustcmp(capsys, *COMMANDS["gate"], "--digits", "2")
    text = Path("summary.md").read_text(encoding="utf-8")
    assert "0.57 " in text
    assert "0.571" not in text


def test_the_width_of_a_matrix_follows_its_digits(capsys: pytest.CaptureFixture[str]) -> None:
    text = run_clustcmp(capsys, *COMMANDS["matrix"], "--digits", "8").stdout
    assert "1.00000000█ 0.57142857" in text
    document = json.loads(run_clustcmp(capsys, *COMMANDS["matrix"], "-f", "json").stdout)
    assert document["results"][0]["matrix"][0][1] == pytest.approx(4 / 7)
