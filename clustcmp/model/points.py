"""Points: their ids, their coordinates, and how much each point weighs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustcmp.arrays import Floats, is_array, show_type
from clustcmp.errors import InputError
from clustcmp.model.texts import Texts


@dataclass(frozen=True, eq=False)
class PointSet:
    """Points in a fixed order, named by their ids or, without ids, by their position alone.

    `coordinates` (n, d) say where the points are, if that is known. `weights` (n,) are the masses
    of the points; None means that each point weighs 1.
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

    @property
    def mass(self) -> int:
        """The mass of all points together: the sum of their weights."""
        return self.size if self.weights is None else int(self.weights.sum())


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
    """Refuse weights other than 1, which no metric takes into account yet."""
    if not is_array(weights, 1, np.float64) or len(weights) != size:
        raise InputError(f"the weights of {size} points are {show_type(weights)}")
    if not (weights == 1.0).all():
        raise InputError(
            "points of different weights cannot be compared yet", hint="leave out the weights"
        )
