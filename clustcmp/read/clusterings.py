"""From a table to a clustering: which column is the id, which the label, and whether it is soft."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from clustcmp.arrays import Codes, Floats
from clustcmp.errors import InputError, did_you_mean
from clustcmp.keywords import DEFAULTS
from clustcmp.model import MISSING, NOISE, Clustering, Hard, PointSet, Soft, Texts
from clustcmp.notes import Note
from clustcmp.read.delimited import (
    LINE,
    NO_DELIMITER,
    Columns,
    Kind,
    Labels,
    Table,
    parse_table,
    plural,
    show_names,
)
from clustcmp.read.source import FileSpec, load
from clustcmp.settings import InputSettings

# Says where a row stands, for messages.
Place = Callable[[int], str]

# In the place of a label column: each column but the id is one.
ALL_COLUMNS = "*"

# A row of degrees this close to a sum of 1 sums to 1.
EXACT = 1e-6

# Degrees rounded to two decimals: three times 0.33.
ROUNDED = 0.01 + 1e-9


@dataclass(frozen=True)
class Roles:
    """The columns of a file: one label column if hard, one column for each cluster if soft."""

    id: str | None
    label: str | None
    clusters: tuple[str, ...] = ()


def read_clustering(spec: str | FileSpec, settings: InputSettings = DEFAULTS) -> Clustering:
    """The clustering in a file: `path`, `path::column`, `path::label=NAME,id=NAME`, or `-`."""
    if isinstance(spec, str):
        spec = FileSpec.parse(spec)
    table = open_table(spec, settings)
    return take_clusterings(table, [spec], settings)[0]


def read_clusterings(
    specs: Sequence[FileSpec], settings: InputSettings = DEFAULTS
) -> list[list[Clustering]]:
    """The clusterings that each spec names in one file, which is read once for all of them.

    `path::*` and `path::label=*,id=NAME` name all columns but that of the ids.
    """
    table = open_table(specs[0], settings)
    named = [name_columns(table, spec) for spec in specs]
    found = iter(take_clusterings(table, [spec for part in named for spec in part], settings))
    return [[next(found) for _ in part] for part in named]


def name_columns(table: Table, spec: FileSpec) -> list[FileSpec]:
    """The spec itself or, if it names all columns, one spec for each of them."""
    # A column may be called so.
    if spec.label != ALL_COLUMNS or ALL_COLUMNS in table.header:
        return [spec]
    point_id = find_roles(table, replace(spec, label=None)).id
    return [name_column(spec, label) for label in other_columns(table, point_id)]


def name_column(spec: FileSpec, label: str) -> FileSpec:
    """The spec of one column, in the words that find it again."""
    words = f"{spec.path}::{label}"
    if spec.id is not None or re.match(r"(label|id)=", label):
        words = f"{spec.path}::label={label}" + (f",id={spec.id}" if spec.id is not None else "")
    return FileSpec(words, spec.path, label, spec.id)


def take_clusterings(
    table: Table, specs: Sequence[FileSpec], settings: InputSettings
) -> list[Clustering]:
    """The clustering that each spec names in a table; those with the same ids share their points.

    Columns are read together unless one is wanted as two things: as labels and as degrees.
    """
    roles = [find_roles(table, spec) for spec in specs]
    kinds = [kinds_of(role) for role in roles]
    together: list[dict[str, Kind]] = []
    for wanted in kinds:
        fitting = (batch for batch in together if agree(batch, wanted))
        if (batch := next(fitting, None)) is None:
            together.append(batch := {})
        batch.update(wanted)
    # Only a single one can know what the user might have meant instead.
    advice = f"if a column holds labels, name it with {specs[0].name}::COLUMN"
    columns = [table.read(batch, advice) for batch in together]
    points: dict[str | None, PointSet] = {}
    clusterings = []
    for spec, role, wanted in zip(specs, roles, kinds, strict=True):
        read = next(
            read
            for batch, read in zip(together, columns, strict=True)
            if wanted.items() <= batch.items()
        )
        if role.id not in points:
            points[role.id] = find_point_set(table, role, read)
        clusterings.append(build_clustering(table, spec, role, read, points[role.id], settings))
    return clusterings


def kinds_of(roles: Roles) -> dict[str, Kind]:
    """What each column is read as."""
    kinds = dict.fromkeys(roles.clusters, Kind.number)
    if roles.id is not None:
        kinds[roles.id] = Kind.text
    if roles.label is not None:
        kinds[roles.label] = Kind.labels
    return kinds


def agree(some: Mapping[str, Kind], others: Mapping[str, Kind]) -> bool:
    """Whether no column is two things."""
    return all(some.get(column, kind) is kind for column, kind in others.items())


def find_point_set(table: Table, roles: Roles, columns: Columns) -> PointSet:
    """The points of a table, with their ids if it has any."""
    ids = columns.texts[roles.id] if roles.id is not None else None
    if ids is not None:
        check_ids(table, ids)
        return PointSet(len(ids), ids)
    if roles.label is not None:
        return PointSet(len(columns.labels[roles.label].codes))
    return PointSet(len(columns.numbers[roles.clusters[0]]))


def build_clustering(
    table: Table,
    spec: FileSpec,
    roles: Roles,
    columns: Columns,
    points: PointSet,
    settings: InputSettings,
) -> Clustering:
    """The hard clustering in a column of labels, or the soft one in columns of degrees."""
    if roles.label is not None:
        labels = columns.labels[roles.label]
        codes = hard_codes(labels, settings, table.place)
        notes = (
            *minus_one_note(spec.text, labels.names, settings),
            *one_column_note(table),
        )
        return Clustering(points, Hard(codes, len(labels.names)), labels.names, spec.text, notes)
    given = np.stack([columns.numbers[name] for name in roles.clusters], axis=1)
    degrees, notes = soft_degrees(spec.name, roles.clusters, given, settings, table.place)
    return Clustering(points, Soft(degrees), Texts.of(roles.clusters), spec.text, notes)


def open_table(spec: FileSpec, settings: InputSettings) -> Table:
    """The table in a file, split as its ending says or, without one, as its first line suggests."""
    data = load(spec, settings["max_bytes"])
    if not spec.is_stdin and (spec.suffix == ".txt" or spec.suffix.startswith(".labels")):
        return parse_table(spec.name, data, NO_DELIMITER, has_header=False)
    if not spec.is_stdin and spec.suffix == ".csv":
        delimiter = ","
    elif not spec.is_stdin and spec.suffix == ".tsv":
        delimiter = "\t"
    else:
        delimiter = "\t" if b"\t" in next(LINE.finditer(data)).group() else ","
    return parse_table(spec.name, data, delimiter, not settings["no_header"])


def find_roles(table: Table, spec: FileSpec) -> Roles:
    """Decide by the header alone what each column is."""
    header = table.header
    for name in (spec.id, spec.label):
        if name is not None and name not in header:
            raise no_column(table, name)
    point_id = spec.id if spec.id is not None else find_id(table)
    others = other_columns(table, point_id)
    if spec.label is not None:
        if spec.label == point_id:
            raise InputError(
                f"{table.path}: column {point_id!r} cannot be both id and label",
                hint=f"name another one; the columns are {show_names(header)}",
            )
        return Roles(point_id, spec.label)
    label = find_name(others, "label") or find_name(others, "cluster")
    if label is not None or len(others) == 1:
        return Roles(point_id, label if label is not None else others[0])
    if not others:
        raise InputError(
            f"{table.path}: has no column with labels, only {show_names(header)}",
            hint="a clustering needs a label for each point",
        )
    return Roles(point_id, None, others)


def other_columns(table: Table, point_id: str | None) -> tuple[str, ...]:
    """All columns but that of the ids."""
    header = table.header
    # An index beside an id column, as DataFrame.to_csv writes it, means nothing.
    return tuple(name for name in header if name != point_id and (name or name != header[0]))


def find_id(table: Table) -> str | None:
    """The column called id, else the first if it has no name or, without a header, of two."""
    header = table.header
    if (named := find_name(header, "id")) is not None:
        return named
    if header[0] == "" and len(header) > 1:
        return ""
    has_no_header = table.first_line == 1
    return header[0] if has_no_header and len(header) == 2 else None


def find_name(names: Sequence[str], wanted: str) -> str | None:
    """The name that equals the wanted one, if possible in lower case."""
    if wanted in names:
        return wanted
    return next((name for name in names if name.lower() == wanted), None)


def no_column(table: Table, name: str) -> InputError:
    """The error for a column that the user named and the file does not have."""
    columns = f"the columns are {show_names(table.header)}"
    guess = did_you_mean(name, table.header)
    return InputError(
        f"{table.path}: has no column {name!r}", hint=f"{guess} {columns}" if guess else columns
    )


def check_ids(
    table: Table, ids: Texts, or_else: str = ", or name another id column with ::id=NAME"
) -> None:
    """Refuse an id that is empty or stands twice; or_else is another remedy than correcting it."""
    empty = np.flatnonzero(np.diff(ids.offsets) == 0)
    if len(empty):
        raise InputError(
            f"{table.path}:{table.line(int(empty[0]))}: the id is empty",
            hint=f"give each point an id{or_else}",
        )
    if twice := ids.duplicate:
        first, second = map(table.line, twice)
        raise InputError(
            f"{table.path}:{second}: point {ids[twice[1]]!r} is listed twice, also on line {first}",
            hint=f"give each point one row{or_else}",
        )


def hard_codes(labels: Labels, settings: InputSettings, place: Place) -> Codes:
    """The code of each point's label, or NOISE, or MISSING where the label is empty."""
    empty = np.flatnonzero(np.diff(labels.names.offsets) == 0)
    noise = codes_of(labels.names, noise_labels(settings))
    if len(empty) and settings["missing"] == "error":
        row = int(np.flatnonzero(labels.codes == empty[0])[0])
        raise InputError(
            f"{place(row)}: the label is empty",
            hint="fill it in, or choose what it means with --missing drop or --missing noise",
        )
    if not len(empty) and not noise:
        return labels.codes
    meaning = np.arange(len(labels.names), dtype=np.int32)
    meaning[empty] = NOISE if settings["missing"] == "noise" else MISSING
    meaning[noise] = NOISE
    return meaning[labels.codes]


