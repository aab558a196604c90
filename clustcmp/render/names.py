"""Names of many clusterings, made short enough for a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len, chop_cells

from clustcmp.errors import printable
from clustcmp.render.words import quote_blank, thin_out

# Where names may be cut: after a folder or a file and, if they are too long, after any word.
ENDS_OF_PREFIX = re.compile(r"/|::")
ENDS_OF_WORDS = re.compile(r"/|::|[_ -]")

# Before an ending or a column.
STARTS_OF_SUFFIX = re.compile(r"\.|::|/")

ELLIPSIS = "…"


def shorten_all(names: Sequence[str], width: int) -> tuple[list[str], str]:
    """The printable names without what all share at their ends, and what NAME stands in.

    That is folders, endings and columns or, for names above the width, words too.
    """
    short, pattern = cut(names, ENDS_OF_PREFIX)
    if max(map(cell_len, short)) <= width:
        return short, pattern
    return cut(names, ENDS_OF_WORDS)


def cut(names: Sequence[str], ends: re.Pattern[str]) -> tuple[list[str], str]:
    """The printable names without what all begin with, up to such an end, and all end with."""
    shown = [thin_out(printable(name)) for name in names]
    before = common_prefix(shown, ends)
    after = common_suffix([name[len(before) :] for name in shown])
    short = [name[len(before) : len(name) - len(after)] for name in shown]
    if not all(short) or not (before or after):
        return [quote_blank(name) for name in shown], ""
    return [quote_blank(name) for name in short], f"{before}NAME{after}"


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


def fit(name: str, width: int) -> str:
    """The name in exactly this many columns of a terminal, with its middle left out if need be."""
    if cell_len(name) > width:
        head = first_cells(name, (width - 1) // 2)
        tail = first_cells(name[::-1], width - 1 - cell_len(head))[::-1]
        name = f"{head}{ELLIPSIS}{tail}"
    return name + " " * (width - cell_len(name))


def first_cells(text: str, width: int) -> str:
    """As much of a text as fits in so many columns."""
    return chop_cells(text, width)[0] if width > 1 and text else text[:width]
