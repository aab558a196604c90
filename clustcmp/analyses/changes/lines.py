"""The text of a table of millions of points, put together from the bytes of ids and labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from clustcmp.arrays import Integers
from clustcmp.model.texts import Texts
from clustcmp.notes import Note

# A cell with one of these bytes is put in quotes, whatever the delimiter is.
SPECIAL = np.frombuffer(b',"\t\r\n', dtype=np.uint8)

# Lines that are put together at once: this takes eight bytes of memory for each byte of text.
BLOCK = 1 << 18


class File(NamedTuple):
    """The text of a file, and what a user should know about it."""

    text: str
    notes: tuple[Note, ...] = ()


def quote(text: str) -> str:
    """The text as a cell of CSV, in quotes where a reader needs them."""
    if not text or any(character in text for character in ',"\t\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


def quote_all(texts: Texts) -> Texts:
    """The texts as cells of CSV, in quotes where a reader needs them."""
    special = np.flatnonzero(np.isin(texts.data, SPECIAL))
    rows = np.searchsorted(texts.offsets, special, side="right") - 1
    empty = np.flatnonzero(np.diff(texts.offsets) == 0)
    quoted = np.unique(np.concatenate([rows, empty]))
    quoted = quoted[(quoted >= 0) & (quoted < len(texts))]
    if not len(quoted):
        return texts
    where = np.arange(len(texts))
    where[quoted] = len(texts) + np.arange(len(quoted))
    return (texts + Texts.of(quote(texts[row]) for row in quoted.tolist())).take(where)


def join_lines(
    header: Sequence[str], columns: Sequence[tuple[Texts, Integers]], delimiter: str = ","
) -> str:
    """The text of a table; a column is (texts, codes): line i has the text `codes[i]`."""
    blocks = [delimiter.join(map(quote, header)) + "\n"]
    blocks += line_blocks(columns, delimiter)
    return "".join(blocks)


def line_blocks(columns: Sequence[tuple[Texts, Integers]], delimiter: str) -> Iterator[str]:
    """The lines of a table, many at a time."""
    parts = Texts.of([delimiter, "\n"])
    begins = []
    for cells, _ in columns:
        begins.append(len(parts))
        parts = parts + quote_all(cells)
    n_lines = len(columns[0][1])
    for first in range(0, n_lines, BLOCK):
        last = min(first + BLOCK, n_lines)
        pieces = np.zeros((last - first, 2 * len(columns)), dtype=np.int64)
        pieces[:, -1] = 1
        for index, (begin, (_, chosen)) in enumerate(zip(begins, columns, strict=True)):
            pieces[:, 2 * index] = begin + chosen[first:last]
        data = parts.take(pieces.ravel()).data
        yield data.tobytes().decode("utf-8", "surrogatepass")
