"""How much memory the reading and comparing of files will take, estimated before it begins."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from clustcmp.errors import ClustcmpError
from clustcmp.memory import check_fits
from clustcmp.read.address import Address
from clustcmp.read.formats import find_format
from clustcmp.read.source import PACKINGS, Stored, peek
from clustcmp.settings import MAX_BYTES
from clustcmp.wording import name_of

# Files that have fewer bytes together are read without an estimate.
SMALL = 50_000_000

# A row takes its id, the order in which ids are joined, and the code of its label. The peak of two
# Parquet files was 71 bytes a row with ids of 7 letters, and 34 with numbers as ids. The
# bytes of ids in CSV count by themselves.
PER_ROW, PER_ROW_OF_TEXTS, PER_ROW_OF_NUMBERS = 60, 75, 40

# Of a text there are its bytes, and again those of ids and labels.
PER_BYTE_OF_TEXT = 1.5

# Python objects take many times the bytes of the JSON that they are parsed from.
PER_BYTE_OF_JSON = 20

# So many bytes at the start of a text say how long its lines are.
PROBE = 1 << 16


def how_to_go_on() -> str:
    """What to do about files that are too large."""
    return (
        "let a database count the points in each two clusters (clustcmp sql prints the statement) "
        f"and give the counts with {name_of('contingency')}; or leave out columns, or use more "
        "memory"
    )


def check_memory(addresses: Iterable[Address]) -> None:
    """Refuse files that would not fit in the free memory together."""
    given = [(address, size_of(address)) for address in addresses]
    if sum(size for _, size in given) < SMALL:
        return
    needed = sum(estimate(address, size) for address, size in given)
    names = " and ".join(address.name for address, _ in given[:3])
    more = f" and {len(given) - 3} more" if len(given) > 3 else ""
    check_fits(needed, f"the rows of {names}{more}", how_to_go_on())


def size_of(address: Address) -> int:
    """The bytes of a file, or of the files in a folder; 0 for what is not a file."""
    if address.is_stdin:
        return 0
    path = Path(address.path)
    try:
        if path.is_dir():
            return sum(one.stat().st_size for one in path.iterdir() if one.is_file())
        return path.stat().st_size if path.is_file() else 0
    except (OSError, ValueError):
        # The error is that of whatever reads the file.
        return 0


def check_unpacked(address: Address, data: bytes | Path) -> None:
    """Refuse what came by a pipe or was packed, of which the size was not known before."""
    if isinstance(data, bytes) and len(data) >= SMALL and peek(address) is None:
        check_fits(
            of_text(data[:PROBE], len(data)) - len(data),
            f"the rows of {address.name}",
            how_to_go_on(),
        )


def estimate(address: Address, size: int) -> float:
    """The bytes of memory that a file takes until it is compared; what is packed takes more."""
    start = peek(address)
    if not size or start is None:
        return 0.0 if Path(address.path).suffix.lower() not in PACKINGS else float(size)
    try:
        found = find_format(address, start)
        if found.in_parts:
            from clustcmp.read.parquet import find_parts

            parts = find_parts(address.name, Stored(Path(address.path), MAX_BYTES))
            per_row = PER_ROW_OF_TEXTS if has_ids_of_text(parts[0].schema) else PER_ROW_OF_NUMBERS
            return float(per_row * sum(part.metadata.num_rows for part in parts))
    except ClustcmpError:
        return 0.0
    if found.name.startswith("json"):
        return float(PER_BYTE_OF_JSON * size)
    if not found.is_text:
        return 2.0 * size
    with open(address.path, "rb") as file:
        return of_text(file.read(PROBE), size)


def has_ids_of_text(schema: Any) -> bool:
    """Whether the ids may be texts: a second column of texts beside the labels, or no numbers."""
    import pyarrow as pa

    are_numbers = [pa.types.is_integer(field.type) for field in schema]
    return are_numbers.count(False) > 1 or not any(are_numbers)


def of_text(start: bytes, size: int) -> float:
    """The bytes of memory that a text takes, of which the start tells how long its lines are."""
    n_lines = max(start.count(b"\n"), start.count(b"\r"), 1)
    return PER_BYTE_OF_TEXT * size + PER_ROW * size * n_lines / len(start)
