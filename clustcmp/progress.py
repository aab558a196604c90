"""Lets long work say how far it is, without knowing who listens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")

# Called with what is being done, how much of it is done, and how much there is.
Listener = Callable[[str, int, int], None]

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def told_to(listener: Listener) -> Iterator[None]:
    """Within this, the listener is told about progress."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def track(
    items: Iterable[T], what: str, total: int, size: Callable[[T], int] = lambda item: 1
) -> Iterator[T]:
    """The items, while the listener is told about each one that is done and how much it is."""
    listener = _listener.get()
    done = 0
    for item in items:
        yield item
        done += size(item)
        if listener:
            listener(what, done, total)
