"""A real browser for tests of HTML pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Dialog, Page, sync_playwright

PROGRAM = "/usr/bin/chromium"


@contextmanager
def a_browser() -> Iterator[Browser]:
    """A browser, closed in the end; root may start one only without the sandbox."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, text: str, folder: Path, **look: Any) -> Iterator[Page]:
    """A page in the browser, which in the end has complained of nothing and asked for nothing."""
    file = folder / "page.html"
    file.write_text(text, encoding="utf-8")
    page = browser.new_page(**look)
    complaints: list[str] = []
    requests: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        complaints.append(dialog.message)
        dialog.dismiss()

    # A machine without a graphics processor has remarks on the speed of reading pixels.
    page.on(
        "console",
        lambda message: None if "GPU stall" in message.text else complaints.append(message.text),
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", dismiss)
    page.on("request", lambda request: requests.append(request.url))
    page.goto(file.as_uri())
    if 'id="figures"' in text:
        page.wait_for_selector("body[data-drawn]", state="attached")
    yield page
    page.close()
    assert complaints == []
    assert [url for url in requests if url not in (file.as_uri(), "data:,")] == []
