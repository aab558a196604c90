"""CDistance by a double loop of scipy's cdist and POT's emd2, as a user would write it."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import ot
from scipy.spatial.distance import cdist

Array = np.ndarray[Any, np.dtype[np.float64]]

# The default of 100,000 would stop early and return a wrong number.
ITERATIONS = 100_000_000


def cdistance(coordinates: Array, a: Array, b: Array) -> float:
    """The clustering distance of two memberships (n, k) and (n, j) of the same points."""
    distances = np.zeros((a.shape[1], b.shape[1]))
    for k, weights_a in enumerate(a.T):
        for j, weights_b in enumerate(b.T):
            here, there = weights_a > 0, weights_b > 0
            cost = cdist(coordinates[here], coordinates[there])
            supply = weights_a[here] / weights_a[here].sum()
            demand = weights_b[there] / weights_b[there].sum()
            distances[k, j] = ot.emd2(supply, demand, cost, numItermax=ITERATIONS)
    mass_a, mass_b = a.sum(axis=0) / len(a), b.sum(axis=0) / len(b)
    optimal = ot.emd2(mass_a, mass_b, distances, numItermax=ITERATIONS)
    return float(optimal / (mass_a @ distances @ mass_b))


def main() -> None:
    """Read the three files of a benchmark and print the value."""
    import pandas as pd

    tables = [pd.read_csv(path, index_col="id") for path in sys.argv[1:4]]
    coordinates, a, b = (table.loc[tables[0].index] for table in tables)
    memberships = [
        pd.get_dummies(side["label"], dtype=float) if "label" in side else side for side in (a, b)
    ]
    print(repr(cdistance(coordinates.to_numpy(), *(side.to_numpy() for side in memberships))))


if __name__ == "__main__":
    main()
