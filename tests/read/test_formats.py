"""The format of a file follows from its ending and its first bytes, by one registry."""

from __future__ import annotations

from pathlib import Path

import pytest

import clustcmp
from clustcmp.file_formats import FORMAT_NAMES, FORMATS, OTHERWISE, Format
from clustcmp.read import formats, read_clustering
from clustcmp.read.columns import TabularFile
from clustcmp.read.tables import parse_csv
from tests.docs import formats_table
from tests.files import labels_of, pipe, run_clustcmp, write

CSV = b"id,label\n1,a\n2,b\n"


def parse_upside_down(name: str, data: bytes, has_header: bool | None) -> TabularFile:
    """A format for tests: all bytes of a CSV file in reverse order, after two first bytes."""
    return parse_csv(name, data[2:][::-1], has_header)


UPSIDE_DOWN = Format(
    "upside-down",
    "a CSV file in reverse order",
    f"{__name__}:parse_upside_down",
    endings=(".vsc",),
    magic=b"\0V",
    is_text=False,
)


@pytest.fixture(autouse=True)
def with_a_new_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(formats, "FORMATS", (*FORMATS, UPSIDE_DOWN))


@pytest.mark.parametrize("name", ["x.vsc", "x.csv", "x"], ids=["ending", "other ending", "none"])
def test_the_first_bytes_of_a_file_tell_a_new_format(name: str) -> None:
    assert labels_of(read_clustering(write(name, b"\0V" + CSV[::-1]))) == ["a", "b"]


def test_the_ending_of_a_file_tells_a_new_format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "FORMATS", (*FORMATS, UPSIDE_DOWN._replace(magic=None)))
    assert labels_of(read_clustering(write("x.VSC", b"??" + CSV[::-1]))) == ["a", "b"]


def test_a_new_format_is_known_to_commands_and_stdin(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write("x.csv", CSV)
    pipe(monkeypatch, b"\0V" + CSV[::-1])
    outcome = run_clustcmp(capsys, "compare", "x.csv", "-", "-m", "ari", "-f", "json")
    assert (outcome.status, outcome.stderr) == (0, "")


def test_bytes_of_a_format_that_is_not_known_are_named() -> None:
    with pytest.raises(clustcmp.InputError, match=r"x\.csv: is a zip archive or a spread"):
        read_clustering(write("x.csv", b"PK\x03\x04 and more"))


def test_a_format_that_the_user_names_counts_more_than_the_ending() -> None:
    write("x.txt", CSV)
    assert labels_of(read_clustering("x.txt::format=csv")) == ["a", "b"]
    assert labels_of(read_clustering("x.txt::label,format=csv,id=id")) == ["a", "b"]


@pytest.mark.parametrize("flag", ["--format-a", "--format-b"])
def test_the_format_of_one_side_is_named_by_its_flag_also_for_stdin(
    flag: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write("x.csv", CSV)
    pipe(monkeypatch, b'{"1": "a", "2": "b"}')
    files = ["-", "x.csv"] if flag == "--format-a" else ["x.csv", "-"]
    outcome = run_clustcmp(capsys, "compare", *files, flag, "json", "-m", "ari", "-f", "csv")
    assert (outcome.status, outcome.stderr) == (0, "")
    assert "adjusted_rand,1.0" in outcome.stdout


def test_one_file_is_read_in_two_formats_at_once() -> None:
    write("x.dat", b"a\nb\n")
    report = clustcmp.compare("x.dat", "x.dat::header=no", metrics=["ari"], format_a="labels")
    assert report["ari"] == 1.0


def test_an_unknown_format_is_an_error_that_lists_those_of_the_registry(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("x.csv", CSV)
    outcome = run_clustcmp(capsys, "compare", "x.csv", "x.csv", "--format-b", "parket")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "x.csv: there is no format 'parket'" in outcome.stderr
    for one in (*FORMATS, OTHERWISE):
        assert one.name in outcome.stderr


def test_names_of_formats_are_distinct_and_their_parsers_exist() -> None:
    assert len(set(FORMAT_NAMES)) == len(FORMAT_NAMES)
    for one in (*FORMATS, OTHERWISE):
        assert callable(formats.parser_of(one))


def test_the_documents_list_the_formats_of_the_registry() -> None:
    text = (Path(__file__).parents[2] / "docs" / "files.md").read_text(encoding="utf-8")
    assert formats_table() in text
