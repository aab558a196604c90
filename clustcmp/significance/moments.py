"""Exact mean and variance of the pairs that chance puts together in both clusterings.

Chance means that points are dealt at random into clusters that keep their sizes.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from clustcmp.arrays import Masses


def pair_moments(sizes_a: Masses, sizes_b: Masses) -> tuple[Fraction, Fraction]:
    """The mean and the variance of the number of pairs that are together in both."""
    n = int(sizes_a.sum())
    (a2, a3, a4), (b2, b3, b4) = ordered_pairs(sizes_a), ordered_pairs(sizes_b)
    mean = ratio(a2 * b2, falling(n, 2))
    square = (
        2 * ratio(a2 * b2, falling(n, 2))
        + 4 * ratio(a3 * b3, falling(n, 3))
        + ratio(a4 * b4, falling(n, 4))
    )
    # All of these count ordered pairs, of which each pair of points is two.
    return mean / 2, (square - mean * mean) / 4


def ordered_pairs(sizes: Masses) -> tuple[int, int, int]:
    """Ordered pairs of ordered pairs within clusters: the same pair, one shared point, none."""
    # Python's integers do not overflow, and few sizes are distinct.
    distinct, counts = np.unique(sizes, return_counts=True)
    known = list(zip(distinct.tolist(), counts.tolist(), strict=True))
    pairs = sum(count * falling(size, 2) for size, count in known)
    triples = sum(count * falling(size, 3) for size, count in known)
    return pairs, triples, pairs * pairs - 4 * triples - 2 * pairs


def falling(n: int, k: int) -> int:
    """n (n - 1) ... with k factors."""
    product = 1
    for factor in range(n, n - k, -1):
        product *= factor
    return product


def ratio(part: int, whole: int) -> Fraction:
    """A quotient; with too few points for a term nothing is counted in it."""
    return Fraction(part, whole) if whole else Fraction(0)
