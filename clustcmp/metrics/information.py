"""Metrics of information theory: how much knowing one clustering tells about the other."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

import numpy as np

from clustcmp.arrays import SAME_SUM, Masses
from clustcmp.errors import Undefined
from clustcmp.metrics.elementwise import Quantity, larger, logarithm, root, share, smaller
from clustcmp.model import Contingency
from clustcmp.options import Above, AtLeast, Options
from clustcmp.registry import Ends, Family, Weights

Average = Literal["arithmetic", "geometric", "min", "max"]
Base = Annotated[float, Above(1), "the base of the logarithm: e for nats, 2 for bits."]

information = Family("information", "Information")


def unit(options: Options) -> str:
    """The unit of a value with this base."""
    return {math.e: "nats", 2.0: "bits"}.get(options["base"], f"base {options['base']:g}")  # type: ignore[arg-type]


def kind_of_average(options: Options) -> str:
    """By which average the value is divided."""
    if options["average"] == "joint":
        return "divided by the joint entropy"
    return f"{options['average']} average"


def kind_of_adjustment(options: Options) -> str:
    """By which average the value is divided, and what 0 means."""
    return f"{kind_of_average(options)}, 0 is chance"


def kind_of_v(options: Options) -> str:
    """How completeness is weighted against homogeneity."""
    return f"beta {options['beta']:g}"


def kind_of_variation(options: Options) -> str:
    """The unit, or what the value was divided by."""
    scale = {"log_n": "log n", "log_kj": "log K + log J", "joint": "the joint entropy"}
    normalize = str(options["normalize"])
    return f"divided by {scale[normalize]}" if normalize in scale else unit(options)


def entropy(masses: Masses, total: float) -> float:
    """-sum p log p in nats, the same for every order of the masses."""
    distinct, counts = np.unique(masses, return_counts=True)
    shares = distinct / total
    return -math.fsum(counts * shares * np.log(shares)) + 0.0


def nats_a(table: Contingency) -> float:
    """The entropy of a in nats."""
    return entropy(table.masses_a, table.total)


def nats_b(table: Contingency) -> float:
    """The entropy of b in nats."""
    return entropy(table.masses_b, table.total)


def nats_both(table: Contingency) -> float:
    """The joint entropy in nats."""
    return entropy(table.masses, table.total)


def nats_a_given_b(table: Contingency) -> float:
    """The entropy of a that is left when b is known, in nats."""
    return remaining(table.masses, table.masses_b[table.columns], table.total)


def nats_b_given_a(table: Contingency) -> float:
    """The entropy of b that is left when a is known, in nats."""
    return remaining(table.masses, table.masses_a[table.rows], table.total)


def remaining(masses: Masses, known: Masses, total: float) -> float:
    """-sum p log(mass / known mass): 0 exactly where each cell is all of its known cluster."""
    return max(0.0, -math.fsum(masses / total * np.log(masses / known)))


def nats_shared(table: Contingency) -> float:
    """The mutual information in nats: 0 exactly where all shares are products."""
    # As floats: a product of two masses may exceed the largest 64-bit integer.
    masses_a = table.masses_a[table.rows].astype(np.float64)
    masses_b = table.masses_b[table.columns].astype(np.float64)
    times_chance = table.masses * float(table.total) / (masses_a * masses_b)
    shares = table.masses / table.total
    return max(math.fsum(shares * np.log(times_chance)), 0.0)


def average_entropy(table: Contingency, average: str) -> Quantity:
    """The mean of the entropies of a and b, or their joint entropy, in nats."""
    a, b = table.once(nats_a), table.once(nats_b)
    means = {
        "arithmetic": (a + b) / 2.0,
        "geometric": root(a * b),
        "min": smaller(a, b),
        "max": larger(a, b),
        "joint": table.once(nats_both),
    }
    return means[average]


def entropy_facts(what: str) -> dict[str, Any]:
    """The facts that all entropies share in their declarations."""
    return {
        "accepts": ("hard", "soft"),
        "weights": "masses",
        "convention": unit,
        "formula": what,
        "citation": "Shannon 1948, doi:10.1002/j.1538-7305.1948.tb01338.x",
    }


@information.metric(
    "entropy_a",
    brief="uncertainty about the cluster in a",
    worst=None,
    best=None,
    symmetric=False,
    **entropy_facts("- sum over k of p_k log p_k"),
)
def entropy_a(table: Contingency, *, base: Base = math.e) -> float:
    """Uncertainty about the cluster of a point in a: 0 for one cluster, log k for k equal ones."""
    return table.once(nats_a) / math.log(base)


@information.metric(
    "entropy_b",
    brief="uncertainty about the cluster in b",
    worst=None,
    best=None,
    symmetric=False,
    **entropy_facts("- sum over j of p_j log p_j"),
)
def entropy_b(table: Contingency, *, base: Base = math.e) -> float:
    """Uncertainty about the cluster of a point in b: 0 for one cluster, log k for k equal ones."""
    return table.once(nats_b) / math.log(base)


@information.metric(
    "joint_entropy",
    brief="uncertainty about both clusters",
    worst=None,
    best=None,
    **entropy_facts("- sum over k, j of p_kj log p_kj"),
)
def joint_entropy(table: Contingency, *, base: Base = math.e) -> float:
    """Uncertainty about the cluster of a point in a and in b together."""
    return table.once(nats_both) / math.log(base)


@information.metric(
    "entropy_a_given_b",
    brief="what b leaves uncertain about a",
    worst=math.inf,
    best=0.0,
    symmetric=False,
    **entropy_facts("- sum over k, j of p_kj log(p_kj / p_j)"),
)
def entropy_a_given_b(table: Contingency, *, base: Base = math.e) -> float:
    """Uncertainty about the cluster in a that is left when the cluster in b is known.

    This is H(T|C) of Zaki and Meira, whose tables are in bits (base=2).
    """
    return table.once(nats_a_given_b) / math.log(base)


@information.metric(
    "entropy_b_given_a",
    brief="what a leaves uncertain about b",
    worst=math.inf,
    best=0.0,
    symmetric=False,
    **entropy_facts("- sum over k, j of p_kj log(p_kj / p_k)"),
)
def entropy_b_given_a(table: Contingency, *, base: Base = math.e) -> float:
    """Uncertainty about the cluster in b that is left when the cluster in a is known."""
    return table.once(nats_b_given_a) / math.log(base)


@information.metric(
    "mutual_information",
    "mi",
    brief="what one tells about the other",
    worst=0.0,
    best=math.inf,
    **entropy_facts("sum over k, j of p_kj log(p_kj / (p_k p_j))"),
)
def mutual_information(table: Contingency, *, base: Base = math.e) -> float:
    """How much knowing the cluster in one clustering tells about the cluster in the other.

    It is at most the smaller of the two entropies; Zaki and Meira's "no upper bound" is a mistake.
    """
    return table.once(nats_shared) / math.log(base)


@information.metric(
    "nmi",
    "normalized_mutual_information",
    brief="mutual information over mean entropy",
    worst=0.0,
    best=1.0,
    accepts=("hard", "soft"),
    featured=True,
    convention=kind_of_average,
    weights="masses",
    formula="mutual information / average of the two entropies",
    citation="Strehl and Ghosh 2002, doi:10.1162/153244303321897735",
)
def nmi(
    table: Contingency,
    *,
    average: Annotated[
        Literal["arithmetic", "geometric", "min", "max", "joint"],
        "the mean of the two entropies to divide by, or the joint entropy.",
    ] = "arithmetic",
) -> float:
    """Mutual information as a share of the average entropy.

    Papers differ in the average without saying so: Zaki and Meira's is the geometric one. Random
    clusterings score more than 0, and the more so the more clusters they have; ami corrects this.
    """
    value: float = share(table.once(nats_shared), average_entropy(table, average), nothing=0.0)
    return value


@information.metric(
    "ami",
    "adjusted_mutual_information",
    brief="mutual information, chance scores 0",
    worst=-math.inf,
    best=1.0,
    featured=True,
    convention=kind_of_adjustment,
    formula="(MI - expected MI) / (average of the two entropies - expected MI)",
    citation="Vinh, Epps and Bailey 2009, doi:10.1145/1553374.1553511",
)
def ami(
    table: Contingency,
    *,
    average: Annotated[Average, "the mean of the two entropies."] = "arithmetic",
) -> float:
    """Mutual information, scaled so that chance scores 0 and identity scores 1.

    Chance means that all clusters keep their sizes and the points are dealt at random; the
    expectation is exact. Where both differences vanish the value is 0.
    """
    from clustcmp.metrics.expected_information import expected_information

    expected = table.once(expected_information)
    above_chance = table.once(nats_shared) - expected
    room = average_entropy(table, average) - expected
    negligible = SAME_SUM * larger(table.once(nats_a), table.once(nats_b))
    is_nothing = abs(above_chance) <= negligible
    room = room * (abs(room) > negligible)
    value: float = share(above_chance * (1 - is_nothing), room, nothing=math.nan)
    if np.ndim(value) == 0 and math.isnan(value):
        if is_nothing:
            return 0.0
        raise Undefined("the average entropy equals the information that chance alone would share")
    return value


def variation_ends(options: Options, hard: bool) -> Ends:
    """A normalized value is at most 1, but with log n a soft clustering may exceed 1."""
    bounded = ("log_n", "log_kj", "joint") if hard else ("log_kj", "joint")
    return (1.0 if options["normalize"] in bounded else math.inf), 0.0


def weights_of_variation(options: Options) -> Weights:
    """log n needs the number of points."""
    return "counts" if options["normalize"] == "log_n" else "masses"


@information.metric(
    "variation_of_information",
    "vi",
    brief="information lost and gained, a to b",
    worst=math.inf,
    best=0.0,
    ends=variation_ends,
    convention=kind_of_variation,
    accepts=("hard", "soft"),
    featured=True,
    weights=weights_of_variation,
    formula="entropy of a given b + entropy of b given a",
    citation="Meila 2007, doi:10.1016/j.jmva.2006.11.013",
)
def variation_of_information(
    table: Contingency,
    *,
    base: Base = math.e,
    normalize: Annotated[
        Literal["none", "log_n", "log_kj", "joint"],
        "divide by log n (Bae 2006), by log K + log J (Zhou 2005), or by the joint entropy.",
    ] = "none",
) -> float:
    """Information lost and gained when going from a to b.

    Between hard clusterings it is a true metric. Between soft ones it uses the joint law of the
    clusters, and the triangle inequality is lost.
    """
    nats = table.once(nats_a_given_b) + table.once(nats_b_given_a)
    if normalize == "none":
        return nats / math.log(base)
    scale = {
        "log_n": logarithm(table.total),
        "log_kj": logarithm(table.n_a) + logarithm(table.n_b),
        "joint": table.once(nats_both),
    }[normalize]
    if np.ndim(scale) == 0 and nats and not scale:
        raise Undefined("the value would be divided by log n, which is 0 for a single point")
    value: float = share(nats, scale, nothing=0.0)
    return value


def explained(left: Quantity, whole: Quantity) -> Quantity:
    """1 - left / whole, and 1 where there is nothing to explain."""
    return larger(1.0 - share(left, whole, nothing=0.0), 0.0)


@information.metric(
    "homogeneity",
    brief="share of a's entropy that b explains",
    worst=0.0,
    best=1.0,
    symmetric=False,
    accepts=("hard", "soft"),
    weights="masses",
    formula="1 - entropy of a given b / entropy of a",
    citation="Rosenberg and Hirschberg 2007, ACL Anthology D07-1043 (no DOI)",
)
def homogeneity(table: Contingency) -> float:
    """Share of a's entropy that b explains: 1 when no cluster of b mixes clusters of a."""
    value: float = explained(table.once(nats_a_given_b), table.once(nats_a))
    return value


