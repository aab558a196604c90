"""Stable regions: runs of steps at which a metric keeps a value."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby

from clustcmp.analyses.track.report import StableRegion, Track
from clustcmp.errors import UsageError
from clustcmp.metrics import METRICS
from clustcmp.settings import TrackSettings
from clustcmp.wording import name_of, say

# The fewest steps of a region unless the user says otherwise.
LENGTH = 5


def find_region(settings: TrackSettings) -> tuple[float, int] | None:
    """The value to keep and the fewest steps of a region, if regions are asked for."""
    bound, length = settings["stable"], settings["length"]
    if bound is None:
        if length is not None:
            raise UsageError(
                f"{name_of('length')} is about stable regions, which are not asked for",
                hint=f"add {say('stable', 0.99)}",
            )
        return None
    if not math.isfinite(bound):
        raise UsageError(
            f"{say('stable', bound)} is not possible", hint=f"write a number: {say('stable', 0.99)}"
        )
    return bound, LENGTH if length is None else length


def find_stable(track: Track, bound: float, length: int) -> tuple[StableRegion, ...]:
    """The longest runs of steps at which a metric keeps a value, for all metrics in turn."""
    if track.lag > 1:
        raise UsageError(
            f"stable regions are runs of steps from each window to the next one, but "
            f"{name_of('lag')} is {track.lag}",
            hint=f"leave out {name_of('lag')} or {name_of('stable')}",
        )
    return tuple(
        region for metric in track.metrics for region in regions_of(track, metric, bound, length)
    )


def regions_of(track: Track, metric: str, bound: float, length: int) -> Iterator[StableRegion]:
    """The stable regions of one metric; an approximate value counts by its worse end."""
    results = track.series(metric)
    is_higher = METRICS[results[0].name].higher_is_better
    if is_higher is None:
        return
    values = [
        None if one.value is None else (one.proven or (one.value, one.value))[0 if is_higher else 1]
        for one in results
    ]
    kept = [
        value is not None and (value >= bound if is_higher else value <= bound) for value in values
    ]
    for is_kept, run in groupby(range(len(kept)), key=kept.__getitem__):
        steps = list(run)
        if is_kept and len(steps) >= length:
            known = [value for step in steps if (value := values[step]) is not None]
            worst = min(known) if is_higher else max(known)
            first, last = track.steps[steps[0]], track.steps[steps[-1]]
            yield StableRegion(first.source, last.target, metric, len(steps), bound, worst)
