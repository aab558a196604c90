"""Tasks for workers, in a module that is imported quickly."""

from __future__ import annotations

import os
import time
from pathlib import Path

from clustcmp.errors import UsageError


def add(one: int, other: int) -> tuple[int, int]:
    """A sum, and the process that computed it."""
    os.write(1, b"this must not come between the answers")
    return one + other, os.getpid()


def complain(task: int) -> int:
    if task == 2:
        raise UsageError("not two", hint="take three")
    if task == 3:
        raise ZeroDivisionError("by three")
    if task == 4:
        os._exit(7)
    return task


def threads_of(task: int) -> str | None:
    return os.environ.get("OMP_NUM_THREADS")


def sleep(folder: str, seconds: float) -> float:
    Path(folder, str(os.getpid())).touch()
    time.sleep(seconds)
    return seconds
