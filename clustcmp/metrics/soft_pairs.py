"""Pairs of points in soft clusterings: how much each pair is together in a and in b.

Two points are together in a soft clustering by the sum over clusters of the products of their
degrees, s in a and t in b. Metrics that compare s with t pair by pair are best for a clustering
compared with itself; the expected counts of `count_pairs` are not.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal, NamedTuple

import numpy as np

from clustcmp.arrays import SAME_SUM
from clustcmp.metrics.elementwise import share
from clustcmp.metrics.pairs import expected_pairs
from clustcmp.model import Contingency, Hard, Membership
from clustcmp.model.contingency import sum_products, sum_squares
from clustcmp.options import ForSoft

SoftPairs = Annotated[
    Literal["matrix", "expected"],
    ForSoft("expected"),
    "how pairs of soft clusterings count: by how much they are together, or as expected counts.",
]
SoftAgreement = Annotated[
    Literal["matrix", "expected", "concordance"],
    ForSoft("expected"),
    "how pairs of soft clusterings count: by how much they are together, as expected counts, or by "
    "how alike the degrees of two points are (NDC, ACI).",
]


class Togetherness(NamedTuple):
    """Sums over all pairs of points: of s t, s squared, t squared, s and t, and of pairs."""

    st: float
    ss: float
    tt: float
    s: float
    t: float
    pairs: float

    @property
    def differs(self) -> float:
        """The sum of (s - t) squared, 0 where only a rounding error is left of it."""
        both = self.ss + self.tt
        difference = both - 2.0 * self.st
        return difference if difference > SAME_SUM * both else 0.0

    @property
    def by_chance(self) -> float:
        """The mean of the sum of s t if the points of b are permuted."""
        return share(self.s * self.t, self.pairs, nothing=0.0)  # type: ignore[no-any-return]


def compares_matrices(table: Contingency, soft: str) -> bool:
    """Whether a metric compares s with t, because a side is soft and the user did not decide."""
    return soft == "matrix" and table.memberships is not None


def sum_pairs_of(membership: Membership, table: Contingency) -> tuple[float, float]:
    """The sums of s and of s squared over all pairs.

    Where points have masses, pairs are drawn with replacement, and none is left out as that of a
    point with itself.
    """
    weights = table.weights
    masses = membership.masses if weights is None else membership.weigh(weights)
    masses = masses.astype(np.float64)
    crossed = masses
    if not isinstance(membership, Hard):
        crossed = sum_products(membership, membership, weights).ravel()
    alone = alone_twice = 0.0
    if not table.has_masses:
        squares = sum_squares(membership)
        weigh = 1.0 if weights is None else weights
        alone, alone_twice = math.fsum(weigh * squares), math.fsum(weigh * squares * squares)
    return expected_pairs(masses, alone), expected_pairs(crossed, alone_twice)


def sum_togetherness(table: Contingency) -> Togetherness:
    """The sums of a contingency, of which at least one side is soft."""
    assert table.memberships is not None
    (s, ss), (t, tt) = (sum_pairs_of(side, table) for side in table.memberships)
    st = expected_pairs(table.masses, table.self_both)
    alone = 0.0 if table.has_masses else 1.0
    return Togetherness(st, ss, tt, s, t, table.total * (table.total - alone) / 2.0)


def is_same(table: Contingency) -> bool:
    """Whether all pairs of points are together as much in a as in b."""
    return not table.once(sum_togetherness).differs


def soft_rand(table: Contingency) -> float:
    """1 - the mean of (s - t) squared."""
    sums = table.once(sum_togetherness)
    return 1.0 - float(share(sums.differs, sums.pairs, nothing=0.0))


def soft_adjusted_rand(table: Contingency) -> float:
    """The sum of s t above chance, over the mean of the sums of squares above chance."""
    sums = table.once(sum_togetherness)
    if not sums.differs:
        return 1.0
    return (sums.st - sums.by_chance) / ((sums.ss + sums.tt) / 2.0 - sums.by_chance)


def soft_jaccard(table: Contingency) -> float:
    """The sum of s t over the sum of s squared + t squared - s t."""
    sums = table.once(sum_togetherness)
    return sums.st / (sums.ss + sums.tt - sums.st) if sums.differs else 1.0


def soft_pair_f1(table: Contingency) -> float:
    """Twice the sum of s t over the sum of s squared + t squared."""
    sums = table.once(sum_togetherness)
    return 2.0 * sums.st / (sums.ss + sums.tt) if sums.differs else 1.0


def soft_fowlkes_mallows(table: Contingency, adjusted: bool) -> float:
    """The cosine of s and t; adjusted it is scaled so that chance scores 0."""
    sums = table.once(sum_togetherness)
    if not sums.differs:
        return 1.0
    mean = math.sqrt(sums.ss * sums.tt)
    chance = sums.by_chance if adjusted else 0.0
    return float(share(sums.st - chance, mean - chance, nothing=0.0))


def soft_hubert_gamma(table: Contingency) -> float:
    """The correlation of s and t, 0 where one of them is the same for all pairs."""
    sums = table.once(sum_togetherness)
    if not sums.differs:
        return 1.0
    spread_s = sums.ss - float(share(sums.s**2, sums.pairs))
    spread_t = sums.tt - float(share(sums.t**2, sums.pairs))
    if spread_s <= SAME_SUM * sums.ss or spread_t <= SAME_SUM * sums.tt:
        return 0.0
    correlation = (sums.st - sums.by_chance) / math.sqrt(spread_s * spread_t)
    return min(max(correlation, -1.0), 1.0)
