"""What charts show, as data: checked by hand, by brute force and by other programs."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import clustcmp
from clustcmp.analyses.changes.report import ChangeReport
from clustcmp.render.blocks import Headline
from clustcmp.render.charts import clouds as clouds_module
from clustcmp.render.charts.bullets import bullet_of
from clustcmp.render.charts.clouds import choose_points, cloud_chart, flatten
from clustcmp.render.charts.crossings import crossing_mass, few_crossings
from clustcmp.render.charts.flows import MOST_NODES, choose, flow_chart, fold, heat_chart
from clustcmp.render.charts.headline import headline
from clustcmp.render.charts.streams import lives_chart, series_chart
from clustcmp.render.charts.styles import MOST_STYLES, find_styles
from clustcmp.render.charts.tree import find_joins
from clustcmp.render.drawings import Flowing, Heat
from clustcmp.render.gate import check_of
from clustcmp.render.html.draw.looks import COLOURS, colour_of, symbol_of

SPECIES, BAD = "examples/iris_species.csv", "examples/iris_kmeans_bad.csv"
IRIS = "examples/iris.csv"

TABLES = arrays(
    np.float64, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=st.integers(0, 9)
)


def crossing_by_hand(masses: np.ndarray[Any, Any]) -> float:
    """The products of all two flows of which one is above on the left and below on the right."""
    cells = list(np.ndindex(masses.shape))
    return sum(
        float(masses[one] * masses[other])
        for one, other in itertools.combinations(cells, 2)
        if (one[0] - other[0]) * (one[1] - other[1]) < 0
    )


@given(TABLES)
def test_crossing_mass_is_that_of_all_pairs_of_flows(masses: np.ndarray[Any, Any]) -> None:
    assert crossing_mass(masses) == crossing_by_hand(masses)


@given(TABLES)
def test_the_order_crosses_no_more_than_the_one_given(masses: np.ndarray[Any, Any]) -> None:
    rows, columns = few_crossings(masses)
    assert sorted(rows) == list(range(len(rows)))
    assert sorted(columns) == list(range(len(columns)))
    assert crossing_by_hand(masses[np.ix_(rows, columns)]) <= crossing_by_hand(masses)


@given(st.permutations(range(6)))
def test_clusters_that_only_changed_places_do_not_cross(order: list[int]) -> None:
    masses = np.eye(6)[order]
    rows, columns = few_crossings(masses)
    assert crossing_mass(masses[np.ix_(rows, columns)]) == 0.0


LABELLINGS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=40).map(
    lambda pairs: tuple(map(list, zip(*pairs, strict=True)))
)


@given(LABELLINGS)
def test_matches_share_a_style_and_no_other_clusters_do(labels: Any) -> None:
    report = clustcmp.changes(*labels)
    styles = find_styles(report)
    partners = report.changes.partners.of_a
    for code, style in enumerate(styles.of_a.tolist()):
        same = np.flatnonzero(styles.of_b == style).tolist()
        assert same == ([partners[code]] if partners[code] >= 0 else [])
    assert len({*styles.of_a.tolist()}) == len(styles.of_a)


def test_styles_differ_in_colour_or_symbol() -> None:
    looks = {(colour_of(style), symbol_of(style)) for style in range(MOST_STYLES)}
    assert len(looks) == MOST_STYLES
    assert len({colour_of(style) for style in range(len(COLOURS))}) == len(COLOURS)


@given(LABELLINGS, st.integers(1, 9))
def test_folding_loses_no_point(labels: Any, most: int) -> None:
    report = clustcmp.changes(*labels)
    masses = fold(report, *choose(report, most)).masses
    assert masses.sum() == len(labels[0])


def test_points_in_one_clustering_only_have_their_place_in_the_flows() -> None:
    import pandas as pd

    a = pd.Series(list("xxxy"), index=list("pqrs"))
    b = pd.Series(list("xxyy"), index=list("pqst"))
    report = clustcmp.changes(a, b)
    drawing = flow_chart(report, find_styles(report)).drawing
    assert isinstance(drawing, Flowing)
    left, right = ([node.name for node in side] for side in (drawing.left, drawing.right))
    flows = {(left[one.left], right[one.right]): one.mass for one in drawing.streams}
    assert flows == {("x", "x"): 2, ("x", "only in a"): 1, ("y", "y"): 1, ("only in b", "y"): 1}


def test_the_flows_of_iris_are_those_of_the_contingency() -> None:
    report = clustcmp.changes(SPECIES, BAD)
    drawing = flow_chart(report, find_styles(report)).drawing
    assert isinstance(drawing, Flowing)
    # From clustcmp compare: 30 and 20 of setosa, 4 and 46 of versicolor, all 50 of virginica.
    assert sorted(one.mass for one in drawing.streams) == [4, 20, 30, 46, 50]
    assert sum(one.mass for one in drawing.streams if not one.is_match) == 66


def test_small_flows_between_many_clusters_go_to_the_others() -> None:
    generator = np.random.default_rng(0)
    labels = generator.integers(0, 100, (2, 5000))
    report = clustcmp.changes(*labels)
    chart = flow_chart(report, find_styles(report))
    drawing = chart.drawing
    assert isinstance(drawing, Flowing)
    assert len(drawing.left) == len(drawing.right) == MOST_NODES + 1
    shown = {node.name for node in drawing.left} & {str(one) for one in range(100)}
    # Every point of a cluster that is shown is in a flow.
    expected = sum(int((labels[0] == int(name)).sum()) for name in shown)
    from_shown = [one.mass for one in drawing.streams if drawing.left[one.left].name in shown]
    assert sum(from_shown) == expected
    assert "“Others” are 76 other clusters of a and 76 other clusters of b" in chart.how


def test_the_heat_map_has_matches_on_its_diagonal() -> None:
    drawing = heat_chart(clustcmp.changes(SPECIES, BAD)).drawing
    assert isinstance(drawing, Heat)
    shares = dict(zip(drawing.rows, drawing.shares, strict=True))
    assert shares["Iris-virginica"][drawing.columns.index("C3")] == 1.0
    assert shares["Iris-setosa"][drawing.columns.index("C1")] == 0.6
    assert np.argmax(shares["Iris-setosa"]) == list(drawing.rows).index("Iris-setosa")


def test_more_dimensions_are_projected_as_scikit_learn_does() -> None:
    from sklearn.decomposition import PCA

    points = np.random.default_rng(1).normal(size=(60, 5)) * [5.0, 3.0, 1.0, 1.0, 0.5] + 7.0
    report = clustcmp.changes(np.arange(60) % 3, np.arange(60) % 4, coordinates=points)
    assert report.places.both
    plane = flatten(report, *report.places.both)
    expected = PCA(2).fit(points)
    assert np.allclose(np.abs(plane.a), np.abs(expected.transform(points)))
    share = 100.0 * expected.explained_variance_ratio_.sum()
    assert f"which hold {share:.0f} % of the variance" in plane.about


def test_a_sample_keeps_every_cluster_and_every_point_that_moved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clouds_module, "MOST_POINTS", 500)
    generator = np.random.default_rng(2)
    codes = np.where(np.arange(5000) < 40, np.arange(5000) // 4, generator.integers(10, 12, 5000))
    moved = np.zeros(5000, dtype=np.bool_)
    moved[generator.choice(5000, 200, replace=False)] = True
    kept = choose_points(codes, moved)
    assert len(kept) == len(set(kept.tolist())) == 500
    assert set(codes[kept].tolist()) == set(range(12))
    assert moved[kept].sum() == 200
    assert (kept == choose_points(codes, moved)).all()


def test_points_of_a_page_are_where_their_coordinates_say() -> None:
    points = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
    report = clustcmp.changes(list("xxy"), list("xyy"), coordinates=points)
    chart = cloud_chart(report, find_styles(report))
    assert chart is not None
    drawing: Any = chart.drawing
    assert sorted(drawing.a.points.tolist()) == points.tolist()
    moved = dict(zip(drawing.a.ids, drawing.a.moved.tolist(), strict=True))
    # The points of x and y that a and b agree on stay, the second one is in x and then in y.
    assert moved == {"1": False, "2": True, "3": False}


def words_of(report: ChangeReport) -> str:
    found = headline(report, None)
    assert isinstance(found, Headline)
    pieces = [
        piece for line in found.lines for piece in ([line] if isinstance(line, str) else line)
    ]
    return " ".join(
        piece if isinstance(piece, str) else str(getattr(piece, "text", "")) for piece in pieces
    )


def test_the_headline_says_how_many_points_moved_and_how_much_that_is() -> None:
    words = words_of(clustcmp.changes(SPECIES, BAD))
    assert words.startswith("66 of 150 points moved (44 %)")
    # 0.4225 is the adjusted Rand index that scikit-learn gives.
    assert "little alike: 42 % of the way from chance to identical" in words
    assert "(0.423)" in words


def test_the_headline_of_equal_clusterings_says_so() -> None:
    words = words_of(clustcmp.changes([1, 1, 2], list("xxy")))
    assert words.startswith("No point moved : all 3 stayed")
    assert "identical" in words


def test_the_headline_of_worse_than_chance_says_so() -> None:
    assert "less alike than by chance" in words_of(clustcmp.changes([0, 0, 1, 1], [0, 1, 0, 1]))


# What people without one kind of cones see, by Machado, Oliveira and Fernandes (2009), severity 1,
# in linear RGB: red, green and blue cones.
BLINDNESS = {
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def lab(linear: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Colours in CIE Lab, where equal distances look about equally large."""
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = np.clip(linear, 0.0, 1.0) @ to_xyz.T / [0.9505, 1.0, 1.089]
    root = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16.0 / 116.0)
    x, y, z = root.T
    return np.stack([116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)], axis=1)


