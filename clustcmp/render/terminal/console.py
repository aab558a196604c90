"""The console that draws: how wide it is, and whether it uses colours."""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from collections.abc import Sequence

from rich.console import Console, RenderableType

from clustcmp.output_settings import Color
from clustcmp.render.terminal.text import HARD_SPACE

# Tables that go to a file or a pipe are never broken; sentences are.
UNLIMITED = 100_000
PROSE = 96
NARROWEST = 60

# Spaces at the end of a line, before, between and after the commands that set colours.
TRAILING = re.compile(r"(?: |\x1b\[[0-9;]*m)+$", re.MULTILINE)


def draw(parts: Sequence[RenderableType], color: Color, widest: int = UNLIMITED) -> str:
    """The parts as text, coloured or not, as wide as the terminal or as they need."""
    colored = use_color(color)
    file = io.StringIO()
    console = Console(
        file=file,
        width=min(width(), widest),
        force_terminal=colored,
        no_color=not colored,
        color_system="standard" if colored else None,
        highlight=False,
        markup=False,
        emoji=False,
    )
    for part in parts:
        # A line that a narrow terminal wraps is better than a number that is cut.
        console.print(part, crop=False)
    text = TRAILING.sub(lambda found: found[0].replace(" ", ""), file.getvalue())
    return text.replace(HARD_SPACE, " ")


def width() -> int:
    """The columns that a line may take: those of the terminal, or any number in a file."""
    return room() if sys.stdout.isatty() else UNLIMITED


def room() -> int:
    """The columns of the terminal; where the text goes to a file, those that COLUMNS names."""
    # shutil asks the terminal of the process, also while its output goes to a file.
    typed = os.environ.get("COLUMNS", "")
    columns = int(typed) if typed.isdecimal() else NARROWEST
    if sys.stdout.isatty():
        columns = shutil.get_terminal_size().columns
    return max(columns, NARROWEST)


def use_color(color: Color) -> bool:
    """Whether to colour what goes to stdout.

    For `auto`, NO_COLOR switches colours off (no-color.org) and FORCE_COLOR switches them on, also
    in a pipe (force-color.org); either counts unless it is empty. If both are set, there are no
    colours, as in Python itself: a missing colour does less harm than escapes in a file.
    """
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
