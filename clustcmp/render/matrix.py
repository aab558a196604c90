"""The document of `clustcmp matrix`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from clustcmp.analyses.matrix.report import Matrix, MatrixReport
from clustcmp.errors import UsageError, plural, printable
from clustcmp.render.blocks import (
    Block,
    Data,
    Heading,
    Legend,
    Lines,
    Notes,
    Ranking,
    Span,
    Square,
    Tone,
)
from clustcmp.render.brief import MOST_METRICS, Brief, cut_name, fill, left_out
from clustcmp.render.widths import thin_out
from clustcmp.render.words import (
    LEGEND,
    show_approximate,
    show_coordinates,
    show_direction,
    show_ids,
    show_value,
)
from clustcmp.results import Status, interval_columns
from clustcmp.settings import Order
from clustcmp.wording import either

# Clusterings beside each other where room is short.
MOST_COLUMNS = 8

RANKING_COLUMNS = ("metric", "reference", "name", "value", "status", "reason")


def document(report: MatrixReport, order: Order = "similarity") -> list[Block]:
    """What was compared, then a matrix or a ranking for each metric."""
    blocks: list[Block] = [Heading("", 1, Tone.strong, aside=summary(report))]
    blocks += [Lines([line], Tone.faint) for line in show_coordinates(report.inputs)]
    for found in report:
        about = [show_direction(found.higher_is_better, found.best), found.convention]
        title = Span(found.metric, Tone.heading, code=True)
        blocks.append(Heading(title, 2, about="  ".join(filter(None, about))))
        if report.reference is None:
            blocks.append(square_of(report, found, order))
        else:
            blocks.append(ranking_of(report, found, order, report.reference.name))
        if report.reference is None and not found.symmetric:
            blocks.append(Legend(["each row is the reference of its values"], close=True))
        blocks.append(Lines(list(show_missing(found)), Tone.caution, close=True))
    return [*blocks, Legend([LEGEND]), Notes(report.notes), data_of(report, order)]


def brief(report: MatrixReport, lines: int) -> Brief:
    """The values of the first metric if they are few, else a line for each metric or clustering."""
    facts = [f"matrix: {count_inputs(report)}"]
    if report.reference is not None:
        facts[0] += f", compared with {cut_name(report.reference.name)}"
        return brief_ranking(report, facts, lines - 2)
    if len(report.names) <= min(lines - 3, MOST_COLUMNS):
        return brief_square(report, facts)
    shown = report.matrices[: fill(len(report), lines - 2)]
    rows = [[found.metric, *show_spread(found), show_medoid(found)] for found in shown]
    head = ("", "lowest", "median", "highest", "medoid")
    more = left_out(len(report) - len(shown), "metric", "to_frame() has all")
    return Brief(facts, head, rows, range(1, 4), more)


def brief_square(report: MatrixReport, facts: list[str]) -> Brief:
    """All values of the first metric."""
    names = [cut_name(name) for name in report.names]
    rows = [
        [name, *map(show_number, row)]
        for name, row in zip(names, report.matrices[0].values.tolist(), strict=True)
    ]
    more = left_out(len(report) - 1, "metric", "to_frame() has all")
    return Brief(facts, [report.matrices[0].metric, *names], rows, range(1, len(names) + 1), more)


def brief_ranking(report: MatrixReport, facts: list[str], lines: int) -> Brief:
    """The clusterings that are closest to the reference, by the first few metrics."""
    columns = report.matrices[:MOST_METRICS]
    order = columns[0].order[: fill(len(report.names), lines)]
    rows = [
        [cut_name(report.names[at]), *(show_number(one.values[0, at]) for one in columns)]
        for at in order
    ]
    more = left_out(len(report.names) - len(rows), "clustering", "to_frame() has all")
    if not more:
        more = left_out(len(report) - len(columns), "metric", "to_frame() has all")
    head = ["", *(one.metric for one in columns)]
    return Brief(facts, head, rows, range(1, len(columns) + 1), more)


def show_spread(found: Matrix) -> list[str]:
    """The lowest, the median and the highest value between two different clusterings."""
    between = found.values[~np.eye(len(found.values), dtype=np.bool_)]
    known = between[~np.isnan(between)]
    if not len(known):
        return ["—"] * 3
    return [show_value(float(value)) for value in np.quantile(known, [0.0, 0.5, 1.0])]


def show_medoid(found: Matrix) -> str:
    """The name of the medoid, if there is one."""
    return "" if found.medoid is None else cut_name(found.names[found.medoid])


def show_number(value: float) -> str:
    """A value of a matrix, or a dash."""
    return show_approximate(float(value), None)


def check_format(format: str, n_metrics: int, has_reference: bool) -> None:
    """Refuse what a format cannot hold, before any work is done."""
    if format == "csv" and n_metrics > 1 and not has_reference:
        raise UsageError(
            f"a csv file holds one matrix, but {n_metrics} metrics are asked for",
            hint=f"ask for one metric, or for {either('-f json', 'json')}",
        )


def summary(report: MatrixReport) -> str:
    """How many clusterings of how many points, how they are joined, and the reference."""
    words = count_inputs(report)
    if report.joined_by is not None:
        words += f", joined by {show_ids(report.joined_by)}"
    if (reference := report.reference) is None:
        return words
    about = f"{plural(reference.points, 'point')}, {plural(reference.clusters, 'cluster')}"
    name = thin_out(printable(reference.name))
    return f"{words}, compared with {name} ({about}, {reference.kind})"


def count_inputs(report: MatrixReport) -> str:
    """How many clusterings of how many points."""
    sizes = sorted({given.points for given in report.inputs})
    points = plural(sizes[0], "point")
    if len(sizes) > 1:
        points = f"{sizes[0]:,} to {sizes[-1]:,} points"
    return f"{plural(len(report.inputs), 'clustering')} of {points}"


def columns_of(found: Matrix, order: Order) -> Sequence[int]:
    """The columns in the order in which they are shown."""
    return found.order if order == "similarity" else range(len(found.order))


def square_of(report: MatrixReport, found: Matrix, order: Order) -> Square:
    """All clusterings compared with each other."""
    columns, values = list(columns_of(found, order)), found.values
    return Square(
        [report.names[column] for column in columns],
        values[np.ix_(columns, columns)],
        found.higher_is_better,
        None if found.medoid is None else columns.index(found.medoid),
        found.mean_to_others,
        {
            (columns.index(row), columns.index(column)): result.interval
            for row, column, result in found.results
            if result.interval is not None
        },
        None if found.worst is None or found.best is None else (found.worst, found.best),
    )


def ranking_of(report: MatrixReport, found: Matrix, order: Order, reference: str) -> Ranking:
    """All clusterings compared with the reference."""
    rows = []
    for column in columns_of(found, order):
        given, result = report.inputs[column], found.cells[0][column]
        about = f"{plural(given.clusters, 'cluster')}, {given.kind}"
        value = show_approximate(result.value, result.interval)
        rows.append((given.name, value, given.clusters, about))
    return Ranking(reference, rows)


def show_missing(found: Matrix) -> Iterator[str]:
    """How many comparisons have no value, for each reason."""
    reasons: dict[tuple[Status, str | None], int] = {}
    for _, _, result in found.results:
        if result.value is None:
            key = result.status, result.reason
            reasons[key] = reasons.get(key, 0) + 1
    for (status, reason), number in reasons.items():
        words = status.value.replace("_", " ")
        yield f"— {words} ({printable(reason or '')}): {number} of the cells"


def data_of(report: MatrixReport, order: Order) -> Data:
    """A square with the names above and before it, or a row for each value of a ranking."""
    if report.reference is not None:
        return ranking_data(report, order, report.reference.name)
    found, names = report[0], report.names
    columns = columns_of(found, order)
    ends = interval_columns(result for _, _, result in found.results)
    header = ["", *(names[j] for j in columns)]
    header += [f"{names[j]}::{end}" for end in ends for j in columns]

    def rows() -> Iterable[list[Any]]:
        check_format("csv", len(report), has_reference=False)
        for i in columns:
            numbers = (getattr(found.cells[i][j], end) for end in ("value", *ends) for j in columns)
            yield [names[i], *numbers]

    return Data(header, rows)


def ranking_data(report: MatrixReport, order: Order, reference: str) -> Data:
    """A row for each metric and clustering."""
    ends = interval_columns(result for found in report for _, _, result in found.results)
    facts = (*RANKING_COLUMNS[3:], *ends)

    def rows() -> Iterable[list[Any]]:
        for found in report:
            for column in columns_of(found, order):
                result = found.cells[0][column]
                values = (getattr(result, fact) for fact in facts)
                yield [found.metric, reference, report.names[column], *values]

    return Data((*RANKING_COLUMNS, *ends), rows)
