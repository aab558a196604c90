"""Chance: the contingency tables of clusterings that keep their cluster sizes and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from clustcmp.arrays import Codes, Integers
from clustcmp.errors import Undefined
from clustcmp.model.contingency import Contingency, count_codes


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
        cells = np.multiply(codes_a, table.n_b, dtype=np.int64)
        cells += codes_b
        cells.sort()
        ends = np.flatnonzero(cells[1:] != cells[:-1])
        yield np.diff(ends, prepend=-1, append=len(cells) - 1)


def draw_codes(table: Contingency, generator: np.random.Generator) -> Iterator[tuple[Codes, Codes]]:
    """Endless random clusters of all points in a and in b, one of the two shuffled."""
    if not table.is_hard:
        raise Undefined("points are shuffled among the clusters of hard clusterings only")
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
