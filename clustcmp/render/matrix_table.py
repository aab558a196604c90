"""Matrices and rankings for people: numbers while they fit, then shades alone."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from clustcmp.choices import Color, Order
from clustcmp.errors import printable
from clustcmp.matrices import Matrix, MatrixReport
from clustcmp.registry import Registry
from clustcmp.render.heat import NOTHING, SHADES, STYLES
from clustcmp.render.matrix import columns_of, describe, show_missing
from clustcmp.render.names import fit, shorten_all
from clustcmp.render.tables import NARROWEST, UNLIMITED, draw
from clustcmp.render.words import LEGEND, count, show_value

MEDOID = "◆"
MISSING = "—"

# A name may take a third of the line, and is not shortened below so many columns.
SHARE_OF_NAMES = 3
SHORTEST_NAME = 8

# Where lines may be of any length, numbers of more clusterings than these are no table any more.
MOST_NUMBERS = 30

# Beside the name and the value of a ranking: how many clusters, and of what kind.
ROOM_FOR_CLUSTERS = 30

# In the order in which they are tried: digits behind the point.
DECIMALS = (4, 3, 2)

# The widths of cells that are shades alone.
SHADE_WIDTHS = (3, 2, 1)


def draw_report(report: MatrixReport, registry: Registry, order: Order, color: Color) -> str:
    """What was compared, then a matrix or a ranking for each metric."""
    terminal = max(shutil.get_terminal_size().columns, NARROWEST)
    width = terminal if sys.stdout.isatty() else UNLIMITED
    parts: list[RenderableType] = [Text(summary(report), style="bold")]
    for found in report:
        title = Text(found.metric, style="bold cyan")
        title.append(f"  {describe(found, registry)}", style="dim")
        parts += [Text(), title]
        parts += (ranking if report.reference else square)(report, found, order, width)
        parts += [Text(line, style="yellow") for line in show_missing(found)]
    parts += [Text(), Text(LEGEND, style="dim")]
    return draw(parts, color)


def summary(report: MatrixReport) -> str:
    """How many clusterings of how many points, and the reference."""
    sizes = sorted({given.points for given in report.inputs})
    points = (
        count(sizes[0], "point") if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,} points"
    )
    words = f"{count(len(report.inputs), 'clustering')} of {points}"
    if (reference := report.reference) is None:
        return words
    about = f"{count(reference.points, 'point')}, {count(reference.clusters, 'cluster')}"
    return f"{words}, compared with {printable(reference.name)} ({about}, {reference.kind})"


@dataclass(frozen=True)
class Layout:
    """How wide the names and the cells of a matrix are, and its digits, None for shades alone."""

    number: int
    name: int
    cell: int
    decimals: int | None


def square(report: MatrixReport, found: Matrix, order: Order, width: int) -> Iterator[Text]:
    """The lines of a matrix, or a word of regret if even shades do not fit."""
    columns = columns_of(found, order)
    names, pattern = shorten_all(report.names)
    values = found.values[np.ix_(columns, columns)]
    layout = choose_layout([names[i] for i in columns], values, width)
    if layout is None:
        yield Text(f"{len(columns)} columns do not fit here: -f csv has all values", "yellow")
    else:
        yield header(len(columns), layout)
        levels = find_levels(values, found.higher_is_better)
        for position, i in enumerate(columns):
            name = fit(names[i], layout.name) if layout.name else ""
            start = f"{position + 1:>{layout.number}} "
            line = Text(start, "dim")
            marked = i == found.medoid
            line.append(f"{MEDOID if marked else ' '} ", "bold cyan" if marked else "")
            line.append(f"{name}  " if name else "", "bold" if marked else "")
            for value, level in zip(values[position], levels[position], strict=True):
                line.append(*cell(float(value), int(level), layout))
            yield line
        yield from (Text(line, "dim") for line in shade_legend(values, found.higher_is_better))
    if found.medoid is not None:
        yield medoid_line(report, found)
    if pattern and layout is not None and layout.name:
        yield Text(f"names are short for {pattern}", "dim")


def choose_layout(
    names: Sequence[str], values: npt.NDArray[np.float64], width: int
) -> Layout | None:
    """The widest cells that leave room for the names; None if nothing fits."""
    n = len(names)
    number, longest = len(str(n)), max(map(cell_len, names))
    room = width - number - 5
    if width < UNLIMITED or n <= MOST_NUMBERS:
        name = min(longest, max(SHORTEST_NAME, width // SHARE_OF_NAMES))
        for decimals in DECIMALS:
            texts = [show_short(float(value), decimals) for value in values.flat]
            cell = max(number, *map(len, texts)) + 2
            if name + n * cell <= room:
                return Layout(number, min(longest, room - n * cell), cell, decimals)
    for cell in SHADE_WIDTHS:
        left = room - n * cell
        if left >= min(longest, SHORTEST_NAME):
            return Layout(number, min(longest, left), cell, None)
    return Layout(number, 0, 1, None) if n <= room + 2 else None


def header(n: int, layout: Layout) -> Text:
    """The numbers of the columns; of narrow ones each tenth."""
    start = " " * (layout.number + 3 + (layout.name + 2 if layout.name else 0))
    if layout.decimals is not None:
        cells = [f"{number:>{layout.cell - 2}}  " for number in range(1, n + 1)]
        return Text(start + "".join(cells), "dim")
    line = [" "] * (n * layout.cell)
    step = 1 if len(str(n)) < layout.cell else 10
    for number in range(step, n + 1, step):
        end = number * layout.cell - (1 if step == 1 else 0)
        digits = str(number)
        line[end - len(digits) : end] = digits
    return Text(start + "".join(line), "dim")


def cell(value: float, level: int, layout: Layout) -> tuple[str, str]:
    """The text and the style of one cell."""
    shade = SHADES[level] if level >= 0 else NOTHING
    style = STYLES[level] if level >= 0 else "dim"
    if layout.decimals is None:
        wide = max(layout.cell - 1, 1) if layout.cell != 2 else 2
        return (shade * wide).ljust(layout.cell), style
    text = show_short(value, layout.decimals)
    return f"{text:>{layout.cell - 2}}{shade if level >= 0 else ' '} ", style


def show_short(value: float, decimals: int) -> str:
    """A value with few digits, or a dash for none."""
    if np.isnan(value):
        return MISSING
    if value and not 10.0**-decimals <= abs(value) < 1e5:
        return f"{value:.{decimals - 2}e}"
    return f"{value:.{decimals}f}"


def find_range(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The lowest and the highest value."""
    known = values[~np.isnan(values)]
    return float(known.min()), float(known.max())


