"""Two files or objects and all that says how to bring them together: the same for every command."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple

from clustcmp.align import align
from clustcmp.arrays import Floats
from clustcmp.choices import MAX_BYTES, Missing, NoisePolicy, Points
from clustcmp.errors import UsageError
from clustcmp.model import Clustering, Comparison
from clustcmp.notes import Note
from clustcmp.read import FileSpec, ReadOptions, Space, enter_space, read_clustering


@dataclass(frozen=True)
class Policies:
    """How files are read, and what becomes of points that are noise, missing or in one only."""

    points: Points = Points.error
    noise: tuple[str, ...] = ()
    noise_policy: NoisePolicy = NoisePolicy.cluster
    missing: Missing = Missing.error
    normalize: bool = False
    no_header: bool = False
    max_bytes: int = MAX_BYTES
    jobs: int | None = None

    @property
    def reading(self) -> ReadOptions:
        """What of this concerns the files."""
        return ReadOptions(
            has_header=not self.no_header,
            noise=self.noise,
            missing=self.missing,
            normalize=self.normalize,
            max_bytes=self.max_bytes,
        )


class Located(NamedTuple):
    """Two clusterings with their coordinates, or the distances (n_a, n_b) between their points."""

    a: Clustering
    b: Clustering
    distances: Floats | None = None


def read_inputs(a: str, b: str, space: Space, policies: Policies) -> Located:
    """The clusterings in two files, in the space that other files give them."""
    check_stdin([a, b, *space.parts])
    one, two = read_files([a, b], policies)
    return Located(*enter_space(one, two, space, policies.reading))


def check_stdin(files: Sequence[str]) -> None:
    """Refuse to read stdin twice."""
    paths = [file.partition("::")[0] for file in files]
    if sum(FileSpec(path, path).is_stdin for path in paths) > 1:
        raise UsageError("two files are -, and stdin can be read once only", hint="name a file")


def read_files(files: Sequence[str], policies: Policies) -> list[Clustering]:
    """The clusterings in several files, read at the same time."""
    options = policies.reading
    specs = [FileSpec.parse(file) for file in files]
    pool = ThreadPoolExecutor(min(len(files), max(2, count_jobs(policies.jobs))))
    try:
        return list(pool.map(lambda spec: read_clustering(spec, options), specs))
    finally:
        # After Ctrl-C nobody waits for the other files.
        pool.shutdown(wait=False, cancel_futures=True)


def bring_together(located: Located, policies: Policies) -> Comparison:
    """The comparison of two clusterings under the policies."""
    a, b, distances = located
    comparison = align(
        a, b, policies.points, policies.noise_policy, distances, count_jobs(policies.jobs)
    )
    if not policies.noise or a.n_noise or b.n_noise:
        return comparison
    # Labels were called noise and none is there, as after a slip of the pen.
    labels = " or ".join(map(repr, policies.noise))
    note = Note(f"no point of a or b has the label {labels} that marks noise")
    return replace(comparison, notes=(*comparison.notes, note))


def count_jobs(jobs: int | None) -> int:
    """The number of threads: as asked for, or one for each core that we may use."""
    if jobs is not None and jobs < 1:
        raise UsageError(f"jobs={jobs!r} is not possible", hint="jobs is 1 or more")
    if jobs is None and hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return jobs or os.cpu_count() or 1
