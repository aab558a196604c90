"""Files of every form are read exactly as they are written."""

from __future__ import annotations

import bz2
import gzip
import lzma
from functools import partial
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pytest

from clustcmp.errors import InputError
from clustcmp.read import read_clustering
from tests.files import ids_of, labels_of, pipe, reading, write

CSV = "id,label\n1,a\n2,b\n"

# Files that all say that point 1 is in cluster a and point 2 in cluster b.
SAME_FILES: dict[str, tuple[str, str | bytes]] = {
    "CSV": ("x.csv", CSV),
    "upper-case ending": ("x.CSV", CSV),
    "TSV": ("x.tsv", CSV.replace(",", "\t")),
    "other ending with commas": ("x.data", CSV),
    "other ending with tabs": ("x.tab", CSV.replace(",", "\t")),
    "no ending": ("x", CSV),
    "gzip": ("x.csv.gz", gzip.compress(CSV.encode())),
    "bzip2": ("x.csv.bz2", bz2.compress(CSV.encode())),
    "xz": ("x.csv.xz", lzma.compress(CSV.encode())),
    "zstd": ("x.csv.zst", pa.Codec("zstd").compress(CSV.encode(), asbytes=True)),
    "gzip of two members": (
        "x.csv.gz",
        gzip.compress(b"id,label\n1,a\n") + gzip.compress(b"2,b\n"),
    ),
    "gzip of TSV": ("x.tsv.gz", gzip.compress(CSV.replace(",", "\t").encode())),
    "byte order mark": ("x.csv", b"\xef\xbb\xbf" + CSV.encode()),
    "byte order mark before a quote": ("x.csv", b'\xef\xbb\xbf"id",label\n1,a\n2,b\n'),
    "CRLF": ("x.csv", CSV.replace("\n", "\r\n")),
    "lone CR": ("x.csv", CSV.replace("\n", "\r")),
    "mixed line ends": ("x.csv", "id,label\r\n1,a\r2,b\n"),
    "no line end at the end": ("x.csv", CSV.rstrip("\n")),
    "blank lines at the end": ("x.csv", CSV + "\n\r\n\n"),
    "all fields in quotes": ("x.csv", '"id","label"\n"1","a"\n"2","b"\n'),
    "some fields in quotes": ("x.csv", 'id,label\n"1",a\n2,"b"'),
}

EXACT_TEXTS = ["01", "1", "1.0", "NA", "None", "nan", "null", " 1", "1 ", "TRUE", "1e0", "+1", "é"]
BIG_NUMBERS = [str(2**53 + step) for step in range(4)] + ["123456789012345678901234567890"]

FIELDS = {
    "delimiter": "a,b",
    "line feed": "a\nb",
    "carriage return": "a\rb",
    "both": "a\r\nb",
    "doubled quote": 'say "a"',
    "only quotes": '""',
    "only a line break": "\n",
    "spaces": "  a  ",
    "tab": "a\tb",
}


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def quoted(text: str) -> str:
    """A text as a quoted field."""
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


