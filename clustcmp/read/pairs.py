"""Pairs of ids that belong together, as record linkage finds them: connected ids are a cluster."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from clustcmp.arrays import Integers
from clustcmp.errors import InputError, show_names
from clustcmp.model import Texts
from clustcmp.read.address import STDIN, Address
from clustcmp.read.clusterings import codes_of
from clustcmp.read.columns import ColumnType, TabularFile, where_in
from clustcmp.read.formats import fetch, open_file
from clustcmp.read.headers import first_line_may_be_row
from clustcmp.read.source import Stored
from clustcmp.read.typed_table import TypedTable, table_of

# What tells the two columns of a pair apart in their names: id_l and id_r, left_id and right_id.
SIDES = {"l": "r", "left": "right", "1": "2", "a": "b", "ltable": "rtable", "x": "y"}
PIECE = re.compile(r"[a-zA-Z]+|\d+|[^a-zA-Z\d]+")

HOW_TO_NAME = "keep the two columns of ids alone, or call them id_l and id_r"


def parse_pairs(name: str, stored: Stored, has_header: bool | None) -> TypedTable:
    """A table of the points in pairs, each with the first point of its cluster as label.

    The file has any other format. Where a row has one id only, or one id twice, this point may be a
    cluster of its own.
    """
    path = STDIN[0] if name == "stdin" else name
    address = Address(path, path)
    data = stored.data if isinstance(stored.data, bytes) else fetch(address, stored.max_bytes)
    file = open_file(address, data, has_header, stored.max_bytes)
    left, right = find_both(file)
    texts = file.read({left: ColumnType.text, right: ColumnType.text}).texts
    ids, first, second = number_ids(texts[left], texts[right])
    check_rows(file, first, second)
    if not file.header_is_said and codes_of(ids, [left, right]):
        raise first_line_may_be_row(name, "names ids that other lines have, too")
    columns = {"id": as_arrow(ids), "label": as_arrow(ids.take(connect(first, second, len(ids))))}
    table = table_of(name, columns)
    return TypedTable(name, table.header, table.read_columns, table.first, is_partial=True)


def find_both(file: TabularFile) -> tuple[str, str]:
    """The two columns of ids: the only two, else those whose names differ in the side alone."""
    header = file.header
    if len(header) == 2:
        return header[0], header[1]
    found = [(one, other) for one in header if (other := find_other(one, header)) is not None]
    named = [pair for pair in found if "id" in pair[0].lower()]
    for pairs in (found, named):
        if len(pairs) == 1:
            return pairs[0]
    raise InputError(
        f"{file.name}: which two columns hold the ids of pairs? There are {show_names(header)}",
        hint=HOW_TO_NAME,
    )


def find_other(name: str, header: Sequence[str]) -> str | None:
    """The column of the other side, if this one is that of the left or the first side."""
    pieces = PIECE.findall(name)
    for position, piece in enumerate(pieces):
        other = SIDES.get(piece.lower())
        if other is not None:
            changed = [*pieces[:position], other, *pieces[position + 1 :]]
            wanted = "".join(changed).lower()
            if found := [one for one in header if one.lower() == wanted]:
                return found[0]
    return None


def number_ids(left: Texts, right: Texts) -> tuple[Texts, Integers, Integers]:
    """All ids once, in the order of the rows, and which of them each row has on each side.

    -1 stands for an empty cell.
    """
    import pyarrow as pa

    from clustcmp.read.columns import to_texts

    n_rows = len(left)
    # Row by row, so that the order of the ids is that of the file.
    turns = np.arange(2 * n_rows).reshape(2, n_rows).T.ravel()
    both = as_arrow(left + right).take(pa.array(turns)).dictionary_encode()
    codes = both.indices.to_numpy().astype(np.int64)
    ids = to_texts(both.dictionary)
    is_empty = ids.sizes == 0
    rank = np.where(is_empty, -1, np.cumsum(~is_empty) - 1)
    codes = rank[codes]
    return ids.take(np.flatnonzero(~is_empty)), codes[::2], codes[1::2]


def check_rows(file: TabularFile, first: Integers, second: Integers) -> None:
    """Refuse a row without any id."""
    empty = np.flatnonzero((first < 0) & (second < 0))
    if len(empty):
        raise InputError(
            f"{where_in(file, int(empty[0]))}: has no id", hint="a pair of ids is needed"
        )


def connect(first: Integers, second: Integers, n_ids: int) -> Integers:
    """For each id the first one that pairs connect it with."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    are_pairs = (first >= 0) & (second >= 0)
    edges = (np.ones(int(are_pairs.sum()), np.int8), (first[are_pairs], second[are_pairs]))
    _, component = connected_components(coo_array(edges, shape=(n_ids, n_ids)), directed=False)
    leaders = np.full(n_ids, n_ids)
    np.minimum.at(leaders, component, np.arange(n_ids))
    found: Integers = leaders[component]
    return found


def as_arrow(texts: Texts) -> Any:
    """The texts as an Arrow array."""
    import pyarrow as pa

    offsets = np.ascontiguousarray(texts.offsets)
    return pa.LargeStringArray.from_buffers(
        len(texts), pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(texts.data))
    )
