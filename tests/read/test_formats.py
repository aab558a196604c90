"""The format of a file follows from its ending and its first bytes, by one registry."""

from __future__ import annotations

from pathlib import Path

import pytest

import clustcmp
from clustcmp.read import formats, read_clustering
from clustcmp.read.columns import TabularFile
from clustcmp.read.formats import FORMATS, Format, parse_csv
from tests.files import labels_of, pipe, run_clustcmp, write

CSV = b"id,label\n1,a\n2,b\n"


def parse_upside_down(name: str, data: bytes, has_header: bool | None) -> TabularFile:
    """A format for tests: all bytes of a CSV file in reverse order, after two first bytes."""
    return parse_csv(name, data[2:][::-1], has_header)


UPSIDE_DOWN = Format(parse_upside_down, endings=(".vsc",), magic=b"\0V", is_text=False)


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
