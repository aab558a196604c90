"""What a gate bounds besides metrics: the points that moved, and facts about the candidate alone.

The candidate is judged as it was given, before points are dropped or left out: its noise is noise
whatever the noise policy is, and its new points count although the reference does not have them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from clustcmp.analyses.bounds.thresholds import CLUSTERS, LARGEST, MOVED, NOISE
from clustcmp.analyses.flows.follow import follow_shared
from clustcmp.analyses.gate.definition import Gate
from clustcmp.errors import UsageError
from clustcmp.evaluate import different_points
from clustcmp.keywords import noise_labels
from clustcmp.model import Clustering, Comparison
from clustcmp.settings import SidesSettings
from clustcmp.wording import name_of, say


def measure(comparison: Comparison, gate: Gate) -> dict[str, float]:
    """The shares and counts that a gate has bounds on, by their names."""
    wanted = {bound.metric for bound in gate.thresholds}
    if NOISE in wanted:
        check_marked(comparison, gate.settings)
    return {name: compute(comparison) for name, compute in MEASURES.items() if name in wanted}


def check_marked(comparison: Comparison, settings: SidesSettings) -> None:
    """Refuse a bound on noise where nothing can be noise, which every candidate would keep."""
    becomes_noise = settings["missing"] == "noise"
    if noise_labels(settings, "b") or becomes_noise or candidate_of(comparison).n_noise:
        return
    raise UsageError(
        f"{name_of('max_noise')} bounds the noise of the candidate, but no label marks noise",
        hint=f"name the label with {say('noise', '-1')}",
    )


def candidate_of(comparison: Comparison) -> Clustering:
    """The candidate as it was given; of a table of counts no more is known than its clusters."""
    return comparison.b if comparison.is_counted else comparison.given[1]


def moved_share(comparison: Comparison) -> float:
    """The share of points that are not in the match of their old cluster."""
    if not comparison.same_points:
        raise different_points(comparison)
    changes = follow_shared(comparison)
    return float(changes.moved / changes.followed)


def count_clusters(comparison: Comparison) -> float:
    """The clusters of the candidate that have points; noise is not a cluster."""
    return float(np.count_nonzero(candidate_of(comparison).masses))


def largest_share(comparison: Comparison) -> float:
    """The share of the candidate's points, noise included, that its largest cluster has."""
    return float(candidate_of(comparison).masses.max(initial=0)) / count_labelled(comparison)


def noise_share(comparison: Comparison) -> float:
    """The share of the candidate's points that are noise."""
    return candidate_of(comparison).n_noise / count_labelled(comparison)


def count_labelled(comparison: Comparison) -> int:
    """The points of the candidate that have a label or are noise."""
    candidate = candidate_of(comparison)
    return candidate.points.size - candidate.n_missing


MEASURES: dict[str, Callable[[Comparison], float]] = {
    MOVED: moved_share,
    CLUSTERS: count_clusters,
    LARGEST: largest_share,
    NOISE: noise_share,
}
