"""Every bad input ends with status 2, nothing on stdout, and an error that says what to do."""

from __future__ import annotations

import bz2
import gzip
import random
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pytest

from tests.files import Outcome, pipe, run_clustcmp, write
from tests.machine import ordinary_user

GOOD = "id,label\n1,a\n2,b\n"

# 36,000 bytes of rows as zstd packs them.
ZSTD = pa.Codec("zstd").compress(GOOD.encode() * 3000, asbytes=True)
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01"
NOISE = bytes(random.Random(3).randbytes(2000))


def zip_archive() -> bytes:
    """A zip archive with one good file in it."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("b.csv", GOOD)
    return buffer.getvalue()


class BadFile(NamedTuple):
    """A file that cannot be read, where the error points to, and what it must say."""

    content: str | bytes
    where: str
    words: str | tuple[str, ...]
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file's name, from the where."""
        return self.where.partition(":")[0]


def degree(text: str) -> str:
    """A soft file with this degree on line 3."""
    return f"id,x,y\n1,1,0\n2,{text},0\n"


BAD_FILES = {
    "empty": BadFile("", "b.csv", "is empty"),
    "only line breaks": BadFile("\n\r\n\n", "b.csv", "is empty"),
    "header only": BadFile("id,label\n", "b.csv", ("no rows", "--no-header")),
    "empty .txt": BadFile("\n", "b.txt", "is empty"),
    "duplicate ids": BadFile("id,label\n1,a\n1,b\n", "b.csv:3", ("'1'", "twice", "on line 2")),
    "duplicate ids after a line break in quotes": BadFile(
        'id,label\n2,"a\nb"\n1,b\n1,b\n', "b.csv:5", ("'1'", "twice", "on line 4")
    ),
    "duplicate ids after a header of two lines": BadFile(
        'id,"la\r\nbel"\r\n1,a\r\n1,b\r\n', "b.csv:4", ("'1'", "twice", "on line 3")
    ),
    "duplicate header": BadFile(
        "id,label,label\n1,a,b\n", "b.csv:1", ("columns 2 and 3", "'label'")
    ),
    "semicolons": BadFile("id;label\n1;a\n", "b.csv:1", ("'id;label'", "','", "';'")),
    "tabs in a .csv": BadFile("id\tlabel\n1\ta\n", "b.csv:1", ("single column", ".tsv for tabs")),
    "commas in a .tsv": BadFile(GOOD, "b.tsv:1", ("single column", ".csv for commas")),
    "row too long": BadFile("id,label\n1,a\n2,b,c\n", "b.csv:3", ("3 fields", "header has 2")),
    "row too short": BadFile("id,label\n1,a\n2\n", "b.csv:3", ("1 field ", "header has 2")),
    "all rows too long": BadFile(
        "id,label\n1,a,x\n2,b,x\n", "b.csv:2", ("3 fields", "header has 2")
    ),
    "row too long without header": BadFile(
        "1,a\n2,b,c\n", "b.csv:2", ("3 fields", "first row has 2"), ("--no-header", "--id=1")
    ),
    "NUL byte": BadFile(b"id,label\n1,a\0\n2,b\n", "b.csv:2", "NUL byte"),
    "UTF-16": BadFile(GOOD.encode("utf-16"), "b.csv", ("UTF-16", "iconv -f UTF-16")),
    "UTF-16 without BOM": BadFile(
        GOOD.encode("utf-16-le"), "b.csv:1", ("NUL byte", "iconv -f UTF-16")
    ),
    "big-endian UTF-16 without BOM": BadFile(
        GOOD.encode("utf-16-be"), "b.csv:1", ("NUL byte", "iconv -f UTF-16")
    ),
    "Latin-1 label": BadFile(
        b"id,label\n1,a\n2,\xe9t\xe9\n", "b.csv:3", ("0xe9", "not UTF-8", "iconv")
    ),
    "Latin-1 header": BadFile(
        b"id,\xe9t\xe9\n1,a\n2,b\n", "b.csv:1", ("0xe9", "not UTF-8", "iconv")
    ),
    "Latin-1 .txt": BadFile(b"a\n\xe9t\xe9\n", "b.txt:2", ("0xe9", "not UTF-8", "iconv")),
    "random bytes": BadFile(NOISE, "b.csv", "not"),
    "random bytes without NUL": BadFile(NOISE.replace(b"\0", b"\xff"), "b.csv", "not UTF-8"),
    "PNG": BadFile(PNG, "b.csv", "not a text file"),
    "gzip data named .csv": BadFile(gzip.compress(GOOD.encode()), "b.csv", ("gzip", "name it .gz")),
    "bzip2 data named .csv": BadFile(
        bz2.compress(GOOD.encode()), "b.csv", ("bzip2", "name it .bz2")
    ),
    "zip": BadFile(zip_archive(), "b.csv", ("zip archive", "unpack")),
    "Parquet": BadFile(b"PAR1\x15\x04\x15", "b.csv", "Parquet"),
    "unclosed quote": BadFile('id,label\n1,a\n2,"b\n3,c\n', "b.csv:3", ('"', "does not close")),
    "unclosed quote in the header": BadFile('id,"label\n1,a\n', "b.csv:1", ('"', "does not close")),
    "text after a closing quote": BadFile('id,label\n1,a\n2,"b"c\n', "b.csv:3", ('"', "twice")),
    "missing label": BadFile("id,label\n1,a\n2,\n", "b.csv:3", ("label is empty", "--missing")),
    "missing label in .txt": BadFile("a\n\nb\n", "b.txt:2", ("label is empty", "--missing")),
    "empty id": BadFile("id,label\n1,a\n,b\n", "b.csv:3", ("id is empty", "::id=")),
    "empty id in quotes": BadFile('id,label\n"",a\n2,b\n', "b.csv:2", "id is empty"),
    "blank line in the middle": BadFile("id,label\n1,a\n\n2,b\n", "b.csv:3", "line is empty"),
    "blank line is not a missing label": BadFile(
        "x,label\n\n1,a\n", "b.csv:2", "line is empty", ("--missing", "drop")
    ),
    "blank line of soft degrees": BadFile("id,x,y\n1,1,0\n\n2,1,0\n", "b.csv:3", "line is empty"),
    "blank line before the header": BadFile("\nid,label\n1,a\n2,b\n", "b.csv:1", "empty"),
    "negative degree": BadFile(degree("-0.5"), "b.csv:3", ("'x'", "-0.5", "negative")),
    "degree in words": BadFile(degree("half"), "b.csv:3", ("'x'", "'half' is not a number")),
    "NaN degree": BadFile(degree("NaN"), "b.csv:3", ("'x'", "'NaN'", "not a")),
    "NaN degree to normalize": BadFile(
        degree("nan"), "b.csv:3", ("'x'", "'nan'", "not a"), ("--normalize",)
    ),
    "infinite degree": BadFile(degree("inf"), "b.csv:3", ("'x'", "'inf'", "not a")),
    "minus infinite degree": BadFile(degree("-inf"), "b.csv:3", ("'x'", "'-inf'", "not a")),
    "degree too large for a float": BadFile(degree("1e999"), "b.csv:3", ("'x'", "'1e999'")),
    "sum too large for a float": BadFile(
        "id,x,y\n1,0.5,0.5\n2,1e308,1e308\n", "b.csv:3", "sum to inf", ("--normalize",)
    ),
    "degree with underscore": BadFile(degree("1_000"), "b.csv:3", "'1_000' is not a number"),
    "degree in hex": BadFile(degree("0x1"), "b.csv:3", "'0x1' is not a number"),
    "degree in Arabic digits": BadFile(degree("\u0661"), "b.csv:3", "'\u0661' is not a number"),
    "empty degree": BadFile(degree(""), "b.csv:3", ("'x'", "is empty")),
    "degree of spaces": BadFile(degree("  "), "b.csv:3", ("'x'", "is empty")),
    "sum below 1": BadFile(degree("0.9"), "b.csv:3", ("sum to 0.9", "--normalize")),
    "sum above 1": BadFile(degree("1.02"), "b.csv:3", ("sum to 1.02", "--normalize")),
    "all-zero row": BadFile(degree("0"), "b.csv:3", "sum to 0,"),
    "all-zero row to normalize": BadFile(degree("0"), "b.csv:3", "sum to 0,", ("--normalize",)),
    "several columns that are not numeric": BadFile(
        "id,x,y\n1,a,b\n2,b,c\n", "b.csv:2", ("'a' is not a number", "'id', 'x', 'y'", "::COLUMN")
    ),
    "only an id column": BadFile("id\n1\n2\n", "b.csv", ("no column with labels", "'id'")),
    "truncated .gz": BadFile(gzip.compress(GOOD.encode())[:-6], "b.csv.gz", "cannot be unpacked"),
    "damaged .gz": BadFile(
        gzip.compress(GOOD.encode())[:-8] + bytes(8), "b.csv.gz", "cannot be unpacked"
    ),
    "fake .gz": BadFile(GOOD, "b.csv.gz", ("cannot be unpacked", "drop the .gz")),
    "fake .bz2": BadFile(GOOD, "b.csv.bz2", ("cannot be unpacked", "drop the .bz2")),
    "fake .xz": BadFile(GOOD, "b.csv.xz", ("cannot be unpacked", "drop the .xz")),
    "fake .zst": BadFile(GOOD, "b.csv.zst", ("cannot be unpacked", "drop the .zst")),
    "truncated .zst": BadFile(ZSTD[:-6], "b.csv.zst", "cannot be unpacked"),
    "zstd data named .csv": BadFile(ZSTD, "b.csv", ("zstd", "name it .zst")),
    "zstd bomb": BadFile(
        ZSTD, "b.csv.zst", ("more than 1000 bytes", "--max-bytes"), ("--max-bytes", "1000")
    ),
    "bomb": BadFile(
        gzip.compress(GOOD.encode() * 9000),
        "b.csv.gz",
        ("more than 1000 bytes", "--max-bytes"),
        ("--max-bytes", "1000"),
    ),
}

