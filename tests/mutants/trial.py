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
    *("geometry.py", "matching.py"),
]

# The tests that may notice.
TESTS = [
    *("metrics", "model", "transport", "significance", "analyses", "test_align.py"),
    *("test_align_once.py", "test_matching.py", "test_unseen.py", "test_special_labels.py"),
    *("read/test_bad_coordinates.py", "read/test_coordinates.py", "read/test_joining.py"),
    *("read/test_load.py", "read/test_own_coordinates.py", "render/test_changes.py"),
    *("render/test_gate.py", "render/test_matrix.py", "render/test_ranking.py"),
    *("render/test_track.py", "test_label_types.py", "test_readme.py"),
    "test_schemas.py",
]

# The tests of a mutation run in two rounds. Most mutations are noticed in the first one, which has
# so many of the quickest tests and imports little else.
FIRST_ROUND = 40

# What a trial does not need, or must not share.
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")


class Reach(NamedTuple):
    """How long a test takes, and the functions that it runs, as FILE:LINE."""

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


def find_reach(project: Path) -> dict[str, Reach]:
    """What each test reaches, from a run of all of them without any mutation."""
    file = project / "reach.json"
    failed = run_pytest(project, ["-p", "tests.mutants.reach", *paths(TESTS)], {"REACH": str(file)})
    if failed:
        sys.exit(f"without any mutation: {failed}")
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


def try_out(mutation: Mutation, project: Path, reach: dict[str, Reach]) -> str:
    """The test that notices the mutation, or nothing. Tests that take too long have noticed."""
    file = project / mutation.path
    file.write_text(mutation.mutated, encoding="utf-8")
    tests = find_tests(mutation, reach)
    try:
        for some in (tests[:FIRST_ROUND], tests[FIRST_ROUND:]):
            seconds = 60.0 + 5.0 * sum(reach[test].seconds for test in some)
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
    environment = {**os.environ, **told, "PYTHONPATH": str(project), "PYTHONDONTWRITEBYTECODE": "1"}
    quiet = ["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider"]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *quiet, *options],
            cwd=project,
            env=environment,
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


def paths(tests: Iterable[str]) -> list[str]:
    """The tests as they are called from the project."""
    return [f"tests/{test}" for test in tests]
