"""The table of clusterings and references as people and programs see it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from rich.cells import cell_len

import clustcmp
from tests.analyses.test_matrix import IRIS, SOFT
from tests.files import run_clustcmp, write
from tests.render.test_matrix import write_hostile

FORMATS = ("table", "markdown", "latex", "csv", "json")

# Adjusted Rand and purity with TRUTH by hand: 1 and 1 for SAME, 4/7 and 1 for FINE, 0 and 1/2 for
# ONE; variation of information: 0, ln(2)/2 and ln(2).
TRUTH, SAME, FINE, ONE = [0, 0, 1, 1], [1, 1, 0, 0], [0, 0, 1, 2], [0, 0, 0, 0]
CLUSTERINGS = {"one": ONE, "fine": FINE, "same": SAME}
METRICS = ["ari", "purity", "vi"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has its own folder."""
    monkeypatch.chdir(tmp_path)


def test_several_metrics_are_one_table() -> None:
    report = clustcmp.matrix(CLUSTERINGS, METRICS, reference=TRUTH)
    lines = report.to_text().splitlines()
    assert lines[:7] == [
        "3 clusterings of 4 points, joined by position, compared with reference "
        "(4 points, 2 clusters, hard)",
        "",
        "         adjusted_rand ↑   purity ↑   variation_of_information ↓",
        "1  same         1.000000*  1.000000*                    0.000000*  2 clusters, hard",
        "2  fine         0.571429   1.000000*                    0.346574   3 clusters, hard",
        "3  one          0.000000   0.500000                     0.693147   1 cluster, hard",
        "",
    ]
    for line, found in zip(lines[7:10], report, strict=True):
        arrow = "↑" if found.higher_is_better else "↓"
        assert line.split() == [found.metric, arrow, f"{found.best:g}", *found.convention.split()]
    assert lines[10:] == ["", "↑ higher is better   ↓ lower is better   * best of its column"]


def test_one_metric_has_no_head_and_no_marks() -> None:
    text = clustcmp.matrix(CLUSTERINGS, "ari", reference=TRUTH).to_text()
    assert text.splitlines()[2:] == [
        "adjusted_rand  ↑ 1  Hubert-Arabie, 0 is chance",
        "1  same  1.000000  2 clusters, hard",
        "2  fine  0.571429  3 clusters, hard",
        "3  one   0.000000  1 cluster, hard",
        "",
        "↑ higher is better   ↓ lower is better",
    ]


def test_markdown_has_the_best_values_in_bold() -> None:
    text = clustcmp.matrix(CLUSTERINGS, METRICS, reference=TRUTH).to_text("markdown", digits=2)
    assert "| `same` | **1.00** | **1.00** | **0.00** | 2 |" in text
    assert "| `fine` | 0.57 | **1.00** | 0.35 | 3 |" in text
    assert "| clustering | adjusted_rand ↑ | purity ↑ | variation_of_information ↓ |" in text


def test_latex_has_the_best_values_in_bold() -> None:
    text = clustcmp.matrix(CLUSTERINGS, METRICS, reference=TRUTH).to_text("latex", digits=2)
    assert "\\begin{tabular}{lrrrr}\n" in text
    assert "same & \\textbf{1.00} & \\textbf{1.00} & \\textbf{0.00} & 2 \\\\\n" in text
    assert "one & 0.00 & 0.50 & 0.69 & 1 \\\\\n" in text


