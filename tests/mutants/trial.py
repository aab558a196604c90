"""One mutation in a copy of the project, and the tests that should notice it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.mutants.mutations import Mutation

ROOT = Path(__file__).parent.parent.parent

# The science and the gate: what is mutated.
MUTATED = [
    *("metrics", "model", "align", "transport", "significance", "analyses"),
    *("geometry.py", "matching.py", "render/html"),
    *("read/count_files.py", "read/counts.py", "read/json_files.py", "read/numpy_files.py"),
]

# The tests that may notice.
TESTS = [
    *("metrics", "model", "transport", "significance", "analyses", "test_align.py"),
    *("test_align_once.py", "test_matching.py", "test_unseen.py", "test_special_labels.py"),
    *("read/test_bad_coordinates.py", "read/test_coordinates.py", "read/test_joining.py"),
    *("read/test_load.py", "read/test_own_coordinates.py", "render/test_changes.py"),
    *("render/test_gate.py", "render/test_matrix.py", "render/test_ranking.py"),
    *("render/test_track.py", "test_label_types.py", "test_readme.py"),
    *(
        "test_schemas.py",
        "read/test_typed_files.py",
        "read/test_typed_shapes.py",
        "render/test_html.py",
    ),
    "read/test_count_files.py",
    *(
        "commands/test_changes.py",
        "commands/test_contingency.py",
        "commands/test_stability_runs.py",
    ),
]

# A change that only an import can show is tried in new processes, and in two rounds: most are
# noticed in the first one, which has so many of the quickest tests and imports little else.
FIRST_ROUND = 40

QUIET = ["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider"]

# What a trial does not need, or must not share.
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")


class Reach(NamedTuple):
    """How long a test takes, and the functions that it runs, as FILE:NAME."""

    seconds: float
    reached: frozenset[str]


def mutated_files() -> list[str]:
    """The files that mutations are made to."""
    places = [ROOT / "clustcmp" / place for place in MUTATED]
    found = [
        path for place in places for path in ([place] if place.suffix else place.rglob("*.py"))
    ]
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def copy_project(folder: Path) -> Path:
    """A copy of the project in which mutations are made."""
    return Path(shutil.copytree(ROOT, folder / "clustcmp", ignore=LEFT_OUT))


class Server:
    """A pytest that has collected all tests of the copy, and runs some of them for each order."""

    def __init__(self, project: Path) -> None:
        """Start it; it collects while the caller goes on."""
        orders, self._orders = os.pipe()
        self._answers, answers = os.pipe()
        told = {"ORDERS": str(orders), "ANSWERS": str(answers)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *QUIET, "-p", "tests.mutants.server", *paths(TESTS)],
            cwd=project,
            env=environment(project, told),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(orders, answers),
        )
        os.close(orders)
        os.close(answers)
        self._lines = os.fdopen(self._answers)

    def ask(self, **order: object) -> str | None:
        """The answer to an order; see the module of the server."""
        os.write(self._orders, json.dumps(order).encode() + b"\n")
        line = self._lines.readline()
        if not line:
            sys.exit("the tests cannot be collected; pytest says why")
        answer: str | None = json.loads(line)
        return answer

    def end(self) -> None:
        """End it."""
        os.close(self._orders)
        self._lines.close()
        self._process.wait()


def find_reach(server: Server, file: Path) -> dict[str, Reach]:
    """What each test reaches: from a file, and for other tests from a run without any mutation."""
    if failed := server.ask(reach=str(file)):
        sys.exit(f"without any mutation: FAILED {failed}")
    noted = json.loads(file.read_text(encoding="utf-8"))
    return {test: Reach(one["seconds"], frozenset(one["reached"])) for test, one in noted.items()}


def find_tests(mutation: Mutation, reach: dict[str, Reach]) -> list[str]:
    """The tests that run the mutated function, the quickest first.

    Outside of functions, and in functions that run at import, metrics are declared. Any test may
    notice, and the README shows most.
    """
    quickest = sorted(reach, key=lambda test: reach[test].seconds)
    if found := [test for test in quickest if mutation.function in reach[test].reached]:
        return found
    return sorted(quickest, key=lambda test: not test.startswith("tests/test_readme.py"))


def try_out(mutation: Mutation, project: Path, server: Server, reach: dict[str, Reach]) -> str:
    """The test that notices the mutation, or nothing. Tests that take too long have noticed."""
    file = project / mutation.path
    file.write_text(mutation.mutated, encoding="utf-8")
    tests = find_tests(mutation, reach)
    seconds = 60.0 + 5.0 * sum(reach[test].seconds for test in tests)
    try:
        if mutation.function:
            noticed = server.ask(path=mutation.path, tests=tests, seconds=seconds)
            if noticed is not None:
                return noticed
        for some in (tests[:FIRST_ROUND], tests[FIRST_ROUND:]):
            if some and (noticed := run_tests(project, some, seconds)):
                return noticed
    finally:
        file.write_text(mutation.source, encoding="utf-8")
    return ""


def run_tests(project: Path, tests: Sequence[str], seconds: float | None = None) -> str:
    """The first test that fails, or nothing if all pass; the tests run in the order given."""
    chosen = project / "chosen.json"
    chosen.write_text(json.dumps(tests), encoding="utf-8")
    files = sorted({test.partition("::")[0] for test in tests})
    options = ["-x", "-p", "tests.mutants.hasty", *files]
    return run_pytest(project, options, {"CHOSEN": str(chosen)}, seconds)


def run_pytest(
    project: Path, options: Iterable[str], told: dict[str, str], seconds: float | None = None
) -> str:
    """The first test that fails, or nothing; `told` are variables of the environment."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *QUIET, *options],
            cwd=project,
            env=environment(project, told),
            capture_output=True,
            text=True,
            check=False,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return f"more than {seconds:g} s"
    if not done.returncode:
        return ""
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if failed:
        return failed[0]
    *_, last = f"{done.stderr}\n{done.stdout}".strip().splitlines()
    return f"pytest ends with {done.returncode}: {last}"


def environment(project: Path, told: dict[str, str]) -> dict[str, str]:
    """The environment in which the code of the copy is imported, with some more variables."""
    return {**os.environ, **told, "PYTHONPATH": str(project), "PYTHONDONTWRITEBYTECODE": "1"}


def paths(tests: Iterable[str]) -> list[str]:
    """The tests as they are called from the project."""
    return [f"tests/{test}" for test in tests]
