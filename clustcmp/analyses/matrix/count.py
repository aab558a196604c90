"""The contingencies of one clustering with two others, counted in one pass over the points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clustcmp.align import Collection
from clustcmp.arrays import Codes, Integers
from clustcmp.model import Comparison, Hard
from clustcmp.model.contingency import Contingency
from clustcmp.model.membership import COUNT_BLOCK

# More counters than these leave the cache, and two passes are faster again.
MOST_COUNTERS = 1 << 15


def count_both(collection: Collection, comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Two comparisons with one clustering, their contingencies counted together if that is faster.

    Any other comparisons are returned as they are, and count when a metric asks for the table.
    """
    if len(comparisons) != 2:
        return list(comparisons)
    one, other = comparisons
    # Only a clustering whose points are all compared is the same object in several comparisons.
    if one.a is not other.a:
        return [one, other]
    if one.weighting != "none" or other.weighting != "none":
        return [one, other]
    a, b, c = one.a.membership, one.b.membership, other.b.membership
    if not (isinstance(a, Hard) and isinstance(b, Hard) and isinstance(c, Hard)):
        return [one, other]
    if not is_worthwhile(a, b, c):
        return [one, other]
    joined = collection.once(join_codes, b, c)
    tables = count_two(a, b, c, joined)
    return [one.with_table(tables[0]), other.with_table(tables[1])]


def is_worthwhile(a: Hard, b: Hard, c: Hard) -> bool:
    """Whether one pass for (a, b) and (a, c) is faster than two."""
    n_counters = a.n_clusters * b.n_clusters * c.n_clusters
    return n_counters <= MOST_COUNTERS and n_counters <= a.n_points


def join_codes(collection: Collection, b: Hard, c: Hard) -> Codes:
    """A code (n,) for each point that tells both its cluster of b and that of c."""
    return np.asarray(b.codes * np.int32(c.n_clusters) + c.codes, dtype=np.int32)


def count_two(a: Hard, b: Hard, c: Hard, joined: Codes) -> tuple[Contingency, Contingency]:
    """The contingencies of (a, b) and of (a, c), as `count_table` gives them."""
    n_joined = b.n_clusters * c.n_clusters
    counters = np.zeros(a.n_clusters * n_joined, dtype=np.int64)
    for first in range(0, len(joined), COUNT_BLOCK):
        cells = a.codes[first : first + COUNT_BLOCK] * np.int32(n_joined)
        cells += joined[first : first + COUNT_BLOCK]
        counters += np.bincount(cells, minlength=len(counters))
    table = counters.reshape(a.n_clusters, b.n_clusters, c.n_clusters)
    # For small tables einsum takes half of the time that `sum` takes.
    with_b, with_c = np.einsum("abc->ab", table), np.einsum("abc->ac", table)
    return to_contingency(a, b, with_b), to_contingency(a, c, with_c)


def to_contingency(a: Hard, b: Hard, table: Integers) -> Contingency:
    """The contingency in a table of counts."""
    rows, columns = table.nonzero()
    counts = table[rows, columns]
    masses = a.masses, b.masses
    return Contingency.counted(rows, columns, counts, *masses, a.n_points, trusted=True)


def transpose(table: Contingency) -> Contingency:
    """The contingency of two hard clusterings with a and b exchanged, as `count_table` gives it."""
    # The cells are sorted by row, then by column, and a stable sort keeps the order of equal ones.
    order = np.argsort(table.columns, kind="stable")
    return Contingency.counted(
        table.columns[order],
        table.rows[order],
        table.masses[order],
        table.masses_b,
        table.masses_a,
        table.n_points,
        trusted=True,
    )
