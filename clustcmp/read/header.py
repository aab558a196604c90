"""The names of columns in the first line of a table, for the completion of a shell."""

from __future__ import annotations

import csv
import lzma
import os
import zlib
from codecs import BOM_UTF8
from pathlib import Path

from clustcmp.read.address import Address
from clustcmp.read.formats import find_format
from clustcmp.read.source import PACKINGS, ending_of

# No more bytes of a file are looked at.
LONGEST_HEADER = 1 << 20


def peek_columns(path: str) -> list[str]:
    """The columns that the first line of a table names; none if that cannot be found out.

    A completion has nowhere to report an error, and must not wait for a pipe.
    """
    address = Address.of_file(path)
    if not os.path.isfile(path) or not find_format(address, b"").is_table:
        return []
    try:
        line = read_first_line(path).removeprefix(BOM_UTF8).decode().rstrip("\r\n")
        has_tabs = "\t" in line if ending_of(path) != ".csv" else False
        cells = next(csv.reader([line], delimiter="\t" if has_tabs else ","), [])
    except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, csv.Error):
        return []
    return [cell for cell in cells if cell]


def read_first_line(path: str) -> bytes:
    """The first line of a file, unpacked if its name says that it is packed."""
    with open(path, "rb") as file:
        packing = PACKINGS.get(Path(path).suffix.lower())
        line: bytes = (packing.opener(file) if packing else file).readline(LONGEST_HEADER)
    # A line that goes on is no header that anybody would complete.
    return line if len(line) < LONGEST_HEADER else b""
