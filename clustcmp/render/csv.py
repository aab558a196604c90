"""The values of a report as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from clustcmp.render.blocks import Block, Data


def write(blocks: Iterable[Block]) -> str:
    """The data of a document."""
    (data,) = [block for block in blocks if isinstance(block, Data)]
    return to_csv(data.columns, data.rows())


def to_csv(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """CSV text; None is an empty cell, and floats keep all their digits."""
    # Only with this end of a line the writer quotes a carriage return, too.
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    lines = []
    for row in (header, *rows):
        writer.writerow(row)
        lines.append(text.getvalue().removesuffix("\r\n"))
        text.seek(0)
        text.truncate()
    return "\n".join(lines) + "\n"
