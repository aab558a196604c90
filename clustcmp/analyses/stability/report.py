"""What comes out of clustering samples: how stable each number of clusters is, and each cluster."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

from clustcmp.analyses.stability.pairs import Pairs
from clustcmp.arrays import Floats, Integers, same
from clustcmp.model.once import PicklesFields
from clustcmp.notes import Note
from clustcmp.options import Options
from clustcmp.records import Asked, AtLeastOne, Count, PythonOnly, Record, Text, UpToOne
from clustcmp.results import Reported, Spec, as_frame

if TYPE_CHECKING:
    from clustcmp.model import Described
    from clustcmp.results import Frame

# What was tried: a number of clusters, or the value of a parameter.
Setting = str | int | float | bool | None

Part = Literal["curve", "best", "supported", "clusters", "points", "pairs"]

K = Annotated[Asked[int | None], "The number of clusters that was asked for."]
Varied = Annotated[Asked[Setting], "The value of the parameter that was varied instead of k."]


@dataclass(frozen=True)
class DataFacts(Record):
    """The points that were clustered."""

    file: Annotated[str | None, "The file and its columns as typed; null for an object."]
    points: AtLeastOne
    columns: tuple[str, ...]
    id: Annotated[bool, "Whether the points have ids."]


@dataclass(frozen=True)
class Sampling(Record):
    """How samples were drawn, clustered and compared; the same settings give the same values."""

    algorithm: Text
    parameters: Options
    varied: Annotated[str, "k, or the parameter that was varied instead."]
    metric: Spec
    higher_is_better: bool
    samples: AtLeastOne
    size: Annotated[AtLeastOne, "The number of points that were drawn for each sample."]
    fraction: UpToOne | None
    bootstrap: bool
    scale: str
    soft: bool
    all_points: bool
    noise_policy: str
    seed: Count
    splits: Annotated[Count, "How often the points were halved for the prediction strength."]
    gaussians: Count
    transfer: Annotated[str | None, "null: as fits the algorithm."]
    command: Annotated[Asked[str | None], "The program with its words, if there is one."] = None


@dataclass(frozen=True)
class CurvePoint(Record):
    """How much the samples agree for one number of clusters.

    `value` is the mean over all pairs of samples, `standard_error` is found by leaving out one
    sample at a time, and `low` and `high` are the 5 % and the 95 % quantile of the pairs.
    """

    k: K
    setting: Varied
    value: float | None
    standard_error: float | None
    low: float | None
    high: float | None
    pairs: Annotated[Count, "The pairs of samples that have a value."]
    failed: Annotated[Count, "The clusterings that failed and were skipped."]
    prediction_strength: UpToOne | None = None
    clusters: Annotated[Count | None, "The clusters that all points have, without noise."] = None
    floor: Annotated[
        Asked[float | None], "What sampling alone gives, which was subtracted from the values."
    ] = None


@dataclass(frozen=True)
class Best(Record):
    """The most stable number of clusters; of equally stable ones the largest."""

    k: K
    setting: Varied
    next: Annotated[Setting, "The next best one; null if there is none."]
    margin: Annotated[float | None, "How much better it is than the next one."]
    standard_error: float | None
    clear: Annotated[bool | None, "Whether the margin is above 2 standard errors."]


@dataclass(frozen=True)
class Supported(Record):
    """The largest number of clusters whose prediction strength is at least 0.8.

    `p` is the share of data sets of one Gaussian cloud that are as strong, this one counted.
    """

    k: Annotated[int | None, "null: no number of clusters is supported."]
    prediction_strength: UpToOne | None
    p: UpToOne | None
    clear: Annotated[bool | None, "Whether p is at most 0.05."]


@dataclass(frozen=True)
class SupportedSetting(Record):
    """The value with the most clusters whose prediction strength is at least 0.8."""

    setting: Annotated[Setting, "null: no value is supported."]
    prediction_strength: UpToOne | None
    p: UpToOne | None
    clear: Annotated[bool | None, "Whether p is at most 0.05."]


@dataclass(frozen=True)
class ClusterStability(Record):
    """How often one cluster of the clustering of all points comes back in the samples.

    `jaccard` is its mean similarity with the most similar cluster of each sample that has any of
    its points; it is dissolved in a sample up to 0.5 and recovered above 0.75.
    """

    k: K
    setting: Varied
    cluster: str
    size: Count
    samples: Annotated[Count, "The samples that have points of the cluster."]
    jaccard: UpToOne | None
    dissolved: Count
    recovered: Count
    verdict: Annotated[str, "What the mean similarity says, in words."]


@dataclass(frozen=True, eq=False)
class ValuePairs(PicklesFields):
    """The pairs of samples for one number of clusters; samples are counted from 1."""

    value: Setting
    pairs: Pairs


@dataclass(frozen=True, eq=False)
class PointShares(PicklesFields):
    """The cluster of each point for one number of clusters, and how often it is in its match.

    Codes begin at 0 and are positions in `clusters`, the names.
    """

    value: Setting
    codes: Integers
    clusters: tuple[str, ...]
    shares: Floats


@dataclass(frozen=True, eq=False)
class Labels(PicklesFields):
    """The clusters of one sample, or of all points if the sample is None, by their numbers from 1.

    0 is noise; the points are those in `rows`.
    """

    value: Setting
    sample: int | None
    rows: Integers
    numbers: Integers


@dataclass(frozen=True, eq=False, repr=False)
class StabilityReport(PicklesFields, Reported):
    """How stable each number of clusters is, which one is supported, and which clusters hold.

    `to_frame("curve")` is the curve, and so on for best, supported, clusters, points and pairs.
    """

    command = "stability"

    data: DataFacts
    settings: Sampling
    curve: tuple[CurvePoint, ...]
    best: Best | None
    supported: Supported | SupportedSetting
    clusters: tuple[ClusterStability, ...]
    notes: tuple[Note, ...] = ()
    ids: PythonOnly[tuple[Any, ...]] = ()
    pairs: PythonOnly[tuple[ValuePairs, ...]] = field(default=())
    points: PythonOnly[tuple[PointShares, ...]] = field(default=())
    labels: PythonOnly[tuple[Labels, ...]] = field(default=())
    ties: PythonOnly[tuple[Setting, ...]] = ()
    as_strong: PythonOnly[int] = 0

    def __eq__(self, other: object) -> bool:
        return same(self, other)

    @property
    def inputs(self) -> tuple[Described, ...]:
        """No clusterings were given."""
        return ()

    @property
    def key(self) -> str:
        """What the values that were tried are called: k or setting."""
        return "k" if self.settings.varied == "k" else "setting"

    def to_frame(self, part: Part = "curve") -> Frame:
        """A part of the report: curve, best, supported, clusters, points or pairs."""
        columns, rows = self.table(part)
        return as_frame(columns, rows, columns[0])

    def table(self, part: str) -> tuple[list[str], Iterable[Sequence[Any]]]:
        """The columns and rows of a part of the report."""
        from clustcmp.analyses.stability.tables import TABLES

        return TABLES[part](self)
