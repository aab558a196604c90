"""A setting is declared once, and everything that takes settings reads this declaration."""

from __future__ import annotations

import inspect
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clustcmp
from clustcmp.cli import COMMANDS
from clustcmp.errors import UsageError
from clustcmp.keywords import complete, declared
from clustcmp.settings import (
    ChangesSettings,
    CompareSettings,
    GateSettings,
    InputSettings,
    InspectSettings,
    MatrixSettings,
    SqlSettings,
    TrackSettings,
)
from clustcmp.stability_settings import StabilitySettings
from tests.files import run_clustcmp, write

PACKAGE = Path(clustcmp.__file__).parent

GROUPS: dict[str, type] = {
    "compare": CompareSettings,
    "changes": ChangesSettings,
    "gate": GateSettings,
    "inspect": InspectSettings,
    "matrix": MatrixSettings,
    "sql": SqlSettings,
    "stability": StabilitySettings,
    "track": TrackSettings,
}

LABELS = [1, 1, 2, 2]


def call(command: str, **settings: Any) -> Any:
    """A library function on small clusterings."""
    arguments: dict[str, tuple[Any, ...]] = {
        "inspect": ("a.csv",),
        "matrix": ([LABELS, LABELS],),
        "sql": ("may", "june"),
        "stability": ([[1.0], [2.0], [3.0], [4.0]], "kmeans"),
        "track": ([LABELS, LABELS],),
    }
    return getattr(clustcmp, command)(*arguments.get(command, (LABELS, LABELS)), **settings)


@pytest.mark.parametrize("command", GROUPS)
def test_every_setting_is_a_flag_of_its_command(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = " ".join(run_clustcmp(capsys, command, "--help").stdout.split())
    for key, one in declared(GROUPS[command]).items():
        if one.setting.python_only:
            continue
        flags = one.setting.flags or (f"--{key.replace('_', '-')}",)
        assert all(name in text for flag in flags for name in flag.split("/")[:1]), key
        assert one.setting.help.split()[0] in text


@pytest.mark.parametrize("command", GROUPS)
def test_every_setting_is_a_keyword_of_the_library(command: str) -> None:
    keywords = inspect.signature(getattr(clustcmp, command)).parameters
    for key, one in declared(GROUPS[command]).items():
        assert keywords[key].default == one.setting.default, key


@pytest.mark.parametrize("command", [one for one in GROUPS if one != "sql"])
def test_a_wrong_keyword_is_a_usage_error_that_names_the_right_one(command: str) -> None:
    with pytest.raises(UsageError, match="no setting 'nois'") as error:
        call(command, nois=-1)
    assert error.value.hint == "did you mean 'noise'?"


def test_a_type_checker_knows_a_wrong_keyword_and_a_wrong_word() -> None:
    # mypy runs over the tests and complains about an ignored error that is none.
    with pytest.raises(UsageError):
        clustcmp.compare(LABELS, LABELS, nois=-1)  # type: ignore[call-arg]
    with pytest.raises(UsageError):
        clustcmp.changes(LABELS, LABELS, points="some")  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        clustcmp.matrix([LABELS, LABELS], jobs="2")  # type: ignore[arg-type]


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a word": ({"noise_policy": "dorp"}, "did you mean 'drop'"),
    "a number": ({"jobs": 0}, "1 or more"),
    "a truth": ({"normalize": "yes"}, "neither true nor false"),
    "a label": ({"noise": [None]}, "write labels as texts"),
    "an object": ({"noise": object()}, "write labels as texts"),
    "a metric": ({"metrics": 3}, "name metrics"),
}


@pytest.mark.parametrize("given", WRONG.values(), ids=WRONG)
def test_a_wrong_value_says_what_is_allowed(given: tuple[dict[str, Any], str]) -> None:
    settings, words = given
    with pytest.raises(UsageError, match=words):
        clustcmp.compare(LABELS, LABELS, **settings)


@pytest.mark.parametrize("key", ["points", "noise_policy", "jobs", "coordinates"])
def test_a_setting_without_effect_on_reading_is_refused_by_read_clustering(key: str) -> None:
    read: Any = clustcmp.read_clustering
    with pytest.raises(UsageError, match=f"no setting '{key}'"):
        read(LABELS, **{key: None})


def test_none_stands_for_the_default() -> None:
    assert complete(InputSettings, {"points": None})["points"] == "error"


def test_the_library_reads_files_without_a_header_and_has_a_limit(tmp_path: Path) -> None:
    path = write(str(tmp_path / "a.csv"), "p,1\nq,1\nr,2\n")
    assert clustcmp.compare(path, path, "ari", no_header=True).inputs[0].points == 3
    with pytest.raises(clustcmp.InputError, match="more than 4 bytes"):
        clustcmp.compare(path, path, max_bytes=4)


