"""The document of `clustcmp compare`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from clustcmp.render.blocks import (
    Block,
    Cell,
    Column,
    Data,
    Group,
    Heading,
    Inputs,
    Legend,
    Lines,
    Notes,
    OnPage,
    Span,
    Table,
    Tone,
)
from clustcmp.render.brief import Brief, fill, left_out, show_sides
from clustcmp.render.comparison_page import ComparisonPage
from clustcmp.render.significance import (
    as_word,
    asked_cell,
    asked_columns,
    asked_parts,
    explain_asked,
    show_unanswered,
)
from clustcmp.render.words import (
    LEGEND,
    describe_all,
    show_approximate,
    show_coordinates,
    show_coverage,
    show_direction,
    show_interval,
    show_metric,
    show_status,
    show_unfit,
    show_value,
)
from clustcmp.results import ASKED, FACTS, Report, Result, Status, interval_columns

# A metric whose name and options have more characters may take several lines.
LONGEST_METRIC = 26


def document(report: Report) -> list[Block]:
    """The inputs, the results grouped by family, what does not apply, the notes."""
    unfit = [result for result in report if result.status is Status.not_applicable]
    fit = [result for result in report if result.status is not Status.not_applicable]
    values = results_table(fit)
    columns = ("metric", *FACTS, "side", *interval_columns(report))
    asked = asked_columns(report)
    seed = ["seed"] if asked else []
    page = ComparisonPage(report)
    return [
        OnPage(page.top),
        Inputs(describe_all(report.inputs), facts_of(report)),
        OnPage(lambda: [Heading("Values")] if fit else []),
        OnPage(lambda: [page.explained(values, fit)], [values]),
        Legend([LEGEND]),
        Lines(list(explain_asked(report)), Tone.faint, close=True),
        Lines(show_unanswered(report), Tone.faint, close=True),
        Lines(show_unfit(unfit), Tone.faint, close=True),
        OnPage(page.rest),
        Notes(report.notes),
        Data(
            (*columns, *(f"{part}_{name}" for part, name in asked), *seed),
            lambda: (
                [
                    *(getattr(result, name) for name in columns),
                    *(as_word(getattr(getattr(result, part), name, None)) for part, name in asked),
                    *(report.seed for _ in seed),
                ]
                for result in report
            ),
        ),
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
    if parts := asked_parts(results):
        return asked_table(results, parts)
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
    if has_intervals:
        columns.insert(2, Column("interval"))
    if has_reasons:
        columns.append(Column("reason", wraps=True))
    return Table(
        columns, by_family(results, lambda result: cells_of(result, has_intervals, has_reasons))
    )


def by_family(
    results: Iterable[Result], cells: Callable[[Result], Iterable[Cell]]
) -> Sequence[Group]:
    """A row for each result, grouped by family."""
    return [
        Group([list(cells(result)) for result in members], family)
        for family, members in groupby(results, key=lambda result: result.family)
    ]


def cells_of(result: Result, has_intervals: bool, has_reasons: bool) -> Iterator[Cell]:
    """The cells of one result."""
    yield from name_and_value(result)
    if has_intervals:
        yield Cell(show_interval(result.proven))
    yield Cell(show_direction(result.higher_is_better, result.best))
    yield Cell(result.convention)
    if has_reasons:
        yield Cell(result.reason or "")


def name_and_value(result: Result) -> Iterator[Cell]:
    """The metric, and its value or what became of it."""
    yield Cell(Span(show_metric(result), code=True))
    if result.value is None:
        yield Cell(result.status.value, Tone.caution)
    else:
        yield Cell(show_value(result.value), Tone.strong)


def asked_table(results: list[Result], parts: Sequence[str]) -> Table:
    """Values with a column for each question about them, in 80 columns.

    Conventions and reasons have no room: reasons stand below the table. With all three questions a
    terminal shows which direction is better, and not the best value.
    """
    is_full = len(parts) == len(ASKED)
    has_proven = any(result.proven for result in results)

    def cells(result: Result) -> Iterator[Cell]:
        """The cells of one result."""
        yield from name_and_value(result)
        if has_proven:
            yield Cell(show_interval(result.proven))
        arrow = show_direction(result.higher_is_better, None)
        best = show_direction(result.higher_is_better, result.best)
        yield Cell(best, brief=arrow if is_full else None)
        yield from (asked_cell(result, part, alone=len(parts) == 1) for part in parts)

    columns = [
        # Where room is short, a name in two lines loses nothing, unlike a number that is cut.
        Column("metric", wraps=True),
        Column("value", right=True, narrowest=9),
        *([Column("proven")] if has_proven else []),
        Column("best", brief="" if is_full else None),
        *(Column(part, minus=True) for part in parts),
    ]
    return Table(columns, by_family(results, cells))
