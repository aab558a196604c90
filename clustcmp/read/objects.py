"""From Python objects to a clustering: lists, arrays, Series, DataFrames."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clustcmp.errors import InputError
from clustcmp.model import Clustering, PointSet
from clustcmp.read.clusterings import (
    DEFAULTS,
    ReadOptions,
    hard_codes,
    read_clustering,
    soft_degrees,
)
from clustcmp.read.table import Labels
from clustcmp.texts import Texts

# Up to this many different whole numbers, counting is faster than sorting.
SMALL_RANGE = 1 << 16


def as_clustering(
    given: Any, name: str, options: ReadOptions = DEFAULTS, by_index: bool = True
) -> Clustering:
    """The clustering that an object stands for; the name is for messages.

    A Clustering is taken as it is. A str or a Path is a file. A Series holds a label for each
    point, a DataFrame the degrees of soft memberships, both with the ids in their index. Anything
    else is an array or a sequence: of labels if it has one dimension, of degrees if it has two.
    """
    if isinstance(given, Clustering):
        return given
    if isinstance(given, str | Path):
        return read_clustering(str(given), options)
    ids = index_of(given) if by_index else None
    values = np.asarray(given) if hasattr(given, "__array__") else as_array(list(given))
    points = PointSet(len(values), ids)

    def place(row: int) -> str:
        return f"{name}: point {ids[row]!r}" if ids else f"{name}: position {row + 1}"

    if values.ndim == 1:
        labels = factorize(values)
        return Clustering(points, hard_codes(labels, options, place), labels.names)
    if values.ndim != 2 or not np.issubdtype(values.dtype, np.number):
        raise InputError(
            f"{name}: an array of {values.dtype} with {values.ndim} dimensions is no clustering",
            hint="give one label for each point, or a matrix of degrees with a row for each point",
        )
    clusters = [str(column) for column in getattr(given, "columns", range(values.shape[1]))]
    degrees = values.astype(np.float64)
    if not np.isfinite(degrees).all():
        row = int(np.argwhere(~np.isfinite(degrees))[0, 0])
        raise InputError(f"{place(row)}: a degree is not a finite number")
    degrees, notes = soft_degrees(name, clusters, degrees, options, place)
    return Clustering(points, degrees, Texts.of(clusters), None, notes)


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


def have_same_index(a: Any, b: Any) -> bool:
    """Whether both are pandas objects with equal indexes, so that their rows correspond."""
    if not (hasattr(a, "iloc") and hasattr(b, "iloc")):
        return False
    return bool(a.index.equals(b.index))


def index_of(given: Any) -> Texts | None:
    """The index of a Series or a DataFrame as ids."""
    return Texts.of(map(str, given.index.tolist())) if hasattr(given, "iloc") else None


def factorize(values: npt.NDArray[Any]) -> Labels:
    """Each distinct label once, and a code for each point; a missing label has an empty name."""
    if np.issubdtype(values.dtype, np.integer) and len(values):
        lowest, highest = int(values.min()), int(values.max())
        if highest - lowest < SMALL_RANGE:
            codes = np.subtract(values, lowest, dtype=np.int64).astype(np.int32)
            return Labels(codes, Texts.of(map(str, range(lowest, highest + 1))))
        distinct, inverse = np.unique(values, return_inverse=True)
        return Labels(inverse.astype(np.int32), Texts.of(map(str, distinct.tolist())))
    import pandas as pd

    codes, distinct = pd.factorize(values)
    names = list(map(str, distinct.tolist()))
    if (codes < 0).any():
        codes = np.where(codes < 0, len(names), codes)
        names.append("")
    return Labels(codes.astype(np.int32), Texts.of(names))
