"""What became of a cluster, in one word.

A cluster of a and a cluster of b may be matched, one to one. Beyond that two questions decide, and
both ask for more than half, so that each has one answer at most: the home of a cluster of a is the
cluster of b that has more than half of its points, and the origin of a cluster of b is the cluster
of a that more than half of its points come from.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Integers, Masses

Flags = npt.NDArray[np.bool_]

# Stands for the cluster that is not there.
NONE = -1

# Masses that are not counted but computed are equal if they differ by no more than this share.
ROUNDING = 1e-9


class Kind(Enum):
    """What became of a cluster of a; exactly one of these holds.

    same: its match has the same points, and no others.
    renamed: as same, under another name.
    split: another cluster of b than its match has its origin in it.
    merged: its home or its match is also home to a cluster of a that has another match, or none.
    regrouped: both split and merged.
    changed: it has a match, and none of the above.
    died: it has neither a match nor a home: its points are scattered or gone.
    """

    regrouped = "regrouped"
    split = "split"
    merged = "merged"
    died = "died"
    changed = "changed"
    renamed = "renamed"
    same = "same"


KINDS = tuple(Kind)


class Flows(NamedTuple):
    """The mass that goes from clusters of a to clusters of b, where there is any, row by row."""

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
    """How much of a mass is not worth looking at: nothing where points are counted."""
    return ROUNDING if masses.dtype.kind == "f" else 0.0


def find_kinds(
    flows: Flows, sizes_a: Masses, sizes_b: Masses, partners: Partners, is_renamed: Flags
) -> npt.NDArray[np.int8]:
    """The kind of each cluster of a, as its position in KINDS."""
    homes = find_most(flows.rows, flows.columns, flows.masses, sizes_a)
    origins = find_most(flows.columns, flows.rows, flows.masses, sizes_b)
    is_same = find_same(flows, sizes_a, sizes_b, partners)
    is_split = find_split(origins, partners)
    is_merged = find_merged(homes, partners)
    is_alone = (partners.of_a == NONE) & (homes == NONE)
    conditions = {
        Kind.renamed: is_same & is_renamed,
        Kind.same: is_same,
        Kind.died: is_alone,
        Kind.regrouped: is_split & is_merged,
        Kind.split: is_split,
        Kind.merged: is_merged,
    }
    choices = [KINDS.index(kind) for kind in conditions]
    kinds = np.select(list(conditions.values()), choices, KINDS.index(Kind.changed))
    return kinds.astype(np.int8)


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


def find_merged(homes: Integers, partners: Partners) -> Flags:
    """Which clusters of a have a home or a match that is home to a cluster matched otherwise."""
    strangers = np.flatnonzero((homes != NONE) & (homes != partners.of_a))
    # The last entry is there for those without a home or a match, whose number is -1.
    is_target = np.zeros(len(partners.of_b) + 1, dtype=np.bool_)
    is_target[homes[strangers]] = True
    return np.asarray(is_target[homes] | is_target[partners.of_a])
