"""Numbers, ranges and foreign text in the form in which people read them."""

from __future__ import annotations

import math

from clustcmp.errors import printable
from clustcmp.model import Described
from clustcmp.options import show_option
from clustcmp.registry import Metric
from clustcmp.results import Report, Result

ARROWS = {True: "↑", False: "↓", None: " "}
LEGEND = "↑ higher is better   ↓ lower is better"

# Columns of the terminal for a name in a line.
LONGEST_NAME = 24

# Marks on top of one letter, such as accents; few languages need two.
MOST_MARKS = 2


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


def show_side(side: Described) -> tuple[str, ...]:
    """One clustering in a few words."""
    words = [
        side.name,
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


def short(name: str, width: int = LONGEST_NAME) -> str:
    """A name from outside in a few columns of the terminal; a long one without its middle."""
    from rich.cells import cell_len, set_cell_size

    text = quote_blank(thin_out(printable(name)))
    if cell_len(text) <= width:
        return text
    tail = text[-width:]
    while cell_len(tail) > width // 3 or cell_len(tail[0]) == 0:
        tail = tail[1:]
    head = set_cell_size(text, width - 1 - cell_len(tail)).rstrip()
    return f"{head}…{tail}"


def thin_out(text: str) -> str:
    """The text without what stands on top of a letter for the third time and more."""
    if text.isascii():
        return text
    from rich.cells import cell_len

    # Such marks take no column of their own, and a hundred of them cover the lines above.
    kept, marks = [], 0
    for character in text:
        marks = marks + 1 if cell_len(character) == 0 else 0
        if marks <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def quote_blank(text: str) -> str:
    """The text in quotes if it begins or ends with a space or is empty, and could not be seen."""
    return text if text and text == text.strip(" ") else f"'{text}'"
