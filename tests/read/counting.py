"""Counts how often files are opened and parsed while a test runs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from unittest.mock import patch

from clustcmp.read import source
from clustcmp.read.address import Address
from clustcmp.read.columns import Columns, ColumnTypes
from clustcmp.read.delimited import DelimitedText


@dataclass
class Readings:
    """How often each file was opened, and how often its columns were parsed."""

    loads: Counter[str] = field(default_factory=Counter)
    parses: Counter[str] = field(default_factory=Counter)

    def assert_once(self, *names: str) -> None:
        """These files were opened and parsed once each, and no others."""
        assert self.loads == dict.fromkeys(names, 1)
        assert self.parses == dict.fromkeys(names, 1)


@contextmanager
def counting_readings() -> Iterator[Readings]:
    """Count what is read within this block, by the names of the files without their folders."""
    readings = Readings()
    load, read = source.load, DelimitedText.read

    def counted_load(address: Address, max_bytes: int) -> bytes:
        readings.loads[os.path.basename(address.name)] += 1
        return load(address, max_bytes)

    def counted_read(file: DelimitedText, types: ColumnTypes, advice: str = "") -> Columns:
        readings.parses[os.path.basename(file.name)] += 1
        return read(file, types, advice)

    with (
        patch.object(source, "load", counted_load),
        patch.object(DelimitedText, "read", counted_read),
    ):
        yield readings
