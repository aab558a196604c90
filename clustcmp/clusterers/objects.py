"""Estimators and functions that Python gives."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from clustcmp.clusterers.algorithms import COMPACT
from clustcmp.clusterers.base import Found, Runs, Sample, Transfer, Value, hard_of, in_words
from clustcmp.clusterers.fitting import SEEDS, explain, fit, one_thread
from clustcmp.errors import UsageError, did_you_mean
from clustcmp.model.membership import Hard, Soft

# Names of the parameter for the number of clusters, the most usual one first.
NUMBERS = ("n_clusters", "n_components")

SEED = "random_state"


@dataclass(frozen=True)
class Estimator:
    """An object with `fit_predict`, or with `fit` and `labels_`; a copy is fitted each time."""

    given: Any
    parameters: Mapping[str, Any] = field(default_factory=dict)
    varied: str = "k"
    soft: bool = False

    def __post_init__(self) -> None:
        if self.soft and not hasattr(self.given, "predict_proba"):
            raise UsageError(f"{self.name} has no predict_proba, which gives soft memberships")
        # Looks up the parameter that takes the values, which may not exist.
        _ = self.target
        for parameter in self.parameters:
            self._check(parameter)

    @property
    def name(self) -> str:
        """The class of the object."""
        return type(self.given).__name__

    @cached_property
    def runs(self) -> Runs:
        """Beside each other in processes, or not at all: warnings belong to the whole process."""
        return "processes" if goes_elsewhere(self.given) else "serial"

    @cached_property
    def known(self) -> list[str]:
        """The parameters of the object and of its parts, such as the steps of a pipeline."""
        if hasattr(self.given, "get_params"):
            return list(self.given.get_params(deep=True))
        return [name for name in vars(self.given) if not name.startswith("_")]

    @cached_property
    def target(self) -> str:
        """The parameter that takes the values: the number of clusters, or the varied one."""
        if self.varied != "k":
            self._check(self.varied)
            return self.varied
        for name in NUMBERS:
            if name in self.known:
                return name
        inner = [one for one in self.known if one.endswith(f"__{NUMBERS[0]}")]
        if len(inner) == 1:
            return inner[0]
        raise UsageError(
            f"{self.name} has no parameter n_clusters or n_components that could take k",
            hint='name the parameter to vary, such as vary={"eps": [0.2, 0.4]}, or give a function '
            "(X, k, seed) -> labels",
        )

    def transfer_of(self, value: Value) -> Transfer:
        """The own prediction if there is one, else by the shape of the clusters."""
        if hasattr(self.given, "predict"):
            return "predict"
        linkage = self.parameters.get("linkage", getattr(self.given, "linkage", None))
        linkage = value if self.target == "linkage" else linkage
        return "centroid" if linkage in COMPACT else "neighbours"

    def cluster(self, sample: Sample, value: Value, seed: int) -> Found:
        """The clustering of a sample."""
        seeds = [one for one in self.known if one == SEED or one.endswith(f"__{SEED}")]
        changes = {**dict.fromkeys(seeds, seed % SEEDS), **self.parameters, self.target: value}
        what = f"{self.name}, {in_words(self.varied, value, seed)}"
        return fit(changed(self.given, changes), sample.coordinates, self.soft, what)

    def opened(self) -> AbstractContextManager[object]:
        """Nothing is started that would have to be ended."""
        return nullcontext()

    def _check(self, parameter: str) -> None:
        """Refuse a parameter that the object does not have."""
        if parameter not in self.known:
            guess = did_you_mean(parameter, self.known)
            known = f"parameters of {self.name}: {', '.join(self.known)}"
            raise UsageError(
                f"{self.name} has no parameter {parameter!r}",
                hint=" ".join(filter(None, [guess, known])),
            )


def changed(given: Any, changes: Mapping[str, Any]) -> Any:
    """A copy of an object that is not fitted, with other parameters."""
    if hasattr(given, "set_params") and find_spec("sklearn") is not None:
        from sklearn.base import clone

        return clone(given, safe=False).set_params(**changes)
    copied = copy.deepcopy(given)
    if hasattr(copied, "set_params"):
        copied.set_params(**changes)
        return copied
    for name, value in changes.items():
        setattr(copied, name, value)
    return copied


@dataclass(frozen=True)
class Function:
    """A function (X, k, seed) that gives labels (n,) or degrees (n, K); -1 is noise."""

    function: Callable[[Any, Any, int], Any]
    varied: str = "k"

    @property
    def name(self) -> str:
        """The name of the function."""
        inner = self.function.func if isinstance(self.function, partial) else self.function
        return str(getattr(inner, "__name__", type(inner).__name__))

    @cached_property
    def runs(self) -> Runs:
        """In threads if other processes do not know the function, such as a lambda."""
        return "processes" if goes_elsewhere(self.function) else "threads"

    def transfer_of(self, value: Value) -> Transfer:
        """Nothing is known about the shape of the clusters."""
        return "neighbours"

    def cluster(self, sample: Sample, value: Value, seed: int) -> Found:
        """The clustering of a sample."""
        try:
            with one_thread():
                answer = self.function(sample.coordinates, value, seed)
            return Found(read_answer(answer, len(sample.coordinates)))
        except Exception as error:
            what = f"{self.name}, {in_words(self.varied, value, seed)}"
            raise explain(error, what) from error

    def opened(self) -> AbstractContextManager[object]:
        """Nothing is started that would have to be ended."""
        return nullcontext()


def read_answer(answer: Any, n_points: int) -> Hard | Soft:
    """The membership that a function gave: labels for each point, or degrees."""
    array = np.asarray(answer)
    if array.ndim == 2 and array.shape[0] == n_points and array.dtype.kind in "fiub":
        return Soft(np.ascontiguousarray(array, dtype=np.float64))
    if array.shape != (n_points,):
        raise ValueError(
            f"the answer has the shape {array.shape}; expected are {n_points} labels, or degrees "
            f"in {n_points} rows"
        )
    return hard_of(as_integers(array))


def as_integers(labels: npt.NDArray[Any]) -> npt.NDArray[np.integer]:
    """Labels as whole numbers; texts and other objects are numbered."""
    if labels.dtype.kind in "iub":
        return labels.astype(np.int64)
    if labels.dtype.kind == "f":
        if not (labels == np.rint(labels)).all():
            raise ValueError("labels are whole numbers or texts, but some are other numbers")
        return labels.astype(np.int64)
    return np.unique(labels.astype(str), return_inverse=True)[1].reshape(-1)


def goes_elsewhere(given: Any) -> bool:
    """Whether another process can have the object: pickled, and not of the script that runs."""
    try:
        return b"__main__" not in pickle.dumps(given)
    except Exception:  # noqa: BLE001  any class may refuse to be pickled in its own way
        return False
