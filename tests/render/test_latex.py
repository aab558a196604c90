"""LaTeX: tables that compile whatever the names are, and comments besides."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp.render.latex import ESCAPES, escape
from tests.files import run_clustcmp, write
from tests.machine import needs
from tests.render.test_matrix import write_hostile
from tests.test_reports import REPORTS

# Every character that means something to TeX, and pairs that it joins.
SPECIAL = "\\ { } $ & # % _ ^ ~ < > | \" [ ] * -- --- `` '' ,, ?` !` ^^M \\\\[1em] \\input{x}"

# How the escapes read: the longest first.
READ = {shown: character for character, shown in ESCAPES.items()}
READ |= {"\\ ": " ", **{f"{character}{{}}": character for character in "-'`,!?"}}
TOKEN = re.compile("|".join(map(re.escape, sorted(READ, key=len, reverse=True))) + "|.", re.DOTALL)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has its own folder."""
    monkeypatch.chdir(tmp_path)


def read(latex: str) -> str:
    """The text that LaTeX shows for escaped text."""
    return "".join(READ.get(token, token) for token in TOKEN.findall(latex))


@given(st.text() | st.text(alphabet=SPECIAL))
def test_escaped_text_reads_as_the_text_and_has_no_command(text: str) -> None:
    escaped = escape(text)
    assert read(escaped) == text
    # Outside of what we write ourselves there is nothing that TeX would act upon.
    rest = "".join("\0" if token in READ else token for token in TOKEN.findall(escaped))
    assert not set(rest) & set("\\{}$&#%_^~[]*")
    assert not re.search(r"--|''|``|,,|[?!]`|  ", rest)


@pytest.mark.parametrize("command", [name for name in REPORTS if name != "metrics"])
def test_every_report_has_tables_with_rows_of_the_same_length(command: str) -> None:
    text = REPORTS[command]().to_text("latex")
    tables = re.findall(r"\\begin\{tabular\}\{([lr]+)\}\n(.*?)\\end\{tabular\}", text, re.DOTALL)
    assert tables
    for columns, body in tables:
        for row in body.splitlines():
            if row != r"\hline" and r"\multicolumn" not in row:
                assert row.endswith(r" \\")
                assert row.count(" & ") == len(columns) - 1


def test_what_is_not_a_table_is_a_comment() -> None:
    text = clustcmp.compare([1, 1, 2], [1, 2, 2], ["ari", "rand"]).to_text("latex")
    outside = re.sub(r"\\begin.*?\\end\{tabular\}", "", text, flags=re.DOTALL)
    assert all(line.startswith("%") for line in outside.splitlines() if line)
    # Rand by hand: of three pairs one is together in a only, one in b only, one in neither.
    assert "rand & 0.333333 & $\\uparrow$ 1 &" in text


def test_negative_numbers_have_a_minus() -> None:
    # Adjusted Rand by hand: -1/2.
    text = clustcmp.compare([0, 0, 1, 1], [0, 1, 0, 1], "ari").to_text("latex", digits=1)
    assert "adjusted\\_rand & $-$0.5 &" in text


def test_two_tables_are_two_paragraphs() -> None:
    text = clustcmp.matrix([[0, 0, 1], [0, 1, 1]], ["ari", "vi"]).to_text("latex")
    assert len(text.split("\n\n")) == 2


def write_special() -> str:
    """A file whose name and labels are full of commands."""
    rows = (f'p{i},"{label}"\n' for i, label in enumerate([SPECIAL.replace('"', '""'), "b", "b"]))
    return write("100%_$x^2&#{~}.csv", "id,label\n" + "".join(rows))


@needs("pdflatex")
@pytest.mark.parametrize("command", ["compare", "changes", "matrix", "ranking", "track", "gate"])
def test_pdflatex_compiles_hostile_names(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    special = write_special()
    words = {"gate": ["--min", "rand=0.1"], "ranking": ["--reference", special]}.get(command, [])
    name = "matrix" if command == "ranking" else command
    write("b.csv", "id,label\np0,*\np1,*\np2,[x]\n")
    outcome = run_clustcmp(capsys, name, special, "b.csv", *words, "-o", "table.tex")
    assert outcome.status == 0, outcome.stderr
    write("paper.tex", "\\documentclass{article}\\begin{document}\\input{table}\\end{document}")
    done = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_letters_beyond_ascii_stay_and_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    text = run_clustcmp(capsys, "matrix", f"{write_hostile()}::*", "-f", "latex").stdout
    assert text.startswith("% Some letters may need")
    assert "日本語のクラスタリング" in text
    assert "\x1b" not in text
    plain = clustcmp.matrix([[0, 0, 1], [0, 1, 1]]).to_text("latex")
    assert not plain.startswith("% Some letters")
