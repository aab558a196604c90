"""From what a study found to its report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from clustcmp.analyses.stability.choice import CLEAR_P
from clustcmp.analyses.stability.fits import Setup, Task
from clustcmp.analyses.stability.per_cluster import Followed, follow, word_for
from clustcmp.analyses.stability.remarks import notes_on
from clustcmp.analyses.stability.report import (
    Best,
    ClusterStability,
    CurvePoint,
    DataFacts,
    Labels,
    PointShares,
    Sampling,
    StabilityReport,
    Supported,
    SupportedSetting,
    ValuePairs,
)
from clustcmp.analyses.stability.strength import SPLITS
from clustcmp.analyses.stability.study import Search, Studied, Tried
from clustcmp.clusterers.base import Value
from clustcmp.model import CoordinateTable


class Asked(NamedTuple):
    """What the report says about the data: the file, the ids of the points, their coordinates."""

    file: str | None
    ids: tuple[Any, ...]
    table: CoordinateTable
    parameters: Mapping[str, Any]
    scale: str
    command: str | None


def build_report(setup: Setup, search: Search, studied: Studied, asked: Asked) -> StabilityReport:
    """The report on a study."""
    table, chosen = asked.table, studied.chosen
    shown = [studied.tried[position] for position in shown_positions(search, studied)]
    followed = [(one, follow_clusters(one)) for one in shown if one.reference is not None]
    return StabilityReport(
        DataFacts(asked.file, len(table.coordinates), table.names, table.ids is not None),
        sampling_of(setup, search, asked),
        tuple(curve_point(search, one) for one in studied.tried),
        best_of(search, studied),
        supported_of(search, studied),
        tuple(row for one, found in followed for row in clusters_of(search, one, found)),
        (*table.notes, *notes_on(setup, search, studied)),
        asked.ids,
        tuple(ValuePairs(one.value, one.pairs) for one in studied.tried),
        tuple(points_of(one, found) for one, found in followed),
        tuple(labels_of(studied)),
        tuple(search.values[tie] for tie in (chosen.ties if chosen else ())),
        studied.support.strong if studied.support else 0,
    )


def shown_positions(search: Search, studied: Studied) -> list[int]:
    """The values whose clusters are shown: the best one, the supported one, those asked for."""
    wanted = [search.values.index(value) for value in search.at]
    if studied.supported is not None:
        wanted.append(studied.supported)
    if studied.chosen is not None:
        wanted.append(studied.chosen.best)
    return sorted(set(wanted))


def sampling_of(setup: Setup, search: Search, asked: Asked) -> Sampling:
    """How samples were drawn, clustered and compared."""
    drawing, request = setup.drawing, search.request
    return Sampling(
        algorithm=setup.clusterer.name,
        parameters={name: plain(value) for name, value in asked.parameters.items()},
        varied=search.varied,
        metric=request.spec,
        higher_is_better=bool(request.metric.higher_is_better),
        samples=search.samples,
        size=drawing.size,
        fraction=None if drawing.bootstrap else drawing.fraction,
        bootstrap=drawing.bootstrap,
        scale=asked.scale,
        soft=search.soft,
        all_points=search.all_points,
        noise_policy=search.noise_policy,
        seed=drawing.seed,
        splits=SPLITS,
        gaussians=search.gaussians,
        transfer=search.transfer,
        command=asked.command,
    )


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def key_of(search: Search, value: Value) -> dict[str, Any]:
    """The value that was tried under the name that it has: k or setting."""
    is_k = search.varied == "k"
    return {"k": value if is_k else None, "setting": None if is_k else plain(value)}


def curve_point(search: Search, tried: Tried) -> CurvePoint:
    """How much the samples agree for one value."""
    spread = tried.spread
    return CurvePoint(
        **key_of(search, tried.value),
        value=spread.value,
        standard_error=spread.standard_error,
        low=spread.low,
        high=spread.high,
        pairs=spread.pairs,
        failed=tried.found.failed,
        prediction_strength=tried.strength,
        clusters=tried.clusters,
        floor=tried.floor,
    )


def best_of(search: Search, studied: Studied) -> Best | None:
    """The best value, if any has a mean."""
    chosen = studied.chosen
    if chosen is None:
        return None
    return Best(
        **key_of(search, search.values[chosen.best]),
        next=None if chosen.next is None else plain(search.values[chosen.next]),
        margin=chosen.margin,
        standard_error=chosen.standard_error,
        clear=chosen.is_clear,
    )


def supported_of(search: Search, studied: Studied) -> Supported | SupportedSetting:
    """The supported value, or that there is none."""
    position, support = studied.supported, studied.support
    value = None if position is None else search.values[position]
    strength = None if position is None else studied.tried[position].strength
    p = None if support is None else support.p
    clear = None if p is None else p <= CLEAR_P
    if search.varied == "k":
        return Supported(None if value is None else int(value), strength, p, clear)
    return SupportedSetting(plain(value), strength, p, clear)


def follow_clusters(tried: Tried) -> Followed:
    """How the clusters of all points do in the samples."""
    assert tried.reference is not None
    return follow(tried.reference.membership, tried.found.runs, tried.reference.rows)


def names_of(tried: Tried, n_clusters: int) -> list[str]:
    """The names of the clusters of all points: numbers by size, and noise."""
    known = tried.clusters or 0
    return [str(code + 1) if code < known else "noise" for code in range(n_clusters)]


def clusters_of(search: Search, tried: Tried, found: Followed) -> list[ClusterStability]:
    """A row for each cluster; noise that is compared point by point has none."""
    names = names_of(tried, len(found.sizes))
    rows = []
    for code, name in enumerate(names):
        if name == "noise" and search.noise_policy != "cluster":
            continue
        mean = None if np.isnan(found.jaccard[code]) else float(found.jaccard[code])
        rows.append(
            ClusterStability(
                **key_of(search, tried.value),
                cluster=name,
                size=int(found.sizes[code]),
                samples=int(found.samples[code]),
                jaccard=mean,
                dissolved=int(found.dissolved[code]),
                recovered=int(found.recovered[code]),
                verdict="" if mean is None else word_for(mean),
            )
        )
    return rows


def points_of(tried: Tried, found: Followed) -> PointShares:
    """The cluster and the share of each point."""
    assert tried.reference is not None
    codes = np.full(len(found.shares), -1)
    codes[tried.reference.rows] = tried.reference.membership.strongest()
    names = names_of(tried, len(found.sizes))
    return PointShares(plain(tried.value), codes, tuple(names), found.shares)


def labels_of(studied: Studied) -> list[Labels]:
    """The clusters of all points and of each sample, for each value."""
    labels = []
    for one in studied.tried:
        value = plain(one.value)
        if one.reference is not None:
            rows, membership = one.reference
            numbers = membership.strongest() + 1
            numbers[numbers > (one.clusters or 0)] = 0
            labels.append(Labels(value, None, rows, numbers))
        for sample, rows in enumerate(studied.distinct):
            found = studied.fits[Task(sample, one.value)].membership
            if found is not None:
                labels.append(Labels(value, sample, rows, np.maximum(found.strongest() + 1, 0)))
    return labels
