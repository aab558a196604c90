"""Roles: which column of a file holds ids, labels or degrees, decided by the header alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from clustcmp.errors import InputError, did_you_mean, show_names
from clustcmp.read.address import ALL_COLUMNS, Address
from clustcmp.read.columns import ColumnType, ColumnTypes, TabularFile


@dataclass(frozen=True)
class Roles:
    """The columns of a clustering: one of labels if hard, one for each cluster if soft."""

    id: str | None
    label: str | None
    clusters: tuple[str, ...] = ()

    @property
    def types(self) -> ColumnTypes:
        """What each column is read as."""
        types = dict.fromkeys(self.clusters, ColumnType.number)
        if self.id is not None:
            types[self.id] = ColumnType.text
        if self.label is not None:
            types[self.label] = ColumnType.labels
        return types


def find_roles(file: TabularFile, address: Address) -> Roles:
    """The columns of the clustering at an address."""
    header = file.header
    for name in (address.id, address.label):
        if name is not None and name not in header:
            raise no_column(file, name)
    point_id = address.id if address.id is not None else find_id(file)
    others = other_columns(file, point_id)
    if address.label is not None:
        if address.label == point_id:
            raise InputError(
                f"{file.name}: column {point_id!r} cannot be both id and label",
                hint=f"name another one; the columns are {show_names(header)}",
            )
        return Roles(point_id, address.label)
    label = find_name(others, "label") or find_name(others, "cluster")
    if label is not None or len(others) == 1:
        return Roles(point_id, label if label is not None else others[0])
    if not others:
        raise InputError(
            f"{file.name}: has no column with labels, only {show_names(header)}",
            hint="a clustering needs a label for each point",
        )
    return Roles(point_id, None, others)


def expand(file: TabularFile, address: Address) -> list[Address]:
    """The address itself or, if it names all columns, one address for each of them."""
    # A column may really be named '*'.
    if address.label != ALL_COLUMNS or ALL_COLUMNS in file.header:
        return [address]
    point_id = find_roles(file, replace(address, label=None)).id
    return [address.of_column(label) for label in other_columns(file, point_id)]


def other_columns(file: TabularFile, point_id: str | None) -> tuple[str, ...]:
    """All columns but the ids; DataFrame.to_csv may have written an index beside an id column.

    The index is the first column and has no name. It is ignored.
    """
    header = file.header
    return tuple(name for name in header if name != point_id and (name or name != header[0]))


def find_id(file: TabularFile) -> str | None:
    """The column named id, else the first one if it has no name, else the first of two.

    The first of two columns is only taken for ids where the file has no header.
    """
    header = file.header
    if (named := find_name(header, "id")) is not None:
        return named
    if header[0] == "" and len(header) > 1:
        return ""
    return header[0] if not file.has_header and len(header) == 2 else None


def find_name(names: Sequence[str], wanted: str) -> str | None:
    """The column with this name; capitals are ignored only if no column matches exactly."""
    if wanted in names:
        return wanted
    return next((name for name in names if name.lower() == wanted), None)


def no_column(file: TabularFile, name: str) -> InputError:
    """The error for a column that the user named and the file does not have."""
    columns = f"the columns are {show_names(file.header)}"
    guess = did_you_mean(name, file.header)
    return InputError(
        f"{file.name}: has no column {name!r}", hint=f"{guess} {columns}" if guess else columns
    )
