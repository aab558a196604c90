"""What tests of pages share: one browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests; a test that asks for it is marked with `needs("chromium")`."""
    from tests.browser import a_browser

    with a_browser() as browser:
        yield browser
