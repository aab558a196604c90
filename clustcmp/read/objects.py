"""From Python objects to clusterings, coordinates and distances: lists, arrays, DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Floats
from clustcmp.errors import InputError
from clustcmp.keywords import DEFAULTS
from clustcmp.model import Clustering, Hard, PointSet, Soft, Texts
from clustcmp.read.address import is_path
from clustcmp.read.clusterings import hard_codes, minus_one_note, soft_degrees
from clustcmp.read.columns import LabelColumn
from clustcmp.read.coordinates import CoordinateTable, find_points
from clustcmp.settings import InputSettings

# Up to this many different whole numbers, counting is faster than sorting.
SMALL_RANGE = 1 << 16


def as_clustering(
    given: Any, name: str, settings: InputSettings = DEFAULTS, by_index: bool = True
) -> Clustering:
    """The clustering that an object stands for; the name is for messages.

    A Clustering is taken as it is. A Series holds a label for each
    point, a DataFrame the degrees of soft memberships, both with the ids in their index; a mapping
    goes from ids to labels. Anything else is an array or a sequence: of labels if it has one
    dimension, of degrees if it has two.
    """
    if isinstance(given, Clustering):
        return given
    ids, values = take_apart(given, name)
    if is_pandas(given) and not by_index:
        ids = None
    if values.ndim == 0:
        raise no_clustering(name, f"a single {values.dtype}")
    points = PointSet(len(values), ids)

    def place(row: int) -> str:
        return f"{name}: point {ids[row]!r}" if ids else f"{name}: position {row + 1}"

    if values.ndim == 1:
        labels = factorize(values, name)
        codes = hard_codes(labels, settings, place)
        notes = minus_one_note(name, labels.names, settings)
        return Clustering(points, Hard(codes, len(labels.names)), labels.names, None, notes)
    degrees = as_degrees(values, name)
    clusters = [str(column) for column in getattr(given, "columns", range(degrees.shape[1]))]
    if not np.isfinite(degrees).all():
        row = int(np.argwhere(~np.isfinite(degrees))[0, 0])
        raise InputError(f"{place(row)}: a degree is not a finite number")
    degrees, notes = soft_degrees(name, clusters, degrees, settings, place)
    return Clustering(points, Soft(degrees), Texts.of(clusters), None, notes)


def take_apart(given: Any, name: str) -> tuple[Texts | None, npt.NDArray[Any]]:
    """The ids of an object, if it has any, and its labels or rows of degrees."""
    if isinstance(given, Mapping):
        return Texts.of(map(str, given)), as_array(list(given.values()))
    if isinstance(given, np.ma.MaskedArray):
        labels = np.array(given.data, dtype=object)
        labels[np.ma.getmaskarray(given)] = None
        return None, labels
    if hasattr(given, "__array__"):
        return index_of(given), np.asarray(given)
    if isinstance(given, bytes | bytearray | Set) or not isinstance(given, Iterable):
        raise no_clustering(name, f"a {type(given).__name__}")
    return None, as_array(list(given))


def as_degrees(values: npt.NDArray[Any], name: str) -> npt.NDArray[np.float64]:
    """A matrix of real numbers, in whatever form they came."""
    if values.ndim == 2 and values.dtype.kind in "biufO":
        try:
            return values.astype(np.float64)
        except (TypeError, ValueError):
            pass
    raise no_clustering(name, f"an array of {values.dtype} with {values.ndim} dimensions")


def no_clustering(name: str, what: str) -> InputError:
    """The error for an object that says nothing about clusters."""
    return InputError(
        f"{name}: {what} is no clustering",
        hint="give one label for each point, or a matrix of degrees with a row for each point",
    )


def as_array(items: list[Any]) -> npt.NDArray[Any]:
    """A list of labels, with each label as it is, or a list of rows of degrees."""
    if items and isinstance(items[0], list | tuple | np.ndarray):
        try:
            return np.array(items, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError("the rows of degrees are not equally long lists of numbers") from None
    labels = np.empty(len(items), dtype=object)
    labels[:] = items
    return labels


def is_pandas(given: Any) -> bool:
    """Whether this is a Series or a DataFrame; told without importing pandas."""
    return hasattr(given, "iloc")


def index_of(given: Any) -> Texts | None:
    """The index of a Series or a DataFrame as ids."""
    return Texts.of(map(str, given.index.tolist())) if is_pandas(given) else None


def factorize(values: npt.NDArray[Any], name: str) -> LabelColumn:
    """Each distinct label once, and a code for each point; a missing label has an empty name."""
    if np.issubdtype(values.dtype, np.integer) and len(values):
        lowest, highest = int(values.min()), int(values.max())
        if highest - lowest < SMALL_RANGE:
            wide = values if values.dtype.itemsize == 8 else values.astype(np.int64)
            codes = (wide - wide.dtype.type(lowest)).astype(np.int32)
            return LabelColumn(codes, Texts.of(map(str, range(lowest, highest + 1))))
        distinct, inverse = np.unique(values, return_inverse=True)
        return LabelColumn(inverse.astype(np.int32), Texts.of(map(str, distinct.tolist())))
    import pandas as pd

    try:
        found, distinct = pd.factorize(values)
    except TypeError as error:
        raise no_clustering(name, f"a sequence with such labels ({error})") from None
    names = [show_label(label) for label in distinct.tolist()]
    if (found < 0).any():
        found = np.where(found < 0, len(names), found)
        names.append("")
    return LabelColumn(found.astype(np.int32), Texts.of(names))


def show_label(label: Any) -> str:
    """A label as text; pandas makes floats of whole numbers where one of them is missing."""
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


def rows_correspond(things: Sequence[Any], tables: Sequence[Any], distances: Any = None) -> bool:
    """Whether all clusterings are pandas objects with the same index, so that no ids are needed.

    Coordinates and distances have this index, too, as far as they are pandas objects; those in
    files may have other ids.
    """
    if len(things) < 2 or not all(map(is_pandas, things)):
        return False
    if any(map(is_path, (*tables, distances))):
        return False
    frames = [frame for frame in (*things, *tables, distances) if is_pandas(frame)]
    indexes = [frame.index for frame in frames]
    if is_pandas(distances):
        indexes.append(distances.columns)
    return all(indexes[0].equals(index) for index in indexes[1:])


def as_coordinates(given: Any, name: str, by_index: bool) -> CoordinateTable:
    """The coordinates (n, d) that an object stands for; the name is for messages."""
    numbers = as_numbers(given, name)
    names = tuple(str(column) for column in getattr(given, "columns", range(numbers.shape[1])))
    ids = unique_ids(given.index, name) if by_index and is_pandas(given) else None
    return CoordinateTable(name, names, numbers, ids)


def as_distances(given: Any, a: Clustering, b: Clustering, by_index: bool) -> Floats:
    """The distances (n_a, n_b) that an object stands for."""
    distances = as_numbers(given, "distances")
    if (distances < 0.0).any():
        row, column = np.argwhere(distances < 0.0)[0].tolist()
        raise InputError(f"distances: the one in row {row}, column {column} is negative")
    if by_index and is_pandas(given):
        rows = find_points(a, "a", unique_ids(given.index, "distances"), "distances: no row")
        columns = find_points(
            b, "b", unique_ids(given.columns, "distances"), "distances: no column"
        )
        return distances[np.ix_(rows, columns)]
    expected = a.points.size, b.points.size
    if distances.shape != expected:
        raise InputError(
            f"distances have the shape {distances.shape}, and a and b have {expected} points",
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
            f"{name}: are an array of {values.dtype} with the shape {values.shape}", hint=shape
        )
    if not np.isfinite(numbers).all():
        row, column = np.argwhere(~np.isfinite(numbers))[0].tolist()
        raise InputError(
            f"{name}: {numbers[row, column]} in row {row}, column {column} is not a finite number"
        )
    return numbers


def unique_ids(index: Any, name: str) -> Texts:
    """The entries of an index as ids, each of which must be there once."""
    ids = Texts.of(map(str, index.tolist()))
    if twice := ids.duplicate:
        raise InputError(f"{name}: point {ids[twice[0]]!r} is listed twice")
    return ids
