"""Clusterings compared with references: one table, a column for each metric and reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from clustcmp.analyses.matrix.report import Matrix, MatrixReport, ReferenceMatrix
from clustcmp.arrays import SAME_SUM
from clustcmp.errors import plural, printable
from clustcmp.model import Described
from clustcmp.output_settings import Order
from clustcmp.render.blocks import (
    Block,
    Data,
    Heading,
    Legend,
    Line,
    Lines,
    RankedColumn,
    RankedRow,
    RankedValue,
    Ranking,
    Span,
    Tone,
)
from clustcmp.render.brief import MOST_METRICS, Brief, cut_name, fill, left_out
from clustcmp.render.closest import OF_CLOSEST, Closest, is_sure, sure_blocks
from clustcmp.render.widths import thin_out
from clustcmp.render.words import (
    ARROWS,
    LEGEND,
    legend,
    show_approximate,
    show_confidence,
    show_direction,
    show_missing,
)
from clustcmp.results import ASKED, Result, interval_columns

CSV_COLUMNS = ("metric", "reference", "name", "value", "status", "reason")


class Values(NamedTuple):
    """A column of the table: a metric, the results of all clusterings, and their references."""

    found: ReferenceMatrix
    results: Sequence[Result]
    references: Sequence[str]


def ranking_blocks(report: MatrixReport, order: Order) -> list[Block]:
    """The table, what is missing, and what the metrics are."""
    columns = value_columns(report)
    is_only = len(columns) == 1
    blocks: list[Block] = [heading_of(columns[0].found)] if is_only else []
    blocks.append(ranking_of(report, columns, order))
    for found in report:
        about = f"{found.metric}: " if len(report) > 1 else ""
        missing = show_missing(result for _, _, result in found.results)
        blocks.append(Lines([f"— {about}{line}" for line in missing], Tone.caution, close=True))
        blocks += sure_blocks(found, about, listed=not is_only)
    if is_only:
        return [*blocks, Legend([LEGEND])]
    signs = f"{LEGEND}   {legend('* best of its column')}"
    return [*blocks, Lines(list(show_conventions(report)), Tone.faint), Legend([signs])]


def value_columns(report: MatrixReport) -> list[Values]:
    """The columns of the table; those of a metric are side by side."""
    return [
        Values(found, results, references)
        for found in report.matrices
        if isinstance(found, ReferenceMatrix)
        for results, references in zip(found.cells, found.compared_with, strict=True)
    ]


def is_best_over_references(report: MatrixReport) -> bool:
    """Whether each value is the best over several references."""
    return len(report.references) > 1 and len(report.matrices[0].cells) == 1


def heading_of(found: Matrix) -> Heading:
    """The metric of a table, its direction and its convention."""
    about = [show_direction(found.higher_is_better, found.best), found.convention]
    title = Span(found.metric, Tone.heading, code=True)
    return Heading(title, 2, about="  ".join(filter(None, about)))


def show_conventions(report: MatrixReport) -> Iterator[Line]:
    """Each metric of a table with its direction and its convention."""
    bests = [show_direction(found.higher_is_better, found.best) for found in report]
    longest, widest = max(len(found.metric) for found in report), max(map(len, bests))
    for found, best in zip(report, bests, strict=True):
        pad = " " * (longest - len(found.metric))
        about = f"{pad}  {best:{widest}}  {found.convention}".rstrip()
        yield [Span(found.metric, code=True), about]


def ranking_of(report: MatrixReport, columns: Sequence[Values], order: Order) -> Ranking:
    """All clusterings compared with the references."""
    over_all = is_best_over_references(report)
    bests = [best_value(column) for column in columns]
    rows = []
    for at in rows_of(report, order):
        given = report.inputs[at]
        values = [
            RankedValue(
                show_ranked(column.results[at], len(columns) == 1),
                is_best(column.results[at].value, best),
                column.references[at] if over_all and column.results[at].value is not None else "",
            )
            for column, best in zip(columns, bests, strict=True)
        ]
        about = f"{plural(given.clusters, 'cluster')}, {given.kind}"
        rows.append(RankedRow(given.name, values, given.clusters, about))
    heads = [head_of(report, column) for column in columns]
    if len(columns) == 1:
        heads = [RankedColumn("value")]
    return Ranking([one.name for one in report.references], heads, rows)


def show_ranked(result: Result, is_only: bool) -> str:
    """A value; in the only column of a table also its interval."""
    shown = show_approximate(result.value, result.proven)
    has_room = is_only and result.interval is not None
    return f"{shown} {show_confidence(result.interval)}" if has_room else shown


def head_of(report: MatrixReport, column: Values) -> RankedColumn:
    """The metric and its direction and, of several references, the one of this column."""
    has_several = len(report.references) > 1 and not is_best_over_references(report)
    head = f"{column.found.metric} {ARROWS[column.found.higher_is_better]}".rstrip()
    return RankedColumn(head, column.references[0] if has_several else "")


def rows_of(report: MatrixReport, order: Order) -> Sequence[int]:
    """The clusterings in the order in which they are shown."""
    return report.order if order == "similarity" else range(len(report.inputs))


def best_value(column: Values) -> float | None:
    """The best value of a column, if its metric says what is better."""
    known = [result.value for result in column.results if result.value is not None]
    if not known or column.found.higher_is_better is None:
        return None
    return max(known) if column.found.higher_is_better else min(known)


def is_best(value: float | None, best: float | None) -> bool:
    """Whether a value is the best one of its column, apart from rounding."""
    if value is None or best is None:
        return False
    return abs(value - best) <= SAME_SUM * abs(best)


def count_references(report: MatrixReport) -> str:
    """What clusterings are compared with: the only reference, or how many there are."""
    if len(report.references) == 1:
        name, *about = describe_reference(report.references[0])
        return f"compared with {name} ({', '.join(about)})"
    best = "the best of " if is_best_over_references(report) else ""
    return f"compared with {best}{len(report.references)} references"


def list_references(report: MatrixReport) -> list[tuple[str, ...]]:
    """Each reference in a few words."""
    return [("reference", *describe_reference(one)) for one in report.references]


def describe_reference(reference: Described) -> tuple[str, ...]:
    """The name of a reference, its size and its kind."""
    return (
        thin_out(printable(reference.name)),
        plural(reference.points, "point"),
        plural(reference.clusters, "cluster"),
        reference.kind,
    )


def brief_ranking(report: MatrixReport, fact: str, lines: int) -> Brief:
    """The first clusterings of the table, with their values of the first reference."""
    over_all = is_best_over_references(report)
    reference = f"compared with {cut_name(report.references[0].name)}"
    fact += f", {count_references(report) if over_all else reference}"
    columns = report.matrices[:MOST_METRICS]
    rows = [
        [
            cut_name(report.names[at]),
            *(show_approximate(one.cells[0][at].value, None) for one in columns),
        ]
        for at in report.order[: fill(len(report.names), lines)]
    ]
    more = left_out(len(report.names) - len(rows), "clustering", "to_frame() has all")
    if not more:
        n_columns = sum(len(found.cells) for found in report)
        more = left_out(n_columns - len(columns), "column", "to_frame() has all")
    head = ["", *(found.metric for found in columns)]
    return Brief([fact], head, rows, range(1, len(head)), more)


def ranking_data(report: MatrixReport, order: Order) -> Data:
    """A row for each metric, reference and clustering."""
    columns = value_columns(report)
    ends = interval_columns(result for column in columns for result in column.results)
    facts = (*CSV_COLUMNS[3:], *ends)
    asked = ASKED["interval"] if is_sure(report) else ()
    closest = OF_CLOSEST if is_sure(report) else ()
    seed = [report.seed] if is_sure(report) else []

    def rows() -> Iterable[list[Any]]:
        for found, results, references in columns:
            known = Closest(found)
            for at in rows_of(report, order):
                reference, name = references[at], report.names[at]
                values = (getattr(results[at], fact) for fact in facts)
                sure = [getattr(results[at].interval, fact, None) for fact in asked]
                sure += [known.to(reference)] if closest else []
                sure += (known.against(reference, name, fact) for fact in closest)
                yield [found.metric, reference, name, *values, *sure, *seed]

    more = [f"interval_{fact}" for fact in asked]
    more += ["closest", *(f"closest_{fact}" for fact in closest), "seed"] if closest else []
    return Data((*CSV_COLUMNS, *ends, *more), rows)
