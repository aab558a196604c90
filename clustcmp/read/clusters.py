"""Lists of clusters: one cluster per line, as mcl writes them and as the CNL format has them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Flags, Integers
from clustcmp.errors import InputError
from clustcmp.read.typed_table import TypedTable, table_of

EXPECTED = "the ids of one cluster per line, with tabs or spaces between them"

# How the matrices begin that mcl writes unless it is called with --abc.
MATRIX = re.compile(rb"(?:#[^\n]*\n)*\(mclheader")

# What the first line of a CNL file may say.
NUMBERED = re.compile(rb"numbered:\s*1", re.IGNORECASE)
FUZZY = re.compile(rb"fuzzy:\s*1", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class ClusterList(TypedTable):
    """A list of clusters: a row for each member, with its id and with the number of its cluster.

    `lines` holds the line of each row. A point in two clusters has two rows.
    """

    lines: Integers = ()  # type: ignore[assignment]
    unit: str = "line"

    def line(self, row: int) -> int:
        """The line on which the cluster of a row (from 0) stands."""
        return int(self.lines[row])


def parse_clusters(name: str, data: bytes, has_header: bool | None) -> ClusterList:
    """Clusters as mcl writes them, which are called 1, 2, ...

    If a tab is in the file, ids may have spaces.
    """
    if MATRIX.match(data):
        raise InputError(
            f"{name}: is a matrix of mcl, not a list of clusters",
            hint="let mcl read and write labels (its option abc), or convert it with mcxdump",
        )
    return build(name, data, is_comment=False)


def parse_cnl(name: str, data: bytes, has_header: bool | None) -> ClusterList:
    """A CNL file: lines that begin with # are comments, the first of which may be a header."""
    first = data.split(b"\n", 1)[0]
    header = first if first.startswith(b"#") else b""
    if FUZZY.search(header):
        raise InputError(
            f"{name}:1: the clusters have degrees of membership (Fuzzy: 1), which this format is "
            "not read with",
            hint="write a table with a column of degrees for each cluster",
        )
    return build(name, data, is_comment=True, is_numbered=bool(NUMBERED.search(header)))


def build(name: str, data: bytes, is_comment: bool, is_numbered: bool = False) -> ClusterList:
    """The members of all clusters with the names of these; a comment is a line with # first."""
    import pyarrow as pa

    words = split_words(data, b"\t" if b"\t" in data and not is_comment else b"\t ")
    if is_comment:
        words = words.without(find_comments(data)[words.lines])
    if not len(words.starts):
        raise InputError(f"{name}: is empty", hint=f"expected is {EXPECTED}")
    texts = words.as_arrow()
    is_first = np.diff(words.lines, prepend=-1) != 0
    numbers = np.cumsum(is_first)
    labels: Any = pa.array(numbers)
    if is_numbered:
        labels, texts, words = take_names(name, words, texts, is_first, numbers)
    table = table_of(name, {"id": texts, "label": labels})
    return ClusterList(name, table.header, table.read_columns, table.first, lines=words.lines + 1)


@dataclass(frozen=True, eq=False)
class Words:
    """The words of a text: where in the data each starts and ends, and its line, from 0."""

    data: npt.NDArray[np.uint8]
    starts: Integers
    ends: Integers
    lines: Integers

    def without(self, left_out: Flags) -> Words:
        """The words but some."""
        kept = ~left_out
        return Words(self.data, self.starts[kept], self.ends[kept], self.lines[kept])

    def as_arrow(self) -> Any:
        """The words as an Arrow array of texts."""
        import pyarrow as pa

        change = np.zeros(len(self.data) + 1, dtype=np.int8)
        change[self.starts] += 1
        change[self.ends] -= 1
        letters = self.data[np.cumsum(change[:-1], dtype=np.int8).view(np.bool_)]
        offsets = np.zeros(len(self.starts) + 1, dtype=np.int64)
        np.cumsum(self.ends - self.starts, out=offsets[1:])
        return pa.LargeStringArray.from_buffers(
            len(self.starts), pa.py_buffer(offsets), pa.py_buffer(letters)
        )


def split_words(data: bytes, separators: bytes) -> Words:
    """The words between separators and line ends."""
    view = np.frombuffer(data, dtype=np.uint8)
    is_gap = np.zeros(256, dtype=np.bool_)
    is_gap[np.frombuffer(separators + b"\r\n", dtype=np.uint8)] = True
    inside = np.zeros(len(view) + 2, dtype=np.int8)
    inside[1:-1] = ~is_gap[view]
    change = np.diff(inside)
    starts, ends = np.flatnonzero(change == 1), np.flatnonzero(change == -1)
    return Words(view, starts, ends, np.searchsorted(line_ends(view), starts))


def line_ends(view: npt.NDArray[np.uint8]) -> Integers:
    """Where lines end; an old line end is CR alone."""
    found = view == ord("\n")
    if not found.any():
        found = view == ord("\r")
    return np.flatnonzero(found)


def find_comments(data: bytes) -> Flags:
    """For each line whether it begins with #."""
    view = np.frombuffer(data, dtype=np.uint8)
    starts = np.concatenate([[0], line_ends(view) + 1])
    begins: Flags = np.append(view, np.uint8(0))[starts] == ord("#")
    return begins


def take_names(
    name: str, words: Words, texts: Any, is_first: Flags, numbers: Integers
) -> tuple[Any, Any, Words]:
    """The names of numbered clusters, the ids of their members, and the words of these.

    The first word of each line is the name of the cluster, followed by >.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    names = texts.filter(pa.array(is_first))
    wrong = pc.index(pc.ends_with(names, ">"), False).as_py()
    if wrong >= 0:
        line = int(words.lines[np.flatnonzero(is_first)[wrong]]) + 1
        raise InputError(
            f"{name}:{line}: does not begin with the number of the cluster and >",
            hint="the header says that all clusters have one (Numbered: 1)",
        )
    kept = pa.array(~is_first)
    shown = pc.utf8_slice_codeunits(names, 0, -1)
    return (
        shown.take(pa.array(numbers - 1)).filter(kept),
        texts.filter(kept),
        words.without(is_first),
    )
