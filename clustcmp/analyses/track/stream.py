"""The windows of a stream where they were read, and the comparison of any two of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from clustcmp.align import dropped, restrict
from clustcmp.arrays import Integers
from clustcmp.errors import InputError, UsageError
from clustcmp.inputs import Located, bring_together
from clustcmp.model import Clustering, Comparison, Described
from clustcmp.progress import begin
from clustcmp.read import (
    CoordinateTable,
    Loader,
    Wanted,
    locate_both,
    locate_each,
    order_columns,
)
from clustcmp.settings import InputSettings


@dataclass(frozen=True, eq=False)
class Stream:
    """Windows in their order, with no coordinates, one table for all, or one for each."""

    clusterings: tuple[Clustering, ...]
    tables: tuple[CoordinateTable, ...]
    settings: InputSettings
    lag: int = 1
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        n_windows = len(self.clusterings)
        if not 1 <= self.lag < n_windows:
            lags = "1" if n_windows == 2 else f"from 1 to {n_windows - 1}"
            raise UsageError(
                f"--window-lag {self.lag} leaves nothing to compare",
                hint=f"there are {n_windows} windows, so the lag is {lags}",
            )

    @property
    def steps(self) -> Iterator[tuple[int, int]]:
        """The windows to compare, by their position."""
        return ((t, t + self.lag) for t in range(len(self.clusterings) - self.lag))

    @property
    def n_steps(self) -> int:
        """How many comparisons there are."""
        return len(self.clusterings) - self.lag

    def compare(self, source: int, target: int) -> Comparison:
        """The comparison of two windows, exactly as of two files."""
        a, b = self.clusterings[source], self.clusterings[target]
        if len(self.tables) == 1:
            a, b = locate_both(a, b, self.tables[0])
        elif self.tables:
            a, b = locate_each(a, b, self.tables[source], self.tables[target])
        return bring_together(Located(a, b), self.settings)

    @cached_property
    def surveys(self) -> tuple[Survey, ...]:
        """Each window by itself."""
        return tuple(
            survey(clustering, f"W{number}", self.settings)
            for number, clustering in enumerate(self.clusterings, 1)
        )


@dataclass(frozen=True, eq=False)
class Survey:
    """A window by itself: its clusters have codes that stay the same in all comparisons.

    `codes` (n,) says for each row that was read which cluster it is in, if the window is hard.
    """

    window: Described
    clustering: Clustering
    codes: Integers

    def find_clusters(self, compared: Clustering, rows: Integers) -> list[int]:
        """The code here of each cluster of a comparison, whose points were these rows here."""
        if not len(self.codes):
            code_of = {name: code for code, name in enumerate(list_names(self.clustering))}
            return [code_of[name] for name in list_names(compared)]
        firsts = np.empty(compared.n_clusters, dtype=np.int64)
        firsts[compared.membership.strongest()] = rows
        return [int(code) for code in self.codes[firsts]]


def list_names(clustering: Clustering) -> list[str]:
    """The names of the clusters by their codes."""
    return [clustering.names[code] for code in range(clustering.n_clusters)]


def survey(clustering: Clustering, name: str, settings: InputSettings) -> Survey:
    """One window by itself, under the same settings as in a comparison."""
    ids = clustering.points.ids
    # In the order of a comparison, so that nothing depends on the order of rows.
    rows = np.arange(clustering.points.size) if ids is None else ids.ranking.order
    is_dropped = dropped(clustering, settings["noise_policy"])
    if is_dropped is not None:
        rows = rows[~is_dropped[rows]]
    if not len(rows):
        raise InputError(
            f"{clustering.title}: no points are left without noise and missing labels",
            hint="choose another --noise-policy or --missing",
        )
    tidy, side = restrict(clustering, rows, settings["noise_policy"], name)
    codes = np.empty(0, dtype=np.int64)
    # Codes of a soft window that turns out hard are found by name, too: names are unique there.
    if clustering.is_hard:
        codes = np.full(clustering.points.size, -1, dtype=np.int64)
        codes[rows] = tidy.membership.strongest()
    return Survey(side, tidy, codes)


def load_stream(
    windows: Sequence[Any], coordinates: Sequence[Any], settings: InputSettings, lag: int = 1
) -> Stream:
    """The stream in several files or objects, each file read once."""
    check_windows(windows)
    check_tables(windows, coordinates)
    names = [f"W{number}" for number in range(1, len(windows) + 1)]
    titles = [f"coordinates of {name}" for name in names[: len(coordinates)]]
    if len(coordinates) == 1:
        titles = ["coordinates"]
    tables = dict(zip(titles, coordinates, strict=True))
    wanted = Wanted(windows, names, settings, tables)
    begin("read")
    loaded = Loader(wanted).load(wanted)
    # The columns of all tables are brought to the order of the first one.
    others = [order_columns(table, loaded.tables[0]) for table in loaded.tables[1:]]
    ordered = *loaded.tables[:1], *(table for table, _ in others)
    notes = tuple(note for _, noted in others for note in noted)
    begin("followed")
    return Stream(loaded.clusterings, ordered, settings, lag, notes)


def check_windows(windows: Sequence[Any]) -> None:
    """Refuse a stream that goes nowhere."""
    if len(windows) < 2:
        found = "there is one" if len(windows) else "there is none"
        raise UsageError(f"a track needs two windows or more, and {found}", hint="name another")


def check_tables(windows: Sequence[Any], coordinates: Sequence[Any]) -> None:
    """Refuse coordinates for some of the windows."""
    if len(coordinates) not in (0, 1, len(windows)):
        raise UsageError(
            f"--coordinates are given {len(coordinates)} times for {len(windows)} windows",
            hint="give them once for all windows, or once for each in the same order",
        )
