"""Look at files: what clustcmp sees in them, and the command lines that would use it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, Unpack, cast

import numpy as np

from clustcmp.align import Labelings
from clustcmp.errors import ClustcmpError, InputError, UsageError
from clustcmp.file_formats import FORMAT_NAMES
from clustcmp.keywords import declared, takes_settings
from clustcmp.model import Clustering, Described
from clustcmp.notes import Note, condense
from clustcmp.read import Address, Loader, Wanted, is_path
from clustcmp.read.looking import KINDS, Look, look_at
from clustcmp.records import Count, PythonOnly, Record, Rule, Text
from clustcmp.results import POSITION, Reported, as_frame
from clustcmp.settings import InspectSettings
from clustcmp.wording import either, read_by, say

if TYPE_CHECKING:
    from clustcmp.results import Frame

COLUMNS = ("file", "column", "taken_for", "could_be", "why")

# Stands for a second file where only one was looked at.
OTHER = "OTHER.csv"


@dataclass(frozen=True)
class SeenColumn(Record):
    """A column: what a comparison takes it for, if anything, and what it could be.

    `why` has the reason for each kind that is possible.
    """

    name: str
    taken_for: Annotated[str | None, Rule(enum=[*KINDS, None])]
    could_be: Annotated[tuple[str, ...], Rule(items={"enum": list(KINDS)})]
    why: tuple[str, ...]


@dataclass(frozen=True)
class SeenCluster(Record):
    """A cluster and its size: its number of points, or the sum of their degrees."""

    label: str
    size: float


@dataclass(frozen=True)
class SeenClustering(Record):
    """A clustering that the file has, as a comparison would read it.

    `address` is what to type for it. `id` is the column of the ids, null without ids. The clusters
    are the largest first; noise and missing labels are in none of them.
    """

    address: Text
    kind: Annotated[str, Rule(enum=["hard", "soft"])]
    id: str | None
    points: Count
    clusters: tuple[SeenCluster, ...]
    noise: Count
    missing: Count
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class SeenFile(Record):
    """A file: its format, its columns and its clusterings.

    `problem` is why a comparison would refuse the file as it is named, `hint` what to do.
    """

    file: Text
    format: Annotated[str, Rule(enum=list(FORMAT_NAMES))]
    rows: Count
    columns: tuple[SeenColumn, ...]
    clusterings: tuple[SeenClustering, ...]
    problem: str | None = None
    hint: str | None = None


@dataclass(frozen=True)
class SeenJoin(Record):
    """What joins the rows of two files, and how many points both have.

    `problem` is why a comparison would refuse the two, `hint` what to do.
    """

    joined_by: Annotated[str | None, "The id columns, or position; null if they are not joined."]
    shared: Count | None
    only_a: Count | None
    only_b: Count | None
    problem: str | None = None
    hint: str | None = None


@dataclass(frozen=True, repr=False)
class InspectReport(Reported):
    """What there is in files, what joins two of them, and the commands that would use it."""

    command = "inspect"

    files: Annotated[tuple[SeenFile, ...], Rule(minItems=1)]
    join: SeenJoin | None = None
    commands: tuple[str, ...] = ()
    inputs: PythonOnly[tuple[Described, ...]] = ()
    notes: tuple[Note, ...] = ()

    def to_frame(self) -> Frame:
        """A row for each column of each file."""
        return as_frame(COLUMNS, self.rows(), "file", "column")

    def rows(self) -> list[list[Any]]:
        """What is known about each column."""
        return [
            [file.file, one.name, one.taken_for, " ".join(one.could_be), "; ".join(one.why)]
            for file in self.files
            for one in file.columns
        ]


@takes_settings
def inspect(*files: Any, **settings: Unpack[InspectSettings]) -> InspectReport:
    """Look at files: their columns and what each could be, clusterings, and what joins two files.

    The files are read as `compare` reads them, with its settings, so that what the report says is
    what a comparison would do. `commands` are command lines that would use the files.

        >>> clustcmp.inspect("examples/a.csv").files[0].clusterings[0].points
        150
    """
    if not files:
        raise UsageError("there is no file to look at", hint="name one or more files")
    for file in files:
        if not is_path(file):
            raise InputError(
                f"{type(file).__name__} is not the path of a file",
                hint="only files are looked at; compare takes objects as they are",
            )
    looks = [look_at(address_of(str(file), settings), settings) for file in files]
    join, both = None, None
    if len(files) == 2:
        join, both = join_files([look.address for look in looks], settings)
    seen = [
        see(look, settings, None if both is None else both[position : position + 1])
        for position, look in enumerate(looks)
    ]
    notes = condense(note for file in seen for one in file.clusterings for note in one.notes)
    with read_by("command line"):
        more = show_settings(settings)
        commands = [one + more for one in find_commands(looks, seen, join, settings)]
    return InspectReport(tuple(seen), join, tuple(commands), notes=notes)


def address_of(text: str, settings: InspectSettings) -> Address:
    """The address of a file that can be read again, as a look and a comparison both read it."""
    address = Address.of_clustering(text)
    path = Path(address.path)
    if address.is_stdin or (path.exists() and not path.is_file() and not path.is_dir()):
        raise UsageError(
            f"{address.name} can be read only once, and a look reads it several times",
            hint="write it to a file, and look at this",
        )
    if settings["pairs"] and address.format is None:
        return replace(address, format="pairs")
    return address


def see(look: Look, settings: InspectSettings, found: Sequence[Clustering] | None) -> SeenFile:
    """A file with its clusterings; if there is no single one, those of all columns of labels.

    `found` are the clusterings, if they are known from a comparison with another file.
    """
    address, problem = look.address, look.problem
    if found is None:
        try:
            found = load([address.text], settings)
        except ClustcmpError as error:
            found, problem = (), error
            if look.labels and address.label is None:
                found = load_labels(look, settings)
    # Which column holds the ids may be known only once all files are read. Columns that are no
    # degrees after all are not taken for any.
    taken = look.taken if found else {}
    taken = {**taken, **{one.id_name: "id" for one in found if one.id_name is not None}}
    columns = tuple(
        SeenColumn(
            name,
            taken.get(name),
            tuple(kind for kind in KINDS if kind in look.possible[name]),
            tuple(f"{kind}: {why}" for kind, why in look.possible[name].items()),
        )
        for name in look.columns
    )
    return SeenFile(
        address.text,
        look.format,
        look.n_rows,
        columns,
        tuple(map(describe_clustering, found)),
        None if problem is None else problem.message,
        None if problem is None else problem.hint or None,
    )


def load(files: Sequence[str], settings: InspectSettings) -> tuple[Clustering, ...]:
    """The clusterings in files, joined as a comparison joins them."""
    names = ("a", "b") if len(files) == 2 else [f"clustering {text}" for text in files]
    wanted = Wanted(files, names, settings, several=len(files) != 2)
    return Loader(wanted).load(wanted).clusterings


def load_labels(look: Look, settings: InspectSettings) -> tuple[Clustering, ...]:
    """The clusterings in all columns of labels that can be read."""
    found: list[Clustering] = []
    for label in look.labels:
        try:
            found += load([look.address.of_column(label).text], settings)
        except ClustcmpError:
            # The column says why if it is named alone.
            continue
    return tuple(found)


def describe_clustering(clustering: Clustering) -> SeenClustering:
    """A clustering with its clusters, the largest first."""
    masses, names = clustering.masses, clustering.names.tolist()
    order = sorted(np.flatnonzero(masses).tolist(), key=lambda code: (-masses[code], names[code]))
    return SeenClustering(
        clustering.source or "",
        clustering.kind,
        clustering.id_name,
        clustering.points.size,
        tuple(SeenCluster(names[code], masses[code].item()) for code in order),
        clustering.n_noise,
        clustering.n_missing,
        clustering.notes,
    )


def join_files(
    addresses: Sequence[Address], settings: InspectSettings
) -> tuple[SeenJoin, tuple[Clustering, ...] | None]:
    """What joins the rows of two files, and their clusterings if a comparison can read both."""
    try:
        both = load([address.text for address in addresses], settings)
        a, b = both
        found = Labelings.of_two(a, b, settings).alignment(0, 1)
    except ClustcmpError as error:
        return SeenJoin(None, None, None, None, error.message, error.hint or None), None
    names = dict.fromkeys(str(one.id_name) for one in both) if found.by_id else [POSITION]
    coverage, hint = found.coverage, None
    if found.difference and coverage.shared:
        hint = f"compare the points in both with {say('points', 'intersect')}"
    joined = ", ".join(names) if coverage.shared else None
    counts = coverage.shared, coverage.only_a, coverage.only_b
    return SeenJoin(joined, *counts, found.difference or None, hint), both


def show_settings(settings: InspectSettings) -> str:
    """The settings that are not at their defaults, as flags with a blank before them."""
    given = cast(Mapping[str, Any], settings)
    words = []
    for key, one in declared(InspectSettings).items():
        if given[key] != one.setting.default:
            values = given[key] if isinstance(given[key], tuple) else (given[key],)
            words += [say(key, value) for value in values]
    return "".join(f" {word}" for word in words)


def find_commands(
    looks: Sequence[Look],
    seen: Sequence[SeenFile],
    join: SeenJoin | None,
    settings: InspectSettings,
) -> list[str]:
    """Command lines that would use the files."""
    several = [
        one.address.path for one in looks if len(one.labels) > 1 and one.address.label is None
    ]
    found = [f"clustcmp matrix {quote(f'{path}::*')}" for path in dict.fromkeys(several)]
    if len(looks) == 2 and join is not None:
        return [*compare_both(looks, seen, join), *found]
    if len(looks) > 2:
        return [*compare_all(looks, settings), *found]
    (look,), (file,) = looks, seen
    if len(file.clusterings) > 1:
        a, b = (quote(one.address) for one in file.clusterings[:2])
        return [f"clustcmp compare {a} {b}", *found]
    if len(file.clusterings) == 1:
        words = f"{quote(file.clusterings[0].address)} {OTHER}"
        found = [f"clustcmp compare {words}{located(looks)}", f"clustcmp changes {words}", *found]
    elif look.numbers:
        points = quote(f"{look.address.path}::{','.join(look.numbers)}")
        # A command line, whoever reads it.
        found.append(f"clustcmp stability {points} " + either("--algorithm kmeans --k 2:10", ""))
    return found


def compare_all(looks: Sequence[Look], settings: InspectSettings) -> list[str]:
    """The command line for several files; none if these cannot be compared with each other."""
    files = [look.address.text for look in looks]
    try:
        found = load(files, settings)
        labelings = Labelings(found, settings, tuple(files))
        apart = [labelings.alignment(0, one).difference for one in range(1, len(found))]
    except ClustcmpError:
        return []
    more = f" {say('points', 'intersect')}" if any(apart) else ""
    return [f"clustcmp matrix {' '.join(map(quote, files))}{more}"]


def compare_both(looks: Sequence[Look], seen: Sequence[SeenFile], join: SeenJoin) -> list[str]:
    """The command lines for two files; none if they have no points in common."""
    if any(len(one.clusterings) != 1 for one in seen) or not join.shared:
        return []
    a, b = (quote(one.clusterings[0].address) for one in seen)
    # Where the user said so, the flag stands behind all commands anyhow.
    differ = join.problem is not None and (join.only_a or join.only_b)
    more = f" {say('points', 'intersect')}" if differ else ""
    return [
        f"clustcmp compare {a} {b}{more}{'' if differ else located(looks)}",
        f"clustcmp changes {a} {b}{more}",
    ]


def located(looks: Sequence[Look]) -> str:
    """The flag for coordinates that the first of the files has, with a blank before it."""
    one = looks[0]
    if not one.measured or one.address.is_stdin:
        return ""
    columns = f"{one.address.path}::{','.join(one.measured)}"
    return f" {say('coordinates', columns)}"
