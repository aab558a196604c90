"""The columns of a delimited text, exactly as they are written.

Two readers give the same columns. Arrow's is fast and reads every well-formed file. The careful
one takes a record at a time: it explains what is wrong, and reads what Arrow takes differently.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Codes, Floats
from clustcmp.errors import InputError
from clustcmp.model import Texts
from clustcmp.read.source import decode

LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
NUMBER = re.compile(r"[ \t]*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[ \t]*", re.ASCII)

# The limit belongs to the whole process, so two threads cannot each set it and set it back.
csv.field_size_limit(sys.maxsize)

# Stands for one label per line. Arrow needs a delimiter, and no label is likely to hold this one.
NO_DELIMITER = "\x1f"


# At the start of a file it says that the file is UTF-8, elsewhere it is a character.
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Kind(Enum):
    """What a column is read as."""

    text = "text"
    labels = "labels"
    number = "number"


@dataclass(frozen=True)
class Labels:
    """The text of one column: `names` holds each distinct text once, `codes` point to them."""

    codes: Codes
    names: Texts


@dataclass(frozen=True)
class Columns:
    """The columns asked for, each under its name."""

    texts: Mapping[str, Texts]
    labels: Mapping[str, Labels]
    numbers: Mapping[str, Floats]

    @property
    def has_empty_text(self) -> bool:
        """Whether a text or a label is empty somewhere."""
        distinct = [labels.names for labels in self.labels.values()]
        return any(
            (np.diff(texts.offsets) == 0).any() for texts in (*self.texts.values(), *distinct)
        )


@dataclass(frozen=True, eq=False)
class Table:
    """A delimited text with named columns.

    `data[start:end]` holds the rows, the first of which is on line `first_line` of the file.
    """

    path: str
    data: bytes
    delimiter: str
    header: tuple[str, ...]
    start: int
    end: int
    first_line: int

    def read(self, kinds: Mapping[str, Kind], advice: str = "") -> Columns:
        """Some columns, each as the kind that it is asked for; the advice is for non-numbers."""
        import pyarrow as pa

        try:
            columns = self._read_fast(kinds)
        except pa.ArrowInvalid:
            columns = None
        return columns or self._read_carefully(kinds, advice)

    def line(self, row: int) -> int:
        """The line of the file on which a row (from 0) begins."""
        if not self._is_quoted:
            return self.first_line + row
        return next(line for number, (line, _) in enumerate(self._records()) if number == row)

    def place(self, row: int) -> str:
        """Where a row stands, for messages."""
        return f"{self.path}:{self.line(row)}"

    @property
    def _is_quoted(self) -> bool:
        """Whether quotes have a meaning, and the rows have any."""
        return self.delimiter != NO_DELIMITER and self.data.find(b'"', self.start, self.end) >= 0

    def _read_fast(self, kinds: Mapping[str, Kind]) -> Columns | None:
        """The columns as Arrow reads them, or None where Arrow would read something else."""
        import pyarrow as pa
        import pyarrow.csv

        quoted = self._is_quoted
        if quoted and not quotes_are_regular(self.data, self.start, self.end, self.delimiter):
            return None
        if self.data.startswith(BYTE_ORDER_MARK, self.start):
            # Arrow would drop the mark, which belongs to the first cell here.
            return None
        if self.delimiter == NO_DELIMITER and NO_DELIMITER.encode() in self.data:
            return None
        types = {
            Kind.text: pa.large_string(),
            Kind.labels: pa.dictionary(pa.int32(), pa.string()),
            Kind.number: pa.float64(),
        }
        names = {column: str(position) for position, column in enumerate(self.header)}
        chosen = {names[column]: types[kind] for column, kind in kinds.items()}
        read_options = pa.csv.ReadOptions(column_names=list(names.values()))
        # Where a block ends with CR and the next one begins with LF, Arrow drops the LF, even if
        # both stand in quotes: then there must be one block only.
        if quoted and self.data.find(b"\r\n", self.start, self.end) >= 0:
            if self.end - self.start >= 1 << 31:
                return None
            read_options.block_size = self.end - self.start
        rows = pa.py_buffer(self.data).slice(self.start, self.end - self.start)
        table = pa.csv.read_csv(
            pa.BufferReader(rows),
            read_options=read_options,
            parse_options=pa.csv.ParseOptions(
                delimiter=self.delimiter,
                quote_char='"' if quoted else False,
                newlines_in_values=quoted,
                ignore_empty_lines=False,
            ),
            convert_options=pa.csv.ConvertOptions(
                column_types=chosen, include_columns=list(chosen), null_values=[]
            ),
        )
        arrays = [one_array(table.column(name)) for name in chosen]
        columns = to_columns(kinds, arrays)
        # Arrow takes nan, inf and 1e999 for numbers, and an empty line for empty fields.
        if not all(np.isfinite(numbers).all() for numbers in columns.numbers.values()):
            return None
        if columns.has_empty_text and len(self.header) > 1 and self._may_have_empty_lines():
            return None
        return columns

    def _may_have_empty_lines(self) -> bool:
        """Whether two line ends follow each other, in quotes or not."""
        return self.data[self.start] in b"\r\n" or any(
            self.data.find(pair, self.start, self.end) >= 0 for pair in (b"\n\n", b"\n\r", b"\r\r")
        )

    def _read_carefully(self, kinds: Mapping[str, Kind], advice: str = "") -> Columns:
        """The columns, read a record at a time; the first fault is an error."""
        import pyarrow as pa

        where = [self.header.index(column) for column in kinds]
        ids = [self.header.index(column) for column, kind in kinds.items() if kind is Kind.text]
        cells: list[list[Any]] = [[] for _ in kinds]
        parsers = [self._parse_number if kind is Kind.number else None for kind in kinds.values()]
        for line, fields in self._records():
            for column, position, parse in zip(cells, where, parsers, strict=True):
                text = fields[position]
                if parse:
                    point = f"point {fields[ids[0]]!r}, " if ids else ""
                    column.append(parse(f"{line}: {point}", position, text, advice))
                else:
                    column.append(text)
        arrays = []
        for kind, column in zip(kinds.values(), cells, strict=True):
            array = pa.array(column, pa.float64() if kind is Kind.number else pa.large_string())
            arrays.append(array.dictionary_encode() if kind is Kind.labels else array)
        return to_columns(kinds, arrays)

    def _parse_number(self, place: str, position: int, text: str, advice: str) -> float:
        if NUMBER.fullmatch(text) and np.isfinite(float(text)):
            return float(text)
        what = f"{text!r} is not a number" if text.strip() else "is empty"
        raise InputError(
            f"{self.path}:{place}column {self.header[position]!r}: {what}",
            hint=f"{advice}; the columns are {show_names(self.header)}",
        )

    def _records(self) -> Iterator[tuple[int, list[str]]]:
        """Each row with the line it begins on, all with as many fields as the header."""
        text = decode(self.data[: self.end], self.path)
        records = parse_records(self.path, text, self.delimiter)
        for line, fields in records:
            if line < self.first_line:
                continue
            if not fields and len(self.header) == 1:
                fields = [""]
            if len(fields) != len(self.header):
                raise self._wrong_width(line, len(fields))
            yield line, fields

    def _wrong_width(self, line: int, width: int) -> InputError:
        if not width:
            return InputError(f"{self.path}:{line}: the line is empty", hint="delete it")
        return InputError(
            f"{self.path}:{line}: has {plural(width, 'field')} where "
            f"{'the header' if self.first_line > 1 else 'the first row'} has {len(self.header)}",
            hint="each row needs the same fields; quote a field that holds the delimiter "
            f"{self.delimiter!r}",
        )


def parse_table(path: str, data: bytes, delimiter: str, has_header: bool) -> Table:
    """Find the columns and the rows, or say what is missing."""
    end = len(data)
    while end and data[end - 1] in b"\r\n":
        end -= 1
    if not end:
        raise InputError(f"{path}: is empty", hint="a table with a header and rows is needed")
    if delimiter == NO_DELIMITER:
        return Table(path, data, delimiter, ("1",), 0, end, 1)
    first, start, next_line = first_record(path, data, end, delimiter)
    if not has_header:
        header = tuple(str(number + 1) for number in range(len(first)))
        return Table(path, data, delimiter, header, 0, end, 1)
    if first == [""]:
        raise InputError(f"{path}:1: the line is empty", hint="name the columns in it")
    check_header(path, first, delimiter)
    if start >= end:
        raise InputError(
            f"{path}: has a header but no rows",
            hint="if the first line is a row already, say so with --no-header",
        )
    return Table(path, data, delimiter, tuple(first), start, end, next_line)


def first_record(path: str, data: bytes, end: int, delimiter: str) -> tuple[list[str], int, int]:
    """The fields of the first record, where the next one starts, and on which line."""
    consumed = lines = 0

    def read_lines() -> Iterator[str]:
        nonlocal consumed, lines
        for found in LINE.finditer(data, 0, end):
            consumed, lines = found.end(), lines + 1
            yield decode(found.group(), path)

    try:
        fields = next(csv.reader(read_lines(), delimiter=delimiter, strict=True))
    except csv.Error:
        raise unclosed_quote(path, 1) from None
    return fields or [""], consumed, lines + 1


def check_header(path: str, header: Sequence[str], delimiter: str) -> None:
    """Refuse a header in which a column cannot be told from another."""
    if len(header) == 1 and (found := re.search(r"[,;\t|]", header[0])):
        raise InputError(
            f"{path}:1: the header {header[0]!r} is a single column",
            hint=f"columns are separated by {delimiter!r} here, not by {found.group()!r}; "
            "separate them so, or name the file .csv for commas and .tsv for tabs",
        )
    seen: dict[str, int] = {}
    for position, name in enumerate(header):
        earlier = seen.setdefault(name, position)
        if earlier != position:
            raise InputError(
                f"{path}:1: columns {earlier + 1} and {position + 1} have the same name {name!r}",
                hint="give each column a name of its own",
            )


def parse_records(path: str, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
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
        raise unclosed_quote(path, line) from None


def unclosed_quote(path: str, line: int) -> InputError:
    """The error for a record whose quotes do not pair up."""
    return InputError(
        f'{path}:{line}: a field opens with " and does not close before the next delimiter',
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


def one_array(column: Any) -> Any:
    """A chunked Arrow column in one piece, with one dictionary if it has dictionaries."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries()
    array = column.combine_chunks()
    return array.chunk(0) if isinstance(array, pa.ChunkedArray) else array