@pytest.mark.parametrize("kind", [None, *BLINDNESS])
def test_colours_can_be_told_apart_with_any_colour_blindness(kind: str | None) -> None:
    srgb = np.array([[int(one[at : at + 2], 16) / 255.0 for at in (1, 3, 5)] for one in COLOURS])
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    seen = lab(linear @ np.array(BLINDNESS[kind]).T if kind else linear)
    distances = [
        float(np.linalg.norm(one - other)) for one, other in itertools.combinations(seen, 2)
    ]
    # About 2.3 is the least difference that people notice side by side.
    assert min(distances) > 9.0


def test_the_data_of_charts_is_inert_and_the_same_each_time() -> None:
    labels = ["</script><script>alert(1)</script>", "<!--", "%{x}", "$ink", "##[error]"]
    report = clustcmp.changes(
        labels * 2, labels[::-1] * 2, coordinates=np.arange(20.0).reshape(10, 2)
    )
    text = report.to_text("html")
    (data,) = re.findall(r'<script type="application/json" id="figures">(.*?)</script>', text)
    assert not set("<>&#") & set(data)
    figures = json.loads(data)
    assert [figure["name"] for figure in figures] == [
        "Where the points went",
        "Where the points are",
        "Shares of clusters",
    ]
    assert text == report.to_text("html")


