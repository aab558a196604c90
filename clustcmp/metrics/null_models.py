"""What chance is, for adjusted_rand: which random clusterings two clusterings are compared with.

Gates and Ahn compare with all clusterings of as many points, or with those of as many clusters;
Sundqvist, Chiquet and Rigaill with clusterings whose points are drawn one by one.
"""

from __future__ import annotations

import math
from itertools import islice

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.errors import Undefined
from clustcmp.metrics.elementwise import share
from clustcmp.metrics.pairs import count_pairs, pairs_within
from clustcmp.model import Contingency
from clustcmp.model.chance import draw_tables

# Terms farther than this many standard deviations from the largest one are below the last digit.
REACH = 40.0

# Products of three numbers of points up to this total fit into 63 bits.
MOST_CUBED = 2_000_000


def against_null(table: Contingency, null: str, sides: str) -> float:
    """(rand - E) / (1 - E), where E is the mean of rand over the random clusterings of a null."""
    pairs = table.once(count_pairs)
    if not table.is_hard:
        raise Undefined(f"null={null} is defined for hard clusterings only")
    if pairs.only_a == pairs.only_b == 0:
        return 1.0
    if null == "multinomial":
        return against_multinomial(table)
    share_together = {"number": together_by_number, "all": together_of_all}[null]
    b = table.once(share_together, table.n_b)
    is_fixed = sides == "one"
    a = pairs.together_a / pairs.all if is_fixed else table.once(share_together, table.n_a)
    disagreements = (pairs.only_a + pairs.only_b) / pairs.all
    # The same as (rand - E) / (1 - E), without differences of numbers that are nearly 1.
    value: float = 1.0 - disagreements / (a + b - 2.0 * a * b)
    return value


def together_of_all(table: Contingency, n_clusters: int) -> float:
    """The share of pairs that are together, on average over all clusterings of the points.

    It is B(n-1) / B(n), a mean of 1 / j with the weights j^n / j! of Dobinski's series.
    """
    from scipy.special import gammaln

    n = table.n_points
    peak = find_peak(n)
    reach = REACH * (1.0 + peak / math.sqrt(n + peak))
    first = max(1, math.floor(peak - reach))
    j = np.arange(first, math.ceil(peak + reach) + 1, dtype=np.float64)
    top = max(1.0, float(round(peak)))
    logs = n * np.log(j / top) - (gammaln(j + 1.0) - gammaln(top + 1.0))
    weights = np.exp(logs - logs.max())
    return math.fsum(weights / j) / math.fsum(weights)


def find_peak(n: int) -> float:
    """The j of the largest j^n / j!, nearly: j log j = n, solved by Newton's steps for log j."""
    log_j = math.log(n + 1.0)
    for _ in range(50):
        log_j -= (log_j - n * math.exp(-log_j)) / (log_j + 1.0)
    return math.exp(log_j)


def together_by_number(table: Contingency, n_clusters: int) -> float:
    """The share of pairs that are together, on average over the clusterings with as many clusters.

    It is S(n-1, k) / S(n, k) with Stirling numbers of the second kind. S(n, k) is proportional to
    the probability that k Poisson numbers, none of them 0, sum to n, times n! / rate^n; these
    probabilities are sums over the characteristic function.
    """
    n, k = table.n_points, n_clusters
    if k in (1, n):
        return 1.0 if k == 1 else 0.0
    rate = find_rate(n / k)
    angles, sizes, phases = characteristic(n, k, rate)
    # Angles below 0 add the same as those above; the whole turn has 0 and pi once.
    sizes[1:-1] *= 2.0
    probability = math.fsum(sizes * np.cos(phases - n * angles))
    one_less = math.fsum(sizes * np.cos(phases - (n - 1) * angles))
    return rate / n * one_less / probability


def find_rate(mean: float) -> float:
    """The rate of a Poisson number with this mean if 0 is left out: rate / (1 - exp(-rate)).

    Any rate gives the right share; near this one the sum of the numbers is likely to be n.
    """
    low, high = 0.0, mean
    for _ in range(60):
        rate = (low + high) / 2.0
        low, high = (rate, high) if rate < -mean * math.expm1(-rate) else (low, rate)
    return high


def characteristic(n: int, k: int, rate: float) -> tuple[Floats, Floats, Floats]:
    """Angles from 0 to pi, and the size and the phase of the characteristic function there.

    So many angles that probabilities of sums other than n, which the finite sum adds to that of n,
    are below the last digit.
    """
    spread = math.sqrt(n * max(1.0 + rate - n / k, 0.0))
    half = 64 + math.ceil(REACH * spread)
    angles = np.pi * np.arange(half + 1) / half
    # (e^z - 1) / (e^rate - 1) - 1 at z = rate e^(i angle), without cancellation near angle 0.
    real = -2.0 * rate * np.sin(angles / 2.0) ** 2
    imaginary = rate * np.sin(angles)
    grown = np.expm1(real + 1j * imaginary) / -math.expm1(-rate)
    x, y = grown.real, grown.imag
    with np.errstate(divide="ignore"):
        sizes = np.exp(k / 2.0 * np.log1p(np.maximum(2.0 * x + x * x + y * y, -1.0)))
    return angles, sizes, k * np.arctan2(y, 1.0 + x)


def against_multinomial(table: Contingency) -> float:
    """The index whose expectation counts pairs of pairs without a common point."""
    n = table.n_points
    if n < 4:
        raise Undefined("two pairs without a common point need 4 points")
    both = table.once(count_pairs).both
    together_a, together_b = (pairs_within(side, n) for side in (table.masses_a, table.masses_b))
    sizes_a, sizes_b = table.masses_a[table.rows], table.masses_b[table.columns]
    triples = 2 * n + sum_products(n, table.masses, sizes_a, sizes_b)
    for sizes in (table.masses, table.masses_a, table.masses_b):
        triples -= sum_products(n, sizes, sizes)
    # Everything times 6 C(n, 4), in whole numbers.
    scale = n * (n - 1) * (n - 2) * (n - 3) // 4
    expected = n * (n - 1) // 2 * (together_a * together_b - both - triples)
    above_chance = 2 * (both * scale - expected)
    value: float = share(
        above_chance, (together_a + together_b) * scale - 2 * expected, nothing=0.0
    )
    return value


def sum_products(total: int, *factors: Integers) -> int:
    """The exact sum of products of up to three numbers of points."""
    kind = np.int64 if total < MOST_CUBED else object
    product = np.ones(1, dtype=kind)
    for factor in factors:
        product = product * factor.astype(kind)
    return int(product.sum())


def against_draws(table: Contingency, draws: int, seed: int) -> float:
    """(rand - mean) / (max - min), with mean, max and min over random permutations of b."""
    both, only_a, only_b, _ = table.once(count_pairs)
    if only_a == only_b == 0:
        return 1.0
    if not table.is_hard:
        raise Undefined("null=sampled is defined for hard clusterings only")
    random_tables = draw_tables(table, np.random.default_rng(seed))
    drawn = [pairs_within(random.masses, table.n_points) for random in islice(random_tables, draws)]
    low, high = min(drawn), max(drawn)
    if low == high:
        raise Undefined("all random clusterings have the same Rand index, so there is no scale")
    # With the cluster sizes fixed, rand is a constant plus 2 both / all: the constant cancels.
    return float((both - math.fsum(drawn) / draws) / (high - low))
