"""The types of arrays, and the few tolerances, each under one name."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

# The cluster of each point, as its position among the names of the clusters.
Codes = npt.NDArray[np.int32]

# Whole numbers where points are counted, else floats.
Masses = npt.NDArray[Any]

# Stands for the position of something that does not exist, such as the match of a cluster without
# one.
NONE = -1

# How far a value may miss an end of its range, or a bound, by rounding.
LAST_DIGITS = 1e-14

# Masses that are computed and not counted are equal if they differ by at most this share.
SAME_MASS = 1e-9

# Sums of the same numbers in another order are equal if they differ by at most this share.
SAME_SUM = 1e-12

# A sum of degrees counts as 1 if it differs from 1 by at most this. A degree this close to 1 is a
# whole membership.
WHOLE = 1e-6


def show_type(given: object) -> str:
    """What was given where an array is expected, for an error."""
    if isinstance(given, np.ndarray):
        return f"an array of {given.dtype} with the shape {given.shape}"
    return f"an object of the type {type(given).__name__}"


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal: arrays by their entries, tuples and dataclasses by their parts.

    The == of a tuple or a dataclass that holds arrays has no answer.
    """
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        # A number that there is not is equal to another one.
        has_nan = one.dtype.kind == "f"
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=has_nan)
    if hasattr(one, "equals"):
        # The index of a pandas object, of which == is an array.
        return bool(one.equals(other))
    if is_dataclass(one):
        names = [field.name for field in fields(one) if field.compare]
        return all(same(getattr(one, name), getattr(other, name)) for name in names)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def is_array(given: object, n_dimensions: int, *types: type) -> bool:
    """Whether this is an array of so many dimensions whose entries have one of these types."""
    return (
        isinstance(given, np.ndarray)
        and given.ndim == n_dimensions
        and issubclass(given.dtype.type, types)
    )
