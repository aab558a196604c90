"""What identifies a run: its points, clusters and coordinates, as numbers and digests."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from clustcmp.model import Clustering, Comparison


def identity(comparison: Comparison) -> dict[str, Any]:
    """The points, clusters and coordinates of a run, as numbers and digests.

    They do not depend on the order of rows or the names of clusters, because a comparison does not.
    """
    return {
        "n": (comparison.a.points.size, comparison.b.points.size),
        "k": comparison.a.n_clusters,
        "points": digest(
            digest_ids(comparison, 0), digest_ids(comparison, 1), *weights_of(comparison)
        ),
        "reference": digest_membership(comparison.a),
        "space": digest_space(comparison),
    }


def digest_ids(comparison: Comparison, side: int) -> bytes:
    """The ids of a side, or the positions of its points."""
    rows = comparison.rows[side]
    ids = comparison.given[side].points.ids
    if ids is None:
        return b"positions" + rows.astype("<i8").tobytes()
    chosen = ids.take(rows)
    return chosen.offsets.astype("<i8").tobytes() + chosen.data.tobytes()


def weights_of(comparison: Comparison) -> Iterator[bytes]:
    """The weights of both sides; nothing if all points weigh 1."""
    for side in (comparison.a, comparison.b):
        if side.points.weights is not None:
            yield b"weights" + side.points.weights.astype("<f8").tobytes()


def digest_membership(clustering: Clustering) -> str:
    """Which point is in which cluster, whatever the clusters are called."""
    form = "<i8" if clustering.is_hard else "<f8"
    return digest(clustering.kind.encode(), clustering.membership.array.astype(form).tobytes())


def digest_space(comparison: Comparison) -> str | None:
    """Where the points are, if that is known."""
    if comparison.distances is not None:
        return digest(b"distances", comparison.distances.astype("<f8").tobytes())
    tables = [side.points.coordinates for side in (comparison.a, comparison.b)]
    known = [coordinates for coordinates in tables if coordinates is not None]
    if len(known) < len(tables):
        return None
    return digest(b"coordinates", *(coordinates.astype("<f8").tobytes() for coordinates in known))


def digest(*parts: bytes) -> str:
    """A short name for some bytes; each part counts with its length."""
    hashed = sha256()
    for part in parts:
        hashed.update(len(part).to_bytes(8, "little"))
        hashed.update(part)
    return hashed.hexdigest()
