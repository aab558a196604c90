"""Benchmarks of the metrics that know where the points are."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.distance import pdist

import clustcmp
from tests.bench.measure import CLUSTCMP, Outcome, call, check_same, faster, not_slower, race
from tests.bench.peer_transport import cdistance

Array = np.ndarray[Any, np.dtype[Any]]
PEER = str(Path(__file__).with_name("peer_transport.py"))


def blobs(n_points: int, n_clusters: int, dimensions: int, moved: float) -> tuple[Array, ...]:
    """Points around random centres, their clusters, and those with a share of them moved."""
    random = np.random.default_rng(0)
    a = random.integers(0, n_clusters, n_points)
    coordinates = (
        random.normal(size=(n_points, dimensions))
        + 4.0 * random.normal(size=(n_clusters, dimensions))[a]
    )
    b = np.where(random.random(n_points) < moved, random.integers(0, n_clusters, n_points), a)
    return coordinates, a, b


def soften(coordinates: Array, n_clusters: int, seed: int) -> Array:
    """The degrees of a mixture of round clusters around some of the points."""
    random = np.random.default_rng(seed)
    centres = coordinates[random.choice(len(coordinates), n_clusters, replace=False)]
    closeness = np.exp(-np.square(coordinates[:, None, :] - centres).sum(axis=2) / 20.0)
    return np.asarray(closeness / closeness.sum(axis=1, keepdims=True))


def write(folder: Path, **tables: Array) -> list[str]:
    """Each array as a CSV file with ids."""
    import pandas as pd

    paths = []
    for name, table in tables.items():
        columns = ["label"] if table.ndim == 1 else [f"c{i}" for i in range(table.shape[1])]
        frame = pd.DataFrame(table, columns=columns)
        frame.index = pd.Index([f"p{i}" for i in range(len(table))], name="id")
        paths.append(str(folder / f"{name}.csv"))
        frame.to_csv(paths[-1])
    return paths


def compare_ways(
    what: str, folder: Path, coordinates: Array, a: Array, b: Array, whole: float, inside: float
) -> Iterator[Outcome]:
    """CDistance by the command and in Python, against the double loop by the same way."""
    degrees = [side if side.ndim == 2 else np.eye(int(side.max()) + 1)[side] for side in (a, b)]
    if whole:
        x, one, two = write(folder, x=coordinates, a=a, b=b)
        command = (CLUSTCMP, "compare", one, two, "--coordinates", x, "-m", "cdistance")
        ours, peer = race(
            2, lambda: call(*command, "-f", "json"), lambda: call(sys.executable, PEER, x, one, two)
        )
        found = json.loads(ours.returned)["results"][0]["value"]
        check_same(what, [found], [float(peer.returned)])
        yield faster(f"{what}, process", ours.seconds, peer.seconds, whole)
    # Threads suffer more from a busy machine than the one of the peer does.
    mine, theirs = race(
        4,
        lambda: (
            clustcmp.compare(a, b, metrics="cdistance", coordinates=coordinates)["cdistance"] or 0.0
        ),
        lambda: cdistance(coordinates, *degrees),
    )
    check_same(what, [mine.returned], [theirs.returned])
    yield faster(f"{what}, in Python", mine.seconds, theirs.seconds, inside)


def transport(folder: Path) -> Iterator[Outcome]:
    """CDistance of hard and soft clusterings, of many points at few places, and on a line."""
    # The smallest first: after gigabytes of work a process is slower at milliseconds.
    coordinates, a, b = blobs(2_000, 4, 2, 0.1)
    few = np.random.default_rng(3).normal(size=(200, 2))[np.arange(2_000) % 200]
    yield from compare_ways("cdistance, 200 places", folder, few, a, b, 0, 20)
    coordinates, a, b = blobs(1_500, 5, 2, 0.1)
    soft = soften(coordinates, 5, 1), soften(coordinates, 5, 2)
    yield from compare_ways("cdistance, 1,500 soft", folder, coordinates, *soft, 3, 8)
    coordinates, a, b = blobs(8_000, 8, 2, 0.05)
    yield from compare_ways("cdistance, 8,000 points", folder, coordinates, a, b, 1.6, 2)
    coordinates, a, b = blobs(20_000, 8, 1, 0.1)
    yield from compare_ways("cdistance, 20,000 on a line", folder, coordinates, a, b, 0, 50)


def plain_beta_cv(coordinates: Array, codes: Array) -> float:
    """BetaCV with all distances in one array."""
    distances = pdist(coordinates)
    same = pdist(codes[:, None]) == 0
    return float(distances[same].mean() / distances[~same].mean())


def plain_c_index(coordinates: Array, codes: Array) -> float:
    """C-index with all distances in one array, and numpy's selection."""
    distances = pdist(coordinates)
    same = pdist(codes[:, None]) == 0
    count = int(same.sum())
    within = distances[same].sum()
    smallest = np.partition(distances, count - 1)[:count].sum()
    largest = np.partition(distances, len(distances) - count)[-count:].sum()
    return float((within - smallest) / (largest - smallest))


def internal(folder: Path) -> Iterator[Outcome]:
    """BetaCV and C-index of 10,000 points, against scipy's pdist and numpy's partition."""
    coordinates, a, _ = blobs(10_000, 10, 2, 0.0)
    one = np.full(len(a), "x")
    for metric, plain in (("beta_cv", plain_beta_cv), ("c_index", plain_c_index)):
        ours, peer = race(
            3, partial(of_b, metric, one, a, coordinates), partial(plain, coordinates, a)
        )
        check_same(f"{metric}, 10,000 points", [ours.returned], [peer.returned])
        yield faster(f"{metric}, 10,000 points", ours.seconds, peer.seconds, 1.5)


def of_b(metric: str, a: Array, b: Array, coordinates: Array) -> float:
    """The value of a metric of one clustering for b, where a has none."""
    _, result = clustcmp.compare(a, b, metrics=metric, coordinates=coordinates)
    return float(result.value or math.nan)


def of_points(a: Array, b: Array, coordinates: Array) -> float:
    """The similarity distance."""
    (result,) = clustcmp.compare(a, b, metrics="similarity_distance", coordinates=coordinates)
    return math.nan if result.value is None else result.value


def same_places(folder: Path) -> Iterator[Outcome]:
    """Similarity distance of the same 100,000 points, against sorting their coordinates."""
    coordinates, a, b = blobs(100_000, 10, 2, 0.1)
    ours, peer = race(
        3,
        partial(of_points, a, b, coordinates),
        lambda: float(0 * np.lexsort(coordinates.T)[0]),
    )
    check_same("similarity_distance", [ours.returned], [peer.returned])
    yield not_slower("similarity_distance, same points", ours.seconds, peer.seconds, 20)


def density(folder: Path) -> Iterator[Outcome]:
    """ADCO of a million points, against one histogram of each attribute."""
    coordinates, a, b = blobs(1_000_000, 20, 10, 0.1)
    ours, peer = race(
        3,
        lambda: clustcmp.compare(a, b, metrics="adco", coordinates=coordinates)["adco"],
        lambda: float(sum(np.histogram(column, bins=10)[0][0] for column in coordinates.T)),
    )
    yield not_slower("adco, a million points", ours.seconds, peer.seconds, 3)
