"""Everything that is known about the changes between two clusterings, by the names of clusters."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clustcmp.analyses.changes.contributions import Blame, find_blame
from clustcmp.analyses.changes.order import natural, rank
from clustcmp.analyses.flows.follow import Changes, find_changes
from clustcmp.analyses.flows.kinds import NONE, Kind
from clustcmp.arrays import Integers, Masses
from clustcmp.model import Comparison, Coverage, Described
from clustcmp.model.texts import Texts

# A share is a float, and a mass a whole number where points are counted.
Mass = float | int

Importance = tuple[Mass, Mass, bool, Mass]


@dataclass(frozen=True)
class Part:
    """A cluster on the other side, the mass in both, and its share of this and of the other."""

    cluster: str
    mass: Mass
    share: float
    share_of_other: float
    is_match: bool


@dataclass(frozen=True)
class ClusterChange:
    """What became of one cluster of a.

    `left` went to other clusters than its match, `joined` came into the match from others, `gone`
    is not in b, and `new`, in the match, was not in a. `parts` are where its points went, the
    largest first. `contributions` are its parts of the metrics that know about space.
    """

    code: int
    cluster: str
    size: Mass
    kind: Kind
    match: str | None
    parts: tuple[Part, ...]
    left: Mass
    joined: Mass
    gone: Mass
    new: Mass
    contributions: dict[str, float]

    @property
    def importance(self) -> Importance:
        """What brings it forward among others: what moved, what is new, that it changed, size."""
        is_changed = self.kind not in (Kind.same, Kind.renamed)
        return self.left + self.joined, self.gone + self.new, is_changed, self.size


@dataclass(frozen=True)
class Birth:
    """A cluster of b that comes from nowhere in particular, and where its points come from."""

    cluster: str
    size: Mass
    new: Mass
    parts: tuple[Part, ...]

    @property
    def importance(self) -> Importance:
        """What brings it forward among others: what moved, what is new, that it changed, size."""
        return math.fsum(part.mass for part in self.parts), self.new, True, self.size


@dataclass(frozen=True, eq=False)
class ChangeReport:
    """The changes between two clusterings, with what was compared."""

    comparison: Comparison
    changes: Changes
    blame: Blame

    @property
    def inputs(self) -> tuple[Described, Described]:
        """What was compared."""
        return self.comparison.sides

    @property
    def coverage(self) -> Coverage:
        """How many points are in both and in one only."""
        return self.comparison.coverage

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What to know about this very input."""
        return (*self.comparison.notes, *note_basis(self), *self.blame.notes)

    @property
    def moved(self) -> Mass:
        """The mass of the points that are not in the match of their old cluster.

        Like all masses a whole number where points are counted.
        """
        moved = self.changes.moved
        return moved if self.changes.sizes_a.dtype.kind == "f" else int(moved)

    @property
    def moved_share(self) -> float:
        """The same as a share of the mass that was followed."""
        return self.changes.moved / self.changes.followed

    @cached_property
    def matches(self) -> dict[str, str]:
        """The cluster of b that each matched cluster of a became."""
        names_a, names_b = self.comparison.a.names, self.comparison.b.names
        return {names_a[match.a]: names_b[match.b] for match in self.changes.matches}

    @cached_property
    def clusters(self) -> tuple[ClusterChange, ...]:
        """What became of each cluster of a; what matters most comes first."""
        return self.first_clusters(len(self.changes.sizes_a))

    @cached_property
    def births(self) -> tuple[Birth, ...]:
        """The clusters of b that come from nowhere in particular, the largest first."""
        return self.first_births(len(self.changes.born))

    def first_clusters(self, top: int, unchanged: bool = True) -> tuple[ClusterChange, ...]:
        """The clusters of a that matter most; those that stayed as they are only if wanted."""
        changes = self.changes
        codes = np.arange(len(changes.sizes_a))
        if not unchanged:
            codes = codes[~changes.is_same[codes]]
        arrived = np.where(changes.partners.of_a == NONE, 0, changes.new[changes.partners.of_a])
        keys = (
            changes.left + changes.joined,
            changes.gone + arrived,
            ~changes.is_same,
            changes.sizes_a,
        )
        order = rank([key[codes] for key in keys], codes, self.comparison.a.names, top)
        return tuple(self.describe(code) for code in order)

    def first_births(self, top: int) -> tuple[Birth, ...]:
        """The largest of the clusters of b that come from nowhere in particular."""
        changes = self.changes
        codes = np.array(changes.born, dtype=np.int64)
        names = self.comparison.b.names
        return tuple(
            Birth(
                names[code],
                self.comparison.b.masses[code].item(),
                changes.new[code].item(),
                tuple(self.sources_of(code)),
            )
            for code in rank([changes.sizes_b[codes]], codes, names, top)
        )

    def describe(self, code: int) -> ClusterChange:
        """What became of a cluster of a."""
        changes, partner = self.changes, int(self.changes.partners.of_a[code])
        return ClusterChange(
            code=code,
            cluster=self.comparison.a.names[code],
            size=changes.sizes_a[code].item(),
            kind=changes.kind(code),
            match=None if partner == NONE else self.comparison.b.names[partner],
            parts=tuple(self.targets_of(code)),
            left=changes.left[code].item(),
            joined=changes.joined[code].item(),
            gone=changes.gone[code].item(),
            new=0 if partner == NONE else changes.new[partner].item(),
            contributions={name: float(parts[code]) for name, parts in self.blame.parts.items()},
        )

    def merged_with(self, code: int, top: int) -> tuple[list[str], int]:
        """The largest other clusters of a that a merged one is together with, and their number."""
        changes = self.changes
        for place in (int(changes.homes[code]), int(changes.partners.of_a[code])):
            cells = changes.merging(place) if place != NONE else np.arange(0)
            if len(cells) > 1:
                cells = cells[changes.flows.rows[cells] != code]
                return self.name_sources(cells, top), len(cells)
        return [], 0

    def name_sources(self, cells: Integers, top: int | None = None) -> list[str]:
        """The clusters of a that some flows come from: the match, then the largest first."""
        return self._names(cells, self.changes.flows.rows, self.comparison.a.names, top)

    def name_targets(self, cells: Integers) -> list[str]:
        """The clusters of b that some flows go to: the match, then the largest first."""
        return self._names(cells, self.changes.flows.columns, self.comparison.b.names)

    def _names(
        self, cells: Integers, lines: Integers, names: Texts, top: int | None = None
    ) -> list[str]:
        changes = self.changes
        keys = [changes.is_matched[cells], changes.flows.masses[cells]]
        order = rank(keys, lines[cells], names, len(cells) if top is None else top)
        return [names[code] for code in order]

    def targets_of(self, code: int) -> list[Part]:
        """Where the points of a cluster of a went, the largest part first."""
        cells = self.changes.cells_of_a(code)
        others = self.changes.flows.columns[cells]
        return self._parts(
            cells,
            others,
            self.comparison.b.names,
            self.changes.sizes_a[code].item(),
            self.changes.sizes_b,
        )

    def sources_of(self, code: int) -> list[Part]:
        """Where the points of a cluster of b come from, the largest part first."""
        cells = self.changes.cells_of_b(code)
        others = self.changes.flows.rows[cells]
        return self._parts(
            cells,
            others,
            self.comparison.a.names,
            self.changes.sizes_b[code].item(),
            self.changes.sizes_a,
        )

    def _parts(
        self, cells: Integers, others: Integers, names: Texts, size: Mass, other_sizes: Masses
    ) -> list[Part]:
        columns = self.changes.flows.masses, self.changes.is_matched
        masses, matched = (column[cells].tolist() for column in columns)
        sizes = other_sizes[others].tolist()
        parts = [
            Part(names[other], mass, share_of(mass, size), share_of(mass, other_size), is_match)
            for other, mass, other_size, is_match in zip(
                others.tolist(), masses, sizes, matched, strict=True
            )
        ]
        if len(parts) > 1:
            parts.sort(key=lambda part: (-part.mass, natural(part.cluster)))
        return parts


