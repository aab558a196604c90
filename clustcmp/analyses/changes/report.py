"""Everything that is known about the changes between two clusterings, as plain data.

A report holds columns, so that it stays small and quick for a million clusters. Its entries, which
name clusters, are built from the columns when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from clustcmp.analyses.changes.columns import as_column
from clustcmp.analyses.changes.contributions import Contributions, find_contributions
from clustcmp.analyses.changes.order import natural, rank
from clustcmp.analyses.changes.records import (
    Birth,
    ClusterChange,
    Flow,
    Mass,
    Merge,
    Moved,
    Part,
    PlannedFlow,
    Split,
    TransportPlan,
)
from clustcmp.analyses.flows.fates import FATES, Fate
from clustcmp.analyses.flows.follow import Changes, find_changes
from clustcmp.arrays import NONE, SAME_MASS, Integers, Masses, same
from clustcmp.model import Comparison, Coverage, Side
from clustcmp.model.columns import Places, SideColumns, both_sides
from clustcmp.model.once import PicklesFields
from clustcmp.notes import Note
from clustcmp.records import Count, Key, Label, PythonOnly, Rule, as_json, in_json
from clustcmp.results import Joined, as_frame

if TYPE_CHECKING:
    from clustcmp.results import Frame

KINDS = [fate.value for fate in FATES]


@dataclass(frozen=True, eq=False, repr=False)
class ChangeReport(PicklesFields, Joined):
    """The changes between two clusterings, with what was compared.

    Labels are of the type that they had in Python; those from files, and all in JSON, are texts.
    `changes` are the columns of all clusters, by their codes; the names are `a.names` and
    `b.names`. `noise_label` is the label that marks noise when b is written with new names, and
    `relabel_share` the share of a cluster that its match must hold more of to give it its name.
    `places` are for its page.
    """

    command = "changes"

    inputs: tuple[Side, Side]
    coverage: Coverage
    changes: PythonOnly[Changes]
    contributions: PythonOnly[Contributions]
    a: PythonOnly[SideColumns]
    b: PythonOnly[SideColumns]
    noise_label: PythonOnly[str] = ""
    relabel_share: PythonOnly[float] = 0.5
    notes: tuple[Note, ...] = ()
    places: PythonOnly[Places] = field(default=Places(), compare=False)

    def __eq__(self, other: object) -> bool:
        return same(self, other)

    @property
    @in_json(Rule(enum=["points", "plan"]))
    def matched_by(self) -> str:
        """What clusters were matched by: the points in both or, where these are too few, the plan.

        The plan is the transport plan between clusters; masses are then in points of a.
        """
        return "plan" if self.changes.by_plan else "points"

    @property
    def moved(self) -> Mass:
        """The mass of the points that are not in the match of their old cluster.

        Like all masses a whole number where points are counted.
        """
        moved = self.changes.moved
        return moved if self.changes.sizes_a.dtype.kind == "f" else int(moved)

    @property
    def moved_share(self) -> float:
        """The mass that moved as a share of the mass that was followed."""
        return self.changes.moved / self.changes.followed

    @property
    @in_json(Key("moved"))
    def moved_mass(self) -> Moved:
        """The mass that moved, and its share."""
        return Moved(self.moved, self.moved_share)

    @property
    def moved_points(self) -> Frame:
        """A row for each point that moved, in the order of a: id, from, to, expected.

        `expected` is the match of the old cluster, or None. The id of a point without one is its
        row in a, counted from 1; a point of a soft clustering is in its strongest cluster.
        """
        from clustcmp.analyses.changes.moved import moved_frame

        return moved_frame(self)

    @property
    def relabelled(self) -> Frame:
        """All points of b as given, with the names of a on matched clusters; indexed by ids.

        A match gives its name if it holds more than `relabel_share` of one of the two clusters.
        Labels and ids are of the type that they had in Python; a name that is made up is a text.
        The column is `label` or, if b is soft, there is a column of degrees for each cluster.
        """
        from clustcmp.analyses.changes.relabel import relabel_frame

        return relabel_frame(self)

    @property
    @in_json(Rule(propertyNames={"enum": KINDS}, required=sorted(KINDS)))
    def kinds(self) -> dict[str, Count]:
        """How many clusters of a are of each kind."""
        counts = np.bincount(self.changes.fates, minlength=len(FATES)).tolist()
        return dict(zip(KINDS, counts, strict=True))

    @cached_property
    def matches(self) -> dict[Label, Label]:
        """The cluster of b that each matched cluster of a became."""
        partners = self.changes.partners.of_a
        labels_b = self.b.labels()
        matched = zip(self.a.labels(), partners.tolist(), strict=True)
        return {label: labels_b[partner] for label, partner in matched if partner != NONE}

    @cached_property
    @in_json()
    def clusters(self) -> tuple[ClusterChange, ...]:
        """What became of each cluster of a, the most important first."""
        return self.first_clusters(len(self.changes.sizes_a))

    @cached_property
    @in_json()
    def births(self) -> tuple[Birth, ...]:
        """The clusters of b that were born, the largest first."""
        return self.first_births(len(self.changes.born))

    @cached_property
    @in_json()
    def deaths(self) -> tuple[Label, ...]:
        """Clusters of a without a match of which no cluster of b has more than half."""
        names = self.a.names
        died = sorted(self.changes.died.tolist(), key=lambda code: natural(names[code]))
        return tuple(map(self.a.label, died))

    @cached_property
    @in_json()
    def splits(self) -> tuple[Split, ...]:
        """The clusters of a that split, with the clusters of b that mostly come from each."""
        is_split = (Fate.split, Fate.regrouped)
        return tuple(
            Split(cluster.cluster, self.name_targets(self.changes.splitting(cluster.code)))
            for cluster in self.clusters
            if cluster.kind in is_split
        )

    @cached_property
    @in_json()
    def merges(self) -> tuple[Merge, ...]:
        """The clusters of b that clusters of a merged into, with those that mostly went there."""
        changes, names = self.changes, self.b.names
        targets = changes.junctions
        return tuple(
            Merge(self.name_sources(changes.merging(target)), self.b.label(target))
            for target in rank([changes.sizes_b[targets]], targets, names, len(targets))
        )

    @cached_property
    @in_json()
    def flows(self) -> tuple[Flow, ...]:
        """Where the points of each cluster of a went, in the order of `clusters`."""
        return tuple(
            Flow(
                cluster.cluster,
                part.cluster,
                part.mass,
                part.share,
                part.share_of_other,
                part.is_match,
            )
            for cluster in self.clusters
            for part in cluster.parts
        )

    @cached_property
    @in_json()
    def plan(self) -> TransportPlan | None:
        """The transport plan between the clusters, if coordinates or distances are known."""
        plan = self.contributions.plan
        if plan is None:
            return None
        cells = map(
            PlannedFlow,
            self.a.labels(plan.sources),
            self.b.labels(plan.sinks),
            plan.weights.tolist(),
            (plan.distances * plan.unit).tolist(),
        )
        d_ot = self.contributions.totals["cdistance"]
        return TransportPlan(self.contributions.ground, d_ot, tuple(cells))

    def to_frame(self) -> Frame:
        """A row for each cluster of a, indexed by its name; the most important comes first.

        `match` is None for a cluster without one. With coordinates there is a column of
        contributions for cdistance and css.
        """
        columns = ("cluster", "size", "kind", "match", "left", "joined", "gone", "new")
        metrics = tuple(self.contributions.parts)
        rows = (
            [as_json(getattr(cluster, column)) for column in columns]
            + [cluster.contributions[name] for name in metrics]
            for cluster in self.clusters
        )
        frame = as_frame((*columns, *metrics), rows, "cluster")
        frame["match"] = as_column([cluster.match for cluster in self.clusters], frame.index)
        return frame

    def in_texts(self) -> ChangeReport:
        """The same report with all labels as texts, as commands show it."""
        a, b = (side._replace(origin=None) for side in (self.a, self.b))
        return replace(self, a=a, b=b)

    def first_clusters(self, top: int, unchanged: bool = True) -> tuple[ClusterChange, ...]:
        """The most important clusters of a; without `unchanged` only clusters that changed."""
        codes = np.arange(len(self.changes.sizes_a))
        if not unchanged:
            codes = codes[~self.changes.is_same]
        return tuple(self.describe(code) for code in self.rank_clusters(codes, top))

    def rank_clusters(self, codes: Integers, top: int) -> list[int]:
        """The most important of some clusters of a, in the order of `ClusterChange.importance`."""
        changes = self.changes
        arrived = np.where(changes.partners.of_a == NONE, 0, changes.new[changes.partners.of_a])
        keys = (
            changes.left + changes.joined,
            changes.gone + arrived,
            ~changes.is_same,
            changes.sizes_a,
        )
        return rank([key[codes] for key in keys], codes, self.a.names, top)

    def first_births(self, top: int) -> tuple[Birth, ...]:
        """The largest of the clusters of b that were born."""
        b, new = self.b, self.changes.new
        born = self.changes.born
        return tuple(
            Birth(b.label(code), b.masses[code].item(), new[code].item(), self.sources_of(code))
            for code in rank([self.changes.sizes_b[born]], born, b.names, top)
        )

    def describe(self, code: int) -> ClusterChange:
        """What became of a cluster of a."""
        changes, partner = self.changes, int(self.changes.partners.of_a[code])
        parts = self.contributions.parts
        return ClusterChange(
            code=code,
            cluster=self.a.label(code),
            size=changes.sizes_a[code].item(),
            kind=FATES[int(changes.fates[code])],
            match=None if partner == NONE else self.b.label(partner),
            parts=self.targets_of(code),
            left=changes.left[code].item(),
            joined=changes.joined[code].item(),
            gone=changes.gone[code].item(),
            new=0 if partner == NONE else changes.new[partner].item(),
            contributions={name: float(part[code]) for name, part in parts.items()},
        )

    def merged_with(self, code: int, top: int) -> tuple[tuple[Label, ...], int]:
        """The largest other clusters of a that a cluster merged with, and how many there are."""
        changes = self.changes
        for target in (int(changes.homes[code]), int(changes.partners.of_a[code])):
            merging = changes.merging(target) if target != NONE else np.arange(0)
            others = merging[changes.flows.rows[merging] != code]
            if others.size:
                return self.name_sources(others, top), others.size
        return (), 0

    def name_sources(self, chosen: Integers, top: int | None = None) -> tuple[Label, ...]:
        """The clusters of a that some flows come from: the match, then the largest first."""
        return self._labels(chosen, self.changes.flows.rows, self.a, top)

    def name_targets(self, chosen: Integers) -> tuple[Label, ...]:
        """The clusters of b that some flows go to: the match, then the largest first."""
        return self._labels(chosen, self.changes.flows.columns, self.b)

    def _labels(
        self, chosen: Integers, lines: Integers, side: SideColumns, top: int | None = None
    ) -> tuple[Label, ...]:
        changes = self.changes
        keys = [changes.is_matched[chosen], changes.flows.masses[chosen]]
        order = rank(keys, lines[chosen], side.names, len(chosen) if top is None else top)
        return tuple(map(side.label, order))

    def targets_of(self, code: int) -> tuple[Part, ...]:
        """Where the points of a cluster of a went, the largest part first."""
        changes = self.changes
        chosen = changes.flows_out_of(code)
        others = changes.flows.columns[chosen]
        size = changes.sizes_a[code].item()
        return self._parts(chosen, self.b.labels(others), size, changes.sizes_b[others])

    def sources_of(self, code: int) -> tuple[Part, ...]:
        """Where the points of a cluster of b come from, the largest part first."""
        changes = self.changes
        chosen = changes.flows_into(code)
        others = changes.flows.rows[chosen]
        size = changes.sizes_b[code].item()
        return self._parts(chosen, self.a.labels(others), size, changes.sizes_a[others])

    def _parts(
        self, chosen: Integers, labels: Sequence[Label], size: Mass, other_sizes: Masses
    ) -> tuple[Part, ...]:
        columns = self.changes.flows.masses, self.changes.is_matched
        masses, matched = (column[chosen].tolist() for column in columns)
        sizes = other_sizes.tolist()
        parts = [
            Part(label, mass, share_of(mass, size), share_of(mass, other_size), is_match)
            for label, mass, other_size, is_match in zip(
                labels, masses, sizes, matched, strict=True
            )
        ]
        if len(parts) > 1:
            parts.sort(key=lambda part: (-part.mass, natural(str(part.cluster))))
        return tuple(parts)


def report_changes(
    comparison: Comparison,
    ground: str = "euclidean",
    noise_label: str = "",
    relabel_share: float = 0.5,
) -> ChangeReport:
    """The report on the changes between two clusterings.

    With coordinates it has what each cluster adds to cdistance and css. `ground` is the distance
    between points in the transport plan, `noise_label` the first label that marks noise in b. A
    cluster of b gets the name of its match if the match holds more than `relabel_share` of one of
    the two.
    """
    changes = find_changes(comparison, ground)
    contributions = find_contributions(comparison, ground)
    a, b = both_sides(comparison)
    notes = (*comparison.notes, *note_basis(comparison, changes), *contributions.notes)
    return ChangeReport(
        comparison.sides,
        comparison.coverage,
        changes,
        contributions,
        a,
        b,
        noise_label,
        relabel_share,
        notes,
        Places.of(comparison),
    )


def note_basis(comparison: Comparison, changes: Changes) -> Iterator[Note]:
    """What the clusters are matched by, if a and b do not have the same points."""
    coverage = comparison.coverage
    if changes.by_plan:
        yield Note(
            "too few points are in both: clusters are matched by the transport plan between them"
        )
    elif comparison.difference:
        yield Note(
            f"clusters are matched by the {coverage.shared} points in both; "
            f"{coverage.only_a} are gone and {coverage.only_b} are new"
        )


def share_of(mass: Mass, size: Mass) -> float:
    """A mass as a share of a size: exactly 1 if the two differ by rounding only."""
    share = mass / size
    return 1.0 if abs(share - 1.0) <= SAME_MASS else share
