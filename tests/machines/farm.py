"""A real scheduler of dask with its workers, in processes of their own on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import clustcmp
from clustcmp.machines import sending
from clustcmp.progress import Silence

ROOT = Path(clustcmp.__file__).parent.parent

# Tests that would hang without a limit give up after so many seconds.
PATIENCE = 60.0


class Farm:
    """A scheduler and its workers; each worker has one thread and no nanny."""

    def __init__(self, folder: Path, settings: Mapping[str, str] | None = None) -> None:
        """Start a scheduler without workers; dask's settings are variables of the environment."""
        self.folder = folder
        self._file = folder / "scheduler.json"
        self.settings = dict(settings or {})
        scheme = "tls" if self.settings else "tcp"
        self.scheduler = self._start("scheduler", f"--host={scheme}://127.0.0.1", "--port=0")
        wait_until(lambda: self._file.exists() and '"address"' in self._file.read_text())
        text = self._file.read_text()
        self.address = text.split('"address": "')[1].split('"')[0]
        self.workers: list[subprocess.Popen[bytes]] = []

    def add_worker(self, path: Path = ROOT, *flags: str) -> subprocess.Popen[bytes]:
        """One more worker, which finds modules in this folder first; it may still be starting."""
        folder = f"--local-directory={self.folder}"
        worker = self._start("worker", "--nthreads=1", "--no-nanny", folder, *flags, path=path)
        self.workers.append(worker)
        return worker

    def kill(self, worker: subprocess.Popen[bytes]) -> None:
        """End a worker as the lack of memory would: it can say nothing any more."""
        worker.kill()
        worker.wait()
        self.workers.remove(worker)

    def stop(self) -> None:
        """End all processes."""
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()

    def _start(self, kind: str, *flags: str, path: Path = ROOT) -> subprocess.Popen[bytes]:
        words = [f"distributed.cli.dask_{kind}", "--scheduler-file", str(self._file)]
        with open(self.folder / "log", "ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", *words, "--no-dashboard", *flags],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={
                    **os.environ,
                    **self.settings,
                    "PYTHONPATH": f"{path}{os.pathsep}{ROOT}",
                    "OMP_NUM_THREADS": "1",
                },
            )


class AtStep(Silence):
    """A listener that does something once, when so many steps of the work are done."""

    def __init__(self, step: int, act: Callable[[], None]) -> None:
        self.step, self.act = step, act
        self.acted = False

    def __call__(self, what: str, done: int, total: int) -> None:
        """Act at the step, if that is not the last one."""
        if self.step <= done < total and not self.acted:
            self.acted = True
            self.act()


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "this takes too long"
        time.sleep(0.02)


def send_everything(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Send work however short it is; the list fills with the number of batches of each function."""
    sent: list[int] = []

    def watched(machines: sending.Machines, packed: sending.Packed, batches: list[bytes]) -> object:
        sent.append(len(batches))
        return original(machines, packed, batches)

    original = sending.Machines._send
    monkeypatch.setattr(sending.Machines, "_send", watched)
    monkeypatch.setattr(sending, "PATIENCE", 0.0)
    monkeypatch.setattr(sending, "WORTHWHILE", -1.0)
    monkeypatch.setattr(sending, "BANDWIDTH", 1e30)
    monkeypatch.setattr(sending, "SHORTEST", 0.0)
    return sent
