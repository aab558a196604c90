"""A progress bar on stderr; rich is imported only when a bar is drawn."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING

from clustcmp.progress import Stopwatch, show_expectation

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

# Seconds of work before a bar appears.
PATIENCE = 1.0


class ProgressBar(Stopwatch):
    """Listens to progress; shows nothing unless stderr is a terminal and the work takes long."""

    def __init__(self, quiet: bool = False, verbose: bool = False) -> None:
        super().__init__()
        self._quiet = quiet
        self._verbose = verbose
        self._wanted = not quiet and sys.stderr.isatty()
        self._began = time.monotonic()
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._what = ""

    def __enter__(self) -> ProgressBar:
        return self

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show how much of the total is done."""
        if not self._wanted or time.monotonic() - self._began < PATIENCE:
            return
        if self._progress is None:
            self._progress = self._start()
        if self._task is None or what != self._what:
            self._task, self._what = self._progress.add_task(what, total=total), what
        self._progress.update(self._task, completed=done)

    def expect(self, what: str, seconds: float) -> None:
        """Say how long the work will take, on terminals and in logs alike."""
        self.remark(show_expectation(what, seconds))

    def remark(self, note: str) -> None:
        """Say how the work is done, on terminals and in logs alike."""
        if not self._quiet:
            self._say(f"note: {note}")

    def explain(self, text: str) -> None:
        """Say it if the user wants to know more."""
        if self._verbose:
            self._say(text)

    def _say(self, note: str) -> None:
        """A line above the bar, if there is one."""
        if self._progress is not None:
            self._progress.console.print(note, markup=False, highlight=False)
        else:
            # A log that cannot be written must not stop the work.
            with suppress(OSError):
                sys.stderr.write(f"{note}\n")

    def _start(self) -> Progress:
        from rich.console import Console
        from rich.progress import Progress

        class Steady(Console):
            """A console that never hides the cursor: a process that is killed cannot show it."""

            def show_cursor(self, show: bool = True) -> bool:
                return False

        progress = Progress(console=Steady(stderr=True), transient=True)
        progress.start()
        return progress

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._progress is not None:
            self._progress.stop()
