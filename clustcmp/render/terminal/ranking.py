"""Clusterings compared with references: one table, in several parts if it is too wide."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from clustcmp.render.blocks import RankedColumn, RankedValue, Ranking
from clustcmp.render.terminal.text import Hanging
from clustcmp.render.widths import LONGEST_NAME, fit, short, shorten_all

# A name may take a quarter of the line, and is not shortened below so many columns.
SHARE_OF_NAMES = 4
SHORTEST_NAME = 8

# Spaces between two columns.
GAP = 2

# The columns that a line of a head may take, where heads take several lines.
NARROW_HEAD = 13

# Where the head of a column may go on in the next line.
ENDS_IN_HEAD = re.compile(r"(?<=[_:,=])")

# The head of names that stand beside values.
REFERENCE = "reference"

# What marks the best value of a column, also without colours.
MARK = "*"


class TextColumn(NamedTuple):
    """A column as text: the lines of its head and a cell for each row, all of the same width."""

    head: Sequence[str]
    cells: Sequence[Text]
    width: int


def draw_ranking(block: Ranking, width: int) -> Iterator[RenderableType]:
    """A line for each clustering; the columns that do not fit come below, under the same names."""
    names, pattern = shorten_all([row.name for row in block.rows], width // SHARE_OF_NAMES)
    shortened, of_references = shorten_all(block.references, LONGEST_NAME)
    references = dict(zip(block.references, shortened, strict=True))
    number, longest = len(str(len(names))), max(map(cell_len, names))
    room = width - number - GAP
    least = min(longest, max(SHORTEST_NAME, width // SHARE_OF_NAMES))
    parts = build_parts(block, references, wraps=False)
    if least + width_of(parts) > room:
        parts = build_parts(block, references, wraps=True)
    groups = divide(parts, room - least)
    name_width = min(longest, max(room - max(map(width_of, groups)), SHORTEST_NAME))
    fitted = [fit(name, name_width) for name in names]
    for position, group in enumerate(groups):
        yield from [Text()] if position else []
        yield from draw_group(group, fitted, number)
    if pattern:
        yield Hanging(Text(f"names are short for {pattern}", "dim"))
    if of_references not in ("", pattern) and len(block.references) > 1:
        yield Hanging(Text(f"references are short for {of_references}", "dim"))


def build_parts(block: Ranking, references: Mapping[str, str], wraps: bool) -> list[TextColumn]:
    """The columns of values, and a last one with a few words about each clustering."""
    parts = []
    # The only column is below a heading that names its metric, and its first value is the best.
    is_only = len(block.columns) == 1
    for position, column in enumerate(block.columns):
        head = [] if is_only else head_of(column, references, wraps)
        values = [row.values[position] for row in block.rows]
        parts.append(values_part(head, values, references, "" if is_only else MARK))
    abouts = align([row.about for row in block.rows])
    parts.append(TextColumn([], [Text(about, "dim") for about in abouts], len(abouts[0])))
    height = max(len(part.head) for part in parts)
    empty = [[" " * part.width] * (height - len(part.head)) for part in parts]
    return [part._replace(head=[*e, *part.head]) for part, e in zip(parts, empty, strict=True)]


def head_of(column: RankedColumn, references: Mapping[str, str], wraps: bool) -> list[str]:
    """The lines of a head: the metric, in several lines if it is long, and the reference."""
    lines = [""]
    for piece in ENDS_IN_HEAD.split(column.head) if wraps else [column.head]:
        if lines[-1] and len(lines[-1] + piece) > NARROW_HEAD:
            lines.append("")
        lines[-1] += piece
    return [*lines, short(references[column.reference])] if column.reference else lines


def values_part(
    head: Sequence[str], values: Sequence[RankedValue], references: Mapping[str, str], mark: str
) -> TextColumn:
    """A column of values with a mark behind the best, and with its references if it names them."""
    n = len(head)
    texts = align([*head, *(value.text for value in values)], right=True)
    names = names_beside(n, values, references)
    blank = " " * len(mark)
    cells = [
        Text()
        .append(text + (mark if value.is_best else blank), "bold" if value.is_best else "")
        .append(name, "dim")
        for text, value, name in zip(texts[n:], values, names[n:], strict=True)
    ]
    lines = [text + blank + name for text, name in zip(texts[:n], names[:n], strict=True)]
    return TextColumn(lines, cells, cell_len(cells[0].plain))


def names_beside(
    n_lines: int, values: Sequence[RankedValue], references: Mapping[str, str]
) -> list[str]:
    """What stands behind the lines of a head and behind values: their references, if named."""
    names = [short(references[one.reference]) if one.reference else "" for one in values]
    if not any(names):
        return [""] * (n_lines + len(values))
    head = [REFERENCE if line == n_lines - 1 else "" for line in range(n_lines)]
    return [" " * GAP + name for name in align([*head, *names])]


def align(texts: Sequence[str], right: bool = False) -> list[str]:
    """The texts in the same number of columns, at their left or right end."""
    width = max(map(cell_len, texts))
    spaces = [" " * (width - cell_len(text)) for text in texts]
    return [s + text if right else text + s for text, s in zip(texts, spaces, strict=True)]


def width_of(parts: Sequence[TextColumn]) -> int:
    """The columns of the terminal that parts take, with the space before each."""
    return sum(part.width + GAP for part in parts)


def divide(parts: Sequence[TextColumn], room: int) -> list[list[TextColumn]]:
    """The parts in groups that fit the room; a part that is too wide is a group of its own."""
    groups: list[list[TextColumn]] = [[]]
    for part in parts:
        if groups[-1] and width_of([*groups[-1], part]) > room:
            groups.append([])
        groups[-1].append(part)
    return groups


def draw_group(parts: Sequence[TextColumn], names: Sequence[str], number: int) -> Iterator[Text]:
    """The heads of some columns, and their cells behind the names."""
    start = " " * (number + GAP + cell_len(names[0]))
    for heads in zip(*(part.head for part in parts), strict=True):
        line = "".join(" " * GAP + head for head in heads)
        # Heads in other groups may take more lines.
        yield from [Text(start + line, "dim")] if line.strip() else []
    for position, name in enumerate(names):
        row = Text().append(f"{position + 1:>{number}}{' ' * GAP}", "dim").append(name)
        for part in parts:
            row.append(" " * GAP).append_text(part.cells[position])
        yield row
