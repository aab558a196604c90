"""Many tables at once: the sums that formulas of metrics read, with an entry for each table.

Formulas of the families pair counting and information read sums of a contingency with `once`. They
are written for numbers and for arrays, so that an object that answers with arrays is computed for
all of its tables in one call. Formulas that read anything else have no such quick way.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from clustcmp.arrays import SAME_SUM, Floats, Masses
from clustcmp.errors import Undefined
from clustcmp.evaluate import ends_of
from clustcmp.metrics.elementwise import Quantity, logarithm
from clustcmp.metrics.expected_information import expected_information
from clustcmp.metrics.information import (
    nats_a,
    nats_a_given_b,
    nats_b,
    nats_b_given_a,
    nats_both,
    nats_shared,
)
from clustcmp.metrics.pairs import PairCounts, count_pairs
from clustcmp.model import Contingency
from clustcmp.registry import Request


class NoQuickUpdate(Exception):
    """A metric reads more of a table than the sums that are known for many tables."""


# Sums over cells, clusters of a and clusters of b; each a number or an array of them.
Sums = tuple[Quantity, Quantity, Quantity]


def pairs_of(masses: Masses) -> Floats:
    """x (x - 1) / 2 of each mass, as floats, because products of pairs exceed 64-bit integers."""
    wide = masses.astype(np.float64)
    return wide * (wide - 1.0) / 2.0


def logs_of(masses: Masses) -> Floats:
    """x log x of each mass, 0 for no mass."""
    wide = masses.astype(np.float64)
    return wide * np.log(np.maximum(wide, 1e-300))


def sum_pairs(table: Contingency) -> tuple[float, float, float]:
    """The pairs of points in one cell, in one cluster of a, in one cluster of b."""
    both, a, b = (float(pairs_of(masses).sum()) for masses in masses_of(table))
    return both, a, b


def sum_logs(table: Contingency) -> tuple[float, float, float]:
    """The sums of x log x over cells, clusters of a and clusters of b."""
    both, a, b = (math.fsum(logs_of(masses)) for masses in masses_of(table))
    return both, a, b


def masses_of(table: Contingency) -> tuple[Masses, Masses, Masses]:
    """The masses of cells, clusters of a and clusters of b."""
    return table.masses, table.masses_a, table.masses_b


class ManyTables:
    """Tables as the formulas of metrics see them: sums that are arrays, and nothing else.

    `pairs` are sums of x (x - 1) / 2. `logs` gives sums of x log x; they take most of the time, so
    they are asked for only if a metric reads them. `expected` is the mutual information that chance
    alone gives, which is the same for all tables. The clusterings behind the tables are hard.
    """

    has_masses = False
    memberships = None

    def __init__(
        self,
        total: Quantity,
        n_a: Quantity,
        n_b: Quantity,
        pairs: Sums,
        logs: Callable[[], Sums],
        expected: Callable[[], float],
    ) -> None:
        """The tables have these totals, numbers of clusters and sums."""
        self.total, self.n_a, self.n_b = total, n_a, n_b
        self._pairs = pairs
        self._logs = cache(logs)
        self._expected = expected
        self._answers: dict[Callable[..., Any], Callable[[], Quantity]] = {
            count_pairs: self._count_pairs,
            nats_a: lambda: self._nats(1),
            nats_b: lambda: self._nats(2),
            nats_both: lambda: self._nats(0),
            nats_a_given_b: lambda: positive(self._nats(0) - self._nats(2)),
            nats_b_given_a: lambda: positive(self._nats(0) - self._nats(1)),
            nats_shared: lambda: positive(self._nats(1) + self._nats(2) - self._nats(0)),
            expected_information: self._expected,
        }
        self._memory: dict[Callable[..., Any], Quantity] = {}

    def once(self, compute: Callable[..., Any], *arguments: Any) -> Any:
        """What the function would return for each of the tables."""
        if compute not in self._answers or arguments:
            raise NoQuickUpdate
        if compute not in self._memory:
            self._memory[compute] = self._answers[compute]()
        return self._memory[compute]

    def __getattr__(self, name: str) -> Any:
        raise NoQuickUpdate(name)

    @property
    def identical(self) -> Any:
        """Which tables are those of equal clusterings: each cluster is whole in one cell."""
        both, a, b = self._pairs
        return (both == a) & (both == b)

    @property
    def reads(self) -> set[object]:
        """The functions whose results were asked for."""
        return set(self._memory)

    def _count_pairs(self) -> PairCounts:
        both, a, b = self._pairs
        all_pairs = self.total * (self.total - 1.0) / 2.0
        return PairCounts(both, a - both, b - both, all_pairs - a - b + both)

    def _nats(self, which: int) -> Quantity:
        nats = logarithm(self.total) - self._logs()[which] / self.total
        return positive(nats)


def positive(nats: Quantity) -> Quantity:
    """An entropy that is 0 where only a rounding error is left of it."""
    return nats * (nats > SAME_SUM)


def evaluate_many(request: Request, tables: ManyTables) -> Quantity:
    """The values of a metric for all tables, NaN where it has none.

    A metric that decides by a single number, or reads more than sums, raises NoQuickUpdate.
    """
    try:
        value = request.metric.compute(tables, **request.options)
    except ValueError as error:
        # numpy: the truth value of an array with more than one element is ambiguous.
        raise NoQuickUpdate from error
    except Undefined:
        value = math.nan
    best = ends_of(request, is_hard=True)[1]
    if best is None or not math.isfinite(best) or not np.any(tables.identical):
        return value
    # As in a report, equal clusterings get the best value, also where the formula is 0/0.
    return np.where(tables.identical, best, value)


def blend(table: Contingency, share: float) -> ManyTables:
    """One table, (1 - share) of it and the rest as chance would have it: r c / n in each cell."""
    n = float(table.total)
    rows, columns = (masses.astype(np.float64) for masses in (table.masses_a, table.masses_b))
    by_chance = rows[table.rows] * columns[table.columns] / n
    cells = (1.0 - share) * table.masses + share * by_chance
    elsewhere = share * by_chance
    squares = np.dot(cells, cells) - np.dot(elsewhere, elsewhere)
    squares += share * share * np.dot(rows, rows) * np.dot(columns, columns) / (n * n)

    def logs() -> Sums:
        _, a, b = table.once(sum_logs)
        # The sum of x log x over all cells as chance would have them, occupied or not.
        everywhere = share * (n * math.log(share / n) + a + b)
        return math.fsum(logs_of(cells)) - math.fsum(logs_of(elsewhere)) + everywhere, a, b

    pairs = max((squares - n) / 2.0, 0.0), *table.once(sum_pairs)[1:]
    return ManyTables(
        table.total, table.n_a, table.n_b, pairs, logs, lambda: table.once(expected_information)
    )
