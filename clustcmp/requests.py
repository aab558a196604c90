"""From the words of a user to requests: metrics with their options."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from clustcmp.errors import UsageError
from clustcmp.metrics import METRICS
from clustcmp.read import Unlocated
from clustcmp.registry import Request, unique
from clustcmp.wording import name_of


def find_requests(
    metrics: Iterable[str | Request] | str | None, has_distances: bool = False
) -> tuple[Request, ...]:
    """The metrics asked for, or the featured ones.

    If distances are given, metrics with a ground distance use them. Words that were parsed already
    are requests, and stay as they are.
    """
    if metrics is None:
        requests = METRICS.featured()
    else:
        if not isinstance(metrics, Iterable):
            raise UsageError(
                f"metrics={metrics!r} is not possible", hint='name metrics: "ari", or ["ari", "vi"]'
            )
        asked = [metrics] if isinstance(metrics, str) else list(metrics)
        if not asked:
            raise UsageError("no metric is asked for", hint="name one, or leave out metrics")
        requests = tuple(
            request
            for one in asked
            for request in ([one] if isinstance(one, Request) else METRICS.requests([str(one)]))
        )
    return with_ground(requests, has_distances)


def find_unlocated(requests: Iterable[Request]) -> Unlocated | None:
    """The metrics that need coordinates: those that were named, else those of the featured ones."""
    in_space = [
        request
        for request in requests
        if request.metric.needs_coordinates and request.options.get("ground") != "precomputed"
    ]
    if named := [request.metric.name for request in in_space if request.named]:
        return Unlocated(tuple(dict.fromkeys(named)), are_named=True)
    optional = [request.metric.name for request in in_space if request.optional]
    return Unlocated(tuple(optional), are_named=False) if optional else None


def with_ground(requests: Iterable[Request], has_distances: bool) -> tuple[Request, ...]:
    """Each request once; if distances are given, metrics with a ground distance use them."""
    return unique(map(on_distances, requests) if has_distances else requests)


def on_distances(request: Request) -> Request:
    """The request with the given distances for ground, if its metric has a ground.

    A metric of one clustering needs distances within it, and these are between a and b.
    """
    if request.metric.arity == 1 or "ground" not in request.options:
        return request
    if "ground" in request.given and request.options["ground"] != "precomputed":
        raise UsageError(
            f"{request.metric.name}:ground={request.options['ground']}: "
            f"the ground distances are already given by {name_of('distances')}",
            hint=f"leave out the ground or {name_of('distances')}",
        )
    return replace(request, options={**request.options, "ground": "precomputed"})


def canonical(spec: str, has_distances: bool = False) -> str:
    """The way clustcmp itself writes the name of a metric and its options, or the word itself."""
    try:
        requests = find_requests([spec], has_distances)
    except UsageError:
        return spec
    return requests[0].spec if requests[0].named else spec
