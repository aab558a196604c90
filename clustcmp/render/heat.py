"""A heat map for terminals: shares as shaded cells that are readable without colour too."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

# What stands for a share above 0, above a quarter, half and three quarters.
SHADES = "░▒▓█"
STYLES = ("dim", "", "cyan", "bold cyan")
NOTHING = "·"

# The widths of a cell: shade and number, or shade alone.
WIDE, NARROW = 6, 3


def heat_rows(rows: Sequence[Sequence[float]], numbers: bool = True) -> list[Text]:
    """A line for each row of shares from 0 to 1; cells are WIDE with numbers, else NARROW."""
    return [Text.assemble(*(heat_cell(share, numbers) for share in row)) for row in rows]


def heat_cell(share: float, numbers: bool = True) -> Text:
    """One share, shaded, with its percentage if wanted."""
    if not share > 0.0:
        return Text(f"{NOTHING:>{WIDE - 3 if numbers else 2}}".ljust(cell_width(numbers)), "dim")
    level = min(int(share * len(SHADES)), len(SHADES) - 1)
    number = f"{percent(share):>3}" if numbers else ""
    return Text(f"{number}{SHADES[level] * 2} ", STYLES[level])


def shade_legend() -> str:
    """Which shares each shade stands for."""
    step = 100 // len(SHADES)
    others = (f"{shade} from {step * i} %" for i, shade in enumerate(SHADES[1:], 1))
    return "   ".join([f"{NOTHING} none", f"{SHADES[0]} below {step} %", *others])


def cell_width(numbers: bool) -> int:
    """How many columns of the terminal a cell takes."""
    return WIDE if numbers else NARROW


def percent(share: float) -> str:
    """A share above 0 in at most three characters; only all is 100 and only nothing is 0."""
    if share < 0.01:
        return "<1"
    return str(min(round(100 * share), 99)) if share < 1.0 else "100"


def has_room(n_columns: int, width: int) -> bool:
    """Whether the numbers of so many columns fit in a width."""
    return n_columns * WIDE <= width
