"""A heat map for terminals: shares as shaded cells that are readable without colour, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from clustcmp.errors import printable
from clustcmp.render.blocks import Shares, Tone
from clustcmp.render.terminal.text import Hanging, as_text
from clustcmp.render.widths import quote_blank, short, thin_out
from clustcmp.render.words import legend

# What stands for a share above 0, above a quarter, half and three quarters.
SHADES = "░▒▓█"
STYLES = ("dim", "", "cyan", "bold cyan")
NOTHING = "·"

# Columns that the list of long names below the map may take.
WIDEST_LIST = 80

# The widths of a cell: shade and number, or shade alone.
WIDE, NARROW = 6, 3

# Columns of the terminal for a name in front of a row.
LONGEST_TITLE = 16


def draw_shares(block: Shares, room: int) -> Iterator[RenderableType]:
    """The map, with percentages in the cells if there is room for them."""
    titles = [short(name, LONGEST_TITLE) for name in block.rows]
    margin = max(map(cell_len, titles)) + 2
    numbers = len(block.columns) * WIDE <= room - margin
    width = WIDE if numbers else NARROW
    heads, legend = name_columns(block.columns, width - 1, room)
    yield Hanging(Text(f"{block.title}{', in %' if numbers else ''}{block.which}", "dim"))
    # A head ends above the shade of its cells.
    padded = (" " * (width - 1 - cell_len(head)) + head for head in heads)
    yield Text(" " * margin + " ".join(padded), "dim")
    for title, row in zip(titles, block.shares, strict=True):
        cells = (heat_cell(share, numbers) for share in row)
        yield Text.assemble(title + " " * (margin - cell_len(title)), *cells)
    yield from (Text(line, "dim") for line in legend)
    if not numbers:
        yield Hanging(as_text(shade_legend(), Tone.faint))


def heat_cell(share: float, numbers: bool = True) -> Text:
    """One share, shaded, with its percentage if wanted."""
    if not share > 0.0:
        return Text(f"{NOTHING:>3}   " if numbers else f"{NOTHING:>2} ", "dim")
    level = min(int(share * len(SHADES)), len(SHADES) - 1)
    number = f"{percent(share):>3}" if numbers else ""
    return Text(f"{number}{SHADES[level] * 2} ", STYLES[level])


def percent(share: float) -> str:
    """A share above 0 in at most three characters; only all is 100 and only nothing is 0."""
    if share < 0.01:
        return "<1"
    return str(min(round(100 * share), 99)) if share < 1.0 else "100"


def shade_legend() -> str:
    """Which shares each shade stands for."""
    step = 100 // len(SHADES)
    others = (f"{shade} from {step * i} %" for i, shade in enumerate(SHADES[1:], 1))
    return legend(f"{NOTHING} none", f"{SHADES[0]} below {step} %", *others)


def name_columns(names: Sequence[str], width: int, room: int) -> tuple[list[str], list[str]]:
    """What stands above the columns: their names if all are short, else numbers and a legend."""
    heads = [quote_blank(thin_out(printable(name))) for name in names]
    if all(cell_len(head) <= width and len(head) <= width for head in heads):
        return heads, []
    heads = [str(number) for number in range(1, len(names) + 1)]
    lines = ["columns:"]
    for head, name in zip(heads, names, strict=True):
        entry = f" {head} {short(name)}"
        if cell_len(lines[-1] + entry) >= min(room, WIDEST_LIST):
            lines.append("        ")
        lines[-1] += entry + ("," if head != heads[-1] else "")
    return heads, lines
