"""What comes out of runs that exist already: how much they agree, and which clusters hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from clustcmp.analyses.stability.pairs import Pairs
from clustcmp.arrays import NONE, Floats, Integers, same
from clustcmp.model import Described
from clustcmp.model.once import PicklesFields
from clustcmp.notes import Note
from clustcmp.records import AtLeastOne, Count, PythonOnly, Record, Rule, UpToOne
from clustcmp.results import Joined, Spec, as_frame

if TYPE_CHECKING:
    from clustcmp.results import Frame

Part = Literal["curve", "clusters", "points", "pairs"]

Group = Annotated[str, "The group of runs; all without groups."]


@dataclass(frozen=True)
class Run(Described):
    """One of the runs, or the reference, by itself, without the points that it drops."""

    name: Annotated[str, "NAME of NAME=path, else the file as typed, or the file and the column."]


@dataclass(frozen=True)
class RunsFacts(Record):
    """How the runs were compared."""

    metric: Spec
    higher_is_better: bool
    group: Annotated[str | None, "clusters, a regular expression, or null: all runs together."]
    noise_policy: str


@dataclass(frozen=True)
class GroupPoint(Record):
    """How much the runs of one group agree.

    `value` is the mean over all pairs of runs on their common points, `standard_error` is found by
    leaving out one run at a time, and `low` and `high` are the 5 % and the 95 % quantile of the
    pairs.
    """

    group: Group
    value: float | None
    standard_error: Annotated[float | None, "null with fewer than three runs."]
    low: float | None
    high: float | None
    pairs: Annotated[Count, "The pairs of runs that have a value."]
    failed: Annotated[Count, "The pairs of runs without a value."]
    reason: Annotated[str | None, "Why the first pair without a value has none."]
    runs: AtLeastOne
    partitions: Annotated[
        AtLeastOne, "The distinct partitions: the same points, clustered in the same way, are one."
    ]
    commonest: Annotated[UpToOne, "The share of runs that have the commonest partition."]
    medoid: Annotated[str | None, "The run with the best mean value to the others."]


@dataclass(frozen=True)
class GroupBest(Record):
    """The group whose runs agree best; of equal ones the last.

    Groups are independent: the standard error of the margin is found from those of both means.
    """

    group: Group
    next: Annotated[str | None, "The next best one; null if there is none."]
    margin: Annotated[float | None, "How much better it is than the next one."]
    standard_error: float | None
    clear: Annotated[bool | None, "Whether the margin is above 2 standard errors."]


@dataclass(frozen=True)
class GroupCluster(Record):
    """How often one cluster of the reference, or of the group's medoid, comes back in the runs.

    `jaccard` is its mean similarity with the most similar cluster of each run that has any of its
    points; it is dissolved in a run up to 0.5 and recovered above 0.75.
    """

    group: Group
    cluster: str
    size: Count
    samples: Annotated[Count, "The runs that have points of the cluster."]
    jaccard: UpToOne | None
    dissolved: Count
    recovered: Count
    verdict: Annotated[str | None, "What the mean similarity says, in words."]


@dataclass(frozen=True, eq=False)
class GroupPairs(PicklesFields):
    """The pairs of one group; the numbers of its runs are positions in `runs`, their names."""

    group: str
    runs: tuple[str, ...]
    pairs: Pairs


@dataclass(frozen=True, eq=False)
class GroupPoints(PicklesFields):
    """The cluster of each point in what was followed, NONE if not there, and its share of runs."""

    group: str
    clusters: tuple[str, ...]
    codes: Integers
    shares: Floats


@dataclass(frozen=True, eq=False, repr=False)
class RunsReport(PicklesFields, Joined):
    """How much runs agree, group by group, and which clusters and points hold.

    `to_frame("curve")` has a row for each group, and so on for clusters, points and pairs.
    """

    command = "stability"
    document = "stability_runs"

    inputs: Annotated[tuple[Run, ...], Rule(minItems=2)]
    reference: Annotated[Run | None, "null: the medoid of each group."]
    settings: RunsFacts
    curve: tuple[GroupPoint, ...]
    best: Annotated[GroupBest | None, "null unless there are several groups."]
    clusters: tuple[GroupCluster, ...]
    notes: tuple[Note, ...] = ()
    ids: PythonOnly[tuple[Any, ...]] = ()
    pairs: PythonOnly[tuple[GroupPairs, ...]] = ()
    points: PythonOnly[tuple[GroupPoints, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return same(self, other)

    __hash__ = None  # type: ignore[assignment]

    def to_frame(self, part: Part = "curve") -> Frame:
        """A part of the report: curve, clusters, points or pairs."""
        columns, rows = self.table(part)
        return as_frame(columns, rows, columns[0])

    def table(self, part: str) -> tuple[list[str], Iterable[Sequence[Any]]]:
        """The columns and rows of a part of the report; None where there is no value."""
        return TABLES[part](self)


Table = tuple[list[str], Iterable[Sequence[Any]]]


def curve_table(report: RunsReport) -> Table:
    """A row for each group."""
    return of_records(GroupPoint, report.curve)


def clusters_table(report: RunsReport) -> Table:
    """A row for each cluster of each group."""
    return of_records(GroupCluster, report.clusters)


def pairs_table(report: RunsReport) -> Table:
    """A row for each pair of runs of each group."""
    columns = ["group", "a", "b", "common", "value"]
    rows = (
        (one.group, one.runs[a], one.runs[b], common, known(value))
        for one in report.pairs
        for a, b, value, common in zip(*(part.tolist() for part in one.pairs[:4]), strict=True)
    )
    return columns, rows


def points_table(report: RunsReport) -> Table:
    """A row for each point of what was followed in each group."""
    columns = ["group", "id", "cluster", "share"]
    rows = (
        (one.group, point, one.clusters[code], known(share))
        for one in report.points
        for point, code, share in zip(
            report.ids, one.codes.tolist(), one.shares.tolist(), strict=True
        )
        if code != NONE
    )
    return columns, rows


def of_records(kind: Any, records: Iterable[Any]) -> Table:
    """Records as rows, a column for each field."""
    names = list(kind.__dataclass_fields__)
    return names, ([getattr(one, name) for name in names] for one in records)


def known(value: float) -> float | None:
    """A number, or None for NaN."""
    return None if value != value else value


TABLES = {
    "curve": curve_table,
    "clusters": clusters_table,
    "pairs": pairs_table,
    "points": points_table,
}
