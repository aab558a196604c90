"""A gate passes only if every bound is known to be kept."""

from __future__ import annotations

import json
import math
import pickle
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp.analyses.bounds.ends import Before
from clustcmp.analyses.bounds.thresholds import (
    Kind,
    Level,
    Threshold,
    check_thresholds,
    parse_threshold,
)
from clustcmp.analyses.bounds.verdict import Outcome, judge
from clustcmp.errors import UsageError
from clustcmp.model import Coverage, Side
from clustcmp.results import Report, Result, Status
from clustcmp.shares import parse_share
from tests.files import Outcome as Run
from tests.files import run_clustcmp, write

# Of the six pairs of points both agree on five. One point of four is outside of a matched cluster.
A = "id,label\n1,x\n2,x\n3,y\n4,y\n"
B = "id,label\n1,p\n2,p\n3,q\n4,r\n"
RAND = 5 / 6
ARI = 4 / 7


@pytest.fixture(autouse=True)
def two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reference and a candidate in an empty folder, outside of GitHub."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    write("a.csv", A)
    write("b.csv", B)


def gate(capsys: pytest.CaptureFixture[str], *arguments: str) -> Run:
    """Run a gate on the two files."""
    return run_clustcmp(capsys, "gate", "a.csv", "b.csv", *arguments)