def to_columns(kinds: Mapping[str, Kind], arrays: Sequence[Any]) -> Columns:
    """Arrow arrays as what the rest of clustcmp works with."""
    found = list(zip(kinds.items(), arrays, strict=True))
    return Columns(
        texts={name: to_texts(array) for (name, kind), array in found if kind is Kind.text},
        labels={name: to_labels(array) for (name, kind), array in found if kind is Kind.labels},
        numbers={
            name: values(array, np.float64) for (name, kind), array in found if kind is Kind.number
        },
    )


def values(array: Any, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """The numbers of an Arrow array; its own to_numpy would import pandas first."""
    return np.frombuffer(array.buffers()[1], dtype)[array.offset : array.offset + len(array)]


def to_texts(array: Any) -> Texts:
    """An Arrow array of strings."""
    import pyarrow as pa

    width = np.int64 if pa.types.is_large_string(array.type) else np.int32
    offsets = np.frombuffer(array.buffers()[1], width)[array.offset : array.offset + len(array) + 1]
    data = np.frombuffer(array.buffers()[2] or b"", np.uint8)
    return Texts(offsets.astype(np.int64, copy=False), data)


def to_labels(array: Any) -> Labels:
    """An Arrow array with a dictionary."""
    return Labels(values(array.indices, np.int32), to_texts(array.dictionary))


def plural(count: int, noun: str) -> str:
    """A count with its noun."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def show_names(names: Sequence[str], most: int = 12) -> str:
    """Names in a sentence, cut off where there are many."""
    shown = ", ".join(map(repr, names[:most]))
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
