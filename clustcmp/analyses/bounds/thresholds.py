"""The bounds that a gate sets, as people write them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product
from typing import Annotated, Any

from clustcmp.arrays import LAST_DIGITS
from clustcmp.errors import UsageError
from clustcmp.metrics import METRICS
from clustcmp.options import show_option
from clustcmp.records import PythonOnly, Record
from clustcmp.registry import Request
from clustcmp.shares import as_decimal, parse_share
from clustcmp.typed import show
from clustcmp.wording import name_of, say

# What a bound can be on besides a metric: shares of points, and counts. The last three are those of
# the candidate alone.
MOVED = "moved"
COVERAGE = "coverage"
CLUSTERS = "clusters"
LARGEST = "largest"
NOISE = "noise"

SHARES = (MOVED, COVERAGE, LARGEST, NOISE)
OF_THE_CANDIDATE = (CLUSTERS, LARGEST, NOISE)

HOW_TO_BOUND = "write METRIC=NUMBER, such as ari=0.9 or nmi:average=geometric=0.8"


class Kind(StrEnum):
    """Which side of a bound is the good one: at least, at most, or near an accepted value.

    A drop and a rise count in their direction only, a change in both.
    """

    min = "min"
    max = "max"
    max_change = "max_change"
    max_drop = "max_drop"
    max_rise = "max_rise"

    @property
    def is_change(self) -> bool:
        """Whether the bound is on the distance from an accepted value."""
        return self not in (Kind.min, Kind.max)


class Level(StrEnum):
    """What follows if a bound is not kept: the gate fails, or it warns."""

    fail = "fail"
    warn = "warn"


# The settings that hold bounds, with what each of them means.
BOUNDS = {
    "min": (Kind.min, Level.fail),
    "max": (Kind.max, Level.fail),
    "warn_min": (Kind.min, Level.warn),
    "warn_max": (Kind.max, Level.warn),
    **{kind.value: (kind, Level.fail) for kind in Kind if kind.is_change},
}

# The settings that hold a bound on something else, with what that is.
QUANTITIES = {
    "max_moved": (MOVED, Kind.max),
    "min_coverage": (COVERAGE, Kind.min),
    "min_clusters": (CLUSTERS, Kind.min),
    "max_clusters": (CLUSTERS, Kind.max),
    "max_largest": (LARGEST, Kind.max),
    "max_noise": (NOISE, Kind.max),
}


@dataclass(frozen=True)
class Threshold(Record):
    """A bound on a metric (by its canonical spec), on a share of points or on a count.

    Bounds are inclusive. A relative change is a share of the accepted value. `request` asks for the
    metric, if the bound is on one.
    """

    metric: Annotated[
        str,
        "The canonical spec of a metric, or moved, coverage, or of the candidate: clusters, "
        "largest, noise.",
    ]
    kind: Kind
    bound: Annotated[float, "Inclusive."]
    level: Level = Level.fail
    relative: Annotated[bool, "Whether the bound is a share of the accepted value."] = False
    request: PythonOnly[Request | None] = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not math.isfinite(self.bound):
            raise UsageError(
                f"{self.metric}: a bound is a finite number, not {self.bound}", hint=HOW_TO_BOUND
            )
        if self.kind.is_change and self.bound < 0.0:
            word = self.kind.removeprefix("max_")
            raise UsageError(
                f"{self.metric}: the bound on a {word} is {self.bound:g}, but no {word} is below 0",
                hint=f"give how large the {word} may be",
            )

    @property
    def key(self) -> str:
        """How the threshold is called in configuration files: min, warn_min, ..."""
        return self.kind.value if self.level is Level.fail else f"warn_{self.kind.value}"

    @property
    def typed(self) -> float | str:
        """The bound as it is written: a share of the accepted value in percent."""
        return f"{100.0 * self.bound:.12g}%" if self.relative else self.bound

    @property
    def is_share(self) -> bool:
        """Whether the value is a share of points."""
        return self.metric in SHARES

    @property
    def is_count(self) -> bool:
        """Whether the value is a whole number."""
        return self.metric == CLUSTERS

    def margin(self, value: float, accepted: float | None = None) -> float:
        """How far the value is on the good side of the bound; negative on the other side."""
        if self.kind is Kind.min:
            return value - self.bound
        if self.kind is Kind.max:
            return self.bound - value
        if accepted is None:
            raise ValueError(f"{self.metric}: a change needs an accepted value")
        allowed = self.bound * abs(accepted) if self.relative else self.bound
        rise = value - accepted
        return allowed - {Kind.max_drop: -rise, Kind.max_rise: rise}.get(self.kind, abs(rise))

    def worst_case(
        self, ends: Sequence[float], accepted: Sequence[float] = ()
    ) -> tuple[float, float | None]:
        """A value between these ends, and an accepted one between its own, with the least margin.

        An exact value has one end only.
        """
        befores: list[float | None] = list(accepted) or [None]
        if len(accepted) > 1 and min(accepted) < 0.0 < max(accepted):
            # A share of an accepted value allows the least change where this value is 0.
            befores.append(0.0)
        return min(product(ends, befores), key=lambda both: self.margin(*both))

    def holds(self, value: float, accepted: float | None = None) -> bool:
        """Whether the value keeps the bound; NaN keeps none."""
        if self.kind.is_change or self.is_share:
            # Differences and shares are rounded: 0.8 - 0.7 is not exactly 0.1.
            return self.margin(value, accepted) >= -LAST_DIGITS * max(1.0, abs(value))
        return value >= self.bound if self.kind is Kind.min else value <= self.bound


def read_thresholds(settings: Mapping[str, Any]) -> tuple[Threshold, ...]:
    """The thresholds in the settings that hold bounds, those on metrics first."""
    given = {key: value for key, value in settings.items() if value is not None}
    on_metrics = [one for key in BOUNDS if key in given for one in as_thresholds(key, given[key])]
    others = [bound_quantity(key, given[key]) for key in QUANTITIES if key in given]
    return (*on_metrics, *others)


def bound_quantity(key: str, bound: float | str) -> Threshold:
    """The bound on a share or on a count that a setting holds."""
    what, kind = QUANTITIES[key]
    return Threshold(what, kind, parse_share(bound, key) if what in SHARES else float(bound))


def as_thresholds(key: str, bounds: Mapping[str, Any] | Sequence[str]) -> list[Threshold]:
    """The thresholds that one of these settings holds: {"ari": 0.9}, or ["ari=0.9"] as typed."""
    kind, level = BOUNDS[key]
    if isinstance(bounds, Mapping):
        return [
            make_threshold(kind, find_metric(name), bound, level) for name, bound in bounds.items()
        ]
    return [parse_threshold(kind, text, level) for text in bounds]


def make_threshold(kind: Kind, request: Request, bound: float | str, level: Level) -> Threshold:
    """The bound on a metric by a number or, as it is typed, by a text such as "2%"."""
    if isinstance(bound, str):
        number, relative = parse_bound(kind, bound, f"{request.spec}={bound}")
        return Threshold(request.spec, kind, number, level, relative, request)
    return Threshold(request.spec, kind, float(bound), level, request=request)


def parse_threshold(kind: Kind, text: str, level: Level = Level.fail) -> Threshold:
    """The threshold that `METRIC=NUMBER` stands for; the text is split at its last =."""
    metric, equals, bound = text.rpartition("=")
    if not equals or not metric.strip() or not bound.strip():
        raise UsageError(f"{text!r} is not a bound on a metric", hint=HOW_TO_BOUND)
    number, relative = parse_bound(kind, bound.strip(), text)
    request = find_metric(metric)
    return Threshold(request.spec, kind, number, level, relative, request)


def parse_bound(kind: Kind, text: str, whole: str) -> tuple[float, bool]:
    """The number that a bound is, and whether it is a share of the accepted value."""
    relative = kind.is_change and text.endswith("%")
    if text.endswith("%") and not relative:
        raise UsageError(
            f"{show(whole)}: the bound on a metric is a number, not a percentage", hint=HOW_TO_BOUND
        )
    digits = text.removesuffix("%")
    number = as_decimal(digits)
    if number is None:
        guess = " (a comma is not a decimal point)" if "," in digits else ""
        raise UsageError(f"{show(whole)}: {show(digits)} is not a number{guess}", hint=HOW_TO_BOUND)
    return float(number / 100 if relative else number), relative


def no_bound() -> UsageError:
    """The error for a gate that nothing could fail."""
    return UsageError(
        "the gate has no bound, so nothing could fail it",
        hint=f"give one: {say('min', {'ari': 0.9})}, {say('max', {'cdistance': 0.05})}, "
        f"{say('max_moved', '1%')}",
    )


def find_metric(spec: str) -> Request:
    """The one metric that a spec names."""
    keys = [key for key, (what, _) in QUANTITIES.items() if what == spec.strip()]
    if keys:
        raise UsageError(
            f"{spec.strip()!r} is not a metric",
            hint=f"write {' or '.join(map(name_of, keys))}, in files {' or '.join(keys)}",
        )
    requests = METRICS.requests([spec])
    if len(requests) != 1 or not requests[0].named:
        raise UsageError(
            f"{spec!r} names several metrics, but a bound is on one",
            hint="'clustcmp metrics' lists the metrics of each family",
        )
    return requests[0]


def check_thresholds(thresholds: Iterable[Threshold]) -> None:
    """Refuse bounds that contradict each other, or that are given twice."""
    seen: dict[tuple[str, str], Threshold] = {}
    for threshold in thresholds:
        if (threshold.metric, threshold.key) in seen:
            raise UsageError(
                f"{threshold.metric}: {threshold.key} is given twice", hint="choose one"
            )
        seen[threshold.metric, threshold.key] = threshold
    for (metric, key), threshold in seen.items():
        upper = seen.get((metric, key.replace("min", "max")))
        if threshold.kind is Kind.min and upper and upper.bound < threshold.bound:
            raise UsageError(
                f"{metric}: no value is at least {show_option(threshold.bound)} "
                f"and at most {show_option(upper.bound)}",
                hint="exchange the bounds, or leave one out",
            )
