"""Metrics of pairs that look at one direction, at one clustering, or at pairs that are apart."""

from __future__ import annotations

import math

import numpy as np

from clustcmp.errors import Undefined
from clustcmp.metrics.elementwise import Quantity, share
from clustcmp.metrics.overlaps import Part, show_part
from clustcmp.metrics.pair_counting import pair_counting
from clustcmp.metrics.pairs import PairCounts, count_pairs, show_counts_of_a, show_counts_of_b
from clustcmp.model import Contingency

# The family with the metrics that this module adds.
__all__ = ["pair_counting"]

SEVERIANO = "Severiano et al. 2011, doi:10.1128/JCM.00624-11"
HUNTER = "Hunter and Gaston 1988, doi:10.1128/jcm.26.11.2465-2466.1988"


def keeps_above_chance(kept: Quantity, lost: Quantity, gained: Quantity, apart: Quantity) -> float:
    """The share of one side's pairs that the other side keeps, scaled so that chance scores 0.

    Pairs are together in both, in this side only, in the other side only, and apart in both.
    """
    above_chance = kept * apart - lost * gained
    # Where the quotient is 0/0, the other side is one cluster, or this side has no pairs to keep.
    other_is_one = (lost + apart == 0) & (gained + lost > 0)
    room = (kept + lost) * (lost + apart)
    value: float = share(above_chance, room, nothing=1.0 - 1.0 * other_is_one)
    return value


@pair_counting.metric(
    "adjusted_wallace_ab",
    "awc",
    brief="a's pairs kept by b, chance scores 0",
    worst=-math.inf,
    best=1.0,
    symmetric=False,
    accepts=("hard", "soft"),
    details=show_counts_of_a,
    convention="0 is chance",
    weights="masses",
    formula="(TP TN - FN FP) / ((TP+FN)(FN+TN))",
    citation=SEVERIANO,
)
def adjusted_wallace_ab(table: Contingency) -> float:
    """Share of a's pairs that b keeps together, scaled so that chance scores 0.

    1 if a has no two points together, unless b is one cluster: then the value is 0. The harmonic
    mean of adjusted_wallace_ab and adjusted_wallace_ba is adjusted_rand.
    """
    both, only_a, only_b, neither = table.once(count_pairs)
    return keeps_above_chance(both, only_a, only_b, neither)


@pair_counting.metric(
    "adjusted_wallace_ba",
    "awh",
    brief="b's pairs kept by a, chance scores 0",
    worst=-math.inf,
    best=1.0,
    symmetric=False,
    accepts=("hard", "soft"),
    details=show_counts_of_b,
    convention="0 is chance",
    weights="masses",
    formula="(TP TN - FN FP) / ((TP+FP)(FP+TN))",
    citation=SEVERIANO,
)
def adjusted_wallace_ba(table: Contingency) -> float:
    """Share of b's pairs that a keeps together, scaled so that chance scores 0.

    1 if b has no two points together, unless a is one cluster: then the value is 0.
    """
    both, only_a, only_b, neither = table.once(count_pairs)
    return keeps_above_chance(both, only_b, only_a, neither)


def share_apart(apart: Quantity, all_pairs: Quantity) -> float:
    """The share of pairs that are apart."""
    value: float = share(apart, all_pairs, nothing=math.nan)
    if np.ndim(value) == 0 and math.isnan(value):
        raise Undefined("a single point has no pairs")
    return value


@pair_counting.metric(
    "simpson_a",
    brief="chance that two points are apart in a",
    worst=None,
    best=None,
    symmetric=False,
    accepts=("hard", "soft"),
    formula="(FP + TN) / all pairs",
    citation=HUNTER,
)
def simpson_a(table: Contingency) -> float:
    """Chance that two points are in different clusters of a.

    Simpson's index of diversity; in typing of bacteria the discriminatory power.
    """
    pairs = table.once(count_pairs)
    return share_apart(pairs.apart_a, pairs.all)


@pair_counting.metric(
    "simpson_b",
    brief="chance that two points are apart in b",
    worst=None,
    best=None,
    symmetric=False,
    accepts=("hard", "soft"),
    formula="(FN + TN) / all pairs",
    citation=HUNTER,
)
def simpson_b(table: Contingency) -> float:
    """Chance that two points are in different clusters of b."""
    pairs = table.once(count_pairs)
    return share_apart(pairs.apart_b, pairs.all)


def score_decisions(right: Quantity, missed: Quantity, wrong: Quantity, part: str) -> Quantity:
    """Precision, recall or F1 of decisions of one kind; 1 where there are none to look at."""
    if part == "precision":
        return share(right, right + wrong)
    if part == "recall":
        return share(right, right + missed)
    return share(2 * right, 2 * right + missed + wrong)


@pair_counting.metric(
    "blanc",
    brief="mean score of pairs joined and apart",
    worst=0.0,
    best=1.0,
    symmetric=False,
    accepts=("hard", "soft"),
    convention=show_part,
    weights="masses",
    formula="mean of 2 TP / (2 TP + FP + FN) and 2 TN / (2 TN + FP + FN)",
    citation="Recasens and Hovy 2011, doi:10.1017/S135132491000029X",
)
def blanc(table: Contingency, *, part: Part = "f1") -> float:
    """Mean of the F1 of pairs that are together and the F1 of pairs that are apart.

    If a has no pair of one kind, the other kind counts alone. With part=recall it is the balanced
    accuracy of pairs, with part=precision the mean precision of both kinds.
    """
    pairs: PairCounts = table.once(count_pairs)
    together = score_decisions(pairs.both, pairs.only_a, pairs.only_b, part)
    apart = score_decisions(pairs.neither, pairs.only_b, pairs.only_a, part)
    has_together, has_apart = 1.0 * (pairs.together_a > 0), 1.0 * (pairs.apart_a > 0)
    value: float = share(together * has_together + apart * has_apart, has_together + has_apart)
    return value
