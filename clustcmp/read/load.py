"""Loads what an analysis compares, files and Python objects alike, and reads each file once.

    wanted = two(a, b, settings)
    loaded = Loader(wanted).load(wanted)

A Loader is told everything that will be wanted before it reads the first file. A file is opened
and parsed when it is first needed, for all clusterings and coordinates that are wanted from it;
its bytes are dropped afterwards, and what was read is dropped after the last use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple, Unpack, cast

from clustcmp.arrays import Floats
from clustcmp.errors import ClustcmpError
from clustcmp.keywords import complete, format_of_side, settings_of_side, takes_settings, weights_in
from clustcmp.model import Clustering, CoordinateTable
from clustcmp.notes import Note
from clustcmp.read.address import Address, is_path
from clustcmp.read.checks import (
    check_both,
    check_contingency,
    check_settings,
    check_space,
    check_special_labels,
    check_stdin,
)
from clustcmp.read.columns import KnownColumns
from clustcmp.read.files import Content, FileTask, Role, Use, read_files
from clustcmp.read.holders import held_coordinates, held_labels
from clustcmp.read.indexes import IndexIds, is_pandas, rows_correspond
from clustcmp.read.joining import Reading, TableReading, join_clusterings, join_tables
from clustcmp.read.own import Unlocated, note_own, take_own
from clustcmp.settings import InputSettings, ReadSettings, TwoSettings

# The settings that decide what is read from a file, by what the file is read for.
PARSING = ("id", "header", "no_header", "max_bytes")
LABELLING = (*PARSING, "noise", "missing", "missing_label", "normalize")


@dataclass(frozen=True, eq=False)
class Wanted:
    """What one analysis compares: clusterings, and what says where their points are.

    Each thing is the address of a file or an object; the names are for messages about objects.
    `tables` are coordinates, each under a name for messages: one table for all clusterings, or one
    for each. Distances are between the points of two clusterings. `several` says whether an
    address such as `path::*` is allowed, which stands for several columns of a file.
    `must_be_told` means that rows are compared by position only if the settings say so.
    `unlocated` are metrics that need coordinates. `counts` is a contingency instead of clusterings.
    """

    things: Sequence[Any]
    names: Sequence[str]
    settings: InputSettings
    tables: Mapping[str, Any] = field(default_factory=dict)
    distances: Any = None
    several: bool = False
    must_be_told: bool = False
    unlocated: Unlocated | None = None
    counts: Any = None

    def __post_init__(self) -> None:
        things = zip(self.things, self.names, strict=True)
        object.__setattr__(self, "things", [held_labels(*one) for one in things])
        tables = {name: held_coordinates(one, name) for name, one in self.tables.items()}
        object.__setattr__(self, "tables", tables)

    @cached_property
    def things_in_files(self) -> dict[int, Use]:
        """The clusterings that are in files, by their position."""
        role = Role.clusterings if self.several else Role.clustering
        return {
            position: self._use(
                self._address(str(thing), self.names[position]),
                role,
                LABELLING,
                self.names[position],
            )
            for position, thing in enumerate(self.things)
            if is_path(thing)
        }

    @cached_property
    def tables_in_files(self) -> dict[str, Use]:
        """The coordinates that are in files, by their name."""
        return {
            name: self._use(Address.of_coordinates(str(table)), Role.coordinates, PARSING)
            for name, table in self.tables.items()
            if is_path(table)
        }

    @cached_property
    def distances_in_file(self) -> Use | None:
        """The distances, if they are in a file."""
        if not is_path(self.distances):
            return None
        text = str(self.distances)
        # The header holds the ids of b, so --no-header cannot be meant for this file.
        settings = (
            ("id", None),
            ("header", True),
            ("no_header", False),
            ("max_bytes", self.settings["max_bytes"]),
        )
        return Use(Address(text, text), Role.distances, settings)

    @cached_property
    def weights_in_file(self) -> Use | None:
        """The weights of all points, if they are in a file."""
        given = weights_in(self.settings)
        if not is_path(given):
            return None
        return self._use(Address.of_coordinates(str(given)), Role.coordinates, PARSING)

    @cached_property
    def own_columns(self) -> list[Use]:
        """The columns of each clustering's own file that may be coordinates, if they are needed."""
        is_located = self.tables or self.distances is not None
        if self.unlocated is None or is_located or not all(map(is_path, self.things)):
            return []
        role = Role.own_coordinates if self.unlocated.are_named else Role.own_names
        return [self._use(use.address, role, PARSING) for use in self.things_in_files.values()]

    @property
    def rows_correspond(self) -> bool:
        """Whether all clusterings are pandas objects with the same index."""
        tables = [*self.tables.values(), weights_in(self.settings)]
        return rows_correspond(self.things, tables, self.distances)

    @cached_property
    def uses(self) -> list[Use]:
        """Everything that is read from files."""
        uses = [*self.things_in_files.values(), *self.tables_in_files.values()]
        uses += self.own_columns
        others = self.weights_in_file, self.distances_in_file
        return [*uses, *(use for use in others if use is not None)]

    def _address(self, text: str, side: str) -> Address:
        """The address of a clustering; its format is what the address says, else the setting."""
        address = Address.of_clustering(text)
        said = format_of_side(self.settings, side) or (
            "pairs" if self.settings.get("pairs") else None
        )
        return address if address.format or said is None else replace(address, format=said)

    def _use(self, address: Address, role: Role, keys: Sequence[str], side: str = "") -> Use:
        known = cast(Mapping[str, Any], settings_of_side(self.settings, side))
        beside: list[Address] = []
        if role not in (Role.clustering, Role.clusterings):
            others = dict.fromkeys(use.address for use in self.things_in_files.values())
            beside = [other for other in others if address.is_same_file(other)]
        return Use(address, role, tuple((key, known[key]) for key in keys), tuple(beside))


