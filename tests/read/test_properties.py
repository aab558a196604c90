"""For any text: what is written is read again, and both readers give the same columns."""

from __future__ import annotations

import csv
from codecs import BOM_UTF8
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import pyarrow.csv
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clustcmp.errors import InputError
from clustcmp.read import read_clustering
from clustcmp.read.address import Address
from clustcmp.read.columns import Columns, ColumnType
from clustcmp.read.delimited import NO_DELIMITER, DelimitedText, parse_lines, parse_table
from clustcmp.read.formats import open_file
from tests.files import ids_of, labels_of, strings


class Dialect(NamedTuple):
    """A way to write a table."""

    ending: str
    delimiter: str
    quoting: Any


DIALECTS = {
    "CSV": Dialect("csv", ",", csv.QUOTE_MINIMAL),
    "CSV in quotes": Dialect("csv", ",", csv.QUOTE_ALL),
    "TSV": Dialect("tsv", "\t", csv.QUOTE_MINIMAL),
    "TSV in quotes": Dialect("tsv", "\t", csv.QUOTE_ALL),
}

any_character = st.characters(exclude_characters="\0", exclude_categories=["Cs"])
texts = st.text(any_character, min_size=1) | st.text('",\t\r\n 1a', min_size=1)
rows = st.lists(st.tuples(texts, texts), min_size=1, max_size=8, unique_by=lambda row: row[0])

# Pieces of tables: many of them make a good table when joined, the others a broken one.
headers = st.sampled_from(["", "a\n", "a,b\n", '"a",b\r\n', "a,b,c\r"])
pieces = st.sampled_from(
    [
        *("a", "1", ".5", "1e-2", "-1.", "nan", "inf", "1e999", " ", "\t", ",", "\n", "\r", "\r\n"),
        *('"', '""', '"a"', '"1"', "a,1", "1,.5\n", '"1,2",1\n', '"\n"', "\x1f"),
    ]
)
characters = st.text('a1,"\n\r\t .e-', max_size=30)
blocks = st.sampled_from([16, 1 << 20])
tables = st.builds(str.__add__, headers, characters | st.lists(pieces, max_size=15).map("".join))


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
@given(rows=rows)
def test_what_is_written_is_read(
    dialect: Dialect, rows: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = Path(tmp_path_factory.getbasetemp(), f"written.{dialect.ending}")
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=dialect.delimiter, quoting=dialect.quoting)
        writer.writerows([("id", "label"), *rows])
    clustering = read_clustering(str(path))
    assert list(zip(ids_of(clustering), labels_of(clustering), strict=True)) == rows


def cells_of(columns: Columns) -> dict[str, list[Any]]:
    """What the columns hold for each row; labels must be distinct."""
    cells: dict[str, list[Any]] = {name: strings(found) for name, found in columns.texts.items()}
    for name, found in columns.numbers.items():
        cells[name] = [number.hex() for number in found.tolist()]
    for name, labels in columns.labels.items():
        names = strings(labels.names)
        assert len(set(names)) == len(names)
        cells[name] = [names[code] for code in labels.codes.tolist()]
    return cells


def outcome(read: Callable[[], Columns]) -> dict[str, list[Any]] | str:
    """What a reader gives: the cells, or the text of its error."""
    try:
        return cells_of(read())
    except InputError as error:
        return str(error)


def parse(content: bytes, delimiter: str, has_header: bool) -> DelimitedText:
    """The table in some bytes."""
    if delimiter == NO_DELIMITER:
        return parse_lines("x", content, has_header)
    return parse_table("x", content, delimiter, has_header)


def read_carefully(table: DelimitedText, types: dict[str, ColumnType]) -> Columns:
    """The columns as the careful reader gives them."""
    return table._read_carefully(types)


