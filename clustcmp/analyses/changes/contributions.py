"""How much each cluster of a adds to the metrics that use coordinates or distances."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from clustcmp.analyses.flows.follow import find_ground
from clustcmp.arrays import Floats
from clustcmp.errors import LimitExceeded, SolverFailed, Undefined
from clustcmp.metrics.transport import cdistance_parts, cluster_plan, css_parts
from clustcmp.model import Comparison
from clustcmp.notes import Note

if TYPE_CHECKING:
    from clustcmp.transport.clusters import ClusterPlan


@dataclass(frozen=True, eq=False)
class Contributions:
    """For each metric, by its name, what each cluster of a adds to it: `parts` (n_a,).

    The parts of cdistance sum to its optimal transport d_ot, those of css to css itself; both are
    in units of the coordinates. `plan` is the transport plan of cdistance over the distance
    `ground`. A metric that could not be computed is left out, and a note says why.
    """

    parts: dict[str, Floats]
    ground: str
    plan: ClusterPlan | None = None
    notes: tuple[Note, ...] = ()

    @cached_property
    def totals(self) -> dict[str, float]:
        """The sum of the parts of each metric."""
        return {name: math.fsum(parts) for name, parts in self.parts.items()}


def find_contributions(comparison: Comparison, ground: str) -> Contributions:
    """The parts of cdistance and css, as far as the input allows."""
    ground = find_ground(comparison, ground)
    computations: dict[str, Callable[[], Floats]] = {}
    if comparison.is_located:
        computations["cdistance"] = lambda: cdistance_parts(comparison, ground)
    if comparison.has_coordinates and comparison.same_points:
        computations["css"] = lambda: css_parts(comparison)
    parts, notes = {}, []
    for name, compute in computations.items():
        try:
            parts[name] = compute()
        except (LimitExceeded, SolverFailed, Undefined) as error:
            notes.append(Note(f"no contributions to {name}: {error}"))
    plan = cluster_plan(comparison, ground) if "cdistance" in parts else None
    return Contributions(parts, ground, plan, tuple(notes))
