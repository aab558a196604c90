"""The cells of matrices: which there are, and the value of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from dataclasses import dataclass, replace
from functools import partial
from statistics import median
from typing import NamedTuple

from clustcmp.analyses.matrix.gather import Gathering
from clustcmp.errors import ClustcmpError
from clustcmp.evaluate import answers, does_not_fit
from clustcmp.model import Coverage
from clustcmp.notes import Note
from clustcmp.progress import announce
from clustcmp.registry import Request
from clustcmp.results import Result

# numpy counts without letting go of the interpreter, so threads that take less than this many
# seconds for a comparison only wait for each other (measured: 10 % slower than one thread).
WORTHWHILE = 0.003

# So many comparisons tell how long the others will take; the first is one with itself.
TRIALS = 8


class Place(NamedTuple):
    """Row and column of a cell: the reference and the other clustering."""

    row: int
    column: int


@dataclass(frozen=True)
class Task:
    """One comparison and what to compute of it."""

    place: Place
    requests: tuple[Request, ...]


@dataclass(frozen=True)
class Answer:
    """The result of each request for one comparison, and what there is to say about it."""

    place: Place
    results: dict[str, Result]
    coverage: Coverage
    remarks: tuple[Note, ...]


def plan_square(n_clusterings: int, requests: Sequence[Request]) -> list[Task]:
    """All comparisons of a square, those below the diagonal for metrics that need them only."""
    lean = tuple(map(without_details, requests))
    one_way = tuple(request for request in lean if not request.metric.symmetric)
    return [
        Task(Place(row, column), lean if row <= column else one_way)
        for row in range(n_clusterings)
        for column in range(n_clusterings)
        if row <= column or one_way
    ]


def plan_row(row: int, columns: Sequence[int], requests: Sequence[Request]) -> list[Task]:
    """The comparisons of some clusterings with one reference."""
    lean = tuple(map(without_details, requests))
    return [Task(Place(row, column), lean) for column in columns]


def without_details(request: Request) -> Request:
    """The request for the value alone: what a result says besides would fill no cell."""
    return replace(request, metric=replace(request.metric, details=None))


def answer_all(gathering: Gathering, tasks: Sequence[Task], jobs: int) -> list[Answer]:
    """The answers to all tasks, in their order."""
    spatial = any(request.metric.needs_coordinates for request in tasks[0].requests)
    # Metrics with coordinates divide each comparison among the threads themselves.
    gathering = replace(gathering, jobs=jobs if spatial else 1)
    answers = one_by_one if spatial or jobs == 1 else by_threads(jobs)
    return list(announce(answers(gathering, tasks), "comparing", len(tasks)))


def one_by_one(gathering: Gathering, tasks: Sequence[Task]) -> Iterator[Answer]:
    """The answers, one after the other."""
    for task in tasks:
        # What a metric tells about its own progress would be a second bar, so nobody listens.
        yield Context().run(answer, gathering, task)


def by_threads(jobs: int) -> Callable[[Gathering, Sequence[Task]], Iterator[Answer]]:
    """A way to answer that uses threads, if the first few tasks turn out to be worth it."""

    def answers(gathering: Gathering, tasks: Sequence[Task]) -> Iterator[Answer]:
        durations = []
        for task in tasks[:TRIALS]:
            began = time.perf_counter()
            yield answer(gathering, task)
            durations.append(time.perf_counter() - began)
        rest = tasks[TRIALS:]
        if median(durations) < WORTHWHILE:
            yield from one_by_one(gathering, rest)
            return
        pool = ThreadPoolExecutor(jobs)
        try:
            yield from pool.map(partial(answer, gathering), rest)
        finally:
            # After Ctrl-C nobody waits for the others.
            pool.shutdown(wait=False, cancel_futures=True)

    return answers


def answer(gathering: Gathering, task: Task) -> Answer:
    """What the metrics say about one comparison.

    Different points are an error for a metric that was named, as in a single comparison.
    """
    comparison = gathering.comparison(*task.place)
    results: dict[str, Result] = {}
    remarks: list[Note] = []
    for found in answers(comparison, task.requests):
        (result,) = found.results
        if found.unfit and found.request.named and comparison.difference:
            raise does_not_fit(found.request.metric.name, result, comparison)
        results[found.request.spec] = result
        remarks += found.remarks
    return Answer(task.place, results, comparison.coverage, tuple(dict.fromkeys(remarks)))


def explain_unfit(gathering: Gathering, place: Place, what: str, unfit: Result) -> ClustcmpError:
    """The error for a metric that fits no comparison, told by the first of them."""
    return does_not_fit(what, unfit, gathering.comparison(*place))
