"""How much memory is free, and work that would not fit in it."""

from __future__ import annotations

import math
from pathlib import Path

from clustcmp.errors import LimitExceeded

# Below 100 MB the free memory is not checked.
ALWAYS_FREE = 100_000_000

GROUP = Path("/sys/fs/cgroup")


def check_fits(needed: float, what: str, hint: str) -> None:
    """Refuse work that needs more bytes than are free; `what` needs them."""
    if needed < ALWAYS_FREE:
        return
    available = available_memory()
    if needed > available:
        raise LimitExceeded(
            f"{what} need {needed / 1e9:.1f} GB of memory, but only {available / 1e9:.1f} GB are "
            "free",
            hint=hint,
        )


def available_memory() -> float:
    """The free bytes of memory: of the system, or fewer where a control group has a limit."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return math.inf
    fields = dict(line.split(":", 1) for line in lines)
    free = 1024.0 * int(fields["MemAvailable"].split()[0])
    try:
        limit = (GROUP / "memory.max").read_text(encoding="ascii").strip()
        used = (GROUP / "memory.current").read_text(encoding="ascii").strip()
    except OSError:
        return free
    return free if limit == "max" else min(free, float(limit) - float(used))
