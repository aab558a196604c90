"""All clusterings of all samples, by the backend that suits the clusterer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from clustcmp.analyses.stability.runs import Runs
from clustcmp.analyses.stability.samples import ALL_POINTS, Drawing, number_of, seed_of
from clustcmp.arrays import Integers
from clustcmp.clusterers.base import Clusterer, Sample, Value
from clustcmp.clusterers.running import run_fits
from clustcmp.errors import ClustererFailed
from clustcmp.model import Hard, Membership, Soft


class Setup(NamedTuple):
    """What is clustered, by what, and how samples are drawn.

    `skips` says that a clustering that fails is counted, where it would else end the run.
    """

    data: Sample
    clusterer: Clusterer
    drawing: Drawing
    skips: bool = False
    jobs: int = 1


class Task(NamedTuple):
    """One clustering: of a sample, or of all points where the sample is None."""

    sample: int | None
    value: Value


class Fit(NamedTuple):
    """The clustering of the distinct points of a sample, or why there is none."""

    membership: Hard | Soft | None
    notes: tuple[str, ...] = ()
    failure: str = ""


def fit_all(setup: Setup, values: Sequence[Value], samples: int) -> dict[Task, Fit]:
    """The clusterings of all points and of each sample for each value."""
    tasks = [Task(sample, value) for sample in (None, *range(samples)) for value in values]
    return dict(
        zip(
            tasks,
            run_fits(setup.clusterer, partial(fit_one, setup), tasks, setup.jobs, "clustering"),
            strict=True,
        )
    )


def fit_one(setup: Setup, task: Task) -> Fit:
    """One clustering."""
    drawing = setup.drawing
    key = ALL_POINTS if task.sample is None else task.sample
    rows = np.arange(drawing.n_points) if task.sample is None else drawing.draw(task.sample)
    seed = seed_of(drawing.seed, key, number_of(task.value))
    try:
        found = setup.clusterer.cluster(take_points(setup.data, rows), task.value, seed)
    except ClustererFailed as error:
        if not setup.skips:
            raise
        return Fit(None, failure=error.message)
    # Of a point that was drawn repeatedly, the first copy counts.
    _, first = np.unique(rows, return_index=True)
    membership = found.membership if len(first) == len(rows) else found.membership.take(first)
    return Fit(membership, found.notes)


def take_points(data: Sample, rows: Integers) -> Sample:
    """Some of the points; a point that is there repeatedly has an id of its own each time."""
    taken = data.take(rows)
    is_copy = np.concatenate([[False], rows[1:] == rows[:-1]])
    if not is_copy.any() or not len(taken.ids):
        return taken
    ids, number = list(taken.ids), 1
    for position in np.flatnonzero(is_copy).tolist():
        number = number + 1 if is_copy[position - 1] else 2
        ids[position] = f"{data.ids[rows[position]]} ({number})"
    return taken._replace(ids=ids)


class Complete(NamedTuple):
    """Points, and a clustering in which each of them has a cluster."""

    rows: Integers
    membership: Membership


def complete(rows: Integers, membership: Hard | Soft, noise_policy: str) -> Complete:
    """A clustering whose noise is one more cluster, singletons, or left out."""
    if not isinstance(membership, Hard) or membership.is_complete:
        return Complete(rows, membership)
    is_noise = membership.is_noise
    if noise_policy == "drop":
        kept = np.flatnonzero(~is_noise)
        return Complete(rows[kept], membership.take(kept))
    codes, n_clusters = membership.codes.copy(), membership.n_clusters
    more = 1 if noise_policy == "cluster" else int(is_noise.sum())
    codes[is_noise] = n_clusters + (0 if more == 1 else np.arange(more))
    return Complete(rows, Hard(codes, n_clusters + more))


class ValueRuns(NamedTuple):
    """The runs of one value: those samples that have a clustering, by their numbers."""

    runs: Runs
    samples: Integers
    failed: int


def runs_of(
    fits: Mapping[Task, Fit],
    value: Value,
    n_points: int,
    distinct: Sequence[Integers],
    noise_policy: str,
) -> ValueRuns:
    """The clusterings of all samples for one value, as far as they have any points."""
    found, samples, failed = [], [], 0
    for sample, rows in enumerate(distinct):
        membership = fits[Task(sample, value)].membership
        failed += membership is None
        if membership is not None:
            one = complete(rows, membership, noise_policy)
            if len(one.rows):
                found.append(one)
                samples.append(sample)
    runs = Runs(n_points, tuple(one.rows for one in found), tuple(one.membership for one in found))
    return ValueRuns(runs, np.array(samples, dtype=np.int64), failed)
