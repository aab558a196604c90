"""Gates from configuration files, and gates that are measured by an accepted run."""

from __future__ import annotations

import json
import stat
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from clustcmp.align import align
from clustcmp.analyses.gate.digests import digest_space
from clustcmp.read.objects import as_clustering
from tests.analyses.test_gate import A, B
from tests.files import Outcome as Run
from tests.files import pipe, run_clustcmp, write

FILES = "reference = 'a.csv'\ncandidate = 'b.csv'\n"

UPDATE = ("--min", "ari=0", "--update-baseline")

GATES = f"""
[gate]
{FILES}
[gate.good]
ari = {{ min = 0.5, warn_min = 0.9 }}

[gate.bad]
ari = {{ min = 0.6 }}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reference and a candidate in an empty folder, outside of GitHub."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    write("a.csv", A)
    write("b.csv", B)


def gate(capsys: pytest.CaptureFixture[str], *arguments: str) -> Run:
    """Run a gate."""
    return run_clustcmp(capsys, "gate", *arguments)


def gates(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """The gates of a run in JSON."""
    return json.loads(gate(capsys, *arguments, "-f", "json").stdout)["gates"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("clustcmp.toml", "[gate]\na = 'a.csv'\nb = 'b.csv'\nari = { min = 0.6 }\n"),
        ("clustcmp.toml", f"[gate]\n{FILES}[gate.thresholds]\nari = {{ min = 0.6 }}\n"),
        ("pyproject.toml", f"[tool.clustcmp.gate]\n{FILES}ari = {{ min = 0.6 }}\n"),
    ],
    ids=["clustcmp.toml", "thresholds", "pyproject.toml"],
)
def test_a_gate_in_a_file_of_this_folder_is_found(
    name: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(name, text)
    status, stdout, stderr = gate(capsys)
    assert status == 1
    assert "adjusted_rand ≥ 0.6" in stdout
    assert f"gate settings from {name}" in stderr


def test_all_settings_of_the_file_have_an_effect(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.csv", A + "5,-1\n6,\n7,x\n")
    write("b.csv", B + "5,p\n6,p\n")
    write(
        "clustcmp.toml",
        """
        [gate]
        reference = "a.csv"
        candidate = "b.csv"
        points = "intersect"
        noise = [-1]
        noise_policy = "drop"
        missing = "drop"
        jobs = 1
        max_bytes = 1000
        normalize = true
        max_moved = "25%"
        min_coverage = 0.57
        "nmi:average=geometric" = { min = 0.8 }
        """,
    )
    (found,) = gates(capsys)
    assert found["coverage"] == {
        "shared": 4, "only_a": 1, "only_b": 0, "dropped": 2, "share": 4 / 7,
    }  # fmt: skip
    assert [(check["metric"], check["outcome"]) for check in found["checks"]] == [
        ("nmi:average=geometric", "pass"),
        ("moved", "pass"),
        ("coverage", "pass"),
    ]


def test_coordinates_of_the_file_are_used_and_replaced_by_an_option(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("x.csv", "id,x\n1,0\n2,0\n3,9\n4,9\n")
    write("y.csv", "id,x\n1,0\n2,9\n3,0\n4,9\n")
    write("clustcmp.toml", '[gate]\ncoordinates = "x.csv"\ncdistance = { max = 0.0 }\n')
    assert gate(capsys, "a.csv", "b.csv").status == 0
    assert gate(capsys, "a.csv", "b.csv", "--coordinates", "y.csv").status == 1
    arguments = ("--coordinates-a", "x.csv", "--coordinates-b", "x.csv")
    assert gate(capsys, "a.csv", "b.csv", *arguments).status == 0


def test_an_option_beats_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    write("clustcmp.toml", GATES)
    assert gate(capsys, "bad").status == 1
    assert gate(capsys, "bad", "--min", "ari=0.5").status == 0
    write("a.csv", A + "5,x\n")
    assert gate(capsys, "good").status == 2
    assert gate(capsys, "good", "--points", "intersect").status == 0


def test_files_of_the_command_line_are_judged_by_the_bounds_of_the_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("clustcmp.toml", '[gate]\nreference = "no.csv"\nari = { min = 0.6 }\n')
    assert gate(capsys, "a.csv", "b.csv").status == 1
    assert gate(capsys, "a.csv", "a.csv").status == 0


def test_paths_start_from_the_folder_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "deep").mkdir()
    write(
        "deep/gates.toml",
        '[gate]\nreference = "../a.csv"\ncandidate = "c.csv::label"\nri = {min = 1}\n',
    )
    write("deep/c.csv", "id,label,other\n1,q,0\n2,q,0\n3,r,0\n4,r,0\n")
    (found,) = gates(capsys, "--config", "deep/gates.toml")
    assert found["outcome"] == "pass"


def test_one_gate_is_run_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    write("clustcmp.toml", GATES)
    (found,) = gates(capsys, "good")
    assert (found["name"], found["outcome"]) == ("good", "warn")
    assert gate(capsys, "bad").stdout.startswith("gate bad: FAIL")


def test_all_gates_are_run_and_the_most_severe_decides(capsys: pytest.CaptureFixture[str]) -> None:
    write("clustcmp.toml", GATES)
    assert [one["name"] for one in gates(capsys, "--all")] == ["good", "bad"]
    assert gate(capsys, "--all").status == 1
    write("clustcmp.toml", GATES.partition("[gate.bad]")[0])
    assert gate(capsys, "--all").status == 0
    assert gate(capsys).status == 0


def test_an_error_in_one_gate_does_not_hide_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    write("clustcmp.toml", GATES + '[gate.lost]\ncandidate = "no.csv"\nari = { min = 0.1 }\n')
    found = {one["name"]: one for one in gates(capsys, "--all")}
    assert {name: one["exit_status"] for name, one in found.items()} == {
        "good": 0,
        "bad": 1,
        "lost": 2,
    }
    assert "no.csv" in found["lost"]["error"]
    assert gate(capsys, "--all").status == 1
    assert gate(capsys, "--all", "--min", "ari=0.5").status == 2


def test_an_error_in_the_first_gate_does_not_hide_the_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("clustcmp.toml", "[gate.lost]\ncandidate = 'no.csv'\nari = { min = 0.1 }\n" + GATES)
    assert [one["name"] for one in gates(capsys, "--all")] == ["lost", "good", "bad"]


def test_beside_named_gates_the_outer_table_only_holds_what_they_share(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("clustcmp.toml", GATES.replace("[gate.good]", "ri = { min = 0.1 }\n[gate.good]"))
    found = {one["name"]: one["checks"] for one in gates(capsys, "--all")}
    assert {name: len(checks) for name, checks in found.items()} == {"good": 3, "bad": 2}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[gate\n", "clustcmp.toml:1: is not TOML"),
        ("gate = 3\n", "is not a table"),
        ("[gates]\n", "[gates] is not known"),
        ("[gaet]\nari = { min = 0.9 }\n", "did you mean 'gate'?"),
        ("[gate.x]\nari = { min = 0.9 }\n[gates.y]\nari = { min = 0.9 }\n", "[gates] is not known"),
        ("[gate]\nari = { min = 0.9 }\nadjusted_rand = { min = 0.1 }\n", "min is given twice"),
        ("[gate]\nari = { min = 0.9 }\nthresholds.ari = { min = 0.1 }\n", "min is given twice"),
        ("[gate]\nx = " + "[" * 20_000, "clustcmp.toml:2: a value is nested"),
        ("[gate]\njobs = " + "9" * 5_000, "clustcmp.toml"),
        ("[gate.purity]\ncandidate = 'b.csv'\n", "no gate can have this name"),
        ("[gate]\nmoved = { max = 0.1 }\n", "--max-moved"),
        ("[gate]\ncandidat = 'b.csv'\n", "did you mean 'candidate'?"),
        ("[gate]\nreference = 3\n", "3 is not a text"),
        ("[gate]\nreference = ''\n", "'' is not a file"),
        ("[gate]\na = 'a.csv'\nreference = 'a.csv'\n", "both are set"),
        ("[gate]\nari = 0.8\n", "ari = { min = 0.8 }"),
        ("[gate]\nvi = 0.25\n", "vi = { max = 0.25 }"),
        ("[gate]\n'nmi:average=max' = 1\n", '"nmi:average=max" = { min = 1 }'),
        ("[gate]\nari = 'high'\n", "ari = { min = 0.9 }"),
        ("[gate]\nari = { mim = 0.9 }\n", "did you mean 'min'?"),
        ("[gate]\nari = { min = '0.9' }\n", "'0.9' is not a number"),
        ("[gate]\nari = { min = true }\n", "True is not a number"),
        ("[gate]\nari = { min = nan }\n", "finite number"),
        ("[gate]\nari = {}\n", "ari = { min = 0.9 }"),
        ("[gate]\naru = { min = 0.9 }\n", "no metric is called 'aru'"),
        ("[gate]\nthresholds = 3\n", "is not a table"),
        ("[gate.thresholds]\ncdistance = 0.2\n", "cdistance = { max = 0.2 }"),
        ("[gate.thresholds]\naru = 0.9\n", "no metric is called 'aru'"),
        ("[gate]\ninformation = { min = 0.9 }\n", "names several"),
        ("[gate]\npoints = 'intersection'\n", "did you mean 'intersect'?"),
        ("[gate]\nnoise_policy = 3\n", "3 is not possible"),
        ("[gate]\nnoise = 1.5\n", "is not a label"),
        ("[gate]\nnormalize = 'yes'\n", "neither true nor false"),
        ("[gate]\njobs = 0\n", "whole number"),
        ("[gate]\nmax_moved = 1\n", "is ambiguous"),
        ("[gate]\nmax_moved = [1]\n", "max_moved=[1] is not a number or a text"),
        ("[gate.nightly]\ncandidte = 'b.csv'\n", "[gate.nightly] candidte"),
    ],
    ids=lambda value: None if value.startswith("[") else value,
)
def test_an_error_in_a_configuration_names_file_and_key(
    text: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("clustcmp.toml", text)
    status, stdout, stderr = gate(capsys)
    assert (status, stdout) == (2, "")
    assert complaint in stderr
    assert "clustcmp.toml" in stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "there is no gate to run"),
        (("--all",), "there is no gate to run"),
        (("nightly",), "no gate called 'nightly'"),
        (("a.csv", "--min", "ari=0.5"), "is one file, but a gate compares two"),
        (("a.csv", "b.csv", "c.csv", "--min", "ari=0.5"), "3 files are given"),
        (("--all", "a.csv"), "leave out the files"),
        (("a.csv", "no.csv", "--min", "ari=0.5"), "no.csv"),
        (("--config", "no.toml"), "no.toml: cannot be opened"),
        (("a.csv", "b.csv", "--min", "ari=0.5", "--config", "a.csv"), "is not TOML"),
        (("a.csv", "b.csv", "--update-baseline"), "no baseline is named"),
        (("a.csv", "b.csv", "--min", "ari=0.5", "--baseline", "no.json"), "no such baseline"),
        (("a.csv", "b.csv", "--min", "ari=0.5", "--junit", "a.csv/j.xml"), "a.csv is in the way"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_arguments_that_name_neither_a_gate_nor_two_files_are_an_error(
    arguments: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, stdout, stderr = gate(capsys, *arguments)
    assert (status, stdout) == (2, "")
    assert complaint in stderr


def test_a_note_names_the_configuration_only_if_its_settings_are_used(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("clustcmp.toml", "[gate.other]\nari = { min = 0.9 }\n")
    assert gate(capsys, "a.csv", "b.csv", "--min", "ari=0.5").stderr == ""
    assert "takes no files" in gate(capsys, "other", "b.csv").stderr


def test_one_of_several_gates_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    write("clustcmp.toml", GATES)
    assert "name one of 'good', 'bad', or run --all" in gate(capsys).stderr
    assert "did you mean 'good'?" in gate(capsys, "goood").stderr


def accept(capsys: pytest.CaptureFixture[str], *arguments: str) -> Run:
    """Accept the values of b.csv."""
    return gate(
        capsys, "a.csv", "b.csv", "--baseline", "base.json", "--update-baseline", *arguments
    )


def measure(capsys: pytest.CaptureFixture[str], *arguments: str) -> Run:
    """Measure b.csv by the accepted values."""
    return gate(capsys, "b.csv", "--baseline", "base.json", *arguments)


def test_a_baseline_fits_its_schema_and_knows_the_options(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert accept(capsys, "--max-change", "nmi:average=geometric=1%").status == 0
    document = json.loads(Path("base.json").read_text(encoding="utf-8"))
    schema = json.loads((files("clustcmp.schemas") / "baseline-1.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(document)
    assert document["values"][0]["options"] == {"average": "geometric"}
    assert (document["n"], document["k"], document["candidate_k"]) == ([4, 4], 2, 3)


@pytest.mark.parametrize(
    ("bound", "status"),
    [("rand=0", 1), ("rand=0.33", 1), ("rand=0.34", 0), ("rand=39%", 1), ("rand=40%", 0)],
)
def test_a_change_is_absolute_or_relative(
    bound: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    # The rand index falls from 5/6 to 3/6, by 0.333 or 40 % of the accepted value.
    accept(capsys, "--max-change", bound)
    assert measure(capsys, "--max-change", bound).status == 0
    write("b.csv", "id,label\n1,p\n2,q\n3,r\n4,p\n")
    assert measure(capsys, "--max-change", bound).status == status


def test_a_change_counts_in_both_directions(capsys: pytest.CaptureFixture[str]) -> None:
    accept(capsys, "--max-change", "ari=0.1")
    write("b.csv", A)
    assert measure(capsys, "--max-change", "ari=0.1").status == 1


LOWER = "id,label\n1,p\n2,q\n3,r\n4,p\n"


@pytest.mark.parametrize(
    ("before", "now", "bound", "status"),
    [
        # The rand index of B is 5/6, that of LOWER is 3/6: 0.333 or 40 % lower, 66.7 % higher.
        (B, LOWER, ("--max-drop", "rand=0.33"), 1),
        (B, LOWER, ("--max-drop", "rand=0.34"), 0),
        (B, LOWER, ("--max-drop", "rand=39%"), 1),
        (B, LOWER, ("--max-drop", "rand=40%"), 0),
        (B, LOWER, ("--max-rise", "rand=0"), 0),
        (LOWER, B, ("--max-rise", "rand=0.33"), 1),
        (LOWER, B, ("--max-rise", "rand=0.34"), 0),
        (LOWER, B, ("--max-rise", "rand=66%"), 1),
        (LOWER, B, ("--max-rise", "rand=67%"), 0),
        (LOWER, B, ("--max-drop", "rand=0"), 0),
        (B, B, ("--max-drop", "rand=0", "--max-rise", "rand=0"), 0),
    ],
)
def test_a_drop_and_a_rise_count_in_their_direction_only(
    before: str, now: str, bound: tuple[str, ...], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    write("b.csv", before)
    accept(capsys, "--min", "rand=0")
    write("b.csv", now)
    assert measure(capsys, *bound).status == status


def test_drops_and_rises_may_stand_in_a_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    accept(capsys, "--min", "rand=0")
    write("b.csv", LOWER)
    text = f"[gate]\n{FILES}baseline = 'base.json'\nrand = {{ max_drop = %s, max_rise = 0 }}\n"
    for bound, status in (("'40%'", 0), ("'39%'", 1), ("0.34", 0), ("0.33", 1)):
        write("clustcmp.toml", text % bound)
        found = gates(capsys)[0]
        assert found["exit_status"] == status, bound
        assert {check["kind"] for check in found["checks"]} == {"max_drop", "max_rise"}


def test_a_drop_is_shown_as_a_drop_from_the_accepted_value(
    capsys: pytest.CaptureFixture[str],
) -> None:
    accept(capsys, "--min", "rand=0")
    write("b.csv", LOWER)
    told = measure(capsys, "--max-drop", "rand=10%", "--max-rise", "rand=10%")
    shown = [" ".join(line.split()) for line in told.stdout.splitlines()]
    assert "FAIL drop of rand ≤ 10 % 0.500000 after 0.833333 0.250000 too much" in shown
    # A rise of 10 % would be one to 0.916667.
    assert "pass rise of rand ≤ 10 % 0.500000 after 0.833333 0.416667 to spare" in shown
    assert "--max-rise rand=10%: higher is better here" in told.stderr


def test_a_baseline_does_not_depend_on_row_order_and_cluster_names(
    capsys: pytest.CaptureFixture[str],
) -> None:
    accept(capsys, "--max-change", "ari=0")
    write("a.csv", "id,label\n4,u\n3,u\n2,v\n1,v\n")
    write("b.csv", "id,label\n3,1\n4,2\n1,3\n2,3\n")
    assert measure(capsys, "--max-change", "ari=0").status == 0


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.csv", "id,label\n1,x\n2,y\n3,y\n4,y\n", "the reference is another clustering"),
        ("a.csv", "id,label\n1,x\n2,y\n3,z\n4,z\n", "the reference had 2 clusters and has 3"),
        ("x.csv", "id,x\n1,0\n2,0\n3,9\n4,8\n", "the coordinates or distances differ"),
    ],
    ids=["reference", "clusters", "coordinates"],
)
def test_a_baseline_of_other_points_or_settings_is_refused(
    name: str, content: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("x.csv", "id,x\n1,0\n2,0\n3,9\n4,9\n")
    accept(capsys, "--max-change", "ari=1", "--coordinates", "x.csv")
    write(name, content)
    status, stdout, stderr = measure(capsys, "--max-change", "ari=1")
    assert (status, stdout) == (2, "")
    assert reason in stderr


def test_other_points_on_both_sides_are_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    accept(capsys, "--max-change", "ari=1")
    for name in ("a.csv", "b.csv"):
        write(name, Path(name).read_text(encoding="utf-8").replace("\n4,", "\n5,"))
    assert "the points have other ids" in measure(capsys, "--max-change", "ari=1").stderr
    write("a.csv", A + "5,x\n")
    write("b.csv", B + "5,p\n")
    told = measure(capsys, "--max-change", "ari=1").stderr
    assert "a had 4 points and b 4, but a has 5 now and b 5" in told


def test_settings_come_from_the_baseline_and_other_ones_are_an_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("a.csv", A + "5,x\n")
    accept(capsys, "--max-change", "ari=0", "--points", "intersect")
    assert measure(capsys, "--max-change", "ari=0").status == 0
    status, _, stderr = measure(capsys, "--max-change", "ari=0", "--points", "error")
    assert status == 2
    assert "points was intersect and is error" in stderr


def test_a_metric_without_an_accepted_value_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    accept(capsys, "--max-change", "ari=0")
    for other in ("ami=1", "ari:null=sampled=1"):
        status, _, stderr = measure(capsys, "--max-change", other)
        assert status == 2, other
        assert "there is no value of" in stderr


def test_a_baseline_from_before_an_option_existed_has_its_default(
    capsys: pytest.CaptureFixture[str],
) -> None:
    accept(capsys, "--max-change", "ari=0", "--max-change", "wallace_ab=0")
    document = json.loads(Path("base.json").read_text(encoding="utf-8"))
    for one in document["values"]:
        one["options"].pop("sides", None)
        # pair_recall was another metric than wallace_ab once.
        one["metric"] = one["metric"].replace("pair_recall", "wallace_ab")
    write("base.json", json.dumps(document))
    assert measure(capsys, "--max-change", "ari=0", "--max-change", "wallace_ab=0").status == 0
    assert measure(capsys, "--max-change", "pair_recall=0").status == 0


def test_a_baseline_of_soft_clusterings_from_before_their_option_is_of_the_former_values(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("a.csv", "b.csv"):
        write(name, "id,p,q\n1,0.9,0.1\n2,0.4,0.6\n3,0.2,0.8\n4,0.7,0.3\n")
    accept(capsys, "--max-change", "ari=0", "--max-change", "ari:soft=expected=0")
    document = json.loads(Path("base.json").read_text(encoding="utf-8"))
    for one in document["values"]:
        one["options"].pop("soft", None)
    # The expected counts, as the first version would have written them.
    document["values"] = [document["values"][1] | {"metric": "adjusted_rand"}]
    write("base.json", json.dumps(document))
    status, _, stderr = measure(capsys, "--max-change", "ari=0")
    assert status == 2
    assert "'soft': 'expected'" in stderr


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda document: document.update(schema="clustcmp/compare/1"), "is not a baseline"),
        (lambda document: document.pop("values"), "broken"),
        (lambda document: document["values"][0].update(value=None), "broken"),
        (lambda document: document["values"][0].update(value="1"), "broken"),
        (lambda document: document["values"][0].update(value=True), "broken"),
        (lambda document: document["policies"].update(points="all"), "broken"),
        (lambda document: document["files"].update(a=3), "broken"),
        (lambda document: document.pop("reference"), "broken"),
        (lambda document: document["values"][0].update(value=10**400), "broken"),
        (lambda document: document["values"][0].update(bounds=[0.25]), "broken"),
        (lambda document: document["values"][0].update(bounds=[0.9, 1.0]), "broken"),
        (lambda document: document["values"][0].update(bounds=[None, 1.0]), "broken"),
        (lambda document: document["values"][0].update(bounds="no"), "broken"),
        (lambda document: document["values"][0]["options"].update(draws=7), "had the options"),
    ],
)
def test_a_broken_baseline_is_an_error(
    change: Any, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    accept(capsys, "--max-change", "ari=0")
    document = json.loads(Path("base.json").read_text(encoding="utf-8"))
    change(document)
    write("base.json", json.dumps(document))
    status, stdout, stderr = measure(capsys, "--max-change", "ari=0")
    assert (status, stdout) == (2, "")
    assert complaint in stderr


@pytest.mark.usefixtures("approximate_rand")
def test_a_baseline_keeps_the_interval_of_an_approximate_value(
    capsys: pytest.CaptureFixture[str],
) -> None:
    accept(capsys, "--max-change", "rand=0", "--min", "ari=0")
    document = json.loads(Path("base.json").read_text(encoding="utf-8"))
    kept = {entry["metric"]: (entry["value"], entry["bounds"]) for entry in document["values"]}
    assert kept["rand"] == (0.5, [0.25, 0.75])
    assert kept["adjusted_rand"][1] is None
    schema = json.loads((files("clustcmp.schemas") / "baseline-1.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)
    # The exact value may have been 0.25 and may be 0.75 now.
    assert measure(capsys, "--max-change", "rand=0.5").status == 0
    status, stdout, _ = measure(capsys, "--max-change", "rand=0.49", "-f", "json")
    (check,) = json.loads(stdout)["gates"][0]["checks"]
    assert (status, abs(check["found"] - check["accepted"])) == (1, 0.5)
    assert check["interval"] == check["accepted_interval"] == [0.25, 0.75]


@pytest.mark.usefixtures("approximate_rand")
def test_a_baseline_without_intervals_is_read_as_exact(capsys: pytest.CaptureFixture[str]) -> None:
    accept(capsys, "--max-change", "rand=0")
    document = json.loads(Path("base.json").read_text(encoding="utf-8"))
    del document["values"][0]["bounds"]
    write("base.json", json.dumps(document))
    assert measure(capsys, "--max-change", "rand=0.25").status == 0
    assert measure(capsys, "--max-change", "rand=0.24").status == 1


@pytest.mark.parametrize("form", ["table", "markdown", "csv"])
@pytest.mark.usefixtures("approximate_rand")
def test_an_update_shows_the_intervals_of_approximate_values(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = accept(capsys, "--max-change", "rand=0", "-f", form).stdout
    if form == "csv":
        assert text == (
            "metric,before,now,before_low,before_high,now_low,now_high\nrand,,0.5,,,0.25,0.75\n"
        )
    else:
        assert "0.500000 (0.250000 to 0.750000)" in text


def test_an_update_shows_what_changes_and_gives_no_verdict(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first = accept(capsys, "--max-change", "ari=0", "--min", "ari=0.99")
    assert first.status == 0
    assert "base.json: new" in first.stdout
    assert "FAIL" not in first.stdout
    assert "there is no verdict" in first.stderr
    write("b.csv", A)
    second = gate(capsys, "b.csv", "--baseline", "base.json", "--update-baseline")
    assert ["adjusted_rand", "0.571429", "1.000000"] in map(str.split, second.stdout.splitlines())
    assert measure(capsys, "--max-change", "ari=0").status == 0


def test_an_update_without_bounds_keeps_the_metrics_of_the_baseline(
    capsys: pytest.CaptureFixture[str],
) -> None:
    accept(capsys, "--max-change", "vi=0")
    accept(capsys)
    document = json.loads(Path("base.json").read_text(encoding="utf-8"))
    assert [entry["metric"] for entry in document["values"]] == ["variation_of_information"]


def test_an_update_adds_metrics_to_those_of_the_baseline(
    capsys: pytest.CaptureFixture[str],
) -> None:
    accept(capsys, "--max-change", "vi=0")
    accept(capsys, "--max-change", "ari=0")
    assert measure(capsys, "--max-change", "vi=0", "--max-change", "ari=0").status == 0


def test_a_baseline_knows_how_files_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.csv", A.partition("\n")[2])
    write("b.csv", B.partition("\n")[2])
    accept(capsys, "--max-change", "ari=0", "--no-header")
    assert measure(capsys, "--max-change", "ari=0").status == 0


def test_a_difference_that_is_only_rounding_is_on_the_bound(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # The purity rises from 0.7 to 0.8, and 0.8 - 0.7 is a little more than 0.1.
    ids = range(1, 11)
    write("a.csv", "id,label\n" + "".join(f"{i},{'xy'[i > 5]}\n" for i in ids))
    write("b.csv", "id,label\n" + "".join(f"{i},{'xy'[i > 8]}\n" for i in ids))
    accept(capsys, "--max-change", "purity=0.1")
    write("b.csv", "id,label\n" + "".join(f"{i},{'xy'[i > 7]}\n" for i in ids))
    assert measure(capsys, "--max-change", "purity=0.1").status == 0
    assert measure(capsys, "--max-change", "purity=0.099").status == 1


def test_a_reference_from_stdin_is_not_kept_as_a_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(monkeypatch, A)
    update = ("--baseline", "base.json", "--update-baseline")
    assert gate(capsys, "-::label", "b.csv", *update).status == 0
    assert json.loads(Path("base.json").read_text(encoding="utf-8"))["files"]["a"] is None
    assert "the gate has no reference" in measure(capsys, "--max-change", "ari=0").stderr


def test_two_gates_cannot_both_read_stdin(capsys: pytest.CaptureFixture[str]) -> None:
    write("clustcmp.toml", GATES.replace("'a.csv'", "'-'"))
    assert "two gates read stdin" in gate(capsys, "--all").stderr


def test_an_update_keeps_permissions_and_leaves_no_other_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    accept(capsys)
    (tmp_path / "base.json").chmod(0o640)
    before = sorted(path.name for path in tmp_path.iterdir())
    accept(capsys)
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert stat.S_IMODE((tmp_path / "base.json").stat().st_mode) == 0o640


@pytest.mark.parametrize("name", ["a.csv", "b.csv"])
def test_an_update_never_overwrites_a_file_that_is_not_a_baseline(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path(name).read_bytes()
    Path("link").symlink_to(name)
    assert (
        "already reads or writes"
        in gate(capsys, "a.csv", "b.csv", "--baseline", "link", *UPDATE).stderr
    )
    arguments = ("a.csv", "b.csv", "--min", "ari=0", "--baseline", name, "--update-baseline")
    assert gate(capsys, *arguments).status == 2
    write("notes.txt", "my notes")
    arguments = (*arguments[:5], "notes.txt", "--update-baseline")
    assert gate(capsys, *arguments).status == 2
    assert Path(name).read_bytes() == before
    assert Path("notes.txt").read_text(encoding="utf-8") == "my notes"


def test_a_value_that_is_undefined_is_not_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.csv", "id,label\n1,x\n")
    write("b.csv", "id,label\n1,p\n")
    write("x.csv", "id,x\n1,0\n")
    status, stdout, stderr = accept(capsys, "--max-change", "beta_cv=1", "--coordinates", "x.csv")
    assert (status, stdout) == (3, "")
    assert "no value to accept" in stderr
    assert not Path("base.json").exists()


def test_the_reference_is_found_from_the_folder_of_the_baseline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "accepted").mkdir()
    arguments = ("--baseline", "accepted/base.json", "--max-change", "ari=0")
    gate(capsys, "a.csv::label", "b.csv", *arguments, "--update-baseline")
    document = json.loads(Path("accepted/base.json").read_text(encoding="utf-8"))
    assert document["files"]["a"] == "../a.csv::label"
    monkeypatch.chdir(tmp_path / "accepted")
    assert gate(capsys, "../b.csv", "--baseline", "base.json", "--max-change", "ari=0").status == 0


def test_a_baseline_of_different_points_does_not_depend_on_row_order(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("a.csv", "id,label\n1,x\n2,y\n3,x\n4,y\n5,z\n")
    write("b.csv", "id,label\n6,p\n7,q\n8,p\n9,q\n")
    rows = [f"{i},{i % 4}\n" for i in range(1, 10)]
    write("x.csv", "id,x\n" + "".join(rows))
    change = ("--max-change", "cdistance=1e-12")
    accept(capsys, *change, "--coordinates", "x.csv")
    assert measure(capsys, *change).status == 0
    write("a.csv", "id,label\n5,x\n4,y\n2,y\n1,z\n3,z\n")
    write("b.csv", "id,label\n9,q\n6,p\n7,q\n8,p\n")
    write("x.csv", "id,x\n" + "".join(reversed(rows)))
    assert measure(capsys, *change).status == 0


def test_a_named_file_without_a_gate_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run_clustcmp(capsys, "gate", "--config", write("empty.toml", ""), "--all")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "empty.toml: has no table [gate]" in outcome.stderr


def test_a_baseline_says_nothing_about_space_where_there_is_none() -> None:
    same = as_clustering(["x", "y"], "labels")
    assert digest_space(align(same, same)) is None