def test_a_page_without_plotly_says_how_to_get_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    import clustcmp.render.html as html

    monkeypatch.setattr(html, "plotly_script", lambda: "")
    text = clustcmp.compare(list("xxy"), list("xyy")).to_text("html")
    assert "pip install &#x27;clustcmp[report]&#x27;" in text
    assert text.count("<script>") == 1
    assert len(text) < 40_000


def test_other_formats_have_no_trace_of_charts() -> None:
    report = clustcmp.changes(list("xxy"), list("xyy"))
    for form in ("table", "markdown", "latex"):
        assert "Where the points" not in report.to_text(form)


def test_a_pickled_report_has_no_points_and_still_a_page() -> None:
    import pickle

    report = clustcmp.compare(SPECIES, BAD, "ari", coordinates=IRIS)
    again = pickle.loads(pickle.dumps(report))
    assert again == report
    assert again.kept is None
    assert len(pickle.dumps(report)) < 4_000
    assert "Values" in again.to_text("html")


def test_the_tree_of_a_matrix_is_that_of_scipy() -> None:
    from scipy.cluster.hierarchy import cophenet, linkage
    from scipy.spatial.distance import squareform

    generator = np.random.default_rng(3)
    base = generator.integers(0, 4, 80)
    runs = [np.where(generator.random(80) < 0.1 * i, 0, base) for i in range(6)]
    report = clustcmp.matrix(runs, "ari")
    found = report[0]
    joins = find_joins(found, list(found.order))
    assert len(joins) == 5
    # The height at which two leaves come together, as scipy has it.
    distances = 2.0 * (1.0 - found.values[np.ix_(found.order, found.order)])
    condensed = squareform(distances / distances.max(), checks=False)
    heights = cophenet(linkage(condensed, "average"))
    assert np.isclose([one[4] for one in joins], sorted(set(heights / heights.max()))).all()


