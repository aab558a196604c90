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


def track(items: Iterable[T], what: str, total: int) -> Iterator[T]:
    """The items, while the listener is told about each one that is done."""
    listener = _listener.get()
    for done, item in enumerate(items, 1):
        yield item
        if listener:
            listener(what, done, total)
