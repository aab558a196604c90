"""Run a gate: read, compare, judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from clustcmp.analyses.bounds.ends import Before
from clustcmp.analyses.bounds.thresholds import no_bound
from clustcmp.analyses.bounds.verdict import Outcome, Verdict, Verdicts, judge
from clustcmp.analyses.gate.baseline import Baseline, read_baseline
from clustcmp.analyses.gate.definition import Gate
from clustcmp.analyses.gate.explain import changes_command
from clustcmp.analyses.gate.quantities import measure
from clustcmp.errors import ClustcmpError, UsageError
from clustcmp.evaluate import report_on
from clustcmp.inputs import Preparer
from clustcmp.machines import joined
from clustcmp.model import Comparison
from clustcmp.model.columns import Kept
from clustcmp.notes import Note
from clustcmp.read import Wanted, two
from clustcmp.registry import Request
from clustcmp.requests import find_unlocated
from clustcmp.results import Report
from clustcmp.wording import either

Made = TypeVar("Made")

NO_INTERVAL = Note(
    "shares and counts have no interval, so that the level of confidence does nothing"
)


@dataclass(frozen=True, eq=False)
class ReadyGate:
    """A gate with all of its settings, its baseline if it has one, and what it compares."""

    gate: Gate
    baseline: Baseline | None
    wanted: Wanted


def run_gate(gate: Gate) -> Verdict:
    """The verdict of a gate on its two files or objects."""
    ready = make_ready(gate)
    return run_ready(ready, Preparer(ready.wanted), keep=True)


def run_gates(gates: Iterable[Gate]) -> Verdicts:
    """The verdicts of several gates; an error in one of them does not stop the others.

    A file that several gates use is read once, and two clusterings are aligned once.
    """
    ready = [catch(gate, partial(make_ready, gate)) for gate in gates]
    preparer = Preparer(*(one.wanted for one in ready if isinstance(one, ReadyGate)))
    return Verdicts(
        tuple(
            catch(one.gate, partial(run_ready, one, preparer))
            if isinstance(one, ReadyGate)
            else one
            for one in ready
        )
    )


def catch(gate: Gate, step: Callable[[], Made]) -> Made | Verdict:
    """What a step of a gate gives, or the verdict that it cannot be made."""
    try:
        return step()
    except ClustcmpError as error:
        return Verdict.of_error(error, gate.name)


def make_ready(gate: Gate) -> ReadyGate:
    """The gate, completed by its baseline; nothing that it compares is read yet."""
    gate.check()
    if not gate.all_thresholds:
        raise no_bound()
    baseline = read_baseline(gate.baseline) if gate.baseline else None
    if baseline:
        gate = baseline.complete(gate)
        baseline.check_intervals(gate)
    # Wrong words are found before any work is done.
    _ = gate.question
    return ReadyGate(gate, baseline, find_sides(gate))


def run_ready(ready: ReadyGate, preparer: Preparer, keep: bool = False) -> Verdict:
    """The verdict of a gate whose settings are complete.

    Of a gate that runs alone the comparison is kept for the page: the points of many gates would
    take too much memory.
    """
    with joined(ready.gate.said.get("scheduler")):
        comparison = preparer.prepare(ready.wanted)
        if ready.baseline:
            ready.baseline.check(comparison, ready.gate)
        verdict = judge_comparison(comparison, ready.gate, ready.baseline, keep)
    if verdict.outcome is Outcome.fail:
        return replace(verdict, explained_by=changes_command(ready.gate))
    return verdict


def judge_comparison(
    comparison: Comparison, gate: Gate, baseline: Baseline | None = None, keep: bool = False
) -> Verdict:
    """The verdict on two clusterings side by side."""
    quantities = measure(comparison, gate)
    report = Report(comparison.sides, comparison.coverage, (), comparison.notes)
    if gate.requests:
        report = report_surely(comparison, gate.requests, gate)
    elif gate.question:
        report = replace(report, notes=(*report.notes, NO_INTERVAL))
    accepted = None if baseline is None else find_accepted(baseline, report, gate)
    verdict = judge(report, gate.all_thresholds, accepted, gate.name, quantities)
    if not keep:
        return verdict
    return replace(verdict, comparison=replace(report, kept=Kept.of(comparison)))


def find_accepted(baseline: Baseline, report: Report, gate: Gate) -> dict[str, Before]:
    """The accepted values that changes are measured from, by metric."""
    changes = [bound.metric for bound in gate.all_thresholds if bound.kind.is_change]
    baseline.check_values(report, changes)
    return {metric: Before(one.ends, one.interval) for metric, one in baseline.accepted.items()}


def report_surely(comparison: Comparison, requests: Sequence[Request], gate: Gate) -> Report:
    """The results of a gate's metrics, each with its interval if the gate asks for them."""
    report = report_on(comparison, requests)
    question = gate.question
    if question is None:
        return report
    from clustcmp.significance.assess import assess

    return assess(report, comparison, requests, question)


def find_sides(gate: Gate) -> Wanted:
    """The two clusterings of a gate, with what says where their points are."""
    if not gate.is_counted and (gate.a is None or gate.b is None):
        missing = "reference" if gate.a is None else "candidate"
        raise UsageError(
            f"the gate has no {missing}",
            hint="give both: "
            + either(
                "clustcmp gate REFERENCE CANDIDATE --min ari=0.9",
                'clustcmp.gate(reference, candidate, min={"ari": 0.9})',
            ),
        )
    return two(gate.a, gate.b, gate.settings, find_unlocated(gate.requests), must_be_told=True)
