"""The clusters, or the points, of two clusterings, the worst first, as plain data."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Self

from clustcmp.arrays import Floats, Integers, same
from clustcmp.model import Coverage, Origin, Side, Texts
from clustcmp.model.once import PicklesFields
from clustcmp.notes import Note
from clustcmp.records import AtLeastOne, Label, PythonOnly, Record, Rule, in_json
from clustcmp.results import Joined, as_frame

if TYPE_CHECKING:
    from clustcmp.results import Frame

Values = Annotated[
    Mapping[str, float | None], "The measures by name; null where a measure has no value."
]


@dataclass(frozen=True)
class ClusterParts(Record):
    """One cluster, and how well the other side keeps it."""

    side: Annotated[str, Rule(enum=["a", "b"])]
    cluster: Label
    size: AtLeastOne
    values: Values


@dataclass(frozen=True)
class PointParts(Record):
    """One point, its two clusters, and how alike they are."""

    id: Annotated[Label, "The id or, without ids, the number of the row from 1 on."]
    a: Label
    b: Label
    values: Values


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Parts(PicklesFields, Joined):
    """What was compared, and a column for each measure; the worst row by the first measure first.

    `names` are the names of the clusters of a and of b, `origins` know what these were in Python.
    """

    document = "parts"

    inputs: tuple[Side, Side]
    coverage: Coverage
    measures: tuple[str, ...]
    columns: PythonOnly[Mapping[str, Floats]]
    names: PythonOnly[tuple[Texts, Texts]]
    origins: PythonOnly[tuple[Origin | None, Origin | None]] = (None, None)
    notes: tuple[Note, ...] = ()

    def __eq__(self, other: object) -> bool:
        return same(self, other)

    @abstractmethod
    def __len__(self) -> int:
        """How many clusters or points there are."""

    @property
    @abstractmethod
    def heads(self) -> tuple[str, ...]:
        """What the entries of a row before the measures are."""

    @abstractmethod
    def head(self, row: int) -> tuple[Any, ...]:
        """The entries of a row before the measures."""

    def label(self, side: int, code: int) -> Label:
        """The label of a cluster of a (0) or of b (1), of the type that it had in Python."""
        name, origin = self.names[side][code], self.origins[side]
        return name if origin is None else origin.label(name)

    def values(self, row: int) -> dict[str, float | None]:
        """The measures of a row by name."""
        found = ((name, float(self.columns[name][row])) for name in self.measures)
        return {name: None if math.isnan(value) else value for name, value in found}

    def rows(self, top: int | None = None) -> Iterator[tuple[Any, ...]]:
        """The first rows, or all."""
        for row in range(len(self) if top is None else min(top, len(self))):
            yield (*self.head(row), *self.values(row).values())

    def entries(self) -> Iterator[tuple[Any, Any]]:
        """All rows: the entries before the measures, and the measures by name."""
        for row in range(len(self)):
            yield self.head(row), self.values(row)

    def in_texts(self) -> Self:
        """The same report with all labels as texts, as commands show it."""
        return replace(self, origins=(None, None))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ClusterReport(Parts):
    """How well the other side keeps each cluster of a and of b, the worst first.

    Row i is cluster `codes[i]` of a if `sides[i]` is 0, of b if that is 1, with `sizes[i]` points.
    """

    command = "clusters"
    heads = ("side", "cluster", "size")

    sides: PythonOnly[Integers]
    codes: PythonOnly[Integers]
    sizes: PythonOnly[Integers]

    def __len__(self) -> int:
        return len(self.codes)

    def head(self, row: int) -> tuple[Any, ...]:
        side = int(self.sides[row])
        return "ab"[side], self.label(side, int(self.codes[row])), int(self.sizes[row])

    @cached_property
    @in_json()
    def clusters(self) -> tuple[ClusterParts, ...]:
        """The clusters of both sides, the worst first."""
        return tuple(ClusterParts(*(*row, values)) for row, values in self.entries())

    def to_frame(self) -> Frame:
        """A row for each cluster, indexed by side and cluster, the worst first."""
        return as_frame((*self.heads, *self.measures), self.rows(), "side", "cluster")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PointReport(Parts):
    """How alike the clusters of each point in a and in b are, the worst first.

    Row i is point `ids[i]`, in cluster `codes[0][i]` of a and `codes[1][i]` of b. `index` are the
    ids as Python gave them, if it did.
    """

    command = "points"
    heads = ("id", "a", "b")

    ids: PythonOnly[Texts]
    codes: PythonOnly[tuple[Integers, Integers]]
    index: PythonOnly[tuple[Any, ...] | None] = None

    def __len__(self) -> int:
        return len(self.ids)

    def head(self, row: int) -> tuple[Any, ...]:
        point = self.ids[row] if self.index is None else self.index[row]
        return point, *(self.label(side, int(self.codes[side][row])) for side in (0, 1))

    @cached_property
    @in_json()
    def points(self) -> tuple[PointParts, ...]:
        """The points, the worst first."""
        return tuple(PointParts(*(*row, values)) for row, values in self.entries())

    def to_frame(self) -> Frame:
        """A row for each point, indexed by its id, the worst first."""
        return as_frame((*self.heads, *self.measures), self.rows(), "id")

    def in_texts(self) -> Self:
        """The same report with all labels and ids as texts, as commands show it."""
        return replace(super().in_texts(), index=None)
