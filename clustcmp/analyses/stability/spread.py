"""The mean over pairs of runs, and how far it would vary with other runs."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from clustcmp.analyses.stability.pairs import Pairs
from clustcmp.arrays import Flags, Floats

LOW, HIGH = 0.05, 0.95


class Dispersion(NamedTuple):
    """The mean over pairs of runs, its standard error, and the 5 % and 95 % quantile of the pairs.

    `pairs` is the number of pairs with a value, `failed` that of the others. There is no value
    without pairs, and no standard error with fewer than three runs.
    """

    value: float | None
    standard_error: float | None
    low: float | None
    high: float | None
    pairs: int
    failed: int


class Margin(NamedTuple):
    """How far the mean of one set of pairs is above that of another, and its standard error."""

    value: float | None
    standard_error: float | None


def spread_of(pairs: Pairs, n_runs: int) -> Dispersion:
    """The mean over pairs, with a standard error by leaving out one run at a time.

    Pairs share runs, so they are not independent: the standard error of a mean of independent
    values would be several times too small.
    """
    known = pairs.values[~np.isnan(pairs.values)]
    failed = len(pairs.values) - len(known)
    if not len(known):
        return Dispersion(None, None, None, None, 0, failed)
    low, high = np.quantile(known, (LOW, HIGH)).tolist()
    error = standard_error(leave_out(pairs, n_runs), takes_part(pairs, n_runs))
    return Dispersion(mean_of(known), error, low, high, len(known), failed)


def margin_between(best: Pairs, other: Pairs, n_runs: int) -> Margin:
    """The mean of the first pairs less that of the others, which are of the same samples.

    Its standard error leaves out the same run on both sides at a time.
    """
    one, two = spread_of(best, n_runs), spread_of(other, n_runs)
    if one.value is None or two.value is None:
        return Margin(None, None)
    differences = leave_out(best, n_runs) - leave_out(other, n_runs)
    part = takes_part(best, n_runs) | takes_part(other, n_runs)
    return Margin(one.value - two.value, standard_error(differences, part))


def mean_of(values: Floats) -> float:
    """The mean, which does not depend on the order; exactly the value if all are equal."""
    return math.fsum(values) / len(values)


def leave_out(pairs: Pairs, n_runs: int) -> Floats:
    """For each run the mean over the pairs without it; NaN where no pair is left."""
    is_known = ~np.isnan(pairs.values)
    values = pairs.values[is_known]
    ends = np.concatenate([pairs.first[is_known], pairs.second[is_known]])
    # The distances from the mean are small numbers, whose sums have small rounding errors.
    middle = mean_of(values)
    above = values - middle
    total, count = math.fsum(above), len(values)
    own = np.bincount(ends, weights=np.concatenate([above, above]), minlength=n_runs)
    left = count - np.bincount(ends, minlength=n_runs)
    means: Floats = np.full(n_runs, np.nan)
    np.divide(total - own, left, out=means, where=left > 0)
    return middle + means


def takes_part(pairs: Pairs, n_runs: int) -> Flags:
    """Which runs have a pair with a value."""
    is_known = ~np.isnan(pairs.values)
    ends = np.concatenate([pairs.first[is_known], pairs.second[is_known]])
    return np.asarray(np.bincount(ends, minlength=n_runs) > 0)


def standard_error(left_out: Floats, part: Flags) -> float | None:
    """The standard error, given the value without each run; None where one of these is unknown."""
    kept = left_out[part]
    if len(kept) < 2 or np.isnan(kept).any():
        return None
    n = len(kept)
    deviations = kept - math.fsum(kept) / n
    return math.sqrt((n - 1) / n * math.fsum(deviations * deviations))
