"""Parallel work: results in order, errors, Ctrl-C, progress, tasks that can be pickled."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
import pytest

import clustcmp
from clustcmp.align import align
from clustcmp.backends import TRIALS, map_tasks, use
from clustcmp.evaluate import answers
from clustcmp.metrics import METRICS
from clustcmp.model import Clustering, Comparison, Hard, PointSet, Texts
from clustcmp.progress import announce, begin, told_to
from clustcmp.registry import Request
from clustcmp.transport import distances
from tests.conftest import Ear

Task = TypeVar("Task")
Answer = TypeVar("Answer")

# Tests that would hang without a limit give up after this many seconds.
PATIENCE = 20.0


def thread_of(task: object) -> str:
    """The name of the thread that runs a task."""
    return threading.current_thread().name


def pickled(
    function: Callable[[Task], Answer], tasks: Sequence[Task], jobs: int
) -> Generator[Answer, None, None]:
    """A backend that sends all through pickle, as one for processes or other machines would."""
    for task in tasks:
        run, copy = pickle.loads(pickle.dumps((function, task)))
        yield pickle.loads(pickle.dumps(run(copy)))


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_results_come_in_the_order_of_the_tasks(jobs: int) -> None:
    def square(seconds: float) -> float:
        time.sleep(seconds)
        return seconds**2

    tasks = [0.03, 0.0, 0.02, 0.01]
    assert map_tasks(square, tasks, jobs) == [seconds**2 for seconds in tasks]


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_tasks_have_no_results(jobs: int) -> None:
    assert map_tasks(abs, [], jobs, what="counting") == []


def test_one_job_starts_no_thread() -> None:
    assert set(map_tasks(thread_of, range(5), 1)) == {threading.current_thread().name}


def test_several_jobs_run_at_the_same_time() -> None:
    meeting = threading.Barrier(3, timeout=PATIENCE)
    assert sorted(map_tasks(lambda task: meeting.wait(), range(3), 3)) == [0, 1, 2]


def test_a_single_task_leaves_the_main_thread_free_for_ctrl_c() -> None:
    assert map_tasks(thread_of, [1], 2) != [threading.current_thread().name]


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_first_error_in_the_order_of_the_tasks_is_raised(jobs: int) -> None:
    second_failed = threading.Event()

    def fail(task: int) -> None:
        if task == 1:
            second_failed.set()
        elif jobs > 1:
            assert second_failed.wait(PATIENCE)
        raise ValueError(task)

    with pytest.raises(ValueError, match="0"):
        map_tasks(fail, [0, 1], jobs)


class Blocked:
    """Tasks that run until they are released, but for task 0, which ends in its own way."""

    def __init__(self, first: Callable[[], None]) -> None:
        self.first = first
        self.begun: list[int] = []
        self.workers: set[threading.Thread] = set()
        self.released = threading.Event()

    def __call__(self, task: int) -> None:
        self.begun.append(task)
        self.workers.add(threading.current_thread())
        if task == 0:
            self.first()
        else:
            self.released.wait(PATIENCE)

    def release(self) -> None:
        """Let the tasks that run end, and wait for their threads."""
        self.released.set()
        for worker in self.workers:
            worker.join(PATIENCE)


def fail() -> None:
    """Raise an error."""
    raise ValueError("no")


class Impatient(Ear):
    """A listener that is told once and then behaves as if the user pressed Ctrl-C."""

    def __call__(self, what: str, done: int, total: int) -> None:
        raise KeyboardInterrupt


def test_after_an_error_no_other_task_is_begun() -> None:
    work = Blocked(fail)
    with pytest.raises(ValueError, match="no"):
        map_tasks(work, range(50), 2)
    work.release()
    assert len(work.begun) <= 3


def test_ctrl_c_ends_at_once_although_tasks_still_run() -> None:
    work = Blocked(lambda: None)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as caught, told_to(Impatient()):
        map_tasks(work, range(50), 2, what="working")
    assert time.monotonic() - began < PATIENCE / 2
    work.release()
    # The traceback is still there, and does not keep the other tasks going.
    assert caught.tb is not None
    assert len(work.begun) <= 3


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_is_told_for_each_task(jobs: int) -> None:
    ear = Ear()
    with told_to(ear):
        map_tasks(abs, [-1, -2, -3], jobs, what="counting")
        map_tasks(abs, [-1, -2, -3], jobs)
    assert ear.told == [("counting", done, 3) for done in (1, 2, 3)]


def work_in_steps(task: int) -> int:
    """A task that has stages and progress of its own."""
    begin("step")
    return sum(announce(range(task), "steps", task))


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_within_a_task_is_not_told(jobs: int) -> None:
    ear = Ear()
    with told_to(ear):
        map_tasks(work_in_steps, [2, 3], jobs, what="counting")
    assert ear.told == [("counting", 1, 2), ("counting", 2, 2)]
    assert ear.stages == []


@pytest.mark.parametrize(("worthwhile", "n_threads"), [(60.0, 1), (1e-9, 2)])
def test_threads_are_used_only_if_the_first_tasks_take_long_enough(
    worthwhile: float, n_threads: int
) -> None:
    names = map_tasks(thread_of, range(3 * TRIALS), 2, worthwhile=worthwhile)
    here = threading.current_thread().name
    assert set(names[:TRIALS]) == {here}
    assert (here in names[TRIALS:]) == (n_threads == 1)


def test_another_backend_can_be_used() -> None:
    with use(pickled):
        assert map_tasks(partial(pow, 2), [1, 2, 3], 2) == [2, 4, 8]
        with pytest.raises((AttributeError, pickle.PicklingError)):
            map_tasks(lambda task: task, [1], 2)
    assert map_tasks(lambda task: task, [1], 2) == [1]


def test_transport_tasks_can_be_pickled(monkeypatch: pytest.MonkeyPatch) -> None:
    # One problem per task.
    monkeypatch.setattr(distances, "BATCH_CELLS", 1)
    a, b = [0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 2, 0]
    where = [[0, 1], [2, 0], [3, 5], [4, 4], [7, 1], [6, 6]]
    metrics = ["cdistance", "similarity_distance"]
    here = clustcmp.compare(a, b, metrics=metrics, coordinates=where, jobs=1)
    with use(pickled):
        elsewhere = clustcmp.compare(a, b, metrics=metrics, coordinates=where, jobs=2)
    assert [result.value for result in elsewhere] == [result.value for result in here]


def value_of(comparison: Comparison, request: Request) -> float | None:
    """The value of a metric for a comparison, which is what a cell of a matrix needs."""
    (answer,) = answers(comparison, [request])
    return answer.results[0].value


def test_comparisons_and_all_requests_can_be_pickled() -> None:
    sides = [
        Clustering(
            PointSet(6, coordinates=np.arange(12.0).reshape(6, 2)),
            Hard(np.array(codes, dtype=np.int32), 3),
            Texts.of("xyz"),
        )
        for codes in ([0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 2, 2])
    ]
    comparison = align(sides[0], sides[1])
    requests = METRICS.requests(["all", "nmi:average=max"])
    here = map_tasks(partial(value_of, comparison), requests, 1)
    assert None not in here
    with use(pickled):
        assert map_tasks(partial(value_of, comparison), requests, 2) == here
