"""The algorithms that have a name: kmeans, agglomerative, gmm, spectral, dbscan, hdbscan."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from clustcmp.clusterers.base import Found, Runs, Sample, Transfer, Value, in_words
from clustcmp.clusterers.fitting import SEEDS, fit
from clustcmp.errors import UsageError, did_you_mean
from clustcmp.options import NUMBER
from clustcmp.wording import name_of, say_each

WORDS: dict[str, bool | None] = {"true": True, "false": False, "none": None}

# Parameters that clustcmp sets itself, and what a user says instead.
OWN = {"random_state": "seed", "n_jobs": "jobs", "memory": "jobs"}

# Linkages whose clusters are compact, so that the nearest mean tells the cluster of other points.
COMPACT = ("ward", "average", "complete")


class Recipe(NamedTuple):
    """What an algorithm is in scikit-learn, and how clustcmp uses it.

    `k` is the parameter for the number of clusters; an algorithm without one finds the number
    itself and has an `example` of a parameter to vary.
    """

    module: str
    estimator: str
    k: str = ""
    defaults: Mapping[str, Any] = {}
    transfer: Transfer = "neighbours"
    is_soft: bool = False
    example: str = ""


ALGORITHMS = {
    # One start of k-means often ends in a poor optimum, which would look like unstable data.
    "kmeans": Recipe("sklearn.cluster", "KMeans", "n_clusters", {"n_init": 10}, "predict"),
    "agglomerative": Recipe("sklearn.cluster", "AgglomerativeClustering", "n_clusters"),
    "gmm": Recipe("sklearn.mixture", "GaussianMixture", "n_components", {}, "predict", True),
    "spectral": Recipe("sklearn.cluster", "SpectralClustering", "n_clusters"),
    "dbscan": Recipe("sklearn.cluster", "DBSCAN", example="eps=0.2,0.4"),
    "hdbscan": Recipe(
        "sklearn.cluster", "HDBSCAN", defaults={"copy": True}, example="min_cluster_size=5,10,20"
    ),
}


@dataclass(frozen=True)
class Algorithm:
    """A named algorithm with parameters; `varied` is "k" or the parameter that takes the values."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    varied: str = "k"
    soft: bool = False

    def __post_init__(self) -> None:
        check_name(self.name)
        if self.soft and not self.recipe.is_soft:
            known = [name for name, one in ALGORITHMS.items() if one.is_soft]
            raise UsageError(
                f"{self.name} gives each point one cluster and has no soft memberships",
                hint=f"{' and '.join(known)} has soft memberships",
            )
        check_varied(self)
        for parameter in self.parameters:
            check_parameter(self, parameter)
        if self.varied != "k":
            check_number_known(self)

    @property
    def runs(self) -> Runs:
        """Fits of scikit-learn hold Python's lock for much of their time."""
        return "processes"

    @property
    def recipe(self) -> Recipe:
        """What the algorithm is in scikit-learn."""
        return ALGORITHMS[self.name]

    @cached_property
    def known(self) -> dict[str, Any]:
        """The parameters of the estimator, with their defaults."""
        signature = inspect.signature(estimator_of(self.name))
        return {name: one.default for name, one in signature.parameters.items()}

    def transfer_of(self, value: Value) -> Transfer:
        """The rule that fits the shape of the algorithm's clusters."""
        if self.name != "agglomerative":
            return self.recipe.transfer
        linkage = self.arguments(value, 0).get("linkage", "ward")
        return "centroid" if linkage in COMPACT else "neighbours"

    def arguments(self, value: Value, seed: int) -> dict[str, Any]:
        """The parameters of one fit."""
        own = {"random_state": seed % SEEDS, **self.recipe.defaults}
        arguments = {name: one for name, one in own.items() if name in self.known}
        arguments |= dict(self.parameters)
        arguments[self.recipe.k if self.varied == "k" else self.varied] = value
        if self.name == "agglomerative" and arguments.get("distance_threshold") is not None:
            # scikit-learn takes either a number of clusters or a distance.
            arguments["n_clusters"] = None
        return arguments

    def cluster(self, sample: Sample, value: Value, seed: int) -> Found:
        """The clustering of a sample."""
        estimator = estimator_of(self.name)(**self.arguments(value, seed))
        what = f"{self.name}, {in_words(self.varied, value, seed)}"
        return fit(estimator, sample.coordinates, self.soft, what)

    def opened(self) -> AbstractContextManager[object]:
        """Nothing is started that would have to be ended."""
        return nullcontext()


