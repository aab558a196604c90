"""Several clusterings under the same settings, and the comparison of any two of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from clustcmp.align.form import Canonical, describe, restrict
from clustcmp.align.labelings import Labelings
from clustcmp.align.locations import Both, Locations
from clustcmp.align.rows import Alignment, note_positions
from clustcmp.align.weighing import balance, note_weights, weigh
from clustcmp.arrays import NONE, Floats
from clustcmp.keywords import DEFAULTS, are_balanced, find_noise_policy
from clustcmp.model import Clustering, Comparison, CoordinateTable, Described, Side
from clustcmp.model.once import ComputesOnce
from clustcmp.notes import Note, condense
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
    labelings = Labelings.of_two(a, b, settings)
    return Collection(labelings, tables, distances, jobs).comparison(0, 1)


@dataclass(frozen=True, eq=False)
class Collection(ComputesOnce):
    """Clusterings that are compared with each other, and where their points are.

    There are no `tables` of coordinates, one for all clusterings, or one for each. Two clusterings
    may have `distances` (n_a, n_b) between the points of the first and of the second instead.
    `jobs` is the number of threads that a metric may use, `budget` how many seconds it may refine
    an interval. Collections that share their `labelings` share the canonical forms. What is
    computed once is kept in memory, but not pickled.
    """

    labelings: Labelings
    tables: tuple[CoordinateTable, ...] = ()
    distances: Floats | None = None
    jobs: int = 1
    budget: float | None = None

    @property
    def clusterings(self) -> tuple[Clustering, ...]:
        """The clusterings as they were given."""
        return self.labelings.clusterings

    @property
    def titles(self) -> tuple[str, ...]:
        """What messages call the clusterings."""
        return self.labelings.titles

    @property
    def is_told(self) -> bool:
        """Whether the user said that rows are joined by position."""
        return self.labelings.settings["by_position"]

    def comparison(self, a: int, b: int, alignment: Alignment | None = None) -> Comparison:
        """The comparison of two of the clusterings, the first as the reference.

        The alignment is that of these two, if it is known already.
        """
        alignment = alignment or self.alignment(a, b)
        return self._compare(a, b, alignment, self._notes_on(a, b, alignment))

    def silent(self, a: int, b: int) -> Comparison:
        """The comparison of two of the clusterings without any note.

        A matrix makes thousands of comparisons and notes what concerns its clusterings by itself.
        """
        return self._compare(a, b, self.alignment(a, b))

    def alignment(self, a: int, b: int) -> Alignment:
        """The rows of two of the clusterings that are compared."""
        return self.labelings.alignment(a, b)

    def coordinates(self, a: int, b: int, alignment: Alignment) -> Both:
        """The coordinates of the compared points of two of the clusterings."""
        return self.locations.of_both(a, b, alignment)

    def canonical(self, index: int) -> Canonical:
        """The canonical form of one of the clusterings, by id if it has ids."""
        return self.labelings.canonical(index, self.labelings.groups[index] != NONE)

    def describe(self, index: int) -> Described:
        """One of the clusterings by itself, under its title."""
        found = self.canonical(index).described
        return replace(found, coordinates=self.locations.columns(index))

    def notes(self, index: int) -> tuple[Note, ...]:
        """What was noted when one of the clusterings was read and located."""
        found = self.locations.notes(index, self.locations.may_guide or self.is_told)
        return (*self.clusterings[index].notes, *found)

    def note_labels(self) -> tuple[Note, ...]:
        """What there is to note about the labels that mark noise or count as missing."""
        return self.labelings.note_labels("no point", *range(len(self.clusterings)))

    @cached_property
    def locations(self) -> Locations:
        """Where the points of the clusterings are."""
        return Locations(self.clusterings, self.titles, self.tables, self.labelings.groups)

    def _compare(
        self, a: int, b: int, alignment: Alignment, notes: tuple[Note, ...] | None = None
    ) -> Comparison:
        """The comparison of two of the clusterings, aligned in this way, with these notes.

        Without notes, none is made about weights either.
        """
        weigh_both = balance if are_balanced(self.labelings.settings) else weigh
        one, other = self._take_both(a, b, alignment)
        (tidy_a, side_a), (tidy_b, side_b) = weigh_both(one, other, alignment.difference)
        if notes is not None:
            notes = (*notes, *note_weights(tidy_a, tidy_b))
        distances = self.distances
        if distances is not None:
            distances = distances[np.ix_(alignment.rows_a, alignment.rows_b)]
        return Comparison(
            tidy_a,
            tidy_b,
            (side_a, side_b),
            alignment.coverage,
            alignment.difference,
            notes or (),
            distances=distances,
            jobs=self.jobs,
            budget=self.budget,
            given=(self.clusterings[a], self.clusterings[b]),
            rows=(alignment.rows_a, alignment.rows_b),
            unseen=alignment.unseen,
        )

    def _take_both(self, a: int, b: int, alignment: Alignment) -> list[tuple[Clustering, Side]]:
        """The compared points of two clusterings, each side with what is said about it."""
        if alignment.is_whole:
            guide = self.locations.guide(a, b)
            named = ((a, "a"), (b, "b"))
            return [self.once(take_side, one, alignment.by_id, guide, name) for one, name in named]
        located = self.coordinates(a, b, alignment)
        rows = alignment.rows_a, alignment.rows_b
        policy = find_noise_policy(self.labelings.settings)
        sides = []
        for index, chosen, coordinates, name in zip((a, b), rows, located, "ab", strict=True):
            given = self.clusterings[index]
            tidy, n_noise = restrict(given, chosen, policy, coordinates)
            side = replace(
                describe(self.titles[index], tidy, n_noise, given, policy),
                coordinates=self.locations.columns(index),
            )
            sides.append((tidy, Side.of(side, name)))
        return sides

    def _notes_on(self, a: int, b: int, alignment: Alignment) -> tuple[Note, ...]:
        """All notes on a comparison; what concerns both sides is said once."""
        is_guided = self.locations.guide(a, b) is not None
        notes: list[Note] = []
        for index in (a, b):
            notes += self.clusterings[index].notes
            notes += self.locations.notes(index, is_guided or self.is_told)
        if alignment.is_by_position and not self.is_told:
            notes += note_positions(self.clusterings[a], self.clusterings[b])
        notes += alignment.notes
        notes += self.labelings.note_labels("no point of a or b", a, b)
        return condense(notes)


def take_side(
    collection: Collection, index: int, by_id: bool, guide: int | None, name: str
) -> tuple[Clustering, Side]:
    """One of the clusterings as a whole, and what is said about it as the side a or b."""
    clustering, described = collection.once(take_whole, index, by_id, guide)
    return clustering, Side.of(described, name)


def take_whole(
    collection: Collection, index: int, by_id: bool, guide: int | None
) -> tuple[Clustering, Described]:
    """One of the clusterings as a whole, with its coordinates, and what is said about it."""
    form = collection.labelings.canonical(index, by_id)
    located = index if guide is None else guide
    coordinates = collection.locations.of_all(located, by_id)
    if coordinates is None:
        return form.clustering, form.described
    points = replace(form.clustering.points, coordinates=coordinates)
    described = replace(form.described, coordinates=collection.locations.columns(index))
    return replace(form.clustering, points=points), described
