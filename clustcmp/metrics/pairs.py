"""Counts of pairs of points: together or apart in a, together or apart in b."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from clustcmp.arrays import SAME_SUM, Masses
from clustcmp.metrics.elementwise import Quantity
from clustcmp.model import Contingency
from clustcmp.options import Options

Number = int | float


class PairCounts(NamedTuple):
    """How many pairs are together in both, in a only, in b only, and in neither.

    Whole numbers of any size when both clusterings are hard. Otherwise the expected numbers when
    each point draws its cluster from its own row of degrees.
    """

    both: Quantity
    only_a: Quantity
    only_b: Quantity
    neither: Quantity

    @property
    def all(self) -> Quantity:
        """The number of pairs of different points."""
        return sum(self)

    @property
    def together_a(self) -> Quantity:
        """The number of pairs that a has in one cluster."""
        return self.both + self.only_a

    @property
    def together_b(self) -> Quantity:
        """The number of pairs that b has in one cluster."""
        return self.both + self.only_b

    @property
    def apart_a(self) -> Quantity:
        """The number of pairs that a has in two clusters."""
        return self.only_b + self.neither

    @property
    def apart_b(self) -> Quantity:
        """The number of pairs that b has in two clusters."""
        return self.only_a + self.neither


# The square of this number of points still fits into 63 bits.
MOST_POINTS = 3_000_000_000


def count_pairs(table: Contingency) -> PairCounts:
    """The four pair counts of a contingency.

    Where points have masses, a pair is two draws with replacement, and all pairs are the square of
    the total mass.
    """
    all_pairs: Number
    both: Number
    together_a: Number
    together_b: Number
    if table.has_masses:
        all_pairs = table.total**2
        groups = table.masses, table.masses_a, table.masses_b
        both, together_a, together_b = (math.fsum(np.square(masses)) for masses in groups)
        together_a, together_b = (
            both if abs(one - both) <= SAME_SUM * one else one for one in (together_a, together_b)
        )
    else:
        n_points = table.n_points
        all_pairs = n_points * (n_points - 1) // 2
        if table.is_hard:
            both = pairs_within(table.masses, n_points)
            together_a = pairs_within(table.masses_a, n_points)
            together_b = pairs_within(table.masses_b, n_points)
        else:
            both = expected_pairs(table.masses, table.self_both)
            together_a = expected_pairs(table.masses_a, table.self_a)
            together_b = expected_pairs(table.masses_b, table.self_b)
    only_a = max(together_a - both, 0)
    only_b = max(together_b - both, 0)
    neither = max(all_pairs - both - only_a - only_b, 0)
    return PairCounts(both, only_a, only_b, neither)


def pairs_within(sizes: Masses, total: int) -> int:
    """The exact number of pairs inside groups of these sizes, which sum to the total."""
    if total < MOST_POINTS:
        wide = sizes.astype(np.int64, copy=False)
        return int(np.dot(wide, wide - 1)) // 2
    # A Python loop over sizes is quick, as few are distinct, and Python's integers do not overflow.
    distinct, counts = np.unique(sizes, return_counts=True)
    return sum(
        size * (size - 1) // 2 * count
        for size, count in zip(distinct.tolist(), counts.tolist(), strict=True)
    )


def expected_pairs(masses: Masses, self_pairs: float) -> float:
    """The expected number of pairs inside soft groups of these masses."""
    squares = math.fsum(np.square(masses))
    pairs = (squares - self_pairs) / 2.0
    # The difference of two equal sums is a rounding error, not a number of pairs.
    return pairs if pairs > SAME_SUM * squares else 0.0


def show_counts(table: Contingency, options: Options) -> Mapping[str, Any]:
    """The pair counts under their usual names; nothing if the value is not computed from them."""
    if table.memberships is not None and options.get("soft", "expected") != "expected":
        return {}
    both, only_a, only_b, neither = table.once(count_pairs)
    return {"tp": both, "fn": only_a, "fp": only_b, "tn": neither}


def show_counts_of_a(table: Contingency, options: Options) -> Mapping[str, Any]:
    """The pair counts, and how many pairs the value is computed from: those of a."""
    return {**show_counts(table, options), "pairs": table.once(count_pairs).together_a}


def show_counts_of_b(table: Contingency, options: Options) -> Mapping[str, Any]:
    """The pair counts, and how many pairs the value is computed from: those of b."""
    return {**show_counts(table, options), "pairs": table.once(count_pairs).together_b}
