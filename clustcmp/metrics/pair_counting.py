"""Metrics that count pairs of points: together or apart in a, together or apart in b."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import islice
from typing import Annotated, Any, Literal

import numpy as np

from clustcmp.errors import Undefined
from clustcmp.metrics.elementwise import root, share
from clustcmp.metrics.pairs import count_pairs, pairs_within
from clustcmp.model import Contingency
from clustcmp.model.chance import draw_tables
from clustcmp.options import AtLeast, Options
from clustcmp.registry import Ends, Family, Weights, ends_if_normalized


def show_counts(table: Contingency, options: Options) -> Mapping[str, Any]:
    """The pair counts under their usual names."""
    both, only_a, only_b, neither = table.once(count_pairs)
    return {"tp": both, "fn": only_a, "fp": only_b, "tn": neither}


def show_counts_of_a(table: Contingency, options: Options) -> Mapping[str, Any]:
    """The pair counts, and how many pairs the value is computed from: those of a."""
    return {**show_counts(table, options), "pairs": table.once(count_pairs).together_a}


def show_counts_of_b(table: Contingency, options: Options) -> Mapping[str, Any]:
    """The pair counts, and how many pairs the value is computed from: those of b."""
    return {**show_counts(table, options), "pairs": table.once(count_pairs).together_b}


pair_counting = Family("pair_counting", "Pair counting", details=show_counts)


@pair_counting.metric(
    "rand",
    "ri",
    brief="share of pairs on which a and b agree",
    worst=0.0,
    best=1.0,
    accepts=("hard", "soft"),
    weights="masses",
    formula="(TP + TN) / all pairs",
    citation="Rand 1971, doi:10.1080/01621459.1971.10482356",
)
def rand(table: Contingency) -> float:
    """Share of the pairs of points on which a and b agree: together in both or apart in both.

    With many clusters almost all pairs are apart in both, so the value is near 1 whatever b is;
    adjusted_rand corrects this. A single point has no pairs and scores 1.
    """
    pairs = table.once(count_pairs)
    agreements: float = share(pairs.both + pairs.neither, pairs.all)
    return agreements


def adjusted_rand_ends(options: Options, hard: bool) -> Ends:
    """With null=sampled there are no ends: a value may lie far outside of all random draws."""
    return (-0.5, 1.0) if options["null"] == "exact" else (None, None)


def adjusted_rand_convention(options: Options) -> str:
    """Which of the two adjusted indices the value is."""
    if options["null"] == "exact":
        return "Hubert-Arabie, 0 is chance"
    return f"(rand - mean) / (max - min) of {options['draws']} draws"


def weights_of_adjusted_rand(options: Options) -> Weights:
    """Random clusterings are those of points, which can be counted."""
    return "masses" if options["null"] == "exact" else "counts"


@pair_counting.metric(
    "adjusted_rand",
    "ari",
    brief="rand, scaled so that chance scores 0",
    worst=-0.5,
    best=1.0,
    accepts=("hard", "soft"),
    featured=True,
    ends=adjusted_rand_ends,
    convention=adjusted_rand_convention,
    weights=weights_of_adjusted_rand,
    formula="2 (TP TN - FN FP) / ((TP+FN)(FN+TN) + (TP+FP)(FP+TN))",
    citation="Hubert and Arabie 1985, doi:10.1007/BF01908075",
)
def adjusted_rand(
    table: Contingency,
    *,
    null: Annotated[
        Literal["exact", "sampled"],
        "what chance is: the closed form, or (rand - mean) / (max - min) over random draws.",
    ] = "exact",
    draws: Annotated[int, AtLeast(2), "how many clusterings to draw for null=sampled."] = 1000,
    seed: Annotated[int, AtLeast(0), "the seed of these draws."] = 0,
) -> float:
    """Rand index, scaled so that chance scores 0 and identity scores 1.

    Without any disagreement the value is 1, also for all singletons and for one single cluster,
    where the published quotient is 0/0.

    The closed form is Hubert and Arabie's. Lectures also show (rand - mean) / (max - min) over
    random clusterings, which is another number and depends on the draws; null=sampled computes it
    with b's labels permuted.
    """
    if null == "sampled":
        return against_draws(table, draws, seed)
    both, only_a, only_b, neither = table.once(count_pairs)
    above_chance = 2 * (both * neither - only_a * only_b)
    spread_a = (both + only_a) * (only_a + neither)
    spread_b = (both + only_b) * (only_b + neither)
    value: float = share(above_chance, spread_a + spread_b)
    return value


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


@pair_counting.metric(
    "jaccard",
    brief="pairs in both, over pairs in either",
    worst=0.0,
    best=1.0,
    accepts=("hard", "soft"),
    weights="masses",
    formula="TP / (TP + FN + FP)",
    citation="Ben-Hur, Elisseeff and Guyon 2002, doi:10.1142/9789812799623_0002",
)
def jaccard(table: Contingency) -> float:
    """Share of the pairs together in a or in b that are together in both."""
    both, only_a, only_b, _ = table.once(count_pairs)
    value: float = share(both, both + only_a + only_b, nothing=math.nan)
    if np.ndim(value) == 0 and math.isnan(value):
        raise Undefined("no pair of points is together in a or in b")
    return value


@pair_counting.metric(
    "fowlkes_mallows",
    "fm",
    "fmi",
    brief="geometric mean of precision, recall",
    worst=0.0,
    best=1.0,
    accepts=("hard", "soft"),
    weights="masses",
    formula="square root of pair_precision times pair_recall",
    citation="Fowlkes and Mallows 1983, doi:10.1080/01621459.1983.10478008",
)
def fowlkes_mallows(table: Contingency) -> float:
    """Geometric mean of pair precision and pair recall, each 1 where it has no pairs to count."""
    pairs = table.once(count_pairs)
    precision = share(pairs.both, pairs.together_b)
    recall = share(pairs.both, pairs.together_a)
    mean: float = root(precision * recall)
    return mean


@pair_counting.metric(
    "pair_precision",
    brief="share of b's pairs that are in a",
    worst=0.0,
    best=1.0,
    accepts=("hard", "soft"),
    symmetric=False,
    details=show_counts_of_b,
    weights="masses",
    formula="TP / (TP + FP)",
    citation="Zaki and Meira 2020, chapter 17, doi:10.1017/9781108564175",
)
def pair_precision(table: Contingency) -> float:
    """Share of b's pairs that are together in a too; 1 if b has no two points together."""
    pairs = table.once(count_pairs)
    precision: float = share(pairs.both, pairs.together_b)
    return precision


