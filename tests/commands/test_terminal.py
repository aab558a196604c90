"""What a person sees: lines that fit the terminal, and indented lines where a sentence goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from clustcmp.commands.messages import wrap
from clustcmp.metrics import METRICS
from tests.files import Outcome, run_clustcmp, write

ROOT = Path(__file__).parent.parent.parent

COMMANDS = {
    "compare": "compare iris_species.csv iris_kmeans_bad.csv --coordinates iris.csv",
    "compare all": "compare iris_soft.csv iris_kmeans_bad.csv -m all",
    "significance": "compare iris_species.csv iris_kmeans_good.csv --confidence 0.95 "
    "--permutations 99 --versus iris_kmeans_bad.csv --seed 1",
    "changes": "changes iris_species.csv iris_kmeans_bad.csv --coordinates iris.csv",
    "matrix": "matrix iris_species.csv iris_kmeans_bad.csv iris_kmeans_good.csv",
    "ranking": "matrix iris_kmeans_bad.csv iris_kmeans_good.csv --reference iris_species.csv",
    "track": "track windows/sample1.csv windows/sample2.csv windows/sample3.csv "
    "--coordinates iris.csv --max adco=0.1",
    "gate": "gate --config gates.toml --all",
    "metrics": "metrics",
    "metric": "metrics adco",
    "error": "compare iris_species.csv entities/found.csv",
    "usage": "compare iris_species.csv --no-such-flag",
}


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder with the examples."""
    monkeypatch.chdir(ROOT / "examples")


def see(
    columns: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *arguments: str,
) -> Outcome:
    """What a command shows in a terminal of this width, without colours."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    return run_clustcmp(capsys, *arguments)


@pytest.mark.parametrize("columns", [60, 80, 100])
@pytest.mark.parametrize("command", COMMANDS)
def test_lines_fit_the_terminal(
    command: str,
    columns: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outcome = see(columns, capsys, monkeypatch, *COMMANDS[command].split())
    lines = [*outcome.stdout.splitlines(), *outcome.stderr.splitlines()]
    assert [line for line in lines if cell_len(line) > columns] == []
    assert [line for line in lines if line.endswith(" ")] == []


def test_the_list_of_metrics_fits_80_columns_with_a_line_for_each(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = see(80, capsys, monkeypatch, "metrics").stdout.splitlines()
    # Each family has a line, and so has the head; the legend has four.
    assert len(lines) <= len(METRICS) + len(METRICS.families) + 5
    assert max(map(cell_len, lines)) <= 80
    names = [line.split()[0] for line in lines if line.startswith("  ")]
    assert names == list(METRICS)


def test_sentences_go_on_in_indented_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = see(60, capsys, monkeypatch, *COMMANDS["compare all"].split()).stdout
    assert "not applicable (needs hard clusterings): f_measure,\n  bcubed_precision, " in text
    text = see(80, capsys, monkeypatch, *COMMANDS["changes"].split()).stdout
    assert "\nIris-versicolor → C3 (92 %),  " in text
    assert "\n  =C2 (8 %), with Iris-virginica\n" in text


def test_messages_go_on_in_indented_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *others, hint = see(
        60, capsys, monkeypatch, *COMMANDS["error"].split()
    ).stderr.splitlines()
    assert first == "clustcmp: error: iris_species.csv and entities/found.csv do"
    assert others
    assert all(line.startswith("    ") for line in others)
    assert hint.startswith("  hint: ")
    first, second, *_ = see(60, capsys, monkeypatch, *COMMANDS["track"].split()).stderr.splitlines()
    assert first.startswith("note: ")
    assert second.startswith("      ")


def test_messages_are_one_line_each_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    error, hint = run_clustcmp(capsys, *COMMANDS["error"].split()).stderr.splitlines()
    assert error.endswith("(such as 'r04')")
    assert hint.startswith("  hint: ")


def test_no_column_of_a_table_is_cut_off(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["Monocytes CD14", "Monocytes CD16", "Natural killer"]
    for file, first in (("a.csv", 0), ("b.csv", 30)):
        rows = (f"p{i},{names[i * (first + 7) % 3]}\n" for i in range(first, first + 300))
        write(file, "id,label\n" + "".join(rows))
    write("xy.csv", "id,x,y\n" + "".join(f"p{i},{i % 17},{i % 23}\n" for i in range(330)))
    text = see(
        80, capsys, monkeypatch, "changes", "a.csv", "b.csv", "--coordinates", "xy.csv"
    ).stdout
    header = next(line for line in text.splitlines() if line.startswith("a → b"))
    assert header.split()[-5:] == ["left", "joined", "gone", "new", "cdistance"]
    assert len(header) <= 80


@given(
    st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z", "M"]) | st.just(" ")),
    st.integers(1, 90),
    st.integers(0, 12),
)
def test_wrapping_keeps_all_words_and_breaks_none(text: str, width: int, indent: int) -> None:
    lines = wrap(text, width, indent)
    assert " ".join(lines).split() == text.split()
    assert all(line.startswith(" " * indent) for line in lines[1:])
    for line in lines:
        assert len(line.split()) <= 1 or cell_len(line) <= width
