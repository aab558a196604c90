"""What `reference` stands for: one clustering, or a list of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from clustcmp.arrays import WHOLE
from clustcmp.model import Clustering
from clustcmp.read import is_path


def list_references(given: Any) -> list[Any]:
    """The references in what was given.

    A list of clusterings is several. A list of texts is several files or names if all texts differ;
    otherwise, and if its entries are numbers, it holds the labels of one clustering. A list of rows
    of degrees is one soft clustering.
    """
    if given is None:
        return []
    if not isinstance(given, list | tuple) or not given:
        return [given]
    if all(map(is_path, given)):
        return list(given) if len(set(map(str, given))) == len(given) else [given]
    if all(map(is_path_or_clustering, given)) and not are_degrees(given):
        return list(given)
    return [given]


def is_path_or_clustering(thing: Any) -> bool:
    """Whether a thing is a clustering or names one, and is not a single label."""
    if is_path(thing) or isinstance(thing, Clustering | list | tuple | Mapping):
        return True
    return getattr(thing, "ndim", 0) > 0


def are_degrees(rows: Sequence[Any]) -> bool:
    """Whether equally long rows of numbers are degrees and not labels.

    Degrees have fractions, or only one degree of each row is 1 and the others are 0.
    """
    if not all(isinstance(row, list | tuple | np.ndarray) for row in rows):
        return False
    try:
        values = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    has_fractions = bool((values != np.round(values)).any())
    return values.ndim == 2 and (
        has_fractions or bool((np.abs(values.sum(axis=1) - 1.0) <= WHOLE).all())
    )
