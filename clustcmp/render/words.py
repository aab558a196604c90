"""Numbers, ranges and foreign text in the form in which people read them."""

from __future__ import annotations

import math

from clustcmp.errors import printable
from clustcmp.model import Report, Result, Side
from clustcmp.registry import Metric, show_option

ARROWS = {True: "↑", False: "↓", None: " "}
LEGEND = "↑ higher is better   ↓ lower is better"


def show_value(value: float) -> str:
    """A value with six decimals, or six digits where that would show nothing."""
    if value and not 1e-5 <= abs(value) < 1e12:
        return f"{value:.5e}"
    return f"{value:.6f}"


def show_end(end: float | None) -> str:
    """One end of a range."""
    if end is None:
        return "—"
    if math.isinf(end):
        return "∞" if end > 0 else "-∞"
    return show_option(float(end))


def show_range(metric: Metric) -> str:
    """From the worst to the best value of a metric."""
    if metric.worst is None and metric.best is None:
        return "no direction"
    return f"{show_end(metric.worst)} → {show_end(metric.best)}"


def show_metric(result: Result) -> str:
    """The metric as it can be asked for, and of which side it is."""
    return f"{result.metric} of {result.side}" if result.side else result.metric


def show_direction(result: Result, metric: Metric) -> str:
    """An arrow and the best value, if there is one."""
    best = "" if result.best is None else f" {show_option(result.best)}"
    return f"{ARROWS[metric.higher_is_better]}{best}".strip()


def count(number: int, noun: str) -> str:
    """A number with its noun, thousands separated."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def show_side(side: Side) -> tuple[str, ...]:
    """One clustering in a few words."""
    words = [
        side.side,
        printable(side.file) if side.file else "(object)",
        count(side.points, "point"),
        count(side.clusters, "cluster"),
        side.kind,
    ]
    if side.noise:
        words.append(f"{side.noise:,} noise")
    return tuple(words)


def show_coverage(report: Report) -> str:
    """How many points are in both, and how many are not."""
    coverage = report.coverage
    words = [f"{count(coverage.shared, 'point')} in both"]
    if coverage.only_a or coverage.only_b:
        words += [f"{coverage.only_a:,} only in a", f"{coverage.only_b:,} only in b"]
    return ", ".join(words)


def show_unfit(results: list[Result]) -> list[str]:
    """Metrics that do not apply, one line for each reason."""
    reasons: dict[str, list[str]] = {}
    for result in results:
        reasons.setdefault(result.reason or "", []).append(show_metric(result))
    return [
        f"not applicable ({reason}): {', '.join(metrics)}" for reason, metrics in reasons.items()
    ]
