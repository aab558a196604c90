"""Which rows of several files belong together: the columns of ids, decided over all files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from clustcmp.errors import InputError, show_names
from clustcmp.model import Clustering, CoordinateTable, PointSet, Texts
from clustcmp.model.once import ComputesOnce
from clustcmp.notes import Note
from clustcmp.read.roles import ID
from clustcmp.read.sample import is_number
from clustcmp.wording import say


@dataclass(frozen=True, eq=False)
class Reading(ComputesOnce):
    """A clustering as it was read, with its ids or with the columns that could be ids.

    `is_file` is false for an object in memory. `id_is_said` means that the user named the column.
    `fault` is what is wrong with a column that seems to hold ids, if that is why there are none.
    """

    clustering: Clustering
    candidates: Mapping[str, Texts] = field(default_factory=dict)
    is_file: bool = True
    id_is_said: bool = False
    fault: InputError | None = None

    @property
    def id_name(self) -> str | None:
        """The column of the ids, if there are any."""
        return self.clustering.id_name

    @property
    def has_ids(self) -> bool:
        """Whether it is known which points these are."""
        return self.clustering.points.ids is not None

    @property
    def title(self) -> str:
        """What messages call the clustering."""
        return self.clustering.title

    def with_ids(self, name: str) -> Clustering:
        """The clustering with the ids in one of the candidates, one object for each of them."""
        return self.once(take_ids, name)

    @cached_property
    def noted(self) -> Clustering:
        """The clustering with a note on its ids, if the file does not call them id."""
        if not self.is_file or self.id_is_said or self.id_name is None or is_id(self.id_name):
            return self.clustering
        return replace(self.clustering, notes=(*self.clustering.notes, note_ids(self)))

    @cached_property
    def without_ids(self) -> Clustering:
        """The clustering with nothing but the order of its points."""
        points = replace(self.clustering.points, ids=None)
        return replace(self.clustering, points=points, id_name=None)


@dataclass(frozen=True, eq=False)
class TableReading:
    """Coordinates as they were read; some of the columns could be ids and not coordinates."""

    table: CoordinateTable
    candidates: Mapping[str, Texts] = field(default_factory=dict)

    def with_ids(self, name: str) -> CoordinateTable:
        """The coordinates with the ids in one of the candidates."""
        table = self.table
        kept = [position for position, column in enumerate(table.names) if column != name]
        names = tuple(table.names[position] for position in kept)
        coordinates = table.coordinates[:, kept]
        return replace(table, names=names, coordinates=coordinates, ids=self.candidates[name])


def join_clusterings(
    readings: Sequence[Reading], by_position: bool = False, must_be_told: bool = False
) -> tuple[Clustering, ...]:
    """The clusterings with the ids that join them, or without any if rows are joined by position.

    If a file alone does not tell its ids, they are the only column of that name in all files that
    could be ids. Files are joined by position if none of them has such a column; with
    `must_be_told` only if the user said so.
    """
    if by_position:
        return tuple(one.without_ids for one in readings)
    for one in readings:
        if one.fault is not None:
            raise one.fault
    undecided = [one for one in readings if one.candidates and not one.has_ids]
    shared = find_shared(readings) if undecided else None
    if undecided and shared is None:
        raise which_ids(undecided)
    found = tuple(
        one.with_ids(shared) if one in undecided and shared is not None else one.noted
        for one in readings
    )
    check_all_or_none(readings, found)
    if must_be_told and all(one.points.ids is None for one in found):
        check_told(readings)
    return found


def find_shared(readings: Sequence[Reading]) -> str | None:
    """The only name under which each file has a column that is or could be its ids.

    Numbers beside a column of texts that could be ids are rather measurements, so there is none.
    """
    names: list[set[str | None]] = [
        set(one.candidates) if one.candidates and not one.has_ids else {one.id_name}
        for one in readings
        if one.is_file
    ]
    shared = set.intersection(*names)
    name = shared.pop() if len(shared) == 1 else None
    return None if any(may_be_measured(one, name) for one in readings) else name


def may_be_measured(reading: Reading, name: str | None) -> bool:
    """Whether a column holds numbers, while another one that could be the ids holds texts."""
    are_numeric = {one: are_numbers(texts) for one, texts in reading.candidates.items()}
    return are_numeric.get(name or "", False) and not all(are_numeric.values())


def are_numbers(texts: Texts) -> bool:
    """Whether the first few texts are numbers."""
    return all(is_number(texts[position]) for position in range(min(len(texts), 10)))


def check_all_or_none(readings: Sequence[Reading], found: Sequence[Clustering]) -> None:
    """Refuse to join a file with ids to anything that has none."""
    named = [
        clustering
        for one, clustering in zip(readings, found, strict=True)
        if one.is_file and clustering.points.ids is not None
    ]
    bare = [clustering for clustering in found if clustering.points.ids is None]
    if named and bare:
        what = f"{named[0].title} has ids (column {named[0].id_name!r})"
        raise InputError(
            f"{what} and {bare[0].titled('the other clustering')} has none, so it is not known "
            "which rows belong together",
            hint=f"give both an id column; {if_in_order()}",
        )


def check_told(readings: Iterable[Reading]) -> None:
    """Refuse to join files by position where nobody said so."""
    files = [one.title for one in readings if one.is_file]
    if files:
        raise InputError(
            f"{' and '.join(files)}: no column could be ids, and a gate compares rows by position "
            "only when told",
            hint=f"give both an id column; {if_in_order()}, or by_position = true in a "
            "configuration file",
        )


def if_in_order() -> str:
    """What to do if rows can be compared by position."""
    return f"if the rows are in the same order, say {say('by_position')}"


def which_ids(undecided: Sequence[Reading]) -> InputError:
    """The error for files with columns that could be ids, where it is not clear which are."""
    columns = "; ".join(f"{one.title}: {show_names(list(one.candidates))}" for one in undecided)
    words = " ".join(
        name_id(one.clustering.source or "", next(iter(one.candidates))) for one in undecided
    )
    return InputError(
        f"which column holds the ids? It could be {columns}",
        hint=f"name it in each file, such as {words}, or for all files with {say('id', 'NAME')}; "
        f"{if_in_order()}",
    )


def name_id(source: str, column: str) -> str:
    """The words that name the id column of a file."""
    return f"{source}{',' if '::' in source else '::'}id={column}"


def take_ids(reading: Reading, name: str) -> Clustering:
    """The clustering with the ids in one of the candidates, and a note on them."""
    points = PointSet(reading.clustering.points.size, reading.candidates[name])
    chosen = replace(reading, clustering=replace(reading.clustering, points=points, id_name=name))
    return chosen.noted


def note_ids(reading: Reading) -> Note:
    """A note that says which column was taken for the ids."""
    column = f"column {reading.id_name!r}" if reading.id_name else "the first column"
    return Note(f"rows are joined by {column}", reading.title)


def is_id(name: str) -> bool:
    """Whether a column is called id."""
    return name.lower() == ID


def join_tables(
    tables: Sequence[TableReading], clusterings: Sequence[Clustering], by_position: bool = False
) -> tuple[CoordinateTable, ...]:
    """The coordinates with ids where the clusterings have ids, else without any."""
    if by_position:
        return tuple(replace(one.table, ids=None) for one in tables)
    found = []
    for position, one in enumerate(tables):
        users = clusterings if len(tables) == 1 else clusterings[position : position + 1]
        found.append(join_table(one, users))
    return tuple(found)


def join_table(reading: TableReading, clusterings: Sequence[Clustering]) -> CoordinateTable:
    """The coordinates of some clusterings, with the ids that join them."""
    table = reading.table
    named = [one for one in clusterings if one.points.ids is not None]
    if table.ids is not None:
        bare = [one for one in clusterings if one.points.ids is None and one.source]
        if table.is_file and bare and not named:
            raise InputError(
                f"{table.title} has ids and {bare[0].title} has none, so it is not known which "
                "rows belong together",
                hint=f"give both an id column; {if_in_order()}",
            )
        return table
    if not any(one.source for one in named):
        return table
    chosen = find_table_ids(reading, named)
    if chosen is not None:
        return reading.with_ids(chosen)
    raise table_without_ids(reading, named[0])


def find_table_ids(reading: TableReading, named: Sequence[Clustering]) -> str | None:
    """The column of ids: called as in a clustering, or else the only one that holds texts."""
    wanted = {one.id_name for one in named}
    alike = [name for name in reading.candidates if name in wanted]
    # A column of texts cannot hold coordinates.
    texts = [name for name in reading.candidates if name not in reading.table.names]
    for names in (alike, texts):
        if len(names) == 1:
            return names[0]
    return None


def table_without_ids(reading: TableReading, clustering: Clustering) -> InputError:
    """The error for coordinates that cannot be joined to points with ids."""
    title = reading.table.title
    if reading.candidates:
        name = next(iter(reading.candidates))
        others = [column for column in reading.table.names if column != name]
        words = f"{title}::{','.join([f'id={name}', *others])}"
        hint = f"if a column holds ids, name it, such as {words}; {if_in_order()}"
    else:
        hint = f"give the coordinates an id column; {if_in_order()}"
    return InputError(
        f"{clustering.title} has ids (column {clustering.id_name!r}), but {title} has none",
        hint=hint,
    )
