"""Which points each sample has, and the seed of everything that is drawn.

Each seed hangs on the seed of the run and on what it is for, never on the order of the work: sample
3 is the same whatever the number of jobs and of samples.
"""

from __future__ import annotations

import zlib
from typing import NamedTuple

import numpy as np

from clustcmp.arrays import Integers
from clustcmp.clusterers.base import Value

# Stands for the number of a sample where all points are clustered.
ALL_POINTS = 1 << 31

# A seed that is made up is below this number, which is easy to type.
SEEDS = 1 << 32


class Drawing(NamedTuple):
    """How samples of n points are drawn: a share of them, or n with replacement."""

    n_points: int
    seed: int
    fraction: float = 0.8
    bootstrap: bool = False

    @property
    def size(self) -> int:
        """The number of points that are drawn."""
        return self.n_points if self.bootstrap else round(self.fraction * self.n_points)

    def draw(self, sample: int) -> Integers:
        """The points of one sample, sorted; with a bootstrap some of them are there repeatedly."""
        if self.size == self.n_points and not self.bootstrap:
            return np.arange(self.n_points)
        generator = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(sample,)))
        if self.bootstrap:
            return np.sort(generator.integers(self.n_points, size=self.size))
        return np.sort(generator.choice(self.n_points, self.size, replace=False))


def seed_of(seed: int, *key: int) -> int:
    """A seed from 0 to 2**32 - 1 for one use, which the numbers of the key tell from all others."""
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1)[0])


def number_of(value: Value) -> int:
    """The number that stands for a tried value in a key: k itself, or a checksum of its text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return zlib.crc32(str(value).encode())


def new_seed() -> int:
    """A seed for a run that was given none."""
    return int(np.random.default_rng().integers(SEEDS))
