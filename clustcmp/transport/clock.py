"""The time that refining an interval may take."""

from __future__ import annotations

import math
import signal
import time
from threading import current_thread, main_thread
from types import FrameType
from typing import Any


class Clock:
    """Says when refining has to end: after a budget of seconds, or at Ctrl-C.

    Without a budget it never ends, and Ctrl-C ends the program as usual. A second Ctrl-C always
    does.
    """

    def __init__(self, budget: float | None) -> None:
        """The time begins now."""
        self.has_budget = budget is not None
        self._end = math.inf if budget is None else time.monotonic() + budget
        self._interrupted = False
        self._before: Any = None

    @property
    def is_over(self) -> bool:
        """Whether no further work should begin."""
        return self._interrupted or time.monotonic() >= self._end

    def __enter__(self) -> Clock:
        # Python lets only the main thread choose what a signal does.
        if self.has_budget and current_thread() is main_thread():
            self._before = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, *error: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-C: what is known by now is the result."""
        self._interrupted = True
        signal.signal(signal.SIGINT, self._before)

    def __reduce__(self) -> tuple[type[Clock], tuple[float | None]]:
        """In another process only the time that is left counts."""
        left = max(self._end - time.monotonic(), 0.0) if self.has_budget else None
        return Clock, (0.0 if self._interrupted else left,)
