"""Clusterings under the names that they have in a report, and the references among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from clustcmp.analyses.several.references import list_references
from clustcmp.errors import UsageError
from clustcmp.keywords import BALANCED, are_balanced
from clustcmp.model import Clustering, CoordinateTable
from clustcmp.progress import begin
from clustcmp.read import Address, Loader, Unlocated, Wanted, is_pandas, is_path
from clustcmp.settings import MatrixSettings
from clustcmp.wording import name_of, say

# What needs two clusterings, unless there is a reference.
MATRIX = "a matrix"


@dataclass(frozen=True)
class Named:
    """A clustering under the name that it has in a report, with coordinates if it has its own."""

    name: str
    clustering: Clustering
    table: CoordinateTable | None = None


class Gathered(NamedTuple):
    """The clusterings, the references that they are compared with, and the coordinates."""

    others: Sequence[Named]
    references: Sequence[Named]
    tables: tuple[CoordinateTable, ...]

    @property
    def everyone(self) -> list[Named]:
        """All clusterings, the references last."""
        return [*self.others, *self.references]


def gather(
    clusterings: Any, settings: MatrixSettings, unlocated: Unlocated | None, what: str = MATRIX
) -> Gathered:
    """Files or objects as clusterings under their names; references are not listed themselves.

    `what` needs two clusterings.
    """
    if are_balanced(settings) and not settings["reference"]:
        raise UsageError(
            f"{say('weights', BALANCED)} needs a {name_of('reference')}, whose clusters then weigh "
            "the same",
            hint=f"name it, or give weights: {say('weights', 'weights.csv::weight')}",
        )
    given = name_each(clusterings)
    wanted = [
        (name, None if is_path(thing) and is_name(str(thing), given) else thing)
        for name, thing in name_references(settings["reference"])
    ]
    more = [(name, thing) for name, thing in wanted if thing is not None]
    # Stdin that is named twice has an error of its own.
    check_names([name for name, _ in given + more if name != "-"])
    groups, tables = load(given + more, settings, unlocated)
    named = [one for group in groups[: len(given)] for one in group]
    at = dict(zip([name for name, _ in given + more], groups, strict=True))
    references = [one for name, _ in wanted for one in at[name]]
    check_names([one.name for one in named])
    check_names([one.name for one in references])
    others = [one for one in named if not any(is_same(one, other) for other in references)]
    if len(others) < (1 if references else 2):
        raise too_few(len(named), bool(references), what)
    return Gathered(others, references, tables)


def load(
    given: Sequence[tuple[str, Any]], settings: MatrixSettings, unlocated: Unlocated | None
) -> tuple[list[list[Named]], tuple[CoordinateTable, ...]]:
    """The clusterings of each thing under their names, and the coordinates."""
    coordinates = settings["coordinates"]
    tables = {} if coordinates is None else {"coordinates": coordinates}
    names, things = [name for name, _ in given], [thing for _, thing in given]
    wanted = Wanted(things, names, settings, tables, several=True, unlocated=unlocated)
    begin("read")
    loaded = Loader(wanted).load(wanted)
    groups = [
        name_group(name, thing, group)
        for (name, thing), group in zip(given, loaded.groups, strict=True)
    ]
    if loaded.tables and not tables:
        # The coordinates are in the files of the clusterings, a table for each of these.
        own = iter(loaded.tables)
        groups = [[replace(one, table=next(own)) for one in group] for group in groups]
    return groups, loaded.tables


def name_each(clusterings: Any) -> list[tuple[str, Any]]:
    """The things in a mapping, a DataFrame or a sequence, each with a name."""
    if is_path(clusterings):
        return [(name_of_file(clusterings), clusterings)]
    if isinstance(clusterings, Mapping) or is_pandas(clusterings):
        return [(str(name), thing) for name, thing in clusterings.items()]
    return [
        (name_of_file(thing) if is_path(thing) else str(position), thing)
        for position, thing in enumerate(clusterings, 1)
    ]


def name_references(given: Any) -> list[tuple[str, Any]]:
    """The references, each with a name: that of a file or of a clustering, or a number."""
    things = list_references(given)
    return [
        (name_of_file(thing), thing)
        if is_path(thing)
        else ("reference" if len(things) == 1 else f"reference {number}", thing)
        for number, thing in enumerate(things, 1)
    ]


def name_of_file(file: Any) -> str:
    """The name that the user gives the clustering in a file, `NAME=path`, else what was typed."""
    text = str(file)
    return Address.of_file(text).title or text


def is_name(text: str, given: Sequence[tuple[str, Any]]) -> bool:
    """Whether a text is the name of one of the things."""
    return any(text == name for name, _ in given)


def name_group(name: str, thing: Any, group: Sequence[Clustering]) -> list[Named]:
    """The clusterings of one thing: under its name or, if they are columns, NAME::COLUMN."""
    if not is_path(thing):
        return [Named(name, clustering) for clustering in group]
    address = Address.of_clustering(str(thing))
    found = []
    for clustering in group:
        source = clustering.source or address.source
        if source != address.source:
            own = f"{address.title or address.path}::{Address.of_clustering(source).label}"
            found.append(Named(own if len(group) > 1 or name == address.text else name, clustering))
        else:
            found.append(Named(name, clustering))
    return found


def is_same(one: Named, other: Named) -> bool:
    """Whether two clusterings have the same name or come from the same column of a file."""
    source = one.clustering.source
    return one.name == other.name or (source is not None and source == other.clustering.source)


def check_names(names: Sequence[str]) -> None:
    """Refuse two clusterings of the same name, whose rows would look the same."""
    twice = [name for position, name in enumerate(names) if name in names[:position]]
    if twice:
        raise UsageError(f"{twice[0]} is given twice", hint="name each clustering once")


def too_few(n_named: int, has_reference: bool, what: str) -> UsageError:
    """The error for too few clusterings to compare."""
    if has_reference:
        return UsageError(
            "there is no clustering besides the reference", hint="name some to compare with it"
        )
    given = "no clustering is" if not n_named else f"only {n_named} clustering is"
    more = f", or a {name_of('reference')}" if what == MATRIX else ""
    return UsageError(
        f"{given} given, but {what} needs two",
        hint=f"name more files, {'' if more else 'or '}all columns of one with FILE::*{more}",
    )
