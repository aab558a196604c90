"""A gate within Python, for tests: it raises unless everything is as asked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from clustcmp.analyses.bounds.thresholds import Kind, Level, Threshold, find_metric, parse_share
from clustcmp.analyses.bounds.verdict import GateFailed, Verdict
from clustcmp.analyses.compare import prepare
from clustcmp.analyses.gate.run import judge_comparison
from clustcmp.analyses.gate.settings import Settings
from clustcmp.errors import UsageError
from clustcmp.render.verdict import verdict_text

Bounds = Mapping[str, float] | None


def gate(
    a: Any,
    b: Any,
    *,
    min: Bounds = None,
    max: Bounds = None,
    warn_min: Bounds = None,
    warn_max: Bounds = None,
    max_moved: float | str | None = None,
    min_coverage: float | str | None = None,
    **options: Any,
) -> Verdict:
    """The verdict on b with the reference a, or an AssertionError with the text of the command.

    `min`, `max`, `warn_min` and `warn_max` are inclusive bounds by metric: `{"ari": 0.9}`. Shares
    of points are written as "1%" or 0.01. The other options are those of `compare`. A value that
    is undefined is never good enough; bounds for warnings do not raise.

        >>> clustcmp.gate([1, 1, 2, 2], ["x", "x", "y", "y"], min={"ari": 0.9}).outcome
        <Outcome.passed: 'pass'>
    """
    settings = Settings(
        max_moved=parse_share(max_moved, "max_moved"),
        min_coverage=parse_share(min_coverage, "min_coverage"),
        thresholds=(
            *as_thresholds(Kind.min, Level.fail, min),
            *as_thresholds(Kind.max, Level.fail, max),
            *as_thresholds(Kind.min, Level.warn, warn_min),
            *as_thresholds(Kind.max, Level.warn, warn_max),
        ),
    )
    settings.check()
    verdict = judge_comparison(prepare(a, b, **options), settings)
    if not verdict:
        raise GateFailed(verdict_text([verdict]), verdict)
    return verdict


def as_thresholds(kind: Kind, level: Level, bounds: Bounds) -> list[Threshold]:
    """The thresholds that a mapping from metric to number stands for."""
    if bounds is not None and not isinstance(bounds, Mapping):
        raise UsageError(f"{bounds!r} are no bounds", hint='write them as {"ari": 0.9}')
    found = []
    for metric, bound in (bounds or {}).items():
        try:
            number = math.nan if isinstance(bound, bool) else float(bound)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        found.append(Threshold(find_metric(str(metric)).spec, kind, number, level))
    return found
