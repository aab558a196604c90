"""Parallel work: a function mapped over independent tasks, with the results in their order.

`map_tasks` alone starts threads, shows their progress and ends them after Ctrl-C or an error. Its
callers give a function of a module, or a `functools.partial` of such a function, and tasks that are
plain data, so that function and tasks can be pickled:

    map_tasks(partial(read_file, options), addresses, jobs)
    map_tasks(partial(answer, gathering), cells, jobs, what="comparing", worthwhile=0.003)

A backend decides where on this machine the tasks run. `serial` and `threads` are here, `processes`
has a module of its own. In a block of `send_to` other machines get the tasks, if that is worth it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from contextvars import ContextVar
from functools import partial
from typing import Protocol, TypeVar

from clustcmp.progress import SILENCE, announce, told_to
from clustcmp.within import Within
from clustcmp.wording import Reader, current_reader, read_by

Task = TypeVar("Task")
Answer = TypeVar("Answer")

# The median duration of this many tasks says whether the others are worth a thread. The first task
# is not typical: it may import a library, or be an easy one.
TRIALS = 8

# From the second task on no further one is tried after so many seconds: long tasks are worth it.
LONGEST_TRIAL = 2.0


class Backend(Protocol):
    """Runs the function on each task, at most `jobs` at a time; yields the results in order."""

    def __call__(
        self, function: Callable[[Task], Answer], tasks: Sequence[Task], jobs: int, /
    ) -> Generator[Answer, None, None]:
        """The results; the first error in the order of the tasks is raised, the rest cancelled."""


def serial(
    function: Callable[[Task], Answer], tasks: Sequence[Task], jobs: int
) -> Generator[Answer, None, None]:
    """One task after the other in the thread of the caller, whatever `jobs` is."""
    for task in tasks:
        yield function(task)


def threads(
    function: Callable[[Task], Answer], tasks: Sequence[Task], jobs: int
) -> Generator[Answer, None, None]:
    """One thread per job.

    Python code runs in one thread at a time; solvers and much of numpy run side by side.
    """
    pool = ThreadPoolExecutor(min(jobs, len(tasks)))
    try:
        yield from pool.map(function, tasks)
    finally:
        # After an error or Ctrl-C no further task begins. The caller does not wait for tasks that
        # still run.
        pool.shutdown(wait=False, cancel_futures=True)


# Runs some tasks on this machine.
Here = Callable[[Sequence[Task]], Generator[Answer, None, None]]


class Elsewhere(Protocol):
    """Other machines that run tasks."""

    def count_workers(self) -> int:
        """How many tasks they can run at a time."""

    def run(
        self,
        function: Callable[[Task], Answer],
        tasks: Sequence[Task],
        costs: Sequence[float],
        here: Here[Task, Answer],
        /,
    ) -> Generator[Answer, None, None]:
        """The results in order, as a backend yields them; `here` runs what is not worth sending."""


_backend: ContextVar[Backend] = ContextVar("backend", default=threads)

_elsewhere: ContextVar[Elsewhere | None] = ContextVar("elsewhere", default=None)

_jobs: ContextVar[int] = ContextVar("jobs", default=1)


def allow_jobs(jobs: int) -> Within[int]:
    """A block in which work that has no setting of its own may use so many threads."""
    return Within(_jobs, jobs)


def allowed_jobs() -> int:
    """How many threads work that has no setting of its own may use; 1 unless more are allowed."""
    return _jobs.get()


def use(backend: Backend) -> Within[Backend]:
    """A block in which `map_tasks` runs tasks by this backend if there is more than one job."""
    return Within(_backend, backend)


def send_to(machines: Elsewhere) -> Within[Elsewhere | None]:
    """A block in which `map_tasks` sends tasks to other machines if that is worth it."""
    return Within(_elsewhere, machines)


def sends_tasks() -> bool:
    """Whether `map_tasks` may send tasks to other machines."""
    return _elsewhere.get() is not None


def stay_here() -> Within[Elsewhere | None]:
    """A block in which `map_tasks` sends nothing, for tasks with much data and little work."""
    return Within(_elsewhere, None)


def map_tasks(
    function: Callable[[Task], Answer],
    tasks: Sequence[Task],
    jobs: int,
    *,
    what: str = "",
    worthwhile: float = 0.0,
    costs: Sequence[float] | None = None,
    stays: bool = False,
    divides: bool = False,
) -> list[Answer]:
    """The results of the function for all tasks, in the order of the tasks.

    With one job all tasks run in the thread of the caller. With more jobs even a single task runs
    elsewhere, because Python does not notice Ctrl-C while the main thread is inside of a solver.
    `what` names the work for a progress bar; without a name no progress is told. `worthwhile` is
    the number of seconds that a task must take to be worth a thread: the first few tasks run in the
    thread of the caller, and the others do too if those took less. If several tasks fail, the error
    of the first of them in the order of the tasks is raised, whatever the number of jobs.

    The rest is about other machines, if there are any. `costs` say how long tasks take in relation
    to each other; without them tasks are taken to be equal. A task that `stays` needs files or
    programs of this machine. A task that `divides` its work by `map_tasks` is sent as a whole only
    where there are enough tasks for all machines.
    """
    quiet = partial(run_quietly, function, current_reader())
    here = partial(run_tasks, quiet, jobs, worthwhile)
    machines = None if stays or not tasks else _elsewhere.get()
    if machines is None or (divides and len(tasks) < machines.count_workers()):
        answers = here(tasks)
    else:
        answers = machines.run(quiet, tasks, costs or [1.0] * len(tasks), here)
    # Without closing, the traceback of Ctrl-C would keep the generator alive, and with it the pool.
    with closing(answers):
        return list(announce(answers, what, len(tasks)) if what else answers)


def count_jobs(jobs: int | None) -> int:
    """The number of threads: as asked for, or one for each core that this process may use."""
    if jobs is None and hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return jobs or os.cpu_count() or 1


def run_quietly(function: Callable[[Task], Answer], reader: Reader, task: Task) -> Answer:
    """The result of one task, whose messages are for the same reader as those of the caller.

    Progress inside a task is not reported, because it would open a second bar.
    """
    with told_to(SILENCE), read_by(reader):
        return function(task)


def run_tasks(
    function: Callable[[Task], Answer], jobs: int, worthwhile: float, tasks: Sequence[Task]
) -> Generator[Answer, None, None]:
    """The results, by the backend in use where there is more than one job for it."""
    if jobs == 1 or not tasks:
        return serial(function, tasks, 1)
    backend = _backend.get()
    if not worthwhile:
        return backend(function, tasks, jobs)
    return try_first(function, tasks, jobs, worthwhile, backend)


def try_first(
    function: Callable[[Task], Answer],
    tasks: Sequence[Task],
    jobs: int,
    worthwhile: float,
    backend: Backend,
) -> Generator[Answer, None, None]:
    """The results of the first few tasks by `serial`, of the others by the backend if it pays."""
    durations = []
    for task in tasks[:TRIALS]:
        began = time.perf_counter()
        answer = function(task)
        durations.append(time.perf_counter() - began)
        yield answer
        if len(durations) > 1 and sum(durations) > LONGEST_TRIAL:
            break
    rest = tasks[len(durations) :]
    if rest:
        yield from (backend if sorted(durations)[len(durations) // 2] >= worthwhile else serial)(
            function, rest, jobs
        )
