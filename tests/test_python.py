"""What Python users rely on: types, errors that are also Python's own, tracebacks."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
import traceback
from pathlib import Path
from typing import assert_type

import pytest

import clustcmp
from clustcmp.analyses.matrix.report import Matrix
from clustcmp.analyses.track.report import Step
from clustcmp.arrays import Floats
from tests.docs import PYTHON, generate_sessions
from tests.files import write

A, B = [1, 1, 2, 2], [1, 1, 2, 3]


def test_the_page_for_python_shows_what_python_prints() -> None:
    text = PYTHON.read_text(encoding="utf-8")
    assert ">>> clustcmp.gate(" in text
    assert generate_sessions(text) == text, "run make docs"


def test_the_page_for_python_links_to_files_that_exist() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", PYTHON.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (PYTHON.parent / link).exists()] == []


def test_bad_input_is_a_value_error_too() -> None:
    with pytest.raises(ValueError, match="a has 2 rows and b has 1"):
        clustcmp.compare([1, 2], [1])


def test_an_error_about_a_file_keeps_its_own_words(tmp_path: Path) -> None:
    path = write(str(tmp_path / "a.csv.gz"), b"this is not gzip")
    with pytest.raises(clustcmp.InputError, match=rf"^{path}: cannot be unpacked as \.gz"):
        clustcmp.read_clustering(path)


def test_a_type_checker_knows_what_a_report_holds() -> None:
    # mypy runs over the tests.
    report = clustcmp.compare(A, B)
    assert_type(report["ari"], float | None)
    assert_type(report[0], clustcmp.Result)
    assert_type(report[:2], tuple[clustcmp.Result, ...])
    matrix = clustcmp.matrix([A, B])
    assert_type(matrix["ari"], Floats)
    assert_type(matrix[0], Matrix)
    track = clustcmp.track([A, B], metrics="ari")
    assert_type(track["ari"], tuple[float | None, ...])
    assert_type(track[0], Step)
    assert track["ari"] == (report["ari"],)
    assert matrix["ari"][0, 1] == report["ari"]


def failing_gate() -> clustcmp.GateFailed:
    """The error of a gate, raised by the line below."""
    with pytest.raises(clustcmp.GateFailed) as error:
        clustcmp.gate(A, B, min={"ari": 0.9})
    return error.value


def test_the_traceback_of_a_gate_ends_in_the_line_that_called_it() -> None:
    frames = traceback.extract_tb(failing_gate().__traceback__)
    assert {frame.filename for frame in frames} == {__file__}
    assert frames[-1].line == 'clustcmp.gate(A, B, min={"ari": 0.9})'


def test_a_failed_gate_is_called_by_its_public_name_and_can_be_pickled() -> None:
    error = failing_gate()
    assert traceback.format_exception_only(error)[0].startswith("clustcmp.GateFailed: gate: FAIL")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_pytest_shows_the_test_and_nothing_of_clustcmp(tmp_path: Path) -> None:
    write(
        str(tmp_path / "test_gate.py"),
        "import clustcmp\n\n\ndef test_gate():\n"
        '    clustcmp.gate([1, 1, 2, 2], [1, 1, 2, 3], min={"ari": 0.9})\n',
    )
    words = "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_gate.py"
    run = subprocess.run(
        [sys.executable, *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert "\ntest_gate.py:5: GateFailed\n" in run.stdout
    assert "library.py" not in run.stdout
    assert "FAIL  adjusted_rand ≥ 0.9  0.571429  0.328571 too low" in run.stdout
