"""What the page of a comparison shows that other formats do not: what changed, and charts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from clustcmp.errors import ClustcmpError
from clustcmp.render.blocks import Block, Cell, Heading, Lines, Span, Table, Tone
from clustcmp.results import Report, Result

if TYPE_CHECKING:
    from clustcmp.analyses.changes.report import ChangeReport


class ComparisonPage:
    """The parts of a page around the values of a comparison, each made when it is asked for.

    Only a page imports what `changes` consists of, so that other formats of `compare` stay quick.
    """

    def __init__(self, report: Report) -> None:
        """Nothing is computed yet."""
        self.report = report

    @cached_property
    def changes(self) -> ChangeReport | None:
        """Which cluster became which; None where clusters cannot be followed."""
        from clustcmp.analyses.changes.restored import restore_changes

        kept = self.report.kept
        if kept is None:
            return None
        try:
            return restore_changes(kept, self.report.inputs, self.report.coverage)
        except ClustcmpError:
            # Points of a and b in common, or coordinates, are missing: there are values alone.
            return None

    def top(self) -> Iterator[Block]:
        """What the comparison comes down to."""
        from clustcmp.render.changes import largest_change
        from clustcmp.render.charts.headline import headline

        if self.changes is not None:
            yield headline(self.changes, largest_change(self.changes))

    def rest(self) -> Iterator[Block]:
        """Charts of what changed, what became of each cluster, and the points that moved."""
        from clustcmp.render.changes import choose_rows, clusters_table
        from clustcmp.render.changes import explain as explain_signs
        from clustcmp.render.charts.pair import moved_points, pair_charts

        if self.changes is None:
            return
        yield from pair_charts(self.changes)
        rows = choose_rows(self.changes, None)
        yield Heading("What became of each cluster")
        yield clusters_table(self.changes, *rows)
        yield Lines(list(explain_signs(self.changes, *rows)), Tone.faint)
        yield from moved_points(self.changes)

    def explained(self, values: Table, results: Sequence[Result]) -> Table:
        """The table of values, in which each metric says what it is."""
        left = iter(results)
        groups = [
            group._replace(rows=[explain(row, next(left)) for row in group.rows])
            for group in values.groups
        ]
        return values._replace(groups=groups)


def explain(row: Sequence[Cell], result: Result) -> list[Cell]:
    """A row whose first cell explains its metric."""
    from clustcmp.metrics import METRICS
    from clustcmp.options import show_option

    first, *others = row
    metric = METRICS.get(result.name)
    if metric is None or not isinstance(first.line, Span):
        return [first, *others]
    ends = [show_option(end) for end in (result.worst, result.best) if end is not None]
    words = [metric.summary.rstrip(".")]
    words += [f"From {ends[0]} (worst) to {ends[1]} (best)"] if len(ends) == 2 else []
    return [Cell(first.line._replace(about=f"{'. '.join(words)}.")), *others]
