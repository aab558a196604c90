"""The windows of a stream, each compared with a later one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from clustcmp.align import Alignment, Collection, Labelings
from clustcmp.analyses.track.report import Window
from clustcmp.backends import count_jobs
from clustcmp.errors import UsageError
from clustcmp.model import Clustering
from clustcmp.progress import begin
from clustcmp.read import Address, Loader, Unlocated, Wanted, is_path
from clustcmp.settings import TrackSettings
from clustcmp.shares import find_budget
from clustcmp.wording import say

# The positions of two windows, and the rows of them that are compared.
AlignedStep = tuple[tuple[int, int], Alignment]


@dataclass(frozen=True, eq=False)
class Stream:
    """Windows in their order; each is compared with the one `lag` windows later."""

    collection: Collection
    lag: int = 1

    def __post_init__(self) -> None:
        n_windows = len(self.collection.clusterings)
        if not 1 <= self.lag < n_windows:
            lags = "1" if n_windows == 2 else f"from 1 to {n_windows - 1}"
            raise UsageError(
                f"{say('lag', self.lag)} leaves nothing to compare",
                hint=f"there are {n_windows} windows, so the lag is {lags}",
            )

    @property
    def n_windows(self) -> int:
        """How many windows there are."""
        return len(self.collection.clusterings)

    @property
    def n_steps(self) -> int:
        """How many comparisons there are."""
        return self.n_windows - self.lag

    def align_steps(self) -> Iterator[AlignedStep]:
        """The positions of the windows of each step, with the rows of them that are compared."""
        for source in range(self.n_steps):
            target = source + self.lag
            yield (source, target), self.collection.alignment(source, target)

    @property
    def windows(self) -> tuple[Window, ...]:
        """Each window by itself: W1 is the first."""
        return tuple(
            Window.of(self.collection.describe(t), name_window(t)) for t in range(self.n_windows)
        )


def name_window(position: int) -> str:
    """The name of a window in all outputs."""
    return f"W{position + 1}"


def load_stream(
    windows: Sequence[Any],
    coordinates: Sequence[Any],
    settings: TrackSettings,
    unlocated: Unlocated | None = None,
) -> Stream:
    """The stream in several files or objects, each file read once.

    `path::leiden_*` and the like stand for one window for each column, in the order of the file.
    """
    names = [name_window(position) for position in range(len(windows))]
    tables = {f"coordinates of {name_window(t)}": one for t, one in enumerate(coordinates)}
    if len(coordinates) == 1:
        tables = {"coordinates": coordinates[0]}
    if not any(is_path(one) and Address.of_clustering(str(one)).may_be_several for one in windows):
        check_windows(len(windows), len(coordinates))
    wanted = Wanted(windows, names, settings, tables, several=True, unlocated=unlocated)
    begin("read")
    loaded = Loader(wanted).load(wanted)
    check_windows(len(loaded.clusterings), len(coordinates))
    begin("followed")
    order = order_of(loaded.clusterings, settings["by"])
    clusterings = [loaded.clusterings[t] for t in order]
    titles = [one.titled(name_window(t)) for t, one in enumerate(clusterings)]
    tables_in_order = loaded.tables
    if len(loaded.tables) == len(order):
        tables_in_order = tuple(loaded.tables[t] for t in order)
    collection = Collection(
        Labelings(tuple(clusterings), settings, tuple(titles)),
        tables_in_order,
        jobs=count_jobs(settings["jobs"]),
        budget=find_budget(settings),
    )
    return Stream(collection, settings["lag"])


def order_of(clusterings: Sequence[Clustering], by: str) -> list[int]:
    """The positions of the windows in the order in which they are followed."""
    positions = range(len(clusterings))
    if by == "order":
        return list(positions)
    return sorted(positions, key=lambda position: clusterings[position].n_clusters)


def check_windows(n_windows: int, n_tables: int) -> None:
    """Refuse a stream of fewer than two windows, and coordinates for some of the windows."""
    if n_windows < 2:
        found = "there is one" if n_windows else "there is none"
        raise UsageError(f"a track needs two windows or more, but {found}", hint="name another")
    if n_tables not in (0, 1, n_windows):
        raise UsageError(
            f"{n_tables} tables of coordinates are given for {n_windows} windows",
            hint="give them once for all windows, or once for each in the same order",
        )
