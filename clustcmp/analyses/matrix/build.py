"""From the answers to all comparisons to one matrix for each metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from clustcmp.align import Collection
from clustcmp.analyses.matrix.best import best_over
from clustcmp.analyses.matrix.cells import (
    Compared,
    Position,
    explain_unfit,
    fill_rows,
    fill_square,
)
from clustcmp.analyses.matrix.notes import find_notes
from clustcmp.analyses.matrix.order import (
    distances_between,
    find_medoid,
    order_by_similarity,
    order_by_value,
)
from clustcmp.analyses.matrix.report import (
    MatrixReport,
    Member,
    ReferenceMatrix,
    SquareMatrix,
)
from clustcmp.notes import Note
from clustcmp.registry import Request
from clustcmp.results import Result, Status


class Arrangement(NamedTuple):
    """What is shown: how many of the clusterings, the last ones, are references.

    `best` is for the best value over all references, `sort` the metric to sort by, if one was
    named.
    """

    n_references: int = 0
    best: bool = False
    sort: str | None = None


def build_report(
    collection: Collection, requests: Sequence[Request], jobs: int, arrangement: Arrangement
) -> MatrixReport:
    """A matrix for each metric that fits."""
    inputs = [
        Member.of(collection.describe(index), title)
        for index, title in enumerate(collection.titles)
    ]
    n = len(inputs) - arrangement.n_references
    if arrangement.n_references:
        answers = fill_rows(collection, requests, jobs, n)
    else:
        answers = fill_square(collection, requests, jobs)
    matrices, notes = build_matrices(collection, requests, answers, arrangement)
    report = MatrixReport(
        tuple(inputs[:n]),
        matrices,
        tuple(inputs[n:]),
        (*find_notes(collection, answers), *notes),
    )
    return report.sorted(arrangement.sort) if arrangement.n_references else report


def build_matrices(
    collection: Collection,
    requests: Sequence[Request],
    answers: Sequence[Compared],
    arrangement: Arrangement,
) -> tuple[tuple[SquareMatrix | ReferenceMatrix, ...], list[Note]]:
    """The matrices of the metrics that fit, and notes on the others; an error if none fits."""
    matrices: list[SquareMatrix | ReferenceMatrix] = []
    notes = []
    for request in requests:
        found = {
            one.cell: one.results[request.spec] for one in answers if request.spec in one.results
        }
        reason = find_unfit(collection, request, found)
        if reason is None and arrangement.best and request.metric.higher_is_better is None:
            reason = "does not say what is better"
        if reason is not None:
            notes.append(Note(f"not applicable ({reason}): {request.spec}"))
        elif arrangement.n_references:
            matrices.append(build_ranking(request, found, collection.titles, arrangement))
        else:
            matrices.append(build_square(request, found, collection.titles))
    if not matrices:
        first = next(cell for cell in found if cell.row != cell.column)
        raise explain_unfit(collection, first, "none of the metrics", found[first])
    return tuple(matrices), notes


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


def build_square(
    request: Request, found: dict[Position, Result], names: tuple[str, ...]
) -> SquareMatrix:
    """The cells of one metric in the order given, with the order of similarity and the medoid."""
    rows = range(len(names))
    cells = tuple(tuple(find_result(found, Position(row, i)) for i in rows) for row in rows)
    facts = facts_of(request, found)
    better, best = facts["higher_is_better"], facts["best"]
    order, medoid = tuple(rows), None
    if better is not None and (distances := distances_between(cells, better, best)) is not None:
        order, medoid = order_by_similarity(distances), find_medoid(distances)
    return SquareMatrix(names=names, cells=cells, order=order, medoid=medoid, **facts)


def build_ranking(
    request: Request,
    found: dict[Position, Result],
    titles: tuple[str, ...],
    arrangement: Arrangement,
) -> ReferenceMatrix:
    """The cells of one metric, a row for each reference or one of the best values over them."""
    n, better = len(titles) - arrangement.n_references, request.metric.higher_is_better
    names, references = titles[:n], titles[n:]
    rows = range(n, len(titles))
    cells = tuple(tuple(found[Position(row, column)] for column in range(n)) for row in rows)
    compared_with = tuple((reference,) * n for reference in references)
    if arrangement.best and better is not None:
        chosen = best_over(cells, better)
        cells = (tuple(one.result for one in chosen),)
        compared_with = (tuple(references[one.row] for one in chosen),)
    return ReferenceMatrix(
        names=names,
        cells=cells,
        order=order_by_value(cells[0], better),
        compared_with=compared_with,
        **facts_of(request, found),
    )


def facts_of(request: Request, found: Mapping[Position, Result]) -> dict[str, Any]:
    """What a matrix says about its metric."""
    best = outermost(one.best for one in found.values())
    worst = outermost((one.worst for one in found.values()), best)
    metric = request.metric
    return {
        "metric": request.spec,
        "name": metric.name,
        "options": dict(request.options),
        "worst": worst,
        "best": best,
        "higher_is_better": metric.higher_is_better,
        "convention": metric.describe(request.options),
        "symmetric": request.symmetric,
    }


def find_result(found: dict[Position, Result], cell: Position) -> Result:
    """The result of a cell, which is that across the diagonal for a symmetric metric."""
    return found.get(cell) or found[Position(cell.column, cell.row)]


def outermost(ends: Iterable[float | None], inner: float | None = None) -> float | None:
    """The end that all have in common, or that farthest from the inner end; None if one has none.

    The ends of some metrics are others for soft clusterings than for hard ones.
    """
    distinct = set(ends)
    if len(distinct) == 1 or None in distinct or inner is None:
        return distinct.pop() if len(distinct) == 1 else None
    return max(distinct, key=lambda end: abs((end or 0.0) - inner))
