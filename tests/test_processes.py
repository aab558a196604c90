"""The backend for processes: the same results, errors as elsewhere, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

from clustcmp import processes as module
from clustcmp.analyses.stability.strength import Halving, predict_strengths
from clustcmp.backends import map_tasks, serial, use
from clustcmp.clusterers.algorithms import Algorithm
from clustcmp.clusterers.base import Sample
from clustcmp.errors import ClustererFailed, UsageError
from clustcmp.processes import paying, processes
from tests.worker_tasks import add, complain, threads_of


def test_answers_are_in_the_order_of_the_tasks_and_from_other_processes() -> None:
    with use(processes):
        found = map_tasks(partial(add, 10), range(20), 2)
    assert [number for number, _ in found] == list(range(10, 30))
    workers = {worker for _, worker in found}
    assert 1 <= len(workers) <= 2
    assert os.getpid() not in workers
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


def test_errors_come_back_with_their_class_and_hint() -> None:
    with use(processes), pytest.raises(UsageError, match="not two") as caught:
        map_tasks(complain, [1, 2, 1], 2)
    assert caught.value.hint == "take three"
    with use(processes), pytest.raises(ClustererFailed, match="ZeroDivisionError: by three"):
        map_tasks(complain, [3], 2)


def test_a_worker_that_dies_is_an_error_with_its_status() -> None:
    with use(processes), pytest.raises(ClustererFailed, match="ended with status 7"):
        map_tasks(complain, [1, 4], 2)


def test_workers_use_one_thread() -> None:
    with use(processes):
        assert map_tasks(threads_of, [1], 2) == ["1"]


def test_workers_pay_if_they_save_more_than_their_start() -> None:
    # 2 workers save half of 60 tasks; 3 seconds are saved if each takes 0.1 seconds.
    assert paying(60, 2) == pytest.approx(module.START / 30)
    assert paying(60, 4) == pytest.approx(module.START / 45)


def test_the_number_of_jobs_does_not_change_a_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.ascontiguousarray(load_iris().data)
    halving = Halving(Sample(points), Algorithm("kmeans", {"n_init": 2}), None, 5)
    one = predict_strengths(halving, [2, 3], 1, 8)
    seen: list[int] = []

    def watched(function: object, tasks: object, jobs: int) -> object:
        seen.append(jobs)
        return processes(function, tasks, jobs)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "START", 1e-9)
    monkeypatch.setattr(module, "processes", watched)
    assert predict_strengths(halving, [2, 3], 2, 8) == one
    assert seen == [2]


def test_quick_fits_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.ascontiguousarray(load_iris().data)
    halving = Halving(Sample(points), Algorithm("agglomerative"), None, 5)
    monkeypatch.setattr(module, "Workers", None)
    assert predict_strengths(halving, [2], 2, 12) == predict_strengths(halving, [2], 1, 12)


# A script without `if __name__ == "__main__"`, whose tasks sleep or compute for long.
SCRIPT = """
import os, signal, sys, time
if sys.argv[1] == "at once":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
from functools import partial
from clustcmp.backends import map_tasks, use
from clustcmp.processes import processes
from tests.worker_tasks import sleep
with use(processes):
    print(map_tasks(partial(sleep, sys.argv[2]), [float(sys.argv[3])] * 3, 2))
"""


def start(how: str, folder: Path, seconds: float) -> subprocess.Popen[str]:
    path = folder.parent / "script.py"
    path.write_text(SCRIPT)
    return subprocess.Popen(
        [sys.executable, str(path), how, str(folder), str(seconds)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
    )


def test_a_script_needs_no_guard_for_its_main_part(tmp_path: Path) -> None:
    folder = tmp_path / "pids"
    folder.mkdir()
    out, error = start("raises", folder, 0.0).communicate(timeout=30)
    assert (out, error) == ("[0.0, 0.0, 0.0]\n", "")


@pytest.mark.parametrize(
    ("number", "how"),
    [(signal.SIGINT, "at once"), (signal.SIGINT, "raises"), (signal.SIGKILL, "at once")],
    ids=["Ctrl-C of the command", "Ctrl-C in Python", "killed"],
)
def test_no_worker_outlives_clustcmp(tmp_path: Path, number: int, how: str) -> None:
    folder = tmp_path / "pids"
    folder.mkdir()
    runner = start(how, folder, 60.0)
    end = time.monotonic() + 20
    while len(list(folder.iterdir())) < 2 and time.monotonic() < end:
        time.sleep(0.02)
    workers = [int(one.name) for one in folder.iterdir()]
    assert len(workers) == 2
    runner.send_signal(number)
    assert runner.wait(10) == -number
    while any(map(is_there, workers)) and time.monotonic() < end + 10:
        time.sleep(0.02)
    assert not any(map(is_there, workers))
    assert runner.communicate()[0] == ""


def is_there(pid: int) -> bool:
    """Whether a process runs; one that nobody has waited for has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_the_backend_gives_what_serial_gives() -> None:
    tasks = list(range(5))
    expected = [one for one, _ in serial(partial(add, 1), tasks, 1)]
    assert [one for one, _ in processes(partial(add, 1), tasks, 2)] == expected
