"""The triangle inequality, tried on all triples of some clusterings."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from .rows import DUST, Evidence, value


def try_triangles(metric: str, clusterings: Sequence[Any], **space: Any) -> Evidence:
    """Whether the way over a third clustering is never shorter; shows the worst triple."""
    n = len(clusterings)
    distances = np.zeros((n, n))
    for one, other in itertools.combinations(range(n), 2):
        found = value(metric, clusterings[one], clusterings[other], **space)
        distances[one, other] = distances[other, one] = found
    # Entry (a, b, c) is what the direct way from a to c is longer than the way over b.
    excess = distances[:, None, :] - distances[:, :, None] - distances[None, :, :]
    a, b, c = np.unravel_index(int(excess.argmax()), excess.shape)
    direct, first, second = distances[a, c], distances[a, b], distances[b, c]
    if excess.max() > DUST:
        return Evidence(False, f"{direct:.3f} > {first:.3f} + {second:.3f}")
    n_triples = n * (n - 1) * (n - 2) // 2
    return Evidence(True, f"holds for {n_triples:,} triples")


def draw_hard(n_points: int, n_clusterings: int, seed: int) -> list[Any]:
    """Random hard clusterings into up to four clusters."""
    generator = np.random.default_rng(seed)
    return [generator.integers(0, generator.integers(2, 5), n_points) for _ in range(n_clusterings)]


def draw_soft(n_points: int, n_clusterings: int, seed: int) -> list[Any]:
    """Random soft clusterings into two to four clusters."""
    generator = np.random.default_rng(seed)
    return [
        generator.dirichlet(np.ones(generator.integers(2, 5)), n_points)
        for _ in range(n_clusterings)
    ]
