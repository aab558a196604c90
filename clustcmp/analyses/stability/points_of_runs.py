"""Clusterings from files and objects as runs: their points brought together in one set."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clustcmp.align import Collection
from clustcmp.analyses.stability.runs import Runs
from clustcmp.arrays import NONE, Integers
from clustcmp.errors import InputError
from clustcmp.model import Texts
from clustcmp.model.texts import match


class Pool(NamedTuple):
    """Runs, and the ids of all their points; None where points are known by their position."""

    runs: Runs
    ids: Texts | None


def pool(collection: Collection) -> Pool:
    """All clusterings as runs, without points that have no label or are dropped.

    Points are in the order of the hashes of their ids, so that the order of rows does not matter.
    """
    count = range(len(collection.clusterings))
    ids, places = place_points(collection)
    rows, memberships = [], []
    for index in count:
        form = collection.labelings.canonical(index, ids is not None)
        own = places[index][form.rows]
        order = np.argsort(own)
        rows.append(own[order])
        memberships.append(form.clustering.membership.take(order))
    n_points = len(ids) if ids is not None else collection.clusterings[0].points.size
    return Pool(Runs(n_points, tuple(rows), tuple(memberships)), ids)


def place_points(collection: Collection) -> tuple[Texts | None, list[Integers]]:
    """The ids of all points, and for each clustering the place of each of its rows among them."""
    clusterings = collection.clusterings
    known = [one.points.ids for one in clusterings if one.points.ids is not None]
    if len(known) < len(clusterings):
        check_sizes(collection)
        return None, [np.arange(one.points.size) for one in clusterings]
    everyone = known[0]
    # The columns of a file share their ids, which are looked up once.
    places: dict[int, Integers] = {}
    for ids in known:
        if id(ids) not in places:
            everyone, places[id(ids)] = add_ids(everyone, ids)
    order = everyone.hash_order.order
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return everyone.take(order), [rank[places[id(ids)]] for ids in known]


def add_ids(known: Texts, ids: Texts) -> tuple[Texts, Integers]:
    """All ids, the new ones last, and where the given ones are among them."""
    theirs, mine = match(known, ids)
    places = np.full(len(ids), NONE, dtype=np.int64)
    places[mine] = theirs
    new = np.flatnonzero(places == NONE)
    places[new] = len(known) + np.arange(len(new))
    return (known + ids.take(new) if len(new) else known), places


def check_sizes(collection: Collection) -> None:
    """Refuse runs without ids that do not have the same number of rows."""
    first, *others = zip(collection.titles, collection.clusterings, strict=True)
    for title, clustering in others:
        if clustering.points.size != first[1].points.size:
            raise InputError(
                f"{first[0]} has {first[1].points.size} rows and {title} has "
                f"{clustering.points.size}, but without ids rows are compared by position",
                hint="give every run an id column; points that are not in a run have an empty cell "
                "in a table of several runs",
            )
