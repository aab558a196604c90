"""How sure the values of a matrix are, and which differences are real, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from clustcmp.analyses.matrix.report import Closer, Matrix, MatrixReport, ReferenceMatrix
from clustcmp.errors import plural
from clustcmp.render.blocks import Block, Line, Lines, Piece, Span, Tone
from clustcmp.render.significance import as_word
from clustcmp.render.widths import short
from clustcmp.render.words import (
    show_confidence,
    show_ends,
    show_percent,
    show_value,
    show_within,
)
from clustcmp.results import Result
from clustcmp.sureness import Interval

# More lines than these are left to the formats for programs.
MOST_LINES = 20

# Characters of a name in a sentence.
LONGEST = 40

# More clusterings than these that may be closest are counted and not named.
MOST_RIVALS = 3


# What a table for programs says about the closest clustering: the keys of JSON, after `closest`.
OF_CLOSEST = ("difference", "standard_error", "low", "high", "p", "decided", "reason")


class Closest:
    """For programs: which clustering is closest, and by how much closer than another one."""

    def __init__(self, found: Matrix) -> None:
        """What is known about the differences of one metric."""
        closer = found.closer or ()
        self._closest = {one.a: one.closest for one in closer}
        self._others = {(one.a, one.other): one for one in closer}

    def to(self, a: str) -> str | None:
        """The clustering that is closest to a."""
        return self._closest.get(a)

    def against(self, a: str, other: str, fact: str) -> Any:
        """A fact about the difference between the closest clustering and another one."""
        return as_word(getattr(self._others.get((a, other)), fact, None))


def is_sure(report: MatrixReport) -> bool:
    """Whether the values of a report have intervals."""
    return any(found.closer is not None for found in report)


def sure_blocks(found: Matrix, about: str = "", listed: bool = True) -> Iterator[Block]:
    """The intervals of a matrix, if they are `listed`, and which differences are real."""
    if found.closer is None:
        return
    if listed:
        yield Lines(shorten([[about, *line] for line in show_intervals(found)]))
    yield Lines(shorten([[about, *line] for line in show_closest(found)]), close=listed)


def shorten(lines: Sequence[Line]) -> list[Line]:
    """The first lines, and how many more there are."""
    if len(lines) <= MOST_LINES:
        return list(lines)
    return [*lines[:MOST_LINES], f"… and {len(lines) - MOST_LINES} more, which json has"]


def show_intervals(found: Matrix) -> Iterator[list[Piece]]:
    """Each value of two different clusterings with its interval."""
    for row, column, result in found.results:
        interval = result.interval
        is_again = found.symmetric and not isinstance(found, ReferenceMatrix) and column < row
        if interval is None or (is_again and interval.unit == "point"):
            continue
        first = found.names[row]
        if isinstance(found, ReferenceMatrix):
            first = found.compared_with[row][column]
        yield [called(first), " and ", called(found.names[column]), f": {show_sure(result)}"]


def show_sure(result: Result) -> str:
    """A value with its interval, or the reason why it has none."""
    interval = result.interval
    if result.value is None or interval is None:
        return "no value"
    if interval.ends is None:
        return f"{show_value(result.value)}, no interval: {interval.reason}"
    return f"{show_value(result.value)} {show_confidence(interval)}"


def show_closest(found: Matrix) -> Iterator[list[Piece]]:
    """For each clustering or reference which one is closest, and whether that is decided."""
    for a, group in groupby(found.closer or (), key=lambda one: one.a):
        others = list(group)
        undecided = [one for one in others if not one.decided]
        if undecided:
            yield list(say_undecided(a, undecided))
        else:
            yield say_closest(a, others, isinstance(found, ReferenceMatrix))


def say_undecided(a: str, undecided: Sequence[Closer]) -> Iterator[Piece]:
    """That one of several clusterings is closest, but not which."""
    first = undecided[0]
    yield from ("undecided whether ", called(first.closest))
    for one in undecided[:MOST_RIVALS]:
        yield from (" or ", called(one.other))
    if len(undecided) > MOST_RIVALS:
        yield f" or one of {len(undecided) - MOST_RIVALS} more"
    yield from (" is closest to ", called(a), f": {show_difference(first)}")


def say_closest(a: str, others: Sequence[Closer], is_ranking: bool) -> list[Piece]:
    """Which clustering is closest, and by how much at least."""
    nearest, *more = others
    besides = f" (and than {plural(len(more), 'other')})" if more else ""
    shown = f"{besides}: {show_difference(nearest)}"
    closest, other = called(nearest.closest), called(nearest.other)
    if is_ranking:
        return [closest, " is closer to ", called(a), " than ", other, shown]
    return [called(a), " is closer to ", closest, " than to ", other, shown]


def show_difference(one: Closer) -> str:
    """A difference with its interval, or the reason why it has none."""
    if one.difference is None or one.low is None or one.high is None:
        return one.reason or "nothing is known about the difference"
    ends = one.low, one.high
    return f"difference {show_within(one.difference, *ends)} {show_ends(*ends)}"


def called(text: str) -> Span:
    """The name of a clustering, cut if it is very long."""
    return Span(short(text, LONGEST), code=True)


def sure_legend(report: MatrixReport) -> Iterator[Block]:
    """What intervals and differences mean, and the seed of what was drawn."""
    interval = first_interval(report)
    if interval is None:
        return
    units = "clusters of the row" if interval.unit == "cluster" else "points"
    seed = "no seed: nothing was drawn" if report.seed is None else f"seed {report.seed}"
    yield Lines(
        [
            f"[low, high]: {show_percent(interval.level)} intervals over {units}; "
            "undecided: the difference may be 0",
            seed,
        ],
        Tone.faint,
        close=True,
    )


def first_interval(report: MatrixReport) -> Interval | None:
    """One of the intervals of a report, if there are any."""
    every = (result.interval for found in report for _, _, result in found.results)
    return next(filter(None, every), None)
