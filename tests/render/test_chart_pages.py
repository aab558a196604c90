"""Charts in a real browser: what is drawn, hovered, saved and printed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import clustcmp
from tests.browser import opened
from tests.machine import needs
from tests.render.test_html import HOSTILE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SPECIES, BAD = "examples/iris_species.csv", "examples/iris_kmeans_bad.csv"
IRIS = "examples/iris.csv"

WIDE = {"width": 1400, "height": 900}
PHONE = {"width": 360, "height": 700}


def iris_page() -> str:
    """The page of a comparison of three clusters with three, with coordinates."""
    return clustcmp.compare(SPECIES, BAD, coordinates=IRIS).to_text("html")


def count(page: Page, selector: str) -> int:
    """How many elements there are."""
    return page.locator(selector).count()


def until(page: Page, condition: str) -> None:
    """Wait for a condition; the policy of pages forbids Playwright's own way to do so."""
    for _ in range(200):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(condition)


@needs("chromium")
def test_each_chart_has_as_many_marks_as_the_data(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, iris_page(), tmp_path, viewport=WIDE) as page:
        assert count(page, ".chart") == count(page, ".js-plotly-plot") == 3
        # 5 flows between 3 and 3 clusters.
        assert count(page, "#chart-1 .js-fill") == 5 + 3 + 3
        assert page.locator("#chart-1 .textpoint").all_text_contents() == [
            "Iris-setosa",
            "Iris-vers…olor",
            "Iris-virginica",
            "C1",
            "C2",
            "C3",
        ]
        # 150 points and 66 rings on both sides, and a line for each of 3 matches.
        assert count(page, "#chart-2 .points path") == 2 * (150 + 66)
        assert count(page, "#chart-2 .shapelayer path") == 3
        # Of nine cells those with points have a number.
        texts = page.locator("#chart-3 .heatmap-label").all_text_contents()
        assert sorted(text for text in texts if text) == ["100 %", "40 %", "60 %", "8 %", "92 %"]


@needs("chromium")
def test_the_pointer_shows_what_a_mark_is(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, iris_page(), tmp_path, viewport=WIDE) as page:
        page.locator("#chart-3").scroll_into_view_if_needed()
        box = page.locator("#chart-3 .nsewdrag").bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] * 5 / 6, box["y"] + box["height"] * 5 / 6)
        hovered = page.locator("#chart-3 .hovertext").text_content() or ""
        assert "Iris-virginica → C3" in hovered
        assert "50 points, 100 %" in hovered


@needs("chromium")
def test_both_plots_of_points_are_zoomed_together(browser: Browser, tmp_path: Path) -> None:
    ranges = "[...['xaxis','xaxis2'].map(a => document.getElementById('chart-2').layout[a].range)]"
    with opened(browser, iris_page(), tmp_path, viewport=WIDE) as page:
        box = page.locator("#chart-2 .nsewdrag").first.bounding_box()
        assert box
        page.mouse.move(box["x"] + 100, box["y"] + 50)
        page.mouse.down()
        page.mouse.move(box["x"] + 250, box["y"] + 200, steps=4)
        page.mouse.up()
        until(page, f"{ranges}[0] !== undefined")
        first, second = page.evaluate(ranges)
        assert first == second


@needs("chromium")
def test_a_chart_saves_itself_as_svg(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, iris_page(), tmp_path, viewport=WIDE) as page:
        with page.expect_download() as download:
            page.get_by_role("button", name="Save as SVG the chart: Where the points went").click()
        file = tmp_path / "chart.svg"
        download.value.save_as(file)
        assert download.value.suggested_filename == "where-the-points-went.svg"
        assert file.read_text(encoding="utf-8").startswith("<svg")
        assert "Iris-virginica" in file.read_text(encoding="utf-8")