def test_a_terminal_has_the_best_values_in_bold(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["matrix", *IRIS[1:], "--reference", IRIS[0], "-m", "ari", "-m", "vi"]
    text = run_clustcmp(capsys, *words, "--color", "always").stdout
    good, bad = (line for line in text.splitlines() if "kmeans_" in line)
    assert good.count("\x1b[1m") == 2
    assert "\x1b[1m" not in bad


def test_a_metric_without_a_direction_has_no_best_value() -> None:
    text = clustcmp.matrix(CLUSTERINGS, ["ari", "entropy_b"], reference=TRUTH).to_text()
    assert [line.count("*") for line in text.splitlines()[3:6]] == [1, 0, 0]


def test_several_references_have_a_column_each() -> None:
    everyone = {"truth": TRUTH, **CLUSTERINGS}
    report = clustcmp.matrix(everyone, "ari", reference=["truth", "fine"])
    lines = report.to_text().splitlines()
    assert lines[:4] == [
        "2 clusterings of 4 points, joined by position, compared with 2 references",
        "",
        "reference  truth  4 points  2 clusters  hard",
        "reference  fine   4 points  3 clusters  hard",
    ]
    assert [line.split() for line in lines[5:9]] == [
        ["adjusted_rand", "↑", "adjusted_rand", "↑"],
        ["truth", "fine"],
        ["1", "same", "1.000000*", "0.571429*", "2", "clusters,", "hard"],
        ["2", "one", "0.000000", "0.000000", "1", "cluster,", "hard"],
    ]
    assert "| clustering | adjusted_rand ↑, truth | adjusted_rand ↑, fine | clusters |" in (
        report.to_text("markdown")
    )
    assert "- **reference**: `fine`, 4 points, 3 clusters, hard" in report.to_text("markdown")


def test_the_best_names_its_reference() -> None:
    everyone = {"truth": TRUTH, "alone": [0, 1, 2, 3], **CLUSTERINGS}
    report = clustcmp.matrix(
        everyone, ["ari", "homogeneity"], reference=["truth", "alone"], best=True
    )
    rows = [line.split()[:6] for line in report.to_text().splitlines() if line[:1].isdigit()][1:]
    # With each point alone nothing is homogeneous; fine is, within truth.
    assert rows == [
        ["1", "same", "1.000000*", "truth", "1.000000*", "truth"],
        ["2", "fine", "0.571429", "truth", "1.000000*", "truth"],
        ["3", "one", "0.000000", "truth", "0.000000", "truth"],
    ]
    assert "compared with the best of 2 references" in report.to_text()
    assert "| `fine` | 0.571429 | truth | **1.000000** | truth | 3 |" in report.to_text("markdown")
    assert "fine & 0.571429 & truth & \\textbf{1.000000} & truth & 3" in report.to_text("latex")


def test_csv_has_a_line_for_each_value_with_its_reference(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["matrix", *IRIS[1:], "-m", "ari", "-m", "vi", "-f", "csv"]
    words += ["--reference", IRIS[0], "--reference", SOFT[0]]
    every = list(csv.DictReader(io.StringIO(run_clustcmp(capsys, *words).stdout)))
    assert len(every) == 2 * 2 * 2
    assert [row["reference"] for row in every[:4]] == [IRIS[0]] * 2 + [SOFT[0]] * 2
    best = list(csv.DictReader(io.StringIO(run_clustcmp(capsys, *words, "--best").stdout)))
    assert len(best) == 2 * 2
    for row in best:
        values = [
            float(one["value"])
            for one in every
            if (one["metric"], one["name"]) == (row["metric"], row["name"])
        ]
        choose = max if row["metric"] == "adjusted_rand" else min
        assert float(row["value"]) == choose(values)


@pytest.mark.parametrize("order", ["similarity", "given"])
def test_rows_are_in_the_same_order_in_table_and_csv(
    order: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("t.csv", "id,bad,good,truth\n1,x,x,x\n2,y,x,x\n3,x,y,y\n4,y,y,y\n")
    words = ["matrix", "t.csv::*", "--reference", "t.csv::truth", "-m", "ari", "-m", "vi"]
    wanted = ["good", "bad"] if order == "similarity" else ["bad", "good"]
    table = run_clustcmp(capsys, *words, "--order", order).stdout
    assert [line.split()[1] for line in table.splitlines()[3:5]] == wanted
    text = run_clustcmp(capsys, *words, "--order", order, "-f", "csv").stdout
    names = [row["name"] for row in csv.DictReader(io.StringIO(text))]
    assert names == [f"t.csv::{name}" for name in wanted] * 2


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("more", [[], ["--best"]], ids=["all", "best"])
def test_a_wide_table_goes_on_below_and_loses_nothing(
    width: int,
    more: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    metrics = [word for name in ("ari", "vi", "nmi", "ami", "rand") for word in ("-m", name)]
    words = ["matrix", *IRIS[1:], "--reference", IRIS[0], "--reference", SOFT[0], *metrics, *more]
    whole = run_clustcmp(capsys, *words).stdout
    values = {word for line in whole.splitlines() for word in line.split() if word[:2] == "0."}
    assert len(values) >= 8
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    lines = run_clustcmp(capsys, *words, "--color", "never").stdout.splitlines()
    assert max(map(cell_len, lines)) <= width
    shown = {word for line in lines for word in line.split()}
    assert values <= shown
    # No row is broken: before its values there is a name.
    rows = [line.split() for line in lines if any(value in line.split() for value in values)]
    assert all(row[1].endswith(("good", "bad")) for row in rows)
    heads = "".join(line.strip() for line in lines)
    assert all(f"{name} " in heads or f"{name}↑" in heads for name in ("nmi", "ami"))


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_hostile_names_of_references_stay_in_their_cells(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_hostile()
    references = ["--reference", f"{file}::a|b", "--reference", f"{file}::\x1b[31mred"]
    words = ["matrix", f"{file}::*", *references, "-m", "ari", "-m", "vi", "-f", form]
    for more in ([], ["--best"]):
        outcome = run_clustcmp(capsys, *words, *more)
        assert outcome.status == 0, outcome.stderr
        assert "\x1b" not in outcome.stdout
        if form == "markdown":
            rows = [line for line in outcome.stdout.splitlines() if line.startswith("|")]
            assert len({row.replace("\\|", "").count("|") for row in rows}) == 1


@pytest.mark.parametrize("best", [False, True])
def test_python_shows_what_the_command_prints(
    best: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    references = [IRIS[0], SOFT[0]]
    report = clustcmp.matrix(
        IRIS[1:], ["ari:soft=matrix", "vi"], reference=references, best=best, sort="vi", jobs=1
    )
    words = ["matrix", *IRIS[1:], "-m", "ari:soft=matrix", "-m", "vi", "--sort", "vi"]
    words += ["--reference", IRIS[0], "--reference", SOFT[0], *(["--best"] if best else [])]
    for form in FORMATS:
        assert report.to_text(form) == run_clustcmp(capsys, *words, "-f", form).stdout


def test_a_report_with_references_is_brief_at_the_prompt() -> None:
    everyone = {"truth": TRUTH, **CLUSTERINGS}
    several = repr(clustcmp.matrix(everyone, METRICS, reference=["truth", "fine"])).splitlines()
    assert several[0].endswith("compared with truth")
    assert several[-1] == "  and 3 more columns: to_frame() has all"
    best = clustcmp.matrix(everyone, METRICS, reference=["truth", "fine"], best=True)
    assert repr(best).splitlines()[0].endswith("compared with the best of 2 references")


def test_what_is_missing_is_told_with_its_metric(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["matrix", IRIS[1], SOFT[0], "--reference", IRIS[0], "-m", "ari", "-m", "ami"]
    text = run_clustcmp(capsys, *words).stdout
    assert "— ami: not applicable (needs hard clusterings): 1 of the cells" in text
