"""Two clusterings ready to be compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, Self

import numpy as np

from clustcmp.arrays import Floats, Integers, is_array, show_type
from clustcmp.errors import InputError
from clustcmp.model.clustering import Clustering
from clustcmp.model.contingency import Contingency, count_table
from clustcmp.model.membership import Counted, Hard
from clustcmp.model.once import ComputesOnce
from clustcmp.notes import Note
from clustcmp.records import AtLeastOne, Count, Key, PythonOnly, Record, Rule, in_json

# Points all weigh 1; or they stand for so many points each; or they have shares of a mass.
Weighting = Literal["none", "counts", "masses"]


@dataclass(frozen=True)
class Described(Record):
    """What every output says about one clustering: a or b, a row of a matrix, a window.

    `points`, `clusters` and `noise` are counted after points were dropped; `file` is None for an
    object. `title` is what the user calls the clustering.
    """

    name: str
    file: str | None
    kind: Annotated[str, Rule(enum=["hard", "soft"])]
    points: AtLeastOne
    clusters: AtLeastOne
    noise: Count
    id: Annotated[str | None, "The column that rows are joined by; null by position."] = None
    coordinates: Annotated[tuple[str, ...], "The columns that say where the points are."] = ()
    dropped_noise: Annotated[Count, "Points of this side that are noise and were dropped."] = 0
    dropped_missing: Annotated[Count, "Points of this side without a label that were dropped."] = 0
    mass: Annotated[float | None, "The sum of the weights; null without weights."] = None
    title: PythonOnly[str | None] = None
    is_counted: PythonOnly[bool] = False

    @property
    @in_json()
    def dimensions(self) -> Count:
        """The number of coordinates."""
        return len(self.coordinates)

    @classmethod
    def of(cls, other: Described, name: str) -> Self:
        """What another description says, under this name."""
        return cls(**{**vars(other), "name": name})


@dataclass(frozen=True)
class Side(Described):
    """One of two clusterings as it was compared."""

    name: Annotated[str, Key("side"), Rule(enum=["a", "b"])]


@dataclass(frozen=True)
class Coverage(Record):
    """Points in both clusterings and in one only, after drops and before an intersection."""

    shared: Count
    only_a: Count
    only_b: Count
    dropped: PythonOnly[int] = 0

    @property
    def share(self) -> float:
        """The share of all points that both clusterings have and that were not dropped."""
        return self.shared / (self.shared + self.only_a + self.only_b + self.dropped)


@dataclass(frozen=True, eq=False)
class Comparison(ComputesOnce):
    """Two clusterings ready to be compared; a is the reference where the order matters.

    Row i of a and row i of b are the same point, unless `difference` says how the points differ.
    Every cluster has points and every point has a cluster. `distances` (n_a, n_b) are between the
    points of a and the points of b, if distances were given instead of coordinates. Row i of a was
    row `rows[0][i]` of `given[0]`, the clustering before alignment; `rows[1]` and `given[1]` say
    the same of b. `budget` is how many seconds an interval may be refined. `unseen` are the rows of
    `given` that were left out because the other side has no such point or no label for it. `span`
    (2, d) are the lowest and the highest coordinates of the whole stream that a and b are windows
    of.
    """

    a: Clustering
    b: Clustering
    sides: tuple[Side, Side]
    coverage: Coverage
    difference: str = ""
    notes: tuple[Note, ...] = ()
    distances: Floats | None = None
    jobs: int = 1
    budget: float | None = None
    given: tuple[Clustering, ...] = ()
    rows: tuple[Integers, ...] = ()
    unseen: tuple[Integers, ...] = ()
    span: Floats | None = None

    def __post_init__(self) -> None:
        sizes = self.a.points.size, self.b.points.size
        if self.same_points and sizes[0] != sizes[1]:
            raise InputError(
                f"a and b have the same points, but a has {sizes[0]} of them and b has {sizes[1]}"
            )
        if self.distances is not None:
            check_distances(self.distances, sizes)
        if self.span is not None:
            check_span(self.span)
        if self.same_points and not same_weights(self.a, self.b):
            raise InputError("the points of a have other weights than the same points of b")
        for side in (self.a, self.b):
            if isinstance(side.membership, Hard) and not side.membership.is_complete:
                raise InputError(f"{side.title} has points without a cluster")

    @property
    def same_points(self) -> bool:
        """Whether row i of a and row i of b are the same point."""
        return not self.difference

    @property
    def is_hard(self) -> bool:
        """Whether both clusterings are hard."""
        return self.a.membership.is_hard and self.b.membership.is_hard

    @property
    def is_counted(self) -> bool:
        """Whether nothing but the contingency is known, and no single point."""
        return isinstance(self.a.membership, Counted)

    @property
    def has_coordinates(self) -> bool:
        """Whether the coordinates of all points of a and of b are known."""
        return all(side.points.coordinates is not None for side in (self.a, self.b))

    @property
    def is_located(self) -> bool:
        """Whether it is known how far the points of a are from those of b."""
        return self.distances is not None or self.has_coordinates

    @cached_property
    def contingency(self) -> Contingency:
        """The mass that each cluster of a shares with each cluster of b."""
        return count_table(self.a.membership, self.b.membership, self.a.points.weights)

    @property
    def weighting(self) -> Weighting:
        """Whether points have weights, and whether these are counts."""
        points = self.a.points, self.b.points
        if all(one.weights is None for one in points):
            return "none"
        return "counts" if all(one.are_counts for one in points) else "masses"

    def with_table(self, table: Contingency) -> Comparison:
        """This comparison, which takes over a contingency that was counted before.

        The table is not a field, so that `dataclasses.replace` leaves it behind.
        """
        for side, masses in ((self.a, table.masses_a), (self.b, table.masses_b)):
            if masses is not side.masses and not np.array_equal(masses, side.masses):
                raise InputError(f"the contingency table was not counted on {side.title}")
        self.__dict__["contingency"] = table
        return self

    @property
    def identical(self) -> bool:
        """Whether both are hard and equal up to the names of their clusters."""
        return self.same_points and self.is_hard and self.contingency.one_to_one

    @cached_property
    def same_coordinates(self) -> bool:
        """Whether each point of a is where the same point of b is."""
        here, there = self.a.points.coordinates, self.b.points.coordinates
        if here is None or there is None:
            return False
        return here is there or np.array_equal(here, there)


def same_weights(a: Clustering, b: Clustering) -> bool:
    """Whether row i of a weighs as much as row i of b."""
    here, there = a.points.weights, b.points.weights
    if here is None or there is None:
        return here is there
    return here is there or np.array_equal(here, there)


def check_distances(distances: Floats, sizes: tuple[int, int]) -> None:
    """Refuse distances that are not one finite number, at least 0, for each two points."""
    if not is_array(distances, 2, np.floating) or distances.shape != sizes:
        raise InputError(
            f"the distances between {sizes[0]} points of a and {sizes[1]} points of b are "
            f"{show_type(distances)}"
        )
    # NaN is not at least 0 either.
    if not distances.min() >= 0.0 or not distances.max() < np.inf:
        raise InputError("a distance is negative or not finite", hint="distances are 0 or more")


def check_span(span: Floats) -> None:
    """Refuse ranges that are not a row of lowest and a row of highest coordinates."""
    if not is_array(span, 2, np.floating) or len(span) != 2:
        raise InputError(f"the range of coordinates has two rows, but this is {show_type(span)}")
    if not np.isfinite(span).all() or (span[0] > span[1]).any():
        raise InputError("the range of coordinates is not finite, or ends before it begins")
