"""--budget on the command line: the interval that is known when time is over, or at Ctrl-C."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tests.files import run_clustcmp

N = 16_000


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two clusterings of many points, whose exact cdistance takes some seconds."""
    random = np.random.default_rng(1)
    points = random.normal(size=(N, 2))
    a = random.integers(0, 2, N)
    b = np.where(random.random(N) < 0.3, 1 - a, a)
    tables = {"a": a[:, None], "b": b[:, None], "x": points}
    for name, table in tables.items():
        header = ["label"] if name != "x" else ["x", "y"]
        rows = [f"p{i}," + ",".join(map(str, row)) for i, row in enumerate(table.tolist())]
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join([",".join(["id", *header]), *rows]), encoding="ascii")
    where = ["--coordinates", str(tmp_path / "x.csv"), "-m", "cdistance"]
    return [str(tmp_path / "a.csv"), str(tmp_path / "b.csv"), *where]


def test_the_end_of_time_prints_the_interval_so_far(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    run = run_clustcmp(capsys, "compare", *files, "--budget", "0.1s", "-f", "json", "-v")
    (result,) = json.loads(run.stdout)["results"]
    low, high = result["bounds"]
    assert 0.0 < low < result["value"] < high <= 1.0
    assert "exact transport takes about" in run.stderr
    assert "the time of --budget was over" in run.stderr


def test_ctrl_c_prints_the_interval_so_far(files: list[str]) -> None:
    command = [sys.executable, "-m", "clustcmp", "compare", *files, "--budget", "9h", "-v"]
    with subprocess.Popen(
        [*command, "-f", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr
        assert process.stdout
        # The handler is set right after this line.
        assert "exact transport takes" in process.stderr.readline()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        shown, notes = process.stdout.read(), process.stderr.read()
    (result,) = json.loads(shown)["results"]
    low, high = result["bounds"]
    assert low < high
    assert "Ctrl-C was pressed" in notes
    assert process.returncode == 0
