"""Tracks in every format: intervals, and the same text from the command and from Python."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

import clustcmp
from clustcmp.metrics import METRICS
from clustcmp.model import Contingency
from clustcmp.results import Estimate
from tests.files import run_clustcmp, write


@pytest.fixture
def windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three windows of the same points."""
    monkeypatch.chdir(tmp_path)
    labels = ("1\n1\n2\n2\n", "1\n1\n1\n2\n", "1\n1\n1\n1\n")
    return [write(f"w{number}.txt", text) for number, text in enumerate(labels, 1)]


@pytest.fixture
def approximate_rand() -> Iterator[None]:
    """rand is an approximate value between 0.25 and 0.75."""

    def estimate(table: Contingency, **options: object) -> Estimate:
        return Estimate(0.5, 0.25, 0.75)

    metric = replace(METRICS["rand"], compute=estimate)
    with patch.dict(METRICS._words, {"rand": metric}):
        yield


@pytest.mark.parametrize("form", ["table", "markdown", "csv", "json"])
@pytest.mark.usefixtures("approximate_rand")
def test_approximate_values_are_shown_with_their_intervals(
    form: str, windows: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["track", *windows, "-m", "rand", "--min", "rand=0.4", "-f", form]
    text = run_clustcmp(capsys, *words).stdout
    if form == "csv":
        assert [row["low"] for row in csv.DictReader(io.StringIO(text))] == ["0.25", "0.25"]
    elif form == "json":
        assert json.loads(text)["steps"][0]["results"][0]["bounds"] == [0.25, 0.75]
    else:
        assert "0.500000 (0.250000 to 0.750000)" in text
        assert "W1 → W2 (0.250000 (the worse end of 0.250000 to 0.750000))" in text


def test_a_track_in_python_shows_what_the_command_prints(
    windows: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    report = clustcmp.track(windows, ["rand", "vi"], min={"rand": 0.9})
    bounds = ["-m", "rand", "-m", "vi", "--min", "rand=0.9"]
    for form in ("table", "markdown", "csv", "json"):
        printed = run_clustcmp(capsys, "track", *windows, *bounds, "-f", form).stdout
        assert report.to_text(form) == printed
    assert report.inputs == report.windows
    assert repr(report).startswith("W1  w1.txt  4 points")


def test_a_data_frame_has_a_row_for_each_metric_at_each_step(windows: list[str]) -> None:
    frame = clustcmp.track(windows, ["rand", "vi"], min={"rand": 0.9}).to_frame()
    assert frame.index.names == ["from", "to", "metric"]
    assert frame["outcome"].fillna("").to_list() == ["fail", "", "fail", ""]
    assert frame.groupby("metric")["jump"].sum().to_dict() == {
        "rand": 1,
        "variation_of_information": 1,
    }


def test_the_verdict_of_a_track_names_the_steps(windows: list[str]) -> None:
    verdict = clustcmp.track(windows, "rand", min={"rand": 0.9}).verdict
    assert verdict is not None
    assert [check.step for check in verdict.checks] == [("W1", "W2"), ("W2", "W3")]
    assert "rand ≥ 0.9 at W1 → W2" in verdict.to_text()
