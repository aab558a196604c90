"""CSV text for millions of points, made of the bytes of their ids and labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from clustcmp.arrays import Integers
from clustcmp.model.texts import Texts

# Bytes because of which a cell is put in quotes, whatever the delimiter is.
SPECIAL = np.frombuffer(b',"\t\r\n', dtype=np.uint8)

# Lines that are put together at once; the work takes eight bytes for each byte of text.
BLOCK = 1 << 18


def quote(text: str) -> str:
    """A cell that reads back as the text."""
    if not text or any(character in text for character in ',"\t\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


def quote_all(texts: Texts) -> Texts:
    """Cells that read back as the texts."""
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
    """The text of a table; a column is cells, each given once, and which of them each line has."""
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


def number_texts(numbers: Iterable[int]) -> Texts:
    """Numbers as texts."""
    return Texts.of(map(str, numbers))