@needs("chromium")
def test_charts_follow_light_and_dark_and_print_light(browser: Browser, tmp_path: Path) -> None:
    paper = "document.querySelector('#chart-1 .main-svg').style.background"
    with opened(browser, iris_page(), tmp_path, viewport=PHONE, color_scheme="dark") as page:
        assert page.evaluate(paper) == "rgb(13, 17, 23)"
        page.emulate_media(color_scheme="light")
        until(page, f"{paper} === 'rgb(255, 255, 255)'")
        page.emulate_media(color_scheme="dark", media="print")
        until(page, f"{paper} === 'rgb(255, 255, 255)'")
        assert not page.get_by_role("button", name="Save as SVG").first.is_visible()
        assert len(page.pdf()) > 20_000


@needs("chromium")
@pytest.mark.parametrize("width", [360, 1400])
def test_charts_fit_the_screen(width: int, browser: Browser, tmp_path: Path) -> None:
    with opened(browser, iris_page(), tmp_path, viewport={"width": width, "height": 800}) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for number in (1, 2, 3):
            box = page.locator(f"#chart-{number}").bounding_box()
            assert box
            assert box["x"] + box["width"] <= width


@needs("chromium")
def test_hostile_names_are_text_in_charts(browser: Browser, tmp_path: Path) -> None:
    names = [
        *HOSTILE,
        "<b>bold</b>",
        '<a href="javascript:alert(1)">x</a>',
        "%{x}",
        "$ink",
        "a<br>b",
    ]
    labels = np.repeat(np.array(names, dtype=object), 4)
    ids = [f"{name} {number}" for number, name in enumerate(labels)]
    import pandas as pd

    a, b = pd.Series(labels, index=ids), pd.Series(np.roll(labels, 2), index=ids)
    where = pd.DataFrame({"<i>x</i>": np.arange(len(ids)) * 1.0, "y": np.arange(len(ids)) % 7.0})
    where.index = a.index
    text = clustcmp.compare(a, b, "ari", coordinates=where).to_text("html")
    with opened(browser, text, tmp_path, viewport=PHONE) as page:
        assert count(page, ".chart a, .chart img, .chart script") == 0
        shown = " ".join(page.locator("#chart-1 .textpoint").all_text_contents())
        assert "<b>bold</b>" in shown
        assert "a<br>b" in shown
        assert "%{x}" in shown
        assert "$ink" in shown
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


@needs("chromium")
def test_a_metric_is_explained_on_a_tap(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, iris_page(), tmp_path, viewport=PHONE) as page:
        tip = page.locator("summary", has_text=re.compile("^adjusted_rand$"))
        assert "chance scores 0" in (tip.get_attribute("title") or "")
        about: Any = tip.locator("xpath=..").locator(".about")
        assert not about.is_visible()
        tip.click()
        assert about.is_visible()


@needs("chromium")
def test_points_that_moved_can_be_searched_by_id(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, iris_page(), tmp_path, viewport=WIDE) as page:
        table = page.get_by_role("region", name="Points that moved")
        assert table.locator("tbody tr").count() == 66
        page.get_by_label("Search this table").last.fill("iris-051")
        assert table.locator("tbody tr:visible").all_inner_texts() == [
            "iris-051\tIris-versicolor\tC3\tC2"
        ]


@needs("chromium")
def test_the_page_of_a_matrix_has_its_cells_and_its_tree(browser: Browser, tmp_path: Path) -> None:
    runs = [list("aabbcc"), list("aabbcd"), list("aabbbb"), list("xyxyxy")]
    text = clustcmp.matrix(runs, "ari").to_text("html")
    with opened(browser, text, tmp_path, viewport=WIDE) as page:
        assert count(page, "#chart-1 .heatmaplayer image") == 1
        shown = page.locator("#chart-1 .heatmap-label").all_text_contents()
        assert len(shown) == 16
        assert shown.count("1.000") == 4
        # Three joins of four corners, with a gap behind each.
        assert page.evaluate("document.getElementById('chart-1').data[1].x.length") == 15
        assert "◆" in page.locator("#chart-1").inner_html()


