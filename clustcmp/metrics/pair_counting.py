"""Metrics that count pairs of points: together or apart in a, together or apart in b."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np

from clustcmp.errors import Undefined
from clustcmp.metrics.concordance import adjusted_concordance, concordance
from clustcmp.metrics.elementwise import root, share
from clustcmp.metrics.null_models import against_draws, against_null
from clustcmp.metrics.pairs import (
    count_pairs,
    show_counts,
    show_counts_of_a,
    show_counts_of_b,
)
from clustcmp.metrics.soft_pairs import (
    SoftAgreement,
    SoftPairs,
    compares_matrices,
    is_same,
    soft_adjusted_rand,
    soft_fowlkes_mallows,
    soft_hubert_gamma,
    soft_jaccard,
    soft_pair_f1,
    soft_rand,
    sum_togetherness,
)
from clustcmp.model import Contingency
from clustcmp.options import AtLeast, Options
from clustcmp.registry import Ends, Family, Weights, ends_if_normalized

pair_counting = Family("pair_counting", "Pair counting", details=show_counts)


def weights_of_adjusted_rand(options: Options) -> Weights:
    """Random clusterings are those of points, which can be counted."""
    if options["soft"] == "concordance":
        return "none"
    return "masses" if options["null"] == "exact" else "counts"


def weights_of_rand(options: Options) -> Weights:
    """The concordance sorts points, and does not know weights."""
    return "none" if options["soft"] == "concordance" else "masses"


@pair_counting.metric(
    "rand",
    "ri",
    brief="share of pairs on which a and b agree",
    worst=0.0,
    best=1.0,
    accepts=("hard", "soft"),
    weights=weights_of_rand,
    formula="(TP + TN) / all pairs",
    soft_identity=True,
    citation="Rand 1971, doi:10.1080/01621459.1971.10482356",
)
def rand(table: Contingency, *, soft: SoftAgreement = "matrix") -> float:
    """Share of the pairs of points on which a and b agree: together in both or apart in both.

    With many clusters almost all pairs are apart in both, so the value is near 1 whatever b is;
    adjusted_rand corrects this. A single point has no pairs and scores 1.

    Of soft clusterings it is 1 - the mean of (s - t)^2, where s and t say how much two points are
    together in a and b: the sum of the products of their degrees. soft=concordance is the NDC of
    Huellermeier et al. 2012 (doi:10.1109/TFUZZ.2011.2179303).
    """
    if compares_matrices(table, soft):
        return soft_rand(table)
    if soft == "concordance" and table.memberships is not None:
        return concordance(table)
    pairs = table.once(count_pairs)
    agreements: float = share(pairs.both + pairs.neither, pairs.all)
    return agreements


# What 0 means for the nulls that have an expectation and no draws.
CHANCE = {
    "exact": "Hubert-Arabie, 0 is chance",
    "number": "0 is chance with as many clusters",
    "all": "0 is chance over all clusterings",
    "multinomial": "multinomial, 0 is chance",
}


def adjusted_rand_ends(options: Options, hard: bool) -> Ends:
    """With null=sampled there are no ends: a value may lie far outside of all random draws."""
    exact = {"matrix": -1.0, "concordance": -math.inf}.get(
        "" if hard else str(options["soft"]), -0.5
    )
    worst = {"exact": exact, "sampled": None}.get(str(options["null"]), -math.inf)
    return worst, None if options["null"] == "sampled" else 1.0


def adjusted_rand_convention(options: Options) -> str:
    """Which of the adjusted indices the value is."""
    if options["null"] == "sampled":
        return f"(rand - mean) / (max - min) of {options['draws']} draws"
    fixed = ", a fixed" if options["sides"] == "one" else ""
    return CHANCE[str(options["null"])] + fixed


def adjusted_rand_is_symmetric(options: Options) -> bool:
    """With sides=one only b is random, which matters if its clusters need not keep their sizes."""
    return options["sides"] == "two" or options["null"] not in ("number", "all")


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
    soft_identity=True,
    symmetric_with=adjusted_rand_is_symmetric,
    weights=weights_of_adjusted_rand,
    formula="2 (TP TN - FN FP) / ((TP+FN)(FN+TN) + (TP+FP)(FP+TN))",
    citation="Hubert and Arabie 1985, doi:10.1007/BF01908075",
)
def adjusted_rand(
    table: Contingency,
    *,
    null: Annotated[
        Literal["exact", "number", "all", "multinomial", "sampled"],
        "what chance is: clusters keep their sizes (exact), all clusterings with as many clusters, "
        "all clusterings, points drawn one by one, or (rand - mean) / (max - min) of random draws.",
    ] = "exact",
    draws: Annotated[int, AtLeast(2), "how many clusterings to draw for null=sampled."] = 1000,
    seed: Annotated[int, AtLeast(0), "the seed of these draws."] = 0,
    sides: Annotated[
        Literal["two", "one"],
        "whether a is random, too, or only b; matters for null=number and null=all.",
    ] = "two",
    soft: SoftAgreement = "matrix",
) -> float:
    """Rand index, scaled so that chance scores 0 and identity scores 1.

    Without any disagreement the value is 1, also for all singletons and for one single cluster,
    where the published quotient is 0/0.

    The closed form is Hubert and Arabie's. Lectures also show (rand - mean) / (max - min) over
    random clusterings, which is another number and depends on the draws; null=sampled computes it
    with b's labels permuted. Gates and Ahn 2017 (jmlr.org/papers/v18/17-039.html) compare with all
    clusterings, or all with as many clusters; Sundqvist, Chiquet and Rigaill 2023
    (doi:10.1007/s00180-022-01230-7) draw points from a multinomial distribution.

    Of soft clusterings it compares how much points are together, with the points of b permuted for
    chance. soft=concordance is the ACI of D'Ambrosio et al. 2021 (doi:10.1007/s00357-020-09367-0),
    whose expectation is exact here.
    """
    if soft == "concordance" and null == "exact" and table.memberships is not None:
        return adjusted_concordance(table)
    if compares_matrices(table, soft) and (null == "exact" or is_same(table)):
        return soft_adjusted_rand(table)
    if null == "sampled":
        return against_draws(table, draws, seed)
    if null != "exact":
        return against_null(table, null, sides)
    both, only_a, only_b, neither = table.once(count_pairs)
    above_chance = 2 * (both * neither - only_a * only_b)
    spread_a = (both + only_a) * (only_a + neither)
    spread_b = (both + only_b) * (only_b + neither)
    value: float = share(above_chance, spread_a + spread_b)
    return value


@pair_counting.metric(
    "jaccard",
    brief="pairs in both, over pairs in either",
    worst=0.0,
    best=1.0,
    accepts=("hard", "soft"),
    weights="masses",
    formula="TP / (TP + FN + FP)",
    soft_identity=True,
    citation="Ben-Hur, Elisseeff and Guyon 2002, doi:10.1142/9789812799623_0002",
)
def jaccard(table: Contingency, *, soft: SoftPairs = "matrix") -> float:
    """Share of the pairs together in a or in b that are together in both."""
    if compares_matrices(table, soft):
        return soft_jaccard(table)
    both, only_a, only_b, _ = table.once(count_pairs)
    value: float = share(both, both + only_a + only_b, nothing=math.nan)
    if np.ndim(value) == 0 and math.isnan(value):
        raise Undefined("no pair of points is together in a or in b")
    return value


def fowlkes_mallows_ends(options: Options, hard: bool) -> Ends:
    """An adjusted value is below 0 where a and b share fewer pairs than by chance."""
    lowest = -0.5 if hard or options["soft"] == "expected" else -math.inf
    return (lowest if options["adjusted"] else 0.0), 1.0


def kind_of_fowlkes_mallows(options: Options) -> str:
    """Whether the value is adjusted for chance."""
    return "adjusted, 0 is chance" if options["adjusted"] else ""


@pair_counting.metric(
    "fowlkes_mallows",
    "fm",
    "fmi",
    brief="geometric mean of precision, recall",
    worst=0.0,
    best=1.0,
    accepts=("hard", "soft"),
    ends=fowlkes_mallows_ends,
    convention=kind_of_fowlkes_mallows,
    soft_identity=True,
    weights="masses",
    formula="square root of pair_precision times pair_recall",
    citation="Fowlkes and Mallows 1983, doi:10.1080/01621459.1983.10478008",
)
def fowlkes_mallows(
    table: Contingency,
    *,
    adjusted: Annotated[bool, "scale the value so that chance scores 0, as adjusted_rand."] = False,
    soft: SoftPairs = "matrix",
) -> float:
    """Geometric mean of pair precision and pair recall, each 1 where it has no pairs to count.

    Adjusted (Hubert and Arabie 1985, doi:10.1007/BF01908075) it is (FM - E) / (1 - E) with
    E = square root of (TP+FN)(TP+FP) / all pairs.
    """
    if compares_matrices(table, soft):
        return soft_fowlkes_mallows(table, adjusted)
    pairs = table.once(count_pairs)
    a, b, n_pairs = pairs.together_a, pairs.together_b, pairs.all
    if adjusted:
        # The quotient times all pairs and the square root, so that no two close numbers are
        # subtracted from each other.
        mean = root(a * b)
        above_chance = (pairs.both * n_pairs - a * b) * (n_pairs + mean)
        room = mean * (n_pairs * n_pairs - a * b)
        value: float = share(above_chance, room, nothing=1.0 * (a == b))
        return value
    precision, recall = share(pairs.both, b), share(pairs.both, a)
    return root(precision * recall)  # type: ignore[no-any-return]


@pair_counting.metric(
    "pair_precision",
    "wallace_ba",
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
    """Share of b's pairs that are together in a too; 1 if b has no two points together.

    Wallace's second coefficient (1983, doi:10.1080/01621459.1983.10478009) is the same number.
    """
    pairs = table.once(count_pairs)
    precision: float = share(pairs.both, pairs.together_b)
    return precision


@pair_counting.metric(
    "pair_recall",
    "wallace_ab",
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
    """Share of a's pairs that are together in b too; 1 if a has no two points together.

    Wallace's first coefficient (1983, doi:10.1080/01621459.1983.10478009) is the same number.
    """
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
    soft_identity=True,
    citation="Zaki and Meira 2020, chapter 17, doi:10.1017/9781108564175",
)
def pair_f1(table: Contingency, *, soft: SoftPairs = "matrix") -> float:
    """Harmonic mean of pair precision and pair recall; 1 if neither has two points together."""
    if compares_matrices(table, soft):
        return soft_pair_f1(table)
    pairs = table.once(count_pairs)
    mean: float = share(2 * pairs.both, 2 * pairs.both + pairs.only_a + pairs.only_b)
    return mean


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
    soft_identity=True,
    citation="Mirkin 1996, doi:10.1007/978-1-4613-0457-9",
)
def mirkin(
    table: Contingency,
    *,
    normalize: Annotated[bool, "divide by the square of the number of points."] = False,
    soft: SoftPairs = "matrix",
) -> float:
    """Number of ordered pairs of points on which a and b disagree."""
    if compares_matrices(table, soft):
        disagreements = 2.0 * table.once(sum_togetherness).differs
    else:
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
    soft_identity=True,
    citation="Hubert and Schultz 1976, doi:10.1111/j.2044-8317.1976.tb00714.x",
)
def hubert_gamma(table: Contingency, *, soft: SoftPairs = "matrix") -> float:
    """Correlation (phi coefficient) over all pairs between together in a and together in b.

    Where one of them is constant and the other is not, the quotient is 0/0 and the value 0.
    """
    if compares_matrices(table, soft):
        return soft_hubert_gamma(table)
    both, only_a, only_b, neither = table.once(count_pairs)
    spread_a = (both + only_a) * (only_b + neither)
    spread_b = (both + only_b) * (only_a + neither)
    covariance = both * neither - only_a * only_b
    value: float = share(covariance, root(spread_a) * root(spread_b), nothing=0.0)
    return value
