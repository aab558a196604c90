"""From counted points to a contingency: how many points each two clusters share.

Counts come from a database that cannot hand out its rows, from a table in a paper, from machines
that counted a share of the points each. They are never turned into points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Integers, show_type
from clustcmp.errors import InputError, plural
from clustcmp.model import Contingency, Coverage, Texts
from clustcmp.model.contingency import sum_lines
from clustcmp.model.origin import show_label
from clustcmp.model.points import LARGEST_TOTAL
from clustcmp.notes import Note
from clustcmp.read.indexes import is_pandas
from clustcmp.read.objects import factorize

# The columns of a DataFrame with a row for each two clusters.
LISTED = ("a", "b", "count")

# What pandas.crosstab(margins=True) calls the row and the column of sums.
MARGIN = "All"

HOW_TO_COUNT = (
    "give a matrix with a row for each cluster of a and a column for each cluster of b, or a "
    "DataFrame with the columns a, b and count"
)

# Where the count at a position is, for messages.
Where = Callable[[int], str]


class Counts(NamedTuple):
    """A contingency, the names of its clusters of a and of b, and remarks on what was given.

    `source` is the file of the counts, `coverage` says how many points one side has alone.
    """

    table: Contingency
    names: tuple[Texts, Texts]
    notes: tuple[Note, ...] = ()
    source: str | None = None
    coverage: Coverage | None = None


class Cells(NamedTuple):
    """Counts with the number of the cluster of a and of b that each belongs to."""

    rows: Integers
    columns: Integers
    counts: npt.NDArray[Any]
    names: tuple[Texts, Texts]
    where: Where
    given: str = "counts"  # what messages call the whole: the name of the file, if it is one


def as_counts(given: Any) -> Counts:
    """The contingency that an object stands for.

    A matrix, a sparse matrix or a DataFrame has a row for each cluster of a and a column for each
    cluster of b. A DataFrame with the columns a, b and count has a row for each two clusters;
    several rows for the same two are added up.
    """
    if isinstance(given, Contingency):
        if not given.is_hard:
            raise InputError(
                "counts: the contingency is of soft clusterings, not of counted points"
            )
        return Counts(given, (number_names(given.n_a), number_names(given.n_b)))
    if is_pandas(given) and given.ndim == 2 and sorted(map(str, given.columns)) == sorted(LISTED):
        return count_cells(list_cells(given))
    return count_cells(matrix_cells(given))


def number_names(n_clusters: int) -> Texts:
    """Names of clusters that have none of their own: 0, 1, and so on."""
    return Texts.of(map(str, range(n_clusters)))


def list_cells(frame: Any) -> Cells:
    """The counts in a DataFrame with the columns a, b and count."""
    columns = {str(name): frame[name] for name in frame.columns}
    where = partial(describe_row, frame.index)
    a, b = (factorize(columns[name].to_numpy(), f"counts: column {name!r}", where) for name in "ab")
    for name, labels in (("a", a), ("b", b)):
        nameless = [code for code, text in enumerate(labels.names.tolist()) if not text]
        missing = np.flatnonzero(np.isin(labels.codes, nameless))
        if len(missing):
            raise InputError(
                f"{where(int(missing[0]))} has no cluster in column {name!r}",
                hint="name the cluster, or leave out the row",
            )
    rows, others = (labels.codes.astype(np.int64) for labels in (a, b))
    return Cells(rows, others, columns["count"].to_numpy(), (a.names, b.names), where)


def describe_row(index: Any, row: int) -> str:
    """Where a row (from 0) of a DataFrame is."""
    return f"counts: row {index[row]!r}"


def matrix_cells(given: Any) -> Cells:
    """The counts in a matrix, a sparse one or a DataFrame."""
    if hasattr(given, "tocoo"):
        sparse = given.tocoo()
        rows, columns, counts = sparse.row, sparse.col, np.asarray(sparse.data)
        shape = sparse.shape
    else:
        dense = as_matrix(given)
        rows, columns = np.divmod(np.arange(dense.size), dense.shape[1])
        counts, shape = dense.ravel(), dense.shape
    labels = (
        (list(given.index), list(given.columns)) if is_pandas(given) else tuple(map(range, shape))
    )
    check_margins(counts, shape, labels)
    rows, columns = rows.astype(np.int64), columns.astype(np.int64)

    def where(cell: int) -> str:
        row, column = labels[0][rows[cell]], labels[1][columns[cell]]
        return f"counts: row {row!r}, column {column!r}"

    names = Texts.of(map(show_label, labels[0])), Texts.of(map(show_label, labels[1]))
    return Cells(rows, columns, counts, names, where)


def as_matrix(given: Any) -> npt.NDArray[Any]:
    """An object as an array with two dimensions."""
    # Without a type, numpy makes floats of numbers beyond 64 bits, and texts of mixed lists.
    dense = np.asarray(given, dtype=None if hasattr(given, "__array__") else object)
    if dense.ndim == 1 and any(isinstance(row, list | tuple) for row in dense):
        raise InputError("counts: rows have different lengths", hint=HOW_TO_COUNT)
    if dense.ndim != 2 or not dense.size:
        what = f"an array of the shape {dense.shape}" if dense.ndim else show_type(given)
        raise InputError(f"counts: {what} is not a table of counts", hint=HOW_TO_COUNT)
    return dense


def check_margins(
    counts: npt.NDArray[Any], shape: tuple[int, ...], labels: Any, given: str = "counts"
) -> None:
    """Refuse a table with the sums of its rows and columns, as pandas.crosstab adds them."""
    if MARGIN in (labels[0][-1], labels[1][-1]) and min(shape) > 1:
        dense = counts.reshape(shape)
        if np.array_equal(dense[-1], dense[:-1].sum(axis=0)) or np.array_equal(
            dense[:, -1], dense[:, :-1].sum(axis=1)
        ):
            raise InputError(
                f"{given}: {MARGIN!r} is the sum of the others and not a cluster",
                hint="leave out the sums, as pandas.crosstab does without margins=True",
            )


def count_cells(given: Cells) -> Counts:
    """The contingency of checked counts, without clusters that have no points."""
    counts = whole_counts(given.counts, given.where, given=given.given)
    kept = counts > 0
    if not kept.any():
        raise InputError(f"{given.given}: there is no point", hint="at least one count is above 0")
    used_a, rows = np.unique(given.rows[kept], return_inverse=True)
    used_b, columns = np.unique(given.columns[kept], return_inverse=True)
    cells, position = np.unique(rows * len(used_b) + columns, return_inverse=True)
    summed = np.zeros(len(cells), dtype=np.int64)
    np.add.at(summed, position, counts[kept])
    rows, columns = np.divmod(cells, len(used_b))
    masses = sum_lines(rows, summed, len(used_a)), sum_lines(columns, summed, len(used_b))
    table = Contingency.counted(rows, columns, summed, *masses, int(summed.sum()))
    a, b = given.names
    return Counts(table, (a.take(used_a), b.take(used_b)), note_sums(position))


def note_sums(position: Integers) -> tuple[Note, ...]:
    """A note if the same two clusters were counted more than once."""
    repeated = int(np.count_nonzero(np.bincount(position) > 1))
    if not repeated:
        return ()
    return (Note(f"{plural(repeated, 'cell')} counted in several rows, which are added up"),)


def whole_counts(
    counts: npt.NDArray[Any], where: Where, advice: str = "", given: str = "counts"
) -> Integers:
    """The counts as integers, or an error that names the cell of a wrong one."""
    if counts.dtype.kind in "iuf":
        with np.errstate(invalid="ignore"):
            right = (counts >= 0) & (counts < LARGEST_TOTAL)
            right &= counts == np.floor(counts)
        wrong: Iterable[int] = np.flatnonzero(~right).tolist()
        total = float(counts[right].sum(dtype=np.float64))
    else:
        listed = counts.tolist()
        wrong = [cell for cell, count in enumerate(listed) if not is_count(count)]
        total = 0.0 if wrong else float(sum(map(int, listed)))
    for cell in wrong:
        raise InputError(
            f"{where(cell)}: {counts[cell]!s} is not a count",
            hint=f"counts are whole numbers, from 0 to less than {int(LARGEST_TOTAL):,} in all"
            + (f"; {advice}" if advice else ""),
        )
    if total >= LARGEST_TOTAL:
        raise InputError(
            f"{given}: there are {total:.2g} points",
            hint=f"less than {int(LARGEST_TOTAL):,} can be counted",
        )
    return counts.astype(np.int64)


def is_count(value: Any) -> bool:
    """Whether an object of any type is a whole number that is not negative."""
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction | Decimal):
        return False
    return 0 <= value < LARGEST_TOTAL and value == int(value)
