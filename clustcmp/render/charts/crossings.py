"""An order of clusters on both sides in which few flows cross."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Floats, Integers

# Rounds of sorting each side by where its flows go on the other side.
ROUNDS = 8


def few_crossings(masses: Floats) -> tuple[Integers, Integers]:
    """The order of the rows and that of the columns of a table of flows, from top to bottom.

    Each side is sorted by the mean position of its flows on the other side, in turns. The order
    with the least crossing mass is kept.
    """
    rows, columns = (np.arange(size) for size in masses.shape)
    best, least = (rows, columns), crossing_mass(masses)
    for _ in range(ROUNDS):
        columns = sort_by_middle(masses.T, rows, columns)
        rows = sort_by_middle(masses, columns, rows)
        found = crossing_mass(masses[np.ix_(rows, columns)])
        if found >= least:
            break
        best, least = (rows, columns), found
    return best


def sort_by_middle(masses: Floats, others: Integers, before: Integers) -> Integers:
    """The rows of a table by the mean position of their mass in the order of the columns."""
    position = np.empty(len(others))
    position[others] = np.arange(len(others))
    totals = masses.sum(axis=1)
    middle = np.divide(masses @ position, totals, out=np.zeros(len(masses)), where=totals > 0)
    # Equal ones stay in the order that they have.
    return before[np.argsort(middle[before], kind="stable")]


def crossing_mass(masses: npt.NDArray[np.float64]) -> float:
    """The sum of the products of the masses of any two flows that cross."""
    # Mass in the columns to the left of each cell, summed over the rows below.
    left = np.cumsum(masses, axis=1) - masses
    below = np.cumsum(left[::-1], axis=0)[::-1] - left
    return float((masses * below).sum())
