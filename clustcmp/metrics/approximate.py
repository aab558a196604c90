"""When a quotient of transports is a proven interval."""

from __future__ import annotations

from collections.abc import Callable

from clustcmp.model import Comparison
from clustcmp.options import Options
from clustcmp.results import Estimate

# The interval of a metric within a tolerance, or the exact value where nothing else was asked for.
Approximate = Callable[[Comparison, float], float | Estimate]


def takes_interval(comparison: Comparison, options: Options) -> bool:
    """Whether the user allows an interval, and bounds are known for the ground distance."""
    allowed = bool(options["tolerance"]) or comparison.budget is not None
    return allowed and options["ground"] == "euclidean" and options["solver"] == "auto"


def find_approximate(
    comparison: Comparison, compute: Approximate, options: Options
) -> float | Estimate | None:
    """The interval or the exact value, computed once; None if the user allows no interval."""
    if not takes_interval(comparison, options):
        return None
    return comparison.once(compute, float(options["tolerance"]))


def approximate_clusters(comparison: Comparison, options: Options) -> float | Estimate | None:
    """cdistance where it need not be exact, computed once; None otherwise."""
    if 1 in (comparison.a.n_clusters, comparison.b.n_clusters):
        return None
    from clustcmp.transport.intervals import cdistance_interval

    return find_approximate(comparison, cdistance_interval, options)


def approximate_points(comparison: Comparison, options: Options) -> float | Estimate | None:
    """The similarity distance where it need not be exact, computed once; None otherwise."""
    from clustcmp.transport.point_intervals import similarity_interval

    return find_approximate(comparison, similarity_interval, options)
