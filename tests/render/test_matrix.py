"""Matrices of clusterings as people and programs see them."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from rich.cells import cell_len

import clustcmp
from clustcmp.errors import Undefined, UsageError
from clustcmp.metrics import METRICS
from clustcmp.model import Contingency
from clustcmp.render.terminal.square import show_short
from tests.analyses.test_matrix import FIRST, IRIS, NOISY, SECOND, SOFT, matrix_json
from tests.files import pipe, run_clustcmp, write


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has its own folder."""
    monkeypatch.chdir(tmp_path)


def test_csv_is_a_square_that_pandas_reads(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [*IRIS, SOFT[0], "-m", "ami"]
    text = run_clustcmp(capsys, "matrix", *arguments, "-f", "csv", "--order", "given").stdout
    frame = pd.read_csv(io.StringIO(text), index_col=0)
    assert list(frame.index) == list(frame.columns) == [*IRIS, SOFT[0]]
    document = matrix_json(capsys, *arguments)
    expected = np.array(document["results"][0]["matrix"], dtype=np.float64)
    assert np.array_equal(frame.to_numpy(), expected, equal_nan=True)
    ordered = run_clustcmp(capsys, "matrix", *arguments, "-f", "csv").stdout
    found = pd.read_csv(io.StringIO(ordered), index_col=0)
    assert list(found.index) == list(found.columns) == document["results"][0]["order"]
    assert found.loc[frame.index, frame.columns].equals(frame)


def test_csv_of_a_ranking_has_a_line_for_each_value(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run_clustcmp(
        capsys, "matrix", *IRIS[1:], "--reference", IRIS[0], "-m", "ari", "-m", "vi", "-f", "csv"
    )
    rows = list(csv.DictReader(io.StringIO(outcome.stdout)))
    assert [row["metric"] for row in rows] == ["adjusted_rand"] * 2 + [
        "variation_of_information"
    ] * 2
    assert {row["reference"] for row in rows} == {IRIS[0]}
    assert rows[0]["name"] == IRIS[1]


HOSTILE = [
    "日本語のクラスタリング",
    "a|b",
    "\x1b[31mred",
    "new\nline",
    "L" * 200,
    "<b>x",
    "[bold]m[/]",
]


def write_hostile() -> str:
    text = io.StringIO()
    csv.writer(text).writerows(
        [["id", *HOSTILE], *([f"c{i}", *(str(i % k) for k in range(1, 8))] for i in range(9))]
    )
    return write("h.csv", text.getvalue())


@pytest.mark.parametrize("format", ["table", "markdown"])
@pytest.mark.parametrize("more", [[], ["--reference", "h.csv::a|b"]], ids=["square", "ranking"])
def test_hostile_names_stay_in_their_cells(
    format: str, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = run_clustcmp(capsys, "matrix", f"{write_hostile()}::*", *more, "-f", format)
    assert outcome.status == 0
    assert "\x1b" not in outcome.stdout
    assert "\\x1b[31mred" in outcome.stdout
    assert "new\\nline" in outcome.stdout
    if format == "markdown":
        assert "<b>" not in outcome.stdout
        rows = [line for line in outcome.stdout.splitlines() if line.startswith("|")]
        assert len({row.replace("\\|", "").count("|") for row in rows}) == 1


def test_csv_and_json_keep_hostile_names_whole(capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"h.csv::{name}" for name in HOSTILE]
    star = f"{write_hostile()}::*"
    assert [one["name"] for one in matrix_json(capsys, star)["inputs"]] == names
    text = run_clustcmp(capsys, "matrix", star, "-f", "csv", "--order", "given").stdout
    assert next(csv.reader(io.StringIO(text))) == ["", *names]


def in_terminal(
    width: int, n: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """The lines of a matrix of n clusterings with long names in a terminal of this width."""
    random = np.random.default_rng(0)
    names = [f"folder/sub/run_{number}_日本_{number * 7919}" for number in range(n)]
    columns = random.integers(0, 3, (30, n))
    header = ",".join(["id", *names])
    rows = [",".join([f"c{i}", *map(str, row)]) for i, row in enumerate(columns)]
    write("w.csv", "\n".join([header, *rows]) + "\n")
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    outcome = run_clustcmp(capsys, "matrix", "w.csv::*", "--color", "never")
    assert outcome.status == 0
    return outcome.stdout.splitlines()


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("n", [2, 5, 9, 20, 60, 75, 110])
def test_a_matrix_fits_the_terminal(
    width: int, n: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = in_terminal(width, n, capsys, monkeypatch)
    assert max(map(cell_len, lines)) <= width
    shaded = [line for line in lines if set("░▒▓█") & set(line) and "from" not in line]
    sizes = {cell_len(line.rstrip("─ ")) for line in shaded}
    assert len(shaded) >= min(n, 50)
    # All rows end in the same column: no wide letter has moved them.
    assert len(sizes) == 1


def test_few_have_numbers_and_many_have_shades(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert any("1.0000█" in line for line in in_terminal(80, 5, capsys, monkeypatch))
    many = in_terminal(80, 40, capsys, monkeypatch)
    assert not any("1.00" in line for line in many)


def test_the_table_marks_the_medoid(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run_clustcmp(capsys, "matrix", *IRIS)
    medoid = matrix_json(capsys, *IRIS)["results"][0]["medoid"]
    marked = [line for line in outcome.stdout.splitlines() if "◆" in line]
    assert len(marked) == 2
    assert medoid in marked[1]


def test_rows_and_names_of_clusters_do_not_matter(capsys: pytest.CaptureFixture[str]) -> None:
    rows = FIRST.splitlines()
    write("b.csv", SECOND)
    write("c.csv", NOISY)
    outputs = []
    for lines, name in ((rows, "x"), ([rows[0], *rows[:0:-1]], "other")):
        write("a.csv", "\n".join(lines).replace(",x", f",{name}") + "\n")
        for form in ("json", "table", "csv", "markdown"):
            metric = "ari" if form == "csv" else "all"
            command = "matrix", "a.csv", "b.csv", "c.csv", "-m", metric, "-f", form
            outputs.append(run_clustcmp(capsys, *command).stdout)
    assert outputs[:4] == outputs[4:]


def test_notes_are_said_once_and_silenced(capsys: pytest.CaptureFixture[str]) -> None:
    names = [write(f"n{number}.txt", "-1\n1\n1\n") for number in range(6)]
    outcome = run_clustcmp(capsys, "matrix", *names)
    notes = outcome.stderr.splitlines()
    assert len(notes) == 2
    assert all("n0.txt, n1.txt, n2.txt and 3 more: " in note for note in notes)
    assert run_clustcmp(capsys, "matrix", *names, "-q").stderr == ""


def test_dropped_points_are_noted(capsys: pytest.CaptureFixture[str]) -> None:
    names = [write("a.csv", FIRST), write("c.csv", NOISY)]
    document = matrix_json(capsys, *names, "--noise=-1", "--noise-policy", "drop")
    assert any(note.startswith("dropped: up to 2 points") for note in document["notes"])
    assert [one["points"] for one in document["inputs"]] == [6, 4]
    other = matrix_json(capsys, *names, "--noise=nothing")
    assert "no point has the label 'nothing' that marks noise" in other["notes"]


def test_distances_have_the_closest_first(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run_clustcmp(capsys, "matrix", *IRIS, "-m", "vi")
    assert "0.0000█" in outcome.stdout
    assert "█ below" in outcome.stdout


@pytest.mark.parametrize("form", ["table", "csv", "json", "markdown"])
@pytest.mark.parametrize("more", [[], ["--reference", "a.txt"]], ids=["square", "ranking"])
def test_a_matrix_without_any_value_is_shown(
    form: str, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    def no_value(table: Contingency, **options: object) -> float:
        raise Undefined("nothing over nothing")

    names = [write("a.txt", "1\n2\n3\n"), write("b.txt", "1\n1\n2\n"), write("c.txt", "1\n1\n1\n")]
    metric = replace(METRICS["rand"], compute=no_value)
    with patch.dict(METRICS._words, {"rand": metric}):
        outcome = run_clustcmp(capsys, "matrix", *names, *more, "-m", "rand", "-f", form)
    assert outcome.status == 0, outcome.stderr
    assert form == "csv" or "nothing over nothing" in outcome.stdout


def test_values_near_0_are_short_unless_all_are() -> None:
    assert show_short(-0.00001, 4) == "0.0000"
    assert show_short(0.000012345, 4, tiny=True) == "1.23e-05"
    assert show_short(123456.0, 4) == "1.23e+05"


def test_at_most_two_combining_marks_are_shown_per_letter(
    capsys: pytest.CaptureFixture[str],
) -> None:
    column = "e" + "\u0301" * 2000
    write("many.csv", f"id,{column},other\n1,x,x\n2,y,y\n3,y,x\n")
    for more in ([], ["--reference", f"many.csv::{column}"]):
        text = run_clustcmp(capsys, "matrix", "many.csv::*", *more).stdout
        assert max(map(len, text.splitlines())) < 120
        assert "\u0301" * 3 not in text


def test_a_name_that_ends_with_a_space_is_quoted(capsys: pytest.CaptureFixture[str]) -> None:
    write("spaces.csv", 'id,"b ",other\n1,x,x\n2,y,y\n3,y,x\n')
    assert " 'b ' " in run_clustcmp(capsys, "matrix", "spaces.csv::*").stdout


@pytest.mark.parametrize(
    ("metric", "legend"),
    [
        ("ari", "░ below -0.125   ▒ from -0.125   ▓ from 0.250   █ from 0.625"),
        ("vi", "█ below"),
    ],
)
def test_values_that_are_all_equal_are_not_shaded_like_the_diagonal(
    metric: str, legend: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("square.csv", "id,one,other\n1,x,x\n2,x,y\n3,y,x\n4,y,y\n")
    text = run_clustcmp(capsys, "matrix", "square.csv::*", "-m", metric).stdout
    rows = [line for line in text.splitlines() if line.split()[1:2] in (["one"], ["other"])]
    shades = [[c for c in row if c in "░▒▓█"] for row in rows]
    assert shades == [["█", "░"], ["░", "█"]]
    assert legend in text


def test_values_that_are_all_the_best_have_a_legend(capsys: pytest.CaptureFixture[str]) -> None:
    write("same.csv", "id,one,other\n1,x,x\n2,x,x\n3,y,y\n")
    text = run_clustcmp(capsys, "matrix", "same.csv::*", "-m", "vi").stdout
    assert "█ all values are 0.000000" in text
    assert not set("░▒▓") & set(text)


def shades_of(text: str) -> list[str]:
    """The shades of each row of a matrix, from left to right."""
    return ["".join(re.findall("[░▒▓█]", row)) for row in rows_of(text)]


def rows_of(text: str) -> list[str]:
    """The rows of a matrix."""
    return [line for line in text.splitlines() if re.match(r"\d+ [◆ ] ", line)]


# Of four points, x and y are two pairs; b splits a pair, c crosses them, d is like a.
FOUR = "id,a,b,c,d\n1,x,x,x,x\n2,x,y,y,x\n3,y,z,x,y\n4,y,z,y,y\n"


@pytest.mark.parametrize(
    ("metric", "shades", "legend"),
    [
        # The agreeing pairs of six: a and b 5, a and c 2, b and c 3, by hand.
        (
            "rand",
            {"ab": "█", "ac": "▒", "bc": "▓"},
            "░ below 0.25   ▒ from 0.25   ▓ from 0.50   █ from 0.75",
        ),
        # A point of four is outside of the matches of a and b, two of those of a and c, b and c.
        (
            "ce",
            {"ab": "▓", "ac": "▒", "bc": "▒"},
            "█ below 0.25   ▓ from 0.25   ▒ from 0.50   ░ from 0.75",
        ),
    ],
)
def test_shades_are_absolute_where_worst_and_best_are_finite(
    metric: str, shades: dict[str, str], legend: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("four.csv", FOUR)
    for columns in ("abcd", "ab"):
        names = [f"four.csv::{name}" for name in columns]
        text = run_clustcmp(capsys, "matrix", *names, "-m", metric, "--order", "given").stdout
        assert legend in text
        found = dict(zip(columns, shades_of(text), strict=True))
        for pair, shade in shades.items():
            if set(pair) <= set(columns):
                assert found[pair[0]][columns.index(pair[1])] == shade


def test_shades_are_relative_where_an_end_is_infinite(capsys: pytest.CaptureFixture[str]) -> None:
    write("four.csv", FOUR)
    names = [f"four.csv::{name}" for name in "abc"]
    text = run_clustcmp(capsys, "matrix", *names, "-m", "mirkin", "--order", "given").stdout
    # Twice the pairs of which only one clustering has both points together: 2, 8 and 6.
    assert [row.split()[-3:] for row in rows_of(text)] == [
        ["0█", "2█", "8░"],
        ["2█", "0█", "6▒"],
        ["8░", "6▒", "0█"],
    ]
    assert "█ below 3.50   ▓ from 3.50   ▒ from 5.00   ░ from 6.50" in text


@pytest.mark.parametrize("format", ["table", "csv", "markdown"])
def test_columns_of_stdin_are_named_as_they_are_typed(
    format: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(monkeypatch, "id,one,other\n1,x,x\n2,x,y\n3,y,x\n")
    arguments = ["-::*", "--reference", "-::one"] if format == "table" else ["-::*"]
    text = run_clustcmp(capsys, "matrix", *arguments, "-f", format).stdout
    assert "-::one" in text
    assert "/dev/stdin" not in text


@pytest.mark.parametrize("form", ["table", "markdown", "csv", "json"])
@pytest.mark.parametrize("more", [[], ["--reference", "a.txt"]], ids=["square", "ranking"])
@pytest.mark.usefixtures("approximate_rand")
def test_approximate_values_are_shown_with_their_intervals(
    form: str, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    names = [write("a.txt", "1\n2\n3\n"), write("b.txt", "1\n1\n2\n"), write("c.txt", "1\n1\n1\n")]
    outcome = run_clustcmp(capsys, "matrix", *names, *more, "-m", "rand", "-f", form)
    assert outcome.status == 0, outcome.stderr
    if form == "csv":
        row = list(csv.DictReader(io.StringIO(outcome.stdout)))[1]
        ends = ("low", "high") if more else ("a.txt::low", "a.txt::high")
        assert [row[end] for end in ends] == ["0.25", "0.75"]
    elif form == "json":
        assert [0.25, 0.75] in (
            [one["bounds"] for one in json.loads(outcome.stdout)["results"][0]["ranking"]]
            if more
            else [one["bounds"] for one in json.loads(outcome.stdout)["results"][0]["approximate"]]
        )
    else:
        assert "0.500000 (0.250000 to 0.750000)" in outcome.stdout


@pytest.mark.usefixtures("approximate_rand")
def test_data_frames_have_the_ends_of_intervals() -> None:
    report = clustcmp.matrix([[1, 1, 2], [1, 2, 2]], "rand")
    assert report.to_frame(number="low").to_numpy()[0, 1] == 0.25
    assert report.to_frame("rand", "high").to_numpy()[1, 0] == 0.75


def test_a_matrix_in_python_shows_what_the_command_prints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for reference in (None, IRIS[2]):
        report = clustcmp.matrix(IRIS, reference=reference)
        words = [] if reference is None else ["--reference", reference]
        for form in ("table", "markdown", "csv", "json"):
            printed = run_clustcmp(capsys, "matrix", *IRIS, *words, "-f", form).stdout
            assert report.to_text(form) == printed
    with pytest.raises(UsageError, match="one matrix"):
        clustcmp.matrix(IRIS, ["ari", "vi"]).to_text("csv")
