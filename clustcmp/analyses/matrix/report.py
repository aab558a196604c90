"""What comes out of comparing several clusterings: a matrix of results for each metric."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from clustcmp.analyses.matrix.shapes import (
    ApproximateDict,
    FactsDict,
    InputDict,
    MatrixDict,
    MissingDict,
    RankingDict,
    SquareDict,
)
from clustcmp.arrays import Floats
from clustcmp.model import Described
from clustcmp.notes import Note
from clustcmp.results import Reported, Result
from clustcmp.version import VERSION

if TYPE_CHECKING:
    from clustcmp.results import Frame


@dataclass(frozen=True)
class Matrix:
    """The results of one metric: row i and column j compare clustering j with the reference i.

    With a reference there is one row only. `order` lists the columns from one end of the
    similarities to the other or, with a reference, from the best to the worst; `medoid` is the
    clustering with the best mean value, if the metric says what is better and there are three.
    """

    metric: str
    name: str
    options: Mapping[str, Any]
    worst: float | None
    best: float | None
    higher_is_better: bool | None
    cells: tuple[tuple[Result, ...], ...]
    order: tuple[int, ...]
    medoid: int | None = None
    convention: str = ""
    symmetric: bool = True

    @property
    def values(self) -> Floats:
        """All values; NaN where there is none."""
        return self.numbers("value")

    def numbers(self, name: str) -> Floats:
        """The value of each result, or `low` or `high`; NaN where there is none."""
        found = [[getattr(result, name) for result in row] for row in self.cells]
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
    def facts(self) -> FactsDict:
        """The metric in JSON."""
        return {
            "metric": self.metric,
            "name": self.name,
            "options": dict(self.options),
            "worst": self.worst,
            "best": self.best,
            "higher_is_better": self.higher_is_better,
        }

    @property
    def results(self) -> Iterator[tuple[int, int, Result]]:
        """Each result with its row and its column."""
        for row, results in enumerate(self.cells):
            for column, result in enumerate(results):
                yield row, column, result


@dataclass(frozen=True, repr=False)
class MatrixReport(Reported, Sequence[Matrix]):
    """A matrix for each metric, in the order asked for, and what was compared.

    `report["ari"]` are the values (n, n) in the order of the inputs, NaN where there is none; with
    a reference they are (n,).
    """

    command = "matrix"

    inputs: tuple[Described, ...]
    matrices: tuple[Matrix, ...]
    reference: Described | None = None
    notes: tuple[Note, ...] = ()
    _canonical: Callable[[str], str] = field(default=str, repr=False, compare=False)

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
        return values if self.reference is None else values[0]

    def matrix(self, metric: str) -> Matrix:
        """The matrix of a metric, by its name, an alias, or a name with options."""
        wanted = self._canonical(metric)
        for found in self.matrices:
            if found.metric == wanted:
                return found
        raise KeyError(metric)

    def to_frame(self, metric: str | None = None, number: str = "value") -> Frame:
        """The values of a metric, or of the first one, under the names of the clusterings.

        With `number="low"` or `"high"` it holds the ends of the intervals of approximate values.
        """
        import pandas as pd

        found = self.matrices[0] if metric is None else self.matrix(metric)
        rows = self.names if self.reference is None else [self.reference.name]
        numbers = found.numbers(number)
        return pd.DataFrame(numbers, index=pd.Index(rows), columns=pd.Index(self.names))

    def to_dict(self) -> MatrixDict:
        """The document that `clustcmp matrix -f json` prints."""
        build = self._square_dict if self.reference is None else self._ranking_dict
        return {
            "schema": "clustcmp/matrix/1",
            "version": VERSION,
            "inputs": [input_dict(given) for given in self.inputs],
            "reference": None if self.reference is None else input_dict(self.reference),
            "results": [build(found) for found in self.matrices],
            "notes": list(self.notes),
        }

    def _square_dict(self, found: Matrix) -> SquareDict:
        """Rows and columns in the order of the inputs; where a value is missing, the reason."""
        names = self.names
        missing: list[MissingDict] = []
        approximate: list[ApproximateDict] = []
        for row, column, result in found.results:
            a, b = names[row], names[column]
            if result.value is None:
                reason = result.reason or ""
                missing.append({"a": a, "b": b, "status": result.status, "reason": reason})
            if result.bounds is not None:
                approximate.append({"a": a, "b": b, "bounds": list(result.bounds)})
        return {
            **found.facts,
            "matrix": [[result.value for result in row] for row in found.cells],
            "order": [names[column] for column in found.order],
            "medoid": None if found.medoid is None else names[found.medoid],
            "missing": missing,
            "approximate": approximate,
        }

    def _ranking_dict(self, found: Matrix) -> RankingDict:
        """The clusterings from the closest to the reference to the farthest."""
        return {
            **found.facts,
            "ranking": [
                {
                    "name": self.names[column],
                    "value": result.value,
                    "status": result.status,
                    "reason": result.reason,
                    "bounds": list(result.bounds) if result.bounds else None,
                }
                for column in found.order
                for result in [found.cells[0][column]]
            ],
        }


def input_dict(given: Described) -> InputDict:
    """One of the clusterings in JSON."""
    return {
        "name": given.name,
        "kind": given.kind,
        "points": given.points,
        "clusters": given.clusters,
        "noise": given.noise,
    }
