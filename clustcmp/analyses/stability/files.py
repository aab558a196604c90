"""The files of --out: a table for each part of a report, whole or not at all."""

from __future__ import annotations

import csv
import os
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from clustcmp.errors import ClustcmpError, UsageError
from clustcmp.write import check_apart, check_writable


class HasTables(Protocol):
    """A report with parts that are tables."""

    def table(self, part: str) -> tuple[list[str], Iterable[Sequence[Any]]]:
        """The columns and the rows of a part."""


def check_folder(folder: str, parts: Iterable[str], reads: Sequence[str]) -> None:
    """Refuse a folder that cannot be written, or with files that are read, before any work."""
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise UsageError(f"{folder}: is not a folder", hint="name a folder")
    for name in parts:
        path = str(Path(folder) / f"{name}.csv")
        check_writable(path)
        check_apart(path, reads)


def write_files(report: HasTables, folder: str, parts: Sequence[str]) -> Iterable[str]:
    """Write all files to a folder of their own first, then move them to where they belong."""
    target = Path(os.path.realpath(folder))
    fresh = None
    try:
        target.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=".clustcmp-", dir=target))
        for name in parts:
            write_table(report, name, fresh / f"{name}.csv")
        for name in parts:
            os.replace(fresh / f"{name}.csv", target / f"{name}.csv")
    except OSError as error:
        raise ClustcmpError(f"{folder}: cannot be written: {error.strerror or error}") from error
    finally:
        if fresh is not None:
            shutil.rmtree(fresh, ignore_errors=True)
    return ()


def write_table(report: HasTables, part: str, path: Path) -> None:
    """One part of the report as a CSV file."""
    columns, rows = report.table(part)
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
