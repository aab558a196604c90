"""Two files or objects side by side, loaded and aligned, or as a table of counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from clustcmp.align import Collection, Labelings, find_alignment
from clustcmp.arrays import Integers
from clustcmp.backends import count_jobs
from clustcmp.model import Clustering, Comparison, Counted, Coverage, PointSet, Side, Texts
from clustcmp.progress import begin
from clustcmp.read import Loaded, Loader, Unlocated, Wanted, two
from clustcmp.settings import TwoSettings
from clustcmp.shares import find_budget

if TYPE_CHECKING:
    from clustcmp.read.counts import Counts

# The settings that decide which rows of two clusterings are compared, and what is noted about them.
ALIGNING = (
    "points",
    "noise_policy",
    "noise",
    "noise_a",
    "noise_b",
    "missing",
    "missing_label",
)


def prepare(
    a: Any, b: Any, settings: TwoSettings, unlocated: Unlocated | None = None
) -> Comparison:
    """Two files or objects side by side."""
    wanted = two(a, b, settings, unlocated)
    return Preparer(wanted).prepare(wanted)


def prepare_counts(counts: Counts) -> Comparison:
    """Two clusterings of which nothing but a table of counts is known."""
    table = counts.table
    a, b = (
        count_clusters(masses, names)
        for masses, names in zip((table.masses_a, table.masses_b), counts.names, strict=True)
    )
    sides = (
        Side("a", counts.source, a.kind, table.n_points, table.n_a, 0, is_counted=True),
        Side("b", counts.source, b.kind, table.n_points, table.n_b, 0, is_counted=True),
    )
    coverage = counts.coverage or Coverage(table.n_points, 0, 0)
    return Comparison(a, b, sides, coverage, notes=counts.notes).with_table(table)


def load_counts(given: Any, settings: TwoSettings) -> Counts:
    """The contingency in a file or an object."""
    from clustcmp.read.address import is_path

    if is_path(given):
        from clustcmp.read.count_files import read_counts

        return read_counts(str(given), settings)
    from clustcmp.read.counts import as_counts

    return as_counts(given)


def count_clusters(sizes: Integers, names: Texts) -> Clustering:
    """A clustering of which nothing but the sizes of its clusters is known."""
    return Clustering(PointSet(int(sizes.sum())), Counted(sizes), names)


class Preparer:
    """Puts two files or objects side by side, for each of several analyses.

    Each file is read once. Two clusterings that several analyses compare under the same settings
    are aligned once, even if the analyses differ in their coordinates or distances. An alignment
    is dropped when no later analysis wants both of its clusterings.
    """

    def __init__(self, *wanted: Wanted) -> None:
        """Nothing is read yet."""
        self._loader = Loader(*wanted)
        self._pairs: dict[tuple[Any, ...], Labelings] = {}

    def prepare(self, wanted: Wanted) -> Comparison:
        """The comparison that one of the analyses wants."""
        budget = find_budget(cast(Mapping[str, Any], wanted.settings))
        begin("read")
        if wanted.counts is not None:
            return prepare_counts(load_counts(wanted.counts, cast(TwoSettings, wanted.settings)))
        loaded = self._loader.load(wanted)
        begin("compared")
        jobs = count_jobs(wanted.settings["jobs"])
        pair = self._find_pair(wanted, loaded)
        collection = Collection(pair, loaded.tables, loaded.distances, jobs, budget)
        found = collection.comparison(0, 1, pair.once(find_alignment, 0, 1))
        return replace(found, notes=(*found.notes, *loaded.notes)) if loaded.notes else found

    def _find_pair(self, wanted: Wanted, loaded: Loaded) -> Labelings:
        """The two clusterings of an analysis, with what earlier analyses computed for them."""
        a, b = loaded.clusterings
        settings = cast(Mapping[str, Any], wanted.settings)
        key = (a, b, *(settings[one] for one in ALIGNING))
        pair = self._pairs.pop(key, None) or Labelings.of_two(a, b, wanted.settings)
        if self._loader.will_load_again(wanted):
            self._pairs[key] = pair
        return pair
