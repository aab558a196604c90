"""Compare two clusterings in one call: what the command does, for Python objects too."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, TypeVar

from clustcmp.choices import Missing, NoisePolicy, Points
from clustcmp.errors import UsageError, did_you_mean
from clustcmp.evaluate import report_on
from clustcmp.inputs import Located, Policies, bring_together
from clustcmp.model import Comparison
from clustcmp.read import (
    Space,
    as_clustering,
    enter_space,
    is_pandas,
    rows_correspond,
)
from clustcmp.requests import find_requests
from clustcmp.results import Report


def compare(
    a: Any,
    b: Any,
    metrics: Iterable[str] | str | None = None,
    *,
    points: str = "error",
    noise: Any = (),
    noise_policy: str = "cluster",
    missing: str = "error",
    normalize: bool = False,
    coordinates: Any = None,
    coordinates_a: Any = None,
    coordinates_b: Any = None,
    distances: Any = None,
    jobs: int | None = None,
) -> Report:
    """Compare two clusterings; a is the reference where the order matters.

    Each of a and b is a list, an array or a Series of labels, a matrix or a DataFrame of soft
    memberships, the path of a file (`"cells.csv::leiden"`), or a Clustering. Two pandas objects
    are joined by their index, everything else without ids by position.

    `metrics` are names as on the command line: `"ari"`, `"nmi:average=geometric"`, a family,
    `"all"`. Without them the featured metrics that fit the input are computed.

    `coordinates` (n, d) say where the points of both are, `coordinates_a` and `coordinates_b` those
    of each; `distances` (n_a, n_b) stand in their place. Each is an array, a DataFrame or the path
    of a file. A DataFrame is joined to pandas objects by their index, else by position. `jobs` is
    the number of threads, by default as many as there are cores.

        >>> clustcmp.compare([1, 1, 2, 2], ["x", "x", "y", "z"], metrics=["ari"])["ari"]
        0.5714285714285714
    """
    specs = [metrics] if isinstance(metrics, str) else metrics
    # Wrong words are found before any work is done.
    requests = find_requests(specs, distances is not None)
    comparison = prepare(
        a,
        b,
        points=points,
        noise=noise,
        noise_policy=noise_policy,
        missing=missing,
        normalize=normalize,
        coordinates=coordinates,
        coordinates_a=coordinates_a,
        coordinates_b=coordinates_b,
        distances=distances,
        jobs=jobs,
    )
    return report_on(comparison, requests)


def prepare(
    a: Any,
    b: Any,
    *,
    points: str = "error",
    noise: Any = (),
    noise_policy: str = "cluster",
    missing: str = "error",
    normalize: bool = False,
    coordinates: Any = None,
    coordinates_a: Any = None,
    coordinates_b: Any = None,
    distances: Any = None,
    jobs: int | None = None,
) -> Comparison:
    """Two objects side by side, with the options of `compare`."""
    space = Space(coordinates, coordinates_a, coordinates_b, distances)
    policies = Policies(
        points=choose(Points, points, "points"),
        noise=tuple(map(str, [noise] if isinstance(noise, str | int | float) else noise)),
        noise_policy=choose(NoisePolicy, noise_policy, "noise_policy"),
        missing=choose(Missing, missing, "missing"),
        normalize=normalize,
        jobs=jobs,
    )
    return bring_together(locate(a, b, space, policies), policies)


def locate(a: Any, b: Any, space: Space, policies: Policies) -> Located:
    """Two objects as clusterings, in the space that other objects give them."""
    options = policies.reading
    by_index = not rows_correspond(a, b, space)
    has_index = by_index and is_pandas(a), by_index and is_pandas(b)
    clustering_a = as_clustering(a, "a", options, by_index)
    clustering_b = as_clustering(b, "b", options, by_index)
    return Located(*enter_space(clustering_a, clustering_b, space, options, has_index))


Choice = TypeVar("Choice", bound=StrEnum)


def choose(choices: type[Choice], word: str, option: str) -> Choice:
    """The member of an enumeration that a word names."""
    if isinstance(word, str) and word in list(choices):
        return choices(word)
    known = [choice.value for choice in choices]
    raise UsageError(
        f"{option}={word!r} is not possible",
        hint=did_you_mean(str(word), known, f"{option} is one of {', '.join(known)}"),
    )