@pytest.mark.parametrize(("name", "content"), SAME_FILES.values(), ids=SAME_FILES)
def test_endings_packing_quotes_and_line_ends_do_not_change_what_is_read(
    name: str, content: str | bytes
) -> None:
    clustering = read_clustering(write(name, content))
    assert (ids_of(clustering), labels_of(clustering)) == (["1", "2"], ["a", "b"])


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_stdin_is_split_at_the_delimiter_of_its_first_line(
    delimiter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(monkeypatch, CSV.replace(",", delimiter))
    clustering = read_clustering("-")
    assert (ids_of(clustering), labels_of(clustering)) == (["1", "2"], ["a", "b"])


@pytest.mark.parametrize("name", ["x.txt", "x.labels", "x.labels0", "x.labels12"])
def test_file_of_labels_has_neither_header_nor_ids(name: str) -> None:
    clustering = read_clustering(write(name, "a\nb\na\n"))
    assert (ids_of(clustering), labels_of(clustering)) == ([], ["a", "b", "a"])


@pytest.mark.parametrize("line", ["a,b", 'a"b', '"a', '"a"', "a\tb", " a ", "id", "a\x1fb"])
def test_each_line_of_a_file_of_labels_is_a_label_character_by_character(line: str) -> None:
    assert labels_of(read_clustering(write("x.txt", f"c\n{line}\n"))) == ["c", line]


def test_packed_file_of_labels_is_one_label_per_line() -> None:
    packed = write("x.labels0.gz", gzip.compress(b"a\nb\n"))
    assert labels_of(read_clustering(packed)) == ["a", "b"]


def test_label_longer_than_a_block_of_the_fast_reader_is_read() -> None:
    label = "x" * (1 << 21)
    assert labels_of(read_clustering(write("x.csv", f"label\n{label}\nb\n"))) == [label, "b"]
    assert labels_of(read_clustering(write("x.txt", f"{label}\nb\n"))) == [label, "b"]


@pytest.mark.parametrize("has_header", [True, False], ids=["header", "no header"])
def test_first_line_may_hold_long_fields(has_header: bool) -> None:
    # The csv module refuses fields of more than 128 KiB unless it is told not to.
    path = write("x.csv", f"id,{'x' * (1 << 18)}\n2,b\n3,b\n")
    labels = labels_of(read_clustering(path, no_header=not has_header))
    assert labels[-1:] == ["b"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize(
    "text", ["a", 'a"\n,', 'a"\r\n,'], ids=["plain", "LF inside", "CRLF inside"]
)
def test_rows_are_whole_where_blocks_of_the_fast_reader_meet(
    text: str, line_end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [str(number) for number in range(90)]
    labels = [f"{text}{number % 7}" for number in range(90)]
    cells = [quoted(label) if text != "a" else label for label in labels]
    rows = [f"{point},{cell}" for point, cell in zip(ids, cells, strict=True)]
    path = write("x.csv", line_end.join(["id,label", *rows]))
    arrow_options = pyarrow.csv.ReadOptions
    for block_size in range(40, 60):
        small_blocks = partial(arrow_options, block_size=block_size)
        monkeypatch.setattr(pyarrow.csv, "ReadOptions", small_blocks)
        clustering = read_clustering(path)
        assert (ids_of(clustering), labels_of(clustering)) == (ids, labels)


@pytest.mark.parametrize("text", FIELDS.values(), ids=FIELDS)
def test_quoted_field_holds_any_text(text: str) -> None:
    content = f"id,label\n{quoted(text)},a\n2,{quoted(text)}\n"
    clustering = read_clustering(write("x.csv", content))
    assert (ids_of(clustering), labels_of(clustering)) == ([text, "2"], ["a", text])


@pytest.mark.parametrize("text", ['5" disk', 'a"b"', 'a""', 'a"b"c'])
def test_quote_inside_of_a_field_is_a_character(text: str) -> None:
    clustering = read_clustering(write("x.csv", f"id,label\n1,{text}\n2,b\n"))
    assert labels_of(clustering) == [text, "b"]


@pytest.mark.parametrize("texts", [EXACT_TEXTS, BIG_NUMBERS], ids=["texts", "big numbers"])
def test_ids_and_labels_are_exact_texts(texts: list[str]) -> None:
    content = "id,label\n" + "".join(f"{text},{text}\n" for text in texts)
    clustering = read_clustering(write("x.csv", content))
    assert (ids_of(clustering), labels_of(clustering)) == (texts, texts)


def test_data_frame_with_its_index_is_read_as_it_was() -> None:
    frame = pd.DataFrame({"leiden": ["a", "b"]}, index=["c1", "c2"])
    frame.to_csv("x.csv")
    clustering = read_clustering("x.csv")
    assert (ids_of(clustering), labels_of(clustering)) == (["c1", "c2"], ["a", "b"])


def test_a_file_of_exactly_the_allowed_size_is_read() -> None:
    settings = reading(max_bytes=len(CSV))
    assert labels_of(read_clustering(write("x.csv", CSV), **settings)) == ["a", "b"]


def test_a_file_of_one_byte_more_than_allowed_is_refused() -> None:
    with pytest.raises(InputError, match="more than"):
        read_clustering(write("x.csv", CSV), max_bytes=len(CSV) - 1)


def test_a_name_with_a_double_colon_is_a_file_if_there_is_one() -> None:
    assert labels_of(read_clustering(write("x::y.csv", CSV))) == ["a", "b"]


def test_a_byte_order_mark_in_front_of_the_first_id_belongs_to_the_id(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_bytes(b"id,label\n\xef\xbb\xbf1,a\n1,b\n")
    assert ids_of(read_clustering(str(file))) == ["\ufeff1", "1"]
