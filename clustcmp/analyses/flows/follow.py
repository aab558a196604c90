"""The flows of points from the clusters of a to those of b, and the best one-to-one match."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clustcmp.analyses.flows.fates import (
    FATES,
    Fate,
    Flows,
    Partners,
    choose_fates,
    find_junctions,
    find_merged,
    find_most,
    find_same,
    find_split,
)
from clustcmp.analyses.flows.soft import move_degrees, share_degrees
from clustcmp.arrays import NONE, SAME_MASS, Flags, Integers, Masses
from clustcmp.errors import InputError
from clustcmp.matching import match_lines
from clustcmp.metrics.transport import check_plan, cluster_plan
from clustcmp.model import Comparison
from clustcmp.model.contingency import count_table
from clustcmp.model.once import PicklesFields
from clustcmp.model.texts import match
from clustcmp.wording import say

# From this number on, not every whole number can be written as a float.
LARGEST_EXACT = 1 << 53


class Match(NamedTuple):
    """A cluster of a, its counterpart in b, and the mass that they share."""

    a: int
    b: int
    mass: float


@dataclass(frozen=True, eq=False)
class Changes(PicklesFields):
    """Which cluster became which, as columns; clusters are given by their codes in the comparison.

    The points that both clusterings have are followed: `flows` says how many go from each cluster
    of a to each cluster of b. The other points of a cluster of a are gone, and the other points of
    a cluster of b are new.

    `by_plan` says that a and b have too few points in common, and that `flows` is the transport
    plan between their clusters instead. Then all masses, those of `sizes_b` too, are in points of
    a: b as a whole weighs as much as a, and nothing is gone or new.
    """

    flows: Flows
    sizes_a: Masses
    sizes_b: Masses
    partners: Partners
    is_renamed: Flags
    by_plan: bool = False

    @cached_property
    def matches(self) -> tuple[Match, ...]:
        """The one-to-one match with the most mass in all, by codes of a."""
        columns = self.flows.rows, self.flows.columns, self.flows.masses
        matched = (column[self.is_matched].tolist() for column in columns)
        return tuple(Match(a, b, float(mass)) for a, b, mass in zip(*matched, strict=True))

    @cached_property
    def is_matched(self) -> Flags:
        """Which of the flows go from a cluster to its match."""
        return np.asarray(self.partners.of_a[self.flows.rows] == self.flows.columns)

    @cached_property
    def fates(self) -> npt.NDArray[np.int8]:
        """What became of each cluster of a, as positions in FATES."""
        return choose_fates(
            is_same=find_same(self.flows, self.sizes_a, self.sizes_b, self.partners),
            is_renamed=self.is_renamed,
            is_alone=(self.partners.of_a == NONE) & (self.homes == NONE),
            is_split=find_split(self.origins, self.partners),
            is_merged=find_merged(self.homes, self.junctions, self.partners),
        )

    @cached_property
    def homes(self) -> Integers:
        """For each cluster of a the cluster of b with more than half of its points, or NONE."""
        return find_most(self.flows.rows, self.flows.columns, self.flows.masses, self.sizes_a)

    @cached_property
    def origins(self) -> Integers:
        """For each cluster of b the cluster of a that gives more than half of it, or NONE."""
        return find_most(self.flows.columns, self.flows.rows, self.flows.masses, self.sizes_b)

    @cached_property
    def junctions(self) -> Integers:
        """The clusters of b in which several clusters of a merged."""
        return find_junctions(self.homes, self.partners)

    @cached_property
    def is_same(self) -> Flags:
        """Which clusters of a have the same points in b, under the same name or another one."""
        return np.isin(self.fates, [FATES.index(fate) for fate in FATES if fate.is_unchanged])

    @cached_property
    def died(self) -> Integers:
        """Clusters of a without a match of which no cluster of b has more than half.

        A cluster without a match that did not die has merged into its home.
        """
        return np.flatnonzero(self.fates == FATES.index(Fate.died))

    @cached_property
    def born(self) -> Integers:
        """Clusters of b without a match of which no cluster of a gives more than half.

        A cluster without a match that was not born has split off from its origin.
        """
        return np.flatnonzero((self.partners.of_b == NONE) & (self.origins == NONE))

    @cached_property
    def followed(self) -> float:
        """The mass of the points that both clusterings have."""
        return total(self.flows.masses)

    @cached_property
    def moved(self) -> float:
        """The mass that is not in the match of its old cluster."""
        return total(self.flows.masses[~self.is_matched])

    @cached_property
    def left(self) -> Masses:
        """What each cluster of a sends elsewhere than to its match."""
        return self._add_up(self.flows.rows, ~self.is_matched, len(self.sizes_a))

    @cached_property
    def joined(self) -> Masses:
        """What the match of each cluster of a gets from other clusters of a."""
        arrived = self._add_up(self.flows.columns, ~self.is_matched, len(self.sizes_b))
        return np.where(
            self.partners.of_a == NONE, arrived.dtype.type(0), arrived[self.partners.of_a]
        )

    @cached_property
    def gone(self) -> Masses:
        """The points of each cluster of a that b does not have."""
        return self._rest(self.sizes_a, self.flows.rows)

    @cached_property
    def new(self) -> Masses:
        """The points of each cluster of b that a does not have."""
        return self._rest(self.sizes_b, self.flows.columns)

    def flows_out_of(self, code: int) -> Integers:
        """Positions of the flows out of a cluster of a."""
        return np.arange(self._begins[code], self._begins[code + 1])

    def flows_into(self, code: int) -> Integers:
        """Positions of the flows into a cluster of b."""
        order, columns = self._by_column
        first, last = np.searchsorted(columns, [code, code + 1])
        return order[first:last]

    @cached_property
    def _begins(self) -> Integers:
        """Where the flows of each cluster of a begin, and where the last ones end."""
        return np.searchsorted(self.flows.rows, np.arange(len(self.sizes_a) + 1))

    @cached_property
    def _by_column(self) -> tuple[Integers, Integers]:
        order = np.argsort(self.flows.columns, kind="stable")
        return order, self.flows.columns[order]

    def merging(self, target: int) -> Integers:
        """Positions of the flows into a cluster of b from its match and from those at home there.

        Two or more of them are a merge.
        """
        arriving = self.flows_into(target)
        rows = self.flows.rows[arriving]
        is_part = (self.homes[rows] == target) | (self.partners.of_b[target] == rows)
        return np.asarray(arriving[is_part])

    def splitting(self, code: int) -> Integers:
        """Positions of the flows out of a cluster of a to its match and those it is the origin of.

        Two or more of them are a split.
        """
        leaving = self.flows_out_of(code)
        columns = self.flows.columns[leaving]
        is_part = (self.origins[columns] == code) | (self.partners.of_a[code] == columns)
        return np.asarray(leaving[is_part])

    def _add_up(self, lines: Integers, chosen: Flags, n_lines: int) -> Masses:
        """The chosen masses of each line, whole numbers where points are counted."""
        masses = self.flows.masses
        sums = np.bincount(lines[chosen], weights=masses[chosen], minlength=n_lines)
        return sums.astype(masses.dtype)

    def _rest(self, sizes: Masses, lines: Integers) -> Masses:
        """The mass of each line that is in no flow: 0 where all points are in both."""
        everything = np.ones(len(lines), dtype=np.bool_)
        rest = sizes - self._add_up(lines, everything, len(sizes))
        if rest.dtype.kind == "f":
            rest[np.abs(rest) <= SAME_MASS * sizes] = 0.0
        return np.asarray(rest)


def total(masses: Masses) -> float:
    """The sum of masses, which does not depend on their order; of counts a whole number."""
    return math.fsum(masses) if masses.dtype.kind == "f" else int(masses.sum())


def find_changes(comparison: Comparison, ground: str = "euclidean") -> Changes:
    """Which cluster of a became which cluster of b.

    The points that both have decide. Where those are less than half of the smaller side, and the
    distances between points are known, the transport plan between the clusters decides, which is
    the plan of cdistance.
    """
    smaller = min(comparison.a.points.size, comparison.b.points.size)
    has_few = 2 * comparison.coverage.shared < smaller
    if not comparison.coverage.shared or (comparison.is_located and has_few):
        return follow_plan(comparison, ground)
    return follow_shared(comparison)


def follow_shared(comparison: Comparison) -> Changes:
    """The changes by the points that both have."""
    return follow_points(comparison) if comparison.is_hard else follow_degrees(comparison)


def follow_points(comparison: Comparison) -> Changes:
    """The changes between hard clusterings, by the points that both have."""
    a, b, shared = comparison.a, comparison.b, comparison.coverage.shared
    if comparison.same_points:
        table = comparison.contingency
    else:
        # The points in both are the first rows on both sides.
        first = slice(shared)
        weights = a.points.weights
        table = count_table(
            a.membership.take(first),
            b.membership.take(first),
            None if weights is None else weights[first],
        )
    flows = Flows(table.rows, table.columns, table.masses)
    partners = pair_up(flows, prefer_names(comparison, flows), a.n_clusters, b.n_clusters)
    return Changes(flows, a.masses, b.masses, partners, find_renamed(comparison, partners))


def follow_degrees(comparison: Comparison) -> Changes:
    """The changes between clusterings of which one is soft, by the points that both have."""
    a, b, shared = comparison.a, comparison.b, comparison.coverage.shared
    overlaps = share_degrees(a, b, shared)
    partners = pair_up(overlaps, overlaps.masses, a.n_clusters, b.n_clusters)
    flows = move_degrees(a, b, shared, partners)
    sizes_a, sizes_b = a.masses.astype(np.float64), b.masses.astype(np.float64)
    return Changes(flows, sizes_a, sizes_b, partners, find_renamed(comparison, partners))


def follow_plan(comparison: Comparison, ground: str) -> Changes:
    """The changes by the transport plan between the clusters of a and of b."""
    a, b = comparison.a, comparison.b
    if not comparison.is_located:
        raise InputError(
            comparison.difference,
            hint=f"give both the same points, or their coordinates with {say('coordinates')}",
        )
    check_plan(comparison)
    plan = cluster_plan(comparison, find_ground(comparison, ground))
    flows = Flows(plan.sources, plan.sinks, plan.weights * a.points.mass)
    partners = pair_up(flows, flows.masses, a.n_clusters, b.n_clusters)
    sizes_a = a.masses.astype(np.float64)
    sizes_b = b.masses * (a.points.mass / b.points.mass)
    is_renamed = find_renamed(comparison, partners)
    return Changes(flows, sizes_a, sizes_b, partners, is_renamed, by_plan=True)


def find_ground(comparison: Comparison, ground: str) -> str:
    """The distance between points: the given distances, or else this one between coordinates."""
    return ground if comparison.distances is None else "precomputed"


def pair_up(flows: Flows, weights: Masses, n_a: int, n_b: int) -> Partners:
    """The one-to-one match between clusters with the largest sum of weights."""
    matched = match_lines(flows.rows, flows.columns, weights, n_a, n_b)
    partners = Partners(np.full(n_a, NONE), np.full(n_b, NONE))
    partners.of_a[flows.rows[matched]] = flows.columns[matched]
    partners.of_b[flows.columns[matched]] = flows.rows[matched]
    return partners


def prefer_names(comparison: Comparison, flows: Flows) -> Masses:
    """The masses as weights that prefer, among equally good matches, clusters of the same name."""
    a, b = comparison.a.names, comparison.b.names
    if flows.masses.dtype.kind == "f":
        return flows.masses
    factor = min(len(a), len(b)) + 1
    if int(flows.masses.sum()) * factor >= LARGEST_EXACT or a.duplicate or b.duplicate:
        return flows.masses
    namesake = np.full(len(a), NONE)
    mine, theirs = match(a, b)
    namesake[mine] = theirs
    # All bonuses together weigh less than one point.
    return np.asarray(flows.masses * factor + (namesake[flows.rows] == flows.columns))


def find_renamed(comparison: Comparison, partners: Partners) -> Flags:
    """Which clusters of a have a match of another name."""
    matched = np.flatnonzero(partners.of_a != NONE)
    is_renamed = np.zeros(len(partners.of_a), dtype=np.bool_)
    is_renamed[matched] = ~comparison.a.names.equal(
        matched, comparison.b.names, partners.of_a[matched]
    )
    return is_renamed
