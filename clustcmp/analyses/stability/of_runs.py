"""How much runs that exist already agree: what `clustcmp stability --runs` does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple, Unpack, cast

import numpy as np

from clustcmp.align import Collection, Labelings
from clustcmp.analyses.several.named import Named, gather
from clustcmp.analyses.stability.best_group import find_best
from clustcmp.analyses.stability.groups import Grouped, group_runs
from clustcmp.analyses.stability.notes_of_runs import find_notes
from clustcmp.analyses.stability.pairs import (
    FEWEST_POINTS,
    Compared,
    Pairs,
    compare_pairs,
    to_pairs,
    too_few,
)
from clustcmp.analyses.stability.per_cluster import Followed, follow, word_for
from clustcmp.analyses.stability.points_of_runs import Pool, pool
from clustcmp.analyses.stability.report_of_runs import (
    GroupCluster,
    GroupPairs,
    GroupPoint,
    GroupPoints,
    Run,
    RunsFacts,
    RunsReport,
    known,
)
from clustcmp.analyses.stability.runs import Runs
from clustcmp.analyses.stability.spread import spread_of
from clustcmp.arrays import NONE, SAME_SUM
from clustcmp.backends import count_jobs, map_tasks
from clustcmp.errors import UsageError
from clustcmp.evaluate import HOW_TO_FIND_OUT, answer_side, does_not_fit
from clustcmp.keywords import complete, find_noise_policy, takes_some_settings
from clustcmp.machines import uses_machines
from clustcmp.progress import begin
from clustcmp.registry import Request
from clustcmp.requests import find_requests, find_unlocated
from clustcmp.settings import MatrixSettings
from clustcmp.stability_settings import RunsSettings

DEFAULT_METRIC = "adjusted_rand"


class Study(NamedTuple):
    """All runs, the reference last if there is one, and how they are compared."""

    collection: Collection
    pool: Pool
    request: Request
    jobs: int
    has_reference: bool

    @property
    def n_runs(self) -> int:
        """The number of runs without the reference."""
        return len(self.collection.clusterings) - self.has_reference


class GroupFindings(NamedTuple):
    """What is known about one group."""

    point: GroupPoint
    clusters: list[GroupCluster]
    pairs: GroupPairs
    points: list[GroupPoints]


@takes_some_settings
@uses_machines
def stability_of(
    runs: Any, metric: str | Request | None = None, **settings: Unpack[RunsSettings]
) -> RunsReport:
    """How much several clusterings agree, and which clusters and points hold in all of them.

    `runs` are what `matrix` takes: a mapping from names to clusterings, a DataFrame with a run in
    each column, a list, or `"runs.csv::*"` for all columns of a file. A point without a label is
    not in that run. Any two runs are compared on their common points. `group` is "clusters" or a
    regular expression that captures a part of the names; `reference` is the clustering whose
    clusters are followed, by default the medoid of each group.

        >>> runs = [[1, 1, 2, 2], [1, 1, 2, 2], [1, 1, 2, 3]]
        >>> round(clustcmp.stability_of(runs).curve[0].value, 2)
        0.71
    """
    request = find_request(metric)
    # A point without a label is not in a run, which is an error only if the user says so.
    asked = complete(RunsSettings, {"missing": "drop", **settings})
    given = cast(MatrixSettings, {**asked, "points": "intersect"})
    gathered = gather(runs, given, find_unlocated([request]), "stability")
    check_number(len(gathered.others), len(gathered.references))
    begin("compared")
    everyone = gathered.everyone
    own = tuple(one.table for one in everyone if one.table is not None)
    study = prepare(everyone, given, own or gathered.tables, request, len(gathered.references))
    return report_on_runs(study, asked)


def prepare(
    everyone: Sequence[Named],
    settings: MatrixSettings,
    tables: Any,
    request: Request,
    n_references: int,
) -> Study:
    """The runs with their points brought together."""
    clusterings = tuple(one.clustering for one in everyone)
    labelings = Labelings(clusterings, settings, tuple(one.name for one in everyone))
    jobs = count_jobs(settings["jobs"])
    collection = Collection(labelings, tables, jobs=jobs)
    return Study(collection, pool(collection), request, jobs, n_references > 0)


def find_request(metric: str | Request | None) -> Request:
    """The one metric that runs are compared by."""
    found = find_requests([metric or DEFAULT_METRIC])
    if len(found) > 1:
        raise UsageError(
            f"stability has one metric, but {len(found)} are asked for",
            hint=f"choose one of them, such as {found[0].spec}",
        )
    (request,) = found
    if request.metric.arity == 1:
        raise UsageError(
            f"{request.metric.name} is a metric of one clustering", hint="choose a metric of two"
        )
    if request.metric.higher_is_better is None:
        raise UsageError(
            f"{request.metric.name} does not say what is better, so runs cannot be stable by it",
            hint=f"choose another metric, such as {DEFAULT_METRIC}",
        )
    return request


def check_number(n_runs: int, n_references: int) -> None:
    """Refuse fewer than two runs, and more than one reference."""
    if n_runs < 2:
        besides = " besides the reference" if n_references else ""
        raise UsageError(
            f"only one run is given{besides}, but stability needs two",
            hint="name more files, or all columns of one with FILE::*",
        )
    if n_references > 1:
        raise UsageError(f"{n_references} references are given", hint="name one reference")


def report_on_runs(study: Study, settings: RunsSettings) -> RunsReport:
    """The report on all groups."""
    everyone = [
        Run.of(study.collection.describe(index), title)
        for index, title in enumerate(study.collection.titles)
    ]
    inputs = tuple(everyone[: study.n_runs])
    names, n_clusters = [run.name for run in inputs], [run.clusters for run in inputs]
    groups = group_runs(names, n_clusters, settings["group"])
    if all(len(group.runs) < 2 for group in groups):
        raise UsageError(
            f"each of the {len(groups)} groups has one run, but stability needs two",
            hint="choose groups with several runs",
        )
    check_kinds(study, inputs)
    parts = [study_group(study, group) for group in groups]
    metric = study.request.metric
    curve = tuple(part.point for part in parts)
    members = [[inputs[run] for run in group.runs] for group in groups]
    return RunsReport(
        inputs,
        everyone[-1] if study.has_reference else None,
        RunsFacts(
            study.request.spec,
            bool(metric.higher_is_better),
            settings["group"],
            find_noise_policy(settings),
        ),
        curve,
        find_best(curve, members, bool(metric.higher_is_better)),
        tuple(one for part in parts for one in part.clusters),
        tuple(find_notes(study.collection, parts)),
        name_points(study),
        tuple(part.pairs for part in parts),
        tuple(one for part in parts for one in part.points),
    )


def name_points(study: Study) -> tuple[Any, ...]:
    """The ids of all points; without ids their index in pandas, or their positions from 1 on."""
    if study.pool.ids is not None:
        return tuple(study.pool.ids.tolist())
    origin = study.collection.clusterings[0].origin
    if origin is not None and origin.index is not None:
        return tuple(origin.index)
    return tuple(range(1, study.pool.runs.n_points + 1))


def check_kinds(study: Study, inputs: Sequence[Run]) -> None:
    """Refuse soft runs where the metric needs hard ones."""
    soft = [run.name for run in inputs if run.kind == "soft"]
    if soft and not study.request.metric.accepts_soft:
        raise UsageError(
            f"{study.request.metric.name}: needs hard clusterings ({soft[0]}: soft)",
            hint=HOW_TO_FIND_OUT,
        )


def study_group(study: Study, group: Grouped) -> GroupFindings:
    """The pairs, the partitions, the medoid and the clusters of one group."""
    chosen = study.pool.runs.choose(group.runs)
    pairs = compare_group(study, group, chosen)
    spread = spread_of(pairs, len(chosen))
    medoid = find_medoid(pairs, len(chosen), bool(study.request.metric.higher_is_better))
    names = tuple(study.collection.titles[run] for run in group.runs)
    n_partitions, commonest = count_partitions(chosen)
    point = GroupPoint(
        group.name,
        *spread,
        pairs.reason or None,
        len(chosen),
        n_partitions,
        commonest,
        None if medoid is None else names[medoid],
    )
    followed = study.n_runs if study.has_reference else medoid
    if followed is not None and not study.has_reference:
        followed = group.runs[followed]
    clusters, points = follow_one(study, group, followed)
    return GroupFindings(point, clusters, GroupPairs(group.name, names, pairs), points)


def compare_group(study: Study, group: Grouped, runs: Runs) -> Pairs:
    """All pairs of a group; where the points are is known to the collection alone."""
    if not study.request.metric.needs_coordinates:
        return compare_pairs(runs, study.request, study.jobs)
    tasks = [(a, b) for at, a in enumerate(group.runs) for b in group.runs[at + 1 :]]
    compare = partial(compare_located, study)
    return to_pairs(len(runs), map_tasks(compare, tasks, 1, what="comparing", divides=True))


def compare_located(study: Study, task: tuple[int, int]) -> Compared:
    """Two runs compared where their common points are."""
    a, b = task
    laid = study.pool.runs.laid
    common = int(np.count_nonzero(laid[a].is_present & laid[b].is_present))
    if common < FEWEST_POINTS:
        return too_few(common)
    values = []
    for order in [(a, b)] if study.request.symmetric else [(a, b), (b, a)]:
        comparison = study.collection.silent(*order)
        result = answer_side(study.request, comparison, None)
        if result.obstacle:
            raise does_not_fit(study.request.metric.name, result, comparison)
        if result.value is None:
            return Compared(np.nan, common, result.reason or "")
        values.append(result.value)
    return Compared(sum(values) / len(values), common)


def find_medoid(pairs: Pairs, n_runs: int, higher_is_better: bool) -> int | None:
    """The run with the best mean value to the others; of equal ones the first.

    A pair without a value counts as the worst value of all pairs.
    """
    if np.isnan(pairs.values).all():
        return None
    signed = pairs.values if higher_is_better else -pairs.values
    signed = np.where(np.isnan(signed), np.nanmin(signed), signed)
    ends = np.concatenate([pairs.first, pairs.second])
    totals = np.bincount(ends, weights=np.concatenate([signed, signed]), minlength=n_runs)
    return int(np.flatnonzero(totals >= totals.max() - SAME_SUM * np.abs(totals).max())[0])


def count_partitions(runs: Runs) -> tuple[int, float]:
    """The number of distinct partitions, and the share of runs that have the commonest one."""
    if runs.is_hard:
        keys = [one.codes.tobytes() for one in runs.laid]
    else:
        keys = [
            rows.tobytes() + membership.array.tobytes()
            for rows, membership in zip(runs.rows, runs.memberships, strict=True)
        ]
    counts = Counter(keys)
    return len(counts), max(counts.values()) / len(keys)


def follow_one(
    study: Study, group: Grouped, index: int | None
) -> tuple[list[GroupCluster], list[GroupPoints]]:
    """The clusters and points of the reference or medoid in the other runs of a group."""
    others = [run for run in group.runs if run != index]
    if index is None or not others:
        return [], []
    runs, ids = study.pool.runs, study.pool.ids
    rows, membership = runs.rows[index], runs.memberships[index]
    found = follow(membership, runs.choose(others), rows)
    form = study.collection.labelings.canonical(index, ids is not None)
    names = tuple(form.clustering.names.tolist())
    codes = np.full(runs.n_points, NONE, dtype=np.int64)
    codes[rows] = membership.strongest()
    points = GroupPoints(group.name, names, codes, found.shares)
    return list_clusters(group.name, names, found), [points]


def list_clusters(group: str, names: Sequence[str], found: Followed) -> list[GroupCluster]:
    """A record for each cluster, the largest first, equally large ones by name."""
    columns = (found.sizes, found.samples, found.jaccard, found.dissolved, found.recovered)
    rows = sorted(
        zip(names, *(column.tolist() for column in columns), strict=True),
        key=lambda row: (-row[1], row[0]),
    )
    return [
        GroupCluster(
            group,
            name,
            size,
            samples,
            known(jaccard),
            dissolved,
            recovered,
            word_for(jaccard) if samples else None,
        )
        for name, size, samples, jaccard, dissolved, recovered in rows
    ]