def noise_labels(settings: InputSettings) -> tuple[str, ...]:
    """The labels that mark noise."""
    return cast(tuple[str, ...], settings["noise"])


def codes_of(names: Texts, wanted: Collection[str]) -> list[int]:
    """The codes of the names that are wanted."""
    # Few names are as long as a wanted one, so few are decoded.
    sizes = {len(text.encode("utf-8", "surrogatepass")) for text in wanted}
    candidates = np.flatnonzero(np.isin(np.diff(names.offsets), list(sizes)))
    return [code for code in candidates.tolist() if names[code] in wanted]


def minus_one_note(source: str, names: Texts, settings: InputSettings) -> tuple[Note, ...]:
    """A note where a label looks like noise and nothing was said about noise."""
    if noise_labels(settings) or not codes_of(names, ["-1"]):
        return ()
    return (Note("label -1 is an ordinary cluster; if it marks noise, say --noise=-1", source),)


def one_column_note(table: Table) -> tuple[Note, ...]:
    """A note where a file without a header is read as one column and looks like several."""
    if len(table.header) > 1 or table.first_line > 1:
        return ()
    rows = table.data[: table.end]
    first = next(LINE.finditer(rows)).group()
    n_lines = rows.count(b"\n") + 1
    for separator in (b",", b"\t", b";", b"|"):
        if first.count(separator) and rows.count(separator) == n_lines * first.count(separator):
            return (
                Note(
                    f"each line is one label, and each holds {separator.decode()!r}; "
                    "if it is a table, name it .csv or .tsv",
                    table.path,
                ),
            )
    return ()


