"""Tables for people, drawn by rich."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Iterable, Sequence

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from clustcmp.choices import Color
from clustcmp.options import show_option
from clustcmp.registry import Metric, Registry
from clustcmp.render.words import (
    LEGEND,
    show_coverage,
    show_direction,
    show_end,
    show_metric,
    show_range,
    show_side,
    show_unfit,
    show_value,
)
from clustcmp.results import Report, Result, Status

# Tables that go to a file or a pipe are never broken; sentences are.
UNLIMITED = 100_000
PROSE = 96
NARROWEST = 80


def report_table(report: Report, registry: Registry, color: Color) -> str:
    """The inputs, then the results grouped by family, then what does not apply."""
    unfit = [result for result in report if result.status is Status.not_applicable]
    coverage = Text(f"   {show_coverage(report)}", style="dim")
    footer = [Text(line, style="dim") for line in (LEGEND, *show_unfit(unfit))]
    results = results_table(report, registry)
    return draw([inputs_grid(report), coverage, Text(), results, Text(), *footer], color)


def inputs_grid(report: Report) -> Table:
    """What was compared: one line for each side."""
    grid = Table.grid(padding=(0, 2))
    for words in map(show_side, report.inputs):
        side, file, points, *rest = words
        grid.add_row(Text(side, style="bold"), Text(file), Text(points, justify="right"), *rest)
    return grid


def results_table(report: Report, registry: Registry) -> Table:
    """One row for each result that applies, under the title of its family."""
    table = plain_table()
    table.add_column("metric", overflow="fold")
    table.add_column("value", justify="right", no_wrap=True, min_width=9)
    table.add_column("best", no_wrap=True, min_width=4)
    table.add_column("convention", style="dim")
    family = None
    for result in report:
        if result.status is Status.not_applicable:
            continue
        metric = registry[result.name]
        if metric.family is not family:
            family = metric.family
            table.add_row(Text(family.title, style="bold cyan"))
        table.add_row(*result_cells(result, metric))
    return table


def result_cells(result: Result, metric: Metric) -> Iterable[Text]:
    """The cells of one result."""
    yield Text(f"  {show_metric(result)}")
    if result.value is None:
        yield Text(result.status.value, style="yellow")
    else:
        yield Text(show_value(result.value), style="bold")
    yield Text(show_direction(result, metric))
    yield Text(result.reason or metric.describe(result.options))


def metrics_table(metrics: Sequence[Metric], color: Color) -> str:
    """All metrics, grouped by family."""
    table = plain_table()
    table.add_column("metric", no_wrap=True)
    table.add_column("worst → best", no_wrap=True)
    table.add_column("soft", no_wrap=True)
    table.add_column("what it is")
    family = None
    for metric in metrics:
        if metric.family is not family:
            family = metric.family
            table.add_row(Text(family.title, style="bold cyan"), "", "", f"-m {family.name}")
        names = Text(f"  {metric.name}", style="bold" if metric.featured else "")
        names.append("".join(f" {alias}" for alias in metric.aliases), style="dim")
        soft = "yes" if metric.accepts_soft else ""
        table.add_row(names, show_range(metric), soft, Text(metric.summary))
    legend = "bold: shown without -m   'clustcmp metrics NAME' tells everything about one"
    return draw([table, Text(), Text(legend, style="dim")], color)


def metric_pages(metrics: Sequence[Metric], color: Color) -> str:
    """Everything about each of some metrics."""
    pages: list[RenderableType] = []
    for metric in metrics:
        pages += [Text()] if pages else []
        pages += metric_page(metric)
    return draw(pages, color, widest=PROSE)


def metric_page(metric: Metric) -> Iterable[RenderableType]:
    """Everything about one metric."""
    title = Text(metric.name, style="bold cyan")
    title.append("".join(f", {alias}" for alias in metric.aliases), style="dim")
    yield title
    yield Padding(Text(metric.summary), (0, 0, 1, 2))
    facts = Table.grid(padding=(0, 2))
    for name, fact in metric_facts(metric).items():
        facts.add_row(Text(f"  {name}", style="bold"), Text(fact))
    yield facts
    if metric.options:
        yield Text()
        yield options_grid(metric)
    for note in metric.notes:
        yield Padding(Text(note), (1, 0, 0, 2))


def metric_facts(metric: Metric) -> dict[str, str]:
    """What the declaration says, in words."""
    better = {True: "higher is better", False: "lower is better", None: "neither is better"}
    soft = "accepted" if metric.accepts_soft else "not accepted"
    if metric.accepts_soft and not metric.soft_identity:
        soft += "; a soft clustering compared with itself does not score best"
    return {
        "formula": metric.formula,
        "worst": show_end(metric.worst),
        "best": f"{show_end(metric.best)} ({better[metric.higher_is_better]})",
        "of": "each clustering by itself" if metric.arity == 1 else show_symmetry(metric),
        "needs": ", ".join(metric.needs) or "nothing",
        "soft": soft,
        "family": f"{metric.family.title} (-m {metric.family.name})",
        "citation": metric.citation,
    }


def show_symmetry(metric: Metric) -> str:
    """Whether it matters which clustering comes first."""
    return f"two clusterings, {'symmetric' if metric.symmetric else 'a is the reference'}"


def options_grid(metric: Metric) -> Table:
    """The options of a metric with their defaults, and how to write them."""
    grid = Table.grid(padding=(0, 2))
    for option in metric.options.values():
        name = Text(f"  {option.name}", style="bold")
        default = Text(f"= {show_option(option.default)}", style="dim")
        grid.add_row(name, default, Text(f"{option.help} ({option.allowed})"))
    first = next(iter(metric.options.values()))
    written = f"written as -m {metric.name}:{first.name}={first.example}"
    grid.add_row("", "", Text(written, style="dim"))
    return grid


def plain_table() -> Table:
    """A table without a frame."""
    return Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)


def draw(parts: Sequence[RenderableType], color: Color, widest: int = UNLIMITED) -> str:
    """The parts as text, coloured or not, as wide as the terminal or as they need."""
    colored = use_color(color)
    # A line that a narrow terminal wraps is better than a number that is cut.
    terminal = max(shutil.get_terminal_size().columns, NARROWEST)
    width = terminal if sys.stdout.isatty() else UNLIMITED
    file = io.StringIO()
    console = Console(
        file=file,
        width=min(width, widest),
        force_terminal=colored,
        no_color=not colored,
        color_system="standard" if colored else None,
        highlight=False,
        markup=False,
        emoji=False,
    )
    for part in parts:
        console.print(part)
    lines = [line.rstrip() for line in file.getvalue().split("\n")]
    return "\n".join(lines)


def use_color(color: Color) -> bool:
    """Whether to colour what goes to stdout."""
    if color is not Color.auto:
        return color is Color.always
    return (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )
