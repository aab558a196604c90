"""What a worker does with a batch of tasks; the only functions that a worker is sent by name."""

from __future__ import annotations

import pickle
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

from clustcmp.backends import serial, use
from clustcmp.errors import MachinesFailed
from clustcmp.machines.packing import Array, unpack
from clustcmp.version import VERSION

# How many functions a worker keeps ready with all that they hold and have computed.
KEPT = 4

_functions: OrderedDict[str, Callable[[Any], Any]] = OrderedDict()
_lock = Lock()


def run_batch(
    version: str, name: str, function: bytes, arrays: Mapping[str, Array], tasks: bytes
) -> bytes:
    """The outcome of each task up to the first error, as bytes.

    `version` is that of the clustcmp that sent the batch: a worker that joined late may have
    another one.
    """
    if version != VERSION:
        wrong = MachinesFailed(
            f"a worker has clustcmp {VERSION}, but {version} is running here",
            hint=f"install clustcmp {version} where workers run, or {VERSION} here",
        )
        return pickle.dumps([(False, wrong)])
    run = ready(name, function, arrays)
    outcomes = []
    # Each thread of a worker has its own task, so that no task needs further threads.
    with use(serial):
        for task in pickle.loads(tasks):
            outcomes.append(attempt(run, task))
            if not outcomes[-1][0]:
                break
    return pickle.dumps(outcomes)


def ready(name: str, function: bytes, arrays: Mapping[str, Array]) -> Callable[[Any], Any]:
    """The function; if this worker had it before, with all that it has computed since."""
    with _lock:
        found = _functions.get(name)
        if found is None:
            found = _functions[name] = unpack(function, arrays)
        _functions.move_to_end(name)
        while len(_functions) > KEPT:
            _functions.popitem(last=False)
    return found


def forget(run: str) -> None:
    """Drop the functions of a run that is over, whose names begin so."""
    with _lock:
        for name in [one for one in _functions if one.startswith(run)]:
            del _functions[name]


def attempt(function: Callable[[Any], Any], task: Any) -> tuple[bool, Any]:
    """Whether a task has an answer, and the answer or an error that can be sent."""
    try:
        return True, function(task)
    except Exception as error:  # noqa: BLE001  the process that sent the task raises it
        # The traceback itself stays here, and is needed where the error is a bug.
        error.add_note("on a worker:\n" + "".join(traceback.format_exception(error)))
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:  # noqa: BLE001  any class may refuse to be pickled in its own way
            return False, RuntimeError(f"{type(error).__name__}: {error}")
        return False, error