def test_bullets_shade_what_keeps_a_bound() -> None:
    with pytest.raises(clustcmp.GateFailed) as failed:
        clustcmp.gate(SPECIES, BAD, min={"ari": 0.6}, max={"vi": 1.0}, max_moved="50%")
    checks = failed.value.verdict.checks
    bullets = {check.threshold.metric: bullet_of(check, check_of(check)) for check in checks}
    ari = bullets["adjusted_rand"]
    assert (ari.scale, ari.kept, ari.tone) == ((-0.5, 1.0), (0.6, 1.0), "bad")
    assert ari.value == pytest.approx(0.42254)
    assert (bullets["moved"].scale, bullets["moved"].kept) == ((0.0, 1.0), (0.0, 0.5))
    vi = bullets["variation_of_information"]
    assert vi.tone == "good"
    assert vi.kept == (0.0, 1.0)
    assert vi.scale[1] > 1.0


def test_a_verdict_of_one_gate_has_the_page_of_its_comparison_and_pickles_without_points() -> None:
    import pickle

    verdict = clustcmp.gate(SPECIES, BAD, min={"ari": 0.1})
    assert "Where the points went" in verdict.to_text("html")
    again = pickle.loads(pickle.dumps(verdict))
    assert again == verdict
    assert "Where the points went" not in again.to_text("html")
    assert "Where the points went" not in verdict.to_text("markdown")


def test_curves_of_a_stream_have_its_values_bounds_and_largest_jump() -> None:
    labels = [list("aabbcc"), list("aabbcc"), list("abbbca"), list("aabbcc")]
    track = clustcmp.track(labels, metrics=["ari"], min={"ari": 0.9})
    chart = series_chart(track, ["adjusted_rand"])
    assert chart is not None
    drawing: Any = chart.drawing
    (curve,) = drawing.curves
    assert list(curve.values) == [1.0, track["ari"][1], track["ari"][2]]
    assert curve.bounds == [("adjusted_rand ≥ 0.9", 0.9)]
    assert curve.failed == [1, 2]
    assert curve.jump == 1


def test_lives_know_where_they_come_from_and_where_they_go() -> None:
    before, after = list("aaaabbb"), list("aaxxbbb")
    after[1] = "x"
    track = clustcmp.track([before, after, before])
    chart = lives_chart(track)
    assert chart is not None
    drawing: Any = chart.drawing
    assert [life.masses for life in drawing.lives] == [
        [one.mass if (one := found.get(name)) else None for name in ("W1", "W2", "W3")]
        for found in (
            {cluster.window: cluster for cluster in line.clusters}
            for line in track.life_lines or ()
        )
    ]
    by_origin = [life.origin for life in drawing.lives if life.origin is not None]
    expected = [line.origin for line in track.life_lines or () if line.origin]
    assert [drawing.lives[at].name for at in by_origin] == [str(one.name) for one in expected]
    assert expected
