"""What each cluster of a adds to the metrics that know about space."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from clustcmp.arrays import Floats
from clustcmp.errors import LimitExceeded, SolverFailed, Undefined
from clustcmp.metrics.transport import cdistance_parts, css_parts
from clustcmp.model import Comparison
from clustcmp.transport.clusters import ClusterPlan, plan_clusters


@dataclass(frozen=True, eq=False)
class Blame:
    """The parts (n_a,) of each metric by its name, and the plan behind that of cdistance.

    The parts of cdistance sum to its optimal transport d_ot, those of css to css itself; both are
    in units of the coordinates. What could not be computed is left out, and a note says why.
    """

    parts: dict[str, Floats]
    ground: str
    plan: ClusterPlan | None = None
    notes: tuple[str, ...] = ()


def find_blame(comparison: Comparison, ground: str) -> Blame:
    """The parts of cdistance and css, as far as the input allows."""
    has_places = all(side.points.coordinates is not None for side in (comparison.a, comparison.b))
    if comparison.distances is not None:
        ground = "precomputed"
    computations: dict[str, Callable[[], Floats]] = {}
    if has_places or comparison.distances is not None:
        computations["cdistance"] = lambda: cdistance_parts(comparison, ground)
    if has_places and comparison.same_points:
        computations["css"] = lambda: css_parts(comparison)
    parts, notes = {}, []
    for name, compute in computations.items():
        try:
            parts[name] = compute()
        except (LimitExceeded, SolverFailed, Undefined) as error:
            notes.append(f"no contributions to {name}: {error}")
    plan = comparison.once(plan_clusters, ground) if "cdistance" in parts else None
    return Blame(parts, ground, plan, tuple(notes))
