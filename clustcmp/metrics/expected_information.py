"""The mutual information that chance alone gives, exactly and quickly.

When clusters keep their sizes and points are dealt at random, the number x of points shared by a
cluster of size s and one of size t is hypergeometric. Its expected contribution depends on s and t
alone, so it is computed once for each pair of distinct sizes: 5,000 against 5,000 clusters of
about 20 points have a thousand such pairs, not 25 million.
"""

from __future__ import annotations

import math

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.model import Contingency

# By Bernstein's inequality all numbers of shared points outside of `likely_range` together have a
# probability below exp(-TAIL), which is far below the last digit of a double.
TAIL = 60.0

# If x may have more values than this, its variance is enough to know the expectation.
MOST_TERMS = 1 << 17

# How many terms are held in memory at once.
BLOCK = 1 << 20


def expected_information(table: Contingency) -> float:
    """The expected mutual information of two hard clusterings with these cluster sizes, in nats."""
    n = float(table.total)
    # A Python loop goes over the side with fewer distinct sizes; the other side is vectorised.
    (sizes, counts), (others, other_counts) = sorted(
        (np.unique(masses, return_counts=True) for masses in (table.masses_a, table.masses_b)),
        key=lambda distinct: len(distinct[0]),
    )
    terms = [
        count * np.dot(other_counts, expected_terms(size, others, n))
        for size, count in zip(sizes.tolist(), counts.tolist(), strict=True)
    ]
    return math.fsum(terms)


def expected_terms(size: int, others: Integers, n: float) -> Floats:
    """E[x/n log(n x / (s t))] for one size s and all sizes t of the other side."""
    low, high = likely_range(size, others.astype(np.float64), n)
    wide = high - low > MOST_TERMS
    if wide.any():
        terms = np.empty(len(others))
        terms[wide] = expected_of_many(size, others[wide], n)
        if not wide.all():
            terms[~wide] = expected_terms(size, others[~wide], n)
        return terms
    width = int((high - low).max()) + 1
    step = math.ceil(BLOCK / width)
    return np.concatenate(
        [
            expectation(size, others[i : i + step], low[i : i + step], high[i : i + step], n)
            for i in range(0, len(others), step)
        ]
    )


def expected_of_many(size: float, others: Integers, n: float) -> Floats:
    """E[x/n log(n x / (s t))] where x varies over millions, from its variance alone.

    The second term of Taylor's series around the mean is variance / (2 n mean), at most 1 / (2 n).
    The next terms are smaller by the number of shared points, here some billions.
    """
    return (1.0 - size / n) * (1.0 - others / n) / (2.0 * (n - 1.0))


def likely_range(size: float, others: Floats, n: float) -> tuple[Floats, Floats]:
    """The smallest and the largest number of shared points whose probability matters."""
    mean = size * others / n
    variance = mean * (1.0 - size / n) * (1.0 - others / n) * n / max(n - 1.0, 1.0)
    reach = TAIL / 3.0 + np.sqrt(TAIL**2 / 9.0 + 2.0 * TAIL * variance)
    low = np.maximum(np.floor(mean - reach), np.maximum(size + others - n, 0.0))
    high = np.minimum(np.ceil(mean + reach), np.minimum(size, others))
    return low, high


def expectation(size: float, others: Integers, low: Floats, high: Floats, n: float) -> Floats:
    """The expectation over x = low .. high, a row for each of the other sizes.

    Each probability is computed from the one before it by a ratio of small numbers; at the end all
    are scaled to sum to 1. Log-factorials would cost nine digits at a million points.
    """
    t = others[:, None].astype(np.float64)
    x = low[:, None] + np.arange(int((high - low).max()) + 1)
    inside = x <= high[:, None]
    x = np.where(inside, x, high[:, None])
    before = x[:, :-1]
    rise = np.divide(
        (size - before) * (t - before),
        x[:, 1:] * (n - size - t + x[:, 1:]),
        out=np.ones_like(before),
        where=inside[:, 1:],
    )
    logs = np.zeros_like(x)
    np.cumsum(np.log(rise), axis=1, out=logs[:, 1:])
    weights = np.exp(logs - logs.max(axis=1, keepdims=True)) * inside
    chances = weights / weights.sum(axis=1, keepdims=True)
    times_chance = np.where(x > 0.0, x * n / (size * t), 1.0)
    expected: Floats = (chances * x / n * np.log(times_chance)).sum(axis=1)
    return expected
