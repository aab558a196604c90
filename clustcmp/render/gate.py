"""The document of `clustcmp gate`: each verdict in words."""

from __future__ import annotations

from clustcmp.analyses.bounds.thresholds import Kind, Threshold
from clustcmp.analyses.bounds.verdict import Check, Outcome, Verdict, Verdicts
from clustcmp.errors import printable
from clustcmp.model import Coverage
from clustcmp.options import show_option
from clustcmp.render.blocks import Block, CheckLine, Inputs, Judgement, Notes, Tone
from clustcmp.render.words import (
    count,
    describe,
    show_interval,
    show_percent,
    show_rounded,
    show_value,
)

WORDS = {
    Outcome.fail: "FAIL",
    Outcome.error: "ERROR",
    Outcome.no_verdict: "NO VERDICT",
    Outcome.warn: "warn",
    Outcome.passed: "pass",
}
TONES = {
    Outcome.fail: Tone.failed,
    Outcome.error: Tone.failed,
    Outcome.no_verdict: Tone.unknown,
    Outcome.warn: Tone.caution,
    Outcome.passed: Tone.good,
}


def document(report: Verdict | Verdicts) -> list[Block]:
    """The verdict of each gate, with its notes."""
    verdicts = report.verdicts if isinstance(report, Verdicts) else (report,)
    blocks: list[Block] = []
    for one in verdicts:
        blocks += [judgement_of(one), Notes(one.notes, quoted=True)]
    return blocks


def judgement_of(verdict: Verdict) -> Judgement:
    """One verdict in words."""
    outcome = verdict.outcome
    coverage = [] if verdict.coverage is None else [show_covered(verdict.coverage)]
    return Judgement(
        "" if verdict.name is None else printable(verdict.name),
        TONES[outcome],
        "pass with warnings" if outcome is Outcome.warn else WORDS[outcome],
        show_reason(verdict),
        Inputs([describe(side) for side in verdict.inputs], coverage),
        [check_of(check) for check in verdict.checks],
        verdict.error is not None,
    )


def show_covered(coverage: Coverage) -> str:
    """How many points both clusterings have, and what share of all points that is."""
    return f"{count(coverage.shared, 'point')} in both, coverage {show_rounded(coverage.share)}"


def show_reason(verdict: Verdict) -> str:
    """Why the verdict is what it is."""
    if verdict.error is not None:
        return printable(str(verdict.error))
    n_checks = len(verdict.checks)
    if verdict.outcome is Outcome.passed:
        return f"{count(n_checks, 'bound')} kept"
    found = {outcome: len(verdict.having(outcome)) for outcome in Outcome}
    reason = "without a value" if verdict.outcome is Outcome.no_verdict else "not kept"
    also = [
        count(found[outcome], noun)
        for outcome, noun in ((Outcome.no_verdict, "missing value"), (Outcome.warn, "warning"))
        if found[outcome] and outcome is not verdict.outcome
    ]
    more = f" ({', '.join(also)})" if also else ""
    return f"{found[verdict.outcome]} of {count(n_checks, 'bound')} {reason}{more}"


def check_of(check: Check) -> CheckLine:
    """One check in words."""
    side = f" (of {check.side})" if check.side else ""
    return CheckLine(
        TONES[check.outcome],
        WORDS[check.outcome],
        f"{show_bound(check.threshold)}{side}",
        show_found(check),
        show_margin(check),
        check.found is not None,
    )


def show_bound(threshold: Threshold) -> str:
    """A bound as a formula: `ari ≥ 0.9`."""
    if threshold.kind is Kind.max_change:
        bound = show_percent(threshold.bound) if threshold.relative else show_exactly(threshold)
        return f"change of {threshold.metric} ≤ {bound}"
    sign = "≥" if threshold.kind is Kind.min else "≤"
    return f"{threshold.metric} {sign} {show_exactly(threshold)}"


def show_exactly(threshold: Threshold) -> str:
    """The bound itself, with all its digits."""
    return show_percent(threshold.bound) if threshold.is_share else show_option(threshold.bound)


def show_found(check: Check) -> str:
    """What was found, never rounded to the other side of the bound."""
    if check.found is None:
        return printable(check.reason)
    shown = show_number(check.threshold, check.found)
    if check.threshold.kind is Kind.max_change:
        before = show_value(check.accepted) if check.accepted is not None else "nothing"
        shown += f" after {before}"
    if check.interval:
        shown += f" (the worse end of {show_interval(check.interval)})"
    return shown


def show_number(threshold: Threshold, value: float) -> str:
    """A value with six decimals, or with all of them if rounding would cross the bound."""
    if threshold.is_share:
        shown, exact = show_rounded(value), f"{100.0 * value!r} %"
        rounded = float(shown.removesuffix(" %")) / 100.0
    else:
        shown, exact = show_value(value), repr(value)
        rounded = float(shown)
    if threshold.kind is Kind.max_change:
        return shown
    return shown if threshold.holds(rounded) == threshold.holds(value) else exact


def show_margin(check: Check) -> str:
    """How far the value is from the bound, and on which side."""
    if check.margin is None:
        return ""
    distance = abs(check.margin)
    size = (
        show_percent(float(f"{distance:.4g}")) if check.threshold.is_share else show_value(distance)
    )
    if check.outcome is Outcome.passed:
        return f"{size} to spare" if distance else "exactly on the bound"
    if check.threshold.kind is Kind.max_change:
        return f"{size} too much"
    return f"{size} too {'low' if check.threshold.kind is Kind.min else 'high'}"
