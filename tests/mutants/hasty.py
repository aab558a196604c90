"""A plugin for pytest that runs chosen tests only and stops at the first example that fails.

The environment variable CHOSEN names a file with the ids of tests, a JSON list in the order in
which they run. Hypothesis does not look for a smaller example. The plugin is loaded before
conftest.py, so that the profile set there keeps these phases.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import Phase, settings

settings.register_profile("hasty", phases=[Phase.explicit, Phase.generate])
settings.load_profile("hasty")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the chosen tests, in their order."""
    chosen = json.loads(Path(os.environ["CHOSEN"]).read_text(encoding="utf-8"))
    place = {test: at for at, test in enumerate(chosen)}
    items[:] = sorted(
        (item for item in items if item.nodeid in place), key=lambda item: place[item.nodeid]
    )
