"""Labels that mark noise or count as missing: on both sides or on one, counted, and explained."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clustcmp
from clustcmp.errors import InputError, UsageError
from tests.files import Outcome, run_clustcmp, write

# Points 3 and 4 are noise in a, 4 and 5 in b.
A = "id,label\n1,x\n2,x\n3,-1\n4,-1\n5,y\n6,y\n7,y\n"
B = "id,label\n1,p\n2,p\n3,p\n4,none\n5,none\n6,q\n7,q\n"

POLICY_NOTE = (
    "note: noise is compared as one cluster; choose otherwise with --noise-policy drop or "
    "--noise-policy singletons"
)


@pytest.fixture(autouse=True)
def _two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("a.csv", A)
    write("b.csv", B)


def run_compare(capsys: pytest.CaptureFixture[str], *arguments: str) -> Outcome:
    """A comparison of the two files by their contingency table alone."""
    return run_clustcmp(capsys, "compare", "a.csv", "b.csv", "-m", "rand", *arguments)


def inputs_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    """What the JSON says about a and b."""
    document = json.loads(run_compare(capsys, *arguments, "-f", "json").stdout)
    inputs: list[dict[str, Any]] = document["inputs"]
    return inputs


def test_each_side_may_have_its_own_label_of_noise(capsys: pytest.CaptureFixture[str]) -> None:
    sides = inputs_of(capsys, "--noise-a=-1", "--noise-b", "none")
    assert [side["noise"] for side in sides] == [2, 2]


def test_a_label_of_one_side_is_an_ordinary_cluster_of_the_other(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sides = inputs_of(capsys, "--noise-b", "-1", "--noise-b", "none")
    assert [side["noise"] for side in sides] == [0, 2]


def test_labels_of_one_side_are_added_to_those_of_both(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sides = inputs_of(capsys, "--noise", "-1", "--noise-b", "none")
    assert [side["noise"] for side in sides] == [2, 2]


def test_noise_of_each_side_is_dropped_on_both(capsys: pytest.CaptureFixture[str]) -> None:
    # Points 1, 2, 6 and 7 are left: {1, 2}, {6, 7} in a and in b.
    arguments = ("--noise-a=-1", "--noise-b", "none", "--noise-policy", "drop")
    document = json.loads(run_compare(capsys, *arguments, "-f", "json").stdout)
    assert document["results"][0]["value"] == 1.0
    assert document["coverage"]["shared"] == 4
    assert [side["dropped_noise"] for side in document["inputs"]] == [2, 2]


@pytest.mark.parametrize("command", ["matrix", "track"])
def test_labels_of_one_side_are_for_commands_with_two_sides(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = run_clustcmp(capsys, command, "a.csv", "b.csv", "--noise-a=-1")
    assert (outcome.status, outcome.stdout) == (2, "")


def test_changes_and_gate_know_the_noise_of_each_side(capsys: pytest.CaptureFixture[str]) -> None:
    noise = ("--noise-a=-1", "--noise-b", "none", "--noise-policy", "drop")
    changes = run_clustcmp(capsys, "changes", "a.csv", "b.csv", *noise)
    assert "0 of 4 points moved" in changes.stdout
    gate = run_clustcmp(capsys, "gate", "a.csv", "b.csv", "--min", "ari=1", *noise)
    assert gate.status == 0


def test_a_configuration_and_a_baseline_keep_the_noise_of_each_side(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(
        "gates.toml",
        '[gate]\nreference = "a.csv"\ncandidate = "b.csv"\nnoise_a = ["-1"]\n'
        'noise_b = "none"\nnoise_policy = "drop"\nbaseline = "base.json"\nmin = { ari = 1 }\n',
    )
    update = run_clustcmp(capsys, "gate", "--config", "gates.toml", "--update-baseline")
    assert update.status == 0
    policies = json.loads(Path("base.json").read_text())["policies"]
    assert (policies["noise_a"], policies["noise_b"]) == (["-1"], ["none"])
    bound = ("--baseline", "base.json", "--max-change", "ari=0")
    assert run_clustcmp(capsys, "gate", "b.csv", *bound).status == 0
    other = run_clustcmp(capsys, "gate", "b.csv", *bound, "--noise-a", "x")
    assert other.status == 2
    assert "noise_a was ['-1'] and is ['x']" in other.stderr


def test_a_baseline_without_noise_is_no_reason_to_refuse_the_default_policy(
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = ("a.csv", "b.csv", "--baseline", "base.json")
    assert run_clustcmp(capsys, "gate", *files, "--update-baseline", "--min", "ari=0").status == 0
    assert json.loads(Path("base.json").read_text())["policies"]["noise_policy"] == "cluster"
    assert run_clustcmp(capsys, "gate", *files, "--max-change", "ari=0").status == 0


def test_the_table_counts_the_noise_of_each_side_also_where_there_is_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = run_compare(capsys, "--noise=-1").stdout.splitlines()
    assert lines[0].endswith("hard  2 noise")
    assert lines[1].endswith("hard  0 noise")
    assert "noise" not in run_compare(capsys).stdout


def test_the_table_counts_what_each_side_drops(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.csv", A.replace("7,y", "7,"))
    arguments = ("--noise-a=-1", "--noise-policy", "drop", "--missing", "drop")
    lines = run_compare(capsys, *arguments).stdout.splitlines()
    assert lines[0].split("hard  ")[1] == "2 noise dropped  1 missing dropped"
    assert lines[1].split("hard  ")[1] == "0 noise dropped  0 missing dropped"


@pytest.mark.parametrize("policy", ["cluster", "drop", "singletons"])
@pytest.mark.parametrize("command", ["compare", "changes", "matrix", "track", "gate"])
def test_a_policy_for_noise_without_a_label_of_noise_is_an_error(
    command: str, policy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    bound = ("--min", "ari=0") if command == "gate" else ()
    outcome = run_clustcmp(capsys, command, "a.csv", "b.csv", *bound, "--noise-policy", policy)
    assert (outcome.status, outcome.stdout) == (2, "")
    assert f"--noise-policy {policy} has no effect" in outcome.stderr
    assert "hint: name the label, such as --noise=-1" in outcome.stderr


def test_a_policy_is_no_error_where_missing_labels_or_a_clustering_may_be_noise() -> None:
    labels = ["x", None, "y"]
    report = clustcmp.compare(labels, labels, "ari", missing="noise", noise_policy="drop")
    assert report.inputs[0].dropped_noise == 1
    read = clustcmp.read_clustering("a.csv", noise=-1)
    assert clustcmp.compare(read, read, "ari", noise_policy="drop").inputs[0].points == 5


def test_the_error_about_a_policy_is_worded_for_python() -> None:
    with pytest.raises(UsageError, match='noise_policy="drop" has no effect') as error:
        clustcmp.compare([1, 1], [1, 2], noise_policy="drop")
    assert "noise=-1" in error.value.hint


def test_noise_without_a_policy_gets_a_note_that_says_how_to_choose(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert POLICY_NOTE in run_compare(capsys, "--noise=-1").stderr
    assert "policy" not in run_compare(capsys, "--noise=-1", "--noise-policy", "cluster").stderr
    assert "policy" not in run_compare(capsys, "--noise=typo").stderr


def test_a_label_of_noise_that_its_side_does_not_have_gets_a_note(
    capsys: pytest.CaptureFixture[str],
) -> None:
    notes = run_compare(capsys, "--noise-a", "none", "--noise-b", "none").stderr
    assert "note: no point of a has the label 'none' that marks noise" in notes
    assert "no point of b" not in notes


@pytest.mark.parametrize("label", ["NA", "nan", "NaN", "None"])
def test_a_label_that_looks_missing_is_a_label_and_gets_a_note(
    label: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("b.csv", B.replace("none", label))
    outcome = run_compare(capsys)
    assert outcome.stdout.splitlines()[1].split()[4:6] == ["3", "clusters"]
    assert (
        f"b.csv: label '{label}' is an ordinary cluster; if it stands for a missing label, say "
        f"--missing-label {label} with --missing drop or --missing noise"
    ) in outcome.stderr


def test_no_note_on_a_label_between_others_that_no_point_has() -> None:
    between = np.array([-5, -5, 3])
    assert clustcmp.compare(between, [0, 1, 1], ["ari"]).notes == ()


def test_no_note_calls_a_missing_label_an_ordinary_cluster() -> None:
    a, b = [-1, 0, 0, 1], [0, 0, 1, 1]
    said = clustcmp.compare(a, b, ["ari"], missing_label="-1", missing="drop").notes
    assert "ordinary" not in str(said)
    assert "label -1 is an ordinary cluster" in str(clustcmp.compare(a, b, ["ari"]).notes)


def test_the_words_of_the_note_on_a_missing_label_work(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("b.csv", B.replace("none", "NA"))
    dropped = inputs_of(capsys, "--missing-label", "NA", "--missing", "drop")
    assert [side["points"] for side in dropped] == [5, 5]
    assert [side["dropped_missing"] for side in dropped] == [0, 2]
    noise = inputs_of(capsys, "--missing-label", "NA", "--missing", "noise")
    assert [side["noise"] for side in noise] == [0, 2]


def test_a_missing_label_is_an_error_unless_something_else_was_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    outcome = run_compare(capsys, "--missing-label", "none")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "b.csv:5: the label 'none' counts as missing" in outcome.stderr
    assert "--missing drop or --missing noise" in outcome.stderr


def test_missing_labels_are_read_from_objects_as_from_files() -> None:
    labels = ["x", "NA", "y", "nan"]
    report = clustcmp.compare(
        labels, labels, "ari", missing_label=["NA", "nan"], missing="drop", noise_policy=None
    )
    assert (report.inputs[0].points, report.inputs[0].dropped_missing) == (2, 2)
    with pytest.raises(InputError, match="position 2: the label 'NA' counts as missing"):
        clustcmp.compare(labels, labels, missing_label="NA")
    # No point has the label 1, though it lies between the labels 0 and 2.
    numbers = np.array([0, 2])
    gap = clustcmp.compare(numbers, numbers, "ari", missing_label=1)
    assert gap.notes == ("no point of a or b has the label '1' that counts as missing",)


def test_a_label_cannot_both_mark_noise_and_count_as_missing() -> None:
    for key in ("noise", "noise_a", "noise_b"):
        settings: Any = {key: "NA", "missing_label": "NA"}
        with pytest.raises(UsageError, match="cannot both mark noise and count as missing"):
            clustcmp.compare("a.csv", "b.csv", **settings)


def test_relabelled_noise_has_the_label_that_marks_noise_in_b(
    capsys: pytest.CaptureFixture[str],
) -> None:
    noise = ("--noise-a=-1", "--noise-b", "none")
    run_clustcmp(capsys, "changes", "a.csv", "b.csv", *noise, "--relabel", "new.csv")
    assert "4,none\n5,none\n" in Path("new.csv").read_text()


@pytest.mark.parametrize("label", [np.inf, -np.inf])
def test_a_number_that_is_not_finite_is_not_a_label(label: float) -> None:
    with pytest.raises(InputError, match="not a finite number"):
        clustcmp.compare([0.0, label], [0, 1])
