"""Comparisons as people and programs see them, in every format."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

import clustcmp
from clustcmp.errors import Undefined
from clustcmp.metrics import METRICS
from clustcmp.model import Contingency
from clustcmp.render.words import show_interval
from clustcmp.results import Estimate
from tests.files import run_clustcmp, write

REASON = "nothing over nothing"


def no_value(table: Contingency, **options: object) -> float:
    raise Undefined(REASON)


def approximate(table: Contingency, **options: object) -> Estimate:
    return Estimate(0.5, 0.25, 0.75000001)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two clusterings in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    write("a.txt", "1\n1\n2\n2\n")
    write("b.txt", "1\n2\n2\n2\n")


@pytest.fixture
def odd_metrics() -> Iterator[None]:
    """rand is undefined, and jaccard approximate."""
    rand = replace(METRICS["rand"], compute=no_value, convention="of pairs")
    jaccard = replace(METRICS["jaccard"], compute=approximate)
    with patch.dict(METRICS._words, {"rand": rand, "jaccard": jaccard}):
        yield


def head_above(text: str, cell: str) -> str:
    """The head of the column in which a cell stands, in a table or in Markdown."""
    head = next(line for line in text.splitlines() if re.match(r"(\| )?metric", line))
    line = next(line for line in text.splitlines() if cell in line)
    if "|" in head:
        number = [part.strip() for part in line.split("|")].index(cell)
        return head.split("|")[number].strip()
    start, end = line.index(cell), line.index(cell) + len(cell)
    (found,) = [
        word[0] for word in re.finditer(r"\S+", head) if start < word.end() and word.start() < end
    ]
    return found


@pytest.mark.parametrize("format", ["table", "markdown"])
@pytest.mark.usefixtures("odd_metrics")
def test_the_reason_of_an_undefined_value_has_its_own_column(
    format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = run_clustcmp(
        capsys, "compare", "a.txt", "b.txt", "-m", "rand", "-m", "ari", "-f", format
    ).stdout
    assert head_above(text, "undefined") == "value"
    assert head_above(text, "of pairs") == "convention"
    assert head_above(text, REASON) == "reason"


@pytest.mark.parametrize("format", ["table", "markdown", "csv"])
def test_tables_of_plain_values_have_neither_reasons_nor_intervals(
    format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = run_clustcmp(capsys, "compare", "a.txt", "b.txt", "-f", format).stdout
    assert "interval" not in text
    assert "low,high" not in text
    assert format == "csv" or "reason" not in text


@pytest.mark.parametrize("format", ["table", "markdown"])
@pytest.mark.usefixtures("odd_metrics")
def test_an_approximate_value_is_shown_with_its_interval(
    format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = run_clustcmp(capsys, "compare", "a.txt", "b.txt", "-m", "jaccard", "-f", format).stdout
    assert head_above(text, "0.500000") == "value"
    assert head_above(text, "0.250000 to 0.750001") == "interval"


@pytest.mark.usefixtures("odd_metrics")
def test_csv_and_data_frames_have_the_ends_of_an_interval(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = "compare", "a.txt", "b.txt", "-m", "jaccard", "-m", "ari", "-f", "csv"
    approximate, exact = csv.DictReader(io.StringIO(run_clustcmp(capsys, *words).stdout))
    assert (approximate["low"], approximate["high"]) == ("0.25", "0.75000001")
    assert (exact["low"], exact["high"]) == ("", "")
    frame = clustcmp.compare("a.txt", "b.txt", ["jaccard", "ari"]).to_frame()
    assert frame[["low", "high"]].to_numpy()[0].tolist() == [0.25, 0.75000001]


@pytest.mark.parametrize(
    ("interval", "shown"),
    [
        ((0.5, 0.5), "0.500000 to 0.500000"),
        ((0.1234567, 0.1234561), "0.123456 to 0.123457"),
        ((-0.1234561, 0.0), "-0.123457 to 0.000000"),
        ((1.2345678e-9, 1.2345612e-9), "1.23456e-09 to 1.23457e-09"),
    ],
)
def test_rounding_only_widens_an_interval(interval: tuple[float, float], shown: str) -> None:
    assert show_interval(interval) == shown


def test_a_report_shows_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    report = clustcmp.compare("a.txt", "b.txt")
    for form in ("table", "markdown", "csv", "json"):
        printed = run_clustcmp(capsys, "compare", "a.txt", "b.txt", "-f", form).stdout
        assert report.to_text(form) == printed