GOOD_3 = GOOD + "3,b\n"

# Side a, side b, further arguments, and what the error says.
BAD_PAIRS = {
    "other ids": (
        GOOD,
        "id,label\n8,a\n9,b\n",
        (),
        ("a.csv", "b.csv", "'1'", "'8'", "same points"),
    ),
    "fewer ids": (
        GOOD_3,
        "id,label\n1,a\n2,b\n",
        (),
        ("2 in both", "1 only in a.csv", "'3'", "intersect"),
    ),
    "no common id": (
        GOOD,
        "id,label\n8,a\n9,b\n",
        ("--points", "intersect"),
        ("a.csv and b.csv", "none in both", "::id="),
    ),
    "unequal lengths by position": (
        "label\na\n",
        "label\na\nb\n",
        (),
        ("a.csv has 1 row", "b.csv has 2", "position"),
    ),
    "unequal lengths by position to intersect": (
        "label\na\n",
        "label\na\nb\n",
        ("--points", "intersect"),
        ("a.csv", "b.csv", "position"),
    ),
    "all points dropped": (
        GOOD,
        "id,label\n1,n\n2,n\n",
        ("--noise=n", "--noise-policy", "drop"),
        ("no points are left", "--noise-policy"),
    ),
}

BAD_USAGE: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "directory": (("folder",), ("folder", "is a directory")),
    "missing file": (("nowhere.csv",), ("nowhere.csv", "no such file")),
    "name too long": (("x" * 300 + ".csv",), ("x.csv", "too long")),
    "name too long with a column": (("x" * 300 + ".csv::label",), ("x.csv", "too long")),
    "URL": (("http://example.org/b.csv",), ("http://example.org/b.csv: is a URL", "download")),
    "URL with a column": (("https://example.org/b.csv::x",), ("example.org", "download")),
    "unknown column": (("a.csv::lable",), ("a.csv", "'lable'", "did you mean 'label'")),
    "unknown id column": (("a.csv::id=cell",), ("a.csv", "'cell'", "'id', 'label'")),
    "no column": (("a.csv::",), ("a.csv::", "path::COLUMN")),
    "label twice": (("a.csv::label=id,label=label",), ("a.csv", "twice", "path::COLUMN")),
    "id as label": (("a.csv::id",), ("a.csv", "'id'", "both id and label")),
    "label as id": (("a.csv::label=label,id=label",), ("a.csv", "'label'", "both id and label")),
    "unknown metric": (("a.csv", "-m", "adjusted_rant"), ("'adjusted_rant'", "'adjusted_rand'")),
    "metrics with a comma": (("a.csv", "-m", "ari,nmi"), ("'ari,nmi'", "-m ari -m nmi")),
    "unknown metric option": (("a.csv", "-m", "nmi:avg=max"), ("nmi", "'avg'", "average")),
    "no such choice": (("a.csv", "-m", "nmi:average=rms"), ("nmi", "'rms'", "geometric")),
    "no number": (("a.csv", "-m", "v_measure:beta=x"), ("v_measure", "beta", "'x'", "a number")),
    "below the limit": (("a.csv", "-m", "v_measure:beta=-1"), ("beta", "'-1'", ">= 0")),
    "option twice": (("a.csv", "-m", "nmi:average=max,average=min"), ("average", "twice")),
    "option without value": (("a.csv", "-m", "nmi:average"), ("average", "without a value")),
    "option of a family": (("a.csv", "-m", "information:base=2"), ("'information'", "one metric")),
    "unknown option": (("a.csv", "--pionts", "error"), ("--pionts", "compare --help")),
    "no such word": (("a.csv", "--points", "union"), ("--points", "'union'", "'intersect'")),
    "no limit": (("a.csv", "--max-bytes", "0"), ("--max-bytes", "1")),
    "no second file": ((), ("'B'", "compare --help")),
}


