"""Columns of a report on changes: what moved points and relabelled clusterings are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Integers
from clustcmp.errors import UsageError
from clustcmp.model.columns import SideColumns

if TYPE_CHECKING:
    import pandas as pd

# What pandas calls objects that are numbers.
NUMERIC = {"integer", "floating", "boolean"}


def check_points_known(side: SideColumns) -> None:
    """Refuse to list points where only counts were given."""
    if side.is_counted:
        raise UsageError(
            "a table of counts does not say which points moved, or which cluster each is in",
            hint="give the clusterings themselves",
        )


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
