"""Two columns of a folder of Parquet parts, of which each part is counted where tasks are sent to.

Only counts come back, and one id for each cluster of each part: the clusters of a comparison are in
the order of their first point, and points in the order of the hashes of their ids. Whatever makes
a folder less plain than that is left to the machine that has all rows.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from clustcmp.arrays import Integers
from clustcmp.backends import count_jobs, map_tasks, sends_tasks
from clustcmp.errors import ClustcmpError, InputError
from clustcmp.inputs import count_clusters, prepare
from clustcmp.keywords import complete
from clustcmp.model import Clustering, Comparison, Contingency, Coverage, Side, Texts
from clustcmp.progress import begin
from clustcmp.read import Wanted
from clustcmp.read.address import Address, is_path
from clustcmp.read.parquet import find_parts
from clustcmp.read.source import Stored
from clustcmp.settings import InputSettings, TwoSettings

# Settings that leave the counts of plain files as they are.
HARMLESS = ("jobs", "scheduler", "max_bytes", "budget", "points")


class Part(NamedTuple):
    """A file among the parts, and its size, by which a worker knows that it has the same file."""

    path: str
    size: int


class Cluster(NamedTuple):
    """A cluster of a part, and the id of its first point."""

    name: str
    first: str


class Counted(NamedTuple):
    """The points that each two clusters of a part share; None if the part is not plain."""

    a: tuple[Cluster, ...]
    b: tuple[Cluster, ...]
    rows: Integers
    columns: Integers
    counts: Integers
    id_name: str | None


def count_folder(wanted: Wanted) -> Comparison | None:
    """Two columns of one folder compared by their counts; None if this is not plain, or stays."""
    if not sends_tasks() or not is_plain(wanted):
        return None
    a, b = (Address.of_clustering(str(thing)) for thing in wanted.things)
    try:
        found = find_parts(a.path, Stored(Path(a.path), wanted.settings["max_bytes"]))
    except ClustcmpError:
        # The reader of whole folders says what is wrong.
        return None
    begin("read")
    parts = [Part(os.path.abspath(one.name), os.path.getsize(one.name)) for one in found]
    columns = cast(tuple[str, str], tuple(one.typed_columns for one in (a, b)))
    settings = cast(InputSettings, {"max_bytes": wanted.settings["max_bytes"]})
    counted = map_tasks(
        partial(count_part, columns, settings),
        parts,
        count_jobs(wanted.settings["jobs"]),
        what="counting parts",
        costs=[float(one.metadata.num_rows) for one in found],
    )
    plain = [one for one in counted if one is not None]
    if len(plain) < len(counted) or len({one.id_name for one in plain}) > 1:
        return None
    begin("compared")
    return add_up(plain, (a, b))


def is_plain(wanted: Wanted) -> bool:
    """Whether two columns of one folder are compared, without settings that need its rows."""
    if len(wanted.things) != 2 or not all(map(is_path, wanted.things)):
        return False
    a, b = (Address.of_clustering(str(thing)) for thing in wanted.things)
    usual = cast(dict[str, Any], complete(TwoSettings, {}))
    given = cast(dict[str, Any], wanted.settings)
    return (
        a.path == b.path
        and os.path.isdir(a.path)
        and all(one.label and not one.title and one.weights is None for one in (a, b))
        and all(given.get(key) == one for key, one in usual.items() if key not in HARMLESS)
    )


def count_part(columns: tuple[str, str], settings: InputSettings, part: Part) -> Counted | None:
    """The counts of one part, read where the task runs; None if there is anything to note."""
    if not os.path.isfile(part.path) or os.path.getsize(part.path) != part.size:
        raise InputError(
            f"{part.path}: a worker has no such file, or another one",
            hint="workers read the parts: they need the folder under the same path",
        )
    a, b = (part.path + one for one in columns)
    comparison = prepare(a, b, complete(TwoSettings, settings))
    sides = comparison.sides
    if not comparison.is_hard or not comparison.same_points or comparison.notes:
        return None
    if any(one.noise or one.dropped_missing or one.id is None for one in sides):
        return None
    table = comparison.contingency
    first_a, first_b = (find_clusters(comparison, side) for side in (0, 1))
    return Counted(first_a, first_b, table.rows, table.columns, table.masses, sides[0].id)


def find_clusters(comparison: Comparison, side: int) -> tuple[Cluster, ...]:
    """The clusters of one side, in the order of their first points."""
    clustering = (comparison.a, comparison.b)[side]
    ids, rows = comparison.given[side].points.ids, comparison.rows[side]
    assert ids is not None
    _, first = np.unique(clustering.membership.strongest(), return_index=True)
    names = clustering.names.tolist()
    return tuple(
        Cluster(name, ids[int(rows[at])]) for name, at in zip(names, first.tolist(), strict=True)
    )


def add_up(counted: Sequence[Counted], addresses: tuple[Address, Address]) -> Comparison:
    """The comparison of the points of all parts."""
    orders = order_clusters([one.a for one in counted]), order_clusters([one.b for one in counted])
    numbers = [{name: at for at, name in enumerate(names)} for names in orders]
    shape = len(orders[0]), len(orders[1])
    cells = []
    for one in counted:
        rows = np.array([numbers[0][cluster.name] for cluster in one.a])[one.rows]
        columns = np.array([numbers[1][cluster.name] for cluster in one.b])[one.columns]
        cells.append(rows * shape[1] + columns)
    found, position = np.unique(np.concatenate(cells), return_inverse=True)
    counts = np.zeros(len(found), dtype=np.int64)
    np.add.at(counts, position, np.concatenate([one.counts for one in counted]))
    rows, columns = np.divmod(found, shape[1])
    masses = [np.zeros(size, dtype=np.int64) for size in shape]
    for mass, line in zip(masses, (rows, columns), strict=True):
        np.add.at(mass, line, counts)
    table = Contingency.counted(rows, columns, counts, masses[0], masses[1], int(counts.sum()))
    clusterings = [
        count_clusters(mass, Texts.of(names)) for mass, names in zip(masses, orders, strict=True)
    ]
    return compare_counted(table, clusterings, addresses, counted[0].id_name)


def compare_counted(
    table: Contingency,
    clusterings: Sequence[Clustering],
    addresses: tuple[Address, Address],
    id_name: str | None,
) -> Comparison:
    """A comparison that says of its sides what it would say if it had their rows."""
    total = int(table.total)
    sides = [
        Side(name, address.source, "hard", total, clustering.n_clusters, 0, id_name)
        for name, address, clustering in zip("ab", addresses, clusterings, strict=True)
    ]
    a, b = clusterings
    return Comparison(a, b, (sides[0], sides[1]), Coverage(total, 0, 0)).with_table(table)


def order_clusters(parts: Sequence[Sequence[Cluster]]) -> list[str]:
    """The names of all clusters in the order of their first points in all parts."""
    clusters = [cluster for part in parts for cluster in part]
    order = Texts.of(cluster.first for cluster in clusters).hash_order.order
    return list(dict.fromkeys(clusters[at].name for at in order.tolist()))
