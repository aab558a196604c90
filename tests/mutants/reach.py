"""A plugin for pytest that notes which functions of clustcmp each test runs, and for how long.

The environment variable REACH names the file that it writes, as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path
from types import FrameType

import pytest

ROOT = Path(__file__).parent.parent.parent
PACKAGE = str(ROOT / "clustcmp")

noted: dict[str, dict[str, object]] = {}

# The file and the name of every function that was called since the running test began.
called: set[tuple[str, str]] = set()


def note(frame: FrameType, event: str, argument: object) -> None:
    """Note a call. Threads that outlive a test note theirs for the one that runs then."""
    called.add((frame.f_code.co_filename, frame.f_code.co_qualname))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Note what is called from the first fixture of a test to its end, in all threads."""
    called.clear()
    began = time.perf_counter()
    threading.settrace(note)
    sys.settrace(note)
    try:
        return (yield)
    finally:
        sys.settrace(None)
        threading.settrace(None)
        noted[item.nodeid] = {
            "seconds": round(time.perf_counter() - began, 3),
            "reached": find_ours(),
        }


def find_ours() -> list[str]:
    """The functions of clustcmp that were called, as FILE:NAME, with the classes around it.

    They are found in a copy, because other threads may go on calling.
    """
    return sorted(
        f"{Path(file).relative_to(ROOT).as_posix()}:{name.replace('.<locals>', '')}"
        for file, name in called.copy()
        if file.startswith(PACKAGE)
    )


def pytest_sessionfinish() -> None:
    """Write what was noted."""
    Path(os.environ["REACH"]).write_text(json.dumps(noted), encoding="utf-8")
