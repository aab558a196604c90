"""clustcmp.gate: the gate as a function; raises GateFailed, an AssertionError, unless it passes."""

from __future__ import annotations

from typing import Any, Unpack

from clustcmp.analyses.bounds.verdict import GateFailed, Verdict
from clustcmp.analyses.gate.definition import Gate
from clustcmp.analyses.gate.run import run_gate
from clustcmp.keywords import takes_some_settings
from clustcmp.settings import GateSettings


@takes_some_settings
def gate(a: Any, b: Any = None, **settings: Unpack[GateSettings]) -> Verdict:
    """The verdict on b with the reference a, or an AssertionError with the text of the command.

    `min`, `max`, `warn_min` and `warn_max` are inclusive bounds by metric: `{"ari": 0.9}`. Shares
    of points are written as "1%" or 0.01. With a `baseline` the candidate may stand alone, and
    `max_change` bounds how far values may be from the accepted ones. The other settings are those
    of `compare`. A value that is undefined is never good enough; bounds for warnings do not raise.

        >>> clustcmp.gate([1, 1, 2, 2], ["x", "x", "y", "y"], min={"ari": 0.9}).outcome
        <Outcome.passed: 'pass'>
    """
    sides = (a, b) if b is not None or settings.get("baseline") is None else (None, a)
    verdict = run_gate(Gate.of(settings, *sides))
    if not verdict:
        raise GateFailed(verdict)
    return verdict
