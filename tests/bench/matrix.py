"""The benchmark of many clusterings against each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

import clustcmp
from tests.bench.measure import Outcome, check_same, faster, timed

Array = np.ndarray[Any, np.dtype[Any]]


def many(n_clusterings: int, n_points: int, n_clusters: int, moved: float) -> list[Array]:
    """Clusterings that each move a share of the points of a random one to random clusters."""
    random = np.random.default_rng(0)
    base = random.integers(0, n_clusters, n_points)
    return [
        np.where(random.random(n_points) < moved, random.integers(0, n_clusters, n_points), base)
        for _ in range(n_clusterings)
    ]


def matrix(folder: Path) -> Iterator[Outcome]:
    """All 4,950 values of 100 clusterings of 100,000 points, one run, against a double loop."""
    from sklearn.metrics import adjusted_rand_score

    what = "ari, 100 x 100 clusterings"
    labels = many(100, 100_000, 20, moved=0.1)
    pairs = list(combinations(range(len(labels)), 2))
    ours = timed(lambda: clustcmp.matrix(labels, "ari")["ari"])
    peer = timed(lambda: [adjusted_rand_score(labels[i], labels[j]) for i, j in pairs])
    check_same(what, (ours.returned[i, j] for i, j in pairs), peer.returned)
    yield faster(what, ours.seconds, peer.seconds, 20)
