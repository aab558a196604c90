"""Progress: what listeners hear."""

from __future__ import annotations

import time

import pytest

from clustcmp import progress
from clustcmp.progress import (
    SILENCE,
    Stopwatch,
    announce,
    begin,
    foretell,
    show_expectation,
    told_to,
)
from clustcmp.render.bar import ProgressBar
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


def sample_that_takes(seconds: float, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let the second run of a sample take so many seconds; returns what the sample did."""
    clock = iter([100.0, 100.0 + seconds])
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    return []


def test_long_work_is_foretold_from_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    ear = Ear()
    runs = sample_that_takes(0.5, monkeypatch)
    with told_to(ear):
        foretell("counting", lambda: runs.append("run"), 400.0)
    assert (ear.expected, runs) == ([("counting", 200.0)], ["run", "run"])


def test_short_work_is_not_foretold(monkeypatch: pytest.MonkeyPatch) -> None:
    ear = Ear()
    sample_that_takes(0.5, monkeypatch)
    with told_to(ear):
        foretell("counting", lambda: None, 2 * progress.LONG - 1)
    assert ear.expected == []


def test_the_progress_of_a_sample_is_not_told() -> None:
    ear = Ear()
    with told_to(ear):
        foretell("counting", lambda: list(announce([1], "counting", 1)), 1.0)
    assert ear.told == []


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (60.0, "1 minute"),
        (100.0, "2 minutes"),
        (7000.0, "117 minutes"),
        (7200.0, "2 hours"),
        (360000.0, "100 hours"),
    ],
)
def test_durations_are_round_numbers(seconds: float, words: str) -> None:
    assert show_expectation("c_index", seconds) == f"c_index will take about {words}"


def test_in_python_long_work_is_a_warning_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    foretell("c_index", lambda: time.sleep(0.01), 60_000.0)
    assert [(record.name, record.levelname) for record in caplog.records] == [
        ("clustcmp", "WARNING")
    ]
    assert caplog.messages[0].startswith("c_index will take about ")


@pytest.mark.parametrize("quiet", [False, True])
def test_commands_note_long_work_on_stderr(quiet: bool, capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressBar(quiet) as bar:
        bar.expect("c_index", 600.0)
    noted = "" if quiet else "note: c_index will take about 10 minutes\n"
    assert capsys.readouterr() == ("", noted)
