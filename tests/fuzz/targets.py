"""What is fuzzed: each target takes inputs from a strategy and fails if a promise is broken.

A run ends with a known exit status and without a traceback; with an error stdout stays empty; JSON
is JSON; the library raises only errors of its own.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

import clustcmp
from clustcmp.cli import run
from clustcmp.errors import ClustcmpError
from clustcmp.metrics import METRICS
from clustcmp.read import read_clustering
from tests.fuzz.inputs import (
    ADDRESSES,
    CHANGES_OF_BASELINE,
    CONFIGURATIONS,
    FILE_NAMES,
    FILES,
    SPECS,
    as_toml,
)
from tests.fuzz.typed import count_tables, typed_files

GOOD = "id,label\np1,a\np2,a\np3,b\n"


@contextmanager
def in_folder_of_its_own() -> Iterator[None]:
    """A new folder with one good file, which is the current folder for a while."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path("a.csv").write_text(GOOD, encoding="utf-8")
            yield
        finally:
            os.chdir(before)


def check_run(*arguments: str) -> None:
    """Run a command and check what it leaves behind."""
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        status = run([*arguments])
    said = stderr.getvalue()
    assert "Traceback" not in said, said
    assert status in (0, 1, 2, 3), status
    # A gate prints its verdict, also that it could not be run.
    if status in (2, 3) and arguments[0] != "gate":
        assert stdout.getvalue() == "", stdout.getvalue()
    if status == 0 and "json" in arguments:
        json.loads(stdout.getvalue())


def readers(content: bytes, name: str, columns: str) -> None:
    """Arbitrary files are read, or refused with an error of ours."""
    with in_folder_of_its_own():
        Path(name).write_bytes(content)
        with suppress(ClustcmpError):
            assert read_clustering(f"{name}{columns}").points.size > 0


def formats(file: tuple[str, bytes], columns: str, command: str) -> None:
    """Files with types, good and damaged ones, are read, or refused with an error of ours."""
    name, content = file
    readers(content, name, columns)
    with in_folder_of_its_own():
        Path(name).write_bytes(content)
        named = [f"{name}{columns}"] if command != "gate" else [f"{name}{columns}", "--min=ari=0"]
        check_run(command, "a.csv", *named, "-f", "json")
        check_run("compare", "a.csv", "a.csv", "--coordinates", name, "-m", "css", "-f", "json")


def counts(file: tuple[str, bytes], command: str) -> None:
    """A table of counts gives values, or an error."""
    name, content = file
    with in_folder_of_its_own():
        Path(name).write_bytes(content)
        bound = ["--min", "ari=0"] if command == "gate" else []
        check_run(command, "--contingency", name, *bound, "-f", "json")


def configurations(table: dict[str, Any]) -> None:
    """Arbitrary settings of a gate give a verdict or an error."""
    with in_folder_of_its_own():
        files = {"reference": "a.csv", "candidate": "a.csv"}
        text = as_toml({**files, **table})
        Path("clustcmp.toml").write_text(text, encoding="utf-8", errors="replace")
        check_run("gate", "-f", "json")


def baselines(changes: dict[str, Any]) -> None:
    """A baseline in which anything may be changed gives a verdict or an error."""
    with in_folder_of_its_own():
        check_run("gate", "a.csv", "a.csv", "--update-baseline", "--baseline", "base.json")
        document = json.loads(Path("base.json").read_text(encoding="utf-8"))
        text = json.dumps({**document, **changes})
        Path("base.json").write_text(text, encoding="utf-8", errors="replace")
        check_run("gate", "a.csv", "a.csv", "--baseline", "base.json", "--max-change", "ari=0.1")


def metrics(spec: str) -> None:
    """Arbitrary words for metrics are requests, or refused with an error of ours."""
    with suppress(ClustcmpError):
        assert METRICS.requests([spec])
    with suppress(ClustcmpError):
        clustcmp.compare([1, 1, 2], [1, 2, 2], [spec])


def commands(
    command: str,
    content: bytes,
    name: str,
    columns: str,
    spec: str,
    form: str,
    extra: tuple[str, ...],
) -> None:
    """Arbitrary commands end with a known exit status and without a traceback."""
    with in_folder_of_its_own():
        Path(name).write_bytes(content)
        asked = {"gate": ["--min", f"{spec}=0.5"], "changes": []}.get(command, [f"--metric={spec}"])
        check_run(command, "a.csv", f"{name}{columns}", *asked, "-f", form, *extra)


COMMANDS = st.sampled_from(["compare", "changes", "matrix", "track", "gate"])
FORMATS = st.sampled_from(["table", "json", "csv", "markdown"])
EXTRAS = st.sampled_from(
    [
        *((), ("--no-header",), ("--header",), ("--by-position",), ("--id", "id")),
        *(("--noise=-1",), ("--missing", "drop"), ("--points", "intersect"), ("--normalize",)),
    ]
)


class Target(NamedTuple):
    """A check and the strategies of its arguments."""

    check: Callable[..., None]
    strategies: tuple[st.SearchStrategy[Any], ...]

    def as_test(self, n_examples: int, number: int) -> Any:
        """A test that tries so many examples, the same ones for the same number."""
        test = given(*self.strategies)(self.check)
        quiet = settings(
            max_examples=n_examples,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        return quiet(seed(number)(test))


TARGETS = {
    "readers": Target(readers, (FILES, FILE_NAMES, ADDRESSES)),
    "formats": Target(formats, (typed_files(), ADDRESSES, COMMANDS)),
    "counts": Target(counts, (count_tables(), st.sampled_from(["compare", "changes", "gate"]))),
    "configurations": Target(configurations, (CONFIGURATIONS,)),
    "baselines": Target(baselines, (CHANGES_OF_BASELINE,)),
    "metrics": Target(metrics, (SPECS,)),
    "commands": Target(commands, (COMMANDS, FILES, FILE_NAMES, ADDRESSES, SPECS, FORMATS, EXTRAS)),
}
