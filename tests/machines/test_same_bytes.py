"""Work that other machines do gives the same bytes as work that is done here."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed import Client

import clustcmp
from clustcmp.machines import sending
from clustcmp.machines.sending import Machines
from clustcmp.progress import told_to
from tests.files import Outcome, run_clustcmp, write
from tests.machines.farm import AtStep, Farm, send_everything

IRIS = str(Path(clustcmp.__file__).parent.parent / "examples") + "/iris"
A, B, WHERE = f"{IRIS}_species.csv", f"{IRIS}_kmeans_bad.csv", f"{IRIS}.csv"
SOFT = f"{IRIS}_soft.csv"
IN_SPACE = ("--coordinates", WHERE)

COMMANDS = {
    "pairs of clusters": ("compare", A, B, *IN_SPACE, "-m", "cdistance"),
    "pairs of soft clusters": ("compare", SOFT, A, *IN_SPACE, "-m", "cdistance"),
    "by POT": ("compare", A, B, *IN_SPACE, "-m", "cdistance:ground=cityblock"),
    "all points": ("compare", A, B, *IN_SPACE, "-m", "css", "-m", "beta_cv", "-m", "c_index"),
    "changes": ("changes", A, B, *IN_SPACE),
    "cells": ("matrix", A, B, SOFT, f"{IRIS}_kmeans_good.csv", *IN_SPACE, "-m", "cdistance"),
    "counted cells": ("matrix", A, B, f"{IRIS}_kmeans_good.csv", "-m", "ari", "-m", "purity"),
    "permutations": (
        *("compare", A, B, *IN_SPACE, "-m", "cdistance", "--permutations", "7", "--seed", "1"),
    ),
    "intervals": (
        *("compare", SOFT, A, *IN_SPACE, "-m", "cdistance", "--confidence", "0.9", "--seed", "1"),
    ),
    "samples": (
        *("stability", WHERE, "--algorithm", "kmeans", "--k", "2:3", "--samples", "6"),
        *("--seed", "1", "--gaussians", "2"),
    ),
    "windows": ("track", A, B, f"{IRIS}_kmeans_good.csv", *IN_SPACE, "-m", "cdistance"),
    "gate": ("gate", A, B, *IN_SPACE, "--min", "ari=0.1", "--max", "cdistance=0.9"),
}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Outcome:
    """Run the program for JSON."""
    return run_clustcmp(capsys, *arguments, "-f", "json")


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_commands_print_the_same_bytes(
    command: tuple[str, ...],
    farm: Farm,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = run(capsys, *command)
    sent = send_everything(monkeypatch)
    there = run(capsys, *command, "--scheduler", farm.address)
    assert (there.stdout, there.status) == (here.stdout, 0), there.stderr
    assert sent


def spiral(n: int) -> tuple[list[int], list[int], Any]:
    """Two clusterings of n points, and where these are."""
    random = np.random.default_rng(n)
    a, b = (random.integers(0, 4, n).tolist() for _ in "ab")
    return a, b, random.normal(size=(n, 3))


def test_a_worker_that_is_killed_costs_a_retry_and_not_the_run(
    farm: Farm, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b, where = spiral(300)
    asked: dict[str, Any] = {"coordinates": where, "permutations": 60, "seed": 3}
    here = clustcmp.compare(a, b, "cdistance", **asked)
    sent = send_everything(monkeypatch)
    killer = AtStep(5, lambda: farm.kill(farm.workers[0]))
    with told_to(killer):
        there = clustcmp.compare(a, b, "cdistance", **asked, scheduler=farm.address)
    assert killer.acted
    assert max(sent) > 8
    assert there.to_text("json") == here.to_text("json")
    assert there.draws.to_text("csv") == here.draws.to_text("csv")


def test_coordinates_are_sent_once_for_all_metrics(
    farm: Farm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clustcmp.machines.packing.LARGE", 1000)
    sent = send_everything(monkeypatch)
    arrays: list[Any] = []
    scatter = Client.scatter

    def watched(client: Client, data: dict[str, Any], **how: Any) -> Any:
        arrays.extend(one for one in data.values() if isinstance(one, np.ndarray))
        return scatter(client, data, **how)

    monkeypatch.setattr(Client, "scatter", watched)
    a, b, where = spiral(200)
    metrics = ["cdistance", "cdistance:ground=cityblock", "cdistance:solver=pot"]
    clustcmp.compare(a, b, metrics, coordinates=where, scheduler=farm.address)
    assert len(sent) == 3
    assert [one.shape for one in arrays].count(where.shape) == 1


def test_short_work_is_not_sent(farm: Farm, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[object] = []
    monkeypatch.setattr(Machines, "_send", lambda *batch: sent.append(batch))
    a, b, where = spiral(30)
    clustcmp.compare(a, b, "cdistance", coordinates=where, scheduler=farm.address)
    assert not sent


def test_a_client_is_used_and_stays_open(
    client: Client, farm: Farm, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = send_everything(monkeypatch)
    a, b, where = spiral(50)
    there = clustcmp.compare(a, b, "cdistance", coordinates=where, scheduler=client)
    assert there["cdistance"] == clustcmp.compare(a, b, "cdistance", coordinates=where)["cdistance"]
    assert sent
    assert client.status == "running"
    assert client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)) == 0


def test_the_environment_names_a_scheduler(farm: Farm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", farm.address)
    sent = send_everything(monkeypatch)
    a, b, where = spiral(50)
    clustcmp.compare(a, b, "cdistance", coordinates=where)
    assert sent


def test_a_configuration_of_a_stranger_cannot_name_a_scheduler(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f'[gate]\nscheduler = "tcp://127.0.0.1:9"\na = "{A}"\nb = "{B}"\nari = {{ min = 0.1 }}\n'
    path = write(str(tmp_path / "gates.toml"), text)
    done = run_clustcmp(capsys, "gate", "--config", path)
    assert (done.status, done.stdout) == (2, "")
    assert "scheduler: cannot be set in a file" in done.stderr
    assert "hint: say --scheduler ADDRESS" in done.stderr


def test_batches_take_long_enough_and_not_too_long() -> None:
    tasks = list(range(1000))
    for each in (1e-6, 0.01, 0.1, 30.0):
        batches = sending.into_batches(tasks, [each] * 1000, 4)
        found = [pickle.loads(batch) for batch in batches]
        assert [task for some in found for task in some] == tasks
        longest = max(map(len, found)) * each
        assert longest <= max(sending.LONGEST, each) * 1.01
        assert len(found) == 1 or longest >= min(sending.SHORTEST, 1000 * each)
