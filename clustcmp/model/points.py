"""Points: their ids, their coordinates, and how much each point weighs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from clustcmp.arrays import Floats, is_array, show_type
from clustcmp.errors import InputError
from clustcmp.model.texts import Texts

# Counts up to here are exact in 64 bits.
LARGEST_TOTAL = 2.0**62

TOO_HEAVY = f"the sum of counts is less than {int(LARGEST_TOTAL):,}; divide all weights by a number"


@dataclass(frozen=True, eq=False)
class PointSet:
    """Points in a fixed order, named by their ids or, without ids, by their position alone.

    `coordinates` (n, d) say where the points are, if that is known. `weights` (n,) are the masses
    of the points; None means that each point weighs 1. Weights that are all whole numbers are
    counts: a point of weight 3 stands for three. Other weights are masses, of which only shares
    matter. A point of weight 0 is absent; alignment leaves it out.
    """

    size: int
    ids: Texts | None = None
    coordinates: Floats | None = None
    weights: Floats | None = None

    def __post_init__(self) -> None:
        if self.ids is not None:
            check_ids(self.ids, self.size)
        if self.coordinates is not None:
            check_coordinates(self.coordinates, self.size)
        if self.weights is not None:
            check_weights(self.weights, self.size)

    @cached_property
    def mass(self) -> float:
        """The mass of all points together: their number, or the sum of their weights."""
        if self.weights is None:
            return self.size
        return int(sum_counts(self.weights)) if self.are_counts else math.fsum(self.weights)

    @cached_property
    def are_counts(self) -> bool:
        """Whether all weights are whole numbers, as they are where each point weighs 1."""
        return self.weights is None or are_whole(self.weights)


def check_ids(ids: Texts, size: int) -> None:
    """Refuse ids that do not name each point once."""
    if len(ids) != size:
        raise InputError(f"there are {len(ids)} ids for {size} points")
    if twice := ids.duplicate:
        raise InputError(
            f"point {ids[twice[0]]!r} is listed twice, at positions "
            f"{twice[0] + 1} and {twice[1] + 1}",
            hint="give each point one id of its own",
        )


def check_coordinates(coordinates: Floats, size: int) -> None:
    """Refuse coordinates that are not one row of finite numbers for each point."""
    if not is_array(coordinates, 2, np.float64) or not coordinates.shape[1]:
        raise InputError(
            f"the coordinates are {show_type(coordinates)}",
            hint="give an array of floats with a row for each point",
        )
    if len(coordinates) != size:
        raise InputError(f"there are {len(coordinates)} rows of coordinates for {size} points")
    # A finite sum has only finite terms, and is quicker to compute than np.isfinite of each term. A
    # sum of finite terms may overflow, so the terms are checked if the sum is not finite.
    if not np.isfinite(coordinates.sum()) and not np.isfinite(coordinates).all():
        row, column = np.argwhere(~np.isfinite(coordinates))[0].tolist()
        raise InputError(
            f"coordinate {coordinates[row, column]} in row {row}, column {column} is not a finite "
            "number"
        )


def check_weights(weights: Floats, size: int) -> None:
    """Refuse weights that are not a finite number, at least 0, for each point."""
    if not is_array(weights, 1, np.float64) or len(weights) != size:
        raise InputError(
            f"the weights of {size} points are {show_type(weights)}",
            hint="give an array of floats with a number for each point",
        )
    # Written with ~ so that a NaN, which is not at least 0, is wrong too.
    wrong = np.flatnonzero(~((weights >= 0.0) & (weights < np.inf)))
    if len(wrong):
        raise InputError(
            f"the weight {weights[wrong[0]]} of the point at position {wrong[0] + 1} is negative "
            "or not finite",
            hint="weights are finite numbers, at least 0",
        )
    if are_whole(weights) and weights.sum() >= LARGEST_TOTAL:
        raise InputError(f"the weights sum to {weights.sum():.2g}", hint=TOO_HEAVY)


def are_whole(weights: Floats) -> bool:
    """Whether all of the weights are whole numbers."""
    return bool((weights == np.floor(weights)).all())


def sum_counts(weights: Floats) -> np.integer[Any]:
    """The exact sum of weights that are whole numbers."""
    total: np.integer[Any] = weights.astype(np.int64).sum()
    return total
