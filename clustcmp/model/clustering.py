"""A clustering: points, and the clusters that they belong to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from clustcmp.arrays import Masses, show_type
from clustcmp.errors import InputError
from clustcmp.model.membership import Hard, Membership, count_weights
from clustcmp.model.origin import Origin
from clustcmp.model.points import PointSet
from clustcmp.model.texts import Texts
from clustcmp.notes import Note


@dataclass(frozen=True, eq=False)
class Clustering:
    """A point set, the membership of its points, and the names of the clusters.

    `source` is the file as the user typed it, with its columns, if the clustering comes from one.
    `id_name` is the column of the ids, `index` for the index of a pandas object. `name` is what the
    user calls the clustering. `origin` knows the labels and ids of a clustering that Python gave.
    """

    points: PointSet
    membership: Membership
    names: Texts
    source: str | None = None
    notes: tuple[Note, ...] = ()
    id_name: str | None = None
    name: str | None = None
    origin: Origin | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.membership, Membership):
            raise InputError(
                f"the membership of {self.title} is {show_type(self.membership)}",
                hint="give Hard(codes, n_clusters) or Soft(degrees) of clustcmp.model",
            )
        if self.membership.n_points != self.points.size:
            raise InputError(
                f"there are {self.membership.n_points} memberships for {self.points.size} points"
            )
        if self.points.size == 0:
            raise InputError(f"{self.title} has no points")
        if len(self.names) != self.membership.n_clusters:
            raise InputError(
                f"{self.title} has {self.membership.n_clusters} clusters, but there are "
                f"{len(self.names)} names for them"
            )

    @property
    def title(self) -> str:
        """What messages call the clustering."""
        return self.titled("the clustering")

    def titled(self, otherwise: str) -> str:
        """What messages call the clustering: its name, its source, or else another name."""
        if self.name is not None:
            return self.name
        return "stdin" if self.source == "-" else self.source or otherwise

    def label(self, code: int) -> Any:
        """The label of a cluster, of the type that it had in Python; in files labels are texts."""
        name = self.names[code]
        return name if self.origin is None else self.origin.label(name)

    @property
    def is_hard(self) -> bool:
        """Whether every point belongs to one cluster only."""
        return self.membership.is_hard

    @property
    def kind(self) -> str:
        """hard or soft."""
        return self.membership.kind

    @property
    def n_clusters(self) -> int:
        """The number of clusters, whether they have points or not."""
        return self.membership.n_clusters

    @property
    def n_noise(self) -> int:
        """The number of points marked as noise."""
        hard = self.membership
        if not isinstance(hard, Hard) or hard.is_complete:
            return 0
        return int(np.count_nonzero(hard.is_noise))

    @property
    def n_missing(self) -> int:
        """The number of points without a label."""
        hard = self.membership
        if not isinstance(hard, Hard) or hard.is_complete:
            return 0
        return int(np.count_nonzero(hard.is_missing))

    @cached_property
    def masses(self) -> Masses:
        """The mass of each cluster: the sum of its degrees, each times the weight of the point.

        Whole numbers if the clustering is hard and all weights are.
        """
        weights = self.points.weights
        if weights is None:
            return self.membership.masses
        if isinstance(self.membership, Hard):
            is_known = self.membership.codes >= 0
            codes, weights = self.membership.codes[is_known], weights[is_known]
            if self.points.are_counts:
                return count_weights(codes, weights, self.n_clusters)
            return np.bincount(codes, weights=weights, minlength=self.n_clusters)
        return self.membership.weigh(weights)