def report_changes(comparison: Comparison, ground: str = "euclidean") -> ChangeReport:
    """The changes between two clusterings and, with coordinates, who is to blame."""
    changes = find_changes(comparison, ground)
    return ChangeReport(comparison, changes, find_blame(comparison, ground))


def in_one_order(
    clusters: Sequence[ClusterChange], births: Sequence[Birth]
) -> list[ClusterChange | Birth]:
    """Clusters and births, each in their order, together: what matters most comes first."""
    both: list[Sequence[ClusterChange | Birth]] = [clusters, births]
    return list(heapq.merge(*both, key=lambda one: one.importance, reverse=True))


def note_basis(report: ChangeReport) -> Iterator[str]:
    """Where the matches come from, if not from points that are the same on both sides."""
    if report.changes.by_plan:
        yield "too few points are in both: clusters are matched by the transport plan between them"
    elif report.comparison.difference:
        yield (
            f"clusters are matched by the {report.coverage.shared} points in both; "
            f"{report.coverage.only_a} are gone and {report.coverage.only_b} are new"
        )


def share_of(mass: Mass, size: Mass) -> float:
    """A mass as a share, exactly 1 if it is all but for rounding."""
    share = mass / size
    return 1.0 if abs(share - 1.0) <= 1e-9 else share