def find_levels(
    values: npt.NDArray[np.float64], higher_is_better: bool | None
) -> npt.NDArray[np.int64]:
    """The shade of each value from 0 to the darkest, which is the closest; -1 for none."""
    lowest, highest = find_range(values)
    spread = highest - lowest
    shares = (values - lowest) / spread if spread > 0.0 else np.where(np.isnan(values), np.nan, 1.0)
    if higher_is_better is False and spread > 0.0:
        shares = 1.0 - shares
    levels = np.minimum(np.nan_to_num(shares, nan=0.0) * len(SHADES), len(SHADES) - 1).astype(int)
    return np.where(np.isnan(values), -1, levels)


def shade_legend(values: npt.NDArray[np.float64], higher_is_better: bool | None) -> Iterator[str]:
    """Which values each shade stands for."""
    lowest, highest = find_range(values)
    if not highest > lowest:
        return
    shades = SHADES if higher_is_better is not False else SHADES[::-1]
    step = (highest - lowest) / len(SHADES)
    edges = [show_short(lowest + step * i, 2) for i in range(len(SHADES) + 1)]
    parts = [f"{shade} {edges[i]} to {edges[i + 1]}" for i, shade in enumerate(shades)]
    yield "   ".join(parts)


def medoid_line(report: MatrixReport, found: Matrix) -> Text:
    """Which clustering represents the others best, and how well."""
    medoid = found.medoid or 0
    values = found.values
    both = np.concatenate([np.delete(values[medoid], medoid), np.delete(values[:, medoid], medoid)])
    known = both[~np.isnan(both)]
    line = Text(f"{MEDOID} ", "bold cyan")
    line.append("medoid: ", "bold").append(printable(report.names[medoid]))
    if len(known):
        line.append(f", mean {show_value(float(known.mean()))} to the others", "dim")
    return line


def ranking(report: MatrixReport, found: Matrix, order: Order, width: int) -> Iterator[Text]:
    """A line for each clustering, the closest to the reference first."""
    names, pattern = shorten_all(report.names)
    cells = found.cells[0]
    values = [MISSING if one.value is None else show_value(one.value) for one in cells]
    number, value_width = len(str(len(cells))), max(map(len, values))
    room = max(width - number - value_width - ROOM_FOR_CLUSTERS, SHORTEST_NAME)
    name_width = min(max(map(cell_len, names)), room)
    for position, i in enumerate(columns_of(found, order), 1):
        given = report.inputs[i]
        line = Text(f"{position:>{number}}  ", "dim")
        line.append(f"{fit(names[i], name_width)}  ")
        line.append(f"{values[i]:>{value_width}}  ", "bold")
        line.append(f"{count(given.clusters, 'cluster')}, {given.kind}", "dim")
        yield line
    if pattern:
        yield Text(f"names are short for {pattern}", "dim")
