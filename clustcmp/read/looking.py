"""What a file looks like: its format, its columns, and what each of them could be."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from clustcmp.errors import ClustcmpError
from clustcmp.read.address import ALL_COLUMNS, Address
from clustcmp.read.columns import ColumnType, KnownColumns
from clustcmp.read.evidence import Evidence
from clustcmp.read.formats import fetch, find_format, open_file
from clustcmp.read.own import find_own, is_known
from clustcmp.read.roles import Roles, expand, find_roles, label_columns, not_labels
from clustcmp.read.sample import is_number
from clustcmp.settings import InputSettings

# What a column can be, in the order in which it is shown.
KINDS = ("id", "label", "membership", "weight", "coordinate")


class Look(NamedTuple):
    """A file as it is seen before any clustering is made of it.

    `taken` says what a comparison takes each column for, `possible` what each could be, with the
    reasons. `labels` are the columns of labels that `path::*` stands for, `measured` those that may
    be coordinates beside them, `numbers` all columns of numbers without a telling name. `problem`
    is the error of a comparison that is told nothing else.
    """

    address: Address
    format: str
    columns: tuple[str, ...]
    n_rows: int
    taken: dict[str, str]
    possible: dict[str, dict[str, str]]
    labels: tuple[str, ...]
    measured: tuple[str, ...]
    numbers: tuple[str, ...]
    problem: ClustcmpError | None


def look_at(address: Address, settings: InputSettings) -> Look:
    """The look of a file, by the same rules by which a comparison reads it."""
    data = fetch(address, settings["max_bytes"])
    has_header = False if settings["no_header"] else settings["header"] or None
    file = open_file(address, data, has_header, settings["max_bytes"])
    evidence = Evidence(KnownColumns(file))
    found, problem = find_all_roles(evidence, address, settings["id"])
    labels = tuple(one.label or "" for one in all_labels(evidence, address, settings["id"]))
    possible = {name: possible_roles(evidence, name) for name in file.header}
    own = find_own(evidence, address, found)
    return Look(
        address,
        find_format_name(address, data),
        tuple(file.header),
        count_rows(evidence),
        take_roles(found),
        possible,
        labels,
        own.measured,
        tuple(name for name, kinds in possible.items() if "coordinate" in kinds),
        problem,
    )


def find_format_name(address: Address, data: object) -> str:
    """The name of the format of a file."""
    from clustcmp.read.source import peek

    start = data if isinstance(data, bytes) else peek(address) or b""
    return find_format(address, start).name


def find_all_roles(
    evidence: Evidence, address: Address, id_for_all: str | None
) -> tuple[list[Roles], ClustcmpError | None]:
    """The roles of the columns in each clustering at an address, or the error that keeps them."""
    try:
        addresses = expand(evidence, address, id_for_all)
        return [find_roles(evidence, one, id_for_all) for one in addresses], None
    except ClustcmpError as error:
        return [], error


def all_labels(evidence: Evidence, address: Address, id_for_all: str | None) -> list[Address]:
    """The addresses of all columns of labels in the file, which `path::*` stands for."""
    try:
        return expand(evidence, replace(address, label=ALL_COLUMNS), id_for_all)
    except ClustcmpError:
        return []


def take_roles(found: list[Roles]) -> dict[str, str]:
    """What each column is taken for; a column that is not used has no entry."""
    taken: dict[str, str] = {}
    for roles in found:
        named = {"id": roles.id, "label": roles.label, "weight": roles.weights}
        taken |= {name: kind for kind, name in named.items() if name is not None}
        taken |= dict.fromkeys(roles.clusters, "membership")
    return taken


def count_rows(evidence: Evidence) -> int:
    """The number of rows."""
    name = evidence.file.header[0]
    columns = evidence.known.read({name: ColumnType.labels})
    return len(columns.labels[name].codes)


def possible_roles(evidence: Evidence, name: str) -> dict[str, str]:
    """What a column could be, each with the reason, as far as its name and its values tell."""
    sample = evidence.sample
    cells = [cell for cell in sample.columns[name] if cell.strip()]
    found: dict[str, str] = {}
    if name in evidence.possible_ids({}):
        found["id"] = "no value is empty or there twice"
    others = label_columns(evidence.file, Address("", ""), None)
    is_label = is_known(name) and name.lower() != "id"
    if (name in others and name not in not_labels(evidence, [name])) or is_label:
        found["label"] = "called so" if is_label else "values occur several times"
    if not cells or not all(map(is_number, cells)) or is_known(name):
        return found
    numbers = [float(cell) for cell in cells]
    if all(0.0 <= number <= 1.0 for number in numbers):
        found["membership"] = "numbers from 0 to 1"
    if all(number >= 0.0 for number in numbers) and any(numbers):
        found["weight"] = "numbers, none below 0"
    found["coordinate"] = "numbers"
    return found
