"""Membership: which point belongs to which cluster, and how much; checked when it is built."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import WHOLE, Codes, Flags, Floats, Integers, Masses, is_array, show_type
from clustcmp.errors import InputError

# Codes of points without a cluster, until align applies the noise policy.
NOISE = -1
MISSING = -2

# Points that are counted at a time: counters and codes of so many points stay in the processor's
# cache. A contingency table is counted 40 times faster than with np.unique.
COUNT_BLOCK = 1 << 16

# Sums of whole numbers below this are exact as floats.
LARGEST_EXACT = 2.0**53

# Rows of degrees that are handled at once where all rows would need too much memory.
CHUNK = 1024


class Membership(ABC):
    """The degrees of n points in k clusters; `is_hard` if every point belongs to one only."""

    kind: ClassVar[str]
    is_hard: ClassVar[bool]

    @property
    @abstractmethod
    def n_points(self) -> int:
        """The number of points."""

    @property
    @abstractmethod
    def n_clusters(self) -> int:
        """The number of clusters, whether they have points or not."""

    @property
    @abstractmethod
    def masses(self) -> Masses:
        """The sum of degrees of each cluster: its number of points if hard."""

    @abstractmethod
    def weigh(self, weights: Floats) -> Floats:
        """The mass of each cluster if the points have these weights (n,)."""

    @abstractmethod
    def take(self, rows: Integers | slice) -> Membership:
        """The membership of some points, in the order asked for."""

    @abstractmethod
    def degrees_of(self, rows: slice) -> Floats:
        """The degrees (m, k) of some points, in a new array that may be changed."""

    @abstractmethod
    def sum_up(self, numbers: Floats) -> Floats:
        """The sums (k, d) over the points of each cluster of numbers (n, d) times degrees."""

    @abstractmethod
    def strongest(self) -> Integers:
        """For each point the cluster of its highest degree."""

    @property
    @abstractmethod
    def array(self) -> npt.NDArray[Any]:
        """The codes (n,) or the degrees (n, k) themselves."""

    def chunks(self, n_points: int | None = None) -> Iterator[slice]:
        """Slices of few points each that cover the first `n_points` points, or all points."""
        end = self.n_points if n_points is None else n_points
        for first in range(0, end, CHUNK):
            yield slice(first, min(first + CHUNK, end))


@dataclass(frozen=True, eq=False)
class Hard(Membership):
    """One cluster per point: its code, from 0 to k - 1, or NOISE or MISSING."""

    codes: Codes
    clusters: int

    kind: ClassVar[str] = "hard"
    is_hard: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not is_array(self.codes, 1, np.integer):
            raise InputError(
                "the codes of clusters are an array of whole numbers, one for each point, not "
                f"{show_type(self.codes)}"
            )
        if not len(self.codes):
            return
        lowest, highest = int(self.codes.min()), int(self.codes.max())
        if lowest < MISSING or highest >= self.clusters:
            wrong = highest if highest >= self.clusters else lowest
            raise InputError(
                f"code {wrong} is out of range: there are names for {self.clusters} clusters",
                hint=f"codes go from 0 to {self.clusters - 1}; {NOISE} is noise and {MISSING} "
                "a missing label",
            )

    @property
    def n_points(self) -> int:
        return len(self.codes)

    @property
    def n_clusters(self) -> int:
        return self.clusters

    @property
    def array(self) -> npt.NDArray[Any]:
        return self.codes

    @cached_property
    def masses(self) -> Masses:
        known = self.codes if self.is_complete else self.codes[self.codes >= 0]
        counts = np.zeros(self.clusters, dtype=np.int64)
        for first in range(0, len(known), COUNT_BLOCK):
            counts += np.bincount(known[first : first + COUNT_BLOCK], minlength=self.clusters)
        return counts

    def weigh(self, weights: Floats) -> Floats:
        return np.asarray(
            np.bincount(self.codes, weights=weights, minlength=self.clusters), dtype=np.float64
        )

    @cached_property
    def is_complete(self) -> bool:
        """Whether every point has a cluster."""
        return not len(self.codes) or int(self.codes.min()) >= 0

    @property
    def is_noise(self) -> Flags:
        """Which points are marked as noise."""
        return np.asarray(self.codes == NOISE)

    @property
    def is_missing(self) -> Flags:
        """Which points have no label."""
        return np.asarray(self.codes == MISSING)

    def take(self, rows: Integers | slice) -> Hard:
        return Hard(self.codes[rows], self.clusters)

    def degrees_of(self, rows: slice) -> Floats:
        chosen = self.codes[rows]
        degrees = np.zeros((len(chosen), self.clusters))
        degrees[np.arange(len(chosen)), chosen] = 1.0
        return degrees

    def sum_up(self, numbers: Floats) -> Floats:
        columns = [
            np.bincount(self.codes, weights=column, minlength=self.clusters) for column in numbers.T
        ]
        return np.stack(columns, axis=1)

    def strongest(self) -> Integers:
        return self.codes.astype(np.int64)


@dataclass(frozen=True, eq=False)
class Counted(Membership):
    """One cluster per point, where only the sizes of the clusters are known."""

    sizes: Integers

    kind: ClassVar[str] = "hard"
    is_hard: ClassVar[bool] = True

    @property
    def n_points(self) -> int:
        return int(self.sizes.sum())

    @property
    def n_clusters(self) -> int:
        return len(self.sizes)

    @property
    def masses(self) -> Masses:
        return self.sizes

    def weigh(self, weights: Floats) -> Floats:
        raise points_unknown()

    def take(self, rows: Integers | slice) -> Membership:
        raise points_unknown()

    def degrees_of(self, rows: slice) -> Floats:
        raise points_unknown()

    def sum_up(self, numbers: Floats) -> Floats:
        raise points_unknown()

    def strongest(self) -> Integers:
        raise points_unknown()

    @property
    def array(self) -> npt.NDArray[Any]:
        raise points_unknown()


def count_weights(codes: Codes | Integers, weights: Floats, n_codes: int) -> Integers:
    """The exact sums of the weights of the points with each code; all weights are whole numbers."""
    if weights.sum() < LARGEST_EXACT:
        sums = np.bincount(codes, weights=weights, minlength=n_codes)
        return np.asarray(sums, dtype=np.int64)
    counts = np.zeros(n_codes, dtype=np.int64)
    np.add.at(counts, codes, weights.astype(np.int64))
    return counts


def points_unknown() -> InputError:
    """The error for a question about single points where only sizes are known."""
    return InputError("only the sizes of the clusters are known, not which points they have")


@dataclass(frozen=True, eq=False)
class Soft(Membership):
    """Degrees (n, k), at least 0, that sum to 1 in each row."""

    degrees: Floats

    kind: ClassVar[str] = "soft"
    is_hard: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not is_array(self.degrees, 2, np.float64):
            raise InputError(
                "the degrees of points in clusters are an array of floats with a row for each "
                f"point, not {show_type(self.degrees)}"
            )
        with np.errstate(over="ignore", invalid="ignore"):
            sums = self.degrees.sum(axis=1)
        # Written with ~ so that a NaN, which is not <= anything, is wrong too.
        wrong = np.flatnonzero(~(np.abs(sums - 1.0) <= WHOLE))
        if len(wrong):
            raise InputError(
                f"the degrees of the point at position {wrong[0] + 1} sum to {sums[wrong[0]]:.6g}, "
                "not to 1",
                hint="the degrees of a point are shares of 1: divide each row by its sum",
            )
        if self.degrees.size and self.degrees.min() < 0.0:
            row = int(np.argwhere(self.degrees < 0.0)[0, 0])
            raise InputError(f"a degree of the point at position {row + 1} is negative")

    @property
    def n_points(self) -> int:
        return len(self.degrees)

    @property
    def n_clusters(self) -> int:
        return int(self.degrees.shape[1])

    @property
    def array(self) -> npt.NDArray[Any]:
        return self.degrees

    @cached_property
    def masses(self) -> Masses:
        return np.asarray(self.degrees.sum(axis=0))

    def weigh(self, weights: Floats) -> Floats:
        # einsum adds up in the same order for any number of threads, a product of matrices may not.
        masses: Floats = np.einsum("i,ik->k", weights, self.degrees)
        return masses

    def take(self, rows: Integers | slice) -> Soft:
        return Soft(self.degrees[rows])

    def degrees_of(self, rows: slice) -> Floats:
        return self.degrees[rows].copy()

    def sum_up(self, numbers: Floats) -> Floats:
        # einsum adds up in the same order for any number of threads, a product of matrices may not.
        sums: Floats = np.einsum("ik,id->kd", self.degrees, numbers)
        return sums

    def strongest(self) -> Integers:
        return np.asarray(self.degrees.argmax(axis=1), dtype=np.int64)

    @property
    def hardened(self) -> Membership:
        """A Hard membership if every point has a degree of 1 up to rounding, else this one."""
        if (self.degrees.max(axis=1) >= 1.0 - WHOLE).all():
            return Hard(np.asarray(self.degrees.argmax(axis=1), dtype=np.int32), self.n_clusters)
        return self
