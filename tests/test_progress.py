"""Progress: what listeners hear."""

from __future__ import annotations

import time

import pytest

from clustcmp.progress import SILENCE, Stopwatch, announce, begin, told_to
from tests.conftest import Ear


def test_the_listener_is_told_how_much_is_done_after_each_item() -> None:
    ear = Ear()
    with told_to(ear):
        assert list(announce(["a", "bbb"], "letters", 4, len)) == ["a", "bbb"]
    assert ear.told == [("letters", 1, 4), ("letters", 4, 4)]


def test_without_a_listener_progress_is_ignored() -> None:
    begin("read")
    assert list(announce([1, 2], "counting", 2)) == [1, 2]


def test_only_the_innermost_listener_is_told() -> None:
    outer, inner = Ear(), Ear()
    with told_to(outer):
        with told_to(inner):
            begin("read")
        with told_to(SILENCE):
            begin("check")
        begin("compare")
    assert (outer.stages, inner.stages) == (["compare"], ["read"])


def test_a_stopwatch_adds_up_the_seconds_of_each_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 11.0, 13.0, 17.0])
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    watch = Stopwatch()
    with told_to(watch):
        begin("read")
        begin("compare")
        begin("read")
    assert watch.seconds == {"read": 1.0 + 4.0, "compare": 2.0}


def test_a_stopwatch_without_stages_has_no_seconds() -> None:
    assert Stopwatch().seconds == {}
