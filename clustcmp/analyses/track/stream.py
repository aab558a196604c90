"""The windows of a stream, each compared with a later one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from clustcmp.align import Alignment, Collection, Labelings
from clustcmp.analyses.track.report import Window
from clustcmp.backends import count_jobs
from clustcmp.errors import UsageError
from clustcmp.progress import begin
from clustcmp.read import Loader, Wanted
from clustcmp.settings import InputSettings
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
    windows: Sequence[Any], coordinates: Sequence[Any], settings: InputSettings, lag: int = 1
) -> Stream:
    """The stream in several files or objects, each file read once."""
    check_windows(windows)
    check_tables(windows, coordinates)
    names = [name_window(position) for position in range(len(windows))]
    titles = [f"coordinates of {name}" for name in names[: len(coordinates)]]
    if len(coordinates) == 1:
        titles = ["coordinates"]
    tables = dict(zip(titles, coordinates, strict=True))
    wanted = Wanted(windows, names, settings, tables)
    begin("read")
    loaded = Loader(wanted).load(wanted)
    begin("followed")
    titles = [one.titled(name) for one, name in zip(loaded.clusterings, names, strict=True)]
    collection = Collection(
        Labelings(loaded.clusterings, settings, tuple(titles)),
        loaded.tables,
        jobs=count_jobs(settings["jobs"]),
    )
    return Stream(collection, lag)


def check_windows(windows: Sequence[Any]) -> None:
    """Refuse a stream of fewer than two windows."""
    if len(windows) < 2:
        found = "there is one" if len(windows) else "there is none"
        raise UsageError(f"a track needs two windows or more, but {found}", hint="name another")


def check_tables(windows: Sequence[Any], coordinates: Sequence[Any]) -> None:
    """Refuse coordinates for some of the windows."""
    if len(coordinates) not in (0, 1, len(windows)):
        raise UsageError(
            f"{len(coordinates)} tables of coordinates are given for {len(windows)} windows",
            hint="give them once for all windows, or once for each in the same order",
        )
