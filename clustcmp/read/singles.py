"""Clusterings of which only the larger clusters are known: all other points are alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from clustcmp.errors import plural
from clustcmp.model import Clustering, Hard, PointSet, Texts
from clustcmp.model.texts import match
from clustcmp.notes import Note


def complete_all(
    clusterings: Sequence[Clustering], are_partial: Sequence[bool]
) -> tuple[Clustering, ...]:
    """The clusterings, those that are partial with the points of all others as single clusters."""
    return tuple(
        add_singles(one, [other for other in clusterings if other is not one]) if partial else one
        for one, partial in zip(clusterings, are_partial, strict=True)
    )


def add_singles(clustering: Clustering, others: Sequence[Clustering]) -> Clustering:
    """A hard clustering with a cluster for each point of the others that it does not have."""
    ids, membership = clustering.points.ids, clustering.membership
    if ids is None or not isinstance(membership, Hard):
        return clustering
    known = ids
    for other in others:
        if other.points.ids is not None:
            known = known + find_new(known, other.points.ids)
    n_new = len(known) - len(ids)
    if not n_new:
        return clustering
    added = known.take(np.arange(len(ids), len(known)))
    k = membership.n_clusters
    codes = np.concatenate([membership.codes, np.arange(k, k + n_new, dtype=np.int32)])
    text = (
        f"{plural(n_new, 'point')} of the other files "
        f"{'is' if n_new == 1 else 'are'} in no pair here: each is a cluster of its own"
    )
    return replace(
        clustering,
        points=PointSet(len(known), known),
        membership=Hard(codes, k + n_new),
        names=clustering.names + added,
        notes=(*clustering.notes, Note(text, clustering.title)),
    )


def find_new(known: Texts, ids: Texts) -> Texts:
    """The ids that are not known, in their order."""
    _, found = match(known, ids)
    is_new = np.ones(len(ids), dtype=np.bool_)
    is_new[found] = False
    return ids.take(np.flatnonzero(is_new))
