"""What a clusterer takes and gives: points and a number of clusters in, a clustering out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Codes, Floats, Integers
from clustcmp.model.membership import NOISE, Hard, Soft

# The number of clusters, or the value of the parameter that is varied instead.
Value = int | float | str | bool | None

# How points that were not clustered get a cluster: by the estimator's own `predict`, that of the
# nearest mean, or that of most of the 5 nearest points.
Transfer = Literal["predict", "centroid", "neighbours"]

# Where the fits of a clusterer may run side by side.
Runs = Literal["processes", "threads", "serial"]

Predict = Callable[[Floats], Integers]


class Sample(NamedTuple):
    """Points to cluster: coordinates (n, d) and, for programs, ids and the names of the columns.

    Without ids the points are known by their row numbers.
    """

    coordinates: Floats
    ids: Sequence[str] = ()
    columns: tuple[str, ...] = ()

    def take(self, rows: Integers) -> Sample:
        """Some of the points, in the order asked for; points without ids are numbered anew."""
        ids = [self.ids[row] for row in rows.tolist()] if len(self.ids) else ()
        return Sample(np.ascontiguousarray(self.coordinates[rows]), ids, self.columns)


class Found(NamedTuple):
    """The clustering of a sample: codes from 0 to K - 1 or NOISE, or degrees (n, K).

    Each of the K clusters of a hard membership has a point. `predict` gives the codes of other
    points and stays in the process that made it.
    """

    membership: Hard | Soft
    predict: Predict | None = None
    notes: tuple[str, ...] = ()


class Clusterer(Protocol):
    """Makes clusterings; `varied` is "k" or the name of the parameter that takes the values."""

    @property
    def name(self) -> str:
        """What messages and reports call the clusterer."""

    @property
    def varied(self) -> str:
        """ "k", or the name of the parameter that is varied instead."""

    @property
    def runs(self) -> Runs:
        """Where fits may run side by side: "processes" if the clusterer can be pickled."""

    def transfer_of(self, value: Value) -> Transfer:
        """How points of another sample get a cluster, unless a user says otherwise."""

    def cluster(self, sample: Sample, value: Value, seed: int) -> Found:
        """The clustering of a sample; ClustererFailed if there is none."""

    def opened(self) -> AbstractContextManager[object]:
        """The block in which the clusterer is used; at its end everything it started ends."""


def gather_codes(labels: npt.NDArray[np.integer]) -> tuple[Codes, Integers]:
    """Codes from 0 to K - 1 without gaps, NOISE for negative labels; the label of each code."""
    known, positions = np.unique(labels, return_inverse=True)
    n_noise = int(np.searchsorted(known, 0))
    codes = np.maximum(positions.reshape(-1) - n_noise, NOISE).astype(np.int32)
    return codes, known[n_noise:].astype(np.int64)


def hard_of(labels: npt.NDArray[np.integer]) -> Hard:
    """The membership that the labels of a fit stand for."""
    codes, known = gather_codes(labels)
    return Hard(codes, len(known))


def in_words(varied: str, value: Value, seed: int) -> str:
    """Which fit it was, for messages: k = 3, seed 17."""
    return f"{varied} = {value}, seed {seed}"
