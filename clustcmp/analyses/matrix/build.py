"""From the answers to all comparisons to one matrix for each metric."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clustcmp.analyses.matrix.cells import Place, answer_all, explain_unfit, plan_row, plan_square
from clustcmp.analyses.matrix.gather import Gathering
from clustcmp.analyses.matrix.notes import find_notes
from clustcmp.analyses.matrix.order import distances_between, find_medoid, order_by_similarity, rank
from clustcmp.analyses.matrix.report import Matrix, MatrixReport
from clustcmp.notes import Note
from clustcmp.registry import Request
from clustcmp.results import Result, Status


def build_report(
    gathering: Gathering, requests: Sequence[Request], jobs: int, has_reference: bool
) -> MatrixReport:
    """A matrix for each metric that fits; the reference is the last of the clusterings."""
    inputs = [gathering.describe(index) for index in range(len(gathering.clusterings))]
    n = len(inputs) - has_reference
    tasks = plan_row(n, range(n), requests) if has_reference else plan_square(n, requests)
    answers = answer_all(gathering, tasks, jobs)
    matrices, notes = [], []
    for request in requests:
        found = {
            one.place: one.results[request.spec] for one in answers if request.spec in one.results
        }
        if (reason := find_unfit(gathering, request, found)) is None:
            matrices.append(build_matrix(request, found, n, has_reference))
        else:
            notes.append(Note(f"not applicable ({reason}): {request.spec}"))
    if not matrices:
        first = next(place for place in found if place.row != place.column)
        raise explain_unfit(gathering, first, "none of the metrics", found[first])
    return MatrixReport(
        tuple(inputs[:n]),
        tuple(matrices),
        inputs[n] if has_reference else None,
        (*find_notes(gathering, answers), *notes),
    )


def find_unfit(gathering: Gathering, request: Request, found: dict[Place, Result]) -> str | None:
    """Why a metric fits no two of the clusterings, if so; an error if it was named."""
    others = {place: result for place, result in found.items() if place.row != place.column}
    if any(result.status is not Status.not_applicable for result in others.values()):
        return None
    place, result = next(iter(others.items()))
    if request.named:
        raise explain_unfit(gathering, place, request.metric.name, result)
    return result.reason or ""


def build_matrix(
    request: Request, found: dict[Place, Result], n: int, has_reference: bool
) -> Matrix:
    """The cells of one metric in the order given, with the order of similarity and the medoid."""
    rows = [n] if has_reference else range(n)
    cells = tuple(
        tuple(find_cell(found, Place(row, column)) for column in range(n)) for row in rows
    )
    worst, best = (common(getattr(one, end) for one in found.values()) for end in ("worst", "best"))
    better = request.metric.higher_is_better
    order: tuple[int, ...] = tuple(range(n))
    medoid = None
    if has_reference:
        order = rank(cells[0], better)
    elif better is not None and (distances := distances_between(cells, better, best)) is not None:
        order, medoid = order_by_similarity(distances), find_medoid(distances)
    return Matrix(
        request.spec,
        request.metric.name,
        dict(request.options),
        worst,
        best,
        better,
        cells,
        order,
        medoid,
        request.metric.describe(request.options),
        request.metric.symmetric,
    )


def find_cell(found: dict[Place, Result], place: Place) -> Result:
    """The result at a place, which is that across the diagonal for a symmetric metric."""
    return found.get(place) or found[Place(place.column, place.row)]


def common(ends: Iterable[float | None]) -> float | None:
    """The end that all have in common, if they have one."""
    distinct = set(ends)
    return distinct.pop() if len(distinct) == 1 else None
