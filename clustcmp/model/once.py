"""A memory of values that are computed at most once for an object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

T = TypeVar("T")


class PicklesFields:
    """A dataclass that is pickled without its cached properties, which are computed again."""

    def __getstate__(self) -> dict[str, Any]:
        """The fields, by their names."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]


class ComputesOnce(PicklesFields):
    """An object that remembers what functions returned for it.

    The memory is not a field, so `dataclasses.replace` returns an object with an empty memory.
    """

    def once(self, compute: Callable[..., T], *arguments: Any) -> T:
        """What `compute` returns for this object; only the first call computes it."""
        # What functions returned, by function and arguments; a cached_property would take a lock.
        memory: dict[Any, Any] = self.__dict__.setdefault("_computed", {})
        key = compute, arguments
        if key not in memory:
            memory[key] = compute(self, *arguments)
        result: T = memory[key]
        return result
