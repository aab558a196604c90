"""Chance: the contingency tables of clusterings that keep their cluster sizes and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from clustcmp.arrays import Codes, Integers
from clustcmp.errors import Undefined
from clustcmp.model.contingency import Contingency, count_codes

# Within clusters of at most so many points, comparing all pairs is faster than sorting the points.
SMALL_CLUSTER = 50


def draw_tables(table: Contingency, generator: np.random.Generator) -> Iterator[Contingency]:
    """Endless random tables: points are shuffled among clusters of unchanged sizes.

    Clusters are numbered by size. The draws depend on the seed and the sizes alone: the order of
    the points and the names of the clusters do not matter, and a and b exchanged give the same
    tables with rows and columns exchanged.
    """
    sizes_a, sizes_b = np.sort(table.masses_a), np.sort(table.masses_b)
    for codes_a, codes_b in draw_codes(table, generator):
        yield count_codes(codes_a, codes_b, sizes_a, sizes_b)


def draw_counts(table: Contingency, generator: np.random.Generator) -> Iterator[Integers]:
    """The counts of the cells with points of the tables that `draw_tables` draws, in any order.

    Without the positions of the cells this takes half of the time.
    """
    for codes_a, codes_b in draw_codes(table, generator):
        yield count_cells(codes_a, codes_b)


def count_cells(codes_a: Codes | Integers, codes_b: Codes | Integers) -> Integers:
    """The counts of the cells with points, in any order."""
    cells = np.multiply(codes_a, codes_b.max(initial=0) + 1, dtype=np.int64)
    cells += codes_b
    cells.sort()
    ends = np.flatnonzero(cells[1:] != cells[:-1])
    return np.diff(ends, prepend=-1, append=len(cells) - 1)


def draw_pairs(table: Contingency, generator: np.random.Generator) -> Iterator[int]:
    """Endless numbers of pairs that are together in both clusterings of random tables.

    The points are listed by the clusters of one side, and the codes of the other side are shuffled
    over this list, so that pairs within small clusters are neighbours. Only pairs within large
    clusters have to be counted by cells.
    """
    check_hard(table)
    # Which side is listed must not depend on which of the two is called a.
    listed, dealt = sorted(
        (np.sort(table.masses_a), np.sort(table.masses_b)),
        key=lambda sizes: (int(np.square(sizes).sum()), sizes.tolist()),
    )
    # SFC64 shuffles a quarter faster than the default generator, and intp faster than int32.
    shuffler = np.random.Generator(np.random.SFC64(generator.integers(1 << 63)))
    codes = np.repeat(np.arange(len(dealt), dtype=np.intp), dealt)
    sizes, counts = np.unique(listed[listed <= SMALL_CLUSTER], return_counts=True)
    n_near = int(np.dot(sizes, counts))
    large = listed[listed > SMALL_CLUSTER]
    far = np.repeat(np.arange(len(large), dtype=np.int32), large)
    while True:
        shuffler.shuffle(codes)
        cells = count_cells(far, codes[n_near:])
        yield count_near(codes, sizes, counts) + int(np.dot(cells, cells - 1)) // 2


def count_near(codes: Integers, sizes: Integers, counts: Integers) -> int:
    """How many pairs of points within a cluster have the same code.

    The points of the `counts[i]` clusters of `sizes[i]` points follow on those of the sizes before.
    Their first points come first, then their second points, and so on.
    """
    first = found = 0
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        clusters = codes[first : first + size * count].reshape(size, count)
        for apart in range(1, size):
            found += int(np.count_nonzero(clusters[apart:] == clusters[:-apart]))
        first += size * count
    return found


def draw_codes(table: Contingency, generator: np.random.Generator) -> Iterator[tuple[Codes, Codes]]:
    """Endless random clusters of all points in a and in b, one of the two shuffled."""
    check_hard(table)
    sizes_a, sizes_b = np.sort(table.masses_a), np.sort(table.masses_b)
    codes_a, codes_b = (
        np.repeat(np.arange(len(sizes), dtype=np.int32), sizes) for sizes in (sizes_a, sizes_b)
    )
    # Whether a or b is dealt anew must not depend on which of the two is called a.
    deals_b = sizes_b.tolist() < sizes_a.tolist()
    while True:
        if deals_b:
            yield codes_a, generator.permutation(codes_b)
        else:
            yield generator.permutation(codes_a), codes_b


def check_hard(table: Contingency) -> None:
    """Refuse a table of soft clusterings, whose points have no single cluster to be dealt into."""
    if not table.is_hard:
        raise Undefined("points are shuffled among the clusters of hard clusterings only")
