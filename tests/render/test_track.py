"""Tracks as people and programs see them, in every format."""

from __future__ import annotations

import csv
import io
import json
import random
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import clustcmp
from tests.files import run_clustcmp, write

ROOT = Path(__file__).parent.parent.parent
SAMPLES = [str(ROOT / f"examples/windows/sample{number}.csv") for number in range(1, 6)]
IRIS = str(ROOT / "examples/iris.csv")
CLUSTERINGS = [
    str(ROOT / f"examples/{name}.csv")
    for name in ("iris_species", "iris_kmeans_good", "iris_soft", "iris_kmeans_bad")
]


@pytest.fixture
def windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three windows: nothing changes, then two clusters of three become one; rand is 1, 0.4."""
    monkeypatch.chdir(tmp_path)
    names = []
    for number, labels in enumerate(["aaabbb", "xxxyyy", "xxxxxx"], 1):
        rows = "".join(f"{point},{label}\n" for point, label in enumerate(labels))
        names.append(write(f"w{number}.csv", f"id,label\n{rows}"))
    return names


@pytest.mark.parametrize("form", ["table", "markdown", "csv", "json"])
@pytest.mark.usefixtures("approximate_rand")
def test_approximate_values_are_shown_with_their_intervals(
    form: str, windows: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["track", *windows, "-m", "rand", "--min", "rand=0.4", "-f", form]
    text = run_clustcmp(capsys, *words).stdout
    if form == "csv":
        # The first two windows are equal, so that their value is exact.
        assert [row["low"] for row in csv.DictReader(io.StringIO(text))] == ["", "0.25"]
    elif form == "json":
        assert json.loads(text)["steps"][1]["results"][0]["bounds"] == [0.25, 0.75]
        (bound,) = json.loads(text)["verdict"]["bounds"]
        assert bound["failed"] == [
            {"from": "W2", "to": "W3", "value": 0.25, "bounds": [0.25, 0.75]}
        ]
    else:
        assert "0.500000 (0.250000 to 0.750000)" in text
        assert "W2 → W3 (0.250000 (the worse end of 0.250000 to 0.750000))" in text


@pytest.mark.parametrize("form", ["table", "markdown", "csv", "json"])
@pytest.mark.usefixtures("approximate_rand")
def test_a_jump_to_an_approximate_value_has_its_interval(
    form: str, windows: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = run_clustcmp(capsys, "track", *windows, "-m", "rand", "-f", form).stdout
    if form == "csv":
        (row,) = [row for row in csv.DictReader(io.StringIO(text)) if row["jump"] == "true"]
        assert (row["value"], row["low"], row["high"]) == ("0.5", "0.25", "0.75")
    elif form == "json":
        (jump,) = json.loads(text)["jumps"]
        assert (jump["value"], jump["bounds"]) == (0.5, [0.25, 0.75])
    else:
        (line,) = [line for line in text.splitlines() if "largest jump" in line]
        assert "0.500000 (0.250000 to 0.750000)" in line
    (found,) = clustcmp.track(windows, "rand").jumps
    assert found.interval == (0.25, 0.75)


def test_a_track_in_python_shows_what_the_command_prints(
    windows: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    report = clustcmp.track(windows, ["rand", "vi"], min={"rand": 0.9})
    bounds = ["-m", "rand", "-m", "vi", "--min", "rand=0.9"]
    for form in ("table", "markdown", "csv", "json"):
        printed = run_clustcmp(capsys, "track", *windows, *bounds, "-f", form).stdout
        assert report.to_text(form) == printed
    assert report.inputs == report.windows


def test_a_data_frame_has_a_row_for_each_metric_at_each_step(windows: list[str]) -> None:
    frame = clustcmp.track(windows, ["rand", "vi"], min={"rand": 0.9}).to_frame()
    assert frame.index.names == ["from", "to", "metric"]
    assert frame["outcome"].fillna("").to_list() == ["pass", "", "fail", ""]
    assert frame.groupby("metric")["jump"].sum().to_dict() == {
        "rand": 1,
        "variation_of_information": 1,
    }


def test_the_verdict_of_a_track_names_the_steps(windows: list[str]) -> None:
    verdict = clustcmp.track(windows, "rand", min={"rand": 0.9}).verdict
    assert verdict is not None
    assert [check.step for check in verdict.checks] == [("W1", "W2"), ("W2", "W3")]
    assert "rand ≥ 0.9 at W1 → W2" in verdict.to_text()


def schema() -> Any:
    """The schema as it is shipped."""
    return json.loads((files("clustcmp.schemas") / "track-1.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "arguments",
    [
        [*SAMPLES, "--coordinates", IRIS],
        [*SAMPLES, "--coordinates", IRIS, "--max", "adco=0.3", "--window-lag", "2"],
        [*CLUSTERINGS, "-m", "all", "--coordinates", IRIS],
        [*CLUSTERINGS, "--no-life-lines", "--min", "ari:null=sampled,draws=9=0"],
    ],
    ids=["default", "verdict", "all", "no lines"],
)
def test_json_fits_the_shipped_schema(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(run_clustcmp(capsys, "track", *arguments, "-f", "json").stdout)
    validator = jsonschema.Draft202012Validator(schema())
    validator.check_schema(schema())
    validator.validate(document)
    assert (document["life_lines"] is None) == ("--no-life-lines" in arguments)


def test_json_names_the_steps_that_break_a_bound(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [*SAMPLES, "--coordinates", IRIS, "--max", "adco=0.3", "-f", "json"]
    document = json.loads(run_clustcmp(capsys, "track", *arguments).stdout)
    (bound,) = document["verdict"]["bounds"]
    assert [(step["from"], step["to"]) for step in bound["failed"]] == [("W4", "W5")]
    assert document["jumps"][0]["value"] == document["steps"][3]["results"][0]["value"]


def test_every_format_for_people_says_how_many_points_are_shared(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["track", *SAMPLES, "--coordinates", IRIS]
    for form in ("table", "markdown"):
        out = run_clustcmp(capsys, *arguments, "-f", form).stdout
        shared = [line.split("hard")[-1].strip(", ") for line in out.splitlines()[:5]]
        assert shared == ["", "15 also in W1", "15 also in W2", "0 also in W3", "0 also in W4"]
    document = json.loads(run_clustcmp(capsys, *arguments, "-f", "json").stdout)
    assert document["steps"][0]["coverage"] == {"shared": 15, "only_a": 15, "only_b": 15}


def test_csv_has_a_line_for_each_step_and_metric(capsys: pytest.CaptureFixture[str]) -> None:
    bounds = ["-m", "rand", "--max", "adco=0.3", "--coordinates", IRIS]
    outcome = run_clustcmp(capsys, "track", *CLUSTERINGS, *bounds, "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(outcome.stdout)))
    assert [(row["from"], row["metric"]) for row in rows[:2]] == [("W1", "rand"), ("W1", "adco")]
    assert len(rows) == 6
    assert [row["outcome"] for row in rows] == ["", "pass", "", "pass", "", "fail"]
    assert [row["jump"] for row in rows if row["metric"] == "adco"] == ["false", "false", "true"]


def test_a_single_step_has_no_jump_in_any_format(
    windows: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["track", *windows[1:], "-m", "rand", "-f"]
    rows = csv.DictReader(io.StringIO(run_clustcmp(capsys, *arguments, "csv").stdout))
    assert [(row["value"], row["jump"]) for row in rows] == [("0.4", "false")]
    assert json.loads(run_clustcmp(capsys, *arguments, "json").stdout)["jumps"] == []
    for form in ("table", "markdown"):
        assert "jump" not in run_clustcmp(capsys, *arguments, form).stdout


def test_csv_has_the_worst_outcome_of_two_bounds(
    windows: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    bounds = ["--min", "rand=0.5", "--max", "rand=1"]
    outcome = run_clustcmp(capsys, "track", *windows, *bounds, "-f", "csv")
    rows = csv.DictReader(io.StringIO(outcome.stdout))
    assert [row["outcome"] for row in rows] == ["pass", "fail"]


def test_the_same_bytes_for_any_number_of_threads_and_order_of_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shuffled = []
    for path in SAMPLES:
        header, *rows = Path(path).read_text(encoding="utf-8").splitlines()
        random.Random(3).shuffle(rows)
        copy = tmp_path / Path(path).name
        copy.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
        shuffled.append(str(copy))
    outputs = set()
    for paths, jobs in ((SAMPLES, "1"), (SAMPLES, "2"), (shuffled, "2")):
        options = ["--coordinates", IRIS, "-m", "adco", "-m", "cdistance", "-j", jobs]
        out = run_clustcmp(capsys, "track", *paths, *options, "-f", "json").stdout
        document = json.loads(out)
        for window in document["windows"]:
            window["file"] = Path(window["file"]).name
        outputs.add(json.dumps(document))
    assert len(outputs) == 1


HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "two\nlines",
    "a|b|c",
    "<script>`x`",
    "漢字" * 60,
    "x" * 200,
    "\u202eright to left",
    "é\u0301\u0301",
    "z" + "\u0301" * 2000,
]


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two windows with labels that try to break a table; half of them are renamed."""
    monkeypatch.chdir(tmp_path)
    for name, suffix in (("one.csv", ""), ("two.csv", "'")):
        with open(name, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["id", "label"])
            writer.writerows([i, HOSTILE[i // 3] + suffix] for i in range(3 * len(HOSTILE)))
    return ["one.csv", "two.csv"]


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_labels_cannot_break_a_table(
    form: str, hostile: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    from rich.cells import cell_len

    out = run_clustcmp(capsys, "track", *hostile, "-f", form).stdout
    assert "\x1b" not in out
    assert "\u202e" not in out
    lines = out.splitlines()
    if form == "table":
        table = lines[[line.startswith("  cluster") for line in lines].index(True) + 1 :]
        table = table[: table.index("")]
        # The strip of masses is in the same column of the screen in every row.
        assert len({cell_len(line[: line.index("█")]) for line in table}) == 1
        assert all(cell_len(line) < 110 and len(line) < 200 for line in table)
        assert len(table) == len(HOSTILE)
    else:
        rows = [line for line in lines if "W2: called" in line]
        assert len(rows) == len(HOSTILE)
        assert all(row.replace("\\|", "").count("|") == 5 and len(row) < 300 for row in rows)


def test_many_clusters_show_the_largest_and_count_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "many.txt"
    path.write_text("".join(f"c{i // 2}\n" for i in range(10_000)) + "big\n" * 9, encoding="utf-8")
    arguments = ["track", str(path), str(path), "-q"]
    few, every = run_clustcmp(capsys, *arguments), run_clustcmp(capsys, *arguments, "--all")
    assert "5,001 life lines: 5,001 throughout" in few.stdout
    assert "and 4,981 more life lines: --all shows them" in few.stdout
    lines = few.stdout.splitlines()
    assert (
        lines[[line.startswith("  cluster") for line in lines].index(True) + 1].split()[0] == "big"
    )
    assert len(few.stdout.splitlines()) < 40
    assert len(every.stdout.splitlines()) > 5_000


def test_the_series_is_drawn_as_the_distance_from_the_best(
    windows: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["track", *windows, windows[1], "-m", "rand", "-m", "vi"]
    lines = run_clustcmp(capsys, *arguments).stdout.splitlines()
    # High is far, for a similarity and for a distance.
    assert "rand  ▁██  ↑ 1" in lines
    assert "variation_of_information  ▁██  ↓ 0  nats" in lines
    assert lines[7].split() == ["W1", "→", "W2", "1.000000"]
    assert lines[8].split()[3:] == ["0.400000", "█" * 20, "largest", "jump"]


def test_many_windows_fit_the_screen(
    windows: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = run_clustcmp(capsys, "track", *[windows[0], windows[2]] * 100, "-m", "rand")
    widest = max(outcome.stdout.splitlines(), key=len)
    assert len(widest) < 120
    assert outcome.stdout.count("largest jump") == 1


@pytest.mark.parametrize("columns", [80, 100, 200])
def test_all_columns_of_life_lines_fit_a_terminal(
    columns: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.chdir(tmp_path)
    one, two = (f"a-name-of-thirty-characters-{end}" for end in ("01", "02"))
    write("one.txt", f"{one}\n" * 2000 + f"{two}\n" * 1500)
    write("two.txt", f"{one}\n" * 3500)
    arguments = ["track", *["one.txt"] * 30, *["two.txt"] * 30, "-q", "--color", "never"]
    out = run_clustcmp(capsys, *arguments, "-m", "rand").stdout
    head, *rows = out[out.index("  cluster") :].splitlines()
    assert head.split() == ["cluster", "W1-W60", "mass", "what", "happened"]
    assert max(map(len, [head, *rows])) <= columns
    text = " ".join(" ".join(rows).split())
    assert "2,000 → 3,500" in text
    assert "W31: merged into a-name" in text
    # The ends tell the names apart.
    assert rows[0].split()[0].endswith("-01")


def test_inapplicable_metrics_share_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["track", *SAMPLES, "--coordinates", IRIS, "-m", "information", "-m", "adco"]
    for form in ("table", "markdown"):
        lines = run_clustcmp(capsys, *arguments, "-f", form).stdout.splitlines()
        folded = [line for line in lines if "joint_entropy" in line]
        assert len(folded) == 1
        assert folded[0].startswith("not applicable (needs the same points in a and b):")


def test_of_many_lines_those_that_begin_or_end_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, tail in (("one.txt", "c0\nc0\n"), ("two.txt", "c0\nnew\n")):
        rows = "".join(f"c{i // 3}\n" for i in range(300)) + tail
        (tmp_path / name).write_text(rows, encoding="utf-8")
    paths = [str(tmp_path / name) for name in ("one.txt", "two.txt")]
    out = run_clustcmp(capsys, "track", *paths, "-q").stdout.splitlines()
    end = out.index("  and 81 more life lines: --all shows them")
    assert out[end - 1].split() == ["new", "·▂", "1", "W2:", "split", "from", "c0"]


@pytest.mark.parametrize("format", ["table", "markdown"])
def test_lines_below_the_life_lines_explain_them(format: str) -> None:
    # b merges into a; from a the points 7 and 8 split off as c.
    first = dict(zip("12345678", "aaaabbaa", strict=True))
    second = dict(zip("12345678", "aaaaaacc", strict=True))
    text = clustcmp.track([first, second]).to_text(format)
    lines = [line.strip() for line in text.splitlines()]
    assert (
        "life line: goes on with the cluster that has more than half of it, else with one that "
        "mostly comes from it"
    ) in lines
    assert "mass: the number of points, from the first window of the line to the last" in lines
    assert (
        "split from: more than half of it comes from this cluster, which goes on as another one"
        in (lines)
    )
    assert (
        "merged into: more than half of it went to this cluster, which continues another one"
        in (lines)
    )
    assert not any(line.startswith(("born:", "died:")) for line in lines)


def test_births_deaths_and_the_mass_of_soft_windows_are_explained() -> None:
    first = {"1": "a", "2": "a", "3": "a", "4": "a", "5": "b", "6": "b"}
    second = {"1": "a", "2": "a", "3": "a", "4": "a", "7": "c", "8": "c"}
    text = clustcmp.track([first, second], points="intersect").to_text()
    assert "born: no earlier cluster gives more than half of it" in text
    assert "died: no later cluster has more than half of it" in text
    degrees = np.array([[0.9, 0.1], [0.2, 0.8]])
    soft = clustcmp.track([degrees, degrees], "ari").to_text()
    assert "mass: the sum of degrees" in soft


def test_the_help_of_track_explains_life_lines(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(run_clustcmp(capsys, "track", "--help").stdout.split())
    for words in ("A life line is", "merged into", "died", "split from", "was born", "The mass of"):
        assert words in text
