"""From what the user typed to the bytes of the file: paths, stdin, compression, encodings."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import re
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from clustcmp.errors import InputError
from clustcmp.settings import MAX_BYTES

CHUNK = 1 << 24

OPENERS: dict[str, Callable[[IO[bytes]], Any]] = {
    ".gz": lambda file: gzip.GzipFile(fileobj=file),
    ".bz2": lambda file: bz2.BZ2File(file),
    ".xz": lambda file: lzma.LZMAFile(file),  # noqa: SIM115  the caller closes `file`
}

HOW_TO_NAME = "write path::COLUMN or path::label=COLUMN,id=COLUMN"

# The first bytes of files that are not text, and what they are.
MAGIC = {
    b"\x1f\x8b": ("gzip data", "name it .gz so that it is unpacked"),
    b"BZh": ("bzip2 data", "name it .bz2 so that it is unpacked"),
    b"\xfd7zXZ": ("xz data", "name it .xz so that it is unpacked"),
    b"PAR1": ("a Parquet file", "write it as CSV"),
    b"PK\x03\x04": ("a zip archive or a spreadsheet", "unpack it, or save it as CSV"),
    b"\xff\xfe": ("UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8"),
    b"\xfe\xff": ("UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8"),
}


@dataclass(frozen=True)
class FileSpec:
    """A FILE argument: `path`, `path::column`, `path::label=NAME,id=NAME`, or `-` for stdin."""

    text: str
    path: str
    label: str | None = None
    id: str | None = None

    @classmethod
    def parse(cls, text: str) -> FileSpec:
        """Split what the user typed; a file of exactly that name wins."""
        path, colons, columns = text.partition("::")
        if not colons or os.path.exists(text):
            return cls(text, text)
        named = {"label": columns}
        if re.match(r"(label|id)=", columns):
            parts = re.split(r",(?=(?:label|id)=)", columns)
            named = dict(part.split("=", 1) for part in parts)
            if len(named) < len(parts):
                raise InputError(f"{text!r} names the same column twice", hint=HOW_TO_NAME)
        if not all(named.values()):
            raise InputError(f"{text!r} does not name a column after ::", hint=HOW_TO_NAME)
        return cls(text, path, **named)

    @property
    def is_stdin(self) -> bool:
        """Whether to read standard input."""
        return self.path in ("-", "/dev/stdin")

    @property
    def name(self) -> str:
        """What to call the file in messages."""
        return "stdin" if self.is_stdin else self.path

    @property
    def suffix(self) -> str:
        """The ending of the file that says what is in it, without that of a compression."""
        name = Path(self.path).name
        while name.lower().endswith(tuple(OPENERS)):
            name = name[: name.rindex(".")]
        return Path(name).suffix.lower()


def load(spec: FileSpec, max_bytes: int = MAX_BYTES) -> bytes:
    """The unpacked bytes of a file, without a byte order mark, checked to be text of a kind."""
    try:
        if spec.is_stdin and sys.stdin is None:
            raise InputError("stdin is closed", hint="name a file, or pipe something in")
        if spec.is_stdin:
            data = read_up_to(sys.stdin.buffer, spec, max_bytes)
        else:
            with open(spec.path, "rb") as file:
                data = unpack(file, spec, max_bytes)
    except (OSError, ValueError) as error:
        raise cannot_open(spec.path, error) from None
    check_text(data, spec.name)
    return data.removeprefix(b"\xef\xbb\xbf")


def unpack(file: IO[bytes], spec: FileSpec, max_bytes: int) -> bytes:
    """The bytes of an open file, unpacked if its name says that it is packed."""
    opener = OPENERS.get(Path(spec.path).suffix.lower())
    if opener is None:
        # In one piece, if it is a file and not a pipe: to join pieces takes a copy.
        size = os.fstat(file.fileno()).st_size
        return read_up_to(file, spec, max_bytes, max(CHUNK, min(size, max_bytes) + 1))
    try:
        return read_up_to(opener(file), spec, max_bytes)
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        kind = Path(spec.path).suffix.lower()
        raise InputError(
            f"{spec.path}: cannot be unpacked as {kind}: {error or 'it ends too early'}",
            hint=f"it is broken or cut off; if it was never packed, drop the {kind} from its name",
        ) from None


def read_up_to(file: IO[bytes], spec: FileSpec, max_bytes: int, chunk_size: int = CHUNK) -> bytes:
    """All bytes of an open file, unless they are more than allowed."""
    chunks, size = [], 0
    while chunk := file.read(chunk_size):
        size += len(chunk)
        if size > max_bytes:
            raise InputError(
                f"{spec.name}: has more than {max_bytes} bytes when unpacked",
                hint="if that is what you expect, raise the limit with --max-bytes",
            )
        chunks.append(chunk)
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def cannot_open(path: str, error: Exception) -> InputError:
    """The error for a path that gives no bytes."""
    if re.match(r"[a-z][a-z0-9+.-]*://", path, re.IGNORECASE):
        return InputError(
            f"{path}: is an address, and clustcmp opens files only",
            hint="download it first, or pipe it in and write - for the file",
        )
    if isinstance(error, FileNotFoundError):
        return InputError(f"{path}: there is no such file", hint="check the path and the folder")
    if isinstance(error, IsADirectoryError):
        return InputError(f"{path}: is a directory", hint="name a file in it")
    reason = getattr(error, "strerror", None) or error
    return InputError(f"{path}: cannot be opened: {reason}")


def check_text(data: bytes, path: str) -> None:
    """Refuse what cannot be a text file, with a guess at what it is."""
    for magic, (kind, hint) in MAGIC.items():
        if data.startswith(magic):
            if path == "stdin":
                hint = "unpack or convert it on the way, for example with zcat"
            raise InputError(f"{path}: is {kind}, not UTF-8 text", hint=hint)
    if (position := data.find(b"\0")) >= 0:
        line = data.count(b"\n", 0, position) + 1
        raise InputError(
            f"{path}:{line}: has a NUL byte, so it is not a text file",
            hint="write it as CSV in UTF-8; UTF-16 can be converted with iconv -f UTF-16 -t UTF-8",
        )


def decode(data: bytes, path: str) -> str:
    """The text of the file, or an error that says where it is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path}:{line}: byte 0x{data[error.start]:02x} is not UTF-8",
            hint="if it is text in another encoding, convert it: iconv -f LATIN1 -t UTF-8",
        ) from None
