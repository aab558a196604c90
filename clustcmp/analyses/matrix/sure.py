"""How sure the values of a matrix are, and which of their differences are real."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from clustcmp.align import Collection
from clustcmp.analyses.matrix.cells import Position
from clustcmp.analyses.matrix.order import order_by_value
from clustcmp.analyses.matrix.report import Closer, MatrixReport, ReferenceMatrix, SquareMatrix
from clustcmp.model import Comparison
from clustcmp.progress import announce
from clustcmp.registry import Request
from clustcmp.results import Result
from clustcmp.significance.assess import (
    Dice,
    Question,
    check_unit,
    groups_of,
    interval_of,
    leave_out_of,
    why_no_interval,
)
from clustcmp.significance.leaving import Ask, LeftOut, leave_out
from clustcmp.significance.versus import judge, pair_up
from clustcmp.sureness import Interval, Versus

OTHER_POINTS = "the two are not compared on the same points"


class Asker:
    """Asks how sure the values of a matrix are; what several metrics need is computed once."""

    def __init__(self, collection: Collection, question: Question) -> None:
        """Nothing is compared yet."""
        self.collection, self.question = collection, question
        self.dice = Dice(question.seed)
        self._comparisons: dict[Position, Comparison] = {}

    def start_row(self) -> None:
        """Forget the comparisons of earlier rows."""
        self._comparisons.clear()

    def compare(self, at: Position) -> Comparison:
        """Two of the clusterings side by side."""
        if at not in self._comparisons:
            self._comparisons[at] = self.collection.silent(*at)
        return self._comparisons[at]

    def leave_out(self, at: Position, ask: Ask, result: Result) -> LeftOut | str:
        """The values with one unit left out at a time, or the reason why there are none."""
        comparison = self.compare(at)
        if reason := why_no_interval(ask, result, comparison):
            return reason
        check_unit(comparison, self.question.unit)
        return leave_out_of(comparison, [ask], self.question.unit, self.dice)[ask]

    def interval(self, at: Position, ask: Ask, result: Result, left: LeftOut | str) -> Interval:
        """How sure a value is."""
        if isinstance(left, str):
            level, unit = self.question.level, self.question.unit
            return Interval(level, None, None, None, unit, reason=left)
        return interval_of(self.compare(at), ask, result, left, self.question)

    def versus(
        self,
        ask: Ask,
        both: tuple[Position, Position],
        values: tuple[float, float],
        lefts: tuple[LeftOut, LeftOut],
    ) -> Versus:
        """The difference between two values, with the same units left out of both."""
        one, other = map(self.compare, both)
        if not np.array_equal(one.rows[0], other.rows[0]):
            return Versus(None, values[1], reason=OTHER_POINTS)
        left, left_other = lefts
        unit = self.question.unit
        if left.method != left_other.method:
            left, left_other = (
                leave_out(each, [ask], unit, lambda: groups_of(one, unit, self.dice), True)[ask]
                for each in (one, other)
            )
        apart = pair_up(one, other, left, left_other, unit)
        better = ask.request.metric.higher_is_better
        return judge(None, *values, apart, self.question.level, better)


def with_intervals(
    report: MatrixReport, collection: Collection, requests: Sequence[Request], question: Question
) -> MatrixReport:
    """The report, each value with its interval, and each clustering with its closest one."""
    asker = Asker(collection, question)
    asks = {request.spec: Ask(request) for request in requests}
    n_rows = len(report.matrices[0].cells)
    matrices = list(report.matrices)
    closer: list[list[Closer]] = [[] for _ in matrices]
    for row in announce(range(n_rows), "leaving out points", n_rows):
        asker.start_row()
        for number, found in enumerate(matrices):
            matrices[number], more = assess_row(asker, asks[found.metric], found, row)
            closer[number] += more
    return replace(
        report,
        matrices=tuple(
            replace(found, closer=tuple(some)) for found, some in zip(matrices, closer, strict=True)
        ),
        seed=asker.dice.seed,
    )


def assess_row(
    asker: Asker, ask: Ask, found: SquareMatrix | ReferenceMatrix, row: int
) -> tuple[SquareMatrix | ReferenceMatrix, list[Closer]]:
    """The matrix with the intervals of one row, and what is closest to the row's clustering."""
    results, titles = found.cells[row], asker.collection.titles
    places = [place_of(found, titles, row, column) for column in range(len(results))]
    # A clustering compared with itself is not a question.
    columns = [column for column, at in enumerate(places) if at.row != at.column]
    lefts = {one: asker.leave_out(places[one], ask, results[one]) for one in columns}
    sure = list(results)
    for one in columns:
        interval = asker.interval(places[one], ask, results[one], lefts[one])
        sure[one] = replace(results[one], interval=interval)
    cells = (*found.cells[:row], tuple(sure), *found.cells[row + 1 :])
    is_one_row = len({at.row for at in places}) == 1
    closer = compare_row(asker, ask, sure, places, lefts) if is_one_row else []
    return replace(found, cells=cells), closer


def place_of(
    found: SquareMatrix | ReferenceMatrix, titles: Sequence[str], row: int, column: int
) -> Position:
    """The two clusterings of a cell: references come after all others."""
    if isinstance(found, SquareMatrix):
        return Position(row, column)
    references = list(titles[len(found.names) :])
    return Position(len(found.names) + references.index(found.compared_with[row][column]), column)


def compare_row(
    asker: Asker,
    ask: Ask,
    results: Sequence[Result],
    places: Sequence[Position],
    lefts: dict[int, LeftOut | str],
) -> list[Closer]:
    """The clustering with the best value of a row against each of the others."""
    better, titles = ask.request.metric.higher_is_better, asker.collection.titles
    if better is None:
        return []
    known = [one for one in lefts if results[one].value is not None]
    order = [known[at] for at in order_by_value([results[one] for one in known], better)]
    found = []
    for other in order[1:]:
        first = order[0]
        versus = decide(asker, ask, (first, other), results, places, lefts)
        found.append(
            Closer(
                titles[places[first].row],
                titles[places[first].column],
                titles[places[other].column],
                versus.difference,
                versus.standard_error,
                versus.low,
                versus.high,
                versus.p,
                versus.closer == "b",
                versus.reason,
            )
        )
    return found


def decide(
    asker: Asker,
    ask: Ask,
    both: tuple[int, int],
    results: Sequence[Result],
    places: Sequence[Position],
    lefts: dict[int, LeftOut | str],
) -> Versus:
    """Whether the first of two clusterings is closer than the other one."""
    first, other = both
    left, left_other = lefts[first], lefts[other]
    value, value_other = results[first].value, results[other].value
    assert value is not None
    assert value_other is not None
    if isinstance(left, str) or isinstance(left_other, str):
        return Versus(None, value_other, reason=left if isinstance(left, str) else str(left_other))
    at = places[first], places[other]
    return asker.versus(ask, at, (value, value_other), (left, left_other))
