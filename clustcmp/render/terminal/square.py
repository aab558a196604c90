"""Matrices for people: numbers while they fit, then shades alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from clustcmp.arrays import SAME_SUM, Floats, Integers
from clustcmp.errors import plural, printable
from clustcmp.render.blocks import Square, Tone
from clustcmp.render.terminal.console import UNLIMITED
from clustcmp.render.terminal.shares import NOTHING, SHADES, STYLES
from clustcmp.render.terminal.text import Hanging, as_text
from clustcmp.render.widths import fit, shorten_all, thin_out
from clustcmp.render.words import chosen_decimals, legend, show_approximate, show_value
from clustcmp.wording import either

MEDOID = "◆"
MISSING = "—"

# A name may take a quarter of the line, and is not shortened below so many columns.
SHARE_OF_NAMES = 4
SHORTEST_NAME = 8

# In a file, where lines may be of any length, a matrix of more clusterings has shades alone.
MOST_NUMBERS = 30

# The columns of a map of shades in a file, where lines may be of any length.
WIDEST_SHADES = 200

# Decimals of the values at which one shade ends and the next begins.
EDGE_DECIMALS = (2, 3, 4, 5, 6)

# Decimals of a number, and widths of cells that are shades alone, in the order of preference.
DECIMALS = (4, 3, 2)
SHADE_WIDTHS = (3, 2, 1)

# A number of at least HUGE has an exponent; if all numbers are below TINY, all have one.
HUGE, TINY = 1e5, 1e-3

# Intervals that are listed below a matrix; JSON has them all.
MOST_INTERVALS = 10


@dataclass(frozen=True)
class Layout:
    """How wide the names and the cells of a matrix are, and its digits, None for shades alone."""

    number: int
    name: int
    cell: int
    decimals: int | None
    tiny: bool = False


def draw_square(block: Square, width: int) -> Iterator[RenderableType]:
    """The lines of a matrix and what there is to know about it."""
    names, pattern = shorten_all(block.names, width // SHARE_OF_NAMES)
    values, better = block.values, block.higher_is_better
    edges = find_edges(values, block.ends)
    layout = choose_layout(names, values, width)
    if layout is None:
        yield from draw_means(values, edges, better, min(width, WIDEST_SHADES))
    else:
        yield header(len(names), layout)
        levels = find_levels(values, edges, better)
        for position, name in enumerate(names):
            line = start_line(position, name, layout, position == block.medoid)
            for value, level in zip(values[position], levels[position], strict=True):
                line.append(*cell(float(value), int(level), layout))
            yield line
    if not np.isnan(values).all():
        yield Hanging(as_text(shade_legend(edges, better), Tone.faint))
    yield from (Hanging(Text(line, "dim")) for line in show_intervals(block))
    if block.medoid is not None:
        yield Hanging(medoid_line(block.names[block.medoid], block.mean))
    if pattern and layout is not None:
        yield Hanging(Text(f"names are short for {pattern}", "dim"))


def show_intervals(block: Square) -> Iterator[str]:
    """The first approximate values with their intervals, and how many more there are."""
    for (i, j), interval in list(block.intervals.items())[:MOST_INTERVALS]:
        value = show_approximate(float(block.values[i, j]), interval)
        yield f"row {i + 1}, column {j + 1}: {value}"
    if len(block.intervals) > MOST_INTERVALS:
        more = plural(len(block.intervals) - MOST_INTERVALS, "more approximate value")
        yield f"{more}; {either('-f json', 'to_dict()')} has their intervals"


def start_line(position: int, name: str, layout: Layout, is_medoid: bool) -> Text:
    """The number and the name of a row, marked if it is the medoid."""
    line = Text().append(f"{position + 1:>{layout.number}} ", "dim")
    line.append(f"{MEDOID if is_medoid else ' '} ", "bold cyan" if is_medoid else "")
    return line.append(f"{fit(name, layout.name)}  ", "bold" if is_medoid else "")


def choose_layout(names: Sequence[str], values: Floats, width: int) -> Layout | None:
    """The widest cells that leave room for the names; None if nothing fits."""
    n = len(names)
    number, longest = len(str(n)), max(map(cell_len, names))
    room, tiny = width - number - 5, are_tiny(values)
    if width < UNLIMITED or n <= MOST_NUMBERS:
        name = min(longest, max(SHORTEST_NAME, width // SHARE_OF_NAMES))
        for decimals in possible_decimals(values):
            texts = [show_number(float(value), decimals, tiny) for value in values.flat]
            cell = max(number, *map(len, texts)) + 2
            if name + n * cell <= room:
                return Layout(number, min(longest, room - n * cell), cell, decimals, tiny)
    room = min(room, WIDEST_SHADES)
    for cell in SHADE_WIDTHS:
        left = room - n * cell
        if left >= min(longest, SHORTEST_NAME):
            return Layout(number, min(longest, left), cell, None)
    return None


def draw_means(
    values: Floats, edges: Floats, higher_is_better: bool | None, width: int
) -> Iterator[RenderableType]:
    """A smaller map of many clusterings: each cell is the mean of several values."""
    n, number = len(values), len(str(len(values)))
    size = -(-n // (width - number - 2))
    starts = np.arange(0, n, size)
    known = ~np.isnan(values)
    sums, counts = (
        np.add.reduceat(np.add.reduceat(part, starts, axis=0), starts, axis=1)
        for part in (np.where(known, values, 0.0), known.astype(np.float64))
    )
    means = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0.0)
    layout = Layout(number, 0, 1, None)
    for start, row in zip(starts, find_levels(means, edges, higher_is_better), strict=True):
        line = Text().append(f"{start + 1:>{number}}  ", "dim")
        for level in row:
            line.append(*cell(0.0, int(level), layout))
        yield line
    each = (
        f"each cell is the mean of {size} x {size} values" if size > 1 else "each cell is a value"
    )
    all_of_them = either("-f csv and -f json have", "to_frame() and to_dict() have")
    yield Text(f"{n} clusterings: {each}; {all_of_them} all of them", "dim")


def header(n: int, layout: Layout) -> Text:
    """The numbers of the columns; of narrow ones each tenth."""
    start = " " * (layout.number + 5 + layout.name)
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
    text = show_number(value, layout.decimals, layout.tiny)
    return f"{text:>{layout.cell - 2}}{shade if level >= 0 else ' '} ", style


def possible_decimals(values: Floats) -> Sequence[int]:
    """The decimals that a value may have in a cell, in the order of preference."""
    chosen = chosen_decimals()
    if chosen is not None:
        return (chosen,)
    return (0,) if are_counts(values) else DECIMALS


def show_number(value: float, decimals: int, tiny: bool) -> str:
    """The value in a cell: as the user asked for it, or with few digits."""
    if chosen_decimals() is not None:
        return show_approximate(value, None, MISSING)
    return show_short(value, decimals, tiny)


def show_short(value: float, decimals: int, tiny: bool = False) -> str:
    """A value with few digits, with an exponent if all are tiny; a dash for none."""
    if np.isnan(value):
        return MISSING
    if abs(value) >= HUGE or (tiny and value):
        return f"{value:.{max(decimals - 2, 0)}e}"
    return f"{value:z.{decimals}f}"


def are_tiny(values: Floats) -> bool:
    """Whether a few decimals would show nothing but zeros."""
    known = values[~np.isnan(values)]
    return bool(len(known) and np.abs(known).max() < TINY)


def are_counts(values: Floats) -> bool:
    """Whether all values are whole numbers, and not only 0 and 1."""
    known = values[~np.isnan(values)]
    return bool(len(known) and (known == np.floor(known)).all() and np.abs(known).max() > 1.0)


def find_edges(values: Floats, ends: tuple[float, float] | None = None) -> Floats:
    """The values at which one shade ends and the next begins.

    Shades divide the range from the worst to the best possible value, so that those of two matrices
    mean the same. If an end is infinite or not known, they divide the range of the values off the
    diagonal: nearly all values on it are the best possible one, and if they counted, the others
    would mostly have the same shade.
    """
    if ends is not None:
        return np.linspace(min(ends), max(ends), len(SHADES) + 1)[1:-1]
    others = values[~np.eye(len(values), dtype=np.bool_)]
    known = others[~np.isnan(others)]
    if not len(known) or are_level(known):
        # All values off the diagonal are equal: they get another shade than the diagonal.
        known = values[~np.isnan(values)]
    if not len(known):
        return np.zeros(len(SHADES) - 1)
    return np.linspace(known.min(), known.max(), len(SHADES) + 1)[1:-1]


def are_level(values: Floats) -> bool:
    """Whether values differ by rounding only."""
    return bool(np.isclose(values.min(), values.max(), rtol=SAME_SUM, atol=0.0))


def find_levels(values: Floats, edges: Floats, higher_is_better: bool | None) -> Integers:
    """The shade of each value from 0 to the darkest, which is the closest; -1 for none."""
    levels = np.searchsorted(edges, values, side="right")
    if higher_is_better is False:
        levels = len(edges) - levels
    if are_level(edges):
        levels = np.full_like(levels, len(edges))
    return np.where(np.isnan(values), -1, levels)


def shade_legend(edges: Floats, higher_is_better: bool | None) -> str:
    """Which values each shade stands for."""
    if are_level(edges):
        return f"{SHADES[-1]} all values are {show_value(float(edges[0]))}"
    tiny = are_tiny(edges) and higher_is_better is not True
    shown = show_edges(edges, tiny)
    shades = SHADES if higher_is_better is not False else SHADES[::-1]
    parts = [f"{shades[0]} below {shown[0]}"]
    parts += [f"{shade} from {edge}" for shade, edge in zip(shades[1:], shown, strict=True)]
    return legend(*parts)


def show_edges(edges: Floats, tiny: bool) -> list[str]:
    """The edges with the digits that they have if these are few, else with as few as tell them."""
    every = [[show_short(edge, n, tiny) for edge in edges.tolist()] for n in EDGE_DECIMALS]
    exact = (texts for texts in every if list(map(float, texts)) == edges.tolist())
    distinct = (texts for texts in every if len(set(texts)) == len(edges))
    return next(exact, next(distinct, every[-1]))


def medoid_line(name: str, mean: float | None) -> Text:
    """Which clustering represents the others best, and how well."""
    line = Text().append(f"{MEDOID} ", "bold cyan")
    line.append("medoid: ", "bold").append(thin_out(printable(name)))
    if mean is not None:
        line.append(f", mean {show_value(mean)} to the others", "dim")
    return line