def soft_degrees(
    source: str, names: Sequence[str], degrees: Floats, settings: InputSettings, place: Place
) -> tuple[Floats, tuple[Note, ...]]:
    """The degrees with rows that sum to 1, and notes about what was done to them."""
    not_labels = f"if one of the columns holds labels, name it with {source}::COLUMN"
    negative = np.argwhere(degrees < 0.0)
    if len(negative):
        row, column = negative[0].tolist()
        raise InputError(
            f"{place(row)}: column {names[column]!r}: "
            f"the degree {degrees[row, column]:.6g} is negative",
            hint=f"degrees are from 0 to 1; {not_labels}",
        )
    with np.errstate(over="ignore"):
        # In order of size, so that the order of the columns does not change a bit.
        sums = np.sort(degrees, axis=1).sum(axis=1)
    off = np.abs(sums - 1.0)
    allowed = np.inf if settings["normalize"] else ROUNDED
    wrong = np.flatnonzero((off > allowed) | (sums <= 0.0) | ~np.isfinite(sums))
    if len(wrong):
        row = int(wrong[0])
        can_be_divided = 0.0 < sums[row] < np.inf
        remedy = "divide each row by its sum with --normalize" if can_be_divided else "correct it"
        raise InputError(
            f"{place(row)}: the degrees sum to {sums[row]:.6g}, not to 1",
            hint=f"{remedy}; {not_labels}",
        )
    notes = []
    rounded = np.flatnonzero(off > EXACT)
    if len(rounded) and not settings["normalize"]:
        row = int(rounded[0])
        notes.append(
            Note(
                f"the degrees of {plural(len(rounded), 'row')} do not sum to 1 exactly "
                f"({place(row)}: {sums[row]:.6g}); each row was divided by its sum",
                source,
            )
        )
    if np.isin(degrees, (0.0, 1.0)).all():
        notes.append(
            Note("read as soft memberships; name a column with :: if these are labels", source)
        )
    return degrees / sums[:, None], tuple(notes)
