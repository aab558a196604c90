"""The bounds of a gate, each on a scale."""

from __future__ import annotations

import math
from collections.abc import Sequence

from clustcmp.analyses.bounds.thresholds import Kind, Threshold
from clustcmp.analyses.bounds.verdict import Check, Outcome
from clustcmp.errors import plural
from clustcmp.metrics import METRICS
from clustcmp.render.blocks import Chart, CheckLine
from clustcmp.render.drawings import Bullet, Bullets

TONES = {Outcome.passed: "good", Outcome.warn: "caution", Outcome.no_verdict: "caution"}


def bullet_chart(checks: Sequence[Check], lines: Sequence[CheckLine]) -> Chart | None:
    """A bullet for each check."""
    if not checks:
        return None
    bullets = [bullet_of(check, line) for check, line in zip(checks, lines, strict=True)]
    words = "; ".join(f"{one.word}: {one.bound}, found {one.found}" for one in bullets[:20])
    return Chart(
        "Bounds",
        "Each row is a bound: the mark is the value that was found, and the shaded part of the "
        "scale keeps the bound. A circle keeps it, a cross does not; a thin line is an interval, "
        "and a diamond the accepted value.",
        f"{plural(len(bullets), 'bound')}. {words}.",
        Bullets(bullets),
    )


def bullet_of(check: Check, line: CheckLine) -> Bullet:
    """One check on its scale."""
    threshold = check.threshold
    kept = kept_part(threshold, check.accepted)
    seen = [check.found, check.value, check.accepted, *(check.interval or ()), *kept]
    scale = find_scale(threshold, [one for one in seen if one is not None and math.isfinite(one)])
    low, high = (min(max(end, scale[0]), scale[1]) for end in kept)
    return Bullet(
        line.bound,
        line.found,
        line.word,
        TONES.get(check.outcome, "bad"),
        scale,
        (low, high),
        check.found if check.value is None else check.value,
        check.interval,
        check.accepted,
    )


def kept_part(threshold: Threshold, accepted: float | None) -> tuple[float, float]:
    """The values that keep a bound."""
    if threshold.kind is Kind.min:
        return threshold.bound, math.inf
    if threshold.kind is Kind.max:
        return -math.inf, threshold.bound
    if accepted is None:
        return -math.inf, math.inf
    allowed = threshold.bound * abs(accepted) if threshold.relative else threshold.bound
    low = -math.inf if threshold.kind is Kind.max_rise else accepted - allowed
    high = math.inf if threshold.kind is Kind.max_drop else accepted + allowed
    return low, high


def find_scale(threshold: Threshold, seen: Sequence[float]) -> tuple[float, float]:
    """The ends of the scale: those of the metric if they are finite, else around what is seen."""
    if threshold.is_share:
        return 0.0, 1.0
    metric = METRICS.get(threshold.metric.split(":")[0])
    ends = (metric.worst, metric.best) if metric is not None else (None, None)
    known = [one for one in ends if isinstance(one, float) and math.isfinite(one)]
    low, high = min([*seen, *known], default=0.0), max([*seen, *known], default=1.0)
    if len(known) == 2:
        return low, high
    room = 0.1 * (high - low) or 1.0
    return (low if low in known or low == 0.0 else low - room), high + room