class Loaded(NamedTuple):
    """What was loaded: for each thing its clusterings, the coordinates, the distances (n_a, n_b).

    A thing is one clustering, except that `path::*` is one for each column.
    """

    groups: tuple[tuple[Clustering, ...], ...]
    tables: tuple[CoordinateTable, ...] = ()
    distances: Floats | None = None
    notes: tuple[Note, ...] = ()

    @property
    def clusterings(self) -> tuple[Clustering, ...]:
        """All clusterings in their order."""
        return tuple(clustering for group in self.groups for clustering in group)


# The clusterings of each thing.
Groups = tuple[tuple[Clustering, ...], ...]


class Loader:
    """Loads everything that is wanted, and reads each file once for all of it."""

    def __init__(self, *wanted: Wanted) -> None:
        """Nothing is read yet; an address that is wrong is an error when it is loaded."""
        self._left: Counter[Use] = Counter()
        self._contents: dict[Use, Content] = {}
        # A bad file of one analysis must not stop the others.
        self._is_patient = len(wanted) > 1
        self._stdin: list[Use] = []
        for one in wanted:
            with suppress(ClustcmpError):
                self._left.update(one.uses)
                self._stdin += [use for use in one.uses if use.address.is_stdin]

    def load(self, wanted: Wanted) -> Loaded:
        """The clusterings, coordinates and distances that are wanted."""
        check_settings(wanted.settings)
        check_special_labels(wanted.settings, wanted.names, wanted.things)
        if any(use.address.is_stdin for use in wanted.uses):
            check_stdin(self._stdin)
        try:
            return self._load(wanted)
        finally:
            self._release(wanted.uses)

    def will_load_again(self, wanted: Wanted) -> bool:
        """Whether another analysis wants all of these clusterings, too; objects are not counted."""
        uses = wanted.things_in_files.values()
        return len(uses) == len(wanted.things) and all(self._left[use] > 0 for use in uses)

    def _load(self, wanted: Wanted) -> Loaded:
        indexes = None if wanted.rows_correspond else IndexIds()
        groups = self._load_clusterings(wanted, indexes)
        groups = self._load_weights(wanted, groups, indexes)
        return Loaded(
            groups,
            self._load_tables(wanted, groups, indexes),
            self._load_distances(wanted, groups, indexes),
            self._note_own(wanted),
        )

    def _load_clusterings(self, wanted: Wanted, indexes: IndexIds | None) -> Groups:
        """The clusterings of each thing, with the ids that join them."""
        settings, in_files = wanted.settings, wanted.things_in_files
        self._read(list(in_files.values()), settings["jobs"])
        groups: list[tuple[Reading, ...]] = []
        for position, (thing, name) in enumerate(zip(wanted.things, wanted.names, strict=True)):
            if position in in_files:
                groups.append(self._take(in_files[position]))
            else:
                from clustcmp.read.objects import read_object

                of_side = settings_of_side(settings, name)
                groups.append((read_object(thing, name, of_side, indexes),))
        readings = [reading for group in groups for reading in group]
        joined = iter(join_clusterings(readings, settings["by_position"], wanted.must_be_told))
        return tuple(tuple(islice(joined, len(group))) for group in groups)

    def _load_weights(self, wanted: Wanted, groups: Groups, indexes: IndexIds | None) -> Groups:
        """The clusterings with the weights that are given for all of them, if there are any."""
        given, use = weights_in(wanted.settings), wanted.weights_in_file
        if given is None:
            return groups
        from clustcmp.read.weights import as_weights, weigh_all

        if use is not None:
            self._read([use], wanted.settings["jobs"])
        by_index = indexes if any(map(is_pandas, wanted.things)) else None
        table = as_weights(given, by_index) if use is None else self._take(use)
        return weigh_all(groups, table, wanted.settings["by_position"])

    def _load_tables(
        self,
        wanted: Wanted,
        groups: Sequence[Sequence[Clustering]],
        indexes: IndexIds | None,
    ) -> tuple[CoordinateTable, ...]:
        """The coordinates; an index joins them to clusterings with an index or with ids in a file.

        Any other object is joined by position.
        """
        in_files = wanted.tables_in_files
        self._read(list(in_files.values()), wanted.settings["jobs"])
        if wanted.own_columns and wanted.unlocated and wanted.unlocated.are_named:
            return self._load_own(wanted, groups, wanted.unlocated)
        has_ids = [
            is_pandas(thing) or (is_path(thing) and one.points.ids is not None)
            for thing, group in zip(wanted.things, groups, strict=True)
            for one in group
        ]
        found: list[TableReading] = []
        for position, (name, table) in enumerate(wanted.tables.items()):
            by_index = any(has_ids) if len(wanted.tables) == 1 else has_ids[position]
            if name in in_files:
                found.append(self._take(in_files[name]))
            else:
                from clustcmp.read.objects import locate_object

                by_ids = indexes if by_index else None
                found.append(locate_object(table, name, wanted.settings, by_ids))
        clusterings = [clustering for group in groups for clustering in group]
        return join_tables(found, clusterings, wanted.settings["by_position"])

    def _load_own(
        self,
        wanted: Wanted,
        groups: Sequence[Sequence[Clustering]],
        unlocated: Unlocated,
    ) -> tuple[CoordinateTable, ...]:
        """The coordinates in the files of the clusterings themselves, a table for each of them."""
        self._read(wanted.own_columns, wanted.settings["jobs"])
        readings = take_own([self._take(use) for use in wanted.own_columns], unlocated)
        tables = [reading for reading, group in zip(readings, groups, strict=True) for _ in group]
        clusterings = [clustering for group in groups for clustering in group]
        return join_tables(tables, clusterings, wanted.settings["by_position"])

    def _note_own(self, wanted: Wanted) -> tuple[Note, ...]:
        """A note on columns that may be coordinates, for metrics that were not named."""
        if not wanted.own_columns or wanted.unlocated is None or wanted.unlocated.are_named:
            return ()
        self._read(wanted.own_columns, wanted.settings["jobs"])
        return note_own([self._take(use) for use in wanted.own_columns], wanted.unlocated)

    def _load_distances(
        self, wanted: Wanted, groups: Sequence[Sequence[Clustering]], indexes: IndexIds | None
    ) -> Floats | None:
        """The distances; an index joins them if the ids of both clusterings are an index, too."""
        if wanted.distances is None:
            return None
        (a,), (b,) = groups
        use = wanted.distances_in_file
        if use is None:
            from clustcmp.read.objects import as_distances

            by_index = all(map(is_pandas, wanted.things))
            return as_distances(wanted.distances, a, b, indexes if by_index else None)
        from clustcmp.read.distances import take_distances

        self._read([use], wanted.settings["jobs"])
        known: KnownColumns = self._take(use)
        return take_distances(known, a, b)

    def _read(self, needed: Sequence[Use], jobs: int | None) -> None:
        """Read the files of these uses that were not read yet, several at the same time."""
        new = [use for use in dict.fromkeys(needed) if use not in self._contents]
        if not new:
            return
        files: dict[Any, list[Use]] = {use.address.file_key: [] for use in new}
        for use in dict.fromkeys((*new, *self._left)):
            if use not in self._contents and (key := use.address.file_key) in files:
                files[key].append(use)
        tasks = [
            FileTask(tuple(uses), () if self._is_patient else tuple(u for u in uses if u in new))
            for uses in files.values()
        ]
        for contents in read_files(tasks, jobs):
            self._contents |= contents

    def _take(self, use: Use) -> Any:
        """What was read for a use, or its error."""
        content = self._contents[use]
        if isinstance(content, ClustcmpError):
            raise content
        return content

    def _release(self, uses: Iterable[Use]) -> None:
        """Drop results after their last use."""
        for use in uses:
            self._left[use] -= 1
            if self._left[use] <= 0:
                self._contents.pop(use, None)


