"""Gates in Python: `clustcmp.gate`, `clustcmp.run_gates` and `clustcmp.accept_baseline`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, Unpack, cast

from clustcmp.analyses.bounds.verdict import GateFailed, Verdict, Verdicts
from clustcmp.analyses.gate.config import find_gates
from clustcmp.analyses.gate.definition import Gate
from clustcmp.analyses.gate.run import run_gate
from clustcmp.analyses.gate.run import run_gates as run_all
from clustcmp.analyses.gate.update import BaselineUpdate, accept, save_baseline
from clustcmp.keywords import takes_some_settings
from clustcmp.settings import GateSettings

Function = TypeVar("Function", bound=Callable[..., Any])


def fails_in_the_calling_line(function: Function) -> Function:
    """The function; the traceback of a GateFailed that it raises ends in the line that called it.

    That line is what a user of a test wants to see, and the frames of clustcmp would hide it.
    """

    @wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        try:
            return function(*arguments, **keywords)
        except GateFailed as error:
            # `raise` alone raises the error again without this frame.
            error.__traceback__ = None
            raise

    return cast(Function, call)


@fails_in_the_calling_line
@takes_some_settings
def gate(a: Any = None, b: Any = None, **settings: Unpack[GateSettings]) -> Verdict:
    """The verdict on b with the reference a; raises GateFailed unless it is a pass.

    GateFailed is an AssertionError with the text of the command.

    `min`, `max`, `warn_min` and `warn_max` are inclusive bounds by metric: `{"ari": 0.9}`. Shares
    of points are written as "1%" or 0.01. `min_clusters`, `max_clusters`, `max_largest` and
    `max_noise` bound the candidate alone. With a `baseline` the candidate may stand alone, and
    `max_change` bounds how far values may be from the accepted ones, `max_drop` and `max_rise` do
    so in one direction. With `confidence=0.95` a bound on a metric is kept only if the whole
    interval keeps it. The other settings are those of `compare`. A value that is undefined is never
    good enough; bounds for warnings do not raise.

        >>> clustcmp.gate([1, 1, 2, 2], ["x", "x", "y", "y"], min={"ari": 0.9}).outcome
        <Outcome.passed: 'pass'>
    """
    verdict = run_gate(Gate.of(settings, *two_sides(a, b, settings)))
    if not verdict:
        raise GateFailed(verdict)
    return verdict


@takes_some_settings
def run_gates(
    config: str | Path | None = None, *names: str, **settings: Unpack[GateSettings]
) -> Verdicts:
    """The verdicts of the gates in a configuration, or of those with the given names.

    Without `config` the gates are those of ./clustcmp.toml or ./pyproject.toml. Settings beat the
    file. Nothing is raised for a gate that fails: look at `exit_status`, or at each verdict.
    """
    gates = find_gates(None if config is None else str(config), names)
    return run_all(one.overridden_by(Gate.of(settings)) for one in gates)


@takes_some_settings
def accept_baseline(a: Any, b: Any = None, **settings: Unpack[GateSettings]) -> BaselineUpdate:
    """Accept the values of this run: write them to the file `baseline`, and return what changed.

    The metrics are those of the bounds and of the baseline that is replaced, else the featured
    ones.
    """
    update = accept(Gate.of(settings, *two_sides(a, b, settings)))
    save_baseline(update)
    return update


def two_sides(a: Any, b: Any, settings: GateSettings) -> tuple[Any, Any]:
    """The reference and the candidate; with a baseline the candidate may be the only one."""
    return (a, b) if b is not None or settings.get("baseline") is None else (None, a)
