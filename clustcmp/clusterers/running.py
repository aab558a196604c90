"""Many fits of one clusterer, side by side where that pays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from clustcmp.backends import map_tasks, use
from clustcmp.clusterers.base import Clusterer

Task = TypeVar("Task")
Answer = TypeVar("Answer")


def run_fits(
    clusterer: Clusterer,
    function: Callable[[Task], Answer],
    tasks: Sequence[Task],
    jobs: int,
    what: str,
) -> list[Answer]:
    """The answers of a function that uses the clusterer, in the order of the tasks.

    Threads only wait for programs, or run functions that other processes cannot have. Other
    processes are started if the first fits take so long that it pays. Other machines get what
    processes can have.
    """
    if clusterer.runs == "threads":
        return map_tasks(function, tasks, jobs, what=what, stays=True)
    if clusterer.runs == "serial":
        return map_tasks(function, tasks, 1, what=what, stays=True)
    from clustcmp.processes import paying, processes

    with use(processes):
        return map_tasks(function, tasks, jobs, what=what, worthwhile=paying(len(tasks), jobs))
