"""The files of --out: every value, pair, cluster, point and label, whole or not at all."""

from __future__ import annotations

import csv
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from clustcmp.analyses.stability.report import StabilityReport
from clustcmp.analyses.stability.tables import FILES
from clustcmp.errors import ClustcmpError, UsageError
from clustcmp.write import check_writable


def check_folder(folder: str) -> None:
    """Refuse a folder that cannot be written, before any work is done."""
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise UsageError(f"{folder}: is not a folder", hint="name a folder")
    for name in FILES:
        check_writable(str(Path(folder) / f"{name}.csv"))


def write_files(report: StabilityReport, folder: str) -> Iterable[str]:
    """Write all files beside the folder first, then move them into it."""
    target = Path(os.path.realpath(folder))
    fresh = None
    try:
        target.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=".clustcmp-", dir=target))
        for name in FILES:
            write_table(report, name, fresh / f"{name}.csv")
        for name in FILES:
            os.replace(fresh / f"{name}.csv", target / f"{name}.csv")
    except OSError as error:
        raise ClustcmpError(f"{folder}: cannot be written: {error.strerror or error}") from error
    finally:
        if fresh is not None:
            shutil.rmtree(fresh, ignore_errors=True)
    return ()


def write_table(report: StabilityReport, part: str, path: Path) -> None:
    """One part of the report as a CSV file."""
    columns, rows = report.table(part)
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
