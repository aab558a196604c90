"""What people see of changes: the order of rows, legends, names, and what is refused."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.files import run_clustcmp, write


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def table(name: str, ids: str, labels: str) -> str:
    """A file with ids and labels of one letter each."""
    rows = zip(ids, labels, strict=True)
    return write(name, "id,label\n" + "".join(f"{point},{label}\n" for point, label in rows))


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines of the output."""
    outcome = run_clustcmp(capsys, "changes", *arguments)
    assert outcome.status == 0, outcome
    return outcome.stdout.splitlines()


def test_noise_on_both_sides_is_no_cluster_with_a_new_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    a, b = table("a.csv", "1234567", "aaabb--"), table("b.csv", "1234567", "xxxyy--")
    outcome = run_clustcmp(capsys, "changes", a, b, "--noise=-", "--relabel", "new.csv")
    assert "relabelled" not in outcome.stderr
    assert Path("new.csv").read_text() == "id,label\n1,a\n2,a\n3,a\n4,b\n5,b\n6,-\n7,-\n"


def test_one_cluster_is_told_of_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    a, b = table("a.csv", "123456", "aaaabb"), table("b.csv", "123456", "xxxabb")
    outcome = run_clustcmp(capsys, "changes", a, b, "--relabel", "new.csv")
    assert "relabelled: 1 cluster of b without a match had a name of a and is now" in outcome.stderr
    assert "4,a (new)\n" in Path("new.csv").read_text()


def test_shades_without_numbers_have_a_legend(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    legend = "· none   ░ below 25 %   ▒ from 25 %   ▓ from 50 %   █ from 75 %"
    monkeypatch.setenv("COLUMNS", "80")
    many = table("many.csv", "0123456789abcdefghij", "0123456789abcdefghij")
    few = table("few.csv", "0123456789abcdefghij", "a" * 10 + "b" * 10)
    assert shown(capsys, many, many)[-1] == legend
    assert legend not in shown(capsys, few, few)


@pytest.mark.parametrize("format", ["table", "markdown"])
def test_births_come_before_what_did_not_change(
    format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # Of these a and b lose one point each to X; c changes more, and d and e do not.
    a = table("a.csv", "0123456789ABCDEFGHI", "aaaabbbbccccccddeee")
    b = table("b.csv", "0123456789ABCDEFGHI", "aaaXbbbXccczzzddEEE")
    lines = [line.replace("`", "").lstrip("| ") for line in shown(capsys, a, b, "-f", format)]
    rows = [line[0] for line in lines if line[1:3] in (" →", " ←") and "%" in line]
    assert rows == ["c", "X", "a", "b", "e", "d"]


def test_births_come_before_what_did_not_change_in_csv(capsys: pytest.CaptureFixture[str]) -> None:
    a, b = table("a.csv", "12345", "aabbb"), table("b.csv", "12345678", "aabbbXXa")
    rows = list(csv.reader(io.StringIO("\n".join(shown(capsys, a, b, "-f", "csv")))))
    assert [row[:4] for row in rows[1:]] == [
        ["", "X", "born", "2"],
        ["a", "a", "changed", "2"],
        ["b", "b", "same", "3"],
        ["", "a", "", "1"],
    ]


def test_help_tells_what_points_and_top_do_here(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(run_clustcmp(capsys, "changes", "--help").stdout.split())
    assert "count them as gone or new (error, which refuses nothing here)" in text
    assert "json and csv always have all" in text


@pytest.mark.parametrize(
    "arguments",
    [
        ("--ground", "manhattan"),
        ("--relabel", "new.parquet"),
        ("--relabel", "new.csv.zst"),
        ("--relabel", "new.labels"),
        ("--moved", "moved.json"),
    ],
)
def test_options_that_would_not_do_what_they_say_are_refused(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = table("a.csv", "123", "aab"), table("b.csv", "123", "abb")
    outcome = run_clustcmp(capsys, "changes", a, b, *arguments)
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "hint: " in outcome.stderr
    assert sorted(path.name for path in Path().iterdir()) == ["a.csv", "b.csv"]


def test_the_default_ground_may_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    a = table("a.csv", "123", "aab")
    assert shown(capsys, a, a, "--ground", "euclidean")


@pytest.mark.parametrize("format", ["table", "markdown"])
def test_names_with_outer_spaces_are_quoted(
    format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("a.csv", 'id,label\n1," a"\n2," a"\n3,"b "\n4,"b "\n5,c d\n')
    write("b.csv", 'id,label\n1," a"\n2,"b "\n3,"b "\n4,"b "\n5,c d\n')
    text = "\n".join(shown(capsys, "a.csv", "b.csv", "--all", "-f", format)).replace("`", "")
    assert "' a' → ' a' (50 %), 'b ' (50 %)" in text
    assert "c d → c d (100 %)" in text
