"""Metrics of entity resolution and coreference: which entities, and which links, are the same."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from clustcmp.arrays import Floats, Masses
from clustcmp.metrics.elementwise import share
from clustcmp.metrics.overlaps import Part, is_f1, mean_bcubed, show_part
from clustcmp.model import Contingency
from clustcmp.registry import Family

coreference = Family("coreference", "Entities and coreference")

MENESTRINA = "Menestrina, Whang and Garcia-Molina 2010, doi:10.14778/1920841.1920871"


def facts(brief: str, formula: str, citation: str) -> dict[str, Any]:
    """The facts that metrics with a part share in their declarations."""
    return {
        "brief": brief,
        "worst": 0.0,
        "best": 1.0,
        "symmetric_with": is_f1,
        "convention": show_part,
        "formula": formula,
        "citation": citation,
    }


def count_same(table: Contingency) -> int:
    """How many clusters have the same points in a and in b."""
    is_whole_a = table.masses == table.masses_a[table.rows]
    is_whole_b = table.masses == table.masses_b[table.columns]
    return int(np.count_nonzero(is_whole_a & is_whole_b))


@coreference.metric(
    "cluster_precision",
    brief="share of b's clusters that a has, too",
    worst=0.0,
    best=1.0,
    symmetric=False,
    weights="masses",
    formula="clusters that are the same in a and b / J",
    citation=MENESTRINA,
)
def cluster_precision(table: Contingency) -> float:
    """Share of b's clusters that a has with exactly the same points."""
    return table.once(count_same) / table.n_b


@coreference.metric(
    "cluster_recall",
    brief="share of a's clusters that b has, too",
    worst=0.0,
    best=1.0,
    symmetric=False,
    weights="masses",
    formula="clusters that are the same in a and b / K",
    citation=MENESTRINA,
)
def cluster_recall(table: Contingency) -> float:
    """Share of a's clusters that b has with exactly the same points."""
    return table.once(count_same) / table.n_a


@coreference.metric(
    "cluster_f1",
    brief="F1 of clusters that are the same",
    worst=0.0,
    best=1.0,
    weights="masses",
    formula="2 (clusters that are the same in a and b) / (K + J)",
    citation=MENESTRINA,
)
def cluster_f1(table: Contingency) -> float:
    """Harmonic mean of cluster_precision and cluster_recall."""
    return 2.0 * table.once(count_same) / (table.n_a + table.n_b)


@coreference.metric(
    "muc",
    **facts(
        "F1 of the links that join clusters",
        "2 (n - C) / (2n - K - J) with C cells of the contingency table",
        "Vilain et al. 1995, doi:10.3115/1072399.1072405",
    ),
)
def muc(table: Contingency, *, part: Part = "f1") -> float:
    """F1 of links, where a cluster of m points needs m - 1 links to hang together.

    Links that are vacuous, because all clusters are single points, score 1. Single points count
    for nothing, and one cluster of all points scores well.
    """
    n = table.n_points
    kept = n - len(table.masses)
    links_a, links_b = n - table.n_a, n - table.n_b
    whole = {"f1": links_a + links_b, "precision": 2 * links_b, "recall": 2 * links_a}[part]
    value: float = share(2 * kept, whole)
    return value


def matched_f1(table: Contingency) -> float:
    """The largest sum, over one-to-one matchings of clusters, of the F1 of matched clusters."""
    from clustcmp.matching_weight import weigh_matching

    sizes = table.masses_a[table.rows] + table.masses_b[table.columns]
    return weigh_matching(
        table.rows, table.columns, 2.0 * table.masses / sizes, table.n_a, table.n_b
    )


@coreference.metric(
    "ceaf",
    "ceafe",
    weights="masses",
    **facts(
        "F1 of clusters matched one-to-one",
        "2 F / (K + J), F the largest sum of 2 n_kj / (|A_k| + |B_j|) over one-to-one matchings",
        "Luo 2005, doi:10.3115/1220575.1220579",
    ),
)
def ceaf(table: Contingency, *, part: Part = "f1") -> float:
    """F1 of clusters, matched one-to-one so that the sum of their F1 is the largest.

    The CEAF of entities. That of mentions, CEAF_m, is maximum_matching.
    """
    whole = {"f1": table.n_a + table.n_b, "precision": 2 * table.n_b, "recall": 2 * table.n_a}
    return 2.0 * table.once(matched_f1) / whole[part]


def pairs_in(sizes: Masses) -> Floats:
    """The number of pairs within each of these sizes, as floats."""
    wide = sizes.astype(np.float64)
    return wide * (wide - 1.0) / 2.0


def lea_recall(table: Contingency) -> float:
    """The share of each cluster's links that b keeps, weighted by the size of the cluster."""
    return resolved(table, table.masses_a, table.masses_a[table.rows])


def lea_precision(table: Contingency) -> float:
    """The share of each of b's clusters' links that a has, weighted by the size of the cluster."""
    return resolved(table, table.masses_b, table.masses_b[table.columns])


def resolved(table: Contingency, sizes: Masses, own: Masses) -> float:
    """The mean over points of the share of their cluster's links that the other side has.

    `own` is for each cell the size of its cluster on this side. A single point is linked to itself.
    """
    links = pairs_in(own)
    kept = share(pairs_in(table.masses), links, nothing=0.0)
    is_alone = (table.masses_a[table.rows] == 1) & (table.masses_b[table.columns] == 1)
    return math.fsum(np.where(is_alone, 1.0, kept) * own) / table.total


@coreference.metric(
    "lea",
    **facts(
        "F1 of links, weighted by cluster size",
        "2 P R / (P + R), R = sum over k, j of |A_k| C2(n_kj) / C2(|A_k|) / n, C2(m) = m (m-1) / 2",
        "Moosavi and Strube 2016, doi:10.18653/v1/P16-1060",
    ),
)
def lea(table: Contingency, *, part: Part = "f1") -> float:
    """F1 of the links that clusters keep, where a cluster counts by its size.

    A single point scores 1 if it is a single point in the other clustering too, else 0.
    """
    if part == "recall":
        return table.once(lea_recall)
    if part == "precision":
        return table.once(lea_precision)
    precision, recall = table.once(lea_precision), table.once(lea_recall)
    value: float = share(2.0 * precision * recall, precision + recall, nothing=0.0)
    return value


@coreference.metric(
    "conll",
    brief="mean of muc, bcubed_f1 and ceaf",
    worst=0.0,
    best=1.0,
    formula="(muc + bcubed_f1 + ceaf) / 3",
    citation="Pradhan et al. 2014, doi:10.3115/v1/P14-2006",
)
def conll(table: Contingency) -> float:
    """Mean of muc, bcubed_f1 and ceaf: the score that papers on coreference report."""
    precision = mean_bcubed(table, table.masses_b[table.columns])
    recall = mean_bcubed(table, table.masses_a[table.rows])
    bcubed_f1 = 2.0 * precision * recall / (precision + recall)
    return (muc(table) + bcubed_f1 + ceaf(table)) / 3.0
