"""One mutation in a copy of the project, and the tests that should notice it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.mutations import Mutation

ROOT = Path(__file__).parent.parent.parent

CHANGES = [f"analyses/test_changes{part}.py" for part in ("_report", "_relabel", "_files")]

# What is mutated, and the tests that should notice, the quickest and the nearest first.
TESTS = {
    "clustcmp/metrics/information.py": ["metrics"],
    "clustcmp/metrics/internal.py": ["metrics/test_internal.py", "metrics"],
    "clustcmp/metrics/pair_distances.py": ["metrics/test_internal.py", "metrics"],
    "clustcmp/metrics/extreme_distances.py": ["metrics/test_internal.py", "metrics"],
    "clustcmp/metrics/transport.py": ["metrics/test_transport.py", "metrics", "analyses"],
    "clustcmp/metrics/density.py": ["metrics/test_density.py", "metrics", "analyses"],
    "clustcmp/metrics": ["metrics/test_known_values.py", "metrics", "test_readme.py"],
    "clustcmp/model": ["model", "metrics", "test_align.py", "analyses"],
    "clustcmp/matching.py": ["test_matching.py", "metrics", "analyses"],
    "clustcmp/geometry.py": ["metrics/test_transport.py", "metrics"],
    "clustcmp/transport": ["transport", "metrics/test_transport.py", "analyses"],
    "clustcmp/align": [
        *("test_align.py", "test_align_once.py", "read/test_coordinates.py"),
        *("read/test_joining.py", "read/test_load.py", "read/test_own_coordinates.py", "analyses"),
    ],
    "clustcmp/significance": ["significance", "analyses/test_compare.py", "analyses/test_gate.py"],
    "clustcmp/analyses/bounds": ["analyses/test_gate.py", "analyses", "render/test_gate.py"],
    "clustcmp/analyses/changes": ["analyses/test_changes.py", *CHANGES, "render/test_changes.py"],
    "clustcmp/analyses/flows": ["analyses/test_changes.py", *CHANGES, "analyses/test_track.py"],
    "clustcmp/analyses/gate": ["analyses/test_gate.py", "analyses", "render/test_gate.py"],
    "clustcmp/analyses/matrix": [
        *("analyses/test_matrix.py", "analyses/test_references.py"),
        *("render/test_matrix.py", "render/test_ranking.py"),
    ],
    "clustcmp/analyses/track": ["analyses/test_track.py", "render/test_track.py"],
}

# What a trial does not need, or must not share.
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")


def mutated_files() -> list[str]:
    """The files that mutations are made to."""
    found = {
        path.relative_to(ROOT).as_posix()
        for place in TESTS
        for path in ([ROOT / place] if place.endswith(".py") else (ROOT / place).rglob("*.py"))
    }
    return sorted(found)


def find_tests(path: str) -> list[str]:
    """The tests that should notice a change of a file."""
    places = [place for place in TESTS if path == place or path.startswith(f"{place}/")]
    return [f"tests/{test}" for test in TESTS[max(places, key=len)]]


def copy_project(folder: Path) -> Path:
    """A copy of the project in which mutations are made."""
    return Path(shutil.copytree(ROOT, folder / "clustcmp", ignore=LEFT_OUT))


def try_out(mutation: Mutation, project: Path, seconds: float) -> str:
    """The test that notices the mutation, or nothing. Tests that take too long have noticed."""
    file = project / mutation.path
    file.write_text(mutation.mutated, encoding="utf-8")
    try:
        return run_tests(project, find_tests(mutation.path), seconds)
    finally:
        file.write_text(mutation.source, encoding="utf-8")


def run_tests(project: Path, tests: Sequence[str], seconds: float) -> str:
    """The first test that fails, or nothing if all pass; each runs once, in the order given."""
    environment = {**os.environ, "PYTHONPATH": str(project), "PYTHONDONTWRITEBYTECODE": "1"}
    options = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options, "-p", "tests.mutants.hasty", *tests]
    try:
        done = subprocess.run(
            command,
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
    return failed[0] if failed else f"pytest ends with {done.returncode}"
