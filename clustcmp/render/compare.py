"""The document of `clustcmp compare`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from clustcmp.errors import printable
from clustcmp.render.blocks import (
    Block,
    Cell,
    Column,
    Data,
    Group,
    Inputs,
    Legend,
    Lines,
    Notes,
    Span,
    Table,
    Tone,
)
from clustcmp.render.brief import Brief, fill, left_out, show_sides
from clustcmp.render.words import (
    LEGEND,
    describe_all,
    show_approximate,
    show_chance,
    show_confidence,
    show_coordinates,
    show_coverage,
    show_direction,
    show_interval,
    show_metric,
    show_status,
    show_unfit,
    show_value,
    show_versus,
)
from clustcmp.results import FACTS, Report, Result, Status, interval_columns

# A metric whose name and options have more characters may take several lines.
LONGEST_METRIC = 26


def document(report: Report) -> list[Block]:
    """The inputs, the results grouped by family, what does not apply, the notes."""
    unfit = [result for result in report if result.status is Status.not_applicable]
    columns = ("metric", *FACTS, "side", *interval_columns(report))
    asked = asked_columns(report)
    return [
        Inputs(describe_all(report.inputs), facts_of(report)),
        results_table([result for result in report if result.status is not Status.not_applicable]),
        Legend([LEGEND, *explain_asked(report)]),
        Lines(show_unanswered(report), Tone.faint, close=True),
        Lines(show_unfit(unfit), Tone.faint, close=True),
        Notes(report.notes),
        Data(
            (*columns, *(f"{part}_{name}" for part, name in asked)),
            lambda: (
                [
                    *(getattr(result, name) for name in columns),
                    *(as_word(getattr(getattr(result, part), name, None)) for part, name in asked),
                ]
                for result in report
            ),
        ),
    ]


# What a table for programs says about intervals, chance and another candidate.
ASKED = {
    "interval": ("level", "low", "high", "standard_error", "unit", "method", "reason"),
    "chance": ("draws", "mean", "sd", "z", "p", "exact", "reason"),
    "versus": (
        "file", "value", "difference", "standard_error", "low", "high", "p", "closer", "reason",
    ),
}  # fmt: skip


def as_word(value: Any) -> Any:
    """A cell for programs: true and false as in JSON."""
    return str(value).lower() if isinstance(value, bool) else value


def asked_columns(report: Report) -> list[tuple[str, str]]:
    """The parts of results that the user asked for, each with the names of its columns."""
    return [(part, name) for part in asked_parts(report) for name in ASKED[part]]


def asked_parts(report: Iterable[Result]) -> list[str]:
    """Which of interval, chance and versus some result has."""
    return [part for part in ASKED if any(getattr(one, part) is not None for one in report)]


def explain_asked(report: Report) -> Iterator[str]:
    """What the columns for intervals, chance and another candidate mean, in plain words."""
    for part in asked_parts(report):
        found = next(filter(None, (getattr(one, part) for one in report)))
        if part == "interval":
            n = "clusters of a" if found.unit == "cluster" else "points"
            yield (
                f"interval: {found.level:.6g} of such intervals hold the value that as many other "
                f"{n} of the same kind give on average"
            )
        elif part == "chance":
            draws = max(one.chance.draws for one in report if one.chance)
            yield (
                f"chance: p is the share of {draws:,} random clusterings that are as good (≤: none "
                "was), z how many of their standard deviations the value is away; a small p "
                "speaks against independence, not for likeness"
            )
        else:
            name = printable(found.file) if found.file else "c"
            yield f"versus: b or c ({name}), whichever is closer to a, and b's value minus c's"
    if report.seed is not None:
        yield f"seed {report.seed}"


def show_unanswered(report: Report) -> list[str]:
    """Why some values have no interval or cannot be compared with chance, one line a reason."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for part in asked_parts(report):
        for result in report:
            reason = getattr(getattr(result, part), "reason", None)
            if reason and result.status is not Status.not_applicable:
                reasons.setdefault((part, reason), []).append(show_metric(result))
    return [
        f"no {part} ({reason}): {', '.join(metrics)}" for (part, reason), metrics in reasons.items()
    ]


def facts_of(report: Report) -> list[str]:
    """What was compared: the points in both, and where they are."""
    coverage = show_coverage(report.coverage, report.joined_by)
    return [coverage, *show_coordinates(report.inputs)]


def brief(report: Report, lines: int) -> Brief:
    """The first values."""
    facts = [f"compare: {show_sides(report.inputs)}"]
    if report.coverage.only_a or report.coverage.only_b:
        facts.append(show_coverage(report.coverage, report.joined_by))
    shown = report.results[: fill(len(report), lines - len(facts))]
    rows = [
        [show_metric(result), show_approximate(result.value, result.proven, show_status(result))]
        for result in shown
    ]
    more = left_out(len(report) - len(shown), "metric")
    return Brief(facts, (), rows, range(1, 2), more)


def results_table(results: list[Result]) -> Table:
    """One row for each result; intervals and reasons have a column where there are some."""
    longest = max((len(show_metric(result)) for result in results), default=0)
    columns = [
        # Where room is short, sentences are wrapped rather than names.
        Column("metric", wraps=longest > LONGEST_METRIC),
        Column("value", right=True, narrowest=9),
        Column("best", narrowest=4),
        Column("convention", wraps=True, tone=Tone.faint),
    ]
    has_intervals = any(result.proven for result in results)
    has_reasons = any(result.reason for result in results)
    parts = asked_parts(results)
    if parts:
        # The convention gives way: these columns would leave it a few characters only.
        columns.pop()
    columns += [Column(part) for part in parts]
    if has_intervals:
        columns.insert(2, Column("proven" if parts else "interval"))
    if has_reasons:
        columns.append(Column("reason", wraps=True))
    groups = [
        Group(
            [list(cells_of(result, has_intervals, has_reasons, parts)) for result in members],
            family,
        )
        for family, members in groupby(results, key=lambda result: result.family)
    ]
    return Table(columns, groups)


SHOWN: dict[str, Callable[[Any], str]] = {
    "interval": show_confidence,
    "chance": show_chance,
    "versus": show_versus,
}


def cells_of(
    result: Result, has_intervals: bool, has_reasons: bool, parts: Sequence[str]
) -> Iterator[Cell]:
    """The cells of one result."""
    yield Cell(Span(show_metric(result), code=True))
    if result.value is None:
        yield Cell(result.status.value, Tone.caution)
    else:
        yield Cell(show_value(result.value), Tone.strong)
    if has_intervals:
        yield Cell(show_interval(result.proven))
    yield Cell(show_direction(result.higher_is_better, result.best))
    if not parts:
        yield Cell(result.convention)
    for part in parts:
        yield Cell(SHOWN[part](getattr(result, part)))
    if has_reasons:
        yield Cell(result.reason or "")