def test_all_commands_are_registered_with_a_group() -> None:
    assert set(COMMANDS) == {*GROUPS, "metrics"}


NEW_FIELD = """    salt: Annotated[int, Setting("Where random draws begin.", 7, minimum=0)]
    jobs: Annotated["""

TRY_IT = """
import clustcmp
for name in ("compare", "changes", "gate"):
    more = {"min": {"ari": 0.5}} if name == "gate" else {}
    getattr(clustcmp, name)([1, 1, 2], [1, 1, 2], salt=3, **more)
clustcmp.matrix([[1, 1, 2], [1, 1, 2]], salt=3)
clustcmp.track([[1, 1, 2], [1, 1, 2]], salt=3)
try:
    clustcmp.compare([1, 1, 2], [1, 1, 2], salt=-1)
except clustcmp.UsageError as error:
    print(error)
"""


def test_a_new_setting_takes_one_field(tmp_path: Path) -> None:
    """In a copy of the package one field is added: flags, keywords, TOML and baseline know it."""
    shutil.copytree(PACKAGE, tmp_path / "clustcmp", ignore=shutil.ignore_patterns("__pycache__"))
    source = tmp_path / "clustcmp" / "settings.py"
    text = source.read_text(encoding="utf-8")
    assert text.count("    jobs: Annotated[") == 1
    source.write_text(text.replace("    jobs: Annotated[", NEW_FIELD), encoding="utf-8")
    write(str(tmp_path / "a.csv"), "id,label\np,1\nq,1\nr,2\n")
    write(
        str(tmp_path / "gate.toml"),
        '[gate]\nsalt = 3\na = "a.csv"\nb = "a.csv"\nbaseline = "base.json"\nari = { min = 0.5 }\n',
    )

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )

    tried = run("-c", TRY_IT)
    assert "salt=-1 is not possible" in tried.stdout, tried.stderr
    # Samples have points in common always, and sql reads no points: no setting for other ones.
    for command in GROUPS.keys() - {"sql", "stability"}:
        shown = run("-m", "clustcmp", command, "--help").stdout
        assert "Where random draws begin." in " ".join(shown.split()), command
    updated = run("-m", "clustcmp", "gate", "--config", "gate.toml", "--update-baseline")
    assert updated.returncode == 0, updated.stderr
    assert json.loads((tmp_path / "base.json").read_text())["policies"]["salt"] == 3
    assert run("-m", "clustcmp", "gate", "--config", "gate.toml").returncode == 0
    other = run("-m", "clustcmp", "gate", "--config", "gate.toml", "--salt", "4")
    assert other.returncode == 2
    assert "salt was 3 and is 4" in other.stderr


def test_numbers_of_numpy_are_numbers() -> None:
    labels = np.array([0, 0, -1, 1])
    report = clustcmp.compare(labels, labels, "ari", noise=labels.min(), jobs=np.int64(1))  # type: ignore[arg-type]
    assert report.inputs[0].noise == 1


@pytest.mark.parametrize("format", ["xml", "words", "junit", "github"])
def test_a_format_that_a_report_does_not_have_is_a_usage_error(format: str) -> None:
    with pytest.raises(UsageError, match="is not possible"):
        clustcmp.compare(LABELS, LABELS, "ari").to_text(format)


def test_a_wrong_keyword_of_to_text_names_the_right_one() -> None:
    with pytest.raises(UsageError, match="no setting 'show_al'") as error:
        call("changes").to_text(show_al=True)
    assert error.value.hint == "did you mean 'show_all'?"
    with pytest.raises(UsageError, match="no setting 'top'"):
        call("compare").to_text(top=3)


def test_to_text_shows_what_the_flags_of_the_command_show() -> None:
    a = [f"a{point // 2}" for point in range(100)]
    b = [f"b{(point + 1) // 2}" for point in range(100)]
    report = clustcmp.changes(a, b)
    assert "not shown" in report.to_text()
    assert "to_text(show_all=True) shows all" in report.to_text(top=3)
    assert "not shown" not in report.to_text(show_all=True)


def test_a_single_file_is_not_a_list_of_windows() -> None:
    with pytest.raises(UsageError, match="one window"):
        clustcmp.track("a.csv")


def test_windows_may_come_from_a_generator() -> None:
    assert len(clustcmp.track((LABELS for _ in range(3)), "ari").steps) == 2  # type: ignore[arg-type]


def test_a_reference_does_not_replace_a_clustering_of_the_same_name() -> None:
    with pytest.raises(UsageError, match="given twice"):
        clustcmp.matrix({"reference": LABELS, "b": LABELS}, "ari", reference=[1, 2, 3, 4])
