"""Coordinates in the files of the clusterings themselves, where no others were given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from clustcmp.errors import UsageError, show_names
from clustcmp.model import CoordinateTable
from clustcmp.notes import Note
from clustcmp.read.address import Address
from clustcmp.read.columns import TabularFile
from clustcmp.read.evidence import Evidence
from clustcmp.read.joining import TableReading
from clustcmp.read.roles import ID, LABELS, Roles, other_columns
from clustcmp.wording import say


class Unlocated(NamedTuple):
    """Metrics that need coordinates, where none were given.

    If the metrics were named, the columns of the files are their coordinates; else a note says
    what coordinates would add.
    """

    metrics: tuple[str, ...]
    are_named: bool


class OwnColumns(NamedTuple):
    """The columns of a file that may be coordinates, and the table of them.

    There is no table if it was not asked for, or if another column than these is not known to be
    ids or labels.
    """

    address: Address
    are_all: bool
    reading: TableReading | None = None
    measured: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        return self.address.columns

    @property
    def words(self) -> str:
        """The file and the columns, as they would be typed."""
        return f"{self.address.path}::{','.join(self.measured or self.names)}"


def find_own(evidence: Evidence, address: Address, roles: Sequence[Roles]) -> OwnColumns:
    """The columns of a file that may be coordinates: numbers that are neither ids nor labels.

    `roles` are those of the clusterings in the file.
    """
    file, sample = evidence.file, evidence.sample
    used = {name for one in roles for name in one.used}
    candidates = {name for one in roles for name in one.candidates}
    rest = [name for name in other_columns(file, None) if name not in used]
    rest = [name for name in rest if not is_known(name)]
    numbers = tuple(name for name in rest if not sample.has_text(name) and has_cells(file, name))
    is_said = all(one.label is not None and one.label_is_said for one in roles)
    others = [name for name in rest if name not in numbers and name not in candidates]
    chosen = Address(address.text, address.path, id=address.id, columns=numbers)
    measured = tuple(name for name in numbers if name not in candidates)
    return OwnColumns(chosen, is_said and bool(numbers) and not others, measured=measured)


def is_known(name: str) -> bool:
    """Whether the name of a column says that it holds ids or labels."""
    return name.lower() in (ID, *LABELS)


def has_cells(file: TabularFile, name: str) -> bool:
    """Whether some of the first cells of a column are not empty."""
    return any(cell.strip() for cell in file.sample.columns[name])


def take_own(found: Sequence[OwnColumns], unlocated: Unlocated) -> list[TableReading]:
    """The coordinates of each clustering, with a note, or an error that says how to give some."""
    readings = [one.reading for one in found]
    names = {frozenset(one.table.names) for one in readings if one is not None}
    if None in readings or len(names) != 1:
        first = next((one for one in found if one.names), None)
        words = say("coordinates", first.words if first else None)
        raise UsageError(
            f"{unlocated.metrics[0]}: needs coordinates",
            hint=f"say where the points are with {words}",
        )
    return [with_note(one) for one in readings if one is not None]


def with_note(reading: TableReading) -> TableReading:
    """Coordinates with a note that says where they come from."""
    table: CoordinateTable = reading.table
    note = Note(f"columns {show_names(table.names)} are the coordinates", table.title)
    return replace(reading, table=replace(table, notes=(*table.notes, note)))


def note_own(found: Sequence[OwnColumns], unlocated: Unlocated) -> tuple[Note, ...]:
    """A note on what coordinates would add, if the files have columns that may be coordinates."""
    names = {frozenset(one.names) for one in found}
    if not all(one.are_all for one in found) or len(names) != 1:
        return ()
    metrics = ", ".join(unlocated.metrics)
    text = f"{say('coordinates', found[0].words)} adds {metrics}"
    return (Note(f"columns {show_names(found[0].names)} may be coordinates: {text}"),)
