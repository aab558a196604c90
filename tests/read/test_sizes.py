"""What would not fit in memory is refused before it is read, with what to do instead."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import clustcmp
from clustcmp import memory
from clustcmp.read import sizes
from clustcmp.read.address import Address
from tests.files import pipe, run_clustcmp

N = 20_000


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sizes, "SMALL", 1000)
    monkeypatch.setattr(memory, "ALWAYS_FREE", 1000)


def write_both(ending: str) -> tuple[str, str]:
    frame = pd.DataFrame({"id": np.arange(N), "label": np.arange(N) % 7})
    for name in "ab":
        path = f"{name}.{ending}"
        if ending == "parquet":
            frame.to_parquet(path, index=False)
        else:
            frame.to_csv(path, index=False)
    return f"a.{ending}", f"b.{ending}"


@pytest.mark.parametrize("ending", ["csv", "parquet", "csv.gz"])
def test_what_would_not_fit_is_refused_before_it_is_read(
    ending: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = write_both(ending)
    assert run_clustcmp(capsys, "compare", *pair, "-m", "ari").status == 0
    monkeypatch.setattr(memory, "available_memory", lambda: 10_000.0)
    read: list[str] = []
    monkeypatch.setattr("clustcmp.read.files.fetch", lambda *given: read.append(str(given)))
    outcome = run_clustcmp(capsys, "compare", *pair, "-m", "ari")
    assert (outcome.status, outcome.stdout, read) == (3, "", [])
    assert f"the rows of {pair[0]} and {pair[1]} need 0.0 GB of memory" in outcome.stderr
    assert "--contingency" in outcome.stderr


def test_what_comes_by_a_pipe_is_refused_when_its_size_is_known(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = write_both("csv")
    pipe(monkeypatch, Path(path).read_bytes())
    monkeypatch.setattr(memory, "available_memory", lambda: 2e6)
    monkeypatch.setattr("clustcmp.read.files.check_memory", lambda addresses: None)
    outcome = run_clustcmp(capsys, "compare", "-", path, "-m", "ari")
    assert outcome.status == 0
    pipe(monkeypatch, Path(path).read_bytes())
    monkeypatch.setattr(memory, "available_memory", lambda: 1e6)
    outcome = run_clustcmp(capsys, "compare", "-", path, "-m", "ari")
    assert (outcome.status, outcome.stdout) == (3, "")
    assert "the rows of stdin need 0.0 GB of memory" in outcome.stderr


def test_rows_and_not_other_columns_of_parquet_count(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "x" * 1000
    frame = pd.DataFrame({"id": range(N), "label": 1, "text": text})
    for ids, per_row in ((frame["id"], sizes.PER_ROW_OF_NUMBERS), ("x", sizes.PER_ROW_OF_TEXTS)):
        frame.assign(id=ids).to_parquet("x.parquet")
        size = Path("x.parquet").stat().st_size
        assert sizes.estimate(Address.of_file("x.parquet"), size) == per_row * N


def test_the_lines_of_a_text_are_estimated_from_its_start() -> None:
    Path("x.csv").write_text("id,label\n" + "1234567,a\n" * N)
    size = Path("x.csv").stat().st_size
    expected = sizes.PER_BYTE_OF_TEXT * size + sizes.PER_ROW * N
    assert sizes.estimate(Address.of_file("x.csv"), size) == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("path", ["none.csv", "-", "broken.parquet"])
def test_what_cannot_be_estimated_has_its_own_error_later(path: str) -> None:
    Path("broken.parquet").write_bytes(b"PAR1" + bytes(5_000))
    sizes.check_memory([Address.of_file(path)])
    if path != "-":
        with pytest.raises(clustcmp.InputError):
            clustcmp.read_clustering(path)


# The files of a control group: limit, use, what of it is a cache of files; and what is left.
GROUPS = {
    "second version": (
        "0::/job\n",
        {
            "job/memory.max": "5000",
            "job/memory.current": "3000",
            "job/memory.stat": "anon 1\ninactive_file 1000\n",
        },
        3000,
    ),
    "second version, limit of a group around it": (
        "0::/job/step\n",
        {
            "job/memory.max": "2000",
            "job/memory.current": "500",
            "job/memory.stat": "",
            "job/step/memory.max": "max",
            "job/step/memory.current": "500",
            "job/step/memory.stat": "",
        },
        1500,
    ),
    "first version": (
        "8:pids:/x\n4:memory:/job\n0::/\n",
        {
            "memory/job/memory.limit_in_bytes": "4000",
            "memory/job/memory.usage_in_bytes": "1000",
            "memory/job/memory.stat": "total_inactive_file 500\n",
        },
        3500,
    ),
    "no limit": ("0::/\n", {}, 7000 * 1024),
}


@pytest.mark.parametrize("kind", GROUPS)
def test_the_limit_of_a_control_group_counts(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, files, left = GROUPS[kind]
    files = {"proc/meminfo": "MemAvailable: 7000 kB\n", "proc/self/cgroup": own} | {
        f"group/{name}": text for name, text in files.items()
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(memory, "PROC", tmp_path / "proc")
    monkeypatch.setattr(memory, "GROUP", tmp_path / "group")
    assert memory.available_memory() == left
