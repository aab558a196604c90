"""Calls of other programs, none of which outlives clustcmp.

Each call has a process group of its own, so that the whole group can be ended: after the timeout,
after an error, and after the call itself for what it left running. Ctrl-C ends clustcmp at once,
whatever it does; then a guard, a small process that notices the end of clustcmp, ends the groups
and removes the files.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Timer

from clustcmp.errors import ClustererFailed

# Reads the process groups that begin (+) and end (-). The pipe is closed when clustcmp ends.
GUARD = """
import os, shutil, sys
groups = set()
for line in sys.stdin:
    (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
for group in groups:
    try:
        os.killpg(group, 9)
    except OSError:
        pass
shutil.rmtree(sys.argv[1], ignore_errors=True)
"""


class Calls:
    """A block in which programs are called; at its end all of them and their files are gone."""

    def __enter__(self) -> Calls:
        self._lock = Lock()
        self._running: set[int] = set()
        self._is_open = True
        self._base = Path(tempfile.mkdtemp(prefix="clustcmp-"))
        self._guard = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", GUARD, str(self._base)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # Ctrl-C in a terminal must not reach the guard.
            start_new_session=True,
        )
        return self

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._is_open = False
            for group in self._running:
                end_group(group)
        if self._guard.stdin is not None:
            with suppress(OSError):
                self._guard.stdin.close()
        self._guard.wait()
        shutil.rmtree(self._base, ignore_errors=True)

    def folder(self) -> Path:
        """A new folder for one call."""
        return Path(tempfile.mkdtemp(dir=self._base))

    def run(self, words: list[str], folder: Path, timeout: float | None) -> str:
        """Call a program and wait for its end; what went wrong, or an empty text."""
        with open(folder / "stdout", "wb") as stdout, open(folder / "stderr", "wb") as stderr:
            try:
                process = self._start(words, stdout.fileno(), stderr.fileno())
            except OSError as error:
                return f"it cannot be started: {error.strerror or error}"
        late = Event()
        timer = Timer(timeout or 0.0, end_late, (process.pid, late))
        timer.daemon = True
        if timeout is not None:
            timer.start()
        try:
            # Without this the process would be gone, and its number might be that of another one.
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        finally:
            timer.cancel()
            self._end(process)
        self._check_open()
        if late.is_set():
            return f"it was not done after {timeout:g} seconds"
        return describe_end(process.returncode)

    def _start(self, words: list[str], stdout: int, stderr: int) -> subprocess.Popen[bytes]:
        """Start a program in a process group of its own, and tell the guard."""
        with self._lock:
            self._check_open()
            process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
            )
            self._running.add(process.pid)
            self._tell(f"+{process.pid}\n")
        return process

    def _check_open(self) -> None:
        """Refuse to go on in a thread that has outlived the block."""
        if not self._is_open:
            raise ClustererFailed("programs are not called any more, because the run has ended")

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """End what is left of a program, and forget about it."""
        with self._lock:
            end_group(process.pid)
            process.wait()
            self._running.discard(process.pid)
            self._tell(f"-{process.pid}\n")

    def _tell(self, line: str) -> None:
        """Tell the guard which group begins or ends."""
        if self._guard.stdin is not None:
            with suppress(OSError, ValueError):
                self._guard.stdin.write(line.encode())
                self._guard.stdin.flush()


def end_late(group: int, late: Event) -> None:
    """End a group whose time is over."""
    late.set()
    end_group(group)


def end_group(group: int) -> None:
    """End all processes of a group; some or all of them may have ended."""
    with suppress(OSError):
        os.killpg(group, signal.SIGKILL)


def describe_end(status: int) -> str:
    """What the exit status of a program says; an empty text if the program ended well."""
    if status >= 0:
        return f"it ended with status {status}" if status else ""
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = "unknown"
    return f"it was ended by signal {-status} ({name})"
