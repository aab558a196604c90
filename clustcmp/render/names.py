"""Names of many clusterings, made short enough for a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len, chop_cells

from clustcmp.errors import printable

# Where a name may be cut: after a folder, before an ending or a column.
ENDS_OF_PREFIX = re.compile(r"/|::")
STARTS_OF_SUFFIX = re.compile(r"\.|::|/")

ELLIPSIS = "…"


def shorten_all(names: Sequence[str]) -> tuple[list[str], str]:
    """The printable names without the folder and ending that all share, and what NAME stands in."""
    shown = [printable(name) for name in names]
    before = common_prefix(shown)
    after = common_suffix([name[len(before) :] for name in shown])
    short = [name[len(before) : len(name) - len(after)] for name in shown]
    if not all(short) or not (before or after):
        return shown, ""
    return short, f"{before}NAME{after}"


def common_prefix(names: Sequence[str]) -> str:
    """What all names begin with, up to the end of a folder or a file."""
    shared = shared_start(names)
    ends = [match.end() for match in ENDS_OF_PREFIX.finditer(shared)]
    return shared[: ends[-1]] if ends else ""


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
