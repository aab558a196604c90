"""What several test modules share."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import settings
from hypothesis import strategies as st

import clustcmp
from clustcmp.metrics import METRICS
from clustcmp.model import Contingency
from clustcmp.registry import Metric
from clustcmp.results import Estimate, Result

settings.register_profile("clustcmp", deadline=None, derandomize=True)
settings.load_profile("clustcmp")

ROOT = Path(__file__).parent.parent

# CI may ask all programs for colours or for none.
for variable in ("FORCE_COLOR", "NO_COLOR"):
    os.environ.pop(variable, None)


@pytest.fixture(scope="module", autouse=True)
def nothing_is_left_in_the_repository() -> Iterator[None]:
    """The tests of a module write no file into the folder of the project."""
    before = set(ROOT.iterdir())
    yield
    left = {path.name for path in ROOT.iterdir() if path not in before and path.name[0] != "."}
    assert not left, f"tests must write to a folder of their own, not to {ROOT}: {sorted(left)}"


@pytest.fixture
def approximate_rand() -> Iterator[None]:
    """rand is an approximate value between 0.25 and 0.75."""

    def estimate(table: Contingency, **options: object) -> Estimate:
        return Estimate(0.5, 0.25, 0.75)

    metric = replace(METRICS["rand"], compute=estimate)
    with patch.dict(METRICS._words, {"rand": metric}):
        yield


Labels = list[int]

# Few clusters and few points, so that every kind of coincidence turns up.
label_pairs = st.integers(1, 12).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n) for _ in range(2)])
)


def variants(metric: Metric) -> list[str]:
    """A metric with its defaults, then with each of its options changed in every way."""
    specs = [metric.name]
    for option in metric.options.values():
        values: Sequence[Any] = [
            choice for choice in option.choices if choice not in (option.default, "precomputed")
        ]
        if option.type is bool:
            values = ["true"]
        if option.name == "base":
            values = ["2", "10"]
        if option.name == "bins":
            values = ["1", "3"]
        if option.name == "alpha":
            values = ["0.2"]
        if option.name == "beta":
            values = ["0", "0.5", "2"]
        if "sampled" in values:
            # Other nulls than sampled also have two values for sides.
            values = [value for value in values if value != "sampled"]
            values += ["sampled,draws=30,seed=7", "number,sides=one", "all,sides=one"]
        if option.name == "sides":
            values = []
        specs += [f"{metric.name}:{option.name}={value}" for value in values]
    return specs


def evaluate_all(a: Any, b: Any, coordinates: Any = None) -> list[Result]:
    """The results of every metric in every variant, but those that do not fit the input."""
    featured_or_not = clustcmp.compare(a, b, metrics="all", coordinates=coordinates)
    fits = {result.name for result in featured_or_not if result.status != "not_applicable"}
    specs = [spec for name in fits for spec in variants(METRICS[name])]
    results = clustcmp.compare(a, b, metrics=specs, coordinates=coordinates)
    return sorted(results, key=lambda result: result.metric)


def values_of(a: Any, b: Any) -> dict[str, float | None]:
    """The values of every metric in every variant."""
    return {result.metric: result.value for result in evaluate_all(a, b)}


class Ear:
    """A listener that remembers all it was told."""

    def __init__(self) -> None:
        self.stages: list[str] = []
        self.told: list[tuple[str, int, int]] = []
        self.expected: list[tuple[str, float]] = []
        self.explained: list[str] = []
        self.remarks: list[str] = []

    def stage(self, name: str) -> None:
        """Remember the stage that begins."""
        self.stages.append(name)

    def __call__(self, what: str, done: int, total: int) -> None:
        """Remember how much is done."""
        self.told.append((what, done, total))

    def expect(self, what: str, seconds: float) -> None:
        """Remember how long the work will take."""
        self.expected.append((what, seconds))

    def explain(self, text: str) -> None:
        """Remember what only few want to know."""
        self.explained.append(text)

    def remark(self, note: str) -> None:
        """Remember what is said about the work."""
        self.remarks.append(note)
