"""How much memory is free, and work that would not fit in it."""

from __future__ import annotations

import math
from pathlib import Path

from clustcmp.errors import LimitExceeded

# Below 100 MB the free memory is not checked.
ALWAYS_FREE = 100_000_000

PROC, GROUP = Path("/proc"), Path("/sys/fs/cgroup")

# The files with the limit and the use of a control group, and what the file cache is called.
LIMITS = (
    ("memory.max", "memory.current", "inactive_file"),
    ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)


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
        lines = (PROC / "meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return math.inf
    fields = dict(line.split(":", 1) for line in lines)
    free = 1024.0 * int(fields["MemAvailable"].split()[0])
    return min([free, *map(left_in, groups())])


def groups() -> list[Path]:
    """The folders of the control group of this process and of the groups around it."""
    try:
        lines = (PROC / "self" / "cgroup").read_text(encoding="ascii").splitlines()
    except OSError:
        return [GROUP]
    known = dict(line.split(":", 2)[1:] for line in lines if line.count(":") >= 2)
    # The first version of control groups has a tree for memory alone; the second one has no name.
    root, path = (
        (GROUP / "memory", known["memory"]) if "memory" in known else (GROUP, known.get("", "/"))
    )
    own = root / path.lstrip("/")
    return [*(root / part for part in own.relative_to(root).parents), own]


def left_in(group: Path) -> float:
    """The bytes that a control group may still take; what it has cached of files can be dropped."""
    for limit_name, used_name, cached_name in LIMITS:
        try:
            limit = (group / limit_name).read_text(encoding="ascii").strip()
            used = float((group / used_name).read_text(encoding="ascii"))
            stat = (group / "memory.stat").read_text(encoding="ascii")
        except (OSError, ValueError):
            continue
        if limit == "max":
            return math.inf
        cached = dict(line.split(" ", 1) for line in stat.splitlines() if " " in line)
        return float(limit) - used + float(cached.get(cached_name, 0))
    return math.inf
