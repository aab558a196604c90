"""How wide text is in a terminal, and names that are made to fit a number of columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size

from clustcmp.errors import printable

# Columns of the terminal for a name in a line.
LONGEST_NAME = 24

# Combining marks on one letter, such as accents; few languages need two.
MOST_MARKS = 2

# Where names may be cut: after a folder or a file and, if they are too long, after any word.
ENDS_OF_PREFIX = re.compile(r"/|::")
ENDS_OF_WORDS = re.compile(r"/|::|[_ -]")

# Before an ending or a column.
STARTS_OF_SUFFIX = re.compile(r"\.|::|/")

ELLIPSIS = "…"


def short(name: str, width: int = LONGEST_NAME) -> str:
    """A name from outside in at most so many columns; a long one without its middle."""
    text = quote_blank(thin_out(printable(name)))
    if cell_len(text) <= width:
        return text
    tail = text[-width:]
    while cell_len(tail) > width // 3 or cell_len(tail[0]) == 0:
        tail = tail[1:]
    head = set_cell_size(text, width - 1 - cell_len(tail)).rstrip()
    return f"{head}{ELLIPSIS}{tail}"


def thin_out(text: str) -> str:
    """The text with at most two combining marks per letter.

    A mark has no column of its own, so that a hundred of them on a letter cover other lines.
    """
    if text.isascii():
        return text
    kept, marks = [], 0
    for character in text:
        marks = marks + 1 if cell_len(character) == 0 else 0
        if marks <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def quote_blank(text: str) -> str:
    """The text, in quotes if it is empty, or begins or ends with a space that would not be seen."""
    return text if text and text == text.strip(" ") else f"'{text}'"


def fit(name: str, width: int) -> str:
    """The name in exactly this many columns, with its middle left out if need be."""
    shown = short(name, width)
    return shown + " " * (width - cell_len(shown))


def shorten_all(names: Sequence[str], width: int) -> tuple[list[str], str]:
    """The printable names without their common ends, and those ends around the word NAME.

    Common folders, endings and columns are cut; of names above the width common words, too.
    """
    shortened, pattern = cut(names, ENDS_OF_PREFIX)
    if max(map(cell_len, shortened)) <= width:
        return shortened, pattern
    return cut(names, ENDS_OF_WORDS)


def cut(names: Sequence[str], ends: re.Pattern[str]) -> tuple[list[str], str]:
    """The printable names without what all begin with, up to a separator, and all end with."""
    shown = [thin_out(printable(name)) for name in names]
    before = common_prefix(shown, ends)
    after = common_suffix([name[len(before) :] for name in shown])
    shortened = [name[len(before) : len(name) - len(after)] for name in shown]
    if not all(shortened) or not (before or after):
        return [quote_blank(name) for name in shown], ""
    return [quote_blank(name) for name in shortened], f"{before}NAME{after}"


def common_prefix(names: Sequence[str], ends: re.Pattern[str]) -> str:
    """What all names begin with, up to the last such end."""
    shared = shared_start(names)
    found = [match.end() for match in ends.finditer(shared)]
    return shared[: found[-1]] if found else ""


def common_suffix(names: Sequence[str]) -> str:
    """What all names end with, from the start of an ending or a column on."""
    shared = shared_start([name[::-1] for name in names])[::-1]
    start = STARTS_OF_SUFFIX.search(shared)
    # Two colons belong together.
    found = shared[start.start() :] if start else ""
    return found if not found.startswith(":") or found.startswith("::") else ""


def shared_start(texts: Sequence[str]) -> str:
    """The characters that all texts begin with."""
    first, last = min(texts), max(texts)
    differing = (i for i, (one, other) in enumerate(zip(first, last, strict=False)) if one != other)
    return first[: next(differing, min(len(first), len(last)))]
