"""The nouns: a point set, a clustering of it, a comparison of two, and what comes out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from clustcmp.contingency import Contingency, Degrees, Masses, Membership, count_hard, sum_soft
from clustcmp.errors import InputError
from clustcmp.texts import Integers, Texts

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")
Coordinates = npt.NDArray[np.float64]

# What stands in the place of a cluster's code until align has decided about such points.
NOISE = -1
MISSING = -2


@dataclass(frozen=True, eq=False)
class PointSet:
    """Points in a fixed order, named by their ids or, without ids, by their position alone.

    `coordinates` (n, d) say where the points are, if that is known.
    """

    size: int
    ids: Texts | None = None
    coordinates: Coordinates | None = None

    def __post_init__(self) -> None:
        if self.coordinates is not None and len(self.coordinates) != self.size:
            raise InputError(f"{len(self.coordinates)} rows of coordinates for {self.size} points")
        if self.ids is None:
            return
        if len(self.ids) != self.size:
            raise InputError(f"there are {len(self.ids)} ids for {self.size} points")
        if twice := self.ids.duplicate():
            raise InputError(
                f"point {self.ids[twice[0]]!r} is listed twice, at positions "
                f"{twice[0] + 1} and {twice[1] + 1}",
                hint="give each point one id of its own",
            )


@dataclass(frozen=True, eq=False)
class Clustering:
    """A point set and the membership of its points.

    Hard: `membership` holds a code (n,) for each point, below the number of names, or NOISE or
    MISSING. Soft: it holds degrees (n, k) that are positive or 0 and sum to 1 in each row.
    """

    points: PointSet
    membership: Membership
    names: Texts
    source: str | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.membership) != self.points.size:
            raise InputError(
                f"there are {len(self.membership)} memberships for {self.points.size} points"
            )
        if self.points.size == 0:
            raise InputError(f"{self.title} has no points")

    @property
    def title(self) -> str:
        """What to call it in messages."""
        return "stdin" if self.source == "-" else self.source or "the clustering"

    @property
    def is_hard(self) -> bool:
        """Whether every point is in one cluster only."""
        return self.membership.ndim == 1

    @property
    def n_clusters(self) -> int:
        """The number of clusters, whether they have points or not."""
        return len(self.names)

    @property
    def n_noise(self) -> int:
        """The number of points marked as noise."""
        return int(np.count_nonzero(self.membership == NOISE)) if self.is_hard else 0

    @cached_property
    def masses(self) -> Masses:
        """The sum of degrees of each cluster: its number of points if hard."""
        if self.is_hard:
            return np.asarray(np.bincount(self.membership, minlength=self.n_clusters))
        return np.asarray(self.membership.sum(axis=0))


def harden(degrees: Degrees) -> Membership:
    """Codes instead of degrees if every point is in one cluster within 1e-6."""
    if (degrees.max(axis=1) >= 1.0 - 1e-6).all():
        return np.asarray(degrees.argmax(axis=1), dtype=np.int32)
    return degrees


@dataclass(frozen=True)
class Coverage:
    """How many points both clusterings have, only one has, and how many were dropped before."""

    shared: int
    only_a: int
    only_b: int
    dropped: int = 0

    @property
    def share(self) -> float:
        """The share of all points that both clusterings have and that were not dropped."""
        return self.shared / (self.shared + self.only_a + self.only_b + self.dropped)


@dataclass(frozen=True)
class Side:
    """What is said about one of the two clusterings in every output."""

    side: str
    file: str | None
    kind: str
    points: int
    clusters: int
    noise: int


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two clusterings ready to be compared; a is the reference where the order matters.

    Row i of a and row i of b are the same point, unless `difference` says how the points differ.
    Every cluster has points and every point has a cluster. `distances` (n_a, n_b) are those between
    the points of a and of b, if they were given instead of coordinates. Row i of a was row
    `rows[0][i]` of the clustering that was given, and likewise for b. `span` (2, d) are the lowest
    and the highest coordinates of a whole stream that a and b are windows of.
    """

    a: Clustering
    b: Clustering
    sides: tuple[Side, Side]
    coverage: Coverage
    difference: str = ""
    notes: tuple[str, ...] = ()
    distances: Coordinates | None = None
    jobs: int = 1
    given: tuple[Clustering, ...] = ()
    rows: tuple[Integers, ...] = ()
    span: Coordinates | None = None
    _computed: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def same_points(self) -> bool:
        """Whether row i of a and row i of b are the same point."""
        return not self.difference

    @property
    def is_hard(self) -> bool:
        """Whether both clusterings are hard."""
        return self.a.is_hard and self.b.is_hard

    @cached_property
    def contingency(self) -> Contingency:
        """The mass that each cluster of a shares with each cluster of b."""
        build = count_hard if self.is_hard else sum_soft
        return build(self.a.membership, self.a.masses, self.b.membership, self.b.masses)

    @cached_property
    def identical(self) -> bool:
        """Whether both are hard and equal up to the names of their clusters."""
        return self.same_points and self.is_hard and self.contingency.one_to_one

    @cached_property
    def same_places(self) -> bool:
        """Whether each point of a is where the same point of b is."""
        here, there = self.a.points.coordinates, self.b.points.coordinates
        if here is None or there is None:
            return False
        return here is there or np.array_equal(here, there)

    def once(self, compute: Callable[..., T], *arguments: Any) -> T:
        """What `compute` returns for this comparison; computed at the first call only."""
        key = (compute, arguments)
        if key not in self._computed:
            self._computed[key] = compute(self, *arguments)
        result: T = self._computed[key]
        return result