@needs("chromium")
def test_the_page_of_a_stream_has_its_values_and_lives(browser: Browser, tmp_path: Path) -> None:
    labels = [list("aabbcc"), list("aabbcc"), list("abbbca")]
    text = clustcmp.track(labels, metrics=["ari"], min={"ari": 0.9}).to_text("html")
    with opened(browser, text, tmp_path, viewport=WIDE) as page:
        # Two values, of which one is broken and is the largest jump, too.
        assert count(page, "#chart-1 .points path") == 2 + 1 + 1
        # Three clusters in three windows, and the bands between them; the second a is another
        # cluster, because half of the first one and half of c are in it. The largest comes first.
        assert count(page, "#chart-2 .js-fill") == 9 + 5
        assert page.locator("#chart-2 .textpoint").all_text_contents() == ["b", "c", "a", "a"]


@needs("chromium")
def test_the_page_of_a_gate_has_a_scale_for_each_bound(browser: Browser, tmp_path: Path) -> None:
    verdict = clustcmp.gate(SPECIES, BAD, min={"ari": 0.1, "nmi": 0.1})
    with opened(browser, verdict.to_text("html"), tmp_path, viewport=PHONE) as page:
        assert page.locator("h1").inner_text() == "gate: pass"
        assert count(page, "#chart-1 .shapelayer path") == 2 * 2
        assert count(page, "#chart-1 .points path") == 2
        assert count(page, ".js-plotly-plot") == 3
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


@needs("chromium")
def test_the_page_of_stability_has_its_curve_and_clusters(browser: Browser, tmp_path: Path) -> None:
    points = [[float(x)] for x in (1, 2, 3, 11, 12, 13, 21, 22, 23)]
    report = clustcmp.stability(points, "kmeans", k=[2, 3], samples=4, gaussians=0, seed=1, jobs=1)
    with opened(browser, report.to_text("html"), tmp_path, viewport=WIDE) as page:
        # A mean and a prediction strength for each of two numbers of clusters.
        assert count(page, "#chart-1 .points path") == 2 + 2
        assert count(page, "#chart-1 .errorbar") == 2
        shown = {one.k for one in report.clusters}
        assert count(page, ".js-plotly-plot") == 1 + len(shown)
        found = sum(count(page, f"#chart-{2 + at} .points path") for at in range(len(shown)))
        assert found == sum(one.jaccard is not None for one in report.clusters)


@needs("chromium")
def test_many_points_are_painted_and_still_found(browser: Browser, tmp_path: Path) -> None:
    n = 5000
    points = np.random.default_rng(0).normal(size=(n, 2))
    points[0] = [9.0, 9.0]
    a = (points[:, 0] > 0).astype(int)
    b = (points[:, 0] > 0.1).astype(int)
    text = clustcmp.compare(a, b, "ari", coordinates=points).to_text("html")
    with opened(browser, text, tmp_path, viewport=WIDE) as page:
        data = "document.getElementById('chart-2').data"
        # The points of both sides, and a ring around each that moved.
        n_marks = page.evaluate(f"{data}.reduce((sum, one) => sum + one.x.length, 0)")
        assert n_marks == 2 * (n + int((a != b).sum()))
        assert count(page, "#chart-2 .imagelayer image, #chart-2 .layer-below image") == 2
        page.locator("#chart-2").scroll_into_view_if_needed()
        x, y = page.evaluate(
            "(() => { const box = document.getElementById('chart-2'), l = box._fullLayout,"
            " r = box.getBoundingClientRect();"
            " return [r.x + l.xaxis._offset + l.xaxis.d2p(9),"
            " r.y + l.yaxis._offset + l.yaxis.d2p(9)]; })()"
        )
        page.mouse.move(x, y)
        assert "cluster 1" in (page.locator("#chart-2 .hovertext").text_content() or "")
