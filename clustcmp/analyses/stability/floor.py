"""Whole samples compared, less what sampling alone gives.

Two samples of the same points have different points, so that a distance between their clusterings
is above 0 even if every point has the same cluster in both. This floor is the value between the
same two samples with the clusters that the points have in the clustering of all points (Coen,
section 4.3, compares whole samples; without the floor the best number of clusters is luck).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clustcmp.analyses.stability.fits import Complete
from clustcmp.analyses.stability.pairs import Pairs, compare_pairs
from clustcmp.analyses.stability.runs import Runs
from clustcmp.analyses.stability.spread import mean_of
from clustcmp.arrays import NONE, Floats
from clustcmp.registry import Request


class AboveFloor(NamedTuple):
    """The values of all pairs less their floors, and the mean floor."""

    pairs: Pairs
    floor: float | None


def compare_whole(
    runs: Runs, reference: Complete, request: Request, coordinates: Floats, jobs: int
) -> AboveFloor:
    """All pairs of whole samples, less the value of the same pair in the reference."""
    found = compare_pairs(runs, request, jobs, coordinates, whole=True)
    floors = compare_pairs(restricted(runs, reference), request, jobs, coordinates, whole=True)
    known = floors.values[~np.isnan(floors.values)]
    excess = found._replace(
        values=found.values - floors.values, reason=found.reason or floors.reason
    )
    return AboveFloor(excess, mean_of(known) if len(known) else None)


def restricted(runs: Runs, reference: Complete) -> Runs:
    """The points of each run with the clusters that they have in the reference."""
    positions = np.full(runs.n_points, NONE)
    positions[reference.rows] = np.arange(len(reference.rows))
    rows = tuple(one[positions[one] != NONE] for one in runs.rows)
    return Runs(
        runs.n_points, rows, tuple(reference.membership.take(positions[one]) for one in rows)
    )
