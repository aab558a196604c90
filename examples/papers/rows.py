"""Rows of the table: what a paper prints, what clustcmp finds, and the verdict that follows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import fmean
from typing import Any

import clustcmp

Numbers = float | tuple[float, ...]

# Differences up to this are the rounding of floats.
DUST = 1e-9

# How often points are made up for a figure that does not list its own, and how often an order must
# come out; by tossing a coin it would so once in 50 times.
N_DRAWS = 20
ENOUGH = 15


class Verdict(StrEnum):
    """What became of a printed number or claim."""

    reproduced = "reproduced"
    ordering = "ordering only"
    failed = "not reproducible"


@dataclass(frozen=True)
class Outcome:
    """Our side of a row; `numbers` are those that stand against printed ones."""

    ours: str
    verdict: Verdict
    reason: str = ""
    numbers: tuple[float, ...] = ()


@dataclass(frozen=True)
class Row:
    """One line of the table; `find` computes our side. `numbers` are printed, a claim has none."""

    paper: str
    where: str
    what: str
    printed: str
    find: Callable[[], Outcome]
    numbers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """Whether a claim holds, and what shows it."""

    holds: bool
    shown: str


@dataclass(frozen=True)
class Paper:
    """A paper and its rows, in the order of their declaration."""

    name: str
    rows: list[Row] = field(default_factory=list)

    def numbers(
        self, where: str, what: str, printed: str, reason: str = "", source: str = ""
    ) -> Callable[[Callable[[], Numbers]], Callable[[], Numbers]]:
        """Declare printed numbers, by the function that computes ours.

        `reason` is why they may differ; `source` where they come from, if the paper prints none.
        """
        wanted = tuple(printed.split())

        def declare(compute: Callable[[], Numbers]) -> Callable[[], Numbers]:
            def find() -> Outcome:
                found = compute()
                ours = found if isinstance(found, tuple) else (found,)
                verdict, why = judge(wanted, ours, reason)
                return Outcome(show_numbers(wanted, ours), verdict, why, ours)

            shown = " / ".join(wanted) + (f" ({source})" if source else "")
            self.rows.append(Row(self.name, where, what, shown, find, wanted))
            return compute

        return declare

    def layout(
        self, where: str, what: str, printed: str
    ) -> Callable[[Callable[[int], tuple[float, float]]], Callable[[int], tuple[float, float]]]:
        """Declare two printed numbers whose points are not given, by a function of made-up points.

        It gets the number of the draw. Ours are the means. Only the order can come out, and it must
        do so in most draws.
        """
        wanted = tuple(printed.split())

        def declare(
            compute: Callable[[int], tuple[float, float]],
        ) -> Callable[[int], tuple[float, float]]:
            def find() -> Outcome:
                found = [compute(draw) for draw in range(N_DRAWS)]
                ours = fmean(one for one, _ in found), fmean(other for _, other in found)
                printed_order = order([float(text) for text in wanted])
                n_same = sum(order(numbers) == printed_order for numbers in found)
                mostly = n_same >= ENOUGH and order(ours) == printed_order
                verdict = Verdict.ordering if mostly else Verdict.failed
                reason = f"points not given; in {n_same} of {N_DRAWS} made-up layouts"
                return Outcome(show_numbers(wanted, ours), verdict, reason, ours)

            self.rows.append(Row(self.name, where, what, " / ".join(wanted), find, wanted))
            return compute

        return declare

    def claim(
        self,
        where: str,
        what: str,
        printed: str,
        reason: str = "",
        in_spirit: str = "",
    ) -> Callable[[Callable[[], Evidence]], Callable[[], Evidence]]:
        """Declare a claim, by the function that tests it; `reason` is why it may fail.

        A claim that is tested on other data or by other means than the paper's shows an order only;
        `in_spirit` says what is different.
        """

        def declare(test: Callable[[], Evidence]) -> Callable[[], Evidence]:
            def find() -> Outcome:
                evidence = test()
                if evidence.holds:
                    verdict = Verdict.ordering if in_spirit else Verdict.reproduced
                    return Outcome(evidence.shown, verdict, in_spirit)
                return Outcome(evidence.shown, Verdict.failed, reason or "it does not hold")

            self.rows.append(Row(self.name, where, what, printed, find))
            return test

        return declare

    def missing(self, where: str, what: str, printed: str, reason: str) -> None:
        """Declare what cannot be tried, because the paper leaves out what it needs."""

        def find() -> Outcome:
            return Outcome("-", Verdict.failed, reason)

        self.rows.append(Row(self.name, where, what, printed, find))


def judge(printed: Sequence[str], ours: Sequence[float], reason: str) -> tuple[Verdict, str]:
    """The verdict on numbers, and why.

    Without a reason why numbers may differ, their order is no consolation.
    """
    pairs = list(zip(printed, ours, strict=True))
    if all(is_rounded(text, number) for text, number in pairs):
        return Verdict.reproduced, ""
    if all(is_rounded(text, number) or is_cut(text, number) for text, number in pairs):
        return Verdict.reproduced, "printed cut, not rounded"
    same_order = order([float(text) for text in printed]) == order(ours)
    if reason and len(pairs) > 1 and same_order:
        return Verdict.ordering, reason
    return Verdict.failed, reason or "the numbers differ"


def is_rounded(printed: str, ours: float) -> bool:
    """Whether our number, rounded to the printed digits, is the printed one."""
    return abs(ours - float(printed)) <= last_digit(printed) / 2 + DUST


def is_cut(printed: str, ours: float) -> bool:
    """Whether our number, without the digits after the printed ones, is the printed one."""
    return 0.0 <= abs(ours) - abs(float(printed)) < last_digit(printed)


def last_digit(printed: str) -> float:
    """What one more in the last printed digit is worth; whole numbers are exact, so nothing."""
    decimals = len(printed.partition(".")[2])
    return 10.0**-decimals if decimals else 0.0


def order(numbers: Sequence[float]) -> list[int]:
    """For each two numbers: -1, 0 or 1, as the first is less, equal or more."""
    return [
        0 if abs(one - other) <= DUST else int(math.copysign(1, one - other))
        for one, other in itertools.combinations(numbers, 2)
    ]


def show_numbers(printed: Sequence[str], ours: Sequence[float]) -> str:
    """Our numbers, with one digit more than the printed ones."""
    return " / ".join(
        f"{number:.{len(text.partition('.')[2]) + 1}f}" if "." in text else f"{number:g}"
        for text, number in zip(printed, ours, strict=True)
    )


def value(metric: str, a: Any, b: Any, **space: Any) -> float:
    """The value of a metric; `space` are coordinates or distances."""
    found = clustcmp.compare(a, b, metrics=[metric], jobs=1, **space)[metric]
    if found is None:
        raise ValueError(f"{metric} has no value")
    return found
