"""What the exact transport between all clusters costs, told before the work begins.

The numbers of seconds were measured on one core of a machine of 2024 with problems of 100 to 8,000
points on each side; docs/performance.md has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from clustcmp.errors import LimitExceeded
from clustcmp.memory import available_memory
from clustcmp.progress import explain, show_duration
from clustcmp.transport.distances import KERNEL_BYTES, Problems, takes_kernel
from clustcmp.transport.exact import BYTES_PER_CELL
from clustcmp.transport.places import Places, Spread
from clustcmp.wording import say

# Seconds for each pair of places: by the kernel in no dimension, by how much each dimension adds,
# and by POT.
KERNEL_SECONDS, DIMENSION_SECONDS, POT_SECONDS = 1.2e-8, 1.5e-9, 1.5e-7

# Work up to so many seconds needs no estimate, and is done exactly even if an interval would do.
QUICK = 3.0

# Exact work that takes longer than an hour is done only if a budget allows it.
AFFORDABLE = 3600.0

# Memory that every machine has.
MODEST = 2e9

# Intervals for fewer dimensions than these are narrow after a short time.
FEW_DIMENSIONS = 7

# Seconds for each point until the interval of a few clusters is 1 % wide.
INTERVAL_SECONDS = 1e-5


class Cost(NamedTuple):
    """What exact transports cost: seconds with all jobs, and bytes at the same time."""

    seconds: float
    bytes: float

    def __str__(self) -> str:
        return f"about {show_duration(self.seconds)} and {self.bytes / 1e9:.2g} GB of memory"


def cost_of_exact(problems: Problems, jobs: int, solver: str) -> Cost:
    """The cost of all transports between the spreads of a and those of b.

    Mass that cancels is not taken into account, so that the cost is rather too high.
    """
    places = problems.places
    sizes_a, sizes_b = sizes_of(problems.a), sizes_of(problems.b)
    if places.on_a_line:
        return Cost(0.0, 0.0)
    seconds, bytes_each = POT_SECONDS, BYTES_PER_CELL
    if takes_kernel(places, solver):
        seconds = KERNEL_SECONDS + DIMENSION_SECONDS * places.positions.shape[1]
        bytes_each = KERNEL_BYTES
    n_arcs = sum(sizes_a) * sum(sizes_b)
    at_once = min(jobs, len(sizes_a) * len(sizes_b))
    largest = max(sizes_a, default=0) * max(sizes_b, default=0)
    return Cost(n_arcs * seconds / at_once, float(largest * bytes_each * at_once))


def sizes_of(spreads: Sequence[Spread]) -> list[int]:
    """The number of places of each spread."""
    return [len(one.places) for one in spreads]


def is_quick(problems: Problems) -> bool:
    """Whether exact transports take no longer than narrow bounds would.

    In many dimensions cells say little, so that whatever is affordable is done exactly. The number
    of jobs and the free memory do not count: the same input takes the same way on every machine.
    """
    cost = cost_of_exact(problems, 1, "auto")
    if problems.places.positions.shape[1] < FEW_DIMENSIONS:
        return cost.seconds <= QUICK
    return cost.seconds <= AFFORDABLE and cost.bytes <= MODEST


def explain_cost(problems: Problems, jobs: int) -> Cost:
    """The cost of exact transports, told to users who want to know more."""
    cost = cost_of_exact(problems, jobs, "auto")
    explain(f"exact transport takes {cost}")
    return cost


def fits_budget(problems: Problems, jobs: int, budget: float | None) -> bool:
    """Whether there is time and memory for exact transports."""
    cost = explain_cost(problems, jobs)
    return cost.seconds <= (budget or 0.0) and cost.bytes <= available_memory()


def check_affordable(
    problems: Problems, jobs: int, solver: str, metric: str, budget: float | None
) -> None:
    """Tell the cost, and refuse transports that would take too long or too much memory."""
    cost = cost_of_exact(problems, jobs, solver)
    if cost.seconds <= QUICK:
        return
    explain(f"exact {metric} takes {cost}")
    if cost.seconds <= max(AFFORDABLE, budget or 0.0):
        return
    raise LimitExceeded(
        f"exact {metric} would take {cost}, and more than {show_duration(AFFORDABLE)} is not "
        "spent unasked",
        hint=other_ways(problems.places, metric, cost),
    )


def other_ways(places: Places, metric: str, cost: Cost) -> str:
    """What to type instead of an exact value that costs too much."""
    allow = f"{say('budget', f'{cost.seconds / 3600.0:.0f}h')} allows it"
    if places.ground != "euclidean" or places.coordinates is None:
        return allow
    word = f"{metric}:tolerance=0.01"
    if places.coordinates.shape[1] >= FEW_DIMENSIONS:
        return (
            f"{allow}; {word} with {say('budget', '10min')} gives a proven interval, which is wide "
            f"in {places.coordinates.shape[1]} dimensions"
        )
    seconds = INTERVAL_SECONDS * len(places.coordinates)
    return f"{word} gives a proven interval after about {show_duration(seconds)}; {allow}"
