"""Distances in a file: the first column holds the ids of a, and the header those of b."""

from __future__ import annotations

import numpy as np

from clustcmp.arrays import Floats
from clustcmp.errors import InputError
from clustcmp.model import Clustering, Texts, find_points
from clustcmp.read.clusterings import check_ids
from clustcmp.read.columns import ColumnType, KnownColumns, where_in

LAYOUT = "the first column holds the ids of a, and the header those of b"


def take_distances(known: KnownColumns, a: Clustering, b: Clustering) -> Floats:
    """The distances (n_a, n_b) of the points of a and b; other rows and columns are ignored."""
    file = known.file
    corner, *columns = file.header
    wanted = find_points(b, b.titled("b"), Texts.of(columns), f"{file.name}:1: has no column")
    names = [columns[position] for position in wanted.tolist()]
    types = {corner: ColumnType.text, **dict.fromkeys(names, ColumnType.number)}
    read = known.read(types, f"correct it; {LAYOUT}")
    ids = read.texts[corner]
    check_ids(file, ids, f"; {LAYOUT}")
    rows = find_points(a, a.titled("a"), ids, f"{file.name}: has no row")
    distances = np.stack([read.numbers[name][rows] for name in names], axis=1)
    negative = np.argwhere(distances < 0.0)
    if len(negative):
        row, column = negative[0].tolist()
        raise InputError(
            f"{where_in(file, int(rows[row]))}: column {names[column]!r}: "
            f"the distance {distances[row, column]:.6g} is negative",
            hint="distances are 0 or more",
        )
    return distances
