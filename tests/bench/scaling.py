"""How time, memory and width grow with points, dimensions and clusters: docs/performance.md.

python -m tests.bench.scaling makes the table and the plot anew.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from subprocess import PIPE, Popen
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
PAGE, PLOT = ROOT / "docs" / "performance.md", ROOT / "docs" / "performance.svg"
BEGIN, END = "<!-- scaling: made by make bench -->\n", "<!-- end of scaling -->\n"

# What one process computes: cdistance of points around random centres, 5 % of them moved.
PROGRAM = """
import json, sys, clustcmp
from tests.bench.space import blobs
n, k, d, metric = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
coordinates, a, b = blobs(n, k, d, 0.05)
result = clustcmp.compare(a, b, metric, coordinates=coordinates).results[0]
low, high = result.proven or (result.value, result.value)
print(json.dumps((high - low) / result.value))
"""

INTERVAL, EXACT = "cdistance:tolerance=0.01", "cdistance"


class Case(NamedTuple):
    """One row of the table; `series` are rows that differ in one number."""

    series: str
    n: int
    d: int
    k: int
    metric: str


class Cost(NamedTuple):
    """Seconds of the processor, peak memory in bytes, and the width as a share of the value."""

    seconds: float
    memory: float
    width: float


CASES = (
    *(Case("points, exact", n, 2, 10, EXACT) for n in (3_000, 10_000, 30_000)),
    *(Case("points, to 1 %", n, 2, 10, INTERVAL) for n in (30_000, 100_000, 1_000_000)),
    *(Case("dimensions, exact", 8_000, d, 8, EXACT) for d in (2, 5, 20)),
    *(Case("dimensions, to 1 %", 30_000, d, 10, INTERVAL) for d in (2, 3)),
    *(Case("clusters, exact", 20_000, 2, k, EXACT) for k in (10, 50, 200)),
)


def measure(case: Case) -> Cost:
    """What a process of its own costs, with its start."""
    words = map(str, (case.n, case.k, case.d, case.metric))
    with Popen([sys.executable, "-c", PROGRAM, *words], cwd=ROOT, stdout=PIPE, text=True) as child:
        assert child.stdout
        width = json.loads(child.stdout.read())
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024.0, width)


def as_table(rows: list[tuple[Case, Cost]]) -> str:
    """The rows in Markdown."""
    lines = ["| what | points | dimensions | clusters | processor | memory | width |"]
    lines.append("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for case, cost in rows:
        width = f"{cost.width:.2%}" if case.metric == INTERVAL else "exact"
        lines.append(
            f"| {case.series} | {case.n:,} | {case.d} | {case.k} | {cost.seconds:.1f} s | "
            f"{cost.memory / 1e9:.2f} GB | {width} |"
        )
    return "\n".join(lines) + "\n"


def as_plot(rows: list[tuple[Case, Cost]]) -> str:
    """A bar of processor time for each row, as SVG."""
    step, left, longest = 22, 330, max(cost.seconds for _, cost in rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{step * len(rows) + 10}" '
        'font-family="sans-serif" font-size="12">'
    ]
    for row, (case, cost) in enumerate(rows):
        y, length = 5 + step * row, max(340.0 * cost.seconds / longest, 1.0)
        name = f"{case.series}: {case.n:,} points, {case.d}-D, {case.k} clusters"
        parts.append(f'<text x="{left - 6}" y="{y + 14}" text-anchor="end">{name}</text>')
        parts.append(
            f'<rect x="{left}" y="{y + 3}" width="{length:.0f}" height="14" fill="#4a7ab5"/>'
        )
        parts.append(f'<text x="{left + length + 5:.0f}" y="{y + 14}">{cost.seconds:.1f} s</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def write_page() -> list[tuple[Case, Cost]]:
    """Measure all cases, and write the table and the plot."""
    rows = []
    for case in CASES:
        rows.append((case, measure(case)))
        print(*rows[-1], flush=True)
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    table = f"{BEGIN}\n{as_table(rows)}\n{END}"
    PAGE.write_text(before + table + rest.split(END)[1], encoding="utf-8")
    PLOT.write_text(as_plot(rows), encoding="utf-8")
    return rows


if __name__ == "__main__":
    write_page()
