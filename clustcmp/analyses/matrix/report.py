"""What comes out of comparing several clusterings: a matrix of results for each metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Self, overload

import numpy as np

from clustcmp.analyses.matrix.order import order_by_value
from clustcmp.arrays import Floats
from clustcmp.model import Described
from clustcmp.notes import Note
from clustcmp.options import Options
from clustcmp.records import (
    Added,
    Asked,
    Count,
    Key,
    Mark,
    PythonOnly,
    Record,
    Rule,
    Text,
    UpToOne,
    in_json,
)
from clustcmp.requests import canonical
from clustcmp.results import VALUE_OR_REASON, Joined, Proven, Result, Spec, Status
from clustcmp.sureness import Interval

if TYPE_CHECKING:
    from clustcmp.results import Frame

CommonEnd = Annotated[float | None, "null where unknown, infinite or not the same for all."]


@dataclass(frozen=True)
class Member(Described):
    """One of the clusterings by itself, without the points that it drops."""

    name: Annotated[str, "NAME of NAME=path, else the file as typed, or the file and the column."]
    file: Annotated[Added[str | None], "The file and the column; null for a Python object."]


@dataclass(frozen=True)
class Missing(Record):
    """Why a value of the matrix is null."""

    a: str
    b: str
    status: Annotated[Status, Rule(enum=["undefined", "not_applicable"])]
    reason: Text


@dataclass(frozen=True)
class Approximate(Record):
    """The proven ends of an approximate value."""

    a: str
    b: str
    interval: Annotated[tuple[float, float], Key("bounds")]


@dataclass(frozen=True)
class Sure(Record):
    """How sure the value of two clusterings is."""

    a: str
    b: str
    interval: Interval


@dataclass(frozen=True)
class Closer(Record):
    """Whether the clustering that is closest to a is closer than another one.

    `difference` is the value of `closest` minus the value of `other`, both compared with a, and
    `low` to `high` is its interval. `decided` says that the interval excludes 0.
    """

    a: str
    closest: str
    other: str
    difference: float | None
    standard_error: float | None
    low: float | None
    high: float | None
    p: Annotated[UpToOne | None, "Of no difference, two-sided."]
    decided: bool
    reason: Annotated[str | None, "Why nothing can be said."] = None


@dataclass(frozen=True)
class Ranked(Record):
    """The value of one clustering compared with a reference."""

    rule = VALUE_OR_REASON

    name: str
    value: float | None
    status: Status
    reason: str | None
    interval: Annotated[Added[Proven], Key("bounds")]
    reference: Annotated[Added[str], "The reference; of several the one with the best value."]
    confidence: Annotated[Asked[Interval | None], Key("interval"), "How sure the value is."] = None


@dataclass(frozen=True)
class Matrix(Record):
    """The results of one metric: row i and column j compare clustering j with the reference i.

    `names` are those of the columns. `order` lists the columns from one end of the similarities to
    the other or, with a reference, from the best to the worst value with the first reference;
    `medoid` is the clustering with the best mean value, if the metric says what is better and there
    are three.
    """

    metric: Spec
    name: str
    options: Options
    worst: CommonEnd
    best: CommonEnd
    higher_is_better: bool | None
    names: PythonOnly[tuple[str, ...]]
    cells: PythonOnly[tuple[tuple[Result, ...], ...]]
    order: PythonOnly[tuple[int, ...]]
    medoid: PythonOnly[int | None] = None
    closer: Annotated[
        Asked[tuple[Closer, ...] | None],
        "For each clustering, or each reference, its closest one against each of the others.",
    ] = None
    convention: PythonOnly[str] = ""
    symmetric: PythonOnly[bool] = True

    @property
    def values(self) -> Floats:
        """All values; NaN where there is none."""
        return self.numbers("value")

    def numbers(self, name: str) -> Floats:
        """The value of each result, or `low` or `high`; NaN where there is none.

        `interval_low`, `interval_high` and `interval_standard_error` say how sure the values are.
        """
        found = [[number_of(result, name) for result in row] for row in self.cells]
        return np.array(found, dtype=np.float64)

    @property
    def mean_to_others(self) -> float | None:
        """The mean of the values between the medoid and the others, in both directions."""
        if self.medoid is None:
            return None
        values, one = self.values, self.medoid
        both = np.concatenate([np.delete(values[one], one), np.delete(values[:, one], one)])
        known = both[~np.isnan(both)]
        return float(known.mean()) if len(known) else None

    @property
    def results(self) -> Iterator[tuple[int, int, Result]]:
        """Each result with its row and its column."""
        for row, results in enumerate(self.cells):
            for column, result in enumerate(results):
                yield row, column, result


def number_of(result: Result, name: str) -> float | None:
    """One of the numbers of a result, or of its interval; None where there is none."""
    if name.startswith("interval_"):
        found: float | None = getattr(result.interval, name.removeprefix("interval_"), None)
        return found
    number: float | None = getattr(result, name)
    return number


class SquareMatrix(Matrix):
    """All clusterings compared with each other."""

    @property
    @in_json(Key("matrix"), Rule(minItems=2))
    def rows(self) -> tuple[Annotated[tuple[float | None, ...], Rule(minItems=2)], ...]:
        """Row i, column j: 'clustcmp compare' of inputs i and j, in the order of the inputs."""
        return tuple(tuple(result.value for result in row) for row in self.cells)

    @property
    @in_json(Key("order"), Rule(minItems=2, uniqueItems=True))
    def ordered(self) -> tuple[str, ...]:
        """The names in an order in which similar clusterings are neighbours."""
        return tuple(self.names[column] for column in self.order)

    @property
    @in_json(Key("medoid"))
    def representative(self) -> str | None:
        """The clustering with the best mean value to the others; none with fewer than three."""
        return None if self.medoid is None else self.names[self.medoid]

    @property
    @in_json()
    def missing(self) -> tuple[Missing, ...]:
        """The comparisons without a value."""
        return tuple(
            Missing(self.names[row], self.names[column], result.status, result.reason or "")
            for row, column, result in self.results
            if result.value is None
        )

    @property
    @in_json(Mark.added)
    def approximate(self) -> tuple[Approximate, ...]:
        """The comparisons with an approximate value."""
        return tuple(
            Approximate(self.names[row], self.names[column], result.proven)
            for row, column, result in self.results
            if result.proven is not None
        )

    @property
    @in_json(Mark.asked)
    def intervals(self) -> tuple[Sure, ...] | None:
        """How sure the values of different clusterings are."""
        found = tuple(
            Sure(self.names[row], self.names[column], result.interval)
            for row, column, result in self.results
            if result.interval is not None
        )
        return found or None


@dataclass(frozen=True)
class ReferenceMatrix(Matrix):
    """All clusterings compared with the references.

    There is a row for each reference, or one row with the best value of each clustering over all of
    them; `compared_with` (the same shape) names the reference of each value.
    """

    compared_with: PythonOnly[tuple[tuple[str, ...], ...]] = ()

    @property
    @in_json(Rule(minItems=1))
    def ranking(self) -> tuple[Ranked, ...]:
        """From the best value to the worst, then those without a value."""
        pairs = [(row, column) for row, column, _ in self.results]
        results = [self.cells[row][column] for row, column in pairs]
        order = order_by_value(results, self.higher_is_better)
        return tuple(self.ranked(*pairs[position]) for position in order)

    def numbers(self, name: str) -> Any:
        """The value of each result, or `low`, `high`, or the name of its `reference`."""
        if name == "reference":
            return np.array(self.compared_with, dtype=object)
        return super().numbers(name)

    def ranked(self, row: int, column: int) -> Ranked:
        """One value."""
        one, reference = self.cells[row][column], self.compared_with[row][column]
        name = self.names[column]
        known = one.value, one.status, one.reason, one.proven
        return Ranked(name, *known, reference, one.interval)


@dataclass(frozen=True, repr=False)
class MatrixReport(Joined, Sequence[Matrix]):
    """A matrix for each metric, in the order asked for, and what was compared.

    `report["ari"]` are the values (n, n) in the order of the inputs, NaN where there is none. With
    a reference, or the best over several, they are (n,); with several references (r, n). `order`
    are the inputs in the order of the metric that they are sorted by.
    """

    command = "matrix"
    # With a reference there are rankings and nothing else, without one squares of at least two.
    rule = Rule(
        {
            "if": {"properties": {"reference": {"type": "null"}}},
            "then": {
                "properties": {
                    "inputs": {"minItems": 2},
                    "results": {"items": {"$ref": "#/$defs/SquareMatrix"}},
                }
            },
            "else": {"properties": {"results": {"items": {"$ref": "#/$defs/ReferenceMatrix"}}}},
        }
    )

    inputs: Annotated[tuple[Member, ...], Rule(minItems=1)]
    matrices: Annotated[
        tuple[SquareMatrix | ReferenceMatrix, ...], Key("results"), Rule(minItems=1)
    ]
    references: Added[tuple[Member, ...]] = ()
    notes: tuple[Note, ...] = ()
    sorted_by: Annotated[Added[str | None], "The metric that the table of references follows."] = (
        None
    )
    order: PythonOnly[tuple[int, ...]] = ()
    seed: Annotated[Asked[Count | None], "The seed of what intervals have drawn."] = None

    @property
    @in_json()
    def reference(self) -> Member | None:
        """The first reference; null if all clusterings are compared with each other."""
        return self.references[0] if self.references else None

    def sorted(self, metric: str | None) -> Self:
        """The report with its clusterings in the order of a metric, or of the first one.

        A metric that does not say what is better has the highest values first, if it is named.
        """
        found = self.matrices[0] if metric is None else self.matrix(metric)
        order = found.order
        if metric is not None and found.higher_is_better is None:
            order = order_by_value(found.cells[0], higher_is_better=True)
        return replace(self, sorted_by=found.metric, order=order)

    @property
    def names(self) -> list[str]:
        """The names of the clusterings."""
        return [given.name for given in self.inputs]

    def __len__(self) -> int:
        return len(self.matrices)

    def __iter__(self) -> Iterator[Matrix]:
        return iter(self.matrices)

    @overload
    def __getitem__(self, key: str) -> Floats: ...
    @overload
    def __getitem__(self, key: int) -> Matrix: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Matrix, ...]: ...

    def __getitem__(self, key: str | int | slice) -> Any:
        if not isinstance(key, str):
            return self.matrices[key]
        values = self.matrix(key).values
        return values[0] if self.references and len(values) == 1 else values

    def matrix(self, metric: str) -> Matrix:
        """The matrix of a metric, by its name, an alias, or a name with options."""
        wanted = canonical(metric)
        for found in self.matrices:
            if found.metric == wanted:
                return found
        raise KeyError(metric)

    def to_frame(self, metric: str | None = None, number: str = "value") -> Frame:
        """The values of a metric, or of all metrics, under the names of the clusterings.

        Rows and columns are the clusterings; of several metrics the columns have two levels, so
        that `frame["nmi"]` is the square of one. With a reference there is a row for each
        clustering, in the order of the table, and a column for each metric; with several the
        columns have two levels, so that `frame["nmi"]` has a column for each reference. With
        `number="low"` or `"high"` the frame holds the ends of the intervals of approximate values,
        with `"reference"` the names of the references that the values belong to, with
        `"interval_low"`, `"interval_high"` or `"interval_standard_error"` how sure the values are.
        """
        import pandas as pd

        found = self.matrices if metric is None else (self.matrix(metric),)
        names, metrics = pd.Index(self.names), pd.Index([one.metric for one in found])
        numbers = [one.numbers(number) for one in found]
        if self.references:
            columns = metrics.rename("metric")
            if len(numbers[0]) > 1:
                levels = [metrics, pd.Index([one.name for one in self.references])]
                columns = pd.MultiIndex.from_product(levels, names=["metric", "reference"])
            rows = list(self.order)
            return pd.DataFrame(np.vstack(numbers).T[rows], names[rows], columns)
        if len(found) == 1:
            return pd.DataFrame(numbers[0], names, names)
        columns = pd.MultiIndex.from_product([metrics, names], names=["metric", None])
        return pd.DataFrame(np.hstack(numbers), names, columns)
