"""HTML: one page that needs nothing from outside, in which every name is inert text."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp.render.blocks import (
    Block,
    Cell,
    Column,
    Inputs,
    Judgement,
    Name,
    Notes,
    Shares,
    Tone,
    table,
)
from clustcmp.render.html import write
from tests.machine import needs
from tests.test_reports import REPORTS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOSTILE = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</table></main><h1>x</h1>",
    "\u202eright to left",
    "שלום",
    "z" + "\u0301" * 500,
    "👩‍🚀",
    "long" * 2500,
    "<!--",
    "&lt;b&gt;",
    "##[error]x",
]

# Elements that a page consists of, whatever the names in it are.
OURS = {
    "html",
    "head",
    "meta",
    "link",
    "title",
    "style",
    "body",
    "main",
    "h1",
    "h2",
    "h3",
    "p",
    "ul",
    "li",
    "strong",
    "span",
    "code",
    "bdi",
    "div",
    "table",
    "caption",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "svg",
    "rect",
    "script",
    "section",
    "button",
    "details",
    "summary",
}


class Reader(HTMLParser):
    """The elements, attributes and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def hostile_page() -> str:
    """What changed between clusterings whose labels are hostile."""
    a = [label for label in HOSTILE for _ in range(3)]
    return clustcmp.changes(a, a[1:] + a[:1]).to_text("html")


@pytest.mark.parametrize("command", REPORTS)
def test_every_report_is_a_page_of_known_elements(command: str) -> None:
    text = REPORTS[command]().to_text("html")
    reader = Reader(text)
    assert set(reader.tags) <= OURS
    assert reader.tags.count("h1") == 1
    # The page's own, and with charts their data, plotly, and what draws them.
    assert reader.tags.count("script") == (4 if 'class="chart"' in text else 1)
    assert reader.tags.count("caption") == reader.tags.count("table")
    assert text == REPORTS[command]().to_text("html")


@given(st.text(min_size=1) | st.sampled_from(HOSTILE))
def test_no_text_becomes_an_element_or_an_attribute(text: str) -> None:
    rows = [[Cell(Name(text)), Cell(text)]]
    plain: list[Block] = [
        table([Column("x"), Column("x")], rows),
        Notes([text]),
        Shares("x", [text], [], [[]]),
    ]
    reader = Reader(write(plain))
    usual = Reader(write([table([Column("x"), Column("x")], [[Cell("y"), Cell("y")]])]))
    assert set(reader.tags) <= OURS
    assert reader.tags.count("script") == 1
    assert reader.attributes <= usual.attributes | {"title"}


def test_the_policy_names_the_hashes_of_the_only_style_and_script() -> None:
    text = REPORTS["metrics"]().to_text("html")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy
    assert policy[1].startswith("default-src 'none'; ")
    assert "unsafe" not in policy[1]
    for tag in ("style", "script"):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy[1]


def test_the_title_is_the_outcome_only_if_there_is_one_gate() -> None:
    inputs = Inputs([])
    good = Judgement("x", Tone.passed, "PASS", "", inputs)
    bad = Judgement("y", Tone.failed, "FAIL", "", inputs)
    assert "<title>gate y: FAIL</title>" in write([bad])
    assert "<title>clustcmp: gates</title>" in write([good, bad])


@needs("chromium")
@pytest.mark.parametrize("command", REPORTS)
def test_pages_fit_a_phone_without_a_complaint(
    command: str, browser: Browser, tmp_path: Path
) -> None:
    from tests.browser import opened

    text = REPORTS[command]().to_text("html")
    with opened(browser, text, tmp_path, viewport={"width": 360, "height": 700}) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


@needs("chromium")
def test_hostile_names_stay_text_and_keep_the_layout(browser: Browser, tmp_path: Path) -> None:
    from tests.browser import opened

    with opened(browser, hostile_page(), tmp_path, viewport={"width": 360, "height": 700}) as page:
        # The title, three scripts and the data of the charts.
        assert page.locator("h1, img, script").count() == 5
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.get_by_text(HOSTILE[1]).count() > 0


@needs("chromium")
def test_a_click_sorts_by_number_and_another_one_the_other_way(
    browser: Browser, tmp_path: Path
) -> None:
    from tests.browser import opened

    rows = [[Cell(name), Cell(value)] for name, value in (("p", "10"), ("q", "-9"), ("r", "9.5"))]
    text = write([table([Column("name"), Column("value", right=True)], rows)])
    with opened(browser, text, tmp_path) as page:
        head = page.get_by_role("button", name="value")
        names = page.locator("tbody td:first-child")
        assert names.all_inner_texts() == ["p", "q", "r"]
        head.click()
        assert names.all_inner_texts() == ["q", "r", "p"]
        head.press("Enter")
        assert names.all_inner_texts() == ["p", "r", "q"]
        assert page.locator("th[aria-sort=descending]").inner_text().startswith("value")


@needs("chromium")
def test_long_tables_can_be_searched(browser: Browser, tmp_path: Path) -> None:
    from tests.browser import opened

    rows = [[Cell(f"cluster {number}")] for number in range(20)]
    with opened(browser, write([table([Column("name")], rows)]), tmp_path) as page:
        page.get_by_label("Search this table").fill("CLUSTER 1")
        # 1 and 10 to 19.
        assert page.locator("tbody tr:visible").count() == 11
        assert page.get_by_role("status").inner_text() == "11 of 20 rows"
        page.emulate_media(media="print")
        assert not page.get_by_label("Search this table").is_visible()


@needs("chromium")
def test_light_and_dark_have_their_own_colours(browser: Browser, tmp_path: Path) -> None:
    from tests.browser import opened

    text = REPORTS["compare"]().to_text("html")
    papers = set()
    with opened(browser, text, tmp_path) as page:
        page.emulate_media(color_scheme="light")
        papers.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        page.emulate_media(color_scheme="dark")
        papers.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert papers == {"rgb(255, 255, 255)", "rgb(13, 17, 23)"}
