"""The document of `clustcmp matrix`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from clustcmp.analyses.matrix.report import Matrix, MatrixReport, number_of
from clustcmp.errors import UsageError, plural
from clustcmp.output_settings import MatrixView, Order
from clustcmp.render.blocks import (
    Block,
    Data,
    Heading,
    Inputs,
    Legend,
    Lines,
    Notes,
    OnPage,
    Square,
    Tone,
)
from clustcmp.render.brief import Brief, cut_name, fill, left_out
from clustcmp.render.closest import OF_CLOSEST, Closest, is_sure, sure_blocks, sure_legend
from clustcmp.render.ranking import (
    brief_ranking,
    count_references,
    heading_of,
    list_references,
    ranking_blocks,
    ranking_data,
)
from clustcmp.render.words import (
    LEGEND,
    show_approximate,
    show_coordinates,
    show_ids,
    show_missing,
    show_value,
)
from clustcmp.results import interval_columns
from clustcmp.wording import either

# What can be chosen about the document.
VIEW = MatrixView

# Clusterings beside each other where room is short.
MOST_COLUMNS = 8


def document(report: MatrixReport, order: Order) -> list[Block]:
    """What was compared, then a matrix or a ranking for each metric."""
    blocks: list[Block] = [Heading("", 1, Tone.strong, aside=summary(report))]
    if len(report.references) > 1:
        blocks.append(Inputs(list_references(report)))
    blocks += [Lines([line], Tone.faint) for line in show_coordinates(report.inputs)]
    if report.references:
        data = ranking_data(report, order)
        blocks += [*ranking_blocks(report, order), *sure_legend(report)]
        return [*blocks, Notes(report.notes), data]
    for found in report:
        square = square_of(report, found, order)
        blocks += [heading_of(found), OnPage(partial(chart_of, found, square, order)), square]
        if not found.symmetric:
            blocks.append(Legend(["each row is the reference of its values"], close=True))
        missing = show_missing(result for _, _, result in found.results)
        blocks.append(Lines([f"— {line}" for line in missing], Tone.caution, close=True))
        blocks += sure_blocks(found)
    blocks += [Legend([LEGEND]), *sure_legend(report)]
    return [*blocks, Notes(report.notes), data_of(report, order)]


def chart_of(found: Matrix, square: Square, order: Order) -> Iterator[Block]:
    """The chart of a matrix, unless it is too large for one."""
    from clustcmp.render.charts.tree import tree_chart

    chart = tree_chart(found, square, list(columns_of(found, order)))
    if chart is not None:
        yield chart


def brief(report: MatrixReport, lines: int) -> Brief:
    """The values of the first metric if they are few, else a line for each metric or clustering."""
    facts = [f"matrix: {count_inputs(report)}"]
    if report.references:
        return brief_ranking(report, facts[0], lines - 2)
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
    return f"{words}, {count_references(report)}" if report.references else words


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
            (columns.index(row), columns.index(column)): result.proven
            for row, column, result in found.results
            if result.proven is not None
        },
        None if found.worst is None or found.best is None else (found.worst, found.best),
    )


def data_of(report: MatrixReport, order: Order) -> Data:
    """A square with the names above and before it."""
    found, names = report[0], report.names
    columns = columns_of(found, order)
    ends = interval_columns(result for _, _, result in found.results)
    ends += ("interval_low", "interval_high") if is_sure(report) else ()
    closest = OF_CLOSEST if is_sure(report) else ()
    seed = [report.seed] if is_sure(report) else []
    header = ["", *(names[j] for j in columns)]
    header += [f"{names[j]}::{end}" for end in ends for j in columns]
    header += ["closest"] if closest else []
    header += [f"{names[j]}::closest_{fact}" for fact in closest for j in columns]
    header += ["seed"] if closest else []

    def rows() -> Iterable[list[Any]]:
        check_format("csv", len(report), has_reference=False)
        known = Closest(found)
        for i in columns:
            row = found.cells[i]
            values: list[Any] = [
                number_of(row[j], end) for end in ("value", *ends) for j in columns
            ]
            values += [known.to(names[i])] if closest else []
            values += (known.against(names[i], names[j], fact) for fact in closest for j in columns)
            yield [names[i], *values, *seed]

    return Data(header, rows)
