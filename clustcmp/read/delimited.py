"""Delimited text (CSV, TSV, one label per line): its columns, exactly as they are written.

Two readers give the same columns. Arrow's is fast and reads every well-formed file. The careful
reader takes one record at a time: it explains what is wrong, and reads what Arrow would change.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, takewhile
from typing import Any, ClassVar

import numpy as np

from clustcmp.errors import InputError, plural, show_names
from clustcmp.notes import Note
from clustcmp.read.columns import Columns, ColumnType, ColumnTypes, from_arrow, one_array
from clustcmp.read.headers import (
    NAMES_OF_LABELS,
    first_line_may_be_header,
    first_line_may_be_row,
    is_counted_on,
    lacks_name_of_ids,
    may_be_row,
)
from clustcmp.read.sample import MOST_BYTES, MOST_ROWS, NUMBER, FirstRows
from clustcmp.wording import say

LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
# Set at import: the limit is global, and threads would overwrite each other's value.
csv.field_size_limit(sys.maxsize)

# For one label per line, as Arrow needs one; the careful reader takes labels that have it.
NO_DELIMITER = "\x1f"


@dataclass(frozen=True, eq=False)
class DelimitedText:
    """A delimited text with named columns.

    `data[start:end]` holds the rows, the first of which is on line `first_line` of the file.
    `header_is_said` means that the user said whether the first line names the columns.
    """

    name: str
    data: bytes
    delimiter: str
    header: tuple[str, ...]
    start: int
    end: int
    first_line: int
    header_is_said: bool = False
    unit: str = "line"

    index: ClassVar[str | None] = None
    is_partial: ClassVar[bool] = False
    arrays: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    @property
    def has_header(self) -> bool:
        """Whether the first line names the columns."""
        return self.first_line > 1

    def read(self, types: ColumnTypes, advice: str = "") -> Columns:
        """Some columns; the advice is for the error about a cell that is not a number."""
        import pyarrow as pa

        columns = None
        if self._suits_arrow():
            try:
                columns = self._read_fast(types)
            except pa.ArrowInvalid:
                columns = None
        return columns or self._read_carefully(types, advice)

    def line(self, row: int) -> int:
        """The line of the file on which a row (from 0) begins."""
        if not self._has_quotes:
            return self.first_line + row
        return next(line for number, (line, _) in enumerate(self._records()) if number == row)

    @cached_property
    def sample(self) -> FirstRows:
        """The first rows, up to one that has more or fewer fields than the header."""
        end = min(self.end, self.start + MOST_BYTES)
        lines = (found.group() for found in LINE.finditer(self.data, self.start, end))
        texts = (line.decode("utf-8", "replace") for line in lines if line)
        rows: Iterable[list[str]] = csv.reader(texts, delimiter=self.delimiter)
        if self.delimiter == NO_DELIMITER:
            rows = ([text.rstrip("\r\n")] for text in texts)
        whole = takewhile(lambda row: len(row) == len(self.header), rows)
        first = list(islice(whole, MOST_ROWS))
        # If the sample ends before the file, its last row may be cut off.
        is_cut = end < self.end and len(first) < MOST_ROWS
        return FirstRows(self.header, first[:-1] if is_cut else first)

    @property
    def notes(self) -> tuple[Note, ...]:
        """A note where a file without a header is read as one column and looks like several."""
        if len(self.header) > 1 or self.has_header:
            return ()
        rows = self.data[: self.end]
        first = next(LINE.finditer(rows)).group()
        n_lines = rows.count(b"\n") + 1
        for separator in (b",", b"\t", b";", b"|"):
            if first.count(separator) and rows.count(separator) == n_lines * first.count(separator):
                text = (
                    f"every line was read as one label, but contains {separator.decode()!r}; "
                    "if it is a table, name it .csv or .tsv"
                )
                return (Note(text, self.name),)
        return ()

    @cached_property
    def _has_quotes(self) -> bool:
        """Whether there are quotes in the rows, and quotes have a meaning."""
        return self.delimiter != NO_DELIMITER and self.data.find(b'"', self.start, self.end) >= 0

    @cached_property
    def _has_two_byte_line_ends(self) -> bool:
        """Whether a line end in the rows is CR and LF."""
        return self.data.find(b"\r\n", self.start, self.end) >= 0

    def _suits_arrow(self) -> bool:
        """Whether Arrow reads these rows as they are written, or fails."""
        if self._has_quotes:
            if not quotes_are_regular(self.data, self.start, self.end, self.delimiter):
                return False
            # See _read_fast: a single block is limited to 2 GiB.
            if self._has_two_byte_line_ends and self.end - self.start >= 1 << 31:
                return False
        if self.delimiter == NO_DELIMITER and NO_DELIMITER.encode() in self.data:
            return False
        # A byte order mark in front of the first row belongs to the first cell; Arrow drops it.
        return not self.data.startswith(BOM_UTF8, self.start)

    def _read_fast(self, types: ColumnTypes) -> Columns | None:
        """The columns as Arrow reads them, or None where the careful reader must decide."""
        import pyarrow as pa
        import pyarrow.csv

        arrow_types = {
            ColumnType.text: pa.large_string(),
            ColumnType.labels: pa.dictionary(pa.int32(), pa.string()),
            ColumnType.number: pa.float64(),
        }
        names = {column: str(position) for position, column in enumerate(self.header)}
        chosen = {names[column]: arrow_types[type_] for column, type_ in types.items()}
        read_options = pa.csv.ReadOptions(column_names=list(names.values()))
        # Threads of Arrow that have just begun when Python ends, as after an error, abort it.
        read_options.use_threads = self.end - self.start > read_options.block_size
        if self._has_quotes and self._has_two_byte_line_ends:
            # Where a block ends with CR and the next one begins with LF, Arrow drops the LF, even
            # if both stand in quotes: then there must be one block only.
            read_options.block_size = self.end - self.start
        rows = pa.py_buffer(self.data).slice(self.start, self.end - self.start)
        table = pa.csv.read_csv(
            pa.BufferReader(rows),
            read_options=read_options,
            parse_options=pa.csv.ParseOptions(
                delimiter=self.delimiter,
                quote_char='"' if self._has_quotes else False,
                newlines_in_values=self._has_quotes,
                ignore_empty_lines=False,
            ),
            convert_options=pa.csv.ConvertOptions(
                column_types=chosen, include_columns=list(chosen), null_values=[]
            ),
        )
        columns = from_arrow(types, [one_array(table.column(name)) for name in chosen])
        return columns if self._is_as_written(columns) else None

    def _is_as_written(self, columns: Columns) -> bool:
        """Whether Arrow read no nan, inf or 1e999 as a number, and no empty line as a row."""
        if not all(np.isfinite(numbers).all() for numbers in columns.numbers.values()):
            return False
        return not (
            columns.has_empty_text and len(self.header) > 1 and self._may_have_empty_lines()
        )

    def _may_have_empty_lines(self) -> bool:
        """Whether two line ends follow each other, in quotes or not."""
        return self.data[self.start] in b"\r\n" or any(
            self.data.find(pair, self.start, self.end) >= 0 for pair in (b"\n\n", b"\n\r", b"\r\r")
        )

    def _read_carefully(self, types: ColumnTypes, advice: str = "") -> Columns:
        """The columns, read one record at a time; the first fault is an error."""
        import pyarrow as pa

        where = [self.header.index(column) for column in types]
        ids = [self.header.index(name) for name, one in types.items() if one is ColumnType.text]
        is_number = [type_ is ColumnType.number for type_ in types.values()]
        cells: list[list[Any]] = [[] for _ in types]
        for line, fields in self._records():
            for column, position, wants_number in zip(cells, where, is_number, strict=True):
                text = fields[position]
                if wants_number:
                    point = f"point {fields[ids[0]]!r}, " if ids else ""
                    column.append(self._parse_number(f"{line}: {point}", position, text, advice))
                else:
                    column.append(text)
        arrays = []
        for type_, column in zip(types.values(), cells, strict=True):
            array = pa.array(
                column, pa.float64() if type_ is ColumnType.number else pa.large_string()
            )
            arrays.append(array.dictionary_encode() if type_ is ColumnType.labels else array)
        return from_arrow(types, arrays)

    def _parse_number(self, row: str, position: int, text: str, advice: str) -> float:
        """The number in a cell; `row` says where the cell is, for the error."""
        if NUMBER.fullmatch(text) and np.isfinite(float(text)):
            return float(text)
        what = f"{text!r} is not a number" if text.strip() else "is empty"
        raise InputError(
            f"{self.name}:{row}column {self.header[position]!r}: {what}",
            hint=f"{advice}; the columns are {show_names(self.header)}",
        )

    def _records(self) -> Iterator[tuple[int, list[str]]]:
        """Each row with the line it begins on, all with as many fields as the header."""
        text = decode(self.data[: self.end], self.name)
        records = parse_records(self.name, text, self.delimiter)
        for line, fields in records:
            if line < self.first_line:
                continue
            if not fields and len(self.header) == 1:
                fields = [""]
            if len(fields) != len(self.header):
                raise self._wrong_width(line, len(fields))
            yield line, fields

    def _wrong_width(self, line: int, width: int) -> InputError:
        """The error for a row that has more or fewer fields than the header."""
        if not width:
            return InputError(f"{self.name}:{line}: the line is empty", hint="delete it")
        hint = (
            f"each row needs the same fields; quote a field that holds the delimiter "
            f"{self.delimiter!r}"
        )
        if self.has_header and line == self.first_line and width == len(self.header) + 1:
            hint += "; write.table of R names the first column with col.names=NA"
        return InputError(
            f"{self.name}:{line}: has {plural(width, 'field')} where "
            f"{'the header' if self.has_header else 'the first row'} has {len(self.header)}",
            hint=hint,
        )


def parse_table(
    name: str, data: bytes, delimiter: str, has_header: bool | None = None
) -> DelimitedText:
    """The columns and the rows of a text, or an error that says what is missing.

    `has_header` is what the user said about the first line. If nothing was said the first line
    names the columns, and it is an error if the line may be a row.
    """
    end = len(data)
    while end and data[end - 1] in b"\r\n":
        end -= 1
    if not end:
        raise InputError(f"{name}: is empty", hint="a table with a header and rows is needed")
    first, start, next_line = first_record(name, data, end, delimiter)
    is_said = has_header is not None
    if has_header is False:
        header = tuple(str(number + 1) for number in range(len(first)))
        return DelimitedText(name, data, delimiter, header, 0, end, 1, is_said)
    if first == [""]:
        raise InputError(f"{name}:1: the line is empty", hint="name the columns in it")
    if delimiter == "\t" and start < end:
        named = DelimitedText(name, data, delimiter, ("", *first), start, end, next_line, True)
        if lacks_name_of_ids(first, named.sample.rows):
            check_header(name, named.header, delimiter)
            return named
    if not is_said and may_be_row(first):
        raise first_line_may_be_row(name, "holds only numbers, or a fraction")
    check_header(name, first, delimiter)
    if start >= end:
        raise InputError(
            f"{name}: has a header but no rows",
            hint=f"if the first line is a row already, say so with {say('no_header')}",
        )
    table = DelimitedText(name, data, delimiter, tuple(first), start, end, next_line, is_said)
    if not is_said and is_counted_on(first, table.sample):
        raise first_line_may_be_row(name, "is counted on in the next lines")
    return table


def parse_lines(name: str, data: bytes, has_header: bool | None = None) -> DelimitedText:
    """A text with one label per line, also on the first line unless the user says otherwise."""
    end = len(data.rstrip(b"\r\n"))
    if not end:
        raise InputError(f"{name}: is empty", hint="a label for each point is needed")
    first = next(LINE.finditer(data, 0, end))
    line = decode(first.group(), name).rstrip("\r\n")
    if has_header is None and line.strip().lower() in NAMES_OF_LABELS:
        raise first_line_may_be_header(name, line)
    if not has_header:
        return DelimitedText(name, data, NO_DELIMITER, ("1",), 0, end, 1, header_is_said=True)
    if first.end() >= end:
        raise InputError(f"{name}: has a header but no rows", hint="leave out header=yes")
    return DelimitedText(name, data, NO_DELIMITER, (line,), first.end(), end, 2, True)


def first_record(name: str, data: bytes, end: int, delimiter: str) -> tuple[list[str], int, int]:
    """The fields of the first record, where the next one starts, and on which line."""
    consumed = lines = 0

    def read_lines() -> Iterator[str]:
        nonlocal consumed, lines
        for found in LINE.finditer(data, 0, end):
            consumed, lines = found.end(), lines + 1
            yield decode(found.group(), name)

    try:
        fields = next(csv.reader(read_lines(), delimiter=delimiter, strict=True))
    except csv.Error:
        raise unclosed_quote(name, 1) from None
    return fields or [""], consumed, lines + 1


def check_header(name: str, header: Sequence[str], delimiter: str) -> None:
    """Refuse a header in which a column cannot be told from another."""
    if header[0].startswith("sep="):
        raise InputError(f"{name}:1: {header[0]!r} is a line for Excel alone", hint="delete it")
    if len(header) == 1 and (found := re.search(r"[,;\t|]", header[0])):
        raise InputError(
            f"{name}:1: the header {header[0]!r} is a single column",
            hint=f"columns are separated by {delimiter!r} here, not by {found.group()!r}; "
            f"write {delimiter!r}, or name the file .csv for commas and .tsv for tabs",
        )
    seen: dict[str, int] = {}
    for position, column in enumerate(header):
        earlier = seen.setdefault(column, position)
        if earlier != position:
            raise InputError(
                f"{name}:1: columns {earlier + 1} and {position + 1} have the same name {column!r}",
                hint="give each column a name of its own",
            )


def parse_records(name: str, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """All records of a text, the header too, each with the line it begins on."""
    lines = io.StringIO(text, newline="")
    if delimiter == NO_DELIMITER:
        yield from ((number, [line.rstrip("\r\n")]) for number, line in enumerate(lines, 1))
        return
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    line = 1
    try:
        for fields in reader:
            yield line, fields
            line = reader.line_num + 1
    except csv.Error:
        raise unclosed_quote(name, line) from None


def decode(data: bytes, name: str) -> str:
    """The text of a file, or an error that says where it is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{name}:{line}: byte 0x{data[error.start]:02x} is not UTF-8",
            hint="if it is text in another encoding, convert it: iconv -f LATIN1 -t UTF-8",
        ) from None


def unclosed_quote(name: str, line: int) -> InputError:
    """The error for a record whose quotes do not pair up."""
    return InputError(
        f'{name}:{line}: a field opens with " and does not close before the next delimiter',
        hint='close the quote, and write a " inside of a quoted field twice',
    )


def quotes_are_regular(data: bytes, start: int, end: int, delimiter: str) -> bool:
    """Whether each quote opens or closes a whole field, or is one of two inside of one.

    Counted from the start, quotes open and close in turn; a doubled quote closes and opens again.
    """
    view = np.frombuffer(data, dtype=np.uint8)[start:end]
    quotes = np.flatnonzero(view == ord('"'))
    if len(quotes) % 2:
        return False
    borders = np.zeros(256, dtype=np.bool_)
    borders[[ord('"'), ord(delimiter), ord("\r"), ord("\n")]] = True
    opening, closing = quotes[::2], quotes[1::2]
    before = borders[view[np.maximum(opening - 1, 0)]] | (opening == 0)
    after = borders[view[np.minimum(closing + 1, len(view) - 1)]] | (closing == len(view) - 1)
    return bool(before.all() and after.all())
