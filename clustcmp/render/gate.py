"""The document of `clustcmp gate`: each verdict in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from clustcmp.analyses.bounds.ends import show_level
from clustcmp.analyses.bounds.verdict import (
    SEVERITY,
    Check,
    Outcome,
    Verdict,
    Verdicts,
    sure_columns,
    sure_facts,
)
from clustcmp.errors import plural, printable
from clustcmp.model import Coverage
from clustcmp.render.blocks import (
    Block,
    CheckLine,
    Data,
    Heading,
    Inputs,
    Judgement,
    Notes,
    OnPage,
    Tone,
    expand,
)
from clustcmp.render.bounds import show_bound, show_found, show_margin
from clustcmp.render.brief import Brief, cut_name, fill, left_out, show_sides
from clustcmp.render.words import describe_all, show_coordinates, show_joint, show_percent
from clustcmp.results import POSITION

WORDS = {
    Outcome.fail: "FAIL",
    Outcome.error: "ERROR",
    Outcome.no_verdict: "NO VERDICT",
    Outcome.warn: "warn",
    Outcome.passed: "pass",
}
COLUMNS = ("gate", "outcome", "metric", "kind", "bound", "found", "margin", "reason", "low", "high")
TONES = {
    Outcome.fail: Tone.failed,
    Outcome.error: Tone.failed,
    Outcome.no_verdict: Tone.unknown,
    Outcome.warn: Tone.caution,
    Outcome.passed: Tone.good,
}

BY_POSITION = (
    "rows were joined by position: row 1 of both files was taken for the same point, and so on; "
    "ids would make sure of that"
)


def document(report: Verdict | Verdicts) -> list[Block]:
    """The verdict of each gate, with its notes."""
    verdicts = report.verdicts if isinstance(report, Verdicts) else (report,)
    blocks: list[Block] = []
    for one in verdicts:
        judged = judgement_of(one)
        blocks += [judged, OnPage(partial(page_of, one, judged)), Notes(one.notes, quoted=True)]
    is_approximate = any(check.interval for one in verdicts for check in one.checks)
    asked = sure_columns(verdicts)
    seed = ["seed"] if asked else []
    columns = (*(COLUMNS if is_approximate or asked else COLUMNS[:-2]), *asked, *seed)
    rows = partial(rows_of, verdicts, asked)
    return [*blocks, Data(columns, lambda: (row[: len(columns)] for row in rows()))]


def page_of(verdict: Verdict, judged: Judgement) -> Iterator[Block]:
    """The bounds on their scales, then the page of the comparison, if that was kept."""
    from clustcmp.render.charts.bullets import bullet_chart

    chart = bullet_chart(verdict.checks, judged.checks)
    if chart is not None:
        yield chart
    if verdict.comparison is not None:
        from clustcmp.render.compare import document

        yield Heading("The comparison")
        blocks = expand(document(verdict.comparison), on_page=True)
        yield from (block for block in blocks if not isinstance(block, Data | Inputs | Notes))


def brief(report: Verdict | Verdicts, lines: int) -> Brief:
    """The checks of one gate, or the verdicts of several, the most severe first."""
    if isinstance(report, Verdicts):
        return brief_gates(report, lines)
    name = "" if report.name is None else f" {cut_name(report.name)}"
    facts = [f"gate{name}: {WORDS[report.outcome]}, {show_reason(report)}"]
    if report.inputs:
        facts.append(show_sides(report.inputs))
    shown = report.checks[: fill(len(report.checks), lines - len(facts))]
    lined = map(check_of, shown)
    rows = [[one.word, one.bound, one.found, one.margin] for one in lined]
    more = left_out(len(report.checks) - len(shown), "bound")
    return Brief(facts, (), rows, range(2, 3), more)


def brief_gates(report: Verdicts, lines: int) -> Brief:
    """The verdict of each gate."""
    verdicts = sorted(report.verdicts, key=lambda one: SEVERITY[one.outcome])
    shown = verdicts[: fill(len(verdicts), lines - 1)]
    rows = [[WORDS[one.outcome], cut_name(one.name or ""), show_reason(one)] for one in shown]
    facts = [f"{plural(len(verdicts), 'gate')}: {WORDS[report.outcome]}"]
    return Brief(facts, (), rows, more=left_out(len(verdicts) - len(shown), "gate"))


def rows_of(verdicts: Sequence[Verdict], asked: Sequence[str]) -> Iterator[list[Any]]:
    """A row for each check, or for the error of a gate that could not be run."""
    for verdict in verdicts:
        if verdict.error is not None:
            nothing = [None] * (2 + len(asked))
            facts: list[Any] = [
                verdict.name,
                verdict.outcome.value,
                *[None] * 5,
                verdict.error,
                *nothing,
            ]
            yield [*facts, verdict.seed]
        for check in verdict.checks:
            threshold = check.threshold
            known = [threshold.metric, threshold.key, threshold.bound, check.found, check.margin]
            ends = check.interval or (None, None)
            sure = sure_facts(check, asked)
            facts = [verdict.name, check.outcome.value, *known, check.reason, *ends, *sure]
            yield [*facts, verdict.seed]


def judgement_of(verdict: Verdict) -> Judgement:
    """One verdict in words."""
    outcome = verdict.outcome
    facts: list[str] = []
    if verdict.coverage is not None:
        facts = [show_covered(verdict.coverage, verdict.joined_by)]
        facts += [*show_coordinates(verdict.inputs), *show_sureness(verdict)]
    return Judgement(
        "" if verdict.name is None else printable(verdict.name),
        TONES[outcome],
        "pass with warnings" if outcome is Outcome.warn else WORDS[outcome],
        show_reason(verdict),
        Inputs(describe_all(verdict.inputs), facts),
        [check_of(check) for check in verdict.checks],
        verdict.error is not None,
        [BY_POSITION] if verdict.joined_by == POSITION else [],
        printable(verdict.explained_by or ""),
    )


def show_sureness(verdict: Verdict) -> Iterator[str]:
    """What it takes to keep a bound if values have intervals, and the seed of what was drawn."""
    sure = next((check.confidence for check in verdict.checks if check.confidence), None)
    if sure is not None:
        units = "clusters of a" if sure.unit == "cluster" else "points"
        seed = "" if verdict.seed is None else f", seed {verdict.seed}"
        level = show_level(sure)
        yield f"bounds on metrics must hold for whole {level} intervals over {units}{seed}"


def show_covered(coverage: Coverage, joined_by: str | None) -> str:
    """How many points both clusterings have, and what share of all points that is."""
    shared = [f"{plural(coverage.shared, 'point')} in both", *show_joint(coverage, joined_by)]
    return ", ".join([*shared, f"coverage {show_percent(coverage.share, 4)}"])


def show_reason(verdict: Verdict) -> str:
    """Why the verdict is what it is."""
    if verdict.error is not None:
        return printable(f"{verdict.error} ({verdict.hint})" if verdict.hint else verdict.error)
    n_checks = len(verdict.checks)
    if verdict.outcome is Outcome.passed:
        return f"{plural(n_checks, 'bound')} kept"
    found = {outcome: len(verdict.having(outcome)) for outcome in Outcome}
    unknown = verdict.having(Outcome.no_verdict)
    missing = "an interval" if any(check.value is not None for check in unknown) else "a value"
    reason = f"without {missing}" if verdict.outcome is Outcome.no_verdict else "not kept"
    also = [
        plural(found[outcome], noun)
        for outcome, noun in ((Outcome.no_verdict, "missing value"), (Outcome.warn, "warning"))
        if found[outcome] and outcome is not verdict.outcome
    ]
    more = f" ({', '.join(also)})" if also else ""
    return f"{found[verdict.outcome]} of {plural(n_checks, 'bound')} {reason}{more}"


def check_of(check: Check) -> CheckLine:
    """One check in words."""
    side = f" (of {check.side})" if check.side else ""
    step = " at {} → {}".format(*check.step) if check.step else ""
    return CheckLine(
        TONES[check.outcome],
        WORDS[check.outcome],
        f"{show_bound(check.threshold)}{side}{step}",
        show_found(check),
        show_margin(check),
        check.found is not None,
    )
