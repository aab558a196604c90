"""The best value over several references, for each clustering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from clustcmp.analyses.matrix.order import order_by_value
from clustcmp.results import Result


class BestOf(NamedTuple):
    """The best of several results, and which of them it is."""

    result: Result
    row: int


def best_over(rows: Sequence[Sequence[Result]], higher_is_better: bool) -> list[BestOf]:
    """The best result of each column; of equal ones the first."""
    return [best_of(column, higher_is_better) for column in zip(*rows, strict=True)]


def best_of(results: Sequence[Result], higher_is_better: bool) -> BestOf:
    """The best of several results; the first one if none has a value."""
    row = order_by_value(results, higher_is_better)[0]
    return BestOf(replace(results[row], proven=best_interval(results, higher_is_better)), row)


def best_interval(results: Sequence[Result], higher_is_better: bool) -> tuple[float, float] | None:
    """The ends between which the best exact value is, if one of the values is approximate."""
    if not any(result.proven for result in results):
        return None
    ends = [one.proven or (one.value, one.value) for one in results if one.value is not None]
    choose = max if higher_is_better else min
    return choose(low for low, _ in ends), choose(high for _, high in ends)
