"""The formats of files with named columns: which one a file has, and what parses it.

A new format is a module with a function that parses the bytes of a file, and one entry in FORMATS.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import NamedTuple

from clustcmp.errors import InputError
from clustcmp.read.address import Address
from clustcmp.read.columns import TabularFile
from clustcmp.read.delimited import LINE, decode, parse_lines, parse_table
from clustcmp.read.json_files import parse_json, parse_json_lines
from clustcmp.read.numpy_files import parse_npy, parse_npz
from clustcmp.read.parquet import parse_feather, parse_parquet
from clustcmp.read.source import CHUNK, PACKINGS, ending_of


class Format(NamedTuple):
    """A kind of file, known by the ending of its name or by its first bytes.

    `endings` are patterns in lower case. `parse` gets the name of the file for messages, the bytes,
    and whether the file has a header, as far as the user says so. A text has no NUL bytes.
    `is_table` means that what is said about the headers of all files concerns this format.
    """

    parse: Callable[[str, bytes, bool | None], TabularFile]
    endings: tuple[str, ...] = ()
    magic: bytes | None = None
    is_text: bool = True
    is_table: bool = True


def parse_csv(name: str, data: bytes, has_header: bool | None) -> TabularFile:
    """A table with commas."""
    return parse_table(name, data, ",", has_header)


def parse_tsv(name: str, data: bytes, has_header: bool | None) -> TabularFile:
    """A table with tabs."""
    return parse_table(name, data, "\t", has_header)


def parse_labels(name: str, data: bytes, has_header: bool | None) -> TabularFile:
    """One label per line."""
    return parse_lines(name, data, has_header)


def parse_any_table(name: str, data: bytes, has_header: bool | None) -> TabularFile:
    """A table with tabs if its first line has one, else with commas."""
    has_tabs = b"\t" in next(LINE.finditer(data)).group()
    return (parse_tsv if has_tabs else parse_csv)(name, data, has_header)


def typed(
    parse: Callable[[str, bytes, bool | None], TabularFile],
    endings: tuple[str, ...],
    magic: bytes | None = None,
) -> Format:
    """A format that knows the types of its columns, and itself says what they are called."""
    return Format(parse, endings, magic, is_text=magic is None, is_table=False)


FORMATS = (
    Format(parse_csv, endings=(".csv",)),
    Format(parse_tsv, endings=(".tsv",)),
    Format(parse_labels, endings=(".txt", ".labels*"), is_table=False),
    typed(parse_parquet, (".parquet", ".pq"), b"PAR1"),
    typed(parse_feather, (".feather", ".arrow"), b"ARROW1"),
    typed(parse_npy, (".npy",), b"\x93NUMPY"),
    # A zip archive may be anything else, so that only the ending tells this one.
    typed(parse_npz, (".npz",))._replace(is_text=False),
    typed(parse_json, (".json",)),
    typed(parse_json_lines, (".jsonl", ".ndjson")),
)

# For stdin and for names with any other ending.
OTHERWISE = Format(parse_any_table)

# The first bytes of data that no format reads, with a name for it and with what to do.
UNREADABLE = {
    **{
        one.magic: (one.name, f"name it {end} so that it is unpacked")
        for end, one in PACKINGS.items()
    },
    b"PK\x03\x04": (
        "a zip archive or a spreadsheet",
        "unpack it, or save it as CSV; arrays of numpy are read if the name ends with .npz",
    ),
    b"\xff\xfe": ("UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8"),
    b"\xfe\xff": ("UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8"),
}


def open_file(address: Address, data: bytes, has_header: bool | None) -> TabularFile:
    """The file at an address, whose bytes are given, by the format that it has.

    `has_header` is what the user said about all files; what the address says counts more.
    """
    found = find_format(address, data)
    if found.is_text:
        check_text(data, address)
    said = has_header if found.is_table or has_header else None
    if address.header is not None:
        said = address.header
    return found.parse(address.name, data, said)


def find_format(address: Address, data: bytes) -> Format:
    """The format by the first bytes, else by the ending of the name, else any table."""
    for one in FORMATS:
        if one.magic is not None and data.startswith(one.magic):
            return one
    ending = ending_of(address.path)
    for one in FORMATS:
        if not address.is_stdin and any(fnmatchcase(ending, pattern) for pattern in one.endings):
            return one
    return OTHERWISE


def check_text(data: bytes, address: Address) -> None:
    """Refuse what cannot be a text file, with a guess at what it is."""
    for magic, (kind, hint) in UNREADABLE.items():
        if data.startswith(magic):
            if address.is_stdin:
                hint = "unpack or convert it on the way, for example with zcat"
            raise InputError(f"{address.name}: is {kind}, not UTF-8 text", hint=hint)
    if (position := data.find(b"\0")) >= 0:
        line = data.count(b"\n", 0, position) + 1
        raise InputError(
            f"{address.name}:{line}: has a NUL byte, so it is not a text file",
            hint="write it as CSV in UTF-8; UTF-16 can be converted with iconv -f UTF-16 -t UTF-8",
        )
    check_utf8(data, address.name)


def check_utf8(data: bytes, name: str) -> None:
    """Refuse bytes that are not UTF-8, also in columns that are not used.

    Arrow looks at the columns that it converts only, and then not at all of their bytes.
    """
    if data.isascii():
        return
    decoder = getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), CHUNK):
            decoder.decode(data[start : start + CHUNK], final=start + CHUNK >= len(data))
    except UnicodeDecodeError:
        # Says which line it is.
        decode(data, name)
