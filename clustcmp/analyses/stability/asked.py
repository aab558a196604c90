"""What is asked for: the values to try, the parameters, and how samples are drawn; all checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import Any

from clustcmp.clusterers.base import Value
from clustcmp.errors import UsageError
from clustcmp.metrics import METRICS
from clustcmp.registry import Request
from clustcmp.requests import find_requests
from clustcmp.stability_settings import StabilitySettings
from clustcmp.wording import name_of, say, say_each

# The numbers of clusters that are tried unless others are asked for.
USUAL = range(2, 11)

FRACTION = 0.8

WORD = re.compile(r"\s*(\d{1,9})\s*(?::\s*(\d{1,9})\s*)?")


def values_of(settings: StabilitySettings) -> tuple[str, tuple[Value, ...]]:
    """What is varied, "k" or the name of a parameter, and the values that are tried."""
    if settings["vary"] is None:
        return "k", numbers_of(USUAL if settings["k"] is None else settings["k"], "k")
    if settings["k"] is not None:
        raise UsageError(
            f"{name_of('k')} and {name_of('vary')} are both given, but one of them varies",
            hint="set the number of clusters with "
            + say_each("set", "n_clusters=3", '{"n_clusters": 3}'),
        )
    return read_varied(settings["vary"])


def read_varied(vary: Any) -> tuple[str, tuple[Value, ...]]:
    """The name and the values of the parameter that is varied."""
    from clustcmp.clusterers.algorithms import parse_varied

    if isinstance(vary, str):
        return parse_varied(vary)
    if not isinstance(vary, Mapping) or len(vary) != 1:
        raise UsageError(
            f"vary={vary!r} is not possible", hint='name one parameter: {"eps": [0.2, 0.4]}'
        )
    ((name, values),) = vary.items()
    if isinstance(values, str) or not isinstance(values, Iterable):
        values = [values]
    tried = tuple(values)
    if not tried:
        raise UsageError(f"vary: {name} has no values", hint='write {"eps": [0.2, 0.4]}')
    return str(name), tried


def parameters_of(settings: StabilitySettings) -> dict[str, Any]:
    """The parameters of the algorithm that are set."""
    from clustcmp.clusterers.algorithms import parse_parameters

    given = settings["set"]
    if isinstance(given, Mapping):
        return dict(given)
    words = [given] if isinstance(given, str) else list(given or ())
    return dict(parse_parameters(words))


def numbers_of(given: Any, key: str) -> tuple[int, ...]:
    """Numbers of clusters: 3, range(2, 11), [2, 4], or a text such as 2:10 or 2,4,8."""
    if isinstance(given, str):
        words = given.split(",")
        numbers: list[Any] = [one for word in words for one in read_range(word, given, key)]
    else:
        numbers = list([given] if isinstance(given, Integral) else listed(given, key))
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, Integral) or number < 1:
            raise UsageError(
                f"{say(key, number)}: a number of clusters is 1 or more", hint=how_to_write(key)
            )
    if not numbers:
        raise UsageError(f"{name_of(key)} has no numbers", hint=how_to_write(key))
    return tuple(sorted({int(number) for number in numbers}))


def listed(given: Any, key: str) -> Iterable[Any]:
    """The numbers of a list or another iterable."""
    if not isinstance(given, Iterable):
        raise UsageError(f"{say(key, given)} is not possible", hint=how_to_write(key))
    return given


def read_range(word: str, text: str, key: str) -> Iterable[int]:
    """The numbers of one word: 3, or 2:10 with both ends."""
    found = WORD.fullmatch(word)
    if found is None:
        raise UsageError(f"{say(key, text)} is not possible", hint=how_to_write(key))
    first, last = int(found[1]), int(found[2] or found[1])
    if last < first:
        raise UsageError(
            f"{say(key, text)}: {first} is above {last}",
            hint=f"write {say(key, f'{last}:{first}')}",
        )
    return range(first, last + 1)


def how_to_write(key: str) -> str:
    """How numbers of clusters are written."""
    flag = name_of(key)
    return f"write {say_each(key, f'2:10, {flag} 3 or {flag} 2,4,8', 'range(2, 11)')}"


def fraction_of(settings: StabilitySettings) -> float:
    """The share of the points in a sample."""
    fraction = settings["fraction"]
    if fraction is None:
        return FRACTION
    if settings["bootstrap"]:
        raise UsageError(
            f"{name_of('fraction')} and {name_of('bootstrap')} are two ways to draw samples",
            hint="say one of them",
        )
    if not 0.0 < fraction <= 1.0:
        raise UsageError(
            f"{say('fraction', fraction)} is not possible",
            hint=f"a share is above 0 and at most 1: {say('fraction', 0.8)}",
        )
    return fraction


def check_timeout(settings: StabilitySettings) -> None:
    """Refuse a time that is over before it begins, and one for calls that are not made."""
    seconds = settings["timeout"]
    if seconds is None:
        return
    if seconds <= 0.0:
        raise UsageError(
            f"{say('timeout', seconds)} is not possible",
            hint=f"a call may take a time above 0: {say('timeout', 60)}",
        )
    if settings["command"] is None:
        raise UsageError(
            f"{name_of('timeout')} has no effect without {name_of('command')}",
            hint=f"leave {name_of('timeout')} out",
        )


def request_of(metric: str | Request | None, settings: StabilitySettings) -> Request:
    """The one metric of two clusterings that samples are compared by."""
    usual = "cdistance" if settings["all_points"] else "cc" if settings["soft"] else "adjusted_rand"
    requests = find_requests([usual if metric is None else metric])
    if len(requests) != 1 or not requests[0].named:
        raise UsageError(
            f"{metric}: samples are compared by one metric", hint="name one, such as ari"
        )
    check_metric(requests[0], settings)
    return requests[0]


def check_metric(request: Request, settings: StabilitySettings) -> None:
    """Refuse a metric that cannot tell which samples agree better."""
    metric = request.metric
    name = metric.name
    if metric.arity != 2 or metric.higher_is_better is None:
        why = "is about one clustering" if metric.arity != 2 else "does not say what is better"
        raise UsageError(f"{name} {why}", hint="choose another metric, such as ari")
    if request.options.get("ground") == "precomputed":
        raise UsageError(f"{name}: samples have no given distances", hint="choose another ground")
    if settings["all_points"] and not metric.fits_different_points:
        raise UsageError(
            f"{name} needs the same points in both samples",
            hint=f"leave out {name_of('all_points')}, or choose {fitting('fits_different_points')}",
        )
    if settings["soft"] and not metric.accepts_soft:
        raise UsageError(
            f"{name} needs hard clusterings",
            hint=f"leave out {name_of('soft')}, or choose {fitting('soft_identity')}",
        )


def fitting(fact: str) -> str:
    """The metrics of two clusterings that have a property and say what is better."""
    names = [
        one.name
        for one in METRICS.values()
        if getattr(one, fact) and one.arity == 2 and one.higher_is_better is not None
    ]
    return f"{', '.join(names[:-1])} or {names[-1]}"
