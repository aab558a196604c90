"""From lists, arrays, Series and DataFrames to clusterings, coordinates and distances."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Codes, Floats, Integers
from clustcmp.errors import InputError
from clustcmp.keywords import DEFAULTS
from clustcmp.model import (
    Clustering,
    CoordinateTable,
    Hard,
    Origin,
    PointSet,
    Soft,
    Texts,
    find_points,
)
from clustcmp.model.origin import find_types, show_label
from clustcmp.read.clusterings import Where, hard_codes, note_labels, soft_degrees
from clustcmp.read.columns import LabelColumn
from clustcmp.read.frames import check_not_labels, find_labels, is_all_ones, show_first_column
from clustcmp.read.given_tables import is_table, read_located, read_table
from clustcmp.read.indexes import IndexIds, is_pandas, unique_ids
from clustcmp.read.joining import Reading, TableReading
from clustcmp.read.sparse import as_dense, as_labels_of_sparse, is_sparse
from clustcmp.settings import InputSettings

# Up to this many different whole numbers, counting is faster than sorting.
SMALL_RANGE = 1 << 16


def read_object(
    given: Any, name: str, settings: InputSettings, indexes: IndexIds | None
) -> Reading:
    """The clustering that an object stands for, or the columns of a table that could be ids."""
    if is_table(given):
        return read_table(given, name, settings)
    found = as_clustering(given, name, settings, indexes)
    return Reading(found, is_file=found.source is not None)


def locate_object(
    given: Any, name: str, settings: InputSettings, indexes: IndexIds | None
) -> TableReading:
    """The coordinates that an object stands for, or the columns of a table that could be ids."""
    if is_table(given):
        return read_located(given, name, settings)
    return TableReading(as_coordinates(given, name, indexes))


def as_clustering(
    given: Any, name: str, settings: InputSettings = DEFAULTS, indexes: IndexIds | None = None
) -> Clustering:
    """The clustering that an object stands for; the name is for messages.

    A Clustering is taken as it is. A Series holds a label for each point, a DataFrame the degrees
    of soft memberships or one column of labels; a mapping goes from ids to labels. Anything else is
    an array or a sequence: of labels if it has one dimension or one column, of degrees if it has
    several columns. `indexes` are given if the ids of pandas objects are those in their index;
    without `indexes` their points have no ids.
    """
    if isinstance(given, Clustering):
        return given
    if is_pandas(given) and given.ndim == 2:
        column = find_labels(given, name)
        given = given if column is None else column
    if is_sparse(given):
        found = as_labels_of_sparse(given)
        if found is not None:
            codes, k = found
            return Clustering(PointSet(len(codes)), Hard(codes, k), Texts.of(map(str, range(k))))
        given = as_dense(given, name)
    ids, values = take_apart(given, name)
    if values.ndim == 2 and values.shape[1] == 1 and not is_all_ones(values):
        values = values[:, 0]
    if indexes is not None and is_pandas(given):
        ids = indexes.find(given.index)
    if values.ndim == 0:
        raise not_a_clustering(name, f"a single {values.dtype}")
    points = PointSet(len(values), ids)
    id_name = "index" if is_pandas(given) else "keys" if ids is not None else None
    made = partial(Clustering, id_name=id_name)
    index = given.index if is_pandas(given) else list(given) if ids is not None else None
    where = partial(describe_row, name, ids)
    if values.ndim == 1:
        labels = factorize(values, name, where)
        codes = hard_codes(labels, settings, where)
        notes = note_labels(name, labels.names, settings)
        origin = labels.origin
        if index is not None:
            origin = replace(origin or Origin(), index=index)
        membership = Hard(codes, len(labels.names))
        return made(points, membership, labels.names, None, notes, origin=origin)
    given_degrees = as_degrees(values, name, where)
    if not settings["normalize"]:
        check_not_labels(given_degrees, given, name)
    columns = getattr(given, "columns", range(given_degrees.shape[1]))
    clusters = [str(column) for column in columns]
    column = show_first_column(given)
    degrees, notes = soft_degrees(name, clusters, given_degrees, settings, where, column)
    origin = Origin(find_types(clusters, list(columns)), index=index)
    return made(points, Soft(degrees), Texts.of(clusters), None, notes, origin=origin)


def describe_row(name: str, ids: Texts | None, row: int) -> str:
    """Where a row (from 0) of an object is, for messages."""
    return f"{name}: point {ids[row]!r}" if ids else f"{name}: position {row + 1}"


def take_apart(given: Any, name: str) -> tuple[Texts | None, npt.NDArray[Any]]:
    """The ids in the keys of a mapping, and the labels or the rows of degrees of any object."""
    if isinstance(given, Mapping):
        return Texts.of(map(str, given)), as_array(list(given.values()))
    if isinstance(given, np.ma.MaskedArray):
        labels = np.array(given.data, dtype=object)
        labels[np.ma.getmaskarray(given)] = None
        return None, labels
    if hasattr(given, "__array__"):
        return None, np.asarray(given)
    if isinstance(given, bytes | bytearray | Set) or not isinstance(given, Iterable):
        raise not_a_clustering(name, f"a {type(given).__name__}")
    return None, as_array(list(given))


def as_degrees(values: npt.NDArray[Any], name: str, where: Where) -> Floats:
    """The degrees as a matrix of finite floats; they may be integers, booleans or objects."""
    if values.ndim != 2 or values.dtype.kind not in "biufO":
        raise not_degrees(values, name)
    try:
        degrees = values.astype(np.float64)
    except (TypeError, ValueError):
        raise not_degrees(values, name) from None
    if not np.isfinite(degrees).all():
        row = int(np.argwhere(~np.isfinite(degrees))[0, 0])
        raise InputError(f"{where(row)}: a degree is not a finite number")
    return degrees


def not_degrees(values: npt.NDArray[Any], name: str) -> InputError:
    """The error for an array that holds neither labels nor degrees."""
    what = f"an array of {values.dtype} with {values.ndim} dimensions"
    return not_a_clustering(name, what)


def not_a_clustering(name: str, what: str) -> InputError:
    """The error for an object that cannot be read as a clustering."""
    return InputError(
        f"{name}: {what} is not a clustering",
        hint="give one label for each point, or a matrix of degrees with a row for each point",
    )


def as_array(items: list[Any]) -> npt.NDArray[Any]:
    """A list of labels, with each label as it is, or a list of rows of degrees."""
    if items and isinstance(items[0], list | tuple | np.ndarray):
        try:
            return np.array(items, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError("the rows of degrees are not equally long lists of numbers") from None
    if set(map(type, items)) == {int}:
        # Numbers that fit into 64 bits need no pandas, whose import takes half a second.
        with suppress(OverflowError):
            return np.array(items, dtype=np.int64)
    labels = np.empty(len(items), dtype=object)
    labels[:] = items
    return labels


def factorize(values: npt.NDArray[Any], name: str, where: Where) -> LabelColumn:
    """Each distinct label once, and a code for each point; a missing label has an empty name."""
    if np.issubdtype(values.dtype, np.integer) and len(values):
        numbers, codes = number_labels(values)
        return LabelColumn(codes, Texts.of(map(str, numbers)), Origin(is_whole=True))
    import pandas as pd

    try:
        found, distinct = pd.factorize(values)
    except TypeError as error:
        raise not_a_clustering(
            name, f"a sequence with labels that cannot be compared ({error})"
        ) from None
    given = distinct.tolist()
    check_finite(given, found, where)
    texts = [show_label(label) for label in given]
    types = find_types(texts, given)
    if (found < 0).any():
        found = np.where(found < 0, len(texts), found)
        texts.append("")
    return LabelColumn(found.astype(np.int32), Texts.of(texts), Origin(types) if types else None)


def number_labels(values: npt.NDArray[np.integer[Any]]) -> tuple[list[int], Codes]:
    """The distinct whole numbers in ascending order, and which of them each point has."""
    lowest, highest = int(values.min()), int(values.max())
    if highest - lowest >= SMALL_RANGE:
        distinct, codes = np.unique(values, return_inverse=True)
        return distinct.tolist(), codes.astype(np.int32)
    # A difference of two integers of 8 or 16 bits may not fit into as many bits.
    wide = values if values.dtype.itemsize >= 4 else values.astype(np.int32)
    start = wide.dtype.type(lowest)
    above_start = wide - start
    is_used = np.zeros(highest - lowest + 1, dtype=np.bool_)
    is_used[above_start] = True
    used = np.flatnonzero(is_used).astype(wide.dtype)
    rank = np.cumsum(is_used, dtype=np.int32) - np.int32(1)
    return (used + start).tolist(), rank[above_start]


def check_finite(distinct: Sequence[Any], codes: Integers, where: Where) -> None:
    """Refuse an infinite number, which is the result of a calculation and not a label."""
    for code, label in enumerate(distinct):
        if isinstance(label, Real | Decimal) and math.isinf(label):
            row = int(np.flatnonzero(codes == code)[0])
            raise InputError(
                f"{where(row)}: the label {label} is not a finite number",
                hint="labels are texts or finite numbers; a missing label is None or nan",
            )


def as_coordinates(given: Any, name: str, indexes: IndexIds | None) -> CoordinateTable:
    """The coordinates (n, d) that an object stands for; the name is for messages.

    `indexes` are given if the ids of a DataFrame are those in its index.
    """
    numbers = as_numbers(given, name)
    names = tuple(str(column) for column in getattr(given, "columns", range(numbers.shape[1])))
    ids = None
    if indexes is not None and is_pandas(given):
        ids = unique_ids(indexes, given.index, name)
    return CoordinateTable(name, names, numbers, ids)


def as_distances(given: Any, a: Clustering, b: Clustering, indexes: IndexIds | None) -> Floats:
    """The distances (n_a, n_b) that an object stands for.

    `indexes` are given if the rows and columns of a DataFrame are found by their ids.
    """
    distances = as_numbers(given, "distances")
    if (distances < 0.0).any():
        row, column = np.argwhere(distances < 0.0)[0].tolist()
        raise InputError(f"distances: the one in row {row}, column {column} is negative")
    if indexes is not None and is_pandas(given):
        of_rows, of_columns = (
            unique_ids(indexes, index, "distances") for index in (given.index, given.columns)
        )
        rows = find_points(a, a.titled("a"), of_rows, "distances: no row")
        columns = find_points(b, b.titled("b"), of_columns, "distances: no column")
        return distances[np.ix_(rows, columns)]
    expected = a.points.size, b.points.size
    if distances.shape != expected:
        raise InputError(
            f"distances have the shape {distances.shape}, but a and b have {expected} points",
            hint="give a row for each point of a and a column for each point of b",
        )
    return distances


def as_numbers(given: Any, name: str) -> Floats:
    """A matrix of finite numbers."""
    shape = "give a matrix of numbers with a row for each point"
    try:
        values = np.asarray(given)
        numbers = values.astype(np.float64 if values.dtype.kind in "biufO" else values.dtype)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: {error}", hint=shape) from None
    if numbers.ndim != 2 or not numbers.size or numbers.dtype != np.float64:
        raise InputError(
            f"{name}: an array of {values.dtype} with the shape {values.shape} cannot be used",
            hint=shape,
        )
    if not np.isfinite(numbers).all():
        row, column = np.argwhere(~np.isfinite(numbers))[0].tolist()
        raise InputError(
            f"{name}: {numbers[row, column]} in row {row}, column {column} is not a finite number"
        )
    return numbers
