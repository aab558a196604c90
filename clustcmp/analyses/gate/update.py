"""Accept the values of a run: a report with the old baseline and the new one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from clustcmp.analyses.gate.baseline import AcceptedValue, Baseline, find_old, make_baseline
from clustcmp.analyses.gate.definition import Gate
from clustcmp.analyses.gate.run import find_sides, report_surely
from clustcmp.errors import UsageError
from clustcmp.inputs import Preparer
from clustcmp.machines import joined
from clustcmp.model import Described
from clustcmp.notes import Note
from clustcmp.records import JsonObject
from clustcmp.registry import unique
from clustcmp.requests import find_requests
from clustcmp.results import Reported, as_frame
from clustcmp.wording import say
from clustcmp.write import write_text

if TYPE_CHECKING:
    from clustcmp.results import Frame


# The columns for the ends of approximate values, and for those of intervals.
ENDS = ("before_low", "before_high", "now_low", "now_high")
INTERVALS = (
    "before_interval_low",
    "before_interval_high",
    "now_interval_low",
    "now_interval_high",
)


@dataclass(frozen=True, repr=False)
class BaselineUpdate(Reported):
    """What changes when the values of a run are accepted; `old` is None for the first run."""

    command = "baseline"

    old: Baseline | None
    new: Baseline
    inputs: tuple[Described, ...] = ()
    notes: tuple[Note, ...] = ()

    def to_dict(self) -> JsonObject:
        """The new baseline, as it is in its file."""
        return self.new.to_dict()

    def to_frame(self) -> Frame:
        """One row for each metric, indexed by its name: the values before and now."""
        return as_frame(self.columns, self.rows(), "metric")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a table of the values; the last are the ends of what has any."""
        known = [one for _, *both in self.values() for one in both if one]
        proven = ENDS if any(one.proven for one in known) else ()
        return (
            "metric",
            "before",
            "now",
            *proven,
            *(INTERVALS if any(one.interval for one in known) else ()),
        )

    def rows(self) -> Iterator[list[str | float | None]]:
        """The values before and now of each metric, with what `columns` says."""
        for metric, *both in self.values():
            values = [one.value if one else None for one in both]
            proven = [(one and one.proven) or (None, None) for one in both]
            sure = [(one and one.interval and one.interval.ends) or (None, None) for one in both]
            ends = dict(zip(ENDS + INTERVALS, chain(*proven, *sure), strict=True))
            yield [metric, *values, *(ends[column] for column in self.columns[3:])]

    def values(
        self,
    ) -> Iterator[tuple[str, AcceptedValue | None, AcceptedValue | None]]:
        """Each metric with its accepted value before and now; metrics that were dropped last."""
        before, now = self.old.accepted if self.old else {}, self.new.accepted
        for metric in (*now, *sorted(before.keys() - now.keys())):
            yield metric, before.get(metric), now.get(metric)


def accept(gate: Gate) -> BaselineUpdate:
    """The baseline that there is, if any, and the one that this run would write instead."""
    if gate.baseline is None:
        raise UsageError("no baseline is named", hint=f"name the file with {say('baseline')}")
    gate.check()
    path = gate.baseline
    old = find_old(path)
    if old:
        gate = old.complete(gate)
    # Wrong words are found before any work is done.
    _ = gate.question
    wanted = find_sides(gate)
    with joined(gate.said.get("scheduler")):
        comparison = Preparer(wanted).prepare(wanted)
        has_distances = comparison.distances is not None
        known = old.find_requests(has_distances) if old else ()
        requests = unique([*known, *gate.requests]) or find_requests(None, has_distances)
        report = report_surely(comparison, requests, gate)
    return BaselineUpdate(old, make_baseline(path, comparison, report, gate))


def save_baseline(update: BaselineUpdate) -> None:
    """Write the new baseline to its file, whole or not at all."""
    write_text(update.new.path, update.to_text("json"))
