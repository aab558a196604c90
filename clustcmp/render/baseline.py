"""The document of `clustcmp gate --update-baseline`."""

from __future__ import annotations

from clustcmp.analyses.gate.baseline import AcceptedValue
from clustcmp.analyses.gate.update import BaselineUpdate
from clustcmp.errors import printable
from clustcmp.render.blocks import Block, Cell, Column, Data, Heading, Span, Tone, table
from clustcmp.render.brief import Brief, cut_name, fill, left_out
from clustcmp.render.words import show_approximate, show_confidence


def document(report: BaselineUpdate) -> list[Block]:
    """The accepted values before and now."""
    path = Span(printable(report.new.path), code=True)
    aside = ": updated" if report.old else ": new"
    title = Heading(["baseline ", path], 1, Tone.strong, aside=aside)
    values = [Column(head, digits=True) for head in ("before", "now")]
    rows = []
    for metric, before, now in report.values():
        tone = Tone.plain if before == now else Tone.strong
        cells = Cell(show_accepted(before)), Cell(show_accepted(now), tone)
        rows.append([Cell(Span(metric, code=True)), *cells])
    accepted = table([Column("metric", wraps=True), *values], rows)
    return [title, accepted, Data(report.columns, report.rows)]


def brief(report: BaselineUpdate, lines: int) -> Brief:
    """The accepted values before and now."""
    accepted = list(report.values())
    shown = accepted[: fill(len(accepted), lines - 2)]
    rows = [[metric, show_accepted(before), show_accepted(now)] for metric, before, now in shown]
    facts = [f"baseline {cut_name(report.new.path)}: {'updated' if report.old else 'new'}"]
    more = left_out(len(accepted) - len(shown), "metric")
    return Brief(facts, ("", "before", "now"), rows, range(1, 3), more)


def show_accepted(accepted: AcceptedValue | None) -> str:
    """An accepted value with what is known about it, or a dash where there is none."""
    if accepted is None:
        return "—"
    shown = show_approximate(accepted.value, accepted.proven)
    return shown if accepted.interval is None else f"{shown} {show_confidence(accepted.interval)}"