def two(
    a: Any,
    b: Any,
    settings: TwoSettings,
    unlocated: Unlocated | None = None,
    must_be_told: bool = False,
) -> Wanted:
    """Two clusterings, and the coordinates or distances in the settings; or a contingency."""
    if settings["contingency"] is not None:
        check_contingency(a, b, settings)
        return Wanted((), (), settings, counts=settings["contingency"])
    check_both(a, b)
    check_space(settings)
    keys = ("coordinates", "coordinates_a", "coordinates_b")
    given = cast(Mapping[str, Any], settings)
    tables = {key: given[key] for key in keys if given[key] is not None}
    return Wanted(
        (a, b),
        ("a", "b"),
        settings,
        tables,
        settings["distances"],
        must_be_told=must_be_told,
        unlocated=unlocated,
    )


@takes_settings
def read_clustering(file: Any, **settings: Unpack[ReadSettings]) -> Clustering:
    """The clustering in a file: `path`, `path::column`, `path::label=NAME,id=NAME`, or `-`.

    The settings are those of `compare` that say how to read: `noise`, `missing`, `missing_label`,
    `normalize`, `no_header`, `max_bytes`. Noise and points without a label are marked and stay:
    `compare` drops them or makes clusters of them. Instead of a file an object can be given, as for
    `compare`.
    """
    wanted = Wanted((file,), ("the clustering",), complete(InputSettings, settings))
    (clustering,) = Loader(wanted).load(wanted).clusterings
    return clustering
