"""Groups of runs: by their number of clusters, or by a part of their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from clustcmp.errors import UsageError
from clustcmp.wording import say

ALL = "all"

# The word that groups runs by their number of clusters.
BY_CLUSTERS = "clusters"

NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?", re.ASCII)


class Grouped(NamedTuple):
    """Some of the runs, by their positions, under the name of their group."""

    name: str
    runs: list[int]


def group_runs(names: Sequence[str], n_clusters: Sequence[int], by: str | None) -> list[Grouped]:
    """The groups of runs: numbers in their order, others in the order of their first runs."""
    if by is None:
        return [Grouped(ALL, list(range(len(names))))]
    if by == BY_CLUSTERS:
        return [
            Grouped(str(k), [run for run, own in enumerate(n_clusters) if own == k])
            for k in sorted(set(n_clusters))
        ]
    keys = [captured(by, name) for name in names]
    different = list(dict.fromkeys(keys))
    if all(NUMBER.fullmatch(key) for key in different):
        different.sort(key=float)
    return [Grouped(key, [run for run, own in enumerate(keys) if own == key]) for key in different]


def captured(pattern: str, name: str) -> str:
    """What a regular expression captures in a name, or what it matches if it captures nothing."""
    flag = say("group", pattern)
    try:
        found = re.search(pattern, name)
    except (re.error, OverflowError, RecursionError) as error:
        raise UsageError(
            f"{flag} is not a regular expression: {error}",
            hint=f"say {BY_CLUSTERS}, or an expression such as 'k=([0-9]+)'",
        ) from None
    parts = [] if found is None else [part for part in found.groups() if part]
    if found is None or (found.groups() and not parts):
        raise UsageError(
            f"{flag} does not match the name of the run {name}",
            hint="every run needs a group; leave this run out, or match its name too",
        )
    return " ".join(parts) if parts else found[0]
