"""The clusterer that a user asks for: a name, an object, a function or a command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clustcmp.clusterers.algorithms import KINDS, Algorithm
from clustcmp.clusterers.base import Clusterer
from clustcmp.clusterers.objects import Estimator, Function
from clustcmp.errors import UsageError
from clustcmp.wording import either


def make(
    estimator: Any,
    *,
    varied: str = "k",
    parameters: Mapping[str, Any] | None = None,
    soft: bool = False,
) -> Clusterer:
    """The clusterer, with everything checked that can be checked before the first fit."""
    given = dict(parameters or {})
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
            f"name one: --algorithm {', '.join(KINDS)}; or a program: --command",
            f"give a name ({', '.join(KINDS)}), an estimator with fit_predict, or a function "
            "(X, k, seed) -> labels",
        ),
    )
