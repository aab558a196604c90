"""The benchmark of samples: all that is done with them, against the fits of scikit-learn in it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.cluster import KMeans

import clustcmp
from clustcmp.analyses.stability.fits import Setup, fit_all, runs_of
from clustcmp.analyses.stability.pairs import compare_pairs
from clustcmp.analyses.stability.samples import Drawing
from clustcmp.clusterers.base import Sample
from clustcmp.clusterers.make import make
from clustcmp.requests import find_requests
from tests.bench.measure import Outcome, below, not_slower, timed

IRIS = Path(__file__).parents[2] / "examples" / "iris.csv"

NUMBERS = range(2, 11)
SAMPLES = 50

# How often each is measured; the best ratio counts, which other programs disturb least.
REPEATS = 3


class Timed(KMeans):  # type: ignore[misc]
    """k-means that adds up the seconds of its fits."""

    seconds = 0.0

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:  # noqa: N803
        """The labels, after as long as scikit-learn takes."""
        began = time.perf_counter()
        labels = super().fit_predict(X, y, sample_weight)
        Timed.seconds += time.perf_counter() - began
        return labels


def stability(folder: Path) -> Iterator[Outcome]:
    """Samples of iris, and all pairs of samples of 100,000 points, with k-means of scikit-learn."""
    points = np.loadtxt(IRIS, delimiter=",", skiprows=1, usecols=(1, 2, 3, 4))
    for what, work in (
        ("samples of iris, and their pairs", lambda: sample(points, NUMBERS, n_init=10)),
        ("stability of iris, as a whole", lambda: whole(points)),
    ):
        seconds, fits = min((against_fits(work) for _ in range(REPEATS)), key=quotient)
        yield not_slower(what, seconds, fits, 1.5)
    random = np.random.default_rng(1)
    many = np.concatenate([random.normal(4.0 * k, 1.0, (20_000, 4)) for k in range(5)])
    Timed.seconds = 0.0
    pairs = sample(many, [5], n_init=1)
    yield below("ari, all pairs of 50 samples of 100,000", pairs, Timed.seconds, "s")


def quotient(both: tuple[float, float]) -> float:
    """How many times as long the first one takes."""
    return both[0] / both[1]


def against_fits(work: Any) -> tuple[float, float]:
    """The seconds of some work, and those of the fits in it."""
    Timed.seconds = 0.0
    return timed(work).seconds, Timed.seconds


def whole(points: Any) -> None:
    """What `clustcmp stability` does, with halves and Gaussian data sets."""
    clustcmp.stability(points, Timed(n_init=10), k=NUMBERS, samples=SAMPLES, seed=1, jobs=1)


def sample(points: Any, numbers: Any, n_init: int) -> float:
    """Samples drawn, clustered and compared; the seconds of comparing alone."""
    drawing = Drawing(len(points), seed=1)
    setup = Setup(Sample(points), make(Timed(n_init=n_init)), drawing)
    fits = fit_all(setup, list(numbers), SAMPLES)
    distinct = [drawing.draw(number) for number in range(SAMPLES)]
    (ari,) = find_requests(["ari"])
    seconds = 0.0
    for k in numbers:
        runs = runs_of(fits, k, len(points), distinct, "cluster").runs
        seconds += timed(lambda runs=runs: compare_pairs(runs, ari, 1)).seconds  # type: ignore[misc]
    return seconds
