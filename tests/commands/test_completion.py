"""Shells complete metrics with their options, columns of files, gates, and paths."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clustcmp.cli import run
from clustcmp.read.header import peek_columns
from tests.files import write
from tests.machine import needs

PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with some files and gates."""
    monkeypatch.chdir(tmp_path)
    write("cells.csv", "\ufeffid,leiden,louvain,T cells\n1,a,b,c\n")
    write("cells.tsv", "id\tleiden\n1\ta\n")
    write("cells.csv.gz", gzip.compress(b"id,packed\n1,a\n"))
    write("broken.csv.gz", b"\x1f\x8b\x08 this is not gzip data")
    write("labels.txt", "a\nb\n")
    write("clustcmp.toml", '[gate]\na = "a.csv"\n[gate.nightly]\nari = { min = 0.9 }\n')
    write("other.toml", "[gate.weekly]\nari = { min = 0.9 }\n[gate.yearly]\nari = { min = 1 }\n")
    write("wrong.toml", "[gate\n")


def complete(
    line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """The words that a line can be completed with, as the scripts of shells ask for them."""
    monkeypatch.setenv("_CLUSTCMP_COMPLETE", "complete_fish")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", f"clustcmp {line}")
    monkeypatch.setenv("COLUMNS", "9999")
    with pytest.raises(SystemExit):
        run([])
    captured = capsys.readouterr()
    assert captured.err == ""
    return [answer.partition("\t")[0] for answer in captured.out.splitlines() if answer]


AVERAGES = ["arithmetic", "geometric", "min", "max", "joint"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("compare a b -m adjusted_r", ["adjusted_rand"]),
        ("compare a b -m nmi:av", ["nmi:average="]),
        ("compare a b -m nmi:average=", [f"nmi:average={word}" for word in AVERAGES]),
        ("compare a b -m vi:base=2,", ["vi:base=2,normalize="]),
        ("compare a b -m vi:base=2,normalize=jo", ["vi:base=2,normalize=joint"]),
        ("compare a b -m vi:base=", []),
        ("compare a b -m information:", []),
        ("compare a b -m no_such_metric:", []),
        ("gate a b --min ari", ["ari="]),
        ("gate a b --warn-min nmi:average=ge", ["nmi:average=geometric="]),
        ("gate a b --max=mirk", ["mirkin="]),
        ("gate a b --min informat", []),
        ("track a b --max adc", ["adco="]),
        ("compare cells.csv::l", ["cells.csv::leiden", "cells.csv::louvain"]),
        ("compare cells.csv::T", ["cells.csv::T cells"]),
        ("compare x cells.tsv::label=", ["cells.tsv::label=id", "cells.tsv::label=leiden"]),
        ("compare x cells.tsv::leiden,id=", ["cells.tsv::leiden,id=id"]),
        ("compare new=cells.tsv::le", ["new=cells.tsv::leiden"]),
        ("matrix x y cells.csv.gz::", ["cells.csv.gz::id", "cells.csv.gz::packed"]),
        ("track x cells.csv.gz::p", ["cells.csv.gz::packed"]),
        ("compare a b --coordinates cells.csv::leiden,lo", ["cells.csv::leiden,louvain"]),
        ("matrix a b --reference cells.tsv::l", ["cells.tsv::leiden"]),
        ("compare broken.csv.gz::", []),
        ("compare labels.txt::", []),
        ("compare missing.csv::", []),
        ("compare /dev/stdin::", []),
        ("compare cel", []),
        ("gate ", ["nightly"]),
        ("gate --config other.toml ", ["weekly", "yearly"]),
        ("gate --config other.toml y", ["yearly"]),
        ("gate --config wrong.toml ", []),
        ("gate --config missing.toml ", []),
        ("gate a.csv ", []),
        ("gate cells.tsv::l", ["cells.tsv::leiden"]),
        ("compare a b --points ", ["error", "intersect"]),
        ("metr", ["metrics"]),
    ],
)
def test_lines_are_completed_with_what_fits(
    line: str,
    words: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert complete(line, capsys, monkeypatch) == words


@given(st.binary(max_size=60), st.sampled_from(["csv", "tsv", "csv.gz", "csv.bz2", "csv.xz", "x"]))
def test_looking_for_columns_is_never_an_error(data: bytes, ending: str) -> None:
    write(f"any.{ending}", data)
    assert all(peek_columns(f"any.{ending}"))


def script_of(shell: str) -> str:
    """The script that `clustcmp --show-completion` prints for a shell."""
    environment = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    command = [sys.executable, "-m", "clustcmp", "--show-completion", shell]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


# What is typed, how bash breaks it into words, and what bash puts instead of the last word.
BASH_CASES = [
    ("-m nmi:av", ["-m", "nmi", ":", "av"], "average="),
    ("-m nmi:average=", ["-m", "nmi", ":", "average", "="], " ".join(AVERAGES)),
    ("cells.csv::T", ["cells.csv", "::", "T"], "T\\ cells"),
    ("cells.csv::", ["cells.csv", "::"], "id leiden louvain T\\ cells"),
    ("cel", ["cel"], ""),
]


@pytest.mark.parametrize(("typed", "words", "reply"), BASH_CASES)
def test_bash_completes_words_that_it_breaks(typed: str, words: list[str], reply: str) -> None:
    line = f"clustcmp compare {typed}"
    quoted = " ".join(f"'{word}'" for word in ["clustcmp", "compare", *words])
    script = f"""{script_of("bash")}
compopt() {{ :; }}
COMP_LINE='{line}' COMP_POINT={len(line)} COMP_WORDS=({quoted}) COMP_CWORD={len(words) + 1}
_clustcmp_completion clustcmp
echo "${{COMPREPLY[*]}}"
"""
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        env={**os.environ, "PATH": PATH},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (f"{reply}\n", "")


@needs("fish")
@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("lab", ["labels.txt"]),
        ("a b -m nmi:av", ["nmi:average="]),
        ("cells.csv::lo", ["cells.csv::louvain"]),
        ("a b --coordinates=cells.ts", ["--coordinates=cells.tsv"]),
        ("old=cells.ts", ["old=cells.tsv"]),
    ],
)
def test_fish_completes_paths_and_words(typed: str, words: list[str]) -> None:
    write("script.fish", script_of("fish"))
    done = subprocess.run(
        [
            "fish",
            "--no-config",
            "-c",
            f"source script.fish; complete -C 'clustcmp compare {typed}'",
        ],
        env={**os.environ, "PATH": PATH},
        capture_output=True,
        text=True,
        check=True,
    )
    assert [answer.partition("\t")[0] for answer in done.stdout.splitlines()] == words


@needs("zsh")
def test_the_script_for_zsh_is_valid() -> None:
    write("_clustcmp", script_of("zsh"))
    done = subprocess.run(["zsh", "-n", "_clustcmp"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
