"""A metric says what it looks at by its first parameter."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import clustcmp
from clustcmp.align import align
from clustcmp.errors import Undefined
from clustcmp.evaluate import evaluate
from clustcmp.metrics import METRICS
from clustcmp.model import Clustering, Comparison, Contingency
from clustcmp.registry import Family, Metric, Request, ask
from clustcmp.results import Estimate, Result
from tests.cases import CASES
from tests.conftest import Labels, label_pairs, variants

OF_TABLES = [metric for metric in METRICS.values() if metric.subject is Contingency]


def count(a: list[Any], b: list[Any]) -> list[list[int]]:
    """The contingency table of two lists of labels, counted in plain Python."""
    return [
        [sum(x == k and y == j for x, y in zip(a, b, strict=True)) for j in sorted(set(b))]
        for k in sorted(set(a))
    ]


def value_of_table(request: Request, table: list[list[int]]) -> float | str:
    """What the function of a metric returns for a table alone, or why it has no value."""
    try:
        found = request.metric.compute(Contingency.of(table), **request.options)
    except Undefined as reason:
        return str(reason)
    assert isinstance(found, float)
    return found


def check_all_metrics(a: list[Any], b: list[Any]) -> None:
    """Every metric of a contingency gives the same from the table alone as from the points."""
    table = count(a, b)
    specs = [spec for metric in OF_TABLES for spec in variants(metric)]
    report = clustcmp.compare(a, b, metrics=specs)
    for request, result in zip(METRICS.requests(specs), report, strict=True):
        assert result.metric == request.spec
        found = value_of_table(request, table)
        if is_identity(table) and result.best is not None:
            # evaluate gives identical clusterings the best value without computing it.
            assert result.value == result.best
        else:
            expected = result.reason if result.value is None else pytest.approx(result.value, 1e-12)
            assert found == expected, request.spec


def is_identity(table: list[list[int]]) -> bool:
    """Whether two clusterings with this table are the same but for their names."""
    columns = list(zip(*table, strict=True))
    return all(sum(map(bool, line)) == 1 for line in (*table, *columns))


def test_most_metrics_need_a_table_alone() -> None:
    assert len(OF_TABLES) >= 30
    families = {metric.family.name for metric in OF_TABLES}
    assert families == {"pair_counting", "set_matching", "coreference", "information", "element"}


@given(label_pairs)
def test_a_table_gives_the_same_values_as_the_points(pair: tuple[Labels, Labels]) -> None:
    check_all_metrics(*pair)


@pytest.mark.parametrize("case", [name for name in CASES if name != "entities"])
def test_a_table_gives_the_known_values(case: str) -> None:
    a, b = CASES[case]
    check_all_metrics(a, b)


def test_clusters_without_points_in_a_table_do_not_count() -> None:
    (request,) = METRICS.requests(["f_measure"])
    full = value_of_table(request, [[3, 1], [0, 2]])
    assert value_of_table(request, [[3, 0, 1], [0, 0, 0], [0, 0, 2]]) == full


def declare(compute: Callable[..., Any], **facts: Any) -> Metric:
    """The metric that a function is declared as."""
    family = Family("trial", "Trial")
    known: dict[str, Any] = {"worst": 0.0, "best": 1.0}
    words = dict.fromkeys(("brief", "citation", "formula"), "none")
    family.metric(compute.__name__, **{**known, **words, **facts})(compute)
    return family.metrics[compute.__name__]


def half_of_table(table: Contingency) -> Estimate:
    """Half, more or less."""
    return Estimate(0.5, 0.4, 1.0 + 1e-16)


def half_of_points(comparison: Comparison) -> Estimate:
    """Half, more or less."""
    return Estimate(0.5, 0.4, 0.6)


def half_of_one(clustering: Clustering) -> Estimate:
    """Half, more or less."""
    return Estimate(0.5, 0.4, 0.6)


def answer(metric: Metric) -> tuple[Result, ...]:
    """The results of a metric for two clusterings that differ."""
    a, b = (clustcmp.read.objects.as_clustering(labels, "x") for labels in ([0, 0, 1], [0, 1, 1]))
    return evaluate(align(a, b), [ask(metric)])[0]


@pytest.mark.parametrize(
    ("compute", "sides"),
    [(half_of_table, [None]), (half_of_points, [None]), (half_of_one, ["a", "b"])],
)
def test_the_bounds_of_an_estimate_are_in_the_result(
    compute: Callable[..., Estimate], sides: list[str | None]
) -> None:
    results = answer(declare(compute))
    assert [result.side for result in results] == sides
    for result in results:
        assert result.value == 0.5
        assert result.proven is not None
        assert result.proven == pytest.approx((0.4, compute(None).high))


def test_bounds_end_at_the_best_value_where_they_exceed_it_by_rounding() -> None:
    (result,) = answer(declare(half_of_table))
    assert result.proven == (0.4, 1.0)


def test_an_exact_value_has_no_bounds() -> None:
    def exact(table: Contingency) -> float:
        """Half."""
        return 0.5

    (result,) = answer(declare(exact))
    assert (result.value, result.proven) == (0.5, None)


@pytest.mark.parametrize(
    "estimate", [Estimate(0.5, 0.6, 0.7), Estimate(0.5, 0.1, 0.4), Estimate(0.5, math.nan, 1.0)]
)
def test_a_value_outside_of_its_proven_ends_is_refused(estimate: Estimate) -> None:
    def wrong(table: Contingency) -> Estimate:
        """A value that contradicts its interval."""
        return estimate

    with pytest.raises(ValueError, match=r"not between its proven ends|not finite"):
        answer(declare(wrong))


def of_nothing() -> float:
    """No parameters."""
    return 0.0


def of_labels(labels: list[int]) -> float:
    """A subject that no metric has."""
    return 0.0


def of_anything(table) -> float:  # type: ignore[no-untyped-def]
    """A subject that is not written down."""
    return 0.0


def of_array(table: np.ndarray) -> float:
    """An array is not a table."""
    return 0.0


@pytest.mark.parametrize(
    ("compute", "shown"),
    [
        (of_nothing, "None"),
        (of_labels, r"'list\[int\]'"),
        (of_anything, "None"),
        (of_array, "'np.ndarray'"),
    ],
)
def test_another_subject_is_refused_at_the_declaration(
    compute: Callable[..., float], shown: str
) -> None:
    with pytest.raises(TypeError) as caught:
        declare(compute)
    message = str(caught.value)
    assert message.startswith(f"metric {compute.__name__}: the first parameter of its function")
    assert "allowed are Contingency, Comparison and Clustering" in message
    caught.match(f"annotated with {shown};")
