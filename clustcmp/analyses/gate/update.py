"""Accept the values of a run: a report with the old baseline and the new one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clustcmp.analyses.gate.baseline import AcceptedValue, Baseline, find_old, make_baseline
from clustcmp.analyses.gate.definition import Gate
from clustcmp.analyses.gate.run import find_sides
from clustcmp.errors import UsageError
from clustcmp.evaluate import report_on
from clustcmp.inputs import Preparer
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


# The columns for the ends of approximate values.
ENDS = ("before_low", "before_high", "now_low", "now_high")


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
        """The columns of a table of the values; the last are the ends of approximate ones."""
        intervals = [one.interval for _, *both in self.values() for one in both if one]
        return ("metric", "before", "now", *(ENDS if any(intervals) else ()))

    def rows(self) -> Iterator[list[str | float | None]]:
        """The values before and now of each metric, with what `columns` says."""
        for metric, before, now in self.values():
            both = (before, now)
            values = [one.value if one else None for one in both]
            ends = [end for one in both for end in ((one and one.interval) or (None, None))]
            yield [metric, *values, *ends][: len(self.columns)]

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
    wanted = find_sides(gate)
    comparison = Preparer(wanted).prepare(wanted)
    has_distances = comparison.distances is not None
    known = old.find_requests(has_distances) if old else ()
    requests = unique([*known, *gate.requests]) or find_requests(None, has_distances)
    report = report_on(comparison, requests)
    return BaselineUpdate(old, make_baseline(path, comparison, report, gate))


def save_baseline(update: BaselineUpdate) -> None:
    """Write the new baseline to its file, whole or not at all."""
    write_text(update.new.path, update.to_text("json"))
