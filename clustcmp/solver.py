"""The door to the solvers: optimal one-to-one matching of clusters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clustcmp.contingency import Contingency


class Matching(NamedTuple):
    mass: float


def match_clusters(contingency: Contingency) -> Matching:
    from scipy.optimize import linear_sum_assignment

    table = np.zeros((len(contingency.masses_a), len(contingency.masses_b)))
    table[contingency.rows, contingency.columns] = contingency.masses
    r, c = linear_sum_assignment(table, maximize=True)
    return Matching(float(table[r, c].sum()))
