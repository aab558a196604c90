"""A track as JSON, CSV and Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from clustcmp.analyses.bounds.verdict import SEVERITY, Outcome
from clustcmp.analyses.track.report import LifeLine, Track
from clustcmp.choices import Color, OutputFormat
from clustcmp.errors import printable
from clustcmp.registry import Registry
from clustcmp.render.csv import to_csv
from clustcmp.render.json import write as to_json
from clustcmp.render.machine import markdown_table
from clustcmp.render.markdown import code, escape
from clustcmp.render.track_words import (
    checks_of,
    choose_lines,
    is_jump,
    show_events,
    show_lives,
    show_masses,
    show_remarks,
    show_rest,
    show_result,
    show_stream,
    show_verdict,
    show_windows,
    sort_metrics,
)
from clustcmp.render.widths import short
from clustcmp.render.words import show_direction, show_unfit
from clustcmp.results import coverage_dict as coverage_object
from clustcmp.version import VERSION

COLUMNS = ("from", "to", "metric", "value", "status", "reason", "worst", "best", "jump", "outcome")

# Columns of a name in Markdown; JSON has them all.
LONGEST_NAME = 60


def render_track(
    track: Track,
    registry: Registry,
    format: OutputFormat,
    color: Color = Color.auto,
    show_all: bool = False,
) -> str:
    """The text for a track."""
    if format is OutputFormat.json:
        return to_json(track_object(track))
    if format is OutputFormat.csv:
        return track_csv(track)
    if format is OutputFormat.markdown:
        return track_markdown(track, registry, show_all)
    from clustcmp.render.track_table import track_table

    return track_table(track, registry, color, show_all)


def track_object(track: Track) -> dict[str, Any]:
    """What a track is in JSON; see schemas/track-1.json."""
    lines = track.life_lines
    return {
        "schema": "clustcmp/track/1",
        "version": VERSION,
        "lag": track.lag,
        "windows": [asdict(window) for window in track.windows],
        "steps": [
            {
                "from": step.source,
                "to": step.target,
                "coverage": coverage_object(step.report.coverage),
                "results": [result.to_dict() for result in step.report],
            }
            for step in track.steps
        ],
        "jumps": [
            {"metric": jump.metric, "from": jump.source, "to": jump.target, "value": jump.value}
            for jump in track.jumps
        ],
        "life_lines": None if lines is None else [line_object(line) for line in lines],
        "verdict": verdict_object(track),
        "notes": list(track.notes),
    }


def line_object(line: LifeLine) -> dict[str, Any]:
    """One life line in JSON."""
    return {
        "clusters": [asdict(cluster) for cluster in line.clusters],
        "begins": line.begins,
        "from": None if line.origin is None else asdict(line.origin),
        "ends": line.ends,
        "into": None if line.heir is None else asdict(line.heir),
    }


def verdict_object(track: Track) -> dict[str, Any] | None:
    """The verdict in JSON, with the steps at which a bound is not known to be kept."""
    if track.verdict is None:
        return None
    bounds = [
        {
            "metric": bound.threshold.metric,
            "kind": bound.threshold.kind,
            "bound": bound.threshold.bound,
            "outcome": bound.outcome,
            "failed": [
                {"from": step.source, "to": step.target, "value": check.found}
                for step, check in bound.having(Outcome.fail)
            ],
            "no_verdict": [
                {"from": step.source, "to": step.target, "reason": check.reason}
                for step, check in bound.having(Outcome.no_verdict)
            ],
        }
        for bound in track.verdict.bounds
    ]
    return {"outcome": track.verdict.outcome, "bounds": bounds}


def track_csv(track: Track) -> str:
    """A line for each metric at each step."""
    rows = []
    for step in track.steps:
        for result in step.report:
            known = [getattr(result, name) for name in COLUMNS[3:8]]
            outcomes = [check.outcome for _, check in checks_of(track, step, result)]
            outcome = min(outcomes, key=SEVERITY.__getitem__).value if outcomes else None
            jump = "true" if is_jump(track, step, result) else "false"
            rows.append([step.source, step.target, result.metric, *known, jump, outcome])
    return to_csv(COLUMNS, rows)


def track_markdown(track: Track, registry: Registry, show_all: bool) -> str:
    """The windows as a list, the series and the life lines as tables, the verdict."""
    lines = []
    for name, file, *rest in show_stream(track):
        lines.append(f"- **{name}**: {code(file)}, {', '.join(rest)}")
    rows = []
    shown, unfit = sort_metrics(track)
    for metric in shown:
        for step, result in zip(track.steps, track.series(metric), strict=True):
            best = show_direction(result.higher_is_better, result.best)
            words = ", ".join(show_remarks(track, step, result))
            rows.append([step.title, code(metric), show_result(result), best, words])
    header = ("step", "metric", "value", "best", "remark")
    lines += ["", *markdown_table(header, rows, right="value")]
    if track.life_lines is not None:
        lines += ["", escape(show_lives(track)), "", *lines_markdown(track, show_all)]
    notes = (f"note: {printable(note)}" for note in track.notes)
    for line in [*show_verdict(track), *show_unfit(unfit), *notes]:
        lines += ["", escape(line)]
    return "\n".join(lines) + "\n"


def lines_markdown(track: Track, show_all: bool) -> Iterator[str]:
    """The life lines as a table."""
    lines = track.life_lines or ()
    shown = choose_lines(lines, show_all)
    rows = [
        [
            quote(line.clusters[0].name),
            show_windows(line),
            show_masses(line),
            "; ".join(show_events(line, track.lag, quote)),
        ]
        for line in shown
    ]
    yield from markdown_table(("cluster", "windows", "mass", "what happened"), rows, right="mass")
    if len(shown) < len(lines):
        yield from ("", show_rest(len(lines) - len(shown)))


def quote(name: str) -> str:
    """The name of a cluster in Markdown."""
    return code(short(name, LONGEST_NAME))