class Status(StrEnum):
    """What became of a metric: a value, no value for this input, or the wrong input for it."""

    ok = "ok"
    undefined = "undefined"
    not_applicable = "not_applicable"


@dataclass(frozen=True)
class Result:
    """The value of one metric, or the reason why it has none.

    `metric` is the canonical way to ask for it again; `worst` and `best` are None where unknown
    or infinite; `bounds` is only there when the value is approximate.
    """

    metric: str
    name: str
    family: str
    options: Mapping[str, Any]
    value: float | None
    status: Status
    reason: str | None
    worst: float | None
    best: float | None
    side: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    bounds: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if (self.value is None) != (self.status is not Status.ok):
            raise ValueError(f"{self.metric}: a value goes with ok, and with nothing else")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"{self.metric}: {self.value} is no value")


@dataclass(frozen=True)
class Report(Sequence[Result]):
    """All results of one comparison, in the order asked for, with what was compared.

    `report["ari"]` is the value of a metric; iterating gives the results.
    """

    inputs: tuple[Side, Side]
    coverage: Coverage
    results: tuple[Result, ...]
    notes: tuple[str, ...] = ()
    _canonical: Callable[[str], str] = field(default=str, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __contains__(self, metric: object) -> bool:
        if isinstance(metric, str):
            return any(result.metric == self._canonical(metric) for result in self.results)
        return metric in self.results

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return self.results[key]
        return self.result(key).value

    def result(self, metric: str) -> Result:
        """The result of a metric, by its name, an alias, or a name with options."""
        for result in self.results_of(metric):
            return result
        raise KeyError(metric)

    def results_of(self, metric: str) -> tuple[Result, ...]:
        """All results of a metric: one, or one of each side, or none."""
        wanted = self._canonical(metric)
        return tuple(result for result in self.results if result.metric == wanted)

    def to_frame(self) -> pd.DataFrame:
        """One row for each result, as a pandas data frame indexed by metric."""
        import pandas as pd

        columns = ["value", "status", "reason", "worst", "best", "side"]
        rows = [[getattr(result, column) for column in columns] for result in self.results]
        index = pd.Index([result.metric for result in self.results], name="metric")
        return pd.DataFrame(rows, index=index, columns=columns)
