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
from types import CodeType, FrameType

import pytest

ROOT = Path(__file__).parent.parent.parent
PACKAGE = str(ROOT / "clustcmp")

noted: dict[str, dict[str, object]] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Note what is called from the first fixture of a test to its end, in all threads."""
    called: set[CodeType] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        called.add(frame.f_code)

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
            "reached": sorted({name(code) for code in called if is_ours(code)}),
        }


def is_ours(code: CodeType) -> bool:
    """Whether a function belongs to clustcmp."""
    return code.co_filename.startswith(PACKAGE)


def name(code: CodeType) -> str:
    """A function as FILE:LINE, where LINE is the first one of its decorators or its `def`."""
    return f"{Path(code.co_filename).relative_to(ROOT).as_posix()}:{code.co_firstlineno}"


def pytest_sessionfinish() -> None:
    """Write what was noted."""
    Path(os.environ["REACH"]).write_text(json.dumps(noted), encoding="utf-8")
