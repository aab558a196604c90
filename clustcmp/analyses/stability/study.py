"""One study: samples drawn, clustered and compared; best and supported value chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from clustcmp.analyses.stability.choice import Candidate, Chosen, choose_best, choose_supported
from clustcmp.analyses.stability.fits import (
    Complete,
    Fit,
    Setup,
    Task,
    ValueRuns,
    complete,
    fit_all,
    runs_of,
)
from clustcmp.analyses.stability.floor import compare_whole
from clustcmp.analyses.stability.pairs import Pairs, compare_pairs
from clustcmp.analyses.stability.spread import Dispersion, spread_of
from clustcmp.analyses.stability.strength import (
    Halving,
    Support,
    compare_with_gaussians,
    predict_strengths,
)
from clustcmp.arrays import Integers
from clustcmp.clusterers.base import Transfer, Value
from clustcmp.model import Hard, Soft
from clustcmp.progress import begin
from clustcmp.registry import Request


class Search(NamedTuple):
    """What is asked: the values to try, the number of samples, and how they are compared."""

    varied: str
    values: tuple[Value, ...]
    samples: int
    request: Request
    noise_policy: str = "cluster"
    all_points: bool = False
    transfer: Transfer | None = None
    gaussians: int = 19
    at: tuple[Value, ...] = ()
    soft: bool = False


class Tried(NamedTuple):
    """What became of one value.

    `pairs` are those of the samples by their numbers, `reference` is the clustering of all points
    if it did not fail, `clusters` its number of clusters without noise.
    """

    value: Value
    found: ValueRuns
    pairs: Pairs
    spread: Dispersion
    strength: float | None
    floor: float | None = None
    reference: Complete | None = None
    clusters: int | None = None


class Studied(NamedTuple):
    """Everything that was found; best and supported are positions among the values tried."""

    tried: tuple[Tried, ...]
    fits: Mapping[Task, Fit]
    distinct: tuple[Integers, ...]
    chosen: Chosen | None
    supported: int | None
    support: Support | None


def study(setup: Setup, search: Search) -> Studied:
    """All samples clustered and compared for all values."""
    begin("clustered")
    fits = fit_all(setup, search.values, search.samples)
    distinct = tuple(np.unique(setup.drawing.draw(sample)) for sample in range(search.samples))
    strengths = find_strengths(setup, search)
    begin("compared")
    tried = tuple(
        try_value(setup, search, fits, distinct, value, strength)
        for value, strength in zip(search.values, strengths, strict=True)
    )
    candidates = candidates_of(setup, search, tried)
    pairs = {position: one.pairs for position, one in enumerate(tried)}
    better = bool(search.request.metric.higher_is_better)
    chosen = choose_best(candidates, pairs, search.samples, better)
    supported = choose_supported(candidates)
    begin("clustered")
    support = compare_with_clouds(setup, search, supported)
    position = None if supported is None else supported.position
    return Studied(tried, fits, distinct, chosen, position, support)


def find_strengths(setup: Setup, search: Search) -> list[float | None]:
    """The prediction strength of each value; none where half of the points are too few for k."""
    most = setup.drawing.n_points // 2
    possible = [
        value
        for value in search.values
        if search.varied != "k" or (isinstance(value, int) and value <= most)
    ]
    found = predict_strengths(halving_of(setup, search), possible, setup.jobs)
    known = {value: one.value for value, one in zip(possible, found, strict=True)}
    return [known.get(value) for value in search.values]


def halving_of(setup: Setup, search: Search) -> Halving:
    """What is halved, and by what."""
    seed = setup.drawing.seed
    return Halving(setup.data, setup.clusterer, search.transfer, seed, setup.skips)


def compare_with_clouds(
    setup: Setup, search: Search, supported: Candidate | None
) -> Support | None:
    """How often one Gaussian cloud is as strong as the supported value."""
    if supported is None or supported.strength is None or not search.gaussians:
        return None
    value = search.values[supported.position]
    halving = halving_of(setup, search)
    return compare_with_gaussians(halving, value, supported.strength, search.gaussians, setup.jobs)


def try_value(
    setup: Setup,
    search: Search,
    fits: Mapping[Task, Fit],
    distinct: Sequence[Integers],
    value: Value,
    strength: float | None,
) -> Tried:
    """One value: all pairs of its samples compared."""
    n_points, policy = setup.drawing.n_points, search.noise_policy
    found = runs_of(fits, value, n_points, distinct, policy)
    whole = fits[Task(None, value)].membership
    reference = None
    if whole is not None:
        reference = complete(np.arange(n_points), in_order(whole), policy)
    request, coordinates = search.request, setup.data.coordinates
    floor = None
    if search.all_points and reference is not None:
        pairs, floor = compare_whole(found.runs, reference, request, coordinates, setup.jobs)
    else:
        pairs = compare_pairs(found.runs, request, setup.jobs, coordinates)
    # Runs are numbered without the samples that failed.
    first, second = found.samples[pairs.first], found.samples[pairs.second]
    pairs = pairs._replace(first=first, second=second)
    clusters = None if whole is None else count_clusters(whole)
    spread = spread_of(pairs, search.samples)
    return Tried(value, found, pairs, spread, strength, floor, reference, clusters)


def candidates_of(setup: Setup, search: Search, tried: Sequence[Tried]) -> list[Candidate]:
    """The values that may be chosen: those with more than one cluster and fewer than points."""
    candidates = []
    for position, one in enumerate(tried):
        clusters = one.value if search.varied == "k" else one.clusters
        if isinstance(clusters, int) and 1 < clusters < setup.drawing.size:
            candidates.append(Candidate(position, clusters, one.spread.value, one.strength))
    return candidates


def in_order(membership: Hard | Soft) -> Hard | Soft:
    """The clustering with its clusters ordered by size, those of equal size by their first point.

    Clusters without points come last and are dropped.
    """
    codes = membership.strongest()
    known, first, counts = np.unique(codes[codes >= 0], return_index=True, return_counts=True)
    order = known[np.lexsort((first, -counts))]
    if isinstance(membership, Soft):
        rest = np.setdiff1d(np.arange(membership.n_clusters), order)
        return Soft(np.ascontiguousarray(membership.degrees[:, [*order, *rest]]))
    places = np.zeros(membership.n_clusters + 1, dtype=np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    kept = np.where(membership.codes >= 0, places[membership.codes], membership.codes)
    return Hard(kept.astype(np.int32), len(order))


def count_clusters(membership: Hard | Soft) -> int:
    """The number of clusters that are the strongest one of any point, without noise."""
    codes = membership.strongest()
    return len(np.unique(codes[codes >= 0]))
