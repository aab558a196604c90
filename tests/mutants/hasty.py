"""A plugin for pytest: hypothesis reports the first example that fails, however large it is.

It is loaded before conftest.py, whose profile takes over what it does not set itself.
"""

from __future__ import annotations

from hypothesis import Phase, settings

settings.register_profile("hasty", phases=[Phase.explicit, Phase.generate])
settings.load_profile("hasty")