@pytest.mark.parametrize(
    "delimiter", [",", "\t", NO_DELIMITER], ids=["comma", "tab", "no delimiter"]
)
@given(
    content=tables, has_header=st.booleans(), type_=st.sampled_from(ColumnType), block_size=blocks
)
@example(content="a,b\n\n1,2\n", has_header=True, type_=ColumnType.text, block_size=99)
@example(content='a,b\n"1","2\n3,4\n', has_header=True, type_=ColumnType.text, block_size=99)
@example(content="a,b\nnan,inf\n", has_header=True, type_=ColumnType.number, block_size=99)
@settings(max_examples=300)
def test_the_fast_and_the_careful_reader_give_the_same_columns(
    delimiter: str, content: str, has_header: bool, type_: ColumnType, block_size: int
) -> None:
    try:
        table = parse(content.encode(), delimiter, has_header)
    except InputError:
        return
    types = dict.fromkeys(table.header, type_)
    with patch("pyarrow.csv.ReadOptions", partial(pyarrow.csv.ReadOptions, block_size=block_size)):
        fast = outcome(lambda: table.read(types))
    assert fast == outcome(lambda: read_carefully(table, types))


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ['4,"z"', '"4","z"'])
def test_well_quoted_tables_are_read_fast(line_end: str, last: str) -> None:
    rows = ['id,"label"', '"1","a ""b"" c"', '2,"x,y"', '"3",""', last]
    table = parse(line_end.join(rows).encode(), ",", True)
    with patch.object(DelimitedText, "_read_carefully", side_effect=AssertionError):
        cells = cells_of(table.read(dict.fromkeys(table.header, ColumnType.text)))
    assert cells == {"id": ["1", "2", "3", "4"], "label": ['a "b" c', "x,y", "", "z"]}


# Bytes that are not UTF-8, or are only where the next ones fit, among those of a good table.
odd_bytes = st.sampled_from(
    [
        *(b"\xef\xbb\xbf", b"\xef\xbb", b"\xc3\xa9", b"\xc3", b"\xa9", b"\xff", b"\xed\xa0\x80"),
        *(
            b"a",
            b"1",
            b".5",
            b",",
            b"\t",
            b"\n",
            b"\r\n",
            b"\r",
            b'"',
            b'""',
            b"\x1f",
            b"\xe2\x80\xa8",
        ),
        *(b"a,1\n", b"p,q\n", b'"x",2\n', b"\x00", b" "),
    ]
)
heads = st.sampled_from([b"", b"id,cluster\n", b"id,cluster\r\n", b"label\n", b"id,cluster,x\n"])
odd_files = st.builds(bytes.__add__, heads, st.lists(odd_bytes, max_size=20).map(b"".join))


@given(
    content=odd_files | st.binary(max_size=60),
    ending=st.sampled_from(["csv", "tsv", "txt", "data"]),
    has_header=st.sampled_from([None, True, False]),
    type_=st.sampled_from(ColumnType),
    n_columns=st.integers(1, 3),
)
@example(b"id,cluster,x\np,1,\xff\nq,1,y\n", "csv", None, ColumnType.text, 2)
@example(b"id,cluster\n\xff,1\nq,1\n", "csv", None, ColumnType.text, 2)
@example(b"id,cluster\n\xef\xbb\xbfp,1\np,1\n", "csv", None, ColumnType.text, 2)
@settings(max_examples=500)
def test_both_readers_accept_the_same_bytes(
    content: bytes, ending: str, has_header: bool | None, type_: ColumnType, n_columns: int
) -> None:
    address = Address(f"x.{ending}", f"x.{ending}")
    try:
        file = open_file(address, content.removeprefix(BOM_UTF8), has_header)
    except InputError:
        return
    assert isinstance(file, DelimitedText)
    types = dict.fromkeys(file.header[:n_columns], type_)
    assert outcome(lambda: file.read(types)) == outcome(lambda: read_carefully(file, types))


@pytest.mark.parametrize("column", range(3))
def test_bytes_that_are_not_utf8_are_refused_in_every_column(column: int, tmp_path: Path) -> None:
    cells = [b"q", b"1", b"x"]
    cells[column] = b"\xff"
    path = tmp_path / "x.csv"
    path.write_bytes(b"id,label,other\np,1,y\n" + b",".join(cells) + b"\n")
    with pytest.raises(InputError, match=r"x\.csv:3: byte 0xff is not UTF-8"):
        read_clustering(str(path))


@given(content=st.binary(max_size=40), ending=st.sampled_from(["csv", "tsv", "txt", "data"]))
def test_arbitrary_bytes_are_read_or_refused(
    content: bytes, ending: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = Path(tmp_path_factory.getbasetemp(), f"bytes.{ending}")
    path.write_bytes(content)
    with suppress(InputError):
        assert read_clustering(str(path)).points.size > 0


@given(content=tables, row=st.integers(0, 20))
def test_line_of_a_row_is_where_the_row_begins(content: str, row: int) -> None:
    try:
        table = parse_table("x", content.encode(), ",", has_header=True)
        lines = [line for line, _ in table._records()]
    except InputError:
        return
    if row < len(lines):
        assert table.line(row) == lines[row]