@pytest.fixture(autouse=True)
def in_folder_with_good_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("a.csv", GOOD)
    Path("folder").mkdir()


def error_of(outcome: Outcome) -> str:
    """What an error says, if it ends with status 2 and has the form of an error."""
    assert (outcome.status, outcome.stdout) == (2, ""), outcome.stderr
    message, *hints = outcome.stderr.splitlines()
    assert message.startswith("clustcmp: error: ")
    assert [line[:8] for line in hints] in ([], ["  hint: "])
    return outcome.stderr


def assert_says(text: str, words: str | tuple[str, ...]) -> None:
    for word in (words,) if isinstance(words, str) else words:
        assert word in text


@pytest.mark.parametrize("bad", BAD_FILES.values(), ids=BAD_FILES)
def test_an_error_names_the_file_the_line_and_the_fault(
    bad: BadFile, capsys: pytest.CaptureFixture[str]
) -> None:
    write(bad.name, bad.content)
    said = error_of(run_clustcmp(capsys, "compare", "a.csv", bad.name, *bad.options))
    assert said.startswith(f"clustcmp: error: {bad.where}:")
    assert_says(said, bad.words)


@pytest.mark.parametrize("bad", BAD_FILES.values(), ids=BAD_FILES)
def test_a_bad_file_gives_the_same_error_as_a_and_as_b(
    bad: BadFile, capsys: pytest.CaptureFixture[str]
) -> None:
    write(bad.name, bad.content)
    as_b = run_clustcmp(capsys, "compare", "a.csv", bad.name, *bad.options)
    as_a = run_clustcmp(capsys, "compare", bad.name, "a.csv", *bad.options)
    assert as_a == as_b


