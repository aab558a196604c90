"""The cells of matrices: which there are, and the results of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from clustcmp.align import Collection
from clustcmp.analyses.matrix.count import count_both, transpose
from clustcmp.backends import map_tasks
from clustcmp.errors import ClustcmpError
from clustcmp.evaluate import answers, does_not_fit
from clustcmp.model import Comparison, Coverage, Side
from clustcmp.notes import Note
from clustcmp.registry import Request
from clustcmp.results import Result

# numpy's bincount holds the GIL, so threads that take less than this many seconds for a task only
# wait for each other (measured: 10 % slower than one thread).
WORTHWHILE = 0.006


class Position(NamedTuple):
    """Row and column of a cell: the reference and the other clustering."""

    row: int
    column: int


class Task(NamedTuple):
    """A row, and one column or two neighbouring columns, whose points are counted in one pass."""

    row: int
    columns: tuple[int, ...]


class Asked(NamedTuple):
    """The metrics of a matrix: all of them, and those whose values depend on the direction."""

    metrics: tuple[Request, ...]
    one_way: tuple[Request, ...] = ()


class Compared(NamedTuple):
    """The result of each metric for one comparison, and what there is to say about it."""

    cell: Position
    results: dict[str, Result]
    coverage: Coverage
    remarks: tuple[Note, ...]


def fill_square(collection: Collection, requests: Sequence[Request], jobs: int) -> list[Compared]:
    """All comparisons of a square; below the diagonal only for metrics that depend on it."""
    n_clusterings = len(collection.clusterings)
    lean = tuple(map(without_details, requests))
    one_way = tuple(request for request in lean if not request.symmetric)
    tasks = [
        Task(row, columns)
        for row in range(n_clusterings)
        for columns in neighbours(row, n_clusterings)
    ]
    return answer_all(collection, Asked(lean, one_way), tasks, jobs)


def fill_rows(
    collection: Collection, requests: Sequence[Request], jobs: int, first: int
) -> list[Compared]:
    """The comparisons of all clusterings before the first reference with each reference."""
    references = range(first, len(collection.clusterings))
    tasks = [Task(row, columns) for row in references for columns in neighbours(0, first)]
    return answer_all(collection, Asked(tuple(map(without_details, requests))), tasks, jobs)


def neighbours(first: int, end: int) -> Iterator[tuple[int, ...]]:
    """The columns from the first to before the end: 0 and 1 together, 2 and 3, and so on.

    Columns are neighbours in the same way in every row, so that rows share what neighbours need.
    """
    for left in range(first & ~1, end, 2):
        yield tuple(range(max(left, first), min(left + 2, end)))


def without_details(request: Request) -> Request:
    """The request for the value alone: a cell has no room for details."""
    return replace(request, metric=replace(request.metric, details=None))


def answer_all(
    collection: Collection, wanted: Asked, tasks: Sequence[Task], jobs: int
) -> list[Compared]:
    """The answers for all cells, row by row."""
    answer_task = partial(answer_cells, collection, wanted)
    # Metrics with coordinates divide each comparison themselves.
    divides = any(request.metric.needs_coordinates for request in wanted.metrics)
    found = map_tasks(
        answer_task, tasks, jobs, what="comparing", worthwhile=WORTHWHILE, divides=divides
    )
    return sorted((one for part in found for one in part), key=lambda one: one.cell)


def answer_cells(collection: Collection, wanted: Asked, task: Task) -> list[Compared]:
    """The answers for the columns of one task, in both directions where a metric depends on it."""
    row, columns = task
    comparisons = [collection.silent(row, column) for column in columns]
    found = []
    for column, comparison in zip(columns, count_both(collection, comparisons), strict=True):
        found.append(answer(Position(row, column), comparison, wanted.metrics))
        if wanted.one_way and row != column:
            found.append(answer(Position(column, row), turn_around(comparison), wanted.one_way))
    return found


def turn_around(comparison: Comparison) -> Comparison:
    """The comparison of a with b as the reference; its notes are left out, as they name a and b."""
    side_a, side_b = comparison.sides
    before = comparison.coverage
    is_counted = comparison.same_points and comparison.is_hard and comparison.weighting != "masses"
    turned = replace(
        comparison,
        a=comparison.b,
        b=comparison.a,
        sides=(replace(side_b, name="a"), replace(side_a, name="b")),
        coverage=replace(before, only_a=before.only_b, only_b=before.only_a),
        notes=(),
        given=comparison.given[::-1],
        rows=comparison.rows[::-1],
    )
    return turned.with_table(transpose(comparison.contingency)) if is_counted else turned


def answer(cell: Position, comparison: Comparison, requests: Sequence[Request]) -> Compared:
    """What the metrics say about one comparison.

    Different points are an error for a metric that was named, as in a single comparison.
    """
    results: dict[str, Result] = {}
    remarks: list[Note] = []
    for found in answers(comparison, requests):
        (result,) = found.results
        if comparison.difference and found.request.named and found.unfit:
            raise does_not_fit(found.request.metric.name, result, comparison)
        results[found.request.spec] = result
        remarks += found.remarks
    return Compared(cell, results, comparison.coverage, tuple(dict.fromkeys(remarks)))


def explain_unfit(
    collection: Collection, cell: Position, what: str, unfit: Result
) -> ClustcmpError:
    """The error for a metric that fits no comparison, told by the first of them."""
    comparison = collection.comparison(*cell)
    # The clusterings of a matrix are called by their names, not a and b.
    row, column = (Side.of(collection.describe(one), collection.titles[one]) for one in cell)
    return does_not_fit(what, unfit, replace(comparison, sides=(row, column)))
