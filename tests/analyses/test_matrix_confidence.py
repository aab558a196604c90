"""Matrices with a level of confidence: how sure values are, and which differences are real."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Sequence
from functools import partial
from importlib.resources import files
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student
from sklearn.metrics import adjusted_rand_score

import clustcmp
from clustcmp.analyses.matrix.report import Closer
from tests.files import Outcome, run_clustcmp

FILES = tuple(f"examples/iris_{name}.csv" for name in ("kmeans_good", "kmeans_bad", "species"))
SURE = ("--confidence", "0.95")

DRAWS = np.random.default_rng(5)
A = DRAWS.integers(0, 12, 100)
B = np.where(DRAWS.random(100) < 0.85, A, DRAWS.integers(0, 12, 100))
C = np.where(DRAWS.random(100) < 0.80, A, DRAWS.integers(0, 12, 100))
D = np.where(DRAWS.random(100) < 0.30, A, DRAWS.integers(0, 12, 100))
FOUR = {"a": A, "b": B, "c": C, "d": D}


def leave_out(unit: str, a: Any, value_of: Callable[[Any], float]) -> list[float]:
    """The values with each point, or each cluster of a, really left out."""
    units = [np.arange(len(a)) == point for point in range(len(a))]
    if unit == "cluster":
        units = [a == cluster for cluster in np.unique(a)]
    return [value_of(~out) for out in units]


def ari_of(a: Any, b: Any, kept: Any) -> float:
    return float(adjusted_rand_score(a[kept], b[kept]))


def error_of(values: Sequence[float]) -> float:
    n = len(values)
    mean = sum(values) / n
    return math.sqrt((n - 1) / n * sum((value - mean) ** 2 for value in values))


def check_difference(found: Closer, unit: Any, level: float) -> None:
    """The difference is that of really leaving units out of both comparisons."""
    a, first, other = (FOUR[name] for name in (found.a, found.closest, found.other))

    def apart(kept: Any) -> float:
        one, two = (adjusted_rand_score(a[kept], each[kept]) for each in (first, other))
        return float(one - two)

    values = leave_out(unit, a, apart)
    difference, error = apart(np.full(len(a), True)), error_of(values)
    reach = student.ppf((1 + level) / 2, len(values) - 1) * error
    assert found.difference == pytest.approx(difference, rel=1e-9)
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    assert (found.low, found.high) == pytest.approx((difference - reach, difference + reach))
    assert found.decided == (difference - reach > 0.0)


@pytest.mark.parametrize("unit", ["point", "cluster"])
def test_the_errors_are_those_of_really_leaving_units_out(unit: Any) -> None:
    report = clustcmp.matrix(FOUR, "ari", confidence=0.9, unit=unit)
    errors = report.to_frame("ari", "interval_standard_error")
    for name, a in FOUR.items():
        for other, b in FOUR.items():
            if name == other:
                assert math.isnan(errors[other][name])
                continue
            values = leave_out(unit, a, partial(ari_of, a, b))
            assert errors[other][name] == pytest.approx(error_of(values), rel=1e-9)
    closer = report.matrix("ari").closer
    assert closer is not None
    # The closest one of each of the four against the two others.
    assert len(closer) == 8
    for found in closer:
        check_difference(found, unit, 0.9)


def test_each_of_several_references_has_its_own_intervals_and_differences() -> None:
    report = clustcmp.matrix(FOUR, "ari", reference=["d", "a"], confidence=0.9, unit="cluster")
    (found,) = report.matrices
    for reference, results in zip(["d", "a"], found.cells, strict=True):
        for name, result in zip(found.names, results, strict=True):
            values = leave_out(
                "cluster", FOUR[reference], partial(ari_of, FOUR[reference], FOUR[name])
            )
            assert result.interval is not None
            assert result.interval.standard_error == pytest.approx(error_of(values), rel=1e-9)
    assert [one.a for one in found.closer or ()] == ["d", "a"]
    for one in found.closer or ():
        check_difference(one, "cluster", 0.9)


def test_a_clear_difference_is_decided_and_a_small_one_is_not() -> None:
    closer = clustcmp.matrix(FOUR, "ari", confidence=0.95).matrix("ari").closer
    of_a = {found.other: found for found in closer or () if found.a == "a"}
    # b and c keep nearly as many points of a, d keeps few.
    assert {found.closest for found in of_a.values()} == {"b"}
    assert of_a["d"].decided
    assert not of_a["c"].decided


@pytest.mark.parametrize("metric", ["ari", "vi"])
def test_with_a_reference_the_best_one_is_compared_with_the_others(metric: str) -> None:
    others = {name: FOUR[name] for name in "dcb"}
    report = clustcmp.matrix(others, metric, reference=A, confidence=0.95)
    found = report.matrix(metric)
    assert found.closer is not None
    assert [(one.closest, one.other) for one in found.closer] == [("b", "c"), ("b", "d")]
    for result, name in zip(found.cells[0], others, strict=True):
        alone = clustcmp.compare(A, FOUR[name], metric, confidence=0.95).result(metric)
        assert result.interval == alone.interval
    for one in found.closer:
        versus = clustcmp.compare(A, B, metric, versus=FOUR[one.other]).result(metric).versus
        assert versus is not None
        assert (one.low, one.high, one.p) == (versus.low, versus.high, versus.p)
        assert one.decided == (versus.closer == "b")


def test_the_best_over_references_has_intervals_but_no_differences() -> None:
    some = {name: FOUR[name] for name in "cd"}
    report = clustcmp.matrix(some, "ari", reference=[A, B], best=True, confidence=0.95)
    found = report.matrix("ari")
    for column, name in enumerate(some):
        results = [clustcmp.compare(one, FOUR[name], "ari", confidence=0.95) for one in (A, B)]
        best = max(results, key=lambda each: each["ari"] or 0.0)
        assert found.cells[0][column].interval == best.result("ari").interval


def test_clusterings_on_different_points_are_not_compared_with_each_other() -> None:
    series = {name: pd.Series(labels) for name, labels in FOUR.items()}
    series["b"], series["c"] = series["b"][:90], series["c"][5:]
    series["a"], series["d"] = series["a"], series["d"][10:95]
    closer = clustcmp.matrix(series, "ari", confidence=0.9, points="intersect").matrix("ari").closer
    found = [one for one in closer or () if one.a == "a"]
    assert all(one.reason and "same points" in one.reason for one in found)
    assert not any(one.decided for one in found)


def test_a_metric_without_a_direction_has_intervals_only() -> None:
    found = clustcmp.matrix(FOUR, "joint_entropy", confidence=0.9).matrix("joint_entropy")
    assert found.closer == ()
    assert found.cells[0][1].interval is not None


def matrix(capsys: pytest.CaptureFixture[str], *arguments: str) -> Outcome:
    return run_clustcmp(capsys, "matrix", *arguments)


@pytest.mark.parametrize("reference", [(), ("--reference", "examples/iris_species.csv")])
def test_the_json_fits_its_schema(
    reference: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(matrix(capsys, *FILES, *SURE, *reference, "-f", "json").stdout)
    schema = json.loads((files("clustcmp.schemas") / "matrix-1.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)
    (result,) = document["results"]
    # docs/significance.md: ari 0.72, 95 % between 0.58 and 0.82.
    found = result["ranking"][0] if reference else result["intervals"][1]
    assert (round(found["interval"]["low"], 2), round(found["interval"]["high"], 2)) == (0.58, 0.82)
    one = next(one for one in result["closer"] if one["a"] == "examples/iris_species.csv")
    assert (one["closest"], one["decided"]) == ("examples/iris_kmeans_good.csv", True)


def test_without_a_level_nothing_is_added(capsys: pytest.CaptureFixture[str]) -> None:
    for reference in ((), ("--reference", "examples/iris_species.csv")):
        run = matrix(capsys, *FILES, *reference, "-f", "json")
        document = json.loads(run.stdout)
        assert "seed" not in document
        assert {"closer", "intervals"}.isdisjoint(document["results"][0])
        assert all("interval" not in one for one in document["results"][0].get("ranking", ()))


def test_the_table_says_which_differences_are_real(capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, species = FILES
    text = " ".join(matrix(capsys, *FILES, *SURE).stdout.replace("\xa0", " ").split())
    assert f"{good} and {species}: 0.716342 [0.579, 0.816]" in text
    assert f"{species} is closer to {good} than to {bad}: difference 0.294 [0.177, 0.411]" in text
    assert f"undecided whether {good} or {species} is closest to {bad}: difference 0.007" in text
    with_reference = matrix(capsys, good, bad, *SURE, "--reference", species).stdout
    text = " ".join(with_reference.replace("\xa0", " ").split())
    assert "iris_kmeans_good 0.716342 [0.579, 0.816]" in text
    assert f"{good} is closer to {species} than {bad}: difference 0.294 [0.177, 0.411]" in text


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_other_formats_say_so_too(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = matrix(capsys, *FILES, *SURE, "-m", "ari", "-m", "vi", "-f", form).stdout
    assert "is closer to" in text
    assert "undecided whether" in text
    assert "[low, high]: 95 % intervals over points" in text
    assert "no seed: nothing was drawn" in text


def test_the_csv_has_the_ends(capsys: pytest.CaptureFixture[str]) -> None:
    good, _, species = FILES
    table = list(csv.reader(io.StringIO(matrix(capsys, *FILES, *SURE, "-f", "csv").stdout)))
    row = dict(zip(table[0], next(row for row in table if row[0] == good), strict=True))
    assert row[f"{species}::interval_low"][:5] == "0.579"
    assert row[f"{good}::interval_low"] == ""
    assert row["closest"] == species
    bad = FILES[1]
    # docs/significance.md and the table round these to three digits.
    assert float(row[f"{bad}::closest_difference"]) == pytest.approx(0.287, abs=5e-4)
    assert float(row[f"{bad}::closest_low"]) == pytest.approx(0.166, abs=5e-4)
    assert row[f"{bad}::closest_decided"] == "true"
    assert row[f"{species}::closest_difference"] == row[f"{good}::closest_decided"] == ""
    ranked = matrix(capsys, *FILES, *SURE, "--reference", species, "-f", "csv").stdout
    _, last = csv.DictReader(io.StringIO(ranked))
    assert (last["name"], last["closest"], last["closest_decided"]) == (bad, good, "true")
    ends = [float(last[f"closest_{end}"]) for end in ("low", "high")]
    assert ends == pytest.approx([0.177, 0.411], abs=5e-4)
    first = next(csv.DictReader(io.StringIO(ranked)))
    assert (first["name"], first["interval_high"][:5], first["interval_level"]) == (
        good, "0.816", "0.95",
    )  # fmt: skip


def test_the_bytes_do_not_depend_on_jobs_and_the_seed_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    spatial = ("--coordinates", "examples/iris.csv", "-m", "adco", "-m", "ari", *SURE)
    texts = {
        matrix(capsys, *FILES, *spatial, "--seed", "3", "-f", "json", "-j", jobs).stdout
        for jobs in "12"
    }
    (text,) = texts
    assert json.loads(text)["seed"] == 3
    seed = json.loads(matrix(capsys, *FILES, *spatial, "-f", "json").stdout)["seed"]
    again = matrix(capsys, *FILES, *spatial, "--seed", str(seed)).stdout
    assert f"seed {seed}" in again
    alone = ("--coordinates", "examples/iris.csv", "-m", "adco", *SURE, "--seed", str(seed))
    for more in ((), ("--reference", FILES[2])):
        table = matrix(capsys, *FILES[:2], *alone, *more, "-f", "csv").stdout
        assert {row["seed"] for row in csv.DictReader(io.StringIO(table))} == {str(seed)}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--confidence", "1.5"), "between 0 and 1"),
        (("--confidence", "0"), "between 0 and 1"),
        (("--unit", "cluster"), "--unit has no effect without --confidence\n"),
        (("--seed", "1"), "--seed has no effect without --confidence\n"),
        (("--confidence", "0.9", "--unit", "cluster"), "at least 10 clusters"),
    ],
)
def test_bad_input_is_refused(
    words: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, stdout, stderr = matrix(capsys, *FILES, *words)
    assert (status, stdout) == (2, "")
    assert complaint in stderr
