"""From the answers to all comparisons to one matrix for each metric."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clustcmp.align import Collection
from clustcmp.analyses.matrix.cells import Position, explain_unfit, fill_row, fill_square
from clustcmp.analyses.matrix.notes import find_notes
from clustcmp.analyses.matrix.order import (
    distances_between,
    find_medoid,
    order_by_similarity,
    order_by_value,
)
from clustcmp.analyses.matrix.report import MatrixReport, Member, ReferenceMatrix, SquareMatrix
from clustcmp.notes import Note
from clustcmp.registry import Request
from clustcmp.results import Result, Status


def build_report(
    collection: Collection, requests: Sequence[Request], jobs: int, has_reference: bool
) -> MatrixReport:
    """A matrix for each metric that fits; the reference is the last of the clusterings."""
    inputs = [
        Member.of(collection.describe(index), title)
        for index, title in enumerate(collection.titles)
    ]
    n = len(inputs) - has_reference
    answers = (fill_row if has_reference else fill_square)(collection, requests, jobs)
    matrices, notes = [], []
    for request in requests:
        found = {
            one.cell: one.results[request.spec] for one in answers if request.spec in one.results
        }
        if (reason := find_unfit(collection, request, found)) is None:
            matrices.append(build_matrix(request, found, collection.titles[:n], has_reference))
        else:
            notes.append(Note(f"not applicable ({reason}): {request.spec}"))
    if not matrices:
        first = next(cell for cell in found if cell.row != cell.column)
        raise explain_unfit(collection, first, "none of the metrics", found[first])
    return MatrixReport(
        tuple(inputs[:n]),
        tuple(matrices),
        inputs[n] if has_reference else None,
        (*find_notes(collection, answers), *notes),
    )


def find_unfit(
    collection: Collection, request: Request, found: dict[Position, Result]
) -> str | None:
    """Why a metric fits no two of the clusterings, if so; an error if it was named."""
    others = {cell: result for cell, result in found.items() if cell.row != cell.column}
    if any(result.status is not Status.not_applicable for result in others.values()):
        return None
    cell, result = next(iter(others.items()))
    if request.named:
        raise explain_unfit(collection, cell, request.metric.name, result)
    return result.reason or ""


def build_matrix(
    request: Request,
    found: dict[Position, Result],
    names: tuple[str, ...],
    has_reference: bool,
) -> SquareMatrix | ReferenceMatrix:
    """The cells of one metric in the order given, with the order of similarity and the medoid."""
    n = len(names)
    rows = [n] if has_reference else range(n)
    cells = tuple(
        tuple(find_result(found, Position(row, column)) for column in range(n)) for row in rows
    )
    worst, best = (common(getattr(one, end) for one in found.values()) for end in ("worst", "best"))
    better = request.metric.higher_is_better
    order: tuple[int, ...] = tuple(range(n))
    medoid = None
    if has_reference:
        order = order_by_value(cells[0], better)
    elif better is not None and (distances := distances_between(cells, better, best)) is not None:
        order, medoid = order_by_similarity(distances), find_medoid(distances)
    return (ReferenceMatrix if has_reference else SquareMatrix)(
        request.spec,
        request.metric.name,
        dict(request.options),
        worst,
        best,
        better,
        names,
        cells,
        order,
        medoid,
        request.metric.describe(request.options),
        request.metric.symmetric,
    )


def find_result(found: dict[Position, Result], cell: Position) -> Result:
    """The result of a cell, which is that across the diagonal for a symmetric metric."""
    return found.get(cell) or found[Position(cell.column, cell.row)]


def common(ends: Iterable[float | None]) -> float | None:
    """The end that all have in common, if they have one."""
    distinct = set(ends)
    return distinct.pop() if len(distinct) == 1 else None
