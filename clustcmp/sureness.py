"""What a user can ask about a value: how sure it is, chance, and whether another is closer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from clustcmp.records import Count, Record, Rule, UpToOne


@dataclass(frozen=True)
class Interval(Record):
    """How sure a value is: what as many other points of the same kind would give.

    `low` and `high` are None where there is no interval, and `reason` says why.
    """

    level: UpToOne
    low: float | None
    high: float | None
    standard_error: float | None
    unit: Annotated[str, Rule(enum=["point", "cluster"]), "What was left out, one after the other."]
    method: Annotated[
        str | None,
        Rule(enum=["leave_one_out", "groups", "blend", None]),
        "One unit left out at a time, or a group of units; for values without any variation the "
        "table blended with chance.",
    ] = None
    reason: Annotated[str | None, "Why there is no interval."] = None

    @property
    def ends(self) -> tuple[float, float] | None:
        """Both ends, if there are any."""
        return None if self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True)
class Chance(Record):
    """How a value compares with those of random clusterings that keep their cluster sizes.

    `p` is the share of random draws that are as good or better, the value itself counted among the
    draws. `p` is None where chance does not apply, and `reason` says why.
    """

    draws: Count
    mean: float | None = None
    sd: float | None = None
    z: Annotated[float | None, "(value - mean) / sd; null where sd is 0."] = None
    p: UpToOne | None = None
    exact: Annotated[bool, "Whether mean and sd are exact and not those of the draws."] = False
    reason: Annotated[str | None, "Why chance does not apply."] = None


@dataclass(frozen=True)
class Versus(Record):
    """Whether b or another candidate c is closer to a, for one metric.

    `difference` is the value of b minus the value of c, with its interval from `low` to `high`.
    """

    file: Annotated[str | None, "The candidate c; null for an object."]
    value: Annotated[float | None, "The value of c."]
    difference: float | None = None
    standard_error: float | None = None
    low: float | None = None
    high: float | None = None
    p: Annotated[UpToOne | None, "Of no difference, two-sided."] = None
    closer: Annotated[str | None, Rule(enum=["b", "c", "undecided", None])] = None
    reason: Annotated[str | None, "Why nothing can be said."] = None
