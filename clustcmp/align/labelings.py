"""Several clusterings under the same settings, and which rows of any two of them are compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clustcmp.align.form import Canonical, canonical, find_absent, find_dropped, order_points
from clustcmp.align.marks import Marked, note_marks
from clustcmp.align.rows import (
    Alignment,
    Rows,
    count_coverage,
    describe_difference,
    drop,
    join_ids,
    note_dropped,
    note_left_out,
    nothing_left,
)
from clustcmp.align.unseen import find_unseen
from clustcmp.arrays import NONE, Flags, Integers
from clustcmp.keywords import find_noise_policy
from clustcmp.model import Clustering, Coverage, Texts
from clustcmp.model.once import ComputesOnce
from clustcmp.model.texts import same_texts
from clustcmp.notes import Note
from clustcmp.settings import InputSettings


@dataclass(frozen=True, eq=False)
class Labelings(ComputesOnce):
    """Clusterings without a space: nothing here depends on where their points are.

    Messages call the clusterings by their `titles`. A clustering that is given several times under
    one title has one canonical form. What is computed once is kept in memory, but not pickled.
    """

    clusterings: tuple[Clustering, ...]
    settings: InputSettings
    titles: tuple[str, ...]

    @staticmethod
    def of_two(a: Clustering, b: Clustering, settings: InputSettings) -> Labelings:
        """Two clusterings, called a and b in messages if they do not come from a file."""
        return Labelings((a, b), settings, (a.titled("a"), b.titled("b")))

    def alignment(self, a: int, b: int) -> Alignment:
        """The rows of two of the clusterings that are compared."""
        one, two = self.clusterings[a], self.clusterings[b]
        by_id = one.points.ids is not None and two.points.ids is not None
        absent_a, absent_b = self._absent(a), self._absent(b)
        dropped_a, dropped_b = self._dropped(a), self._dropped(b)
        is_same = self.groups[a] == self.groups[b] if by_id else one.points.size == two.points.size
        left_out = (absent_a, absent_b, dropped_a, dropped_b)
        if is_same and all(one is None for one in left_out):
            coverage = Coverage(one.points.size, 0, 0)
            rows = self._rows(a, by_id), self._rows(b, by_id)
            return Alignment(*rows, coverage, by_id, is_whole=True)
        joined = drop(self._join(a, b, by_id, is_same), absent_a, absent_b)
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
        unseen = () if difference else find_unseen(joined, kept, one, two)
        return Alignment(*rows, coverage, by_id, difference=difference, notes=notes, unseen=unseen)

    def canonical(self, index: int, by_id: bool) -> Canonical:
        """The canonical form of one of the clusterings."""
        return self.once(find_canonical, self.clusterings[index], self.titles[index], by_id)

    def note_labels(self, no_point: str, *indexes: int) -> tuple[Note, ...]:
        """What there is to note about labels that mark noise or count as missing.

        `no_point` is how a note begins that says that none of these clusterings has a label.
        """
        marked = [self.once(count_marked, index) for index in indexes]
        return tuple(note_marks(self.settings, marked, no_point))

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

    def _absent(self, index: int) -> Flags | None:
        """Which points of one clustering have no weight; None if all have some."""
        return self.once(find_absent_points, index)

    def _dropped(self, index: int) -> Flags | None:
        """Which points of one clustering are dropped; None if all are kept."""
        return self.once(find_dropped_points, index)


def find_alignment(labelings: Labelings, a: int, b: int) -> Alignment:
    """The rows of two of the clusterings that are compared."""
    return labelings.alignment(a, b)


def find_canonical(
    labelings: Labelings, clustering: Clustering, title: str, by_id: bool
) -> Canonical:
    """The canonical form of one of the clusterings."""
    return canonical(clustering, labelings.settings, title, by_id)


def find_absent_points(labelings: Labelings, index: int) -> Flags | None:
    """Which points of one of the clusterings have no weight; None if all have some."""
    return find_absent(labelings.clusterings[index])


def find_dropped_points(labelings: Labelings, index: int) -> Flags | None:
    """Which points of one of the clusterings are dropped; None if all are kept."""
    return find_dropped(labelings.clusterings[index], find_noise_policy(labelings.settings))


def count_marked(labelings: Labelings, index: int) -> Marked:
    """How many points of one of the clusterings are noise, and how many have no label."""
    clustering = labelings.clusterings[index]
    return Marked(clustering.n_noise, clustering.n_missing)


def list_positions(labelings: Labelings, size: int) -> Integers:
    """The positions of so many points, one array for all clusterings of this size."""
    return np.arange(size)
