"""Progress: long-running code says how far it is; `told_to` sets the listener that hears it.

The listener also hears which stage of the work begins, so that a command can say how long reading
and comparing took although both are one call of the library.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from itertools import pairwise
from typing import Protocol, TypeVar

from clustcmp.errors import plural
from clustcmp.within import Within

T = TypeVar("T")


class Listener(Protocol):
    """Hears about the progress of the work; called from the thread that called `told_to`."""

    def stage(self, name: str) -> None:
        """A stage begins, such as "read" or "compare"; the stage before it is over."""

    def __call__(self, what: str, done: int, total: int) -> None:
        """`done` of `total` steps of the work named `what` are finished."""

    def expect(self, what: str, seconds: float) -> None:
        """The work named `what` begins and will take long: about so many seconds."""

    def explain(self, text: str) -> None:
        """What only those want to know who ask for more than the result."""

    def remark(self, note: str) -> None:
        """Something about how the work is done that a user should know."""


class Silence:
    """The listener that does nothing."""

    def stage(self, name: str) -> None:
        """Ignore that a stage begins."""

    def __call__(self, what: str, done: int, total: int) -> None:
        """Ignore how much is done."""

    def expect(self, what: str, seconds: float) -> None:
        """Ignore how long the work will take."""

    def explain(self, text: str) -> None:
        """Ignore what only few want to know."""

    def remark(self, note: str) -> None:
        """Ignore how the work is done."""


class Log(Silence):
    """The listener of Python programs: long work is a warning in the log of clustcmp.

    Unless a program decides otherwise, Python shows such warnings on stderr.
    """

    def expect(self, what: str, seconds: float) -> None:
        """Log how long the work will take."""
        self.remark(show_expectation(what, seconds))

    def remark(self, note: str) -> None:
        """Log how the work is done."""
        # Importing logging takes 7 ms, and most runs are short.
        import logging

        logging.getLogger("clustcmp").warning(note)


class Stopwatch(Silence):
    """A listener that measures how long each stage takes."""

    def __init__(self) -> None:
        self._starts: list[tuple[str, float]] = []

    def stage(self, name: str) -> None:
        """Note the time at which a stage begins."""
        self._starts.append((name, time.perf_counter()))

    @property
    def seconds(self) -> dict[str, float]:
        """How many seconds each stage has taken so far, in the order of their first beginnings."""
        seconds: dict[str, float] = {}
        for (name, start), (_, end) in pairwise([*self._starts, ("now", time.perf_counter())]):
            seconds[name] = seconds.get(name, 0.0) + end - start
        return seconds


SILENCE = Silence()
LOG = Log()

# Work that takes at least so many seconds is announced.
LONG = 60.0

_listener: ContextVar[Listener] = ContextVar("listener", default=LOG)


def told_to(listener: Listener) -> Within[Listener]:
    """A block in which the listener is told about progress."""
    return Within(_listener, listener)


def begin(stage: str) -> None:
    """Tell the listener that a stage of the work begins, such as "read" or "compare"."""
    _listener.get().stage(stage)


def remark(note: str) -> None:
    """Tell the listener something about how the work is done."""
    _listener.get().remark(note)


def announce(
    items: Iterable[T], what: str, total: int, size: Callable[[T], int] = lambda item: 1
) -> Iterator[T]:
    """The items; the listener is told after each item how much of the total is done."""
    listener = _listener.get()
    done = 0
    for item in items:
        yield item
        done += size(item)
        listener(what, done, total)


def foretell(what: str, sample: Callable[[], object], times: float) -> None:
    """Tell the listener how long the work will take, if long: `times` as long as the sample.

    The first run of the sample may import libraries, the second one is measured.
    """
    with told_to(SILENCE):
        sample()
        began = time.perf_counter()
        sample()
        seconds = (time.perf_counter() - began) * times
    if seconds >= LONG:
        _listener.get().expect(what, seconds)


def explain(text: str) -> None:
    """Tell the listener what only those want to know who ask for more than the result."""
    _listener.get().explain(text)


def show_expectation(what: str, seconds: float) -> str:
    """How long work will take, in a sentence."""
    return f"{what} will take about {show_duration(seconds)}"


def show_duration(seconds: float) -> str:
    """About so much time: 3 seconds, 5 minutes, 2 hours."""
    if seconds < LONG:
        return plural(max(round(seconds), 1), "second")
    minutes = round(seconds / 60.0)
    return plural(minutes, "minute") if minutes < 120 else plural(round(minutes / 60), "hour")
