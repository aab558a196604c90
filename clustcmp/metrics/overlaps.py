"""What metrics of overlapping clusters have in common: best counterparts, B-cubed, and parts."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np

from clustcmp.arrays import Integers, Masses
from clustcmp.model import Contingency
from clustcmp.options import Options

Part = Annotated[
    Literal["f1", "precision", "recall"],
    "which of the three: precision is about b, recall about a, f1 about both.",
]


def show_part(options: Options) -> str:
    """Which of precision, recall and F1 the value is."""
    return str(options["part"])


def is_f1(options: Options) -> bool:
    """Whether the value is the same with a and b exchanged, unlike precision and recall."""
    return options["part"] == "f1"


def largest(values: Masses, groups: Integers, n_groups: int) -> Masses:
    """The largest value of each group."""
    result = np.zeros(n_groups, dtype=values.dtype)
    np.maximum.at(result, groups, values)
    return result


def mean_bcubed(table: Contingency, sizes: Masses, weight: str = "point") -> float:
    """Mean over the points of the share of their cluster, of the given size, that is in both.

    With weight=cluster the mean is over the clusters of a, each of which is a mean over its points.
    """
    masses = table.masses
    if weight == "cluster":
        shares = masses / table.masses_a[table.rows]
        return math.fsum(masses / sizes * shares) / table.n_a
    return math.fsum(masses / sizes * masses) / table.total
