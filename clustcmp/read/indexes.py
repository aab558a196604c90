"""The indexes of pandas objects: ids that join rows, and whether rows correspond without them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clustcmp.errors import InputError
from clustcmp.model import Texts
from clustcmp.read.address import is_path


class IndexIds:
    """The ids in the indexes of pandas objects; equal indexes give one and the same Texts."""

    def __init__(self) -> None:
        """No index is known yet."""
        self._known: list[tuple[Any, Texts]] = []

    def find(self, index: Any) -> Texts:
        """The ids in an index."""
        for known, ids in self._known:
            # Not `equals`: the indexes [1] and [1.0] are equal, but the ids 1 and 1.0 are not.
            if known.identical(index):
                return ids
        ids = Texts.of(map(str, index.tolist()))
        self._known.append((index, ids))
        return ids


def is_pandas(given: Any) -> bool:
    """Whether an object is a Series or a DataFrame, without importing pandas."""
    return hasattr(given, "iloc")


def rows_correspond(things: Sequence[Any], tables: Sequence[Any], distances: Any = None) -> bool:
    """Whether all clusterings are pandas objects with the same index.

    If so, rows can be compared by position. Coordinates and distances have this index, too, as far
    as they are pandas objects; those in files may have other ids.
    """
    if len(things) < 2 or not all(map(is_pandas, things)):
        return False
    if any(map(is_path, (*tables, distances))):
        return False
    frames = [frame for frame in (*things, *tables, distances) if is_pandas(frame)]
    indexes = [frame.index for frame in frames]
    if is_pandas(distances):
        indexes.append(distances.columns)
    return all(indexes[0].equals(index) for index in indexes[1:])


def unique_ids(indexes: IndexIds, index: Any, name: str) -> Texts:
    """The ids in an index, each of which must be there once."""
    ids = indexes.find(index)
    if twice := ids.duplicate:
        raise InputError(f"{name}: point {ids[twice[0]]!r} is listed twice")
    return ids