def check_name(name: str) -> None:
    """Refuse an algorithm that is not known or not installed."""
    if name not in ALGORITHMS:
        guess = did_you_mean(name, ALGORITHMS)
        raise UsageError(
            f"{name!r} is not a known algorithm",
            hint=" ".join(filter(None, [guess, f"algorithms: {', '.join(ALGORITHMS)}"])),
        )
    if find_spec("sklearn") is None:
        raise UsageError(
            f"{name} needs scikit-learn, which is not installed",
            hint="pip install 'clustcmp[cluster]'",
        )


def check_varied(algorithm: Algorithm) -> None:
    """Refuse to vary a number of clusters that is not a parameter, or one that is named twice."""
    recipe, varied = algorithm.recipe, algorithm.varied
    if varied == "k":
        if not recipe.k:
            raise UsageError(
                f"{algorithm.name} finds the number of clusters itself, so k cannot be varied",
                hint=f"vary a parameter: {say_vary(recipe.example)}",
            )
        return
    if varied == recipe.k:
        raise UsageError(
            f"{varied} of {algorithm.name} is the number of clusters",
            hint=f"say {say_each('k', '2:10', 'range(2, 11)')}",
        )
    check_parameter(algorithm, varied)
    if varied in algorithm.parameters:
        raise UsageError(
            f"{varied} is both set and varied",
            hint=f"leave out {name_of('set')} {varied}",
        )


def check_parameter(algorithm: Algorithm, parameter: str) -> None:
    """Refuse a parameter that the algorithm does not have, or that clustcmp sets itself."""
    name, recipe = algorithm.name, algorithm.recipe
    if parameter in OWN:
        raise UsageError(
            f"{parameter} of {name} is set by clustcmp", hint=f"say {name_of(OWN[parameter])}"
        )
    if parameter == recipe.k and algorithm.varied == "k":
        raise UsageError(
            f"{parameter} of {name} takes the values of {name_of('k')}",
            hint=f"leave out {name_of('set')} {parameter}",
        )
    if parameter not in algorithm.known:
        known = [one for one in algorithm.known if one not in OWN]
        guess = did_you_mean(parameter, known)
        raise UsageError(
            f"{name} has no parameter {parameter!r}",
            hint=" ".join(filter(None, [guess, f"parameters of {name}: {', '.join(known)}"])),
        )


def check_number_known(algorithm: Algorithm) -> None:
    """Refuse to vary another parameter while the number of clusters is not said."""
    needed = algorithm.recipe.k
    said = {*algorithm.parameters, algorithm.varied}
    if needed and not said & {needed, "distance_threshold"}:
        raise UsageError(
            f"{algorithm.name} has to know the number of clusters while {algorithm.varied} varies",
            hint=f"say {say_set(needed)}",
        )


def say_set(parameter: str) -> str:
    """How a parameter is set, as the reader types it."""
    return say_each("set", f"{parameter}=3", f'{{"{parameter}": 3}}')


def say_vary(example: str) -> str:
    """How a parameter is varied, as the reader types it."""
    name, _, values = example.partition("=")
    return say_each("vary", example, f'{{"{name}": [{values.replace(",", ", ")}]}}')


def estimator_of(name: str) -> Any:
    """The class of an algorithm in scikit-learn."""
    recipe = ALGORITHMS[name]
    return getattr(import_module(recipe.module), recipe.estimator)


def parse_value(text: str) -> Value:
    """What the text of a parameter stands for.

    A whole number, another number, true, false or none in any case; everything else is text.
    """
    if re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        return int(text)
    if NUMBER.fullmatch(text) and math.isfinite(float(text)):
        return float(text)
    return WORDS.get(text.lower(), text)


def parse_parameters(words: Sequence[str]) -> dict[str, Value]:
    """Parameters from words such as n_init=10."""
    parameters: dict[str, Value] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name or not text:
            raise UsageError(
                f"{word!r} does not set a parameter", hint="write NAME=VALUE: n_init=10"
            )
        if name in parameters:
            raise UsageError(f"the parameter {name} is set twice", hint="give it one value")
        parameters[name] = parse_value(text)
    return parameters


def parse_varied(text: str) -> tuple[str, tuple[Value, ...]]:
    """The name and the values of a parameter that is varied, from a text such as eps=0.2,0.4."""
    name, equals, values = text.partition("=")
    words = values.split(",")
    if not equals or not name or not all(words):
        raise UsageError(
            f"{text!r} does not vary a parameter", hint="write NAME=VALUE,VALUE: eps=0.2,0.4"
        )
    parsed = tuple(map(parse_value, words))
    if len({(type(one), one) for one in parsed}) < len(parsed):
        raise UsageError(f"{text!r} has a value twice", hint="give each value once")
    return name, parsed
