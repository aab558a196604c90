"""The promises of SECURITY.md, watched while commands run."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import clustcmp
from tests.files import run_clustcmp, write

PACKAGE = Path(clustcmp.__file__).parent

# Runs a command and writes the events that Python's audit hooks report to the file that is named
# first: the names of all, and the paths that were opened.
WATCHED = """
import json, sys
target, opened, events = sys.argv.pop(1), [], set()

def hear(event, given):
    events.add(event)
    if event == "open":
        opened.append(str(given[0]))

sys.addaudithook(hear)
from clustcmp.cli import run
status = run(sys.argv[1:])
found = {"opened": list(opened), "events": sorted(events)}
with open(target, "w") as file:
    json.dump(found, file)
sys.exit(status)
"""

# What would reach the network, start a program or bring an object to life.
FORBIDDEN = (
    *("socket.", "urllib.", "http.", "ftplib.", "smtplib.", "webbrowser."),
    *("subprocess.", "os.system", "os.exec", "os.fork", "os.spawn", "os.posix_spawn", "pty."),
    *("pickle.", "shelve."),
)

# Where Python and the libraries are, and where the system says how much memory is free.
SYSTEM = (sys.prefix, sys.base_prefix, str(PACKAGE), "/proc/", "/sys/", os.devnull)

HOSTILE = [
    "http://example.com/x.csv",
    "/etc/passwd",
    "__import__('os').system('touch owned')",
    "$(touch owned)",
    "=cmd|' /C calc'!A0",
    "cos\nsystem\n(S'touch owned'\ntR.",
]


class Watched(NamedTuple):
    """What a command did."""

    status: int
    opened: set[str]
    events: list[str]


def watch(*arguments: str) -> Watched:
    """Run a command and watch it."""
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, "events.json", *arguments],
        capture_output=True,
        check=False,
        timeout=60,
    )
    found = json.loads(Path("events.json").read_text())
    return Watched(done.returncode, set(found["opened"]), found["events"])


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clusterings and coordinates whose ids and labels look like paths, programs and addresses."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    quoted = ['"' + text.replace('"', '""') + '"' for text in HOSTILE]
    for name, shift in (("a.csv", 1), ("b.csv", 2)):
        labels = [quoted[i // shift % 3] for i in range(len(quoted))]
        write(name, "id,label\n" + "".join(map("{},{}\n".format, quoted, labels)))
    write("xy.csv", "id,x,y\n" + "".join(f"{one},{i},{i}\n" for i, one in enumerate(quoted)))
    write("gates.toml", '[gate]\na = "a.csv"\nb = "b.csv"\nari = { min = -1 }\n')
    write("secret.csv", "id,label\n1,x\n")


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("compare a.csv b.csv --coordinates xy.csv -m all", {"a.csv", "b.csv", "xy.csv"}),
        ("changes a.csv b.csv --coordinates xy.csv", {"a.csv", "b.csv", "xy.csv"}),
        ("matrix a.csv b.csv -f latex", {"a.csv", "b.csv"}),
        ("track a.csv b.csv --coordinates xy.csv", {"a.csv", "b.csv", "xy.csv"}),
        ("gate --config gates.toml", {"gates.toml", "a.csv", "b.csv"}),
        ("metrics -f json", set()),
        ("compare http://example.com/x.csv a.csv", {"http://example.com/x.csv", "a.csv"}),
    ],
)
def test_nothing_is_opened_but_what_is_named_and_nothing_is_started(
    command: str, named: set[str]
) -> None:
    watched = watch(*command.split())
    assert watched.status == (2 if "http:" in command else 0)
    opened = {path for path in watched.opened if not path.startswith(SYSTEM)}
    # After an error in one file, the other one may not be opened any more.
    assert opened <= named if watched.status else opened == named
    assert [event for event in watched.events if event.startswith(FORBIDDEN)] == []
    assert not Path("owned").exists()


def test_only_the_outputs_are_written() -> None:
    before = set(os.listdir())
    watch("changes", "a.csv", "b.csv", "--moved", "moved.csv", "-o", "result.json")
    assert set(os.listdir()) - before == {"moved.csv", "result.json", "events.json"}


# The programs that a user names with --command are started; whether another process can have an
# object of Python is tried by pickling it.
# The kernel in C is a library of the package itself.
# Workers are interpreters that clustcmp starts itself and talks to by a private pipe.
WORKERS = "processes.py"
ALLOWED = {
    # Work for other machines, which only a user who names a scheduler asks for.
    # Evaluates a constant of ours, which says which versions are there.
    "machines/joining.py": {"socket", "eval"},
    "machines/packing.py": {"pickle"},
    "machines/sending.py": {"pickle"},
    "machines/working.py": {"pickle"},
    "clusterers/calls.py": {"subprocess"},
    "clusterers/objects.py": {"pickle"},
    "transport/native.py": {"ctypes"},
    WORKERS: {"subprocess", "pickle"},
}


def test_no_module_can_unpickle_execute_or_start_anything() -> None:
    modules = {"pickle", "marshal", "shelve", "subprocess", "socket", "urllib", "http", "ctypes"}
    calls = {"eval", "exec", "compile", "__import__", "system", "popen", "spawn", "execv"}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import():
                    used = {alias.name.split(".")[0] for alias in node.names}
                case ast.ImportFrom():
                    used = {(node.module or "").split(".")[0]}
                case ast.Call(func=ast.Name(id=name)) if name in calls:
                    used = {name}
                case ast.Call(func=ast.Attribute(attr=name, value=ast.Name(id="os"))):
                    used = {name} & calls
                case _:
                    continue
            allowed = ALLOWED.get(path.relative_to(PACKAGE).as_posix(), set())
            assert not used & (modules | calls) - allowed, (path, used)


def test_only_workers_unpickle_and_no_shell_is_started() -> None:
    for name in ALLOWED:
        tree = ast.parse((PACKAGE / name).read_text(encoding="utf-8"))
        attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        keywords = {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword)}
        unpickles = name == WORKERS or name.startswith("machines/")
        assert unpickles or not attributes & {"loads", "load", "Unpickler"}, name
        assert "shell" not in keywords, name


@pytest.mark.parametrize("form", ["table", "markdown", "json", "latex", "html"])
def test_names_cannot_command_a_terminal(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    label = "\x1b[31mred\x9b2J\x07"
    write("c.csv", f"id,label\n1,{label}\n2,{label}\n3,x\n")
    write("d.csv", f"id,label\n1,{label}\n2,y\n3,y\n")
    outcome = run_clustcmp(capsys, "changes", "c.csv", "d.csv", "-f", form)
    assert outcome.status == 0
    assert not {"\x1b", "\x9b", "\x07"} & set(outcome.stdout + outcome.stderr)


@pytest.mark.parametrize("name", ["x.parquet", "x.csv", "x.npy"])
@pytest.mark.parametrize("start", [b"PAR1", b"\x80\x04\x95", b"\x93NUMPY", b"PK\x03\x04"])
def test_binary_files_are_refused(
    name: str, start: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    write(name, start + b"\0\0\0id,label\n1,x\n")
    outcome = run_clustcmp(capsys, "compare", name, "a.csv")
    assert (outcome.status, outcome.stdout) == (2, "")
