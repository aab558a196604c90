"""A short run of the fuzzer with a fixed seed; `make fuzz` searches longer."""

from __future__ import annotations

import pytest

from tests.fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_a_short_search_finds_nothing(name: str) -> None:
    TARGETS[name].as_test(n_examples=150, number=20261118)()
