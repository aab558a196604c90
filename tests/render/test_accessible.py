"""Pages for people who see, hear or point in other ways: axe-core finds no serious fault."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import clustcmp
from clustcmp.results import Reported
from tests.machine import needs
from tests.test_reports import REPORTS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# The script of axe-core, which .ci/run installs.
AXE = os.environ.get("AXE", "")

needs_axe = pytest.mark.skipif(
    not AXE and not os.environ.get("CI"),
    reason="AXE does not name the file axe.min.js of axe-core",
)


def faults(page: Any) -> list[str]:
    """The serious faults of a page, each with the first element that has it."""
    page.evaluate(Path(AXE).read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document)")
    assert len(found["passes"]) > 10
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


@needs("chromium")
@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("command", ["compare", "matrix", "track", "gate", "stability", "metrics"])
def test_pages_have_no_serious_fault(
    command: str, scheme: str, browser: Browser, tmp_path: Path
) -> None:
    from tests.browser import opened

    report: Reported = REPORTS[command]()
    if command == "compare":
        places = [[float(at), 0.0] for at in range(6)]
        report = clustcmp.compare(list("aabbcc"), list("xxyyyz"), coordinates=places)
    with opened(browser, report.to_text("html"), tmp_path, color_scheme=scheme) as page:
        assert faults(page) == []


@needs("chromium")
@needs_axe
def test_a_fault_is_found(browser: Browser, tmp_path: Path) -> None:
    from tests.browser import opened

    text = REPORTS["metrics"]().to_text("html").replace('<html lang="en">', "<html>")
    with opened(browser, text, tmp_path) as page:
        assert [fault.partition(":")[0] for fault in faults(page)] == ["html-has-lang"]
