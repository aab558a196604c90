"""A verdict in words: the same sentences in every format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clustcmp.analyses.bounds.thresholds import Kind, Threshold
from clustcmp.analyses.bounds.verdict import Check, Outcome, Verdict
from clustcmp.errors import printable
from clustcmp.model import Coverage
from clustcmp.options import show_option
from clustcmp.render.widths import align_columns
from clustcmp.render.words import count, show_value
from clustcmp.render.words import describe as show_side

WORDS = {
    Outcome.fail: "FAIL",
    Outcome.error: "ERROR",
    Outcome.no_verdict: "NO VERDICT",
    Outcome.warn: "warn",
    Outcome.passed: "pass",
}


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


def show_percent(share: float) -> str:
    """A share as a percentage, with as many digits as it takes."""
    return f"{100.0 * share:.12g} %"


def show_rounded(share: float) -> str:
    """A share as a percentage with four digits, or more where it would look like all or nothing."""
    shown = f"{100.0 * share:.4g}"
    return f"{shown} %" if shown not in ("0", "100") or share in (0.0, 1.0) else show_percent(share)


def show_found(check: Check) -> str:
    """What was found, never rounded to the other side of the bound."""
    if check.found is None:
        return printable(check.reason)
    shown = show_number(check.threshold, check.found)
    if check.threshold.kind is Kind.max_change:
        before = show_value(check.accepted) if check.accepted is not None else "nothing"
        return f"{shown} after {before}"
    return f"{shown} ({check.reason})" if check.reason else shown


def show_number(threshold: Threshold, value: float) -> str:
    """A value with six decimals, or with all of them where those would tell a lie."""
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


def show_subject(check: Check) -> str:
    """The bound, and of which clustering the value is if it is of one only."""
    side = f" (of {check.side})" if check.side else ""
    return f"{show_bound(check.threshold)}{side}"


def show_title(verdict: Verdict) -> str:
    """The verdict in one line."""
    name = f"gate {printable(verdict.name)}" if verdict.name is not None else "gate"
    return f"{name}: {show_word(verdict)}, {show_reason(verdict)}"


def show_word(verdict: Verdict) -> str:
    """The verdict in a word or three."""
    return "pass with warnings" if verdict.outcome is Outcome.warn else WORDS[verdict.outcome]


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


def show_check(check: Check) -> tuple[str, str, str, str]:
    """One check: outcome, bound, what was found, and how far that is from the bound."""
    return WORDS[check.outcome], show_subject(check), show_found(check), show_margin(check)


def show_covered(coverage: Coverage) -> str:
    """How many points both have, and what share of all that is."""
    return f"{count(coverage.shared, 'point')} in both, coverage {show_rounded(coverage.share)}"


def verdict_lines(verdict: Verdict) -> Iterator[tuple[str, Outcome | None]]:
    """The lines of a verdict, those of checks with their outcome."""
    yield show_title(verdict), verdict.outcome
    for line in align_columns(list(map(show_side, verdict.inputs))):
        yield f"  {line}", None
    if verdict.coverage is not None:
        yield f"     {show_covered(verdict.coverage)}", None
    if verdict.checks:
        yield "", None
    lines = align_columns([show_check(check) for check in verdict.checks])
    for check, line in zip(verdict.checks, lines, strict=True):
        yield f"  {line}", check.outcome


def verdict_text(verdicts: Sequence[Verdict]) -> str:
    """All verdicts as plain text, an empty line between them."""
    texts = ["\n".join(line for line, _ in verdict_lines(verdict)) for verdict in verdicts]
    return "\n\n".join(texts) + "\n"
