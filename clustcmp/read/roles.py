"""Roles: which column of a file holds ids, labels or degrees."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from clustcmp.errors import InputError, did_you_mean, show_names
from clustcmp.notes import Note
from clustcmp.read.address import ALL_COLUMNS, Address
from clustcmp.read.columns import ColumnType, ColumnTypes, TabularFile, where_in
from clustcmp.read.evidence import Evidence
from clustcmp.read.sample import is_number

# Names that say what a column holds, in small letters.
ID, LABELS = "id", ("label", "cluster")


class Roles(NamedTuple):
    """The columns of a clustering: one of labels if hard, one for each cluster if soft.

    `candidates` are columns that could be ids, where the file alone does not tell which of them
    are. `label_is_said` means that the user or the name of the column says that it holds labels.
    `faulty` is a column that would be the ids if no value were empty or there twice; `unused` are
    columns of texts that are neither ids nor labels. `weights` is the column that says how much
    each point weighs.
    """

    id: str | None
    label: str | None
    clusters: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    label_is_said: bool = True
    faulty: str | None = None
    unused: tuple[str, ...] = ()
    weights: str | None = None

    @property
    def types(self) -> ColumnTypes:
        """What each column is read as."""
        types = dict.fromkeys(self.clusters, ColumnType.number)
        types |= dict.fromkeys(self.candidates, ColumnType.text)
        if self.faulty is not None:
            types[self.faulty] = ColumnType.text
        if self.id is not None:
            types[self.id] = ColumnType.text
        if self.label is not None:
            types[self.label] = ColumnType.labels
        if self.weights is not None:
            types[self.weights] = ColumnType.number
        return types

    @property
    def used(self) -> set[str]:
        """The columns that are ids for sure, labels, degrees or weights."""
        names = (self.id, self.label, self.weights, *self.clusters)
        return {name for name in names if name is not None}


def find_roles(evidence: Evidence, address: Address, id_for_all: str | None = None) -> Roles:
    """The columns of the clustering at an address.

    `id_for_all` is the id column that the user named for all files.
    """
    file = evidence.file
    point_id = known_id(evidence, address, id_for_all)
    named = {"id": point_id, "label": address.label, "weights": address.weights}
    array = file.arrays.get(address.label or "")
    if address.label in file.header:
        array = None
    for key, name in named.items():
        if name is not None and name not in file.header and not (key == "label" and array):
            raise no_column(file, name)
    if array is not None:
        return Roles(point_id, None, array, weights=address.weights)
    check_apart(file, named)
    others = label_columns(file, address, point_id)
    label = find_label(evidence, address, others) if address.label is None else address.label
    if point_id is None:
        return roles_without_id(evidence, address, label)._replace(weights=address.weights)
    if label is not None or len(others) == 1:
        only = others[0] if label is None else label
        return Roles(point_id, only, label_is_said=label is not None, weights=address.weights)
    clusters = soft_columns(evidence, address, others)
    return Roles(point_id, None, clusters, weights=address.weights)


def check_apart(file: TabularFile, named: Mapping[str, str | None]) -> None:
    """Refuse a column that is named for two things."""
    seen: dict[str, str] = {}
    for key, name in named.items():
        if name is not None and (other := seen.setdefault(name, key)) != key:
            raise InputError(
                f"{file.name}: column {name!r} cannot be both {other} and {key}",
                hint=f"name another one; the columns are {show_names(file.header)}",
            )


def find_label(evidence: Evidence, address: Address, names: Sequence[str]) -> str | None:
    """The column called label, else the one called cluster.

    If there are both and each point has a label of its own, these may be the names of the points.
    """
    found = [name for word in LABELS if (name := find_name(names, word)) is not None]
    if len(found) > 1 and len(evidence.sample.rows) > 1 and not evidence.sample.repeats(found[0]):
        raise InputError(
            f"{evidence.file.name}: which column holds the labels, {found[0]!r} or {found[1]!r}? "
            f"No value occurs twice in {found[0]!r}",
            hint=f"name it: {address.path}::{found[1]} or {address.path}::{found[0]}",
        )
    return next(iter(found), None)


def roles_without_id(evidence: Evidence, address: Address, label: str | None) -> Roles:
    """The columns of a clustering where neither the user nor a name says which are the ids.

    In a file of two columns the ids are the values that are all distinct, if the others repeat.
    """
    header, sample = label_columns(evidence.file, address, None), evidence.sample
    if len(header) == 1:
        return Roles(None, header[0], label_is_said=label is not None)
    along = {name: ColumnType.labels for name in header if name == label}
    if label is None and len(header) == 2:
        # A value that occurs twice is a label.
        along = {name: ColumnType.labels for name in header if sample.repeats(name)}
    found = evidence.possible_ids(along)
    texts = [name for name in header if name != label and sample.has_text(name)]
    possible = [name for name in header if name in found and name != label]
    if len(texts) > (label is None) and len(header) > 2:
        # Beside texts, numbers that count the rows are no more than the position.
        possible = [name for name in possible if not sample.counts(name)]
    faulty = None
    if not any(name in texts for name in possible):
        others = [name for name in header if name != label]
        faulty = evidence.faulty_ids(texts if possible else others)
        possible = possible if faulty is None else []
    is_said = label is not None
    clusters: tuple[str, ...] = ()
    if label is None:
        rest = [name for name in header if name not in (*possible, faulty)]
        if not rest:
            raise which_is_which(evidence.file, address)
        label = rest[0] if len(rest) == 1 else None
        clusters = soft_columns(evidence, address, rest) if label is None else ()
    if label is not None and len(header) == 2 and possible and evidence.repeats(label):
        return Roles(possible[0], label, label_is_said=is_said)
    gaps = [name for name in header if sample.is_distinct_with_gaps(name)]
    unused = tuple(name for name in (*texts, *gaps) if name not in (label, *possible))
    return Roles(None, label, clusters, tuple(possible), is_said, faulty, unused)


def soft_columns(evidence: Evidence, address: Address, names: Sequence[str]) -> tuple[str, ...]:
    """Columns that hold degrees of membership, or an error if they look like labels."""
    file = evidence.file
    if not names:
        raise InputError(
            f"{file.name}: has no column with labels, only {show_names(file.header)}",
            hint="a clustering needs a label for each point",
        )
    for name in names:
        if found := evidence.sample.find_label(name):
            raise several_labels(file, address, name, *found)
    return tuple(names)


def several_labels(
    file: TabularFile, address: Address, column: str, row: int, cell: str
) -> InputError:
    """The error for several columns that seem to hold labels, none of which is chosen."""
    path = address.path
    fault = "is above 1, so it is not a degree" if is_number(cell) else "is not a number"
    return InputError(
        f"{where_in(file, row)}: column {column!r}: {cell!r} {fault}",
        hint=f"if a column holds labels, name it with {path}::COLUMN; several columns of labels "
        f"are compared by clustcmp matrix '{path}::*'; the columns are {show_names(file.header)}",
    )


def which_is_which(file: TabularFile, address: Address) -> InputError:
    """The error for a file in which each column could be the ids."""
    first, second = file.header[:2]
    return InputError(
        f"{file.name}: which column holds the ids, and which the labels? "
        f"No value occurs twice in {show_names(file.header)}",
        hint=f"say which: {address.path}::label={second},id={first}",
    )


def expand(evidence: Evidence, address: Address, id_for_all: str | None = None) -> list[Address]:
    """One address for each column of labels that an address names: one, a list, or a pattern."""
    file, wanted = evidence.file, address.label
    # A column may really be named '*', or 'a,b'.
    if wanted is None or wanted in file.header or wanted in file.arrays:
        return [address]
    if wanted == ALL_COLUMNS:
        others = label_columns(file, address, known_id(evidence, address, id_for_all))
        left_out = not_labels(evidence, others)
        names = [name for name in others if name not in left_out]
        if not names:
            raise InputError(
                f"{file.name}: has no column of labels, only {show_names(file.header)}",
                hint="ids and measurements are not labels; name columns with ::COLUMN,COLUMN",
            )
        return [address.of_column(name) for name in names]
    found: dict[str, None] = {}
    for part in wanted.split(","):
        fitting = (
            [part] if part in file.header else fit_pattern(evidence, address, part, id_for_all)
        )
        if not fitting:
            raise no_column(file, part)
        found |= dict.fromkeys(fitting)
    return [address.of_column(name) for name in found]


def fit_pattern(
    evidence: Evidence, address: Address, pattern: str, id_for_all: str | None
) -> list[str]:
    """The columns of labels whose names fit a pattern."""
    others = label_columns(evidence.file, address, known_id(evidence, address, id_for_all))
    found = [name for name in others if fnmatchcase(name, pattern)]
    left_out = not_labels(evidence, found) if found else {}
    return [name for name in found if name not in left_out] or found


def note_left_out(
    evidence: Evidence, address: Address, id_for_all: str | None = None
) -> list[Note]:
    """A note on the columns that '*' does not stand for, if there are such columns."""
    if address.label != ALL_COLUMNS or ALL_COLUMNS in evidence.file.header:
        return []
    others = label_columns(evidence.file, address, known_id(evidence, address, id_for_all))
    left_out = not_labels(evidence, others)
    columns = ", ".join(f"{name!r} ({what})" for name, what in left_out.items())
    text = f"'::*' leaves out {columns}; name a column with ::COLUMN to compare it"
    return [Note(text, address.name)] if left_out else []


def not_labels(evidence: Evidence, names: Sequence[str]) -> dict[str, str]:
    """The columns that do not look like labels, each with the reason."""
    possible = evidence.possible_ids({})
    found = {name: "empty" for name in names if evidence.sample.is_empty(name)}
    found |= {name: "all values differ" for name in names if name in possible}
    found |= {name: "not whole numbers" for name in names if evidence.sample.has_fractions(name)}
    return found


def known_id(evidence: Evidence, address: Address, id_for_all: str | None) -> str | None:
    """The id column, if the user or its name says so."""
    said = address.id if address.id is not None else id_for_all
    return said if said is not None else named_id(evidence, address.label)


def named_id(evidence: Evidence, label: str | None = None) -> str | None:
    """The column named id, else the first one if it has no name and is more than a counter."""
    found = find_id(evidence.file)
    others = [name for name in evidence.file.header[1:] if name != label]
    return None if found == "" and evidence.is_counter("", others) else found


def other_columns(file: TabularFile, point_id: str | None) -> tuple[str, ...]:
    """All columns but the ids; DataFrame.to_csv may have written an index beside an id column.

    The index is the first column and has no name. It is ignored.
    """
    header = file.header
    return tuple(name for name in header if name != point_id and (name or name != header[0]))


def label_columns(file: TabularFile, address: Address, point_id: str | None) -> tuple[str, ...]:
    """The columns that may be labels or degrees: neither the ids nor the weights of an address."""
    return tuple(name for name in other_columns(file, point_id) if name != address.weights)


def find_id(file: TabularFile) -> str | None:
    """The column that the format says, else the one named id, else the first without a name."""
    header = file.header
    if file.index is not None:
        return file.index
    if (named := find_name(header, ID)) is not None:
        return named
    return "" if header[0] == "" and len(header) > 1 else None


def find_name(names: Collection[str], wanted: str) -> str | None:
    """The column with this name; capitals are ignored only if no column matches exactly."""
    if wanted in names:
        return wanted
    return next((name for name in names if name.lower() == wanted), None)


def has_known_name(file: TabularFile) -> bool:
    """Whether the name of a column says what it holds."""
    known = (ID, *LABELS)
    return file.header[0] == "" or any(name.lower() in known for name in file.header)


def no_column(file: TabularFile, name: str) -> InputError:
    """The error for a column that the user named and the file does not have."""
    columns = f"the columns are {show_names((*file.header, *file.arrays))}"
    guess = did_you_mean(name, (*file.header, *file.arrays))
    return InputError(
        f"{file.name}: has no column {name!r}", hint=f"{guess} {columns}" if guess else columns
    )
