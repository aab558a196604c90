"""Print the table of printed numbers and ours, then the curves."""

from __future__ import annotations

import io
import sys
from collections import Counter

from .bae import bae
from .coen import coen, curves
from .lecture import lecture
from .plot import draw
from .table import show_head, show_row
from .zaki import zaki
from .zhou import zhou

ROWS = [row for paper in (zhou, bae, coen, lecture, zaki) for row in paper.rows]


def main() -> None:
    """Print all; where braille cannot be printed, the curves are question marks."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    print(show_head())
    counts: Counter[str] = Counter()
    for row in ROWS:
        outcome = row.find()
        counts[outcome.verdict] += 1
        print(show_row(row, outcome), flush=True)
    print("\n" + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    for curve in curves():
        print("\n" + "\n".join(draw(curve)))


if __name__ == "__main__":
    main()
