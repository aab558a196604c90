"""Matrices, rankings and verdicts as plain tables, for formats without charts."""

from __future__ import annotations

from clustcmp.render.blocks import (
    Cell,
    Column,
    Judgement,
    Name,
    Ranking,
    Span,
    Square,
    Table,
    Tone,
    table,
)
from clustcmp.render.widths import LONGEST_NAME, shorten_all
from clustcmp.render.words import show_approximate


def square_table(block: Square) -> Table:
    """A matrix whose columns have numbers, because names may be long."""
    numbers = [str(number) for number in range(1, len(block.names) + 1)]
    heads = [Column(number, digits=True) for number in numbers]
    columns = [Column("", right=True), Column("clustering"), *heads]
    rows: list[list[Cell]] = []
    for i, (name, values) in enumerate(zip(block.names, block.values.tolist(), strict=True)):
        mark = " (medoid)" if i == block.medoid else ""
        ends = [block.intervals.get((i, j)) for j in range(len(values))]
        cells = map(Cell, map(show_approximate, values, ends))
        rows.append([Cell(numbers[i]), Cell([Name(name), mark]), *cells])
    return table(columns, rows)


def ranking_table(block: Ranking) -> Table:
    """A row for each clustering that is compared with references; the best values are strong."""
    shortened, _ = shorten_all(block.references, LONGEST_NAME)
    names = dict(zip(block.references, shortened, strict=True))
    columns = [Column("clustering")]
    for column in block.columns:
        reference = f", {names[column.reference]}" if column.reference else ""
        columns.append(Column(f"{column.head}{reference}", right=True))
        columns += [Column("reference")] if block.names_references else []
    columns.append(Column("clusters", digits=True))
    rows = []
    for row in block.rows:
        cells = [Cell(Name(row.name))]
        for value in row.values:
            cells.append(Cell(Span(value.text, Tone.strong if value.is_best else Tone.plain)))
            if block.names_references:
                cells.append(Cell(names.get(value.reference, "")))
        rows.append([*cells, Cell(str(row.clusters))])
    return table(columns, rows)


def checks_table(block: Judgement) -> Table:
    """A row for each bound of a gate.

    What comes from outside is code, so that nothing in it acts as a command of the format.
    """
    rows = (
        [
            Cell(Span(check.word, Tone.strong)),
            Cell(Span(check.bound, code=True)),
            Cell(Span(check.found, code=not check.has_value)),
            Cell(check.margin),
        ]
        for check in block.checks
    )
    return table([Column(head) for head in ("outcome", "bound", "found", "margin")], rows)
