"""Sparse matrices of scipy: memberships of which most are zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from clustcmp.arrays import Codes, Floats
from clustcmp.errors import InputError
from clustcmp.memory import check_fits


def is_sparse(given: Any) -> bool:
    """Whether an object is a sparse matrix or array, without importing scipy."""
    return hasattr(given, "tocsr") and hasattr(given, "nnz")


def as_labels_of_sparse(given: Any) -> tuple[Codes, int] | None:
    """The column of each row and the number of columns, if each row is a single 1, else None.

    A million small clusters fit in memory as labels, but not as a row of a million degrees for
    each point.
    """
    rows = given.tocsr()
    is_single = len(rows.indptr) > 1 and bool((np.diff(rows.indptr) == 1).all())
    if not is_single or not (rows.data == 1).all():
        return None
    return rows.indices.astype(np.int32), int(rows.shape[1])


def as_dense(given: Any, name: str) -> Floats:
    """All degrees, those that are zero, too."""
    if len(given.shape) != 2 or given.dtype.kind not in "biuf":
        what = f"a sparse array of {given.dtype} with the shape {given.shape}"
        raise InputError(f"{name}: {what} is not a clustering", hint="give a row for each point")
    check_fits(
        8.0 * given.shape[0] * given.shape[1] * 3,
        f"{name}: memberships of {given.shape[0]:,} points in {given.shape[1]:,} clusters",
        "compare fewer points or clusters, or give each point the label of its strongest cluster",
    )
    dense: Floats = given.toarray()
    return dense
