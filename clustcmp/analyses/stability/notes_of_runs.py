"""What there is to note about runs that exist already, each thing once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from clustcmp.align import Collection, note_positions
from clustcmp.analyses.stability.report_of_runs import GroupPoint
from clustcmp.errors import plural
from clustcmp.notes import Note, condense


class HasPoint(Protocol):
    """Anything with the figures of a group."""

    @property
    def point(self) -> GroupPoint:
        """The figures."""


def find_notes(collection: Collection, parts: Iterable[HasPoint]) -> list[Note]:
    """What was found in the files, and which groups lack values."""
    found: list[Note] = []
    for index, clustering in enumerate(collection.clusterings):
        found += collection.notes(index)
        found += [Note(one.text, collection.titles[index]) for one in note_positions(clustering)]
    return [*condense(found), *collection.note_labels(), *note_values(parts)]


def note_values(parts: Iterable[HasPoint]) -> Iterable[Note]:
    """Which groups have pairs without a value, and which have one run only."""
    for part in parts:
        point = part.point
        where = "" if point.group == "all" else f"group {point.group}: "
        if point.runs == 1:
            yield Note(f"{where}one run, so nothing to compare")
        elif point.failed:
            pairs = plural(point.failed, "pair")
            yield Note(f"{where}{pairs} of runs without a value ({point.reason})")
