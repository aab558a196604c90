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
