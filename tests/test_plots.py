"""Charts in Python: each function gives a figure that plotly accepts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import clustcmp
from clustcmp import plots
from clustcmp.errors import UsageError

LABELS = [list("aabbcc"), list("aabbcc"), list("abbbca")]
PLACES = np.arange(12.0).reshape(6, 2)


def verdict() -> Any:
    return clustcmp.gate(LABELS[0], LABELS[2], min={"ari": -0.5})


def stable() -> Any:
    points = [[float(x)] for x in (1, 2, 3, 11, 12, 13)]
    return clustcmp.stability(points, "kmeans", k=2, samples=3, gaussians=0, seed=1, jobs=1)


# A function, a report, and how many traces the figure has, counted by hand.
FIGURES: dict[str, tuple[Callable[..., Any], Callable[[], Any], int]] = {
    # Five flows, three bars on each side, and the names of both sides.
    "flows": (plots.flows, lambda: clustcmp.compare(LABELS[0], LABELS[2]), 5 + 6 + 2),
    # Three clusters and the rings on both sides.
    "points": (
        plots.points,
        lambda: clustcmp.changes(LABELS[0], LABELS[2], coordinates=PLACES),
        2 * (3 + 1),
    ),
    "shares": (plots.shares, verdict, 1),
    # The cells and the tree.
    "matrix": (plots.matrix, lambda: clustcmp.matrix(LABELS, "ari"), 2),
    # The values and the ring around the largest jump.
    "series": (plots.series, lambda: clustcmp.track(LABELS, metrics=["ari"]), 2),
    # Nine bars, five bands, and the names.
    "life_lines": (plots.life_lines, lambda: clustcmp.track(LABELS), 9 + 5 + 1),
    "curve": (plots.curve, stable, 2),
    "clusters": (plots.clusters, lambda: clustcmp.stability_of(LABELS), 1),
    "bounds": (plots.bounds, verdict, 1),
}


@pytest.mark.parametrize("name", FIGURES)
def test_each_chart_is_a_figure_that_plotly_accepts(name: str) -> None:
    import plotly.graph_objects as go

    function, report, n_traces = FIGURES[name]
    # plotly refuses what is not a figure when this is built.
    figure = function(report())
    assert isinstance(figure, go.Figure)
    assert len(figure.data) == n_traces
    assert figure == function(report())
    assert "css" not in figure.to_json()


def test_plot_is_the_chart_that_says_most() -> None:
    report = clustcmp.compare(LABELS[0], LABELS[2])
    assert report.plot() == plots.flows(report)
    assert verdict().plot() == plots.bounds(verdict())


def test_points_of_a_figure_are_where_they_were_given() -> None:
    report = clustcmp.compare(LABELS[0], LABELS[0], "ari", coordinates=PLACES)
    figure = plots.points(report)
    found = {(x, y) for trace in figure.data for x, y in zip(trace.x, trace.y, strict=True)}
    assert found == set(map(tuple, PLACES.tolist()))


def test_a_chart_that_a_report_does_not_have_is_an_error_with_what_has_it() -> None:
    with pytest.raises(UsageError, match="has no points") as error:
        plots.points(clustcmp.compare(LABELS[0], LABELS[2], "ari"))
    assert error.value.hint == "give coordinates to compare, changes or gate"
    with pytest.raises(UsageError, match="has no charts"):
        clustcmp.compare(LABELS[0], LABELS[2], permutations=9, seed=1).draws.plot()


def test_without_plotly_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match="need plotly") as error:
        clustcmp.matrix(LABELS, "ari").plot()
    assert error.value.hint == "pip install 'clustcmp[report]'"