@pytest.mark.parametrize(("a", "b", "options", "words"), BAD_PAIRS.values(), ids=BAD_PAIRS)
def test_two_files_without_the_same_points_are_refused(
    a: str,
    b: str,
    options: tuple[str, ...],
    words: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = write("a.csv", a), write("b.csv", b)
    assert_says(error_of(run_clustcmp(capsys, "compare", *files, *options)), words)


@pytest.mark.parametrize(("arguments", "words"), BAD_USAGE.values(), ids=BAD_USAGE)
def test_an_error_about_arguments_says_what_is_allowed(
    arguments: tuple[str, ...], words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert_says(error_of(run_clustcmp(capsys, "compare", "a.csv", *arguments)), words)


def test_an_error_names_a_file_that_may_not_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(write("b.csv", GOOD)).chmod(0)
    with ordinary_user(tmp_path):
        said = error_of(run_clustcmp(capsys, "compare", "a.csv", "b.csv"))
    assert_says(said, ("b.csv", "Permission denied"))


def test_stdin_cannot_be_both_sides(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(monkeypatch, GOOD)
    assert_says(error_of(run_clustcmp(capsys, "compare", "-", "-")), ("stdin", "once"))


def test_empty_stdin_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(monkeypatch, "")
    assert_says(error_of(run_clustcmp(capsys, "compare", "a.csv", "-")), ("stdin", "is empty"))


@pytest.mark.parametrize(
    ("arguments", "stdin", "words"),
    [
        (["a.csv", "nowhere.csv"], b"", "nowhere.csv: there is no such file"),
        (["a.csv", "-"], b"id,label\n1,a\n1,b\n", "stdin:3: point '1' is listed twice"),
        (["a.csv", "-"], b"id,x,y\n1,0.5,0.5\n2,1e308,1e308\n", "stdin:3: the degrees sum to inf"),
        (["a.csv", b"caf\xe9.csv"], b"", "caf\\udce9.csv: there is no such file"),
        (["a.csv", "two\nlines.csv"], b"", "two\\nlines.csv: there is no such file"),
    ],
    ids=[
        "missing file",
        "duplicate ids",
        "overflow",
        "name that is not UTF-8",
        "name of two lines",
    ],
)
def test_the_program_in_a_process_of_its_own_gives_the_same_errors(
    arguments: list[str | bytes], stdin: bytes, words: str
) -> None:
    program = [sys.executable, "-m", "clustcmp", "compare"]
    done = subprocess.run([*program, *arguments], input=stdin, capture_output=True, check=False)
    said = error_of(Outcome(done.returncode, done.stdout.decode(), done.stderr.decode()))
    assert said.startswith(f"clustcmp: error: {words}")
