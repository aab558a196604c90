"""From an address to the bytes of its file: paths, stdin, packed files."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import sys
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, NamedTuple

from clustcmp.errors import InputError
from clustcmp.read.address import Address
from clustcmp.settings import MAX_BYTES
from clustcmp.wording import name_of

CHUNK = 1 << 24

# No format is told by more bytes at the start of a file.
LONGEST_MAGIC = 16


class Packing(NamedTuple):
    """A way to pack files: the name of packed data, its first bytes, and what unpacks it."""

    name: str
    magic: bytes
    opener: Callable[[IO[bytes]], Any]


def open_zstd(file: IO[bytes]) -> IO[bytes]:
    """The unpacked bytes of zstd data, by Arrow, because Python knows it from 3.14 on only."""
    import pyarrow as pa

    return io.BufferedReader(pa.CompressedInputStream(file, "zstd"))


# By the ending of a file's name.
PACKINGS = {
    ".gz": Packing("gzip data", b"\x1f\x8b", lambda file: gzip.GzipFile(fileobj=file)),
    ".bz2": Packing("bzip2 data", b"BZh", lambda file: bz2.BZ2File(file)),
    ".xz": Packing("xz data", b"\xfd7zXZ", lambda file: lzma.LZMAFile(file)),  # noqa: SIM115
    ".zst": Packing("zstd data", b"\x28\xb5\x2f\xfd", open_zstd),
}


class Stored(NamedTuple):
    """A file for a format that seeks: its path, or its bytes if it is packed or comes by a pipe.

    No more than `max_bytes` may be unpacked from the file.
    """

    data: Path | bytes
    max_bytes: int

    @property
    def for_arrow(self) -> Any:
        """What Arrow opens."""
        import pyarrow as pa

        return self.data if isinstance(self.data, Path) else pa.BufferReader(self.data)


def ending_of(path: str) -> str:
    """The ending of a file's name that says what is in it, without that of a packing."""
    name = Path(path).name
    while name.lower().endswith(tuple(PACKINGS)):
        name = name[: name.rindex(".")]
    return Path(name).suffix.lower()


def peek(address: Address) -> bytes | None:
    """The first bytes of a file, none of a folder; None if the file cannot be read twice."""
    if address.is_stdin or Path(address.path).suffix.lower() in PACKINGS:
        return None
    try:
        if os.path.isdir(address.path):
            return b""
        if not os.path.isfile(address.path):
            return None
        with open(address.path, "rb") as file:
            return file.read(LONGEST_MAGIC)
    except (OSError, ValueError):
        # The error is that of whatever reads the file next.
        return None


def load(address: Address, max_bytes: int = MAX_BYTES) -> bytes:
    """The bytes of a file, unpacked if its name says so, without a byte order mark."""
    try:
        if address.is_stdin and sys.stdin is None:
            raise InputError("stdin is closed", hint="name a file, or pipe something in")
        if address.is_stdin:
            data = read_up_to(sys.stdin.buffer, address, max_bytes)
        else:
            with open(address.path, "rb") as file:
                data = unpack(file, address, max_bytes)
    except InputError:
        raise
    except (OSError, ValueError) as error:
        raise cannot_open(address.path, error) from None
    return data.removeprefix(BOM_UTF8)


def unpack(file: IO[bytes], address: Address, max_bytes: int) -> bytes:
    """The bytes of an open file, unpacked if its name says that it is packed."""
    ending = Path(address.path).suffix.lower()
    if ending not in PACKINGS:
        # A file is read in one piece, because joining pieces takes a copy; a pipe has no size.
        size = os.fstat(file.fileno()).st_size
        return read_up_to(file, address, max_bytes, max(CHUNK, min(size, max_bytes) + 1))
    try:
        return read_up_to(PACKINGS[ending].opener(file), address, max_bytes)
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        raise InputError(
            f"{address.path}: cannot be unpacked as {ending}: {error or 'it ends too early'}",
            hint="the file is broken or cut off; if it was never packed, drop the "
            f"{ending} from its name",
        ) from None


def read_up_to(file: IO[bytes], address: Address, max_bytes: int, chunk_size: int = CHUNK) -> bytes:
    """All bytes of an open file, unless they are more than allowed."""
    chunks, size = [], 0
    while chunk := file.read(chunk_size):
        size += len(chunk)
        if size > max_bytes:
            raise too_large(address, max_bytes)
        chunks.append(chunk)
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def too_large(address: Address, max_bytes: int) -> InputError:
    """The error for a file that has more bytes than allowed."""
    return more_than_allowed(address.name, max_bytes)


def more_than_allowed(name: str, max_bytes: int) -> InputError:
    """The error for a file of this name that has more bytes than allowed."""
    return InputError(
        f"{name}: has more than {max_bytes} bytes when unpacked",
        hint=f"if that is what you expect, raise the limit with {name_of('max_bytes')}",
    )


# What to do about a folder.
IN_FOLDERS = "name a file in it; only a folder of Parquet files is read as one table"


def cannot_open(path: str, error: Exception) -> InputError:
    """The error for a path that gives no bytes."""
    if re.match(r"[a-z][a-z0-9+.-]*://", path, re.IGNORECASE):
        return InputError(
            f"{path}: is a URL, but clustcmp opens files only",
            hint="download it first, or pipe it in and write - for the file",
        )
    if isinstance(error, FileNotFoundError):
        return InputError(f"{path}: there is no such file", hint="check the path and the folder")
    if isinstance(error, IsADirectoryError):
        return InputError(f"{path}: is a directory", hint=IN_FOLDERS)
    reason = getattr(error, "strerror", None) or error
    return InputError(f"{path}: cannot be opened: {reason}")
