"""What one gate compares and asks for, from flags, files and baselines alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from clustcmp.analyses.bounds.thresholds import (
    BOUNDS,
    QUANTITIES,
    Threshold,
    check_thresholds,
    read_thresholds,
)
from clustcmp.errors import UsageError
from clustcmp.keywords import check, complete, declared
from clustcmp.registry import Request
from clustcmp.requests import with_ground
from clustcmp.settings import GateSettings, MeasuredSettings, SpaceSettings
from clustcmp.significance import find_question
from clustcmp.wording import name_of

if TYPE_CHECKING:
    from clustcmp.significance.assess import Question

# The settings that say where points are.
SPACE = tuple(declared(SpaceSettings))


@dataclass(frozen=True)
class Gate:
    """One gate: its two files or objects, its bounds, and the settings that were said.

    Defaults are filled in by `settings`, after flags, file and baseline are merged.
    """

    a: Any = None
    b: Any = None
    name: str | None = None
    thresholds: tuple[Threshold, ...] = ()
    baseline: str | None = None
    said: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, given: GateSettings, a: Any = None, b: Any = None) -> Gate:
        """The gate that settings describe."""
        said: dict[str, Any] = dict(check(GateSettings, given))
        thresholds = read_thresholds(said)
        baseline = said.pop("baseline", None)
        baseline = None if baseline is None else str(baseline)
        for key in (*BOUNDS, *QUANTITIES):
            said.pop(key, None)
        return cls(a, b, None, thresholds, baseline, said)

    def overridden_by(self, other: Gate) -> Gate:
        """This gate, except for what the other one says."""
        said = dict(self.said)
        if any(key in other.said for key in SPACE):
            # If the other gate sets any coordinates or distances, none of this gate's are kept.
            said = {key: value for key, value in said.items() if key not in SPACE}
        if other.a is not None or other.b is not None:
            said.pop("contingency", None)
        merged = {(bound.metric, bound.key): bound for bound in self.thresholds}
        merged |= {(bound.metric, bound.key): bound for bound in other.thresholds}
        names = ("a", "b", "name", "baseline")
        changed = {name: getattr(other, name) for name in names}
        return replace(
            self,
            **{name: value for name, value in changed.items() if value is not None},
            thresholds=tuple(merged.values()),
            said={**said, **other.said},
        )

    @property
    def settings(self) -> MeasuredSettings:
        """How to read and to compare, and how sure values must be."""
        return complete(MeasuredSettings, self.said)

    @property
    def question(self) -> Question | None:
        """What the gate asks about values besides themselves, checked; None without a level."""
        return find_question(self.said)

    @property
    def space(self) -> dict[str, Any]:
        """What says where the points are, by the key of its setting."""
        return {key: self.said[key] for key in SPACE if self.said.get(key) is not None}

    @property
    def files(self) -> tuple[str, ...]:
        """The files that are read, as they were typed."""
        given = (self.a, self.b, *self.space.values(), self.said.get("contingency"))
        return tuple(str(file) for file in given if file is not None)

    @property
    def is_counted(self) -> bool:
        """Whether a table of counts is given instead of two clusterings."""
        return self.said.get("contingency") is not None

    @property
    def all_thresholds(self) -> tuple[Threshold, ...]:
        """All thresholds, those on shares and counts last."""
        rank = {quantity: number for number, quantity in enumerate(QUANTITIES.values())}
        return tuple(sorted(self.thresholds, key=lambda one: rank.get((one.metric, one.kind), -1)))

    @property
    def requests(self) -> tuple[Request, ...]:
        """The metrics whose values decide."""
        asked = [bound.request for bound in self.thresholds if bound.request is not None]
        return with_ground(asked, self.said.get("distances") is not None)

    def check(self) -> None:
        """Refuse settings that no gate can have."""
        check_thresholds(self.all_thresholds)
        if self.is_counted and self.baseline is not None:
            raise UsageError(
                f"{name_of('baseline')} keeps digests of points, which a table of counts has not",
                hint=f"leave out {name_of('baseline')}, or give the clusterings themselves",
            )
        changes = [bound for bound in self.all_thresholds if bound.kind.is_change]
        if changes and self.baseline is None:
            raise UsageError(
                f"{changes[0].metric}: {changes[0].key} is measured against accepted values",
                hint=f"name the file that holds them with {name_of('baseline')}",
            )
