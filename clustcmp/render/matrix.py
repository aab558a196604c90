"""Matrices and rankings of clusterings in every format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from clustcmp.analyses.matrix.report import Cell, Matrix, MatrixReport
from clustcmp.choices import Color, Order, OutputFormat
from clustcmp.errors import UsageError, printable
from clustcmp.options import show_option
from clustcmp.registry import Registry
from clustcmp.render.csv import to_csv
from clustcmp.render.json import write as to_json
from clustcmp.render.machine import markdown_table
from clustcmp.render.markdown import code, escape
from clustcmp.render.widths import quote_blank
from clustcmp.render.words import ARROWS, show_value
from clustcmp.results import Status
from clustcmp.version import VERSION

RANKING_COLUMNS = ("metric", "reference", "name", "value", "status", "reason")


def render_matrix(
    report: MatrixReport, registry: Registry, format: OutputFormat, order: Order, color: Color
) -> str:
    """The text for several clusterings compared with each other or with a reference."""
    if format is OutputFormat.json:
        return to_json(matrix_object(report))
    if format is OutputFormat.csv:
        return ranking_csv(report, order) if report.reference else square_csv(report, order)
    if format is OutputFormat.markdown:
        return markdown(report, registry, order)
    from clustcmp.render import matrix_table

    return matrix_table.draw_report(report, registry, order, color)


def check_format(format: OutputFormat, n_metrics: int, has_reference: bool) -> None:
    """Refuse what a format cannot hold, before any work is done."""
    if format is OutputFormat.csv and n_metrics > 1 and not has_reference:
        raise UsageError(
            f"a csv file holds one matrix, and {n_metrics} metrics are asked for",
            hint="ask for one metric, or for -f json",
        )


def columns_of(found: Matrix, order: Order) -> tuple[int, ...]:
    """The columns as they are to be shown."""
    return found.order if order is Order.similarity else tuple(range(len(found.order)))


def matrix_object(report: MatrixReport) -> dict[str, Any]:
    """The matrices in JSON; see schemas/matrix-1.json."""
    reference = report.reference
    build = square_object if reference is None else ranking_object
    return {
        "schema": "clustcmp/matrix/1",
        "version": VERSION,
        "inputs": [asdict(given) for given in report.inputs],
        "reference": None if reference is None else asdict(reference),
        "results": [{**facts(found), **build(report, found)} for found in report],
        "notes": list(report.notes),
    }


def facts(found: Matrix) -> dict[str, Any]:
    """What is said about a metric, with and without a reference."""
    names = ("metric", "name", "options", "worst", "best", "higher_is_better")
    return {name: getattr(found, name) for name in names}


def square_object(report: MatrixReport, found: Matrix) -> dict[str, Any]:
    """Rows and columns in the order of the inputs; where a value is missing, the reason."""
    names = report.names
    return {
        "matrix": [[cell.value for cell in row] for row in found.cells],
        "order": [names[column] for column in found.order],
        "medoid": None if found.medoid is None else names[found.medoid],
        "missing": [
            {"a": names[row], "b": names[column], "status": cell.status, "reason": cell.reason}
            for row, cells in enumerate(found.cells)
            for column, cell in enumerate(cells)
            if cell.value is None
        ],
    }


def ranking_object(report: MatrixReport, found: Matrix) -> dict[str, Any]:
    """The clusterings from the closest to the reference to the farthest."""
    ranking = [{"name": report.names[i], **asdict(found.cells[0][i])} for i in found.order]
    return {"ranking": ranking}


def square_csv(report: MatrixReport, order: Order) -> str:
    """A square with the names above and before it."""
    (found,) = report
    columns, names = columns_of(found, order), report.names
    rows = ([names[i], *(found.cells[i][j].value for j in columns)] for i in columns)
    return to_csv(["", *(names[j] for j in columns)], rows)


def ranking_csv(report: MatrixReport, order: Order) -> str:
    """A line for each metric and clustering."""
    reference = report.reference.name if report.reference else ""
    rows = (
        [found.metric, reference, report.names[i], cell.value, cell.status.value, cell.reason]
        for found in report
        for i in columns_of(found, order)
        for cell in [found.cells[0][i]]
    )
    return to_csv(RANKING_COLUMNS, rows)


def markdown(report: MatrixReport, registry: Registry, order: Order) -> str:
    """A table for each metric, with what is missing and the notes below."""
    build = ranking_rows if report.reference else square_rows
    lines: list[str] = []
    for found in report:
        lines += [f"**{code(found.metric)}** {describe(found, registry)}".rstrip(), ""]
        lines += [*build(report, found, order), ""]
        lines += [line for text in show_missing(found) for line in (escape(text), "")]
    lines += [line for note in report.notes for line in (escape(f"note: {printable(note)}"), "")]
    return "\n".join(lines[:-1]) + "\n"


def square_rows(report: MatrixReport, found: Matrix, order: Order) -> list[str]:
    """The columns are numbered like the rows, whose names may be long."""
    columns = columns_of(found, order)
    header = ["", "clustering", *(str(number) for number in range(1, len(columns) + 1))]
    rows = []
    for number, i in enumerate(columns, 1):
        name = code_name(report.names[i]) + (" (medoid)" if i == found.medoid else "")
        rows.append([str(number), name, *(show_cell(found.cells[i][j]) for j in columns)])
    return markdown_table(header, rows)


def ranking_rows(report: MatrixReport, found: Matrix, order: Order) -> list[str]:
    """The reference, and the others below it."""
    reference = report.reference.name if report.reference else ""
    rows = [
        [
            code_name(report.names[i]),
            show_cell(found.cells[0][i]),
            str(report.inputs[i].clusters),
        ]
        for i in columns_of(found, order)
    ]
    title = f"compared with {code_name(reference)}"
    return [escape(title), "", *markdown_table(("clustering", "value", "clusters"), rows, "value")]


def code_name(name: str) -> str:
    """A name of a clustering in Markdown."""
    return code(quote_blank(printable(name)))


def describe(found: Matrix, registry: Registry) -> str:
    """The direction and the convention of a metric."""
    best = "" if found.best is None else f" {show_option(found.best)}"
    arrow = f"{ARROWS[found.higher_is_better]}{best}".strip()
    return "  ".join(filter(None, [arrow, registry[found.name].describe(found.options)]))


def show_cell(cell: Cell) -> str:
    """A value, or a dash."""
    return "—" if cell.value is None else show_value(cell.value)


def show_missing(found: Matrix) -> Iterator[str]:
    """How many comparisons have no value, for each reason."""
    reasons: dict[tuple[Status, str | None], int] = {}
    for row in found.cells:
        for cell in row:
            if cell.value is None:
                key = cell.status, cell.reason
                reasons[key] = reasons.get(key, 0) + 1
    for (status, reason), number in reasons.items():
        words = status.value.replace("_", " ")
        yield f"— {words} ({printable(reason or '')}): {number} of the cells"
