"""Random tables: points dealt at random into clusters that keep their sizes.

The draws depend on the sizes and the seed alone: the order of the points and the names of the
clusters do not matter, and a and b exchanged give the same tables with rows and columns exchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Literal, NamedTuple

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.model import Contingency
from clustcmp.model.chance import draw_counts, draw_pairs, draw_tables
from clustcmp.significance.many import logs_of

# Tables with more cells are not drawn cell by cell: points are shuffled instead.
DENSE_CELLS = 4_000_000

# How many cells of drawn tables are in memory at once.
BLOCK_CELLS = 4_000_000

# For tables of so few cells numpy is as fast as scipy.stats, which takes a second to import.
FEW_CELLS = 2_500

# numpy draws from fewer points than this.
MOST_POINTS = 1_000_000_000

# Up to this count x log x is looked up.
LARGEST_LOOKED_UP = 1 << 22


# What is needed of random tables: the pairs together in both, all counts, or whole tables.
Needs = Literal["pairs", "counts", "tables"]


class Block(NamedTuple):
    """Some random tables: dense counts (draws, n_a, n_b), or what is needed of one table."""

    dense: Integers | None
    sparse: Contingency | None = None
    counts: Integers | None = None
    together: int | None = None

    @property
    def pairs(self) -> Floats:
        """The number of pairs together in both, of each table."""
        if self.together is not None:
            return np.array([float(self.together)])
        if self.dense is None:
            counts = self.cells.astype(np.float64)
            return np.array([np.dot(counts, counts - 1.0) / 2.0])
        squares = np.einsum("dij,dij->d", self.dense, self.dense)
        return np.asarray((squares - self.dense[0].sum()) / 2.0)

    @property
    def logs(self) -> Floats:
        """The sum of x log x over the cells, of each table."""
        if self.dense is None:
            return np.array([logs_of(self.cells).sum()])
        largest = int(self.dense.max())
        if largest <= LARGEST_LOOKED_UP:
            return np.asarray(logs_of(np.arange(largest + 1))[self.dense].sum(axis=(1, 2)))
        return np.asarray(logs_of(self.dense).sum(axis=(1, 2)))

    @property
    def tables(self) -> Iterator[Contingency]:
        """The tables one by one."""
        if self.sparse is not None:
            yield self.sparse
        for counts in () if self.dense is None else self.dense:
            rows, columns = np.nonzero(counts)
            masses_a, masses_b = counts.sum(axis=1), counts.sum(axis=0)
            total = int(masses_a.sum())
            yield Contingency.counted(
                rows, columns, counts[rows, columns], masses_a, masses_b, total, trusted=True
            )

    @property
    def cells(self) -> Integers:
        """The counts of the only table."""
        return self.counts if self.sparse is None else self.sparse.masses  # type: ignore[return-value]


def draw_blocks(
    table: Contingency, draws: int, generator: np.random.Generator, needs: Needs = "tables"
) -> Iterator[Block]:
    """So many random tables, in blocks. Both clusterings have at least two clusters."""
    n_cells = table.n_a * table.n_b
    if n_cells > DENSE_CELLS:
        yield from islice(shuffle(table, generator, needs), draws)
        return
    sizes = np.sort(table.masses_a), np.sort(table.masses_b)
    # Which of the two is dealt into the other must not depend on which one is called a.
    turned = (len(sizes[1]), sizes[1].tolist()) < (len(sizes[0]), sizes[0].tolist())
    rows, columns = (sizes[1], sizes[0]) if turned else sizes
    draw = draw_few if n_cells <= FEW_CELLS and table.total < MOST_POINTS else draw_many
    at_once = max(1, BLOCK_CELLS // n_cells)
    for first in range(0, draws, at_once):
        block = draw(rows, columns, min(at_once, draws - first), generator)
        yield Block(block.transpose(0, 2, 1) if turned else block, None)


def shuffle(table: Contingency, generator: np.random.Generator, needs: Needs) -> Iterator[Block]:
    """Endless random tables with too many cells to be drawn cell by cell, one in each block."""
    if needs == "pairs":
        return (Block(None, together=one) for one in draw_pairs(table, generator))
    if needs == "counts":
        return (Block(None, counts=one) for one in draw_counts(table, generator))
    return (Block(None, one) for one in draw_tables(table, generator))


def draw_few(
    rows: Integers, columns: Integers, draws: int, generator: np.random.Generator
) -> Integers:
    """Random tables with these sums, each cell drawn for all tables at once."""
    found = np.zeros((draws, len(rows), len(columns)), dtype=np.int64)
    left = np.tile(columns, (draws, 1))
    for row, size in enumerate(rows[:-1].tolist()):
        wanted = np.full(draws, size)
        others = left.sum(axis=1)
        for column in range(len(columns) - 1):
            here = left[:, column].copy()
            others -= here
            drawn = generator.hypergeometric(here, others, wanted)
            found[:, row, column] = drawn
            left[:, column] -= drawn
            wanted -= drawn
        found[:, row, -1] = wanted
        left[:, -1] -= wanted
    found[:, -1] = left
    return found


def draw_many(
    rows: Integers, columns: Integers, draws: int, generator: np.random.Generator
) -> Integers:
    """Random tables with these sums, by the quicker of scipy's two ways."""
    from scipy.stats import random_table

    law = random_table(rows, columns, seed=generator)
    drawn = np.asarray(law.rvs(draws)).astype(np.int64)
    return drawn.reshape(draws, len(rows), len(columns))
