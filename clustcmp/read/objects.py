"""From Python objects to clusterings, coordinates and distances: lists, arrays, DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Floats
from clustcmp.errors import InputError, UsageError
from clustcmp.keywords import DEFAULTS
from clustcmp.model import Clustering, Hard, PointSet, Soft, Texts
from clustcmp.read.clusterings import (
    hard_codes,
    minus_one_note,
    read_clustering,
    soft_degrees,
)
from clustcmp.read.coordinates import (
    CoordinateTable,
    find_points,
    locate_both,
    locate_each,
    read_coordinates,
    read_distances,
)
from clustcmp.read.delimited import Labels
from clustcmp.settings import InputSettings, SpaceSettings

# Up to this many different whole numbers, counting is faster than sorting.
SMALL_RANGE = 1 << 16


def as_clustering(
    given: Any, name: str, settings: InputSettings = DEFAULTS, by_index: bool = True
) -> Clustering:
    """The clustering that an object stands for; the name is for messages.

    A Clustering is taken as it is. A str or a Path is a file. A Series holds a label for each
    point, a DataFrame the degrees of soft memberships, both with the ids in their index; a mapping
    goes from ids to labels. Anything else is an array or a sequence: of labels if it has one
    dimension, of degrees if it has two.
    """
    if isinstance(given, Clustering):
        return given
    if isinstance(given, str | Path):
        return read_clustering(str(given), settings)
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


def factorize(values: npt.NDArray[Any], name: str) -> Labels:
    """Each distinct label once, and a code for each point; a missing label has an empty name."""
    if np.issubdtype(values.dtype, np.integer) and len(values):
        lowest, highest = int(values.min()), int(values.max())
        if highest - lowest < SMALL_RANGE:
            wide = values if values.dtype.itemsize == 8 else values.astype(np.int64)
            codes = (wide - wide.dtype.type(lowest)).astype(np.int32)
            return Labels(codes, Texts.of(map(str, range(lowest, highest + 1))))
        distinct, inverse = np.unique(values, return_inverse=True)
        return Labels(inverse.astype(np.int32), Texts.of(map(str, distinct.tolist())))
    import pandas as pd

    try:
        found, distinct = pd.factorize(values)
    except TypeError as error:
        raise no_clustering(name, f"a sequence with such labels ({error})") from None
    names = [show_label(label) for label in distinct.tolist()]
    if (found < 0).any():
        found = np.where(found < 0, len(names), found)
        names.append("")
    return Labels(found.astype(np.int32), Texts.of(names))


def show_label(label: Any) -> str:
    """A label as text; pandas makes floats of whole numbers where one of them is missing."""
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


@dataclass(frozen=True)
class Space:
    """What is given about where points are: files, arrays or DataFrames, or nothing."""

    coordinates: Any = None
    coordinates_a: Any = None
    coordinates_b: Any = None
    distances: Any = None

    def __post_init__(self) -> None:
        for_both, for_a, for_b = (
            given is not None
            for given in (self.coordinates, self.coordinates_a, self.coordinates_b)
        )
        if self.distances is not None and (for_both or for_a or for_b):
            raise UsageError(
                "--distances stand in the place of coordinates, and both are given",
                hint="leave one of them out",
            )
        if for_both and (for_a or for_b):
            raise UsageError(
                "--coordinates are for both sides, and one side has its own",
                hint="give --coordinates, or both --coordinates-a and --coordinates-b",
            )
        if for_a != for_b:
            given, missing = ("a", "b") if for_a else ("b", "a")
            raise UsageError(
                f"--coordinates-{given} is given without --coordinates-{missing}",
                hint="give both, or --coordinates for both sides",
            )

    @classmethod
    def of(cls, settings: SpaceSettings) -> Space:
        """What the settings give."""
        return cls(
            settings["coordinates"],
            settings["coordinates_a"],
            settings["coordinates_b"],
            settings["distances"],
        )

    @property
    def parts(self) -> tuple[Any, ...]:
        """All that is given."""
        given = (getattr(self, field.name) for field in fields(self))
        return tuple(part for part in given if part is not None)


def rows_correspond(a: Any, b: Any, space: Space) -> bool:
    """Whether the rows of all pandas objects correspond, so that no index has to join them."""
    if not (is_pandas(a) and is_pandas(b)):
        return False
    if any(isinstance(part, str | Path) for part in space.parts):
        return False
    frames = [b, *(part for part in space.parts if is_pandas(part))]
    indexes = [frame.index for frame in frames]
    if is_pandas(space.distances):
        indexes.append(space.distances.columns)
    return all(a.index.equals(index) for index in indexes)


def enter_space(
    a: Clustering,
    b: Clustering,
    space: Space,
    settings: InputSettings = DEFAULTS,
    has_index: tuple[bool, bool] = (False, False),
) -> tuple[Clustering, Clustering, Floats | None]:
    """Both clusterings with coordinates, and the distances (n_a, n_b), as far as they are given.

    A DataFrame is joined by its index to a clustering whose ids are an index too (`has_index`).
    """
    if space.distances is not None:
        return a, b, as_distances(space.distances, a, b, settings, all(has_index))
    if space.coordinates is not None:
        by_index = any(has_index)
        table = as_coordinates(space.coordinates, "coordinates", settings, (a, b), by_index)
        return *locate_both(a, b, table), None
    if space.coordinates_a is not None:
        given = space.coordinates_a, space.coordinates_b
        names = "coordinates_a", "coordinates_b"
        tables = [
            as_coordinates(part, name, settings, (a, b), by_index)
            for part, name, by_index in zip(given, names, has_index, strict=True)
        ]
        return *locate_each(a, b, *tables), None
    return a, b, None


def as_coordinates(
    given: Any,
    name: str,
    settings: InputSettings,
    clusterings: Iterable[Clustering],
    by_index: bool,
) -> CoordinateTable:
    """The coordinates (n, d) that an object stands for; the name is for messages."""
    if isinstance(given, str | Path):
        return read_coordinates(str(given), settings, clusterings)
    numbers = as_numbers(given, name)
    names = tuple(str(column) for column in getattr(given, "columns", range(numbers.shape[1])))
    ids = unique_ids(given.index, name) if by_index and is_pandas(given) else None
    return CoordinateTable(name, names, numbers, ids)


def as_distances(
    given: Any, a: Clustering, b: Clustering, settings: InputSettings, by_index: bool
) -> Floats:
    """The distances (n_a, n_b) that an object stands for."""
    if isinstance(given, str | Path):
        return read_distances(str(given), a, b, settings)
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
