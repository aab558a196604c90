"""The clusterer that a user asks for: a name, an object, a function or a command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clustcmp.clusterers.algorithms import ALGORITHMS, Algorithm
from clustcmp.clusterers.base import Clusterer
from clustcmp.clusterers.objects import Estimator, Function
from clustcmp.clusterers.programs import Program
from clustcmp.errors import UsageError
from clustcmp.wording import either, name_of


def make(
    estimator: Any,
    *,
    varied: str = "k",
    parameters: Mapping[str, Any] | None = None,
    soft: bool = False,
    command: str | None = None,
    timeout: float | None = None,
    reading: Mapping[str, Any] | None = None,
    keeps_failures: bool = True,
) -> Clusterer:
    """The clusterer, with everything checked that can be checked before the first fit.

    `timeout`, `reading` and `keeps_failures` are for a command: seconds for each call, settings by
    which its output is read, and whether the input of a call that failed is kept.
    """
    given = dict(parameters or {})
    if command is not None:
        if estimator is not None or given:
            what = "an algorithm" if estimator is not None else "parameters of an algorithm"
            raise UsageError(
                f"{what} cannot be given beside a command",
                hint="leave one out; a command has its parameters among its words",
            )
        return Program(command, varied, timeout, reading, keeps_failures)
    if isinstance(estimator, str):
        return Algorithm(estimator, given, varied, soft)
    if isinstance(estimator, type):
        raise UsageError(
            f"{estimator.__name__} is a class", hint=f"give an object: {estimator.__name__}()"
        )
    if hasattr(estimator, "fit_predict") or hasattr(estimator, "fit"):
        return Estimator(estimator, given, varied, soft)
    if callable(estimator):
        if given:
            raise UsageError(
                "parameters cannot be set for a function",
                hint="bind them: functools.partial(function, name=value)",
            )
        return Function(estimator, varied)
    raise UsageError(
        "there is nothing that could cluster points"
        if estimator is None
        else f"an object of the type {type(estimator).__name__} cannot cluster points",
        hint=either(
            f"name one: --algorithm {', '.join(ALGORITHMS)}; or a program: {name_of('command')}",
            f"give a name ({', '.join(ALGORITHMS)}), an estimator with fit_predict, or a function "
            "(X, k, seed) -> labels",
        ),
    )
