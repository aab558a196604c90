"""The benchmarks of proven intervals, of many clusters, and of how costs grow."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import ot
from scipy.spatial.distance import cdist

import clustcmp
from tests.bench.measure import Outcome, below, call, faster, timed
from tests.bench.peer_transport import ITERATIONS
from tests.bench.scaling import write_page
from tests.bench.space import Array, blobs

HERE = Path(__file__).parent

# How many times faster than the naive loop an interval of this tolerance must be.
TIMES = {0.01: 300, 0.001: 60}

# Seconds within which the interval of a million points must be that narrow.
MILLION = {0.01: 20, 0.001: 120}

PROGRAM = """
import sys, clustcmp
from tests.bench.space import blobs
coordinates, a, b = blobs(1_000_000, 10, 2, 0.05)
clustcmp.compare(a, b, "cdistance:tolerance=" + sys.argv[1], coordinates=coordinates)
"""


def value_of(metric: str, coordinates: Array, a: Array, b: Array) -> float | None:
    """The value of one metric."""
    return clustcmp.compare(a, b, metric, coordinates=coordinates).results[0].value


def naive_pairs(coordinates: Array, a: Array, b: Array, pairs: int) -> float:
    """The seconds of the naive loop, extrapolated from some pairs of clusters."""
    n_clusters = int(a.max()) + 1
    seconds = 0.0
    for k in range(pairs):
        here, there = coordinates[a == k], coordinates[b == (k + 1) % n_clusters]
        seconds += timed(partial(naive_pair, here, there)).seconds
    return seconds * n_clusters**2 / pairs


def naive_pair(here: Array, there: Array) -> float:
    """The transport between two clusters, as the naive loop has it."""
    masses = (np.full(len(side), 1.0 / len(side)) for side in (here, there))
    return float(ot.emd2(*masses, cdist(here, there), numItermax=ITERATIONS))


def intervals(folder: Path) -> Iterator[Outcome]:
    """Intervals of 100,000 points against the naive loop, and of a million points."""
    coordinates, a, b = blobs(100_000, 10, 2, 0.05)
    peer = naive_pairs(coordinates, a, b, 2)
    for tolerance, times in TIMES.items():
        word = f"cdistance:tolerance={tolerance}"
        ours = min(timed(partial(value_of, word, coordinates, a, b)).seconds for _ in range(2))
        what = f"100,000 points to {tolerance:.1%} (peer: 2 pairs of 100)"
        yield faster(what, ours, peer, times)
    for tolerance, seconds in MILLION.items():
        command = (sys.executable, "-c", PROGRAM, str(tolerance))
        run = timed(partial(call, sys.executable, str(HERE / "peak.py"), *command))
        yield below(f"a million points to {tolerance:.1%}", run.seconds, seconds, "s")
        yield below(f"their memory to {tolerance:.1%}", int(run.returned) / 1e9, 2, "GB")


def many_clusters(folder: Path) -> Iterator[Outcome]:
    """200 x 200 clusters of 20,000 points, against POT for each pair, as before the kernel."""
    data = blobs(20_000, 200, 2, 0.05)
    ours = min(timed(partial(value_of, "cdistance", *data)).seconds for _ in range(2))
    peer = timed(partial(value_of, "cdistance:solver=pot", *data)).seconds
    yield faster("200 x 200 clusters of 20,000 points", ours, peer, 10)


def scaling(folder: Path) -> Iterator[Outcome]:
    """How costs grow with points, dimensions and clusters; writes docs/performance.md anew."""
    for case, cost in write_page():
        limit = 0.0101 if "tolerance" in case.metric else 1e-9
        what = f"width, {case.series}: {case.n:,}, {case.d}-D, {case.k}"
        yield below(what, cost.width, limit, "of the value")
