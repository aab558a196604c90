"""Weights of points: whole numbers are repeated rows, others are masses; read from declarations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clustcmp.align import align
from clustcmp.arrays import Floats
from clustcmp.evaluate import answers
from clustcmp.metrics import METRICS
from clustcmp.model import Clustering, Comparison, Hard, PointSet, Soft, Texts
from clustcmp.registry import Request
from clustcmp.results import Result, Status

# Metrics in units of mass; `mirkin` in units of its square.
IN_UNITS = {"van_dongen": 1, "cc": 1, "css": 1, "mirkin": 2}

# Each metric with its defaults, and with options that change what weights mean or how they count.
SPECS = (
    *METRICS,
    "adjusted_rand:null=sampled,draws=20",
    "mirkin:normalize",
    "van_dongen:normalize",
    "variation_of_information:normalize=log_n",
    "cc:normalize",
    "cc:p=2,weights=proportional",
    "css:weights=proportional",
    "adco:density=relative",
    "similarity_distance:ground=cityblock",
)
REQUESTS = {spec: METRICS.requests([spec])[0] for spec in SPECS}


def taking(*kinds: str, soft: bool = False) -> list[str]:
    """The specs of the metrics that take such weights."""
    return [
        spec
        for spec, request in REQUESTS.items()
        if request.metric.takes_weights(request.options) in kinds
        and (request.metric.accepts_soft or not soft)
    ]


class Case:
    """Two clusterings of the same points with coordinates and weights."""

    def __init__(self, seed: int, n: int, soft: bool = False) -> None:
        """Few points, of which some coincide, so that everything occurs."""
        draw = np.random.default_rng(seed)
        self.coordinates = draw.integers(0, 5, (n, 2)).astype(np.float64)
        self.codes = draw.integers(0, 3, (2, n)).astype(np.int32)
        self.degrees = draw.dirichlet(np.ones(3), (2, n)) if soft else None
        self.counts = draw.integers(0, 4, n).astype(np.float64)
        self.counts[:2] = 1.0

    def compare(self, rows: Any, weights: Floats | None) -> Comparison:
        """The comparison of some rows with these weights."""
        sides = []
        for side in range(2):
            points = PointSet(len(self.counts[rows]), None, self.coordinates[rows], weights)
            membership: Hard | Soft = Hard(self.codes[side][rows], 3)
            if self.degrees is not None:
                membership = Soft(np.ascontiguousarray(self.degrees[side][rows]))
            sides.append(Clustering(points, membership, Texts.of("xyz")))
        return align(sides[0], sides[1])

    def weighted(self, weights: Floats) -> Comparison:
        """All rows with these weights."""
        return self.compare(slice(None), weights)

    def repeated(self) -> Comparison:
        """Each row as often as it counts, without weights."""
        return self.compare(np.repeat(np.arange(len(self.counts)), self.counts.astype(int)), None)


def results_of(comparison: Comparison, request: Request) -> list[Result]:
    """The results of a metric, one for each side that it has results for."""
    ((_, results, _),) = answers(comparison, [request])
    return list(results)


def check_equal(found: list[Result], expected: list[Result], **close: Any) -> None:
    """Both have the same values, or the same reasons for having none."""
    for one, other in zip(found, expected, strict=True):
        assert (one.status, one.reason) == (other.status, other.reason)
        if other.value is None:
            assert one.value is None
        else:
            assert one.value == pytest.approx(other.value, **close)


SEEDS = st.integers(0, 2**32 - 1)
SIZES = st.integers(2, 9)


@pytest.mark.parametrize("spec", taking("counts", "masses"))
@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, n=SIZES)
def test_whole_weights_equal_repeated_rows(spec: str, seed: int, n: int) -> None:
    case = Case(seed, n)
    found = results_of(case.weighted(case.counts), REQUESTS[spec])
    expected = results_of(case.repeated(), REQUESTS[spec])
    check_equal(found, expected, rel=1e-9, abs=1e-9)
    for one, other in zip(found, expected, strict=True):
        # Which of equally good matchings is shown may depend on the number of rows.
        details = [{k: v for k, v in of.details.items() if k != "matching"} for of in (one, other)]
        assert details[0] == pytest.approx(details[1])


@pytest.mark.parametrize("spec", taking("counts", "masses", soft=True))
@settings(max_examples=8, deadline=None)
@given(seed=SEEDS, n=SIZES)
def test_whole_weights_of_soft_points_equal_repeated_rows(spec: str, seed: int, n: int) -> None:
    case = Case(seed, n, soft=True)
    found = results_of(case.weighted(case.counts), REQUESTS[spec])
    check_equal(found, results_of(case.repeated(), REQUESTS[spec]), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("spec", taking("masses"))
def test_masses_are_the_limit_of_many_copies(spec: str, soft: bool) -> None:
    if soft and spec not in taking("masses", soft=True):
        return
    case, copies = Case(7, 9, soft), 10**6
    request = REQUESTS[spec]
    scale = copies * 10
    found = results_of(case.weighted(case.counts * 0.1), request)
    expected = results_of(case.weighted(case.counts * copies), request)
    unit = scale ** IN_UNITS.get(spec.split(":")[0], 0) if "normalize" not in spec else 1
    unit = math.sqrt(unit) if "p=2" in spec else unit
    for one, other in zip(found, expected, strict=True):
        assert (one.status, other.status) == (Status.ok, Status.ok)
        assert one.value is not None
        assert other.value is not None
        assert one.value == pytest.approx(other.value / unit, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("spec", taking("counts"))
def test_metrics_of_counts_say_that_masses_do_not_fit(spec: str) -> None:
    case = Case(7, 9)
    for result in results_of(case.weighted(case.counts * 0.5), REQUESTS[spec]):
        assert result.status is Status.not_applicable
        assert result.reason == "needs weights that are whole numbers"


@pytest.mark.parametrize("spec", taking("none"))
def test_metrics_without_weights_say_so(spec: str) -> None:
    case = Case(7, 9)
    for result in results_of(case.weighted(case.counts), REQUESTS[spec]):
        assert result.status is Status.not_applicable
        assert result.reason == "is not defined for points with weights"
