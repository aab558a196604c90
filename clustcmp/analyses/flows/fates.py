"""What became of a cluster of a, in one word.

Clusters of a and b are matched one to one, as far as they share points. The word also
depends on homes and origins: the home of a cluster of a is the cluster of b that has more than half
of its points, and the origin of a cluster of b is the cluster of a that more than half of its
points come from. Both need more than half of a cluster, so there is at most one of each.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import NONE, SAME_MASS, Flags, Integers, Masses


class Fate(Enum):
    """What became of a cluster of a; exactly one of these holds, and MEANINGS says what it means.

    Exactly, a cluster of b is a junction if it is the home of a cluster of a that has another match
    or none, and a cluster of a is merged if its home or its match is a junction. For example, let x
    have 6 points and y have 4, and let b have a cluster p with all of x and 3 points of y, and a
    cluster q with the last point of y. Then x is matched with p, and y with q. The home of y is p,
    which is not its match, so p is a junction. p is the home of y and the match of x: both are
    merged.
    """

    regrouped = "regrouped"
    split = "split"
    merged = "merged"
    died = "died"
    changed = "changed"
    renamed = "renamed"
    same = "same"

    @property
    def is_unchanged(self) -> bool:
        """Whether the cluster has the same points in b, under the same name or another one."""
        return self in (Fate.same, Fate.renamed)


FATES = tuple(Fate)

# What each word means, for people.
MEANINGS = {
    Fate.regrouped: "both split and merged",
    Fate.split: "more than half of a cluster of b other than its match comes from it",
    Fate.merged: "most of another cluster of a went to the same cluster of b",
    Fate.died: "it has no match, and no cluster of b has more than half of it",
    Fate.changed: "its match lacks points of it or has others, but it neither split nor merged",
    Fate.renamed: "its match has the same points and another name",
    Fate.same: "its match has the same points and the same name",
}
BORN = "a cluster of b without a match, to which no cluster of a gives more than half of its points"


class Flows(NamedTuple):
    """Mass `masses[i]` goes from cluster `rows[i]` of a to cluster `columns[i]` of b.

    Only flows with mass are listed, by cluster of a and then by cluster of b.
    """

    rows: Integers
    columns: Integers
    masses: Masses


class Partners(NamedTuple):
    """The match of each cluster of a and of each cluster of b, or NONE."""

    of_a: Integers
    of_b: Integers


def find_most(lines: Integers, others: Integers, masses: Masses, sizes: Masses) -> Integers:
    """For each line the other line that holds more than half of its mass, or NONE."""
    found = np.full(len(sizes), NONE)
    halves = sizes[lines] * (1.0 + slack(masses)) / 2.0
    most = masses > halves
    found[lines[most]] = others[most]
    return found


def slack(masses: Masses) -> float:
    """The share by which equal masses may differ: 0 where points are counted."""
    return SAME_MASS if masses.dtype.kind == "f" else 0.0


def choose_fates(
    is_same: Flags, is_renamed: Flags, is_alone: Flags, is_split: Flags, is_merged: Flags
) -> npt.NDArray[np.int8]:
    """The fate of each cluster of a, as its position in FATES; `is_alone` is without any home."""
    conditions = {
        Fate.renamed: is_same & is_renamed,
        Fate.same: is_same,
        Fate.died: is_alone,
        Fate.regrouped: is_split & is_merged,
        Fate.split: is_split,
        Fate.merged: is_merged,
    }
    choices = [FATES.index(fate) for fate in conditions]
    fates = np.select(list(conditions.values()), choices, FATES.index(Fate.changed))
    return fates.astype(np.int8)


def find_same(flows: Flows, sizes_a: Masses, sizes_b: Masses, partners: Partners) -> Flags:
    """Which clusters of a have a match with the same points."""
    rows, columns, masses = flows
    least = masses * (1.0 + slack(masses))
    is_whole = (least >= sizes_a[rows]) & (least >= sizes_b[columns])
    is_same = np.zeros(len(sizes_a), dtype=np.bool_)
    is_same[rows[is_whole & (partners.of_a[rows] == columns)]] = True
    return is_same


def find_split(origins: Integers, partners: Partners) -> Flags:
    """Which clusters of a are the origin of a cluster of b that is not their match."""
    parts = np.flatnonzero((origins != NONE) & (origins != partners.of_b))
    is_split = np.zeros(len(partners.of_a), dtype=np.bool_)
    is_split[origins[parts]] = True
    return is_split


def find_junctions(homes: Integers, partners: Partners) -> Integers:
    """The clusters of b that are the home of a cluster of a with another match or none."""
    is_junction = np.zeros(len(partners.of_b), dtype=np.bool_)
    is_junction[homes[(homes != NONE) & (homes != partners.of_a)]] = True
    return np.flatnonzero(is_junction)


def find_merged(homes: Integers, junctions: Integers, partners: Partners) -> Flags:
    """Which clusters of a have a junction for their home or their match."""
    # The last entry is for clusters without a home or a match, whose number NONE is -1.
    is_junction = np.zeros(len(partners.of_b) + 1, dtype=np.bool_)
    is_junction[junctions] = True
    return np.asarray(is_junction[homes] | is_junction[partners.of_a])