@information.metric(
    "completeness",
    brief="share of b's entropy that a explains",
    worst=0.0,
    best=1.0,
    symmetric=False,
    accepts=("hard", "soft"),
    weights="masses",
    formula="1 - entropy of b given a / entropy of b",
    citation="Rosenberg and Hirschberg 2007, ACL Anthology D07-1043 (no DOI)",
)
def completeness(table: Contingency) -> float:
    """Share of b's entropy that a explains: 1 when no cluster of a is spread over clusters of b."""
    value: float = explained(table.once(nats_b_given_a), table.once(nats_b))
    return value


def has_equal_weights(options: Options) -> bool:
    """Whether homogeneity and completeness count alike; a function by name can be pickled."""
    return bool(options["beta"] == 1.0)


@information.metric(
    "v_measure",
    brief="mean of homogeneity and completeness",
    worst=0.0,
    best=1.0,
    accepts=("hard", "soft"),
    featured=True,
    convention=kind_of_v,
    symmetric_with=has_equal_weights,
    weights="masses",
    formula="(1 + beta) h c / (beta h + c) with h = homogeneity, c = completeness",
    citation="Rosenberg and Hirschberg 2007, ACL Anthology D07-1043 (no DOI)",
)
def v_measure(
    table: Contingency,
    *,
    beta: Annotated[float, AtLeast(0), "how much more completeness counts than homogeneity."] = 1.0,
) -> float:
    """Weighted harmonic mean of homogeneity and completeness.

    With beta=1 it is symmetric and equals nmi with the arithmetic average.
    """
    h, c = homogeneity(table), completeness(table)
    value: float = share((1.0 + beta) * h * c, beta * h + c, nothing=0.0)
    return value
