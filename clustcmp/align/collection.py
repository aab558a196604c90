"""Several clusterings under the same settings, and the comparison of any two of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from clustcmp.align.form import (
    Canonical,
    canonical,
    describe,
    find_dropped,
    order_points,
    restrict,
)
from clustcmp.align.locations import Both, Locations
from clustcmp.align.rows import (
    Alignment,
    Rows,
    count_coverage,
    describe_difference,
    drop,
    join_ids,
    note_dropped,
    note_left_out,
    note_positions,
    nothing_left,
)
from clustcmp.arrays import NONE, Flags, Floats, Integers
from clustcmp.keywords import DEFAULTS, noise_labels
from clustcmp.model import (
    Clustering,
    Comparison,
    CoordinateTable,
    Coverage,
    Described,
    Texts,
)
from clustcmp.model.once import ComputesOnce
from clustcmp.model.texts import same_texts
from clustcmp.notes import Note
from clustcmp.settings import InputSettings


def align(
    a: Clustering,
    b: Clustering,
    settings: InputSettings = DEFAULTS,
    tables: tuple[CoordinateTable, ...] = (),
    distances: Floats | None = None,
    jobs: int = 1,
) -> Comparison:
    """The comparison of two clusterings, by id if both have ids, else by position.

    A point that one side drops is dropped on both. Points are ordered by the hash of their id and
    clusters by their first point, so that nothing depends on the order of rows or on names.
    """
    titles = a.titled("a"), b.titled("b")
    return Collection((a, b), settings, titles, tables, distances, jobs).comparison(0, 1)


@dataclass(frozen=True, eq=False)
class Collection(ComputesOnce):
    """Clusterings that are compared with each other, each brought into its canonical form once.

    Messages call the clusterings by their `titles`. There are no `tables` of coordinates, one for
    all clusterings, or one for each. Two clusterings may have `distances` (n_a, n_b) between the
    points of the first and of the second instead. `jobs` is the number of threads that a metric
    may use. What is computed once is kept in memory, but not pickled.
    """

    clusterings: tuple[Clustering, ...]
    settings: InputSettings
    titles: tuple[str, ...]
    tables: tuple[CoordinateTable, ...] = ()
    distances: Floats | None = None
    jobs: int = 1

    def comparison(self, a: int, b: int, alignment: Alignment | None = None) -> Comparison:
        """The comparison of two of the clusterings, the first as the reference.

        The alignment is that of these two, if it is known already.
        """
        alignment = alignment or self.alignment(a, b)
        (tidy_a, side_a), (tidy_b, side_b) = self._take_both(a, b, alignment)
        distances = self.distances
        if distances is not None:
            distances = distances[np.ix_(alignment.rows_a, alignment.rows_b)]
        return Comparison(
            tidy_a,
            tidy_b,
            (replace(side_a, name="a"), replace(side_b, name="b")),
            alignment.coverage,
            alignment.difference,
            self._notes_on(a, b, alignment),
            distances,
            self.jobs,
            given=(self.clusterings[a], self.clusterings[b]),
            rows=(alignment.rows_a, alignment.rows_b),
        )

    def alignment(self, a: int, b: int) -> Alignment:
        """The rows of two of the clusterings that are compared."""
        one, two = self.clusterings[a], self.clusterings[b]
        by_id = one.points.ids is not None and two.points.ids is not None
        dropped_a, dropped_b = self._dropped(a), self._dropped(b)
        is_same = self.groups[a] == self.groups[b] if by_id else one.points.size == two.points.size
        joined = self._join(a, b, by_id, is_same)
        if is_same and dropped_a is None and dropped_b is None:
            coverage = Coverage(one.points.size, 0, 0)
            rows = joined.shared_a, joined.shared_b
            return Alignment(*rows, coverage, by_id, is_whole=True)
        kept = drop(joined, dropped_a, dropped_b)
        coverage = count_coverage(joined, kept)
        titles = self.titles[a], self.titles[b]
        difference, notes = "", note_dropped(coverage)
        if self.settings["points"] == "intersect":
            rows = kept.shared_a, kept.shared_b
            notes = (*note_left_out(coverage), *notes)
        else:
            rows = kept.rows_a, kept.rows_b
            difference = describe_difference(one, two, kept, *titles)
        if not len(rows[0]) or not len(rows[1]):
            raise nothing_left(one, two, joined, *titles)
        return Alignment(*rows, coverage, by_id, difference=difference, notes=notes)

    def coordinates(self, a: int, b: int, alignment: Alignment) -> Both:
        """The coordinates of the compared points of two of the clusterings."""
        return self.locations.of_both(a, b, alignment)

    def canonical(self, index: int) -> Canonical:
        """The canonical form of one of the clusterings, by id if it has ids."""
        return self.once(find_canonical, index, self.groups[index] != NONE)

    def describe(self, index: int) -> Described:
        """One of the clusterings by itself, under its title."""
        return self.canonical(index).described

    def notes(self, index: int) -> tuple[Note, ...]:
        """What was noted when one of the clusterings was read and located."""
        found = self.locations.notes(index, self.locations.may_guide)
        return (*self.clusterings[index].notes, *found)

    def note_noise(self) -> tuple[Note, ...]:
        """A note if no clustering has a point with a label that marks noise."""
        return self._note_noise("no point", *range(len(self.clusterings)))

    @cached_property
    def groups(self) -> tuple[int, ...]:
        """For each clustering the first one that has the same ids; NONE without ids."""
        first: dict[int, Texts] = {}
        groups = []
        for index, clustering in enumerate(self.clusterings):
            ids = clustering.points.ids
            group = NONE
            if ids is not None:
                alike = (one for one, others in first.items() if same_texts(others, ids))
                group = next(alike, index)
                first.setdefault(group, ids)
            groups.append(group)
        return tuple(groups)

    @cached_property
    def locations(self) -> Locations:
        """Where the points of the clusterings are."""
        return Locations(self.clusterings, self.titles, self.tables, self.groups)

    def _join(self, a: int, b: int, by_id: bool, is_same: bool) -> Rows:
        """The rows of the same points of two clusterings."""
        ids_a, ids_b = self.clusterings[a].points.ids, self.clusterings[b].points.ids
        if by_id and not is_same and ids_a is not None and ids_b is not None:
            return join_ids(ids_a, ids_b)
        rows_a, rows_b = self._rows(a, by_id), self._rows(b, by_id)
        nothing = rows_a[:0]
        if is_same:
            return Rows(rows_a, rows_b, nothing, nothing)
        return Rows(nothing, nothing, rows_a, rows_b)

    def _rows(self, index: int, by_id: bool) -> Integers:
        """All rows of one clustering, in the order in which they are compared."""
        clustering = self.clusterings[index]
        if by_id:
            return order_points(clustering)
        return self.once(list_positions, clustering.points.size)

    def _dropped(self, index: int) -> Flags | None:
        """Which points of one clustering are dropped; None if all are kept."""
        return self.once(find_dropped_points, index)

    def _note_noise(self, no_point: str, *indexes: int) -> tuple[Note, ...]:
        """A note that --noise names labels that no point has, which is probably a typo."""
        labels = noise_labels(self.settings)
        if not labels or any(self.once(has_noise, index) for index in indexes):
            return ()
        shown = " or ".join(map(repr, labels))
        return (Note(f"{no_point} has the label {shown} that marks noise"),)

    def _take_both(
        self, a: int, b: int, alignment: Alignment
    ) -> list[tuple[Clustering, Described]]:
        """The compared points of two clusterings, each side with what is said about it."""
        if alignment.is_whole:
            guide = self.locations.guide(a, b)
            return [self.once(take_whole, one, alignment.by_id, guide) for one in (a, b)]
        places = self.coordinates(a, b, alignment)
        rows = alignment.rows_a, alignment.rows_b
        policy = self.settings["noise_policy"]
        sides = []
        for index, chosen, coordinates in zip((a, b), rows, places, strict=True):
            tidy, n_noise = restrict(self.clusterings[index], chosen, policy, coordinates)
            sides.append((tidy, describe(self.titles[index], tidy, n_noise)))
        return sides

    def _notes_on(self, a: int, b: int, alignment: Alignment) -> tuple[Note, ...]:
        """All notes on a comparison; what was found in a file that both sides use is said once."""
        is_guided = self.locations.guide(a, b) is not None
        notes: list[Note] = []
        for index in (a, b):
            notes += self.clusterings[index].notes
            notes += self.locations.notes(index, is_guided)
        if alignment.is_by_position:
            notes += note_positions(self.clusterings[a], self.clusterings[b])
        notes += alignment.notes
        notes += self._note_noise("no point of a or b", a, b)
        return tuple(dict.fromkeys(notes))


def find_canonical(collection: Collection, index: int, by_id: bool) -> Canonical:
    """The canonical form of one of the clusterings."""
    clustering, title = collection.clusterings[index], collection.titles[index]
    return canonical(clustering, collection.settings, title, by_id)


def take_whole(
    collection: Collection, index: int, by_id: bool, guide: int | None
) -> tuple[Clustering, Described]:
    """One of the clusterings as a whole, with its coordinates, and what is said about it."""
    form = collection.once(find_canonical, index, by_id)
    located = index if guide is None else guide
    coordinates = collection.locations.of_all(located, by_id)
    points = replace(form.clustering.points, coordinates=coordinates)
    return replace(form.clustering, points=points), form.described


def find_dropped_points(collection: Collection, index: int) -> Flags | None:
    """Which points of one of the clusterings are dropped; None if all are kept."""
    return find_dropped(collection.clusterings[index], collection.settings["noise_policy"])


def has_noise(collection: Collection, index: int) -> bool:
    """Whether one of the clusterings has points marked as noise."""
    return collection.clusterings[index].n_noise > 0


def list_positions(collection: Collection, size: int) -> Integers:
    """The positions of so many points, one array for all clusterings of this size."""
    return np.arange(size)
