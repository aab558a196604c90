"""Two files or objects side by side: read, joined to their coordinates, aligned."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from clustcmp.align import align
from clustcmp.arrays import Floats
from clustcmp.backends import count_jobs
from clustcmp.model import Clustering, Comparison
from clustcmp.notes import Note
from clustcmp.progress import begin
from clustcmp.read import Loaded, Loader, Wanted, locate_both, locate_each, noise_labels, two
from clustcmp.settings import CompareSettings, InputSettings


class Located(NamedTuple):
    """Two clusterings with their coordinates, or the distances (n_a, n_b) between their points."""

    a: Clustering
    b: Clustering
    distances: Floats | None = None


def prepare(a: Any, b: Any, settings: CompareSettings) -> Comparison:
    """Two files or objects side by side."""
    wanted = two(a, b, settings)
    return prepare_with(Loader(wanted), wanted)


def prepare_with(loader: Loader, wanted: Wanted) -> Comparison:
    """Two files or objects side by side, by a loader that may have read their files before."""
    begin("read")
    located = locate(loader.load(wanted))
    begin("compared")
    return bring_together(located, wanted.settings)


def locate(loaded: Loaded) -> Located:
    """Two clusterings with their coordinates, as far as these are known."""
    a, b = loaded.clusterings
    if len(loaded.tables) == 1:
        return Located(*locate_both(a, b, *loaded.tables))
    if loaded.tables:
        return Located(*locate_each(a, b, *loaded.tables))
    return Located(a, b, loaded.distances)


def bring_together(located: Located, settings: InputSettings) -> Comparison:
    """The comparison of two clusterings under the settings."""
    a, b, distances = located
    comparison = align(a, b, settings, distances, count_jobs(settings["jobs"]))
    noise = noise_labels(settings)
    if not noise or a.n_noise or b.n_noise:
        return comparison
    # --noise names labels that no point has: probably a typo.
    labels = " or ".join(map(repr, noise))
    note = Note(f"no point of a or b has the label {labels} that marks noise")
    return replace(comparison, notes=(*comparison.notes, note))
