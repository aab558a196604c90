"""One fit of an estimator: in one thread, with its warnings as notes and its errors as ours."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import lru_cache, partial
from threading import Lock
from typing import Any

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.clusterers.base import Found, Predict, gather_codes
from clustcmp.errors import ClustererFailed, UsageError
from clustcmp.model.membership import NOISE, Hard, Soft

# scikit-learn takes seeds below this number.
SEEDS = 1 << 32


def fit(estimator: Any, coordinates: Floats, soft: bool, what: str) -> Found:
    """The clustering that an estimator finds; `what` says in messages which fit it is."""
    with one_thread(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = soft_fit(estimator, coordinates) if soft else hard_fit(estimator, coordinates)
        except Exception as error:
            raise explain(error, what) from error
    # A Python warning can be long and is about this fit; its first line says what happened.
    notes = dict.fromkeys(str(one.message).strip().split("\n")[0] for one in caught)
    return found._replace(notes=tuple(notes))


def hard_fit(estimator: Any, coordinates: Floats) -> Found:
    """One cluster for each point."""
    if hasattr(estimator, "fit_predict"):
        labels = np.asarray(estimator.fit_predict(coordinates))
    else:
        labels = np.asarray(estimator.fit(coordinates).labels_)
    codes, known = gather_codes(check_labels(labels, len(coordinates)))
    predict = getattr(estimator, "predict", None)
    return Found(
        Hard(codes, len(known)), None if predict is None else partial(coded, predict, known)
    )


def soft_fit(estimator: Any, coordinates: Floats) -> Found:
    """The degrees of each point, with the estimator's own prediction of the strongest cluster."""
    degrees = np.ascontiguousarray(
        estimator.fit(coordinates).predict_proba(coordinates), dtype=np.float64
    )
    return Found(Soft(degrees / degrees.sum(axis=1, keepdims=True)), predict_of(estimator))


def predict_of(estimator: Any) -> Predict | None:
    """The clusters of other points by an estimator whose labels are codes already."""

    def predict(coordinates: Floats) -> Integers:
        with one_thread():
            return np.asarray(estimator.predict(coordinates), dtype=np.int64)

    return predict


def coded(predict: Callable[[Floats], Any], known: Integers, coordinates: Floats) -> Integers:
    """The codes of other points: NOISE for a label that no point of the fit has."""
    with one_thread():
        labels = np.asarray(predict(coordinates), dtype=np.int64)
    if not len(known):
        return np.full(len(labels), NOISE)
    positions = np.minimum(np.searchsorted(known, labels), len(known) - 1)
    return np.where(known[positions] == labels, positions, NOISE)


def check_labels(labels: Any, n_points: int) -> Any:
    """Refuse labels that are not one whole number for each point."""
    if labels.shape != (n_points,) or not issubclass(labels.dtype.type, np.integer):
        raise ValueError(
            f"the labels are an array of {labels.dtype} with the shape {labels.shape}; expected "
            f"were {n_points} whole numbers"
        )
    return labels


def explain(error: Exception, what: str) -> ClustererFailed | UsageError:
    """The error of an estimator in a sentence: bad parameters are bad input, others a failure."""
    text = " ".join(str(error).split())
    # scikit-learn looks at parameters when it fits; its class for this error is not public.
    if type(error).__name__ == "InvalidParameterError":
        return UsageError(f"{what}: {text}")
    return ClustererFailed(f"{what}: {type(error).__name__}: {text}")


class Uncontrolled:
    """Stands for the control of thread pools where threadpoolctl is not installed.

    threadpoolctl comes with scikit-learn; functions and programs can do without both.
    """

    def limit(self, **limits: Any) -> AbstractContextManager[None]:
        """Leave all thread pools as they are."""
        return nullcontext()


@lru_cache(maxsize=1)
def controller(n_modules: int) -> Any:
    """The thread pools of all libraries that are loaded.

    Finding them takes milliseconds, so they are looked for again only if modules were imported.
    """
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return Uncontrolled()
    return ThreadpoolController()


class Limit:
    """How many fits run, and the limit of the whole process while there are any."""

    def __init__(self) -> None:
        """No fit runs."""
        self.lock = Lock()
        self.n_fits = 0
        self.stack = ExitStack()


_limit = Limit()


@contextmanager
def one_thread() -> Iterator[None]:
    """A block in which OpenMP and BLAS use one thread: with more, sums differ in the last bits.

    OpenMP keeps its number for each thread of Python. BLAS has one number for the process, which
    the first fit sets and the last one sets back: otherwise the end of a fit would free the
    threads of the fits beside it.
    """
    with _limit.lock:
        if not _limit.n_fits:
            _limit.stack.enter_context(
                controller(len(sys.modules)).limit(limits=1, user_api="blas")
            )
        _limit.n_fits += 1
    try:
        with controller(len(sys.modules)).limit(limits=1, user_api="openmp"):
            yield
    finally:
        with _limit.lock:
            _limit.n_fits -= 1
            if not _limit.n_fits:
                _limit.stack.close()
