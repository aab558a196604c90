"""The points that are clustered: read, checked, and scaled if asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from clustcmp.arrays import Floats
from clustcmp.clusterers.base import Sample
from clustcmp.errors import InputError, show_names
from clustcmp.model import CoordinateTable
from clustcmp.notes import Note
from clustcmp.read import is_path
from clustcmp.read.data import read_data
from clustcmp.stability_settings import StabilitySettings
from clustcmp.wording import say

# Columns whose standard deviations differ by more than this factor do not count alike.
UNEVEN = 10.0

# Squares of larger or smaller numbers, and their sums, exceed floats or become 0.
LARGEST, SMALLEST = 1e150, 1e-150

# Two samples need points in common, and two halves need points of their own.
FEWEST_POINTS = 4


def load_points(data: Any, settings: StabilitySettings) -> CoordinateTable:
    """The coordinates to cluster, with notes on them."""
    table = read_data(data, settings)
    if len(table.coordinates) < FEWEST_POINTS:
        raise InputError(
            f"{table.title} has {len(table.coordinates)} points",
            hint=f"give at least {FEWEST_POINTS} points",
        )
    check_varying(table)
    check_sizes(table)
    deviations = table.coordinates.std(axis=0)
    if settings["scale"] == "standard":
        return replace(table, coordinates=scale(table.coordinates, deviations))
    return replace(table, notes=(*table.notes, *note_uneven(table, deviations)))


def check_varying(table: CoordinateTable) -> None:
    """Refuse columns in which all points are equal: they hold nothing to cluster by."""
    is_constant = np.ptp(table.coordinates, axis=0) == 0.0
    constant = [name for name, one in zip(table.names, is_constant, strict=True) if one]
    if constant:
        others = [name for name in table.names if name not in constant]
        chosen = f": {table.title}::{','.join(others)}" if others and table.is_file else ""
        columns = "column" if len(constant) == 1 else "columns"
        raise InputError(
            f"{table.title}: {columns} {show_names(constant)} "
            f"{'is' if len(constant) == 1 else 'are'} constant",
            hint=f"leave out what does not vary{chosen}",
        )


def check_sizes(table: CoordinateTable) -> None:
    """Refuse columns so wide or so narrow that distances cannot be computed."""
    with np.errstate(over="ignore"):
        widths = np.ptp(table.coordinates, axis=0)
    sizes = np.maximum(widths, np.abs(table.coordinates).max(axis=0))
    for name, width, size in zip(table.names, widths.tolist(), sizes.tolist(), strict=True):
        if width < SMALLEST or size > LARGEST:
            found = f"has values of {size:.3g}" if size > LARGEST else f"spans {width:.3g} only"
            raise InputError(
                f"{table.title}: column {name!r} {found}, whose squares cannot be computed",
                hint=f"multiply the column, so that it is between {SMALLEST:g} and {LARGEST:g}",
            )


def scale(coordinates: Floats, deviations: Floats) -> Floats:
    """The coordinates with mean 0 and standard deviation 1 in each column."""
    centred = coordinates - coordinates.mean(axis=0)
    return np.ascontiguousarray(centred / deviations)


def note_uneven(table: CoordinateTable, deviations: Floats) -> tuple[Note, ...]:
    """A note on columns of which one counts for much more than another."""
    largest, smallest = int(deviations.argmax()), int(deviations.argmin())
    factor = deviations[largest] / deviations[smallest]
    if factor <= UNEVEN:
        return ()
    text = (
        f"column {table.names[largest]!r} varies {factor:.3g} times as much as "
        f"{table.names[smallest]!r} and decides about distances; "
        f"{say('scale', 'standard')} lets all columns count alike"
    )
    return (Note(text, table.title),)


def as_sample(table: CoordinateTable) -> Sample:
    """The points as a clusterer takes them."""
    ids = table.ids.tolist() if table.ids is not None else ()
    return Sample(np.ascontiguousarray(table.coordinates), ids, table.names)


def ids_of(data: Any, table: CoordinateTable) -> tuple[Any, ...]:
    """What the points are called: their ids, those of Python as they were, or their row numbers."""
    if table.ids is None:
        return tuple(range(1, len(table.coordinates) + 1) if is_path(data) else range(len(data)))
    return tuple(table.ids.tolist() if is_path(data) else data.index.tolist())


def title_of(data: Any) -> str | None:
    """The file that was given, if it was one."""
    return str(data) if is_path(data) else None
