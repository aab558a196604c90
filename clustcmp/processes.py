"""A backend for `map_tasks` that runs tasks in other processes of Python.

    with use(processes):
        map_tasks(function, tasks, jobs, worthwhile=paying(len(tasks), jobs))

A worker is a new interpreter with a private pipe. It does not run the script of the user again, as
the processes of `multiprocessing` do, so scripts need no `if __name__ == "__main__"`. Function and
tasks are pickled, and each worker gets the function once. A worker ends when its pipe is closed,
which is also what the end of clustcmp does, and dies of Ctrl-C without a word.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO, TypeVar

from clustcmp.backends import threads
from clustcmp.errors import ClustcmpError, ClustererFailed
from clustcmp.wording import say

Task = TypeVar("Task")
Answer = TypeVar("Answer")

# Seconds until a new worker has imported what it needs.
START = 3.0

# One thread in each worker: workers share the cores, and sums depend on the number of threads.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

BEGIN = """
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from clustcmp.processes import work
work()
"""


def paying(n_tasks: int, jobs: int) -> float:
    """The seconds that each of so many tasks must take for workers to save more than they cost."""
    return START / max(1e-9, n_tasks * (1.0 - 1.0 / jobs))


def processes(
    function: Callable[[Task], Answer], tasks: Sequence[Task], jobs: int
) -> Generator[Answer, None, None]:
    """One worker per job; a thread of the caller waits for each of them."""
    workers = Workers(function)
    try:
        with closing(threads(workers.ask, tasks, jobs)) as answers:
            yield from answers
    finally:
        workers.end()


class Workers:
    """The workers for one function, each of them started when no other one is free."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        """No worker is started yet."""
        self._function = pickle.dumps(function)
        self._free: list[Worker] = []
        self._all: list[Worker] = []

    def ask(self, task: Any) -> Any:
        """The answer of a free worker."""
        try:
            # Taking from a list and adding to it are single steps for other threads.
            worker = self._free.pop()
        except IndexError:
            worker = Worker(self._function)
            self._all.append(worker)
        is_answer, answer = worker.ask(task)
        self._free.append(worker)
        if not is_answer:
            raise answer
        return answer

    def end(self) -> None:
        """End all workers, whatever they do."""
        for worker in self._all:
            worker.end()


class Worker:
    """An interpreter that answers tasks, one after the other."""

    def __init__(self, function: bytes) -> None:
        """Start it, and tell it where modules are and what to do."""
        self._process = subprocess.Popen(
            [sys.executable, "-c", BEGIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **ONE_THREAD},
        )
        self._first = pickle.dumps(sys.path) + function

    def ask(self, task: Any) -> tuple[bool, Any]:
        """Whether the task has an answer, and the answer or the error."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(self._first + pickle.dumps(task))
            stdin.flush()
            self._first = b""
            answer: tuple[bool, Any] = pickle.load(stdout)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            raise ClustererFailed(
                f"a process that clusters points ended with status {self._process.wait()}",
                hint=f"say {say('jobs', 1)} to see what happens",
            ) from None
        return answer

    def end(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def work() -> None:
    """What a worker does: answer the tasks that come in, until nobody can send any more."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # What a task prints must not come between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    messages: SimpleQueue[Any] = SimpleQueue()
    Thread(target=listen, args=(sys.stdin.buffer, messages), daemon=True).start()
    function = messages.get()
    while True:
        pickle.dump(answer_to(function, messages.get()), answers)
        answers.flush()


def listen(stream: BinaryIO, messages: SimpleQueue[Any]) -> None:
    """Hand on what comes in; the end of the stream is the end of the worker, even amid a task."""
    # os._exit, because the main thread may be in a fit that nobody waits for any more.
    try:
        while True:
            messages.put(pickle.load(stream))
    finally:
        os._exit(0)


def answer_to(function: Callable[[Any], Any], task: Any) -> tuple[bool, Any]:
    """The answer to a task, or the error that it raised in a form that can be sent."""
    try:
        return True, function(task)
    except ClustcmpError as error:
        return False, error
    except Exception as error:  # noqa: BLE001  the process that asked raises it
        return False, ClustererFailed(f"{type(error).__name__}: {error}")
