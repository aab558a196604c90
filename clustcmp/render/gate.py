"""Verdicts as a table, JSON, Markdown, commands for GitHub, and JUnit's XML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from clustcmp.analyses.bounds.verdict import Check, Outcome, Verdict, overall
from clustcmp.choices import Color, GateFormat
from clustcmp.errors import printable
from clustcmp.render.json import write as to_json
from clustcmp.render.machine import markdown_table
from clustcmp.render.markdown import code
from clustcmp.render.verdict import (
    WORDS,
    show_check,
    show_covered,
    show_reason,
    show_subject,
    show_word,
    verdict_lines,
    verdict_text,
)
from clustcmp.render.words import describe as show_side
from clustcmp.results import coverage_dict as coverage_object
from clustcmp.results import side_dict as side_object
from clustcmp.version import VERSION

# GitHub shows no more of each kind, and people read no more.
MOST_COMMANDS = 10

STYLES = {
    Outcome.fail: "bold red",
    Outcome.error: "bold red",
    Outcome.no_verdict: "bold magenta",
    Outcome.warn: "yellow",
    Outcome.passed: "green",
}


def render_verdicts(
    verdicts: Sequence[Verdict], format: GateFormat, color: Color = Color.auto
) -> str:
    """The text for the verdicts of one run."""
    if format is GateFormat.json:
        return to_json(gate_object(verdicts))
    if format is GateFormat.markdown:
        return gate_markdown(verdicts)
    if format is GateFormat.github:
        return gate_commands(verdicts) + verdict_text(verdicts)
    return gate_table(verdicts, color)


def gate_table(verdicts: Sequence[Verdict], color: Color) -> str:
    """The plain text, coloured by outcome."""
    from rich.text import Text

    from clustcmp.render.tables import draw

    lines: list[Text] = []
    for verdict in verdicts:
        lines += [Text()] if lines else []
        for line, outcome in verdict_lines(verdict):
            lines.append(Text(line, style=STYLES[outcome] if outcome else "", overflow="fold"))
    return draw(lines, color)


def gate_object(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """What a run of gates is in JSON; see schemas/gate-1.json."""
    deciding = overall(verdicts)
    return {
        "schema": "clustcmp/gate/1",
        "version": VERSION,
        "outcome": deciding.outcome,
        "exit_status": deciding.exit_status,
        "gates": [verdict_object(verdict) for verdict in verdicts],
    }


def verdict_object(verdict: Verdict) -> dict[str, Any]:
    """One gate in JSON."""
    coverage = verdict.coverage
    return {
        "name": verdict.name,
        "outcome": verdict.outcome,
        "exit_status": verdict.exit_status,
        "error": None if verdict.error is None else verdict.error.message,
        "hint": (verdict.error.hint or None) if verdict.error else None,
        "inputs": [side_object(side) for side in verdict.inputs],
        "coverage": None
        if coverage is None
        else {**coverage_object(coverage), "dropped": coverage.dropped, "share": coverage.share},
        "checks": [check_object(check) for check in verdict.checks],
        "notes": list(verdict.notes),
    }


def check_object(check: Check) -> dict[str, Any]:
    """One check in JSON."""
    return {
        "metric": check.threshold.metric,
        "kind": check.threshold.kind,
        "level": check.threshold.level,
        "bound": check.threshold.bound,
        "relative": check.threshold.relative,
        "outcome": check.outcome,
        "found": check.found,
        "accepted": check.accepted,
        "margin": check.margin,
        "reason": check.reason or None,
        "side": check.side,
    }


def gate_markdown(verdicts: Sequence[Verdict]) -> str:
    """A headline, the inputs and a table for each gate."""
    parts = []
    for verdict in verdicts:
        lines = [f"### {markdown_title(verdict)}", ""]
        for side, file, *rest in map(show_side, verdict.inputs):
            lines.append(f"- **{side}**: {code(file)}, {', '.join(rest)}")
        if verdict.coverage is not None:
            lines.append(f"- {show_covered(verdict.coverage)}")
        if verdict.checks:
            rows = [markdown_row(check) for check in verdict.checks]
            lines += ["", *markdown_table(("outcome", "bound", "found", "margin"), rows)]
        for note in verdict.notes:
            lines += ["", f"note: {code(printable(note))}"]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def markdown_title(verdict: Verdict) -> str:
    """The verdict in one line; what comes from outside is code, so that it is no more than text."""
    name = f" {code(printable(verdict.name))}" if verdict.name is not None else ""
    reason = show_reason(verdict)
    return f"gate{name}: {show_word(verdict)}, {code(reason) if verdict.error else reason}"


def markdown_row(check: Check) -> tuple[str, str, str, str]:
    """One check as a row."""
    outcome, bound, found, margin = show_check(check)
    return f"**{outcome}**", code(bound), code(found) if check.found is None else found, margin


def gate_commands(verdicts: Sequence[Verdict]) -> str:
    """The lines that make GitHub show what is wrong beside the job; the worst ten at most."""
    found = sorted(find_commands(verdicts), key=lambda command: command[0] != "error")
    shown = found[:MOST_COMMANDS]
    return "".join(
        f"::{kind} title={escape_property(title)}::{escape_data(message)}\n"
        for kind, title, message in shown
    )


def find_commands(verdicts: Sequence[Verdict]) -> Iterator[tuple[str, str, str]]:
    """The kind, the title and the message of each thing that is wrong."""
    for verdict in verdicts:
        title = "clustcmp gate" + (f" {verdict.name}" if verdict.name is not None else "")
        if verdict.error is not None:
            yield "error", title, show_reason(verdict)
        for check in verdict.checks:
            if check.outcome is Outcome.passed:
                continue
            kind = "warning" if check.outcome is Outcome.warn else "error"
            _, bound, found, margin = show_check(check)
            yield kind, title, f"{bound}: found {found}" + (f", {margin}" if margin else "")


def escape_data(text: str) -> str:
    """Text that stays within a workflow command."""
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Text that stays within a property of a workflow command."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")


def gate_junit(verdicts: Sequence[Verdict]) -> str:
    """The verdicts as JUnit's XML: a suite for each gate, a case for each bound."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites name="clustcmp gate">']
    for verdict in verdicts:
        lines += junit_suite(verdict)
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def junit_suite(verdict: Verdict) -> Iterator[str]:
    """One gate."""
    name = "gate" if verdict.name is None else f"gate {printable(verdict.name)}"
    failures = len(verdict.having(Outcome.fail))
    errors = len(verdict.having(Outcome.no_verdict)) + (verdict.error is not None)
    tests = len(verdict.checks) + (verdict.error is not None)
    yield (
        f"  <testsuite name={quoteattr(name)} tests={quoteattr(str(tests))} "
        f'failures="{failures}" errors="{errors}" skipped="0">'
    )
    if verdict.error is not None:
        yield from junit_case(name, "run", Outcome.error, show_reason(verdict))
    for check in verdict.checks:
        _, _, found, margin = show_check(check)
        message = f"found {found}" + (f", {margin}" if margin else "")
        yield from junit_case(name, show_subject(check), check.outcome, message)
    yield "  </testsuite>"


def junit_case(suite: str, name: str, outcome: Outcome, message: str) -> Iterator[str]:
    """One bound, with an element inside that says what is wrong."""
    tag = {Outcome.fail: "failure", Outcome.passed: "system-out", Outcome.warn: "system-out"}.get(
        outcome, "error"
    )
    text = printable(f"{WORDS[outcome]}: {name}: {message}")
    attribute = "" if tag == "system-out" else f" message={quoteattr(text)}"
    yield f"    <testcase classname={quoteattr(suite)} name={quoteattr(printable(name))}>"
    yield f"      <{tag}{attribute}>{escape(text)}</{tag}>"
    yield "    </testcase>"
