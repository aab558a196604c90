"""The benchmarks of chance and of intervals, against scikit-learn in a loop of shuffled labels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import clustcmp
from tests.bench.clusterings import Codes, draw
from tests.bench.measure import Outcome, below, faster, timed

# Numbers of clusters, and how many times faster than scikit-learn 999 permutations must be.
TARGETS = {10: 2000, 100: 80, 1_000: 5, 300_000: 20}

PERMUTATIONS = 999


def significance(folder: Path) -> Iterator[Outcome]:
    """Permutations and the interval of ari at a million points, after reading.

    All permutations by scikit-learn would take minutes: the fastest of five stands for each.
    """
    for n_clusters, times in TARGETS.items():
        labels = draw(1_000_000, n_clusters, moved=0.3)
        a, b = map(clustcmp.read_clustering, labels)
        peer = min(shuffled(*labels, seed) for seed in range(5)) * PERMUTATIONS
        # The first call imports what draws need, as the first call of scikit-learn does.
        compared(a, b, permutations=1, seed=0)
        ours = min(compared(a, b, permutations=PERMUTATIONS, seed=0) for _ in range(2))
        what = f"999 permutations (peer: 5), {n_clusters:,} clusters"
        yield faster(what, ours, peer, times)
        plain = min(compared(a, b) for _ in range(7))
        interval = min(compared(a, b, confidence=0.95) for _ in range(7)) - plain
        yield below(f"interval of ari, {n_clusters:,} clusters", interval, 0.1, "s")


def shuffled(a: Codes, b: Codes, seed: int) -> float:
    """The seconds of one value of scikit-learn for shuffled labels."""
    from sklearn.metrics import adjusted_rand_score

    random = np.random.default_rng(seed)
    return timed(lambda: adjusted_rand_score(a, random.permutation(b))).seconds


def compared(a: clustcmp.Clustering, b: clustcmp.Clustering, **settings: Any) -> float:
    """The seconds of one comparison."""
    return timed(lambda: clustcmp.compare(a, b, ["ari"], **settings)).seconds
