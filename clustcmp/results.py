"""What comes out: the value of a metric, and what all reports have in common."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from clustcmp.errors import Obstacle
from clustcmp.model import Coverage, Described
from clustcmp.notes import Note

if TYPE_CHECKING:
    import pandas as pd


class Status(StrEnum):
    """What became of a metric: a value, no value for this input, or the wrong input for it."""

    ok = "ok"
    undefined = "undefined"
    not_applicable = "not_applicable"


class Estimate(NamedTuple):
    """A value that is not exact, with the proven ends of the interval that holds the exact one."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Result:
    """The value of one metric, or the reason why it has none.

    `metric` is the canonical way to ask for it again, `convention` says which variant and unit the
    value has. `worst` and `best` are None where unknown or infinite. `bounds` are the proven ends
    of an approximate value, and None if the value is exact. `obstacle` says what the input lacks,
    if the metric does not apply for such a reason.
    """

    metric: str
    name: str
    family: str
    options: Mapping[str, Any]
    value: float | None
    status: Status
    reason: str | None
    worst: float | None
    best: float | None
    side: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    bounds: tuple[float, float] | None = None
    convention: str = ""
    higher_is_better: bool | None = None
    obstacle: Obstacle | None = None

    def __post_init__(self) -> None:
        if (self.value is None) != (self.status is not Status.ok):
            raise ValueError(f"{self.metric}: a value goes with ok, and with nothing else")
        if self.value is None:
            return
        if not math.isfinite(self.value):
            raise ValueError(f"{self.metric}: {self.value} is not a finite value")
        if self.bounds is not None and not self.bounds[0] <= self.value <= self.bounds[1]:
            raise ValueError(f"{self.metric}: {self.value} is outside of its bounds {self.bounds}")


@dataclass(frozen=True)
class Report(Sequence[Result]):
    """All results of one comparison, in the order asked for, with what was compared.

    `report["ari"]` is the value of a metric; iterating gives the results.
    """

    inputs: tuple[Described, Described]
    coverage: Coverage
    results: tuple[Result, ...]
    notes: tuple[Note, ...] = ()
    _canonical: Callable[[str], str] = field(default=str, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __contains__(self, metric: object) -> bool:
        if isinstance(metric, str):
            return any(result.metric == self._canonical(metric) for result in self.results)
        return metric in self.results

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return self.results[key]
        return self.result(key).value

    def result(self, metric: str) -> Result:
        """The result of a metric, by its name, an alias, or a name with options."""
        for result in self.results_of(metric):
            return result
        raise KeyError(metric)

    def results_of(self, metric: str) -> tuple[Result, ...]:
        """All results of a metric: one, or one of each side, or none."""
        wanted = self._canonical(metric)
        return tuple(result for result in self.results if result.metric == wanted)

    def to_frame(self) -> pd.DataFrame:
        """One row for each result, as a pandas data frame indexed by metric."""
        import pandas as pd

        columns = ["value", "status", "reason", "worst", "best", "side"]
        rows = [[getattr(result, column) for column in columns] for result in self.results]
        index = pd.Index([result.metric for result in self.results], name="metric")
        return pd.DataFrame(rows, index=index, columns=columns)
