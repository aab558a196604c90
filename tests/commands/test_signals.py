"""Ctrl-C, SIGTERM and a closed pipe end the program at once and without a word."""

from __future__ import annotations

import os
import pty
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SPECIES = str(ROOT / "examples/iris_species.csv")
PROGRAM = [sys.executable, "-m", "clustcmp"]
SCRIPT = str(ROOT / "bin/clustcmp")

# The program as its script starts it. It interrupts itself when it imports the nth module.
INTERRUPTED_IMPORT = """
import os, signal, sys

class Interrupt:
    found = []

    def find_spec(self, name, path=None, target=None):
        self.found.append(name)
        if len(self.found) == nth:
            os.kill(os.getpid(), signal.SIGINT)

nth, script = int(sys.argv.pop(1)), compile(open(sys.argv[1]).read(), sys.argv.pop(1), "exec")
sys.meta_path.insert(0, Interrupt())
exec(script, {"__name__": "__main__"})
"""

# The program says when its script begins.
ANNOUNCED_START = """
import sys
script = compile(open(sys.argv[1]).read(), sys.argv.pop(1), "exec")
print(flush=True)
exec(script, {"__name__": "__main__"})
"""

# A program that does nothing but show a bar, until it is interrupted.
ENDLESS_BAR = """
import itertools, time
import clustcmp.cli
from clustcmp.__main__ import main
from clustcmp.progress import announce, told_to
from clustcmp.render import bar

def work():
    bar.PATIENCE = 0.0
    with bar.ProgressBar() as listener, told_to(listener):
        for _ in announce(itertools.count(), "counting", 1_000_000):
            time.sleep(0.001)

clustcmp.cli.main = work
main()
"""


@pytest.mark.parametrize("nth", [1, 2, 5, 20, 100, 300])
def test_ctrl_c_is_quiet_whatever_is_being_imported(nth: int) -> None:
    words = [str(nth), SCRIPT, "compare", SPECIES, SPECIES]
    command = [sys.executable, "-c", INTERRUPTED_IMPORT, *words]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == (b"", b"")
    assert done.returncode == -signal.SIGINT


def test_ctrl_c_that_left_the_import_system_locked_ends_the_program() -> None:
    code = "import _imp; _imp.acquire_lock(); from clustcmp.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "metrics"], capture_output=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", -signal.SIGINT)


def test_the_library_imports_nothing_until_a_name_is_used() -> None:
    code = "import sys; old = set(sys.modules); import clustcmp; print(*(set(sys.modules) - old))"
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True)
    assert sorted(done.stdout.decode().split()) == ["clustcmp"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_are_quiet_at_any_time(number: signal.Signals) -> None:
    chance = random.Random(int(number))
    for _ in range(6):
        process = subprocess.Popen(
            [sys.executable, "-c", ANNOUNCED_START, SCRIPT, "compare", SPECIES, "-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"\n"
        delay = chance.uniform(0.005, 0.3)
        time.sleep(delay)
        for _ in range(3):
            process.send_signal(number)
        assert (process.communicate(timeout=20), process.returncode) == ((b"", b""), -number), delay


def test_a_shell_calls_the_end_by_ctrl_c_130() -> None:
    command = [sys.executable, "-c", INTERRUPTED_IMPORT, "100", SCRIPT, "compare", SPECIES, SPECIES]
    shell = ["bash", "-c", '"$@"; echo $?', "bash", *command]
    done = subprocess.run(shell, capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("130\n", "")


@pytest.mark.parametrize("arguments", ["metrics -f json", "--help", "--version"])
def test_a_closed_pipe_ends_quietly_with_141(arguments: str) -> None:
    # The reader is gone before the first byte is written.
    script = f"{{ sleep 0.3; {' '.join(PROGRAM)} {arguments}; echo $? >&2; }} | true"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr == "141\n"


def test_ctrl_c_leaves_no_commands_of_the_progress_bar_in_the_terminal() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen([sys.executable, "-c", ENDLESS_BAR], stderr=theirs)
    os.close(theirs)
    shown = b""
    while b"counting" not in shown:
        shown += os.read(ours, 4096)
    for _ in range(3):
        process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == -signal.SIGINT
    shown += read_all(ours)
    assert b"Traceback" not in shown
    # The commands that hide and show the cursor.
    assert b"[?25" not in shown


def read_all(terminal: int) -> bytes:
    """What is left to read from a terminal that no process writes to any more."""
    parts = []
    try:
        while part := os.read(terminal, 4096):
            parts.append(part)
    except OSError:
        # Linux reports the end of a terminal as an error.
        os.close(terminal)
    return b"".join(parts)
