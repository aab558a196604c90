"""A first line that may be a row is never silently taken for a header."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import clustcmp
from clustcmp.errors import InputError, UsageError
from tests.files import pipe, run_clustcmp, write

LABELS = "0\n0\n1\n1\n"


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def points(address: str, header: bool = False, no_header: bool = False) -> int:
    """How many points a file has."""
    report = clustcmp.compare(address, address, ["ari"], header=header, no_header=no_header)
    return report.inputs[0].points


@pytest.mark.parametrize(
    "content",
    [
        "1\n2\n2\n",
        "1,0.5\n2,0.5\n",
        "0.25,0.75\n1,0\n",
        "1,2,3\n1,0,0\n",
        "-1\n1\n1\n",
        "0\n1\n1\n",
    ],
)
def test_a_first_line_of_numbers_is_an_error_that_names_both_flags(
    content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = run_clustcmp(capsys, "compare", write("a.csv", content), "a.csv")
    assert (outcome.status, outcome.stdout) == (2, "")
    for word in ("a.csv:1", "--no-header", "--header", "a.csv::header=no"):
        assert word in outcome.stderr


@pytest.mark.parametrize("content", ["a\na\nb\n", "p1,x\np2,x\np3,y\np4,y\n"])
def test_a_first_line_with_a_label_of_other_lines_is_an_error(
    content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = run_clustcmp(capsys, "compare", write("a.csv", content), "a.csv")
    assert outcome.status == 2
    assert "--no-header" in outcome.stderr


@pytest.mark.parametrize(
    "content",
    ["0,1\n0.5,0.5\n1,0\n", "0,1,2\n1,0,0\n1,0,0\n", "label\nlabel\nx\n", ",0\np,0\nq,1\n"],
    ids=["columns of an array", "three columns", "known name", "index of pandas"],
)
def test_headers_that_programs_write_are_headers(content: str) -> None:
    assert points(write("a.csv", content)) == 2


def test_what_is_said_about_the_header_counts() -> None:
    write("a.csv", LABELS)
    assert points("a.csv", no_header=True) == 4
    assert points("a.csv", header=True) == 3
    with pytest.raises(UsageError, match="contradict"):
        points("a.csv", header=True, no_header=True)


def test_the_header_can_be_said_of_one_file_alone(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.csv", LABELS)
    write("b.csv", "label\n" + LABELS)
    outcome = run_clustcmp(
        capsys, "compare", "a.csv::header=no", "b.csv", "-m", "ari", "-f", "json"
    )
    document = json.loads(outcome.stdout)
    assert [side["points"] for side in document["inputs"]] == [4, 4]
    assert points("a.csv::header=yes") == 3
    assert points("a.csv::header=yes", no_header=True) == 3
    assert points(write("a.txt", LABELS) + "::header=yes") == 3
    with pytest.raises(InputError, match="header=perhaps"):
        points("a.csv::header=perhaps")


@pytest.mark.parametrize("content", [LABELS, "x\nx\ny\ny\n"])
def test_labels_that_are_piped_in_without_a_header_get_the_same_advice(
    content: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(monkeypatch, content)
    write("a.csv", "label\n" + content)
    outcome = run_clustcmp(capsys, "compare", "a.csv", "-")
    assert outcome.status == 2
    assert "--no-header" in outcome.stderr
    assert "-::header=no" in outcome.stderr
    pipe(monkeypatch, content)
    assert run_clustcmp(capsys, "compare", "a.csv", "-::header=no").status == 0


@pytest.mark.parametrize(
    "content",
    ["0,1\n1,5\n2,6\n3,6\n", "c1,0.2,0.8\nc2,0.5,0.5\nc3,1,0\n", "sep=,\nid,label\np,1\n"],
    ids=["counts on", "fractions", "a line for Excel"],
)
def test_rows_and_lines_for_other_programs_are_not_headers(content: str) -> None:
    with pytest.raises(InputError, match=r"x\.csv:1"):
        points(write("x.csv", content))


def test_a_header_among_labels_is_an_error_until_it_is_said_to_be_one() -> None:
    write("x.txt", "cluster\n1\n1\n2\n")
    with pytest.raises(InputError, match="may be a header") as raised:
        points("x.txt")
    assert "x.txt::header=yes" in raised.value.hint
    assert points("x.txt::header=yes") == 3
    assert points("x.txt::header=no") == 4
    assert points("x.txt", header=True) == 3
