"""Two files or objects and all that says how to bring them together: the same for every command."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from clustcmp.align import align
from clustcmp.arrays import Floats
from clustcmp.errors import UsageError
from clustcmp.model import Clustering, Comparison
from clustcmp.notes import Note
from clustcmp.progress import begin
from clustcmp.read import (
    FileSpec,
    Space,
    as_clustering,
    enter_space,
    is_pandas,
    noise_labels,
    read_clustering,
    rows_correspond,
)
from clustcmp.settings import CompareSettings, InputSettings


class Located(NamedTuple):
    """Two clusterings with their coordinates, or the distances (n_a, n_b) between their points."""

    a: Clustering
    b: Clustering
    distances: Floats | None = None


def prepare(a: Any, b: Any, settings: CompareSettings) -> Comparison:
    """Two files or objects side by side."""
    begin("read")
    located = locate(a, b, Space.of(settings), settings)
    begin("compared")
    return bring_together(located, settings)


def locate(a: Any, b: Any, space: Space, settings: InputSettings) -> Located:
    """Two files or objects as clusterings, in the space that others give them."""
    check_stdin([a, b, *space.parts])
    if isinstance(a, str | Path) and isinstance(b, str | Path):
        one, two = read_files([str(a), str(b)], settings)
        return Located(*enter_space(one, two, space, settings))
    by_index = not rows_correspond(a, b, space)
    has_index = by_index and is_pandas(a), by_index and is_pandas(b)
    clustering_a = as_clustering(a, "a", settings, by_index)
    clustering_b = as_clustering(b, "b", settings, by_index)
    return Located(*enter_space(clustering_a, clustering_b, space, settings, has_index))


def check_stdin(files: Iterable[Any]) -> None:
    """Refuse to read stdin twice."""
    paths = [str(file).partition("::")[0] for file in files if isinstance(file, str | Path)]
    if sum(FileSpec(path, path).is_stdin for path in paths) > 1:
        raise UsageError("- (stdin) is given twice, but can be read only once", hint="name a file")


def read_files(files: Sequence[str], settings: InputSettings) -> list[Clustering]:
    """The clusterings in several files, read at the same time."""
    specs = [FileSpec.parse(file) for file in files]
    pool = ThreadPoolExecutor(min(len(files), max(2, count_jobs(settings["jobs"]))))
    try:
        return list(pool.map(lambda spec: read_clustering(spec, settings), specs))
    finally:
        # After Ctrl-C nobody waits for the other files.
        pool.shutdown(wait=False, cancel_futures=True)


def bring_together(located: Located, settings: InputSettings) -> Comparison:
    """The comparison of two clusterings under the settings."""
    a, b, distances = located
    comparison = align(a, b, settings, distances, count_jobs(settings["jobs"]))
    noise = noise_labels(settings)
    if not noise or a.n_noise or b.n_noise:
        return comparison
    # Labels were called noise and none is there, as after a slip of the pen.
    labels = " or ".join(map(repr, noise))
    note = Note(f"no point of a or b has the label {labels} that marks noise")
    return replace(comparison, notes=(*comparison.notes, note))


def count_jobs(jobs: int | None) -> int:
    """The number of threads: as asked for, or one for each core that we may use."""
    if jobs is not None and jobs < 1:
        raise UsageError(f"jobs={jobs!r} is not possible", hint="jobs is 1 or more")
    if jobs is None and hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return jobs or os.cpu_count() or 1