@pair_counting.metric(
    "pair_recall",
    brief="share of a's pairs that are in b",
    worst=0.0,
    best=1.0,
    accepts=("hard", "soft"),
    symmetric=False,
    details=show_counts_of_a,
    weights="masses",
    formula="TP / (TP + FN)",
    citation="Zaki and Meira 2020, chapter 17, doi:10.1017/9781108564175",
)
def pair_recall(table: Contingency) -> float:
    """Share of a's pairs that are together in b too; 1 if a has no two points together."""
    pairs = table.once(count_pairs)
    recall: float = share(pairs.both, pairs.together_a)
    return recall


@pair_counting.metric(
    "pair_f1",
    brief="harmonic mean of precision and recall",
    worst=0.0,
    best=1.0,
    accepts=("hard", "soft"),
    weights="masses",
    formula="2 TP / (2 TP + FP + FN)",
    citation="Zaki and Meira 2020, chapter 17, doi:10.1017/9781108564175",
)
def pair_f1(table: Contingency) -> float:
    """Harmonic mean of pair precision and pair recall; 1 if neither has two points together."""
    pairs = table.once(count_pairs)
    mean: float = share(2 * pairs.both, 2 * pairs.both + pairs.only_a + pairs.only_b)
    return mean


@pair_counting.metric(
    "wallace_ab",
    brief="another name of pair_recall",
    worst=0.0,
    best=1.0,
    accepts=("hard", "soft"),
    symmetric=False,
    details=show_counts_of_a,
    weights="masses",
    formula="TP / (TP + FN)",
    citation="Wallace 1983, doi:10.1080/01621459.1983.10478009",
)
def wallace_ab(table: Contingency) -> float:
    """Share of a's pairs that b keeps together; 1 if a has none. The same as pair_recall."""
    return pair_recall(table)


@pair_counting.metric(
    "wallace_ba",
    brief="another name of pair_precision",
    worst=0.0,
    best=1.0,
    accepts=("hard", "soft"),
    symmetric=False,
    details=show_counts_of_b,
    weights="masses",
    formula="TP / (TP + FP)",
    citation="Wallace 1983, doi:10.1080/01621459.1983.10478009",
)
def wallace_ba(table: Contingency) -> float:
    """Share of b's pairs that a keeps together; 1 if b has none. The same as pair_precision."""
    return pair_precision(table)


def kind_of_mirkin(options: Options) -> str:
    """The unit, or what the value was divided by."""
    return "divided by n²" if options["normalize"] else "ordered pairs"


@pair_counting.metric(
    "mirkin",
    brief="ordered pairs on which they disagree",
    worst=math.inf,
    best=0.0,
    ends=ends_if_normalized,
    convention=kind_of_mirkin,
    accepts=("hard", "soft"),
    weights="masses",
    formula="2 (FP + FN)",
    citation="Mirkin 1996, doi:10.1007/978-1-4613-0457-9",
)
def mirkin(
    table: Contingency,
    *,
    normalize: Annotated[bool, "divide by the square of the number of points."] = False,
) -> float:
    """Number of ordered pairs of points on which a and b disagree."""
    pairs = table.once(count_pairs)
    # Of masses, pairs are ordered ones anyhow.
    disagreements = (1 if table.has_masses else 2) * (pairs.only_a + pairs.only_b)
    value: float = share(disagreements, table.total**2 if normalize else 1)
    return value


@pair_counting.metric(
    "hubert_gamma",
    brief="correlation over all pairs",
    worst=-1.0,
    best=1.0,
    accepts=("hard", "soft"),
    weights="masses",
    formula="(TP TN - FN FP) / square root of (TP+FN)(TP+FP)(FN+TN)(FP+TN)",
    citation="Hubert and Schultz 1976, doi:10.1111/j.2044-8317.1976.tb00714.x",
)
def hubert_gamma(table: Contingency) -> float:
    """Correlation (phi coefficient) over all pairs between together in a and together in b.

    Where one of them is constant and the other is not, the quotient is 0/0 and the value 0.
    """
    both, only_a, only_b, neither = table.once(count_pairs)
    spread_a = (both + only_a) * (only_b + neither)
    spread_b = (both + only_b) * (only_a + neither)
    covariance = both * neither - only_a * only_b
    value: float = share(covariance, root(spread_a) * root(spread_b), nothing=0.0)
    return value
