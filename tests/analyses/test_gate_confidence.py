"""Gates with a level of confidence: a bound is kept only if the whole interval keeps it."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student
from sklearn.metrics import adjusted_rand_score

import clustcmp
from clustcmp.analyses.bounds.ends import Before
from clustcmp.analyses.bounds.thresholds import Kind, Level, Threshold
from clustcmp.analyses.bounds.verdict import Outcome, judge
from clustcmp.model import Coverage
from clustcmp.results import Report, Result, Status
from clustcmp.sureness import Interval
from tests.files import Outcome as Run
from tests.files import run_clustcmp, write

ROOT = Path(__file__).parents[2]
IRIS = ("examples/iris_species.csv", "examples/iris_kmeans_good.csv")

DRAWS = np.random.default_rng(11)
A = DRAWS.integers(0, 12, 90)
B = np.where(DRAWS.random(90) < 0.75, A, DRAWS.integers(0, 12, 90))


def ends_by_hand(left_out: Iterable[float], value: float, level: float) -> tuple[float, float]:
    """The interval of an ari, on the logistic scale of its range from -0.5 to 1."""
    values = np.array(list(left_out))
    n = len(values)
    error = math.sqrt((n - 1) / n * ((values - values.mean()) ** 2).sum())
    middle = math.log((value + 0.5) / (1 - value))
    half = student.ppf((1 + level) / 2, n - 1) * error * 1.5 / ((value + 0.5) * (1 - value))
    low, high = (-0.5 + 1.5 / (1 + math.exp(-(middle + sign * half))) for sign in (-1, 1))
    return low, high


@pytest.mark.parametrize("unit", ["point", "cluster"])
def test_a_bound_is_kept_only_if_the_whole_interval_keeps_it(unit: Any) -> None:
    units = [cluster == A for cluster in range(12)]
    if unit == "point":
        units = [np.arange(90) == point for point in range(90)]
    left_out = [adjusted_rand_score(A[~out], B[~out]) for out in units]
    low, high = ends_by_hand(left_out, adjusted_rand_score(A, B), 0.9)
    sure: Any = {"confidence": 0.9, "unit": unit}
    assert clustcmp.gate(A, B, min={"ari": low - 1e-9}, max={"ari": high + 1e-9}, **sure)
    bounds: Any
    for bounds in ({"min": {"ari": low + 1e-9}}, {"max": {"ari": high - 1e-9}}):
        assert clustcmp.gate(A, B, **bounds)
        with pytest.raises(clustcmp.GateFailed, match="90 % between") as failed:
            clustcmp.gate(A, B, **bounds, **sure)
        (check,) = failed.value.verdict.checks
        assert check.interval == pytest.approx((low, high), abs=1e-9)
        assert check.confidence is not None
        assert check.confidence.unit == unit


def test_the_json_has_the_value_its_interval_and_the_reason(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # docs/significance.md: ari 0.72, 95 % between 0.58 and 0.82.
    arguments = ("--min", "ari=0.6", "--max-moved", "15%", "--confidence", "0.95", "-f", "json")
    status, stdout, _ = run_clustcmp(capsys, "gate", *IRIS, *arguments)
    document = json.loads(stdout)
    schema = json.loads((files("clustcmp.schemas") / "gate-1.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)
    failed, kept = document["gates"][0]["checks"]
    assert status == 1
    assert round(failed["value"], 2) == 0.72
    assert [round(end, 2) for end in failed["interval"]] == [0.58, 0.82]
    assert failed["found"] == failed["interval"][0] == failed["confidence"]["low"]
    assert failed["confidence"]["level"] == 0.95
    assert failed["reason"] == (
        "adjusted_rand 0.7163, 95 % between 0.5793 and 0.8163, must be at least 0.6: "
        "fails because the low end 0.5793 is below"
    )
    assert (kept["metric"], kept["outcome"]) == ("moved", "pass")
    assert {"value", "confidence"}.isdisjoint(kept)


def test_without_a_level_nothing_is_added(capsys: pytest.CaptureFixture[str]) -> None:
    run = run_clustcmp(capsys, "gate", *IRIS, "--min", "ari=0.6", "-f", "json")
    (gate,) = json.loads(run.stdout)["gates"]
    assert "seed" not in gate
    assert {"value", "confidence"}.isdisjoint(gate["checks"][0])
    assert gate["checks"][0]["interval"] is None


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "csv", "github"])
def test_every_format_says_which_end_decides(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--min", "ari=0.6", "--confidence", "0.95", "-f", form, "--junit", "/dev/null")
    stdout = run_clustcmp(capsys, "gate", *IRIS, *arguments).stdout.replace("\\", "")
    ends = "0.5793 and 0.8163" if form == "csv" else "0.579 and 0.816"
    assert f"between {ends}" in stdout
    assert "low end" in stdout
    if form == "csv":
        (row,) = csv.DictReader(io.StringIO(stdout))
        assert row["found"] == row["low"] == row["confidence_low"]
        assert (row["confidence_level"], row["confidence_unit"]) == ("0.95", "point")
        assert row["seed"] == ""


def test_junit_says_which_end_decides(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "gate.xml"
    run_clustcmp(
        capsys, "gate", *IRIS, "--min", "ari=0.6", "--confidence", "0.95", "--junit", str(path)
    )
    text = path.read_text(encoding="utf-8")
    assert "found 0.716342, 95 % between 0.579 and 0.816, 0.020696 too low at the low end" in text


def test_the_page_on_gates_shows_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    (found,) = re.findall(r"```console\n\$ clustcmp (.*?)\n(.*?)```", page, re.DOTALL)
    assert run_clustcmp(capsys, *found[0].split()).stdout.rstrip() == found[1].rstrip()


def test_a_frame_has_the_value_and_its_interval() -> None:
    frame = clustcmp.gate(A, B, min={"ari": 0.1}, max_moved="99%", confidence=0.95).to_frame()
    row = frame.loc["adjusted_rand"]
    assert row["confidence_low"] < row["value"] < row["confidence_high"]
    assert "value" not in clustcmp.gate(A, B, min={"ari": 0.1}).to_frame()


@pytest.mark.parametrize("key", ["min", "warn_min"])
def test_a_value_without_an_interval_never_passes(key: str) -> None:
    # One point can be left out of nothing.
    bounds: Any = {key: {"ari": -1.0}}
    with pytest.raises(clustcmp.GateFailed, match="only one point") as failed:
        clustcmp.gate([1], [1], **bounds, confidence=0.95)
    verdict = failed.value.verdict
    assert (verdict.outcome, verdict.exit_status) == (Outcome.no_verdict, 3)
    assert verdict.checks[0].value == 1.0
    assert verdict.checks[0].reason == "no 95 % interval: there is only one point"
    assert "1 of 1 bound without an interval" in verdict.to_text()


def known(
    value: float,
    ends: tuple[float, float] | None,
    proven: tuple[float, float] | None = None,
) -> Report:
    """A report with one value, its interval and its proven ends."""
    low, high = ends or (None, None)
    interval = Interval(0.95, low, high, 0.1, "point", "leave_one_out", None if ends else "why not")
    result = Result(
        "adjusted_rand", "adjusted_rand", "Pair counting", {}, value, Status.ok, None, -0.5, 1.0,
        proven=proven, interval=interval,
    )  # fmt: skip
    report = clustcmp.compare([1, 1, 2], [1, 2, 2], "ari")
    return Report(report.inputs, Coverage(3, 0, 0), (result,))


@pytest.mark.parametrize(
    ("proven", "low", "high"),
    [((0.5, 0.9), 0.5, 0.9), ((0.65, 0.75), 0.6, 0.8), ((0.65, 0.9), 0.6, 0.9), (None, 0.6, 0.8)],
)
def test_of_proven_ends_and_an_interval_the_worse_one_counts(
    proven: tuple[float, float] | None, low: float, high: float
) -> None:
    report = known(0.7, (0.6, 0.8), proven)
    least, most = (Threshold("adjusted_rand", kind, 0.7) for kind in (Kind.min, Kind.max))
    checks = {check.threshold.kind: check for check in judge(report, [least, most]).checks}
    assert checks[Kind.min].found == low
    assert checks[Kind.max].found == high
    assert checks[Kind.min].interval == (low, high)
    assert "95 % between 0.6 and 0.8" in (checks[Kind.min].reason or "")


CHANGES = [
    # The value, its ends now, its ends before, the bound; what decides, what it was, the outcome.
    (Kind.max_drop, 0.7, (0.6, 0.8), (0.6, 0.8), 0.0, 0.7, 0.7, "pass"),
    (Kind.max_change, 0.7, (0.6, 0.8), (0.6, 0.8), 0.0, 0.7, 0.7, "pass"),
    # The low end fell by 0.05, though the value is the same.
    (Kind.max_drop, 0.7, (0.55, 0.8), (0.6, 0.8), 0.02, 0.55, 0.6, "fail"),
    (Kind.max_rise, 0.7, (0.55, 0.8), (0.6, 0.8), 0.02, 0.7, 0.7, "pass"),
    (Kind.max_change, 0.7, (0.55, 0.8), (0.6, 0.8), 0.02, 0.55, 0.6, "fail"),
    (Kind.max_rise, 0.7, (0.6, 0.85), (0.6, 0.8), 0.02, 0.85, 0.8, "fail"),
    (Kind.max_drop, 0.7, (0.6, 0.85), (0.6, 0.8), 0.02, 0.7, 0.7, "pass"),
    # A narrower interval is not a change.
    (Kind.max_change, 0.7, (0.68, 0.72), (0.6, 0.8), 0.0, 0.7, 0.7, "pass"),
    # The value fell by 0.05 and its low end by less.
    (Kind.max_drop, 0.65, (0.59, 0.7), (0.6, 0.8), 0.02, 0.65, 0.7, "fail"),
    (Kind.max_rise, 0.65, (0.59, 0.7), (0.6, 0.8), 0.02, 0.65, 0.7, "pass"),
]


@pytest.mark.parametrize(
    ("kind", "value", "ends", "before", "bound", "found", "accepted", "outcome"), CHANGES
)
def test_a_change_is_that_of_the_value_or_of_an_end_that_moved_outwards(
    kind: Kind,
    value: float,
    ends: tuple[float, float],
    before: tuple[float, float],
    bound: float,
    found: float,
    accepted: float,
    outcome: str,
) -> None:
    old = Before((0.7,), Interval(0.95, *before, 0.1, "point"))
    threshold = Threshold("adjusted_rand", kind, bound)
    (check,) = judge(known(value, ends), [threshold], {"adjusted_rand": old}).checks
    assert (check.found, check.accepted, check.outcome) == (found, accepted, outcome)


def test_a_share_of_an_accepted_end_is_a_share_of_this_end() -> None:
    # 10 % of 0.6 are 0.06, 10 % of 0.7 would be 0.07: the low end may fall to 0.54.
    old = Before((0.7,), Interval(0.95, 0.6, 0.8, 0.1, "point"))
    threshold = Threshold("adjusted_rand", Kind.max_drop, 0.1, relative=True)
    for low, outcome in ((0.5401, Outcome.passed), (0.5399, Outcome.fail)):
        verdict = judge(known(0.7, (low, 0.8)), [threshold], {"adjusted_rand": old})
        assert verdict.outcome is outcome


def test_a_change_from_a_value_without_an_interval_never_passes() -> None:
    threshold = Threshold("adjusted_rand", Kind.max_drop, 1.0)
    reason = "they are all the same"
    for interval in (None, Interval(0.95, None, None, 0.0, "point", reason=reason)):
        old = {"adjusted_rand": Before((0.7,), interval)}
        (check,) = judge(known(0.7, (0.6, 0.8)), [threshold], old).checks
        assert check.outcome is Outcome.no_verdict
        assert "the accepted value has no interval" in (check.reason or "")


ordered = st.tuples(*[st.floats(-0.5, 1.0)] * 3).map(sorted)


@given(ordered, st.floats(-0.5, 1.0), st.sampled_from([Kind.min, Kind.max]), st.sampled_from(Level))
def test_what_passes_with_an_interval_passes_without(
    numbers: list[float], bound: float, kind: Kind, level: Level
) -> None:
    low, value, high = numbers
    threshold = Threshold("adjusted_rand", kind, bound, level)
    kept = judge(known(value, (low, high)), [threshold]).outcome is Outcome.passed
    assert kept == all(threshold.holds(one) for one in numbers)


def gate(capsys: pytest.CaptureFixture[str], *arguments: str) -> Run:
    return run_clustcmp(capsys, "gate", *arguments)


def accept(capsys: pytest.CaptureFixture[str], path: Path, *arguments: str) -> dict[str, Any]:
    """The baseline that a run on the irises writes."""
    base = ("--baseline", str(path), "--update-baseline")
    status, _, stderr = gate(capsys, *IRIS, *base, *arguments)
    assert status == 0, stderr
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    schema = json.loads((files("clustcmp.schemas") / "baseline-1.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(found)
    return found


def test_a_baseline_keeps_intervals_and_later_runs_take_its_level(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "base.json"
    document = accept(capsys, path, "--min", "ari=0", "--confidence", "0.95")
    assert (document["policies"]["confidence"], document["policies"]["unit"]) == (0.95, "point")
    assert round(document["values"][0]["interval"]["low"], 2) == 0.58
    later = ("--baseline", str(path), "--max-change", "ari=0", "-f", "json")
    status, stdout, _ = gate(capsys, IRIS[1], *later)
    (check,) = json.loads(stdout)["gates"][0]["checks"]
    assert (status, check["confidence"]["level"]) == (0, 0.95)
    assert check["interval"] == check["accepted_interval"]
    assert gate(capsys, "examples/iris_kmeans_bad.csv", *later).status == 1


def test_a_baseline_without_a_level_has_nothing_of_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    document = accept(capsys, tmp_path / "base.json", "--min", "ari=0")
    assert {"confidence", "unit", "seed"}.isdisjoint(document["policies"])
    assert "interval" not in document["values"][0]


@pytest.mark.parametrize(
    ("accepted", "now", "words"),
    [
        (("--confidence", "0.95"), ("--confidence", "0.9"), "confidence was 0.95 and is 0.9"),
        ((), ("--confidence", "0.9"), "it has no intervals"),
        (
            ("--confidence", "0.95", "--seed", "1"),
            ("--seed", "2"),
            "seed was 1 and is 2",
        ),
    ],
)
def test_changes_are_measured_by_intervals_of_the_same_kind_only(
    accepted: tuple[str, ...],
    now: tuple[str, ...],
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    base = ("--baseline", str(tmp_path / "base.json"))
    accept(capsys, tmp_path / "base.json", "--min", "ari=0", *accepted)
    status, stdout, stderr = gate(capsys, IRIS[1], *base, *now, "--max-drop", "ari=0.5")
    assert (status, stdout) == (2, "")
    assert words in stderr
    assert "--update-baseline" in stderr
    # Other bounds do not look at accepted intervals.
    assert gate(capsys, IRIS[1], *base, *now, "--min", "ari=0.5").status == 0


def test_a_baseline_keeps_the_seed_so_that_nothing_changes_by_chance(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    spatial = ("--coordinates", "examples/iris.csv", "--confidence", "0.95")
    path = tmp_path / "base.json"
    document = accept(capsys, path, "--max", "adco=1", *spatial)
    assert document["values"][0]["interval"]["method"] == "groups"
    seed = document["policies"]["seed"]
    later = ("--baseline", str(path), "--max-change", "adco=0", "-f", "json")
    status, stdout, _ = gate(capsys, IRIS[1], *later)
    assert (status, json.loads(stdout)["gates"][0]["seed"]) == (0, seed)


def test_an_update_shows_intervals(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    base = ("--baseline", str(tmp_path / "b.json"), "--update-baseline", "--confidence", "0.95")
    asked = ("--min", "ari=0", "--max", "vi=1")
    assert "0.716342 [0.579, 0.816]" in gate(capsys, *IRIS, *base, *asked).stdout
    table = gate(capsys, *IRIS, *base, *asked, "-f", "csv").stdout
    row = next(csv.DictReader(io.StringIO(table)))
    assert row["before_interval_low"][:6] == row["now_interval_low"][:6] == "0.5793"


def test_a_baseline_whose_value_is_outside_of_its_interval_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "base.json"
    document = accept(capsys, path, "--min", "ari=0", "--confidence", "0.95")
    document["values"][0]["interval"]["low"] = 0.8
    path.write_text(json.dumps(document), encoding="utf-8")
    status, stdout, stderr = gate(capsys, IRIS[1], "--baseline", str(path), "--max-drop", "ari=1")
    assert (status, stdout) == (2, "")
    assert "outside of its interval" in stderr


def test_a_configuration_has_the_level(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    a, b = (str(ROOT / path) for path in IRIS)
    text = f'[gate]\nconfidence = 0.95\nunit = "point"\nseed = 1\na = "{a}"\nb = "{b}"\n'
    config = write(str(tmp_path / "gates.toml"), f"{text}ari = {{ min = 0.6 }}\n")
    assert gate(capsys, "--config", config).status == 1
    # 0.61 is the low end of an 80 % interval.
    assert gate(capsys, "--config", config, "--confidence", "0.8").status == 0
    assert clustcmp.run_gates(config).exit_status == 1
    wrong = write(str(tmp_path / "wrong.toml"), "[gate]\nconfidence = 95\nari = { min = 0.6 }\n")
    status, stdout, stderr = gate(capsys, "--config", wrong, *IRIS)
    assert (status, stdout) == (2, "")
    assert "between 0 and 1" in stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--confidence", "1"), "between 0 and 1"),
        (("--confidence", "0"), "between 0 and 1"),
        (("--unit", "cluster"), "--unit has no effect without --confidence\n"),
        (("--seed", "1"), "--seed has no effect without --confidence\n"),
        (("--confidence", "0.95", "--unit", "cluster"), "at least 10 clusters"),
    ],
)
@pytest.mark.parametrize("update", [(), ("--update-baseline",)])
def test_bad_input_is_refused(
    words: tuple[str, ...],
    complaint: str,
    update: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    base = ("--baseline", str(tmp_path / "base.json"), *update) if update else ()
    status, stdout, stderr = gate(capsys, *IRIS, "--min", "ari=0.6", *words, *base)
    assert (status, stdout) == (2, "")
    assert complaint in stderr


def test_a_level_without_a_bound_on_a_metric_gets_a_note() -> None:
    verdict = clustcmp.gate(A, B, max_moved="99%", confidence=0.95)
    assert any("have no interval" in note for note in verdict.notes)


def test_the_bytes_do_not_depend_on_jobs(capsys: pytest.CaptureFixture[str]) -> None:
    spatial = ("--coordinates", "examples/iris.csv", "--max", "adco=1", "--min", "ari=0")
    asked = (*spatial, "--confidence", "0.95", "--seed", "5", "-f", "json")
    assert len({gate(capsys, *IRIS, *asked, "-j", jobs).stdout for jobs in "12"}) == 1
