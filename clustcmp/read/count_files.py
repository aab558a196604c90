"""A contingency in a file: rows a, b, count as a database gives them, or a matrix with names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Flags, Integers
from clustcmp.errors import InputError
from clustcmp.model import Coverage, Texts
from clustcmp.model.points import LARGEST_TOTAL
from clustcmp.read.address import Address
from clustcmp.read.columns import ColumnType, LabelColumn, TabularFile, where_in
from clustcmp.read.counts import LISTED, Cells, Counts, check_margins, count_cells, whole_counts
from clustcmp.read.formats import fetch, open_file
from clustcmp.settings import TwoSettings
from clustcmp.wording import say

LAYOUT = (
    "name three columns a, b and count; or give a matrix: the first column names the clusters of "
    "a, the header those of b"
)

# What a negative count in the result of `clustcmp sql` says.
NEGATIVE = "after clustcmp sql a negative count says that an id is missing or listed twice"


def read_counts(path: str, settings: TwoSettings) -> Counts:
    """The contingency in a file of any format that clusterings can have."""
    address = Address.of_file(path)
    if address.typed_columns:
        raise InputError(f"{path!r}: a contingency has no columns to choose", hint=LAYOUT)
    data = fetch(address, settings["max_bytes"])
    # The header of a matrix may be numbers, which are the names of clusters.
    file = open_file(address, data, True, settings["max_bytes"])
    named = find_listed(file.header)
    if named is None:
        found = count_cells(matrix_cells(file))
        shared = Coverage(found.table.n_points, 0, 0)
        return found._replace(source=address.name, coverage=shared)
    cells, coverage = shared_cells(file, named, settings["points"])
    return count_cells(cells)._replace(source=address.name, coverage=coverage)


def find_listed(header: Sequence[str]) -> Mapping[str, str] | None:
    """The columns a, b and count by these names, in any case, or None if one is missing."""
    named = {name.lower(): name for name in header}
    if len(named) < len(header) or not all(name in named for name in LISTED):
        return None
    return {name: named[name] for name in LISTED}


def shared_cells(
    file: TabularFile, named: Mapping[str, str], points: str
) -> tuple[Cells, Coverage]:
    """The counts in the columns a, b and count, and how many points each side has alone.

    A row without a cluster on one side counts points that are on the other side only, as a full
    outer join gives them.
    """
    columns = file.read(dict.fromkeys(named.values(), ColumnType.labels)).labels
    a, b, listed = (columns[named[name]] for name in LISTED)
    where = partial(where_in, file)
    counts = whole_counts(parse_counts(listed), where, NEGATIVE, file.name)
    lacks_a, lacks_b = has_no_name(a), has_no_name(b)
    if (lacks_a & lacks_b).any():
        row = int(np.flatnonzero(lacks_a & lacks_b)[0])
        raise InputError(
            f"{where(row)}: names no cluster, neither of a nor of b",
            hint="name the clusters, or leave out the row",
        )
    kept = np.flatnonzero(~lacks_a & ~lacks_b)
    coverage = Coverage(
        int(counts[kept].sum()), int(counts[lacks_b].sum()), int(counts[lacks_a].sum())
    )
    if points == "error" and (coverage.only_a or coverage.only_b):
        raise InputError(
            f"{file.name}: {coverage.only_a} points have a cluster of a only, and "
            f"{coverage.only_b} points have a cluster of b only",
            hint=f"compare the {coverage.shared} points in both with {say('points', 'intersect')}",
        )
    rows, others = (one.codes[kept].astype(np.int64) for one in (a, b))

    def where_kept(cell: int) -> str:
        return where(int(kept[cell]))

    return Cells(rows, others, counts[kept], (a.names, b.names), where_kept, file.name), coverage


def has_no_name(labels: LabelColumn) -> Flags:
    """Which rows have an empty cell in place of a cluster."""
    return np.asarray((labels.names.sizes == 0)[labels.codes])


def matrix_cells(file: TabularFile) -> Cells:
    """The counts in a matrix whose first column and whose header are names."""
    corner, *names_b = file.header
    if not names_b:
        raise InputError(f"{file.name}: has one column, which is not a contingency", hint=LAYOUT)
    types = {corner: ColumnType.text, **dict.fromkeys(names_b, ColumnType.labels)}
    read = file.read(types)
    names_a = read.texts[corner]
    check_names(file, names_a)
    parsed = [parse_counts(read.labels[name]) for name in names_b]
    dtype = np.int64 if all(one.dtype == np.int64 for one in parsed) else object
    dense = np.stack([one.astype(dtype) for one in parsed], axis=1)
    rows, columns = np.divmod(np.arange(dense.size), len(names_b))

    def where(cell: int) -> str:
        return f"{where_in(file, int(rows[cell]))}: column {names_b[columns[cell]]!r}"

    counts = whole_counts(dense.ravel(), where, LAYOUT, file.name)
    check_margins(counts, dense.shape, (names_a.tolist(), names_b), file.name)
    return Cells(rows, columns, counts, (names_a, Texts.of(names_b)), where, file.name)


def check_names(file: TabularFile, names: Texts) -> None:
    """Refuse rows of a matrix that do not name each cluster of a once."""
    nameless: Integers = np.flatnonzero(names.sizes == 0)
    if len(nameless):
        raise InputError(
            f"{where_in(file, int(nameless[0]))}: the row has no name",
            hint="the first column names the clusters of a",
        )
    if twice := names.duplicate:
        raise InputError(
            f"{where_in(file, twice[1])}: cluster {names[twice[0]]!r} has a row before, "
            f"{file.unit} {file.line(twice[0])}",
            hint=LAYOUT,
        )


def parse_counts(listed: LabelColumn) -> npt.NDArray[Any]:
    """The numbers of a column, as integers; a text that is not a number stays as it is.

    Each distinct text is parsed once, and not as a float, which would round above 2^53.
    """
    values = [parse_count(text) for text in listed.names.tolist()]
    if all(isinstance(value, int) and value < LARGEST_TOTAL for value in values):
        return np.array(values, dtype=np.int64)[listed.codes]
    kept = np.empty(len(values), dtype=object)
    kept[:] = values
    return np.asarray(kept[listed.codes])


def parse_count(text: str) -> int | str:
    """A whole number, also one that is written as 3.0 or 1e6; anything else as it is."""
    if text.isascii() and text.isdigit() and len(text) < 30:
        return int(text)
    try:
        number = Decimal(text) if text.isascii() and len(text) < 30 else None
    except InvalidOperation:
        return text
    if number is None or not number.is_finite() or number < 0 or number.adjusted() > 30:
        return text
    return int(number) if number == number.to_integral_value() else text
