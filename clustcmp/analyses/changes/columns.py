"""One side of a comparison as columns: what moved points and relabelled clusterings are made of."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Integers, Masses
from clustcmp.model import Comparison
from clustcmp.model.texts import Texts


class SideColumns(NamedTuple):
    """The points of a clustering as they were compared, and as they were given.

    `names` and `masses` are those of the compared clusters, by their codes. `membership` holds the
    codes (n,) of the compared points or, if the side is soft, their degrees (n, k). The points that
    both sides have come first, in the same order on both sides. Point i was row `rows[i]` of the
    codes or degrees in `given`, for clusters that are called `given_names`; `ids` are the ids of
    all rows that were given, if there are ids.
    """

    names: Texts
    masses: Masses
    membership: npt.NDArray[Any]
    rows: Integers
    given: npt.NDArray[Any]
    given_names: Texts
    ids: Texts | None

    @property
    def given_is_hard(self) -> bool:
        """Whether one cluster was given for each point, and not degrees."""
        return self.given.ndim == 1


def both_sides(comparison: Comparison) -> tuple[SideColumns, SideColumns]:
    """The columns of the two sides of a comparison; nothing is copied."""
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
        )
        for clustering, rows, given in sides
    )
    return a, b


def strongest(membership: npt.NDArray[Any]) -> Integers:
    """For each point its code, or the code of its highest degree."""
    if membership.ndim == 1:
        return membership.astype(np.int64)
    return np.asarray(membership.argmax(axis=1), dtype=np.int64)
