"""Tables with blanks between their columns: numbers of numpy.savetxt, and write.table of R."""

from __future__ import annotations

import re

import numpy as np

from clustcmp.errors import InputError
from clustcmp.read.clusters import split_words
from clustcmp.read.delimited import LINE, DelimitedText, parse_table
from clustcmp.read.sample import is_number
from clustcmp.read.tables import parse_any_table

BLANKS = b" \t"

# A field in quotes, blanks at the start or the end of a line, or blanks between fields.
PIECE = re.compile(
    rb'(?P<quoted>"(?:[^"\\]|\\.|"")*")|(?P<edge>(?<![^\r\n])[ \t]+|[ \t]+(?=[\r\n]|\Z))|[ \t]+',
    re.DOTALL,
)


def parse_spaces(name: str, data: bytes, has_header: bool | None) -> DelimitedText:
    """A table with one blank or more between its columns.

    A first line of numbers is a row, unless the user says otherwise.
    """
    cells = first_line(data).decode("utf-8", "replace").split()
    if not cells:
        raise InputError(
            f"{name}: {'its first line is empty' if data.strip() else 'is empty'}",
            hint="a table with blanks between its columns is needed",
        )
    if has_header is None and all(map(is_number, cells)):
        has_header = False
    return parse_table(name, with_tabs(data), "\t", has_header)


def parse_data(name: str, data: bytes, has_header: bool | None) -> DelimitedText:
    """A table with tabs, commas or blanks, whichever the first line has."""
    line = first_line(data)
    if b"\t" in line or b"," in line or not line.strip():
        return parse_any_table(name, data, has_header)
    return parse_spaces(name, data, has_header)


def first_line(data: bytes) -> bytes:
    """The first line of a text."""
    return next(LINE.finditer(data)).group()


def with_tabs(data: bytes) -> bytes:
    """The same lines with a tab between the fields, and quotes as CSV has them."""
    if b'"' in data:
        return PIECE.sub(replace_piece, data)
    words = split_words(data, BLANKS)
    follows = np.flatnonzero(np.diff(words.lines, prepend=-1) == 0)
    before = words.starts[follows] - 1
    view = words.data
    kept = (view != ord(" ")) & (view != ord("\t"))
    kept[before] = True
    joined = view.copy()
    joined[before] = ord("\t")
    return bytes(joined[kept])


def replace_piece(found: re.Match[bytes]) -> bytes:
    """What stands for blanks, or for a field in quotes; R writes a quote in it behind a \\."""
    if (quoted := found["quoted"]) is not None:
        return b'"' + quoted[1:-1].replace(b'\\"', b'""') + b'"'
    return b"" if found["edge"] is not None else b"\t"
