"""The door to the kernel in C: exact transport between clusters of points in Euclidean space.

The kernel is built with the package where there is a C compiler. Without it POT solves the same
problems, more slowly.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Floats, Integers
from clustcmp.errors import LimitExceeded, SolverFailed
from clustcmp.transport.places import Places, Spread
from clustcmp.wording import name_of

LIBRARY = "clustcmp.transport._kernel"

# What the kernel returns besides 0.
NO_MEMORY, TOO_MUCH_MASS = -1, -2

# Units of mass have at most so many bits besides those that tell nodes apart: two are for a sign
# and for sums, three for a factor of four and for rounding up.
BITS = 59

Function = Callable[..., int]


class KernelSide(NamedTuple):
    """The clusters of one side for the kernel, one after the other.

    Cluster k has the entries `begins[k]` to `begins[k + 1]` of `places` and `units`; all its units
    are `totals[k]`. `shares` are the masses themselves where units are rounded.
    """

    begins: npt.NDArray[np.int64]
    places: npt.NDArray[np.int32]
    units: npt.NDArray[np.int64]
    shares: Floats | None
    totals: npt.NDArray[np.int64]

    @property
    def addresses(self) -> tuple[int | None, ...]:
        """Where the arrays are in memory."""
        return tuple(None if array is None else array.ctypes.data for array in self)


class Kernel(NamedTuple):
    """The kernel's functions: values of many pairs, the plan of one, potentials for cells."""

    transport_pairs: Function
    transport_plan: Function
    bound_potentials: Function


@cache
def load_kernel() -> Kernel | None:
    """The kernel's functions, or None if the kernel was not built."""
    spec = find_spec(LIBRARY)
    if spec is None or spec.origin is None:
        return None
    number, pointer, count = ctypes.c_int, ctypes.c_void_p, ctypes.c_int64
    side = [pointer] * len(KernelSide._fields)
    try:
        library = ctypes.CDLL(spec.origin)
        kernel = Kernel(*(getattr(library, name) for name in Kernel._fields))
    except (OSError, AttributeError):
        return None
    types = (
        [number, pointer, *side, *side, count, pointer, pointer, pointer],
        [number, number, pointer, pointer, number, *[pointer] * 6],
        [number, number, *[pointer] * 4, number, *[pointer] * 7],
    )
    for function, arguments in zip(kernel, types, strict=True):
        function.argtypes, function.restype = arguments, number  # type: ignore[attr-defined]
    return kernel


def describe_kernel() -> str:
    """Whether there is a kernel, and what it means if not."""
    if load_kernel() is None:
        return "not built, because there was no C compiler; POT solves transports, more slowly"
    return "built"


def needed_kernel() -> Kernel:
    """The kernel's functions, which must be there."""
    kernel = load_kernel()
    if kernel is None:
        raise SolverFailed("the kernel for transport is not installed")
    return kernel


def check_status(status: int) -> None:
    """Raise what a status of the kernel below 0 stands for."""
    if status == NO_MEMORY:
        raise LimitExceeded(
            "there is not enough memory for the transport between two clusters",
            hint=f"lower {name_of('jobs')}, or compare fewer points",
        )
    if status < 0:
        raise SolverFailed(f"the kernel for transport failed with status {status}")


@dataclass(frozen=True, eq=False)
class Clouds:
    """The clusters of a and of b as the kernel takes them."""

    coordinates: Floats
    a: KernelSide
    b: KernelSide

    def distances(self, rows: Integers, columns: Integers) -> Floats:
        """The optimal transport distances between clusters `rows[i]` of a and `columns[i]` of b."""
        kernel = needed_kernel()
        found = np.empty(len(rows))
        pairs = [np.ascontiguousarray(side, dtype=np.int32) for side in (rows, columns)]
        status = kernel.transport_pairs(
            self.coordinates.shape[1],
            self.coordinates.ctypes.data,
            *self.a.addresses,
            *self.b.addresses,
            len(found),
            *(side.ctypes.data for side in pairs),
            found.ctypes.data,
        )
        check_status(status)
        return found


def as_clouds(places: Places, a: Sequence[Spread], b: Sequence[Spread]) -> Clouds:
    """The problems between all clusters of a and all clusters of b."""
    n_nodes = sum(max(len(one.places) for one in side) for side in (a, b))
    largest = math.prod(int(max(one.total for one in side)) for side in (a, b))
    rounded = largest > most_units(n_nodes) or not all(map(is_counted, [*a, *b]))
    sides = (in_units(side, rounded, n_nodes) for side in (a, b))
    return Clouds(np.ascontiguousarray(places.positions), *sides)


def is_counted(spread: Spread) -> bool:
    """Whether all masses are whole numbers."""
    return spread.total.is_integer() and bool((spread.masses == np.rint(spread.masses)).all())


def most_units(n_nodes: int) -> int:
    """How many units of mass a problem of so many nodes may have."""
    return 1 << (BITS - n_nodes.bit_length())


def in_units(spreads: Sequence[Spread], rounded: bool, n_nodes: int) -> KernelSide:
    """The masses of clusters as whole units.

    Counted masses are whole already. Others become as many units as 64 bits can hold beside the
    number of nodes of the largest problem; what rounding leaves over goes to the largest mass.
    """
    begins = np.cumsum([0, *(len(one.places) for one in spreads)], dtype=np.int64)
    places = np.concatenate([one.places for one in spreads]).astype(np.int32)
    if not rounded:
        units = np.concatenate([one.masses for one in spreads]).astype(np.int64)
        totals = np.array([int(one.total) for one in spreads], dtype=np.int64)
        return KernelSide(begins, places, units, None, totals)
    whole = most_units(n_nodes)
    shares = [one.masses / one.masses.sum() for one in spreads]
    units = np.concatenate([round_to(share, whole) for share in shares])
    totals = np.full(len(spreads), whole, dtype=np.int64)
    return KernelSide(begins, places, units, np.concatenate(shares), totals)


def round_to(shares: Floats, whole: int) -> npt.NDArray[np.int64]:
    """Shares as whole numbers that sum to `whole`."""
    units = np.rint(shares * whole).astype(np.int64)
    units[np.argmax(units)] += whole - int(units.sum())
    return units
