"""Bounds on the candidate alone: the number of its clusters, its largest cluster, its noise."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import clustcmp
from tests.files import Outcome, run_clustcmp, write

# Of ten points four are in p, three in q, one is in r and two are noise.
LABELS = ["p"] * 4 + ["q"] * 3 + ["r"] + ["-1"] * 2


def table(labels: list[str]) -> str:
    """Labels as a file with ids."""
    return "id,label\n" + "".join(f"{number},{label}\n" for number, label in enumerate(labels))


@pytest.fixture(autouse=True)
def two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reference and a candidate in an empty folder, outside of GitHub."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    write("a.csv", table(["x"] * 5 + ["y"] * 5))
    write("b.csv", table(LABELS))


def gate(capsys: pytest.CaptureFixture[str], *arguments: str) -> Outcome:
    """Run a gate on the two files, in which -1 is noise."""
    return run_clustcmp(capsys, "gate", "a.csv", "b.csv", "--noise=-1", *arguments)


@pytest.mark.parametrize(
    ("bound", "status"),
    [
        (("--min-clusters", "3"), 0),
        (("--min-clusters", "4"), 1),
        (("--max-clusters", "3"), 0),
        (("--max-clusters", "2"), 1),
        (("--max-largest", "40%"), 0),
        (("--max-largest", "0.4"), 0),
        (("--max-largest", "39.9%"), 1),
        (("--max-noise", "20%"), 0),
        (("--max-noise", "19.9%"), 1),
        (("--min-clusters", "2", "--max-clusters", "5", "--max-largest", "50%"), 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
@pytest.mark.parametrize("policy", ["cluster", "drop", "singletons"])
def test_bounds_on_the_candidate_are_inclusive_whatever_happens_to_noise(
    bound: tuple[str, ...], status: int, policy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate(capsys, *bound, "--noise-policy", policy).status == status


def test_the_candidate_counts_as_a_whole(capsys: pytest.CaptureFixture[str]) -> None:
    # The reference has neither the noise nor r.
    write("a.csv", table(["x"] * 7))
    for bound, status in (
        ("--max-clusters=2", 1),
        ("--max-noise=19%", 1),
        ("--max-largest=40%", 0),
    ):
        assert gate(capsys, bound, "--points", "intersect").status == status


def test_points_without_a_label_do_not_count(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.csv", table(["x"] * 11))
    write("b.csv", table([*LABELS, ""]))
    assert gate(capsys, "--max-largest", "40%", "--missing", "drop").status == 0
    assert gate(capsys, "--max-largest", "39.9%", "--missing", "drop").status == 1
    # As noise it does: 3 of 11 points are noise.
    assert gate(capsys, "--max-noise", "27.3%", "--missing", "noise").status == 0
    assert gate(capsys, "--max-noise", "27.2%", "--missing", "noise").status == 1


def test_a_soft_candidate_is_judged_by_the_masses_of_its_clusters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("a.csv", "id,label\n0,x\n1,y\n")
    write("b.csv", "id,p,q,r\n0,0.75,0.25,0\n1,0.5,0.5,0\n")
    # p has 1.25 of 2 points, and r has none.
    bounds = {"min_clusters": 2, "max_clusters": 2, "max_largest": "62.5%"}
    assert clustcmp.gate("a.csv", "b.csv", **bounds)  # type: ignore[arg-type]
    with pytest.raises(clustcmp.GateFailed):
        clustcmp.gate("a.csv", "b.csv", max_largest="62.4%")


def test_a_candidate_of_noise_alone_has_no_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    write("b.csv", table(["-1"] * 10))
    bounds = ("--min-clusters", "1", "--max-largest", "0%", "--max-noise", "100%")
    found = json.loads(gate(capsys, *bounds, "-f", "json").stdout)["gates"][0]["checks"]
    assert [(one["metric"], one["found"]) for one in found] == [
        ("clusters", 0.0), ("largest", 0.0), ("noise", 1.0),
    ]  # fmt: skip


def test_bounds_on_the_candidate_are_checks_like_the_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bounds = ("--min-clusters", "5", "--max-largest", "30%", "--max-noise", "50%", "--min", "ri=0")
    document = json.loads(gate(capsys, *bounds, "-f", "json").stdout)
    schema = json.loads((files("clustcmp.schemas") / "gate-1.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)
    fields = ("outcome", "metric", "kind", "bound", "found", "side")
    checks = document["gates"][0]["checks"]
    assert [tuple(one[field] for field in fields) for one in checks] == [
        ("fail", "clusters", "min", 5.0, 3.0, "b"),
        ("fail", "largest", "max", 0.3, 0.4, "b"),
        ("pass", "rand", "min", 0.0, checks[2]["found"], None),
        ("pass", "noise", "max", 0.5, 0.2, "b"),
    ]
    assert checks[0]["margin"] == -2.0


SHOWN = {
    "table": "FAIL clusters ≥ 5 (of b) 3 2 too few",
    "markdown": "| **FAIL** | `clusters ≥ 5 (of b)` | 3 | 2 too few |",
    "github": "::error title=clustcmp gate::clusters ≥ 5 (of b): found 3, 2 too few",
    "csv": ",fail,clusters,min,5.0,3.0,-2.0,",
    "junit": "FAIL: clusters ≥ 5 (of b): found 3, 2 too few",
}


@pytest.mark.parametrize("format", SHOWN)
def test_every_format_shows_bounds_on_the_candidate(
    format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if format == "junit":
        gate(capsys, "--min-clusters", "5", "--junit", "gate.xml")
        text = Path("gate.xml").read_text(encoding="utf-8")
    else:
        text = gate(capsys, "--min-clusters", "5", "-f", format).stdout
    assert SHOWN[format] in " ".join(text.split())


def test_shares_of_the_candidate_are_shown_in_percent(capsys: pytest.CaptureFixture[str]) -> None:
    shown = " ".join(gate(capsys, "--max-largest", "30%", "--max-noise", "50%").stdout.split())
    assert "FAIL largest ≤ 30 % (of b) 40 % 10 % too high" in shown
    assert "pass noise ≤ 50 % (of b) 20 % 30 % to spare" in shown


def test_bounds_on_the_candidate_may_stand_in_a_configuration(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = """
        [gate]
        reference = "a.csv"
        candidate = "b.csv"
        noise = [-1]
        min_clusters = 2
        max_clusters = 5
        max_largest = "45%"
        max_noise = 0.15
    """
    write("clustcmp.toml", text)
    assert run_clustcmp(capsys, "gate").status == 1
    # A flag beats the file.
    assert run_clustcmp(capsys, "gate", "--max-noise", "20%").status == 0
    assert run_clustcmp(capsys, "gate", "--max-noise", "20%", "--max-clusters", "2").status == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--min-clusters", "0"), "--min-clusters"),
        (("--min-clusters", "few"), "--min-clusters"),
        (("--min-clusters", "5", "--max-clusters", "4"), "no value is at least 5 and at most 4"),
        (("--max-largest", "1"), "is ambiguous"),
        (("--max-noise", "120%"), "not a share"),
        (("--min", "clusters=5"), "write --min-clusters or --max-clusters"),
        (("--max", "noise=0.5"), "write --max-noise"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_wrong_bounds_on_the_candidate_are_errors(
    arguments: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, stdout, stderr = gate(capsys, *arguments)
    assert (status, stdout) == (2, "")
    assert complaint in " ".join(stderr.split())


def test_a_bound_on_noise_where_nothing_marks_noise_is_an_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = run_clustcmp(capsys, "gate", "a.csv", "b.csv", "--max-noise", "20%")
    assert (told.status, told.stdout) == (2, "")
    assert "no label marks noise" in told.stderr
    assert "--noise=-1" in told.stderr
    only_a = run_clustcmp(capsys, "gate", "a.csv", "b.csv", "--max-noise=20%", "--noise-a=-1")
    assert only_a.status == 2
    only_b = run_clustcmp(capsys, "gate", "a.csv", "b.csv", "--max-noise=20%", "--noise-b=-1")
    assert only_b.status == 0
    missing = run_clustcmp(capsys, "gate", "a.csv", "b.csv", "--max-noise=0%", "--missing=noise")
    assert missing.status == 0


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"min_clusters": 2.5}, "min_clusters"),
        ({"max_clusters": "5"}, "max_clusters"),
        ({"max_largest": [0.5]}, "max_largest"),
        ({"max_noise": True}, "max_noise"),
    ],
)
def test_python_refuses_wrong_bounds_on_the_candidate(given: dict[str, Any], key: str) -> None:
    with pytest.raises(clustcmp.UsageError, match=key):
        clustcmp.gate([1, 2], [1, 2], **given)
