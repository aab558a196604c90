"""Tasks for other machines: which are worth sending, in which batches, and what comes back.

The cheapest tasks are tried here first. After a moment that says how long tasks take: if all of
them are done soon nothing is sent, else the others go out in batches that take long enough to be
worth a message and are short enough to keep all workers busy until the end.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast
from uuid import uuid4

import numpy as np

from clustcmp.backends import Here
from clustcmp.errors import ClustcmpError, MachinesFailed
from clustcmp.machines.packing import Array, pack
from clustcmp.machines.trial import Trial
from clustcmp.machines.working import forget, run_batch
from clustcmp.version import VERSION

if TYPE_CHECKING:
    from distributed import Client, Future

Task = TypeVar("Task")
Answer = TypeVar("Answer")

# Seconds for which tasks are tried here.
PATIENCE = 0.25

# Seconds that tasks must take to be worth a round trip, besides the time to send their data.
WORTHWHILE = 0.5

# Bytes that are sent in a second: a guess at a network that is not quick.
BANDWIDTH = 1e8

# A batch takes at least and, if its tasks are short, at most about so many seconds. After Ctrl-C
# each worker ends the batch that it has begun.
SHORTEST, LONGEST = 0.2, 5.0

# Batches for each worker, so that workers that are slower do not keep the others waiting.
ROUNDS = 8

# How often data are sent anew that were lost together with all workers that had them.
ATTEMPTS = 3

# For how many seconds a scheduler may have no workers at all.
LONELY = 60.0


# Arrays of so many bytes stay with the workers for functions to come; those that were not used for
# the longest time go first.
MOST_BYTES = 1 << 30


class Packed(NamedTuple):
    """A function as bytes, and the large arrays in it by their digests; the name is new."""

    name: str
    function: bytes
    arrays: dict[str, Array]


class Sent(NamedTuple):
    """Data that the workers have, and their size."""

    future: Future
    size: int


class DataLost(Exception):
    """Workers ended with data that no other one has."""


class Machines:
    """The workers of one scheduler, for one run of clustcmp."""

    def __init__(self, address: str, connected: AbstractContextManager[Client]) -> None:
        """The scheduler is not needed yet; `connected` reaches it."""
        self.address, self._connected = address, connected
        self._client: Client | None = None
        self._stack = ExitStack()
        self._run = f"clustcmp-{uuid4().hex}"
        # In the order of their last use.
        self._sent: dict[str, Sent] = {}

    @property
    def client(self) -> Client:
        """The connection to the scheduler, made when it is first needed."""
        if self._client is None:
            self._client = self._stack.enter_context(self._connected)
        return self._client

    def count_workers(self) -> int:
        """The number of threads of all workers."""
        with self._explaining():
            count: int = sum(self.client.nthreads().values())
            if not count:
                raise no_workers(self.address)
            return count

    def run(
        self,
        function: Callable[[Task], Answer],
        tasks: Sequence[Task],
        costs: Sequence[float],
        here: Here[Task, Answer],
    ) -> Generator[Answer, None, None]:
        """The results in order: of the first tasks from here, of the others from where it pays."""
        trial = Trial(function, tasks, costs)
        seconds = trial.end(PATIENCE)
        rest = [position for position in range(len(tasks)) if not trial.took(position)]
        expected = [costs[position] * seconds for position in rest]
        packed = self._pack(function) if sum(expected) > WORTHWHILE else None
        others: Generator[Answer, None, None]
        if packed and sum(expected) > WORTHWHILE + self._count_new(packed) / BANDWIDTH:
            sent = (tasks[position] for position in rest)
            others = self._send(packed, into_batches(sent, expected, self.count_workers()))
        else:
            others = here([tasks[position] for position in rest])
        with closing(others):
            for position in range(len(tasks)):
                yield trial.answer(position) if trial.took(position) else next(others)

    def close(self) -> None:
        """Let the workers drop what they were sent, and end the connection."""
        self._sent.clear()
        with self._stack:
            if self._client is not None and self._client.status == "running":
                with suppress(Exception):
                    self._client.run(forget, self._run, wait=False, on_error="ignore")

    def _pack(self, function: Callable[[Any], Any]) -> Packed:
        """A function as bytes, under a new name."""
        return Packed(f"{self._run}-{uuid4().hex}", *pack(function))

    def _count_new(self, packed: Packed) -> int:
        """How many bytes of a function the workers do not have yet."""
        new = (array.nbytes for key, array in packed.arrays.items() if key not in self._sent)
        return len(packed.function) + sum(new)

    def _send(self, packed: Packed, batches: Sequence[bytes]) -> Generator[Any, None, None]:
        """The answers to the tasks of all batches, in their order; the first error is raised."""
        futures: list[Future] = []
        try:
            with self._explaining():
                futures = self._submit(packed, batches)
            for number in range(len(batches)):
                for is_answer, answer in self._outcomes(packed, batches, futures, number):
                    if not is_answer:
                        raise answer
                    yield answer
        finally:
            if self.client.status == "running":
                with suppress(Exception):
                    self.client.cancel([one for one in futures if not one.done()])

    def _outcomes(
        self, packed: Packed, batches: Sequence[bytes], futures: list[Future], number: int
    ) -> list[tuple[bool, Any]]:
        """What became of the tasks of one batch; if data were lost, all is sent anew from here."""
        for left in reversed(range(ATTEMPTS)):
            with self._explaining():
                try:
                    found: list[tuple[bool, Any]] = pickle.loads(self._wait(futures[number]))
                except DataLost:
                    if not left:
                        raise MachinesFailed(
                            f"workers of {self.address} lost their data {ATTEMPTS} times",
                            hint="look at their logs: they may have too little memory",
                        ) from None
                    self._sent.clear()
                    self._await_worker()
                    futures[number:] = self._submit(packed, batches[number:])
                else:
                    return found
        raise AssertionError

    def _submit(self, packed: Packed, batches: Sequence[bytes]) -> list[Future]:
        """Send the data that the workers do not have yet, and then the batches."""
        data = self._spread({packed.name: packed.function, **packed.arrays})
        function, key = data.pop(packed.name), uuid4().hex
        return [
            self.client.submit(
                run_batch,
                VERSION,
                packed.name,
                function,
                data,
                batch,
                key=f"clustcmp-{key}-{number}",
                pure=False,
            )
            for number, batch in enumerate(batches)
        ]

    def _spread(self, data: dict[str, Any]) -> dict[str, Future]:
        """Data of which each worker has a copy."""
        new = {f"{self._run}-{key}": one for key, one in data.items() if key not in self._sent}
        sent = self.client.scatter(new, broadcast=True, hash=False) if new else {}
        for key, one in data.items():
            known = self._sent.pop(key, None)
            size = one.nbytes if isinstance(one, np.ndarray) else len(one)
            self._sent[key] = known or Sent(sent[f"{self._run}-{key}"], size)
        found = {key: self._sent[key].future for key in data}
        while sum(one.size for one in self._sent.values()) > MOST_BYTES:
            # What is dropped here stays with the workers until the batches that need it are done.
            del self._sent[next(iter(self._sent))]
        return found

    def _wait(self, future: Future) -> bytes:
        """The outcomes of a batch, as a worker gave them."""
        from distributed import CancelledError

        try:
            return cast(bytes, future.result())
        except CancelledError:
            if self.client.status != "running":
                raise
            raise DataLost from None

    def _await_worker(self) -> None:
        """Wait until there is a worker again; the error says that there is none."""
        try:
            self.client.wait_for_workers(1, timeout=LONELY)
        except TimeoutError:
            raise no_workers(self.address) from None

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Turns what dask raises into an error that says what happened."""
        from distributed import CancelledError, KilledWorker

        try:
            yield
        except (ClustcmpError, DataLost):
            raise
        except KilledWorker as error:
            raise MachinesFailed(
                f"{error.allowed_failures + 1} workers of {self.address} ended, one after the "
                "other, while they ran the same tasks",
                hint="look at the log of a worker: it may have too little memory",
            ) from error
        except (CancelledError, OSError) as error:
            raise MachinesFailed(
                f"the connection to the scheduler at {self.address} is lost",
                hint="see whether the scheduler still runs, and start again",
            ) from error
        except Exception as error:
            raise MachinesFailed(
                f"the scheduler at {self.address} failed: {type(error).__name__}: {error}"
            ) from error


def no_workers(address: str) -> MachinesFailed:
    """The error for a scheduler that has nobody to work."""
    return MachinesFailed(
        f"the scheduler at {address} has no workers", hint=f"start some: dask worker {address}"
    )


def into_batches(tasks: Iterable[Any], expected: Sequence[float], workers: int) -> list[bytes]:
    """The tasks as bytes, neighbours in one batch, by the seconds that each is expected to take."""
    enough = min(max(sum(expected) / (ROUNDS * max(workers, 1)), SHORTEST), LONGEST)
    batches, some, filled = [], list[Any](), 0.0
    for task, seconds in zip(tasks, expected, strict=True):
        some.append(task)
        filled += seconds
        if filled >= enough:
            batches.append(pickle.dumps(some))
            some, filled = [], 0.0
    return [*batches, pickle.dumps(some)] if some else batches
