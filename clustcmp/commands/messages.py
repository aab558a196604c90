"""Errors, hints and notes on stderr: one line each in a file, wrapped lines in a terminal."""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from contextlib import suppress

from clustcmp.errors import printable

# The columns of a terminal that does not say how wide it is.
USUAL_WIDTH = 80


def write_message(start: str, text: str, indent: int | None = None) -> None:
    """Write one message to stderr; in a terminal, all lines but the first are indented.

    Without an indent they stand below the text of the first line. What cannot be written is left
    out, so that the exit status does not depend on it.
    """
    message = f"{start}{printable(text)}"
    if sys.stderr.isatty():
        message = "\n".join(wrap(message, width(), len(start) if indent is None else indent))
    with suppress(OSError):
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()


def width() -> int:
    """The columns of the terminal that stderr is."""
    typed = os.environ.get("COLUMNS", "")
    if typed.isdecimal() and int(typed):
        return int(typed)
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or USUAL_WIDTH
    except (OSError, ValueError):
        return USUAL_WIDTH


def wrap(text: str, width: int, indent: int) -> list[str]:
    """The text in lines of at most so many columns, all but the first with spaces in front.

    A word is never broken: a path or a command that is too long for a line can still be copied.
    """
    # Spaces in front of the text belong to its first word.
    first, *words = re.findall(r"^ *\S+|\S+", text) or [""]
    lines = [first]
    for word in words:
        if columns_of(lines[-1]) + 1 + columns_of(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(" " * indent + word)
    return lines


def columns_of(text: str) -> int:
    """How many columns of a terminal a text takes. rich knows more, but takes longer to import."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(map(bool, map(unicodedata.combining, text)))
