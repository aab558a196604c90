"""One clustering in the form in which it is compared, whatever the order of rows and the names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from clustcmp.arrays import NONE, Codes, Flags, Floats, Integers
from clustcmp.errors import InputError
from clustcmp.keywords import DEFAULTS, find_noise_policy
from clustcmp.model import (
    NOISE,
    Clustering,
    Described,
    Hard,
    Membership,
    PointSet,
    Soft,
    Texts,
)
from clustcmp.model.texts import match
from clustcmp.settings import InputSettings
from clustcmp.wording import name_of


@dataclass(frozen=True, eq=False)
class Canonical:
    """A clustering as it is compared with another clustering of the same points.

    Points are in the order of the hash of their id, without ids as they were given. Points that are
    dropped are left out. Noise is a cluster, or each point of it is one. Clusters are in the order
    of their first point. Row i of `clustering` was row `rows[i]` of `given`.
    """

    given: Clustering
    rows: Integers
    clustering: Clustering
    described: Described

    @cached_property
    def code_by_row(self) -> Integers:
        """The code in `clustering` of each row of `given`, NONE for points that were dropped."""
        codes = np.full(self.given.points.size, NONE)
        codes[self.rows] = self.clustering.membership.strongest()
        return codes


def canonical(
    clustering: Clustering,
    settings: InputSettings = DEFAULTS,
    title: str | None = None,
    by_id: bool = True,
) -> Canonical:
    """The canonical form of a clustering, ordered by id if that is wanted and there are ids.

    The title is what messages call the clustering.
    """
    title = clustering.title if title is None else title
    rows = order_points(clustering, by_id)
    policy = find_noise_policy(settings)
    for is_out in (find_absent(clustering), find_dropped(clustering, policy)):
        if is_out is not None:
            rows = rows[~is_out[rows]]
    if not len(rows):
        raise InputError(
            f"{title}: no points are left without noise and missing labels",
            hint=f"choose another {name_of('noise_policy')} or {name_of('missing')}",
        )
    tidy, n_noise = restrict(clustering, rows, policy)
    described = describe(title, tidy, n_noise, clustering, policy)
    return Canonical(clustering, rows, tidy, described)


def order_points(clustering: Clustering, by_id: bool = True) -> Integers:
    """The rows of a clustering in the order in which they are compared."""
    ids = clustering.points.ids
    return ids.hash_order.order if by_id and ids is not None else np.arange(clustering.points.size)


def find_absent(clustering: Clustering) -> Flags | None:
    """Which points have the weight 0, so that they count as absent; None if there are none."""
    weights = clustering.points.weights
    if weights is None or weights.all():
        return None
    return np.asarray(weights == 0.0)


def find_dropped(clustering: Clustering, noise_policy: str) -> Flags | None:
    """Which points are left out because of their label; None if all are kept."""
    membership = clustering.membership
    if not isinstance(membership, Hard) or membership.is_complete:
        return None
    is_dropped = membership.is_missing
    if noise_policy == "drop":
        is_dropped |= membership.is_noise
    return is_dropped if is_dropped.any() else None


def restrict(
    clustering: Clustering,
    rows: Integers,
    noise_policy: str,
    coordinates: Floats | None = None,
) -> tuple[Clustering, int]:
    """The clustering of the given rows only, without clusters that have no points.

    The coordinates are those of the given rows. The second value is the number of noise points.
    """
    membership = clustering.membership.take(rows)
    names = clustering.names
    if isinstance(membership, Soft):
        membership, names = tidy_degrees(membership.degrees, names)
    n_noise = 0
    if isinstance(membership, Hard):
        codes, names, n_noise = cluster_noise(membership.codes, names, noise_policy)
        membership, names = tidy_codes(codes, names)
    given = clustering.points.weights
    weights = None if given is None else given[rows]
    points = PointSet(len(rows), None, coordinates, weights)
    return replace(clustering, points=points, membership=membership, names=names, notes=()), n_noise


def describe(
    name: str, tidy: Clustering, n_noise: int, given: Clustering, noise_policy: str
) -> Described:
    """What every output says about a clustering, tidied up and as it was given."""
    return Described(
        name,
        tidy.source,
        tidy.kind,
        tidy.points.size,
        tidy.n_clusters,
        n_noise,
        tidy.id_name,
        dropped_noise=given.n_noise if noise_policy == "drop" else 0,
        dropped_missing=given.n_missing,
        title=tidy.name,
        mass=None if tidy.points.weights is None else float(tidy.points.mass),
    )


def cluster_noise(codes: Codes, names: Texts, noise_policy: str) -> tuple[Codes, Texts, int]:
    """Codes in which noise is one cluster, or each point of it is one; and how many there are."""
    noise = np.flatnonzero(codes == NOISE)
    if not len(noise):
        return codes, names, 0
    codes = codes.copy()
    if noise_policy == "singletons":
        codes[noise] = len(names) + np.arange(len(noise))
        added = [f"noise {number + 1}" for number in range(len(noise))]
    else:
        codes[noise] = len(names)
        added = ["noise"]
    # The file may already have a label 'noise': add parentheses until the name is free.
    while share_text(Texts.of(added), names):
        added = [f"({name})" for name in added]
    return codes, names + Texts.of(added), len(noise)


def share_text(a: Texts, b: Texts) -> bool:
    """Whether a text is in both."""
    shared, _ = match(a, b)
    return bool(len(shared))


def tidy_codes(codes: Codes, names: Texts) -> tuple[Membership, Texts]:
    """Clusters in the order of their first point, those without points left out."""
    order = order_of_first_points(codes, len(names))
    new_codes = np.empty(len(names), dtype=np.int32)
    new_codes[order] = np.arange(len(order), dtype=np.int32)
    return Hard(new_codes[codes], len(order)), names.take(order)


def order_of_first_points(codes: Codes | Integers, n_clusters: int) -> Integers:
    """The codes of clusters in the order of their first point, those without points left out."""
    n_points = len(codes)
    first = np.full(n_clusters, n_points, dtype=np.int64)
    # Where a code occurs several times the last assignment stays: that of the first point.
    first[codes[::-1]] = np.arange(n_points - 1, -1, -1)
    return np.argsort(first, kind="stable")[: np.count_nonzero(first < n_points)]


def tidy_degrees(degrees: Floats, names: Texts) -> tuple[Membership, Texts]:
    """Clusters in an order that depends on their degrees alone, those without any left out."""
    # As big-endian bytes, numbers that are not negative compare like the numbers themselves.
    keys = {
        column: degrees[:, column].astype(">f8").tobytes()
        for column in np.flatnonzero(degrees.any(axis=0)).tolist()
    }
    order = np.array(sorted(keys, key=keys.__getitem__, reverse=True))
    return Soft(np.ascontiguousarray(degrees[:, order])).hardened, names.take(order)
