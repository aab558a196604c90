"""The commands, one module each: parse, call, show, exit."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from clustcmp.errors import printable


def tell(lines: Iterable[str], quiet: bool = False) -> None:
    """Write lines to stderr, unless nothing is to be said."""
    if not quiet:
        sys.stderr.writelines(f"{printable(line)}\n" for line in lines)
