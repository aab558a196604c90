"""How long something takes, what came out of it, and whether that is good enough."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")

SHORTEST_RACE = 10.0

CLUSTCMP = str(Path(sys.executable).with_name("clustcmp"))

# Both sides may keep their compiled modules, as they do on a user's machine.
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
}


@dataclass(frozen=True)
class Run(Generic[T]):
    """The seconds of the fastest repetition and what it returned."""

    seconds: float
    returned: T


@dataclass(frozen=True)
class Outcome:
    """One line of the table; ours and peer are seconds or gigabytes."""

    what: str
    unit: str
    ours: float
    peer: float | None
    ratio: str
    target: str
    ok: bool


def race(repeats: int, ours: Callable[[], T], peer: Callable[[], T]) -> tuple[Run[T], Run[T]]:
    """The best of several repetitions of each, in turn, so that both suffer the same noise.

    What takes milliseconds is repeated for seconds: a single pause would be all of its time.
    """
    until = time.perf_counter() + SHORTEST_RACE
    runs: list[tuple[Run[T], Run[T]]] = []
    while len(runs) < repeats or time.perf_counter() < until:
        runs.append((timed(ours), timed(peer)))
    best_ours, best_peer = (
        min(side, key=lambda run: run.seconds) for side in zip(*runs, strict=True)
    )
    return best_ours, best_peer


def timed(compute: Callable[[], T]) -> Run[T]:
    """A call with its duration."""
    began = time.perf_counter()
    returned = compute()
    return Run(time.perf_counter() - began, returned)


def call(*command: str) -> str:
    """What a command writes; anything but success is an error."""
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
    ).stdout


def check_same(what: str, ours: Iterable[float], peer: Iterable[float]) -> None:
    """Stop if the two do not compute the same values: then their times mean nothing."""
    for mine, theirs in zip(ours, peer, strict=True):
        if not math.isclose(mine, theirs, rel_tol=0.0, abs_tol=1e-9):
            sys.exit(f"{what}: clustcmp says {mine!r} and its peer {theirs!r}")


def faster(what: str, ours: float, peer: float, times: float) -> Outcome:
    """Ours must be so many times faster than the peer."""
    ratio = peer / ours
    target = f"at least {times:g}x faster"
    return Outcome(what, "s", ours, peer, f"{ratio:.1f}x faster", target, ratio >= times)


def not_slower(what: str, ours: float, peer: float, times: float) -> Outcome:
    """Ours may take so many times as long as the peer."""
    ratio = ours / peer
    target = f"at most {times:g}x as long"
    return Outcome(what, "s", ours, peer, f"{ratio:.1f}x as long", target, ratio <= times)


def below(what: str, ours: float, limit: float, unit: str) -> Outcome:
    """Ours must stay below a limit."""
    return Outcome(what, unit, ours, None, "", f"below {limit:g} {unit}", ours < limit)
