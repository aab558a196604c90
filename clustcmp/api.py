"""Compare two clusterings in one call: what the command does, for Python objects too."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, TypeVar

from clustcmp.align import align
from clustcmp.choices import Missing, NoisePolicy, Points
from clustcmp.errors import UsageError, did_you_mean
from clustcmp.evaluate import evaluate, fitting
from clustcmp.metrics import METRICS
from clustcmp.model import Clustering, Report
from clustcmp.read import ReadOptions, as_clustering, have_same_index


def compare(
    a: Any,
    b: Any,
    metrics: Iterable[str] | str | None = None,
    *,
    points: str = "error",
    noise: Iterable[Any] = (),
    noise_policy: str = "cluster",
    missing: str = "error",
    normalize: bool = False,
) -> Report:
    """Compare two clusterings; a is the reference where the order matters.

    Each of a and b is a list, an array or a Series of labels, a matrix or a DataFrame of soft
    memberships, the path of a file (`"cells.csv::leiden"`), or a Clustering. Two pandas objects
    are joined by their index, everything else without ids by position.

    `metrics` are names as on the command line: `"ari"`, `"nmi:average=geometric"`, a family,
    `"all"`. Without them the featured metrics that fit the input are computed.

        >>> clustcmp.compare([1, 1, 2, 2], ["x", "x", "y", "z"], metrics=["ari"])["ari"]
        0.5714285714285714
    """
    options = ReadOptions(
        noise=tuple(map(str, noise)),
        missing=choose(Missing, missing, "missing"),
        normalize=normalize,
    )
    by_index = not have_same_index(a, b)
    return compare_clusterings(
        as_clustering(a, "a", options, by_index),
        as_clustering(b, "b", options, by_index),
        [metrics] if isinstance(metrics, str) else metrics,
        choose(Points, points, "points"),
        choose(NoisePolicy, noise_policy, "noise_policy"),
    )


def compare_clusterings(
    a: Clustering,
    b: Clustering,
    metrics: Iterable[str] | None,
    points: Points,
    noise_policy: NoisePolicy,
) -> Report:
    """The report on two clusterings that have been read."""
    # Wrong words are found before any work is done.
    requests = METRICS.featured() if metrics is None else METRICS.requests(metrics)
    comparison = align(a, b, points, noise_policy)
    if metrics is None:
        requests = fitting(comparison, requests)
    results, remarks = evaluate(comparison, requests)
    notes = (*comparison.notes, *remarks)
    return Report(comparison.sides, comparison.coverage, results, notes, canonical)


def canonical(spec: str) -> str:
    """The way clustcmp itself writes the name of a metric and its options."""
    return METRICS.requests([spec])[0].spec


Choice = TypeVar("Choice", bound=StrEnum)


def choose(choices: type[Choice], word: str, option: str) -> Choice:
    """The member of an enumeration that a word names."""
    if word in list(choices):
        return choices(word)
    known = [choice.value for choice in choices]
    raise UsageError(
        f"{option}={word!r} is not possible",
        hint=did_you_mean(word, known, f"{option} is one of {', '.join(known)}"),
    )
