"""One side of a comparison as columns: what moved points and relabelled clusterings are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Integers, Masses
from clustcmp.errors import UsageError
from clustcmp.model import Clustering, Comparison, Origin
from clustcmp.model.texts import Texts
from clustcmp.records import Label

if TYPE_CHECKING:
    import pandas as pd

# What pandas calls objects that are numbers.
NUMERIC = {"integer", "floating", "boolean"}


class SideColumns(NamedTuple):
    """The points of a clustering as they were compared, and as they were given.

    `names` and `masses` are those of the compared clusters, by their codes. `membership` holds the
    codes (n,) of the compared points or, if the side is soft, their degrees (n, k). The points that
    both sides have come first, in the same order on both sides. Point i was row `rows[i]` of the
    codes or degrees in `given`, for clusters that are called `given_names`; `ids` are the ids of
    all rows that were given, if there are ids. `origin` knows what labels and ids were in Python.
    """

    names: Texts
    masses: Masses
    membership: npt.NDArray[Any]
    rows: Integers
    given: npt.NDArray[Any]
    given_names: Texts
    ids: Texts | None
    origin: Origin | None = None

    @property
    def is_counted(self) -> bool:
        """Whether only the sizes of the clusters are known, and no single point."""
        return len(self.membership) == 0

    @property
    def given_is_hard(self) -> bool:
        """Whether one cluster was given for each point, and not degrees."""
        return self.given.ndim == 1

    @property
    def index(self) -> Any:
        """The ids of all rows as Python gave them, or None."""
        return None if self.origin is None else self.origin.index

    def label(self, code: int) -> Label:
        """The label of a compared cluster, of the type that it had in Python."""
        return give_back(self.origin, self.names[code])

    def labels(self, codes: Integers | None = None) -> list[Label]:
        """The labels of some compared clusters or of all, of the types that they had in Python."""
        names = self.names if codes is None else self.names.take(codes)
        return [give_back(self.origin, name) for name in names.tolist()]


def both_sides(comparison: Comparison) -> tuple[SideColumns, SideColumns]:
    """The columns of the two sides of a comparison; nothing is copied."""
    if comparison.is_counted:
        return counted_side(comparison.a), counted_side(comparison.b)
    sides = zip((comparison.a, comparison.b), comparison.rows, comparison.given, strict=True)
    a, b = (
        SideColumns(
            clustering.names,
            clustering.masses,
            clustering.membership.array,
            rows,
            given.membership.array,
            given.names,
            given.points.ids,
            given.origin,
        )
        for clustering, rows, given in sides
    )
    return a, b


def counted_side(clustering: Clustering) -> SideColumns:
    """The columns of a side of which only the sizes of the clusters are known."""
    names, masses, nothing = clustering.names, clustering.masses, np.empty(0, dtype=np.int64)
    return SideColumns(names, masses, nothing, nothing, nothing, names, None)


def check_points_known(side: SideColumns) -> None:
    """Refuse to list points where only counts were given."""
    if side.is_counted:
        raise UsageError(
            "a table of counts does not say which points moved, or which cluster each is in",
            hint="give the clusterings themselves",
        )


def give_back(origin: Origin | None, name: str) -> Label:
    """A label of the type that it had in Python; a label of a file is a text."""
    return name if origin is None else origin.label(name)


def as_column(labels: Sequence[Any] | npt.NDArray[Any], index: Any = None) -> pd.Series[Any]:
    """Labels as a column of a data frame: of numbers if all of them are, else of objects."""
    import pandas as pd

    values = np.empty(len(labels), dtype=object)
    values[:] = labels
    column = pd.Series(values, index=index, dtype=object)
    is_numeric = pd.api.types.infer_dtype(values, skipna=False) in NUMERIC
    return column.infer_objects() if is_numeric else column


def strongest(membership: npt.NDArray[Any]) -> Integers:
    """For each point its code, or the code of its highest degree."""
    if membership.ndim == 1:
        return membership.astype(np.int64)
    return np.asarray(membership.argmax(axis=1), dtype=np.int64)
