"""Weights: how much each point weighs, in a file or an object of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.errors import InputError, UsageError, plural, show_names
from clustcmp.model import Clustering, CoordinateTable, find_points
from clustcmp.read.indexes import IndexIds, is_pandas
from clustcmp.read.joining import TableReading, join_tables
from clustcmp.read.objects import as_coordinates
from clustcmp.wording import name_of, say


def as_weights(given: Any, indexes: IndexIds | None) -> TableReading:
    """The weights in a sequence, an array, a Series or a column of a DataFrame.

    `indexes` are given if the index of a Series joins them to points.
    """
    if is_pandas(given):
        frame = given.to_frame() if given.ndim == 1 else given
        return TableReading(as_coordinates(frame, "weights", indexes))
    numbers = np.asarray(given)
    column = numbers[:, None] if numbers.ndim == 1 else numbers
    return TableReading(as_coordinates(column, "weights", None))


def weigh_all(
    groups: Sequence[Sequence[Clustering]], reading: TableReading, by_position: bool
) -> tuple[tuple[Clustering, ...], ...]:
    """The clusterings, each with the weights of its points."""
    clusterings = [clustering for group in groups for clustering in group]
    if weighed := [one for one in clusterings if one.points.weights is not None]:
        raise UsageError(
            f"{name_of('weights')} is for all points, but {weighed[0].title} has weights of its "
            "own",
            hint="leave one of them out",
        )
    # One column, without the columns that could be ids and are.
    (table,) = join_tables([reading], clusterings, by_position)
    if len(table.names) != 1:
        title = table.title
        raise InputError(
            f"{title}: which column holds the weights? There are {show_names(table.names)}",
            hint=f"name it: {say('weights', f'{title}::{table.names[-1]}')}",
        )
    check_table(table)
    return tuple(tuple(weigh(one, table) for one in group) for group in groups)


def check_table(table: CoordinateTable) -> None:
    """Refuse a weight below 0, and weights that are all 0."""
    weights = table.coordinates[:, 0]
    negative: Integers = np.flatnonzero(weights < 0.0)
    if len(negative):
        row = int(negative[0])
        point = f"row {row + 1}" if table.ids is None else f"point {table.ids[row]!r}"
        raise InputError(
            f"{table.title}: the weight {weights[row]:g} of {point} is negative",
            hint="weights are 0 or more; a point of weight 0 is left out",
        )
    if not weights.any():
        raise InputError(
            f"{table.title}: all weights are 0", hint="some points have a weight above 0"
        )


def weigh(clustering: Clustering, table: CoordinateTable) -> Clustering:
    """The clustering with the weights in a table, by id if both have ids, else by position."""
    weights: Floats = table.coordinates[:, 0]
    points = clustering.points
    if points.ids is not None and table.ids is not None:
        rows = find_points(clustering, clustering.title, table.ids, f"{table.title}: has no weight")
        weights = weights[rows]
    elif len(weights) != points.size:
        raise InputError(
            f"{table.title} has {plural(len(weights), 'weight')} and {clustering.title} has "
            f"{plural(points.size, 'point')}, but without ids they are joined by position",
            hint="give both an id column, or each point one row",
        )
    weighted = replace(points, weights=np.ascontiguousarray(weights))
    return replace(clustering, points=weighted)
