"""Tasks that are done here first, which tell how long tasks take."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Lock, Thread
from typing import Any


class Trial:
    """Tasks done one after the other in a thread of their own, the cheapest first, until the end.

    A task that was begun at the end is done nevertheless.
    """

    def __init__(
        self, function: Callable[[Any], Any], tasks: Sequence[Any], costs: Sequence[float]
    ) -> None:
        """Begin at once."""
        self._function, self._tasks, self._costs = function, tasks, costs
        self._order = iter(sorted(range(len(tasks)), key=costs.__getitem__))
        self._lock, self._is_over = Lock(), False
        self._cost = 0.0
        self._began = self._ended = time.perf_counter()
        self._outcomes: dict[int, tuple[bool, Any]] = {}
        self._taken: set[int] = set()
        # A daemon, because at the end of a program Python would wait for its task.
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def end(self, after: float) -> float:
        """After so many seconds, or if all is done, take no further task.

        The result is how many seconds a task of cost 1 takes; if no task was done to its end, at
        least how many.
        """
        self._thread.join(after)
        with self._lock:
            self._is_over = True
            now = time.perf_counter() if self._thread.is_alive() else self._ended
            return (now - self._began) / max(self._cost, 1e-300)

    def took(self, position: int) -> bool:
        """Whether a task was begun here."""
        return position in self._taken

    def answer(self, position: int) -> Any:
        """The answer to a task that was begun here, or its error raised."""
        if position not in self._outcomes:
            self._thread.join()
        is_answer, answer = self._outcomes[position]
        if not is_answer:
            raise answer
        return answer

    def _work(self) -> None:
        while (chosen := self._next()) is not None:
            position, task = chosen
            try:
                outcome = True, self._function(task)
            except BaseException as error:  # noqa: BLE001  `answer` raises it
                outcome = False, error
            self._outcomes[position] = outcome
            self._ended = time.perf_counter()
            if not outcome[0]:
                break

    def _next(self) -> tuple[int, Any] | None:
        """The next task and its position, if another one is to be begun."""
        with self._lock:
            position = None if self._is_over else next(self._order, None)
            if position is None:
                return None
            self._taken.add(position)
            self._cost += self._costs[position]
            # Within the lock: tasks may be made when they are asked for.
            return position, self._tasks[position]