def gate_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """The JSON of a gate on the two files, checked against its schema."""
    document = json.loads(gate(capsys, *arguments, "-f", "json").stdout)
    schema = json.loads((files("clustcmp.schemas") / "gate-1.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(document)
    return document


def report(value: float | None, interval: tuple[float, float] | None = None, **more: Any) -> Report:
    """A report with one result for ari."""
    status = Status.ok if value is not None else more.pop("status", Status.undefined)
    result = Result(
        "adjusted_rand", "adjusted_rand", "pair_counting", {}, value, status, "0/0", -0.5, 1.0,
        proven=interval,
    )  # fmt: skip
    sides = (Side("a", None, "hard", 4, 2, 0), Side("b", None, "hard", 4, 2, 0))
    return Report(sides, Coverage(4, 0, 0), (result,), **more)


def minimum(bound: float, level: Level = Level.fail) -> Threshold:
    """A lower bound on ari."""
    return Threshold("adjusted_rand", Kind.min, bound, level)


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("--min", f"rand={RAND!r}"), 0),
        (("--max", f"rand={RAND!r}"), 0),
        (("--min", f"rand={math.nextafter(RAND, 1)!r}"), 1),
        (("--max", f"rand={math.nextafter(RAND, 0)!r}"), 1),
        (("--min", "ari=0.5"), 0),
        (("--min", "ari=0.6"), 1),
        (("--min", "ari=0.5", "--max", "vi=0.1"), 1),
        (("--warn-min", "ari=0.9", "--min", "ari=0.5"), 0),
        (("--warn-max", "ari=0.1"), 0),
        (("--min", "nmi:average=geometric=0.8"), 0),
        (("--min", "nmi:average=geometric=0.9"), 1),
        (("--max-moved", "25%"), 0),
        (("--max-moved", "0.25"), 0),
        (("--max-moved", "24.99%"), 1),
        (("--min-coverage", "100%"), 0),
        (("--min-coverage", "1.0"), 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_bounds_are_inclusive_and_decide_the_exit_status(
    arguments: tuple[str, ...], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate(capsys, *arguments).status == status


@pytest.mark.parametrize("format", ["table", "json", "markdown", "github"])
@pytest.mark.parametrize(("bound", "status"), [("0.5", 0), ("0.6", 1)])
def test_the_format_does_not_change_the_exit_status(
    format: str, bound: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate(capsys, "--min", f"ari={bound}", "-f", format).status == status


def test_failures_come_first_then_warnings_then_what_passed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = gate_json(
        capsys, "--min", "rand=0.5", "--warn-min", "ari=0.9", "--max", "vi=0.1", "--max-moved", "1%"
    )
    checks = document["gates"][0]["checks"]
    assert [check["outcome"] for check in checks] == ["fail", "fail", "warn", "pass"]
    assert [check["metric"] for check in checks] == [
        "variation_of_information", "moved", "adjusted_rand", "rand",
    ]  # fmt: skip
    assert checks[1]["found"] == 0.25
    assert checks[1]["margin"] == pytest.approx(0.01 - 0.25)
    assert checks[2]["found"] == pytest.approx(ARI)
    assert document["outcome"] == "fail"
    assert document["exit_status"] == 1


def test_a_failure_names_metric_bound_found_value_and_margin(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = gate(capsys, "--min", "ari=0.6", "--max-moved", "25%").stdout.splitlines()
    assert told[0] == "gate: FAIL, 1 of 2 bounds not kept"
    assert told[-4].split() == [
        "FAIL",
        "adjusted_rand",
        "≥",
        "0.6",
        "0.571429",
        "0.028571",
        "too",
        "low",
    ]
    assert told[-3].split() == [
        "pass",
        "moved",
        "≤",
        "25",
        "%",
        "25",
        "%",
        "exactly",
        "on",
        "the",
        "bound",
    ]


def test_a_value_is_not_rounded_to_the_other_side_of_its_bound(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = gate(capsys, "--max", "rand=0.833333").stdout
    assert repr(RAND) in told
    assert "FAIL" in told


def test_a_single_missing_point_is_not_hidden_by_rounding(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = "".join(f"{i},{i % 7}\n" for i in range(100_000))
    write("a.csv", f"id,label\n{rows}")
    write("b.csv", f"id,label\n{rows}x,0\n")
    arguments = ("--points", "intersect", "--min-coverage", "99.99999%")
    status, stdout, _ = gate(capsys, *arguments)
    assert status == 1
    assert "coverage ≥ 99.99999 %" in stdout
    assert "100 %" not in stdout


def test_coverage_counts_points_of_one_side_and_dropped_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("a.csv", A + "5,z\n6,\n")
    arguments = ("--points", "intersect", "--missing", "drop", "--min", "ari=0.1")
    document = gate_json(capsys, *arguments, "--min-coverage", "80%")
    assert document["gates"][0]["coverage"] == {
        "shared": 4, "only_a": 1, "only_b": 0, "dropped": 1, "share": 4 / 6,
    }  # fmt: skip
    assert document["exit_status"] == 1
    assert gate(capsys, *arguments, "--min-coverage", "66%").status == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "no bound"),
        (("--min", "ari"), "not a bound on a metric"),
        (("--min", "=0.9"), "not a bound on a metric"),
        (("--min", "ari="), "not a bound on a metric"),
        (("--min", "ari=high"), "not a number"),
        (("--min", "ari=0,9"), "comma"),
        (("--min", "ari=nan"), "not a number"),
        (("--min", "ari=inf"), "not a number"),
        (("--min", "ari=1e999"), "not a number"),
        (("--min", "ari=1e-99999999999999999999"), "not a number"),
        (("--max-moved", "1e99999999999999999999%"), "not a share"),
        (("--max", "moved=0.1"), "--max-moved"),
        (("--min", "ari=90%"), "not a percentage"),
        (("--min", "arr=0.9"), "no metric is called 'arr'"),
        (("--min", "information=0.9"), "names several"),
        (("--min", "all=0.9"), "names several"),
        (("--min", "nmi:mean=geometric=0.8"), "no option"),
        (("--min", "cdistance=0.5"), "needs coordinates"),
        (("--min", "ari=0.8", "--min", "adjusted_rand=0.9"), "given twice"),
        (("--min", "ari=0.9", "--max", "ari=0.8"), "no value is at least 0.9 and at most 0.8"),
        (("--max-moved", "1"), "is ambiguous"),
        (("--max-moved", "150%"), "not a share"),
        (("--max-moved", "-1%"), "not a share"),
        (("--min-coverage", "all"), "not a share"),
        (("--max-change", "ari=2%"), "accepted values"),
        (("--max-change", "ari=-2%", "--baseline", "base.json"), "no change is below 0"),
        (("--max-drop", "ari=0.1"), "max_drop is measured against accepted values"),
        (("--max-rise", "ari=-0.1", "--baseline", "base.json"), "no rise is below 0"),
        (("--min", "ari=0.9", "--points", "some"), "--points"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_contradictory_or_malformed_bounds_are_errors(
    arguments: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, stdout, stderr = gate(capsys, *arguments)
    assert (status, stdout) == (2, "")
    assert complaint in stderr


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        (("--max", "ari=0.9"), "higher is better here"),
        (("--min", "vi=0.1"), "lower is better here"),
        (("--warn-min", "ari=0.1"), "nothing can fail this gate"),
        (("--min", "ari=-0.5"), "every possible value keeps this bound"),
        (("--min", "ari=90"), "no possible value keeps this bound"),
        (("--min", "ari=0.5", "--warn-min", "ari=0.4"), "it never warns"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_bound_that_is_probably_a_mistake_gets_a_note(
    arguments: tuple[str, ...], note: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert note in gate(capsys, *arguments).stderr
    assert gate(capsys, *arguments, "-q").stderr == ""


def test_a_sensible_bound_gets_no_note(capsys: pytest.CaptureFixture[str]) -> None:
    assert gate(capsys, "--min", "ari=0.5", "--warn-min", "ari=0.9", "--max", "vi=2").stderr == ""


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("kind", [Kind.min, Kind.max])
@pytest.mark.parametrize(
    "without_value",
    [
        report(None),
        report(None, status=Status.not_applicable),
        Report(report(1.0).inputs, Coverage(4, 0, 0), ()),
    ],
    ids=["undefined", "not applicable", "missing"],
)
def test_a_bound_on_a_metric_without_a_value_never_passes(
    without_value: Report, kind: Kind, level: Level
) -> None:
    verdict = judge(without_value, [Threshold("adjusted_rand", kind, 0.0, level)])
    assert verdict.outcome is Outcome.no_verdict
    assert verdict.exit_status == 3
    assert not verdict


def test_a_failure_beside_a_missing_value_is_a_failure() -> None:
    thresholds = [minimum(0.1), Threshold("coverage", Kind.max, 0.5)]
    verdict = judge(report(None), thresholds)
    assert [check.outcome for check in verdict.checks] == [Outcome.fail, Outcome.no_verdict]
    assert verdict.exit_status == 1


def test_a_metric_that_the_input_cannot_serve_never_passes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("b.csv", "id,p,q\n1,0.5,0.5\n2,1,0\n3,0,1\n4,0,1\n")
    status, stdout, stderr = gate(capsys, "--min", "f_measure=0", "--min", "ari=0")
    assert (status, stdout) == (2, "")
    assert "needs hard clusterings" in stderr


def test_an_undefined_value_gives_no_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.csv", "id,label\n1,x\n")
    write("b.csv", "id,label\n1,p\n")
    write("x.csv", "id,x\n1,0\n")
    status, stdout, _ = gate(capsys, "--max", "beta_cv=9", "--coordinates", "x.csv")
    assert status == 3
    assert "NO VERDICT" in stdout
    assert "undefined" in stdout


def test_the_moved_share_of_a_gate_equals_that_of_changes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("a.csv", "id,x,y\n1,0.9,0.1\n2,0.8,0.2\n3,0.1,0.9\n4,0.3,0.7\n")
    write("b.csv", "id,p,q\n1,0.9,0.1\n2,0.6,0.4\n3,0.1,0.9\n4,0.4,0.6\n")
    # Of the degrees 0.2 + 0.1 go elsewhere.
    check = gate_json(capsys, "--max-moved", "1%")["gates"][0]["checks"][0]
    assert check["found"] == pytest.approx(0.3 / 4)
    assert clustcmp.changes("a.csv", "b.csv").moved_share == check["found"]
    write("b.csv", "id,label\n1,p\n2,p\n")
    status, _, stderr = gate(capsys, "--max-moved", "1%")
    assert status == 2
    assert "--points intersect" in stderr


def test_a_bound_on_a_metric_of_one_clustering_is_on_the_candidate(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("x.csv", "id,x\n1,0\n2,1\n3,10\n4,11\n")
    write("a.csv", "id,label\n1,x\n2,y\n3,x\n4,y\n")
    write("b.csv", "id,label\n1,p\n2,p\n3,q\n4,q\n")
    check = gate_json(capsys, "--max", "beta_cv=0.5", "--coordinates", "x.csv")["gates"][0][
        "checks"
    ][0]
    # Within: 1 and 1. Between: 10, 11, 9, 10.
    assert check["found"] == pytest.approx(1 / 10)
    assert check["side"] == "b"


def test_approximate_values_are_judged_by_their_worse_end() -> None:
    approximate = report(0.9, interval=(0.85, 0.95))
    assert judge(approximate, [minimum(0.85)])
    assert judge(approximate, [minimum(0.86)]).outcome is Outcome.fail
    above = Threshold("adjusted_rand", Kind.max, 0.95)
    assert judge(approximate, [above])
    assert judge(approximate, [Threshold("adjusted_rand", Kind.max, 0.94)]).exit_status == 1
    check = judge(approximate, [minimum(0.86)]).checks[0]
    assert check.found == 0.85
    assert "0.85 to 0.95" in (check.reason or "")


def test_a_gate_without_bounds_is_an_error() -> None:
    with pytest.raises(UsageError, match="nothing could fail it"):
        judge(report(1.0), [])


@given(st.floats(-0.5, 1.0), st.floats(-0.5, 1.0), st.sampled_from(list(Kind)))
def test_a_bound_is_kept_exactly_if_its_margin_is_not_negative(
    value: float, bound: float, kind: Kind
) -> None:
    threshold = Threshold("adjusted_rand", kind, abs(bound))
    rounding = 1e-14 if kind.is_change else 0.0
    assert threshold.holds(value, 0.25) == (threshold.margin(value, 0.25) >= -rounding)


# By hand: the change that is judged is the largest distance between an end of the new value and one
# of the accepted value; 20 % of an accepted 0.5 allow 0.1, of an accepted 0 nothing.
@pytest.mark.parametrize(
    ("new", "old", "relative", "bound", "found", "accepted", "margin"),
    [
        ((0.5,), (0.75,), False, 0.25, 0.5, 0.75, 0.0),
        ((0.5, 0.75), (0.5,), False, 0.125, 0.75, 0.5, -0.125),
        ((0.5,), (0.25, 0.75), False, 0.25, 0.5, 0.25, 0.0),
        ((0.25, 0.5), (0.375, 0.75), False, 0.25, 0.25, 0.75, -0.25),
        ((0.5, 0.625), (0.5, 0.625), False, 0.0, 0.5, 0.625, -0.125),
        ((0.5,), (0.5, 0.625), True, 0.2, 0.5, 0.625, 0.0),
        ((0.25,), (-0.5, 0.5), True, 1.0, 0.25, -0.5, -0.25),
        ((0.25,), (-0.125, 0.5), True, 1.0, 0.25, -0.125, -0.25),
        ((0.25,), (-0.125, 0.25), True, 3.0, 0.25, 0.0, -0.25),
    ],
)
def test_a_change_between_approximate_values_is_the_largest_that_is_possible(
    new: tuple[float, ...],
    old: tuple[float, ...],
    relative: bool,
    bound: float,
    found: float,
    accepted: float,
    margin: float,
) -> None:
    threshold = Threshold("adjusted_rand", Kind.max_change, bound, relative=relative)
    interval = (new[0], new[1]) if len(new) > 1 else None
    before = {"adjusted_rand": Before(old)}
    (check,) = judge(report(new[0], interval=interval), [threshold], before).checks
    assert (check.found, check.accepted) == (found, accepted)
    assert check.margin == pytest.approx(margin, abs=1e-12)
    assert (check.outcome is Outcome.passed) == (margin >= 0.0)
    assert check.interval == interval
    assert check.accepted_interval == (old if len(old) > 1 else None)


@pytest.mark.parametrize(
    ("kind", "found", "accepted", "margin"),
    [
        # The value was 0.5 to 0.75 and is 0.25 to 1. It fell by 0.5 or rose by 0.5 at worst.
        (Kind.max_drop, 0.25, 0.75, 0.125 - 0.5),
        (Kind.max_rise, 1.0, 0.5, 0.125 - 0.5),
    ],
)
def test_a_drop_and_a_rise_between_approximate_values_are_the_largest_that_are_possible(
    kind: Kind, found: float, accepted: float, margin: float
) -> None:
    before = {"adjusted_rand": Before((0.5, 0.75))}
    threshold = Threshold("adjusted_rand", kind, 0.125)
    (check,) = judge(report(0.5, interval=(0.25, 1.0)), [threshold], before).checks
    assert (check.found, check.accepted, check.margin) == (found, accepted, margin)
    assert check.outcome is Outcome.fail


bounded = st.tuples(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0)).map(sorted).map(tuple)
shares = st.floats(0.0, 1.0)


@given(bounded, bounded, shares, shares, st.floats(0.0, 2.0), st.booleans(), st.sampled_from(Kind))
def test_no_value_within_the_intervals_has_less_margin_than_the_worst_case(
    new: tuple[float, float],
    old: tuple[float, float],
    at: float,
    at_old: float,
    bound: float,
    relative: bool,
    kind: Kind,
) -> None:
    threshold = Threshold("adjusted_rand", kind, bound, relative=relative)
    worst, worst_old = threshold.worst_case(new, old if kind.is_change else ())
    value = new[0] + at * (new[1] - new[0])
    before = old[0] + at_old * (old[1] - old[0])
    assert threshold.margin(value, before) >= threshold.margin(worst, worst_old) - 1e-12
    assert new[0] <= worst <= new[1]
    assert worst_old is None or old[0] <= worst_old <= old[1]


@pytest.mark.parametrize(
    ("text", "share"),
    [("1%", 0.01), ("0.1%", 0.001), ("7 %", 0.07), ("0.3", 0.3), ("0", 0.0), ("1.0", 1.0)],
)
def test_shares_are_exact(text: str, share: float) -> None:
    assert parse_share(text, "share") == share


def test_the_last_equals_sign_is_before_the_bound() -> None:
    found = parse_threshold(Kind.min, "NMI:average=geometric=0.8", Level.warn)
    assert found == Threshold("nmi:average=geometric", Kind.min, 0.8, Level.warn)
    assert parse_threshold(Kind.max_change, "ari=0.1%").bound == 0.001


def test_the_same_metric_by_two_names_is_one_metric() -> None:
    twice = [parse_threshold(Kind.min, "ari=0.5"), parse_threshold(Kind.min, "adjusted-rand=0.6")]
    with pytest.raises(UsageError, match="twice"):
        check_thresholds(twice)


def test_distances_serve_as_ground_of_a_bounded_metric(capsys: pytest.CaptureFixture[str]) -> None:
    rows = "\n".join(f"{i},{','.join(str(abs(i - j)) for j in range(1, 5))}" for i in range(1, 5))
    write("d.csv", f"id,1,2,3,4\n{rows}\n")
    assert gate(capsys, "--max", "cdistance=0.99", "--distances", "d.csv").status == 0
    assert gate(capsys, "--max", "cdistance=0.01", "--distances", "d.csv").status == 1


def test_the_library_raises_with_the_text_of_the_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = gate(capsys, "--min", "ari=0.9", "--max-moved", "1%").stdout
    with pytest.raises(AssertionError) as raised:
        clustcmp.gate("a.csv", "b.csv", min={"ari": 0.9}, max_moved="1%")
    assert str(raised.value) == told
    assert isinstance(raised.value, clustcmp.GateFailed)
    assert raised.value.verdict.exit_status == 1


def test_the_library_returns_the_verdict_of_a_gate_that_passes() -> None:
    verdict = clustcmp.gate([1, 1, 2], ["x", "x", "y"], min={"ari": 0.9}, warn_max={"ari": 0.5})
    assert verdict
    assert verdict.outcome is Outcome.warn
    assert verdict.having(Outcome.warn)[0].found == 1.0


def test_the_library_raises_for_an_undefined_value_as_well() -> None:
    with pytest.raises(AssertionError, match="NO VERDICT"):
        clustcmp.gate([1], [1], max={"beta_cv": 9}, coordinates=[[0.0]])


@pytest.mark.parametrize(
    "bounds",
    [
        {},
        {"min": {"ari": "high"}},
        {"min": {"ari": True}},
        {"min": {"ari": 10**400}},
        {"min": {"aro": 1}},
        {"min": {1: 0.9}},
        {"min": ["ari"]},
        {"min": "ari=0.9"},
        {"max_moved": 1},
    ],
)
def test_the_library_refuses_contradictory_or_malformed_bounds(bounds: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        clustcmp.gate([1], [1], **bounds)


def test_help_says_that_bounds_are_inclusive(capsys: pytest.CaptureFixture[str]) -> None:
    told = run_clustcmp(capsys, "gate", "--help")
    assert told.status == 0
    assert "All bounds are inclusive" in told.stdout


def test_the_library_runs_the_gates_of_a_configuration() -> None:
    write("a.csv", "id,label\n1,x\n2,x\n3,y\n")
    write("b.csv", "id,label\n1,p\n2,q\n3,q\n")
    write(
        "gates.toml",
        '[gate]\nreference = "a.csv"\n[gate.same]\ncandidate = "a.csv"\nari = { min = 0.9 }\n'
        '[gate.other]\ncandidate = "b.csv"\nari = { min = 0.9 }\n'
        '[gate.broken]\ncandidate = "c.csv"\nari = { min = 0.9 }\n',
    )
    found = clustcmp.run_gates("gates.toml")
    assert [verdict.outcome for verdict in found.verdicts] == ["pass", "fail", "error"]
    assert found.exit_status == 1
    assert clustcmp.run_gates("gates.toml", "same").exit_status == 0
    assert clustcmp.run_gates("gates.toml", "other", min={"ari": -1.0}).exit_status == 0
    with pytest.raises(UsageError, match="no gate called 'smae'"):
        clustcmp.run_gates("gates.toml", "smae")


def test_the_library_accepts_a_baseline_and_measures_a_candidate_by_it() -> None:
    a, b = write("a.csv", "id,label\n1,x\n2,x\n3,y\n"), write("b.csv", "id,label\n1,p\n2,q\n3,q\n")
    update = clustcmp.accept_baseline(a, a, baseline="base.json", min={"ari": 0.5})
    assert [(one.metric, one.value) for one in update.new.values] == [("adjusted_rand", 1.0)]
    assert clustcmp.gate(a, baseline="base.json", max_change={"ari": "2%"})
    with pytest.raises(clustcmp.GateFailed, match="change of adjusted_rand"):
        clustcmp.gate(b, baseline="base.json", max_change={"ari": 0.01})


def test_a_baseline_of_objects_is_accepted_and_used() -> None:
    old, new, base = [1, 1, 2, 2], [1, 1, 2, 3], Path("base.json")
    clustcmp.accept_baseline(old, new, baseline=base, min={"ari": 0.1})
    assert clustcmp.gate(old, new, baseline=base, max_change={"ari": 0.0})
    write("a.csv", "id,label\n1,x\n2,x\n3,y\n")
    update = clustcmp.accept_baseline(Path("a.csv"), Path("a.csv"), baseline=Path("path.json"))
    assert update.new.files["a"] == "a.csv"


def test_a_failed_gate_survives_pickling() -> None:
    with pytest.raises(clustcmp.GateFailed) as failed:
        clustcmp.gate([1, 1, 2], [1, 2, 2], min={"ari": 0.9})
    again = pickle.loads(pickle.dumps(failed.value))
    assert str(again) == str(failed.value)
    assert again.verdict.exit_status == 1


def test_a_verdict_is_plain_data() -> None:
    verdict = clustcmp.gate([1, 1, 2], [1, 1, 2], min={"ari": 0.9})
    assert asdict(verdict)["checks"][0]["threshold"]["metric"] == "adjusted_rand"


@pytest.mark.parametrize("bound", [math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("key", ["min", "max", "warn_min", "max_change"])
def test_a_bound_that_is_not_finite_is_refused_in_python(key: str, bound: float) -> None:
    with pytest.raises(UsageError, match="finite number"):
        clustcmp.gate([1, 1, 2], [1, 1, 2], **{key: {"ari": bound}})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="finite number"):
        Threshold("ari", Kind.min, bound)
