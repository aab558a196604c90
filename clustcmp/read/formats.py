"""Which format a file has, and the call of what parses it."""

from __future__ import annotations

import os
from codecs import getincrementaldecoder
from collections.abc import Callable
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path
from typing import Any

from clustcmp.errors import InputError, did_you_mean
from clustcmp.file_formats import FORMATS, OTHERWISE, Format
from clustcmp.read import source
from clustcmp.read.address import Address
from clustcmp.read.columns import TabularFile
from clustcmp.read.delimited import decode
from clustcmp.read.source import (
    CHUNK,
    PACKINGS,
    Stored,
    ending_of,
    peek,
    too_large,
)
from clustcmp.settings import MAX_BYTES

# The name for messages, the bytes or a `Stored`, and whether the first line names the columns.
Parser = Callable[[str, Any, bool | None], TabularFile]

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


def fetch(address: Address, max_bytes: int) -> bytes | Path:
    """The bytes of a file, or its path if its format reads only what is needed."""
    start = peek(address)
    if start is not None:
        found = find_format(address, start)
        is_folder = os.path.isdir(address.path)
        if found.in_parts if is_folder else found.seeks:
            return Path(address.path)
    return source.load(address, max_bytes)


def open_file(
    address: Address, data: bytes | Path, has_header: bool | None, max_bytes: int = MAX_BYTES
) -> TabularFile:
    """The file at an address, whose bytes or whose path are given, by the format that it has.

    `has_header` is what the user said about all files; what the address says counts more.
    """
    if isinstance(data, bytes) and len(data) > max_bytes:
        raise too_large(address, max_bytes)
    found = find_format(address, data if isinstance(data, bytes) else peek(address) or b"")
    if found.seeks or isinstance(data, Path):
        return parser_of(found)(address.name, Stored(data, max_bytes), has_header)
    if found.is_text:
        check_text(data, address)
    said = has_header if found.is_table or has_header else None
    if address.header is not None:
        said = address.header
    return parser_of(found)(address.name, data, said)


def parser_of(one: Format) -> Parser:
    """What parses files of a format; its module is imported now."""
    module, _, function = one.parser.partition(":")
    parse: Parser = getattr(import_module(module), function)
    return parse


def format_named(name: str, where: str) -> Format:
    """The format with a name that a user typed; `where` says at which place."""
    known = {one.name: one for one in (*FORMATS, OTHERWISE)}
    if name in known:
        return known[name]
    hint = did_you_mean(name, known)
    hint = f"{hint} the formats are {', '.join(known)}".lstrip()
    raise InputError(f"{where}: there is no format {name!r}", hint=hint)


def find_format(address: Address, data: bytes) -> Format:
    """The format that the user names, else by the first bytes, by the ending, or any table."""
    if address.format is not None:
        return format_named(address.format, address.name)
    for one in FORMATS:
        if one.magic is not None and data.startswith(one.magic):
            return one
    if not address.is_stdin and os.path.isdir(address.path):
        return next(one for one in FORMATS if one.in_parts)
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
