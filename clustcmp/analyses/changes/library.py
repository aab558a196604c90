"""clustcmp.changes: the changes between two clusterings, which are Python objects or files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack, get_args

from clustcmp.analyses.changes.report import ChangeReport, report_changes
from clustcmp.errors import UsageError, did_you_mean
from clustcmp.geometry import GroundName
from clustcmp.inputs import prepare
from clustcmp.keywords import noise_labels, takes_settings
from clustcmp.machines import uses_machines
from clustcmp.model import Clustering, Comparison
from clustcmp.settings import ChangesSettings, SpaceSettings
from clustcmp.shares import parse_share
from clustcmp.wording import name_of, say


@takes_settings
@uses_machines
def changes(a: Any = None, b: Any = None, **settings: Unpack[ChangesSettings]) -> ChangeReport:
    """Which cluster of a became which cluster of b.

    Takes what `compare` takes, and its settings. a and b need not have the same points: the points
    that both have are followed. Where those are too few, and coordinates or distances are given,
    clusters are matched by the transport plan between them. `ground` is the distance between points
    in this plan.

    The report has `clusters`, `births`, `deaths`, `splits`, `merges` and `flows`; `moved_points`
    is a data frame of the points that moved, and `relabelled` is b with the names of a on clusters
    that share more than `relabel_share` of one of the two with their match.

        >>> clustcmp.changes(["x", "x", "y"], [1, 1, 2]).matches
        {'x': '1', 'y': '2'}
    """
    ground = settings["ground"]
    check_ground(ground, settings)
    share = parse_share(settings["relabel_share"] or 0.0, name_of("relabel_share"))
    noise = noise_labels(settings, "b")
    comparison = prepare(a, b, settings)
    return report_changes(in_points(comparison), ground, noise[0] if noise else "", share)


def in_points(comparison: Comparison) -> Comparison:
    """The comparison with masses that sum to the number of points of a, as only shares matter."""
    if comparison.weighting != "masses":
        return comparison
    unit = comparison.a.points.size / comparison.a.points.mass
    a, b = (scale_weights(side, unit) for side in (comparison.a, comparison.b))
    return replace(comparison, a=a, b=b)


def scale_weights(clustering: Clustering, unit: float) -> Clustering:
    """The clustering with weights in another unit."""
    weights = clustering.points.weights
    scaled = None if weights is None else weights * unit
    return replace(clustering, points=replace(clustering.points, weights=scaled))


def check_ground(ground: str, settings: SpaceSettings) -> None:
    """Refuse a distance between points that does not exist or does not fit."""
    known = [name for name in get_args(GroundName) if name != "precomputed"]
    if ground not in known:
        raise UsageError(
            f"ground={ground!r} is not a known distance between points",
            hint=did_you_mean(str(ground), known, f"ground is one of {', '.join(known)}"),
        )
    if ground == "euclidean":
        return
    if settings["distances"] is not None:
        raise UsageError(
            f"{say('ground', ground)} is given, but {name_of('distances')} says how far points are "
            "from each other",
            hint="leave out one of the two",
        )
    if settings["coordinates"] is None and settings["coordinates_a"] is None:
        raise UsageError(
            f"{say('ground', ground)} has no effect without coordinates",
            hint=f"give them with {say('coordinates')}, or leave out {name_of('ground')}",
        )
