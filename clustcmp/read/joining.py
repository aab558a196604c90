"""Which rows of several files belong together: the columns of ids, decided over all files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from shlex import quote
from typing import Any

from clustcmp.errors import InputError, show_names
from clustcmp.model import Clustering, CoordinateTable, Texts
from clustcmp.model.once import ComputesOnce
from clustcmp.notes import Note
from clustcmp.read.roles import ID
from clustcmp.read.sample import is_number
from clustcmp.read.singles import complete_all
from clustcmp.wording import say


@dataclass(frozen=True, eq=False)
class Reading(ComputesOnce):
    """A clustering as it was read, with its ids or with the columns that could be ids.

    `is_file` is false for an object in memory. `id_is_said` means that the user named the column.
    `fault` is what is wrong with a column that seems to hold ids, if that is why there are none;
    `unused` are columns of texts that are neither ids nor labels. Readings with the same `file_key`
    are columns of one file. `is_partial` means that all points that the file does not name are
    clusters of their own.
    """

    clustering: Clustering
    candidates: Mapping[str, Texts] = field(default_factory=dict)
    is_file: bool = True
    id_is_said: bool = False
    fault: InputError | None = None
    unused: tuple[str, ...] = ()
    file_key: tuple[Any, ...] = ()
    is_partial: bool = False

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
        chosen = replace(table, names=names, coordinates=coordinates, ids=self.candidates[name])
        # What was noted on this column does not concern coordinates any more.
        notes = tuple(note for note in table.notes if repr(name) not in note.text)
        return chosen if len(names) == len(table.names) else replace(chosen, notes=notes)


def join_clusterings(
    readings: Sequence[Reading], by_position: bool = False, must_be_told: bool = False
) -> tuple[Clustering, ...]:
    """The clusterings with the ids that join them, or without any if rows are joined by position.

    If a file alone does not tell its ids, they are the only column of that name in all files that
    could be ids. Files are joined by position if none of them has such a column; with
    `must_be_told` only if the user said so.
    """
    if by_position or are_of_one_file(readings):
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
    check_orders(found)
    if all(one.points.ids is None for one in found):
        check_labels_alone(readings)
    if must_be_told and all(one.points.ids is None for one in found):
        check_told(readings)
    are_partial = [one.is_partial for one in readings]
    return complete_all(found, are_partial) if any(are_partial) else found


def are_of_one_file(readings: Sequence[Reading]) -> bool:
    """Whether all are columns of one file without known ids, whose rows belong together anyway."""
    keys = {one.file_key for one in readings}
    without = all(one.file_key and not one.has_ids for one in readings)
    return without and len(keys) == 1 and len(readings) > 1


def check_labels_alone(readings: Sequence[Reading]) -> None:
    """Refuse to join by position if a file has texts that say more of its points."""
    unused = [one for one in readings if one.unused]
    if unused:
        raise InputError(
            f"{unused[0].title}: no column could be ids: a value occurs twice or is empty in "
            f"{show_names(unused[0].unused)}",
            hint=f"give each file an id column; {if_in_order()}",
        )


def check_orders(found: Sequence[Clustering]) -> None:
    """Refuse more than two objects of which some have ids, in different orders, and some none."""
    ids = [one.points.ids for one in found if one.points.ids is not None]
    if len(found) > 2 and 0 < len(ids) < len(found) and not are_in_order(ids):
        raise InputError(
            "some clusterings have an index, in different orders, and others have none, so it is "
            "not known which rows belong together",
            hint=f"give all of them an index; {if_in_order()}",
        )


def are_in_order(ids: Sequence[Texts]) -> bool:
    """Whether the same ids are in the same order everywhere."""
    return all(one is ids[0] or one.tolist() == ids[0].tolist() for one in ids[1:])


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
        quote(name_id(one.clustering.source or "", likeliest(one, undecided))) for one in undecided
    )
    return InputError(
        f"which column holds the ids? It could be {columns}",
        hint=f"name it in each file, such as {words}, or for all files with {say('id', 'NAME')}; "
        f"{if_in_order()}",
    )


def likeliest(reading: Reading, all_of_them: Sequence[Reading]) -> str:
    """The candidate to propose: texts rather than numbers, of a name that others have, too."""

    def rank(name: str) -> tuple[bool, bool]:
        return are_numbers(reading.candidates[name]), any(
            name not in one.candidates for one in all_of_them
        )

    return min(reading.candidates, key=rank)


def name_id(source: str, column: str) -> str:
    """The words that name the id column of a file."""
    return f"{source}{',' if '::' in source else '::'}id={column}"


def take_ids(reading: Reading, name: str) -> Clustering:
    """The clustering with the ids in one of the candidates, and a note on them."""
    points = replace(reading.clustering.points, ids=reading.candidates[name])
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
    # A column that is called as the ids of the labels comes before a first one without a name.
    if alike := [one.id_name for one in named if one.id_name in reading.candidates]:
        return reading.with_ids(str(alike[0]))
    texts = [name for name in reading.candidates if name not in table.names]
    if table.ids is not None or texts:
        bare = [one for one in clusterings if one.points.ids is None and one.source]
        if table.is_file and bare and not named:
            raise InputError(
                f"{table.title} has ids and {bare[0].title} has none, so it is not known which "
                "rows belong together",
                hint=f"give both an id column; {if_in_order()}",
            )
    if table.ids is not None:
        return table
    if not any(one.source for one in named):
        if not are_in_order([one.points.ids for one in named if one.points.ids is not None]):
            raise table_without_ids(reading, named[0])
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
