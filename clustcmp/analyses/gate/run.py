"""Run a gate: read, compare, judge; or accept the values of a run."""

from __future__ import annotations

from clustcmp.analyses.bounds.thresholds import Kind
from clustcmp.analyses.bounds.verdict import Outcome, Verdict, judge, no_bound
from clustcmp.analyses.flows.follow import follow_shared
from clustcmp.analyses.gate.baseline import Baseline, find_old, make_baseline, read_baseline
from clustcmp.analyses.gate.settings import Settings
from clustcmp.errors import ClustcmpError, UsageError
from clustcmp.evaluate import different_points, report_on
from clustcmp.inputs import bring_together, read_inputs
from clustcmp.model import Comparison
from clustcmp.requests import find_requests
from clustcmp.results import Report


def run_gate(settings: Settings) -> Verdict:
    """The verdict of a gate on the files that its settings name."""
    settings.check()
    if not settings.bounds:
        raise no_bound()
    baseline = read_baseline(settings.baseline) if settings.baseline else None
    if baseline:
        settings = baseline.complete(settings)
    comparison = compare_files(settings)
    if baseline is None:
        return judge_comparison(comparison, settings)
    baseline.check(comparison, settings)
    return judge_comparison(comparison, settings, baseline)


def judge_comparison(
    comparison: Comparison, settings: Settings, baseline: Baseline | None = None
) -> Verdict:
    """The verdict on two clusterings side by side."""
    moved = moved_share(comparison) if settings.max_moved is not None else None
    report = Report(comparison.sides, comparison.coverage, (), comparison.notes)
    if settings.metrics:
        requests = find_requests(settings.metrics, comparison.distances is not None)
        report = report_on(comparison, requests)
    accepted = None
    if baseline is not None:
        changes = [bound.metric for bound in settings.bounds if bound.kind is Kind.max_change]
        baseline.check_values(changes, report)
        accepted = baseline.accepted(report)
    return judge(report, settings.bounds, accepted, settings.name, moved)


def moved_share(comparison: Comparison) -> float:
    """The share of points that are not in the match of their old cluster."""
    if not comparison.same_points:
        raise different_points(comparison)
    changes = follow_shared(comparison)
    return float(changes.moved / changes.followed)


def accept(settings: Settings) -> tuple[Baseline | None, Baseline]:
    """The baseline that there is, if any, and the one that this run would put in its place."""
    if settings.baseline is None:
        raise UsageError("no baseline is named", hint="name the file with --baseline FILE")
    settings.check()
    path = settings.baseline
    old = find_old(path)
    if old:
        settings = old.complete(settings)
    comparison = compare_files(settings)
    metrics = dict.fromkeys((*(old.values if old else ()), *settings.metrics))
    requests = find_requests(tuple(metrics) or None, comparison.distances is not None)
    report = report_on(comparison, requests)
    return old, make_baseline(path, comparison, report, settings)


def compare_files(settings: Settings) -> Comparison:
    """The two clusterings of a gate, side by side."""
    if settings.a is None or settings.b is None:
        missing = "reference" if settings.a is None else "candidate"
        raise UsageError(
            f"the gate has no {missing}",
            hint="give both files: clustcmp gate REFERENCE CANDIDATE --min ari=0.9",
        )
    located = read_inputs(settings.a, settings.b, settings.space, settings.policies)
    return bring_together(located, settings.policies)


def errored(name: str | None, error: ClustcmpError) -> Verdict:
    """The verdict of a gate that could not be run."""
    return Verdict(Outcome.error, name=name, error=error)
