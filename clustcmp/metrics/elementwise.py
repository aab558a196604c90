"""Arithmetic for formulas of metrics, on one table or on many at once.

A number stays a Python number, which may be an integer of any size. An array holds the number of
each of many tables: a metric that is written with these functions is computed for all of them in
one call.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

# A number, or an array with the number of each of many tables.
Quantity = Any


def share(part: Quantity, whole: Quantity, nothing: float = 1.0) -> Quantity:
    """part / whole, and another value where the whole is 0."""
    if not isinstance(part, np.ndarray) and not isinstance(whole, np.ndarray):
        return float(part / whole) if whole else nothing
    part, whole = np.broadcast_arrays(part, whole)
    result = np.full(whole.shape, nothing)
    return np.divide(part, whole, out=result, where=whole != 0)


def root(number: Quantity) -> Quantity:
    """The square root."""
    return np.sqrt(number) if isinstance(number, np.ndarray) else math.sqrt(number)


def logarithm(number: Quantity) -> Quantity:
    """The natural logarithm."""
    return np.log(number) if isinstance(number, np.ndarray) else math.log(number)


def smaller(one: Quantity, other: Quantity) -> Quantity:
    """The smaller number of two."""
    is_array = isinstance(one, np.ndarray) or isinstance(other, np.ndarray)
    return np.minimum(one, other) if is_array else min(one, other)


def larger(one: Quantity, other: Quantity) -> Quantity:
    """The larger number of two."""
    is_array = isinstance(one, np.ndarray) or isinstance(other, np.ndarray)
    return np.maximum(one, other) if is_array else max(one, other)
