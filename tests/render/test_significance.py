"""Intervals, chance and another candidate as people see them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import clustcmp
from clustcmp.render.words import show_ends
from tests.files import run_clustcmp

ROOT = Path(__file__).parents[2]
IRIS = ("compare", "iris_species.csv", "iris_kmeans_good.csv")
VERSUS = ("--versus", "iris_kmeans_bad.csv")
ALL_THREE = ("--confidence", "0.95", "--permutations", "999", "--seed", "1", *VERSUS)
INDEPENDENCE = "p speaks against independence"


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder with the examples."""
    monkeypatch.chdir(ROOT / "examples")


@pytest.mark.parametrize("metrics", [[], ["-m", "ari", "-m", "mirkin"]])
def test_all_three_questions_fit_80_columns_with_nothing_cut_or_wrapped(
    metrics: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    text = run_clustcmp(capsys, *IRIS, *ALL_THREE, *metrics).stdout
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 80
    rows = [line for line in text.splitlines() if "p ≤ 0.001 " in line and "by" in line]
    assert len(rows) == len(clustcmp.compare(*IRIS[1:], metrics[1::2] or None))


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_every_format_for_people_explains_the_columns_and_names_the_seed(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = run_clustcmp(capsys, *IRIS, *ALL_THREE, "-f", form).stdout
    assert "interval: what 150 other such points would give on average; right in 95 %" in text
    assert "p ≤ 0.001 (999 draws): none was" in text
    assert "whether b or c (iris_kmeans_bad.csv) is closer to a" in text
    assert "seed 1" in text


def test_what_p_speaks_against_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    run = run_clustcmp(capsys, *IRIS, *ALL_THREE)
    assert (run.stdout + run.stderr).count(INDEPENDENCE) == 1
    run = run_clustcmp(capsys, *IRIS, *ALL_THREE, "-f", "markdown")
    assert run.stdout.count(INDEPENDENCE) == 1


def test_a_question_alone_has_more_room(capsys: pytest.CaptureFixture[str]) -> None:
    ari = (*IRIS, "-m", "ari")
    chance = run_clustcmp(capsys, *ari, "--permutations", "999", "--seed", "1").stdout
    assert "p ≤ 0.001 (999 draws), z = 76.5" in chance
    assert "b: 0.294 [0.177, 0.411]" in run_clustcmp(capsys, *ari, *VERSUS).stdout
    assert "b by 0.29" in run_clustcmp(capsys, *ari, *VERSUS, "--confidence", "0.9").stdout


def test_negative_numbers_in_latex_have_a_minus(capsys: pytest.CaptureFixture[str]) -> None:
    text = run_clustcmp(capsys, *IRIS, "-m", "vi", *VERSUS, "-f", "latex").stdout
    assert "b:~$-$0.270~{[}$-$0.476,~$-$0.063{]}" in text


def test_without_draws_the_table_says_that_there_is_no_seed() -> None:
    report = clustcmp.compare(*IRIS[1:], ["ari"], confidence=0.95)
    assert report.to_text().endswith("no seed: nothing was drawn\n")


def test_the_reason_of_an_undefined_value_stands_below_the_table_once() -> None:
    report = clustcmp.compare(
        [0] * 5, [0, 0, 0, 1, 1], ["beta_cv", "cc"], coordinates=np.zeros((5, 2)), confidence=0.9
    )
    text = report.to_text()
    assert text.count("all points are in one cluster") == 1
    assert "undefined (all points are in one cluster): beta_cv of a\n" in text
    assert "there is no value" not in text


@pytest.mark.parametrize(
    ("ends", "shown"),
    [
        ((0.57934, 0.81629), "[0.579, 0.816]"),
        ((0.716121, 0.716532), "[0.71612, 0.71653]"),
        ((7.67496, 16.7353), "[7.67, 16.74]"),
        ((1865.3, 4270.2), "[1865, 4270]"),
        ((1.234567e-6, 9.1e-6), "[1.23e-06, 9.1e-06]"),
        ((-0.0001, 0.2), "[0.000, 0.200]"),
        ((0.0, 0.0), "[0.000, 0.000]"),
    ],
)
def test_ends_have_the_decimals_that_their_width_needs(
    ends: tuple[float, float], shown: str
) -> None:
    assert show_ends(*ends).replace("\u00a0", " ") == shown
