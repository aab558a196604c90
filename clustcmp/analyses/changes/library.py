"""The changes between two clusterings in one call, for Python objects and files."""

from __future__ import annotations

from typing import Any, get_args

from clustcmp.analyses.changes.report import ChangeReport, report_changes
from clustcmp.analyses.compare import prepare
from clustcmp.errors import UsageError, did_you_mean
from clustcmp.geometry import GroundName


def changes(a: Any, b: Any, *, ground: str = "euclidean", **options: Any) -> ChangeReport:
    """Which cluster of a became which cluster of b.

    Takes what `compare` takes, and its options. Points need not be the same: those that both have
    are followed, and where none is in both and there are coordinates or distances, the transport
    plan between the clusters tells. `ground` is the distance between points in this plan.

        >>> clustcmp.changes(["x", "x", "y"], [1, 1, 2]).matches
        {'x': '1', 'y': '2'}
    """
    check_ground(ground, options.get("distances") is not None)
    noise = options.get("noise", ())
    labels = [noise] if isinstance(noise, str | int | float) else list(noise)
    return report_changes(prepare(a, b, **options), ground, str(labels[0]) if labels else "")


def check_ground(ground: str, has_distances: bool = False) -> None:
    """Refuse a distance between points that does not exist or does not fit."""
    known = [name for name in get_args(GroundName) if name != "precomputed"]
    if ground not in known:
        raise UsageError(
            f"ground={ground!r} is not possible",
            hint=did_you_mean(str(ground), known, f"ground is one of {', '.join(known)}"),
        )
    if has_distances and ground != "euclidean":
        raise UsageError(
            "the ground distances are already given by --distances", hint="leave out one of them"
        )
