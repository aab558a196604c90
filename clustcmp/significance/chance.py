"""Chance: a value among those of random clusterings whose clusters keep their sizes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from clustcmp.arrays import LAST_DIGITS, Floats
from clustcmp.backends import map_tasks
from clustcmp.evaluate import answer_side
from clustcmp.metrics.expected_information import expected_information
from clustcmp.metrics.pairs import count_pairs
from clustcmp.model import Comparison, Contingency
from clustcmp.progress import announce, foretell
from clustcmp.significance.drawing import DENSE_CELLS, Block, Needs, draw_blocks
from clustcmp.significance.leaving import Ask, evaluate_table, why_no_draws
from clustcmp.significance.many import (
    ManyTables,
    NoQuickUpdate,
    Sums,
    evaluate_many,
    sum_logs,
    sum_pairs,
)
from clustcmp.significance.moments import pair_moments
from clustcmp.significance.permuting import Permutation, Permutations
from clustcmp.sureness import Chance

# Draws that differ from the value by no more than this share of it are as good as the value.
TIE = 1e-9

# A drawn spread below this share of the value is a rounding error.
NO_SPREAD = 1e-12

# Metrics that take minutes for some thousand points, and their draws unless they are named.
SLOW_DRAWS = {"cdistance": 19}

# scipy draws tables of at most so many points; with four times as many it ends the process.
MOST_DRAWN = 2_000_000_000

# Points that are shuffled have to fit into memory.
MOST_SHUFFLED = 1 << 28

# Work of fewer draws is not foretold, because two draws are needed to do so.
FEW_DRAWS = 50

CONSTANT = {"similarity_distance": "the same whichever points are in which clusters"}


class Null(NamedTuple):
    """The values of a metric for random clusterings, and their exact mean and sd if known."""

    values: Floats
    mean: float | None = None
    sd: float | None = None


def find_obstacle(ask: Ask, comparison: Comparison) -> str | None:
    """Why a metric cannot be compared with chance, or None."""
    metric = ask.request.metric
    if metric.higher_is_better is None:
        return "no direction: neither high nor low values are better"
    if metric.name in CONSTANT or ask.side == "a":
        return CONSTANT.get(metric.name, "describes a alone, which is not permuted")
    if not comparison.same_points:
        return "a and b have different points"
    return why_no_draws(ask, comparison)


def compare_with_chance(
    comparison: Comparison, values: Mapping[Ask, float], draws: int, seed: np.random.SeedSequence
) -> dict[Ask, tuple[Chance, Null | None]]:
    """How each value compares with chance, and the values that were drawn."""
    found: dict[Ask, tuple[Chance, Null | None]] = {}
    for ask in values:
        if reason := find_obstacle(ask, comparison):
            found[ask] = Chance(0, reason=reason), None
    asks = [ask for ask in values if ask not in found]
    by_table = [ask for ask in asks if ask.request.metric.subject is Contingency]
    if not comparison.is_hard:
        by_table = []
    if by_table and (reason := why_not_drawn(comparison.contingency)):
        found |= place_undrawn(comparison.contingency, values, by_table, reason)
        asks, by_table = [ask for ask in asks if ask not in found], []
    nulls = draw_by_table(comparison.contingency, by_table, draws, seed) if by_table else {}
    for ask in asks:
        null = nulls[ask] if ask in nulls else draw_by_points(comparison, ask, draws, seed)
        better = bool(ask.request.metric.higher_is_better)
        found[ask] = place(values[ask], null, better), null
    return found


def place(value: float, null: Null, higher_is_better: bool) -> Chance:
    """Where a value is among random ones."""
    draws = len(null.values)
    tie = TIE * max(1.0, abs(value))
    # Written with ~ so that a draw without a value counts as good, which can only raise p.
    worse = null.values < value - tie if higher_is_better else null.values > value + tie
    as_good = int(np.count_nonzero(~worse))
    p = (1.0 + as_good) / (1.0 + draws)
    exact = null.mean is not None
    mean, sd = (null.mean, null.sd) if exact else spread(null.values)
    z = (value - mean) / sd if mean is not None and sd else None
    return Chance(draws, mean, sd, z, p, exact)


def why_not_drawn(table: Contingency) -> str | None:
    """Why random tables cannot be drawn, or None."""
    most = MOST_SHUFFLED if table.n_a * table.n_b > DENSE_CELLS else MOST_DRAWN
    return f"no draws from more than {most:,} points" if table.total > most else None


def place_undrawn(
    table: Contingency, values: Mapping[Ask, float], asks: Sequence[Ask], reason: str
) -> dict[Ask, tuple[Chance, Null | None]]:
    """Where values are among random ones as far as that is known without any draw."""
    found: dict[Ask, tuple[Chance, Null | None]] = {}
    for ask in asks:
        mean, sd = exact_moments(table, ask) if find_reads(ask, table) else (None, None)
        z = (values[ask] - mean) / sd if mean is not None and sd else None
        found[ask] = Chance(0, mean, sd, z, None, mean is not None, reason), None
    return found


def spread(values: Floats) -> tuple[float | None, float | None]:
    """The mean and the standard deviation of the drawn values, None where there are too few."""
    known = values[np.isfinite(values)]
    if not len(known):
        return None, None
    mean = float(known.mean())
    if len(known) < 2:
        return mean, None
    sd = float(known.std(ddof=1))
    return mean, sd if sd > NO_SPREAD * max(1.0, abs(mean)) else 0.0


def draw_by_table(
    table: Contingency, asks: Sequence[Ask], draws: int, seed: np.random.SeedSequence
) -> dict[Ask, Null]:
    """The values of metrics of hard clusterings for random tables, which are drawn once for all."""
    if table.n_a == 1 or table.n_b == 1:
        # There is one possible table, the given one, and scipy would return negative counts.
        return {ask: only_table(table, ask, draws) for ask in asks}
    quick = {ask: reads for ask in asks if (reads := find_reads(ask, table)) is not None}
    slow = [ask for ask in asks if ask not in quick]
    has_logs = any(reads - {count_pairs} for reads in quick.values())
    pairs, logs, rows = [], [], []
    generator = np.random.default_rng(seed)
    if slow:
        tell_time(table, slow, draws)
    needs: Needs = "tables" if slow else "counts" if has_logs else "pairs"
    blocks = announce(
        draw_blocks(table, draws, generator, needs), "random tables", draws, count_draws
    )
    for block in blocks:
        pairs.append(block.pairs)
        logs.append(block.logs if has_logs else np.zeros(len(pairs[-1])))
        rows += [
            [evaluate_table(ask.request, one) for ask in slow] for one in tables_of(block, slow)
        ]
    drawn = many_with(table, np.concatenate(pairs), np.concatenate(logs))
    found = {ask: Null(np.array([row[i] for row in rows])) for i, ask in enumerate(slow)}
    for ask in quick:
        values = np.broadcast_to(evaluate_many(ask.request, drawn), (draws,))
        found[ask] = Null(values, *exact_moments(table, ask))
    return found


def count_draws(block: Block) -> int:
    """How many tables are in a block."""
    return 1 if block.dense is None else len(block.dense)


def tables_of(block: Block, slow: Sequence[Ask]) -> Iterator[Contingency]:
    """The tables of a block, if some metric has to look at each of them."""
    return block.tables if slow else iter(())


def tell_time(table: Contingency, slow: Sequence[Ask], draws: int) -> None:
    """Say how long drawing takes, if it takes long."""
    if draws >= FEW_DRAWS:
        generator = np.random.default_rng(0)

        def sample() -> None:
            (block,) = draw_blocks(table, 1, generator)
            for one in block.tables:
                for ask in slow:
                    evaluate_table(ask.request, one)

        foretell(f"{draws:,} random tables", sample, draws)


def only_table(table: Contingency, ask: Ask, draws: int) -> Null:
    """The null where one side has a single cluster: all random tables are the given one."""
    value = evaluate_table(ask.request, table)
    return Null(np.full(draws, value), value, 0.0)


def many_with(table: Contingency, pairs: Floats, logs: Floats | None = None) -> ManyTables:
    """Tables with the sizes of the given one, and these sums over their cells.

    Without logs, the sums of x log x are those of the given table.
    """

    def all_logs() -> Sums:
        both, a, b = table.once(sum_logs)
        return np.full(len(pairs), both) if logs is None else logs, a, b

    return ManyTables(
        float(table.total),
        table.n_a,
        table.n_b,
        (pairs, *table.once(sum_pairs)[1:]),
        all_logs,
        lambda: table.once(expected_information),
    )


def find_reads(ask: Ask, table: Contingency) -> set[object] | None:
    """Which sums a metric reads; None if it reads more than sums."""
    tables = many_with(table, np.full(2, table.once(sum_pairs)[0]))
    try:
        evaluate_many(ask.request, tables)
    except NoQuickUpdate:
        return None
    return tables.reads


def exact_moments(table: Contingency, ask: Ask) -> tuple[float | None, float | None]:
    """The exact mean and deviation of a metric that is linear in the pairs that are in both."""
    most = min(table.once(sum_pairs)[1:])
    mean, variance = pair_moments(table.masses_a, table.masses_b)
    at = np.array([0.0, most / 2.0, most, float(mean)])
    tables = many_with(table, at)
    values = np.broadcast_to(evaluate_many(ask.request, tables), (4,))
    if tables.reads != {count_pairs} or not np.isfinite(values).all():
        return None, None
    low, middle, high, expected = values.tolist()
    scale = max(abs(low), abs(high), 1e-300)
    if abs(low + high - 2.0 * middle) > 1e-9 * scale:
        return None, None
    slope = abs(high - low) / most if most else 0.0
    return 0.0 if abs(expected) <= LAST_DIGITS * scale else expected, slope * root_of(variance)


def root_of(variance: object) -> float:
    """The square root of a fraction, which may be too large for a float by itself."""
    return math.sqrt(float(variance))  # type: ignore[arg-type]


def draw_by_points(
    comparison: Comparison, ask: Ask, draws: int, seed: np.random.SeedSequence
) -> Null:
    """The values of a metric with b's clusters permuted over the points."""
    if not ask.request.named:
        draws = min(draws, SLOW_DRAWS.get(ask.request.metric.name, draws))
    size = comparison.b.points.size
    what = f"{draws:,} permutations for {ask.request.spec}"
    if draws >= FEW_DRAWS:
        others = Permutations(np.random.default_rng(0), size, 2)
        sample = partial(next, map(partial(permuted_value, comparison, ask), others))
        foretell(what, sample, draws)
    permutations = Permutations(np.random.default_rng(seed), size, draws)
    permuted = partial(permuted_value, comparison, ask)
    return Null(np.array(map_tasks(permuted, permutations, 1, what=what, divides=True)))


def permuted_value(comparison: Comparison, ask: Ask, permutation: Permutation) -> float:
    """The value of a metric with b's clusters permuted over the points, NaN where it has none."""
    b = replace(comparison.b, membership=comparison.b.membership.take(permutation.order))
    value = answer_side(ask.request, replace(comparison, b=b), ask.side).value
    return math.nan if value is None else value
