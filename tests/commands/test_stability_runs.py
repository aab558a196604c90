"""clustcmp stability --runs: what it prints and writes, and what it refuses."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from clustcmp.keywords import declared
from clustcmp.stability_settings import RunsSettings, StabilitySettings
from tests.files import Outcome, run_clustcmp, write

# By hand, as in tests/analyses/test_stability_of_runs.py: 1, 0 and -1/2.
RUNS = "id,s1,s2,s3\np1,a,x,\np2,a,x,1\np3,b,y,1\np4,b,y,2\np5,b,,2\n"

# A value for each flag that belongs to samples.
SAMPLING = {
    "k": ["--k", "2:3"],
    "vary": ["--vary", "eps=1,2"],
    "set": ["--set", "n_init=1"],
    "samples": ["--samples", "3"],
    "fraction": ["--fraction", "0.5"],
    "bootstrap": ["--bootstrap"],
    "scale": ["--scale", "standard"],
    "soft": ["--soft"],
    "seed": ["--seed", "1"],
    "command": ["--command", "prog {input} {output}"],
    "timeout": ["--timeout", "1"],
    "skip_failures": ["--skip-failures"],
    "all_points": ["--all-points"],
    "transfer": ["--transfer", "centroid"],
    "gaussians": ["--gaussians", "1"],
    "at": ["--at", "2"],
}

Call = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a file of three runs."""
    monkeypatch.chdir(tmp_path)
    write("runs.csv", RUNS)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Call the command."""
    return lambda *words: run_clustcmp(capsys, "stability", *words)


def refused(outcome: Outcome, message: str, hint: str = "") -> None:
    """Exit status 2, with an error and nothing on stdout."""
    assert (outcome.status, outcome.stdout) == (2, "")
    assert message in outcome.stderr
    assert hint in outcome.stderr


def test_the_table_has_the_mean_of_all_pairs_and_the_clusters_of_the_medoid(call: Call) -> None:
    done = call("--runs", "runs.csv::*")
    assert done.status == 0
    assert "3 runs of 4 to 5 points, adjusted_rand on common points" in done.stdout
    assert "all    0.167 ± 0.882  -0.45 - 0.90     3      3           3       33 %" in done.stdout
    assert "clusters of the medoid runs.csv::s1" in done.stdout


def test_json_has_groups_and_the_best_of_them(call: Call) -> None:
    write(
        "more.csv",
        "id,k2a,k2b,k2c,k3a,k3b,k3c\n1,1,1,1,1,1,1\n2,1,1,1,2,1,2\n3,2,2,2,3,2,2\n4,2,2,2,3,3,3\n",
    )
    document = json.loads(call("--runs", "more.csv::*", "--group", "k([0-9])", "-f", "json").stdout)
    assert document["schema"] == "clustcmp/stability/1"
    assert [(one["group"], one["runs"]) for one in document["curve"]] == [("2", 3), ("3", 3)]
    assert (document["best"]["group"], document["best"]["next"]) == ("2", "3")
    assert {one["group"] for one in document["clusters"]} == {"2", "3"}


def test_csv_has_a_row_for_each_group(call: Call) -> None:
    (row,) = csv.DictReader(call("--runs", "runs.csv::*", "-f", "csv").stdout.splitlines())
    assert float(row["value"]) == pytest.approx(1 / 6)
    assert (row["group"], row["medoid"]) == ("all", "runs.csv::s1")


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_names_from_files_are_escaped(form: str, call: Call) -> None:
    write("runs.csv", "id,a|b,c\n1,*x*|y,1\n2,*x*|y,1\n3,z,2\n")
    printed = call("--runs", "runs.csv::*", "-f", form).stdout
    escaped = {"markdown": "`*x*\\|y`", "latex": "{*}x{*}\\textbar{}y"}
    assert escaped[form] in printed
    if form == "markdown":
        assert "clusters of the medoid `runs.csv::a|b`" in printed


def test_out_writes_every_number_behind_the_table(call: Call) -> None:
    assert call("--runs", "runs.csv::*", "--out", "out").status == 0
    assert sorted(path.name for path in Path("out").iterdir()) == [
        "clusters.csv",
        "curve.csv",
        "pairs.csv",
        "points.csv",
    ]
    with open("out/pairs.csv", encoding="utf-8") as file:
        pairs = [
            (row["a"], row["b"], int(row["common"]), float(row["value"]))
            for row in csv.DictReader(file)
        ]
    assert pairs == [
        ("runs.csv::s1", "runs.csv::s2", 4, 1.0),
        ("runs.csv::s1", "runs.csv::s3", 4, 0.0),
        ("runs.csv::s2", "runs.csv::s3", 3, -0.5),
    ]
    with open("out/points.csv", encoding="utf-8") as file:
        shares = {row["id"]: (row["cluster"], float(row["share"])) for row in csv.DictReader(file)}
    # a is {p1, p2} in s2 and {p2, p3} in s3, b is {p3, p4} in s2 and {p4, p5} in s3.
    assert shares == {
        "p1": ("a", 1.0),
        "p2": ("a", 1.0),
        "p3": ("b", 0.5),
        "p4": ("b", 1.0),
        "p5": ("b", 1.0),
    }


def test_out_never_overwrites_a_run(call: Call) -> None:
    write("curve.csv", RUNS)
    refused(call("--runs", "curve.csv::*", "--out", "."), "already reads or writes curve.csv")
    assert Path("curve.csv").read_text(encoding="utf-8") == RUNS


def test_runs_with_fewer_than_two_common_points_have_no_value_and_a_note_says_why(
    call: Call,
) -> None:
    write("runs.csv", "id,s1,s2,s3\np1,a,x,\np2,a,y,1\np3,b,,2\np4,b,,2\n")
    done = call("--runs", "runs.csv::*", "-f", "json")
    (point,) = json.loads(done.stdout)["curve"]
    assert (point["pairs"], point["failed"]) == (2, 1)
    assert "only 1 point in common" in point["reason"]
    assert "1 pair of runs without a value" in done.stderr


def test_an_empty_cell_is_an_error_if_the_user_says_so(call: Call) -> None:
    refused(call("--runs", "runs.csv::*", "--missing", "error"), "runs.csv:6")


@pytest.mark.parametrize(
    "words", [["runs.csv::s1"], ["runs.csv::s1", "--reference", "runs.csv::s2"]]
)
def test_one_run_is_refused(words: list[str], call: Call) -> None:
    refused(call("--runs", *words), "stability needs two", "FILE::*")


def test_every_flag_for_samples_is_tried() -> None:
    assert set(SAMPLING) == set(declared(StabilitySettings)) - set(declared(RunsSettings))


@pytest.mark.parametrize("words", [["--algorithm", "kmeans"], *SAMPLING.values()])
def test_flags_for_samples_are_refused_with_runs(words: list[str], call: Call) -> None:
    outcome = call("--runs", "runs.csv::*", *words)
    refused(outcome, f"{words[0]} is for clustering samples", f"leave {words[0]} out")


@pytest.mark.parametrize(
    "words",
    [["--reference", "runs.csv::s1"], ["--group", "clusters"], ["--coordinates", "runs.csv"]],
)
def test_flags_for_runs_are_refused_without_runs(words: list[str], call: Call) -> None:
    outcome = call("runs.csv", "--algorithm", "kmeans", *words)
    refused(outcome, f"{words[0]} is for clusterings that exist already", "say --runs")


def test_several_files_without_runs_are_refused(call: Call) -> None:
    refused(call("runs.csv", "runs.csv", "-a", "kmeans"), "2 files are given", "say --runs")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["runs.csv::*", "--group", "s(9)"], "does not match the name of the run runs.csv::s1"),
        (["runs.csv::*", "--group", "s(9)?"], "does not match the name of the run runs.csv::s1"),
        (["runs.csv::*", "--group", "("], "is not a regular expression"),
        (["runs.csv::*", "--group", "a{99999999999}"], "is not a regular expression"),
        (["runs.csv::*", "--group", "s[0-9]"], "each of the 3 groups has one run"),
        (["runs.csv::*", "-m", "beta_cv"], "beta_cv is a metric of one clustering"),
        (["runs.csv::*", "-m", "cdistance"], "needs coordinates"),
        (["runs.csv::*", "absent.csv"], "absent.csv"),
        (["runs.csv::s1", "runs.csv::s1"], "is given twice"),
    ],
)
def test_what_does_not_fit_is_refused(words: list[str], message: str, call: Call) -> None:
    refused(call("--runs", *words), message)
