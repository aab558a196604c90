"""What comes out of comparing several clusterings: a matrix of values for each metric."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from clustcmp.results import Status

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Input:
    """What is said about one of the clusterings in every output."""

    name: str
    kind: str
    points: int
    clusters: int
    noise: int


@dataclass(frozen=True)
class Cell:
    """The value for two clusterings, or the reason why there is none."""

    value: float | None
    status: Status = Status.ok
    reason: str | None = None


@dataclass(frozen=True)
class Matrix:
    """The cells of one metric: row i and column j compare clustering j with the reference i.

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
    cells: tuple[tuple[Cell, ...], ...]
    order: tuple[int, ...]
    medoid: int | None = None

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """All values; NaN where there is none."""
        return np.array(
            [[np.nan if cell.value is None else cell.value for cell in row] for row in self.cells]
        )


@dataclass(frozen=True)
class MatrixReport(Sequence[Matrix]):
    """A matrix for each metric, in the order asked for, and what was compared.

    `report["ari"]` are the values (n, n) in the order of the inputs, NaN where there is none; with
    a reference they are (n,).
    """

    inputs: tuple[Input, ...]
    matrices: tuple[Matrix, ...]
    reference: Input | None = None
    notes: tuple[str, ...] = ()
    _canonical: Callable[[str], str] = field(default=str, repr=False, compare=False)

    @property
    def names(self) -> list[str]:
        """The names of the clusterings."""
        return [given.name for given in self.inputs]

    def __len__(self) -> int:
        return len(self.matrices)

    def __iter__(self) -> Iterator[Matrix]:
        return iter(self.matrices)

    def __getitem__(self, key: Any) -> Any:
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

    def to_frame(self, metric: str | None = None) -> pd.DataFrame:
        """The values of a metric, or of the first one, under the names of the clusterings."""
        import pandas as pd

        found = self.matrices[0] if metric is None else self.matrix(metric)
        rows = self.names if self.reference is None else [self.reference.name]
        return pd.DataFrame(found.values, index=pd.Index(rows), columns=pd.Index(self.names))
