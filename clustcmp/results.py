"""Results: the value of a metric, and what all reports share."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, Self, overload

from clustcmp.errors import Obstacle
from clustcmp.model import Coverage, Described, Side
from clustcmp.model.columns import Kept
from clustcmp.notes import Note
from clustcmp.options import Options
from clustcmp.records import (
    Asked,
    Count,
    JsonObject,
    Key,
    PythonOnly,
    Record,
    Rule,
    in_json,
    json_object,
)
from clustcmp.sureness import Chance, Interval, Versus
from clustcmp.version import VERSION

if TYPE_CHECKING:
    import pandas as pd

    Frame = pd.DataFrame


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


# Only a result that is `ok` has a value, and only one that is not has a reason.
VALUE_OR_REASON = Rule(
    {
        "if": {"properties": {"status": {"const": "ok"}}},
        "then": {"properties": {"value": {"type": "number"}, "reason": {"type": "null"}}},
        "else": {
            "properties": {"value": {"type": "null"}, "reason": {"type": "string", "minLength": 1}}
        },
    }
)


Spec = Annotated[str, "The canonical spec: the name and the options that are not defaults."]
Proven = Annotated[tuple[float, float] | None, "The proven ends of an approximate value."]


@dataclass(frozen=True)
class Result(Record):
    """The value of one metric, or the reason why it has none.

    `convention` says which variant and unit the value has. `obstacle` says what the input
    lacks, if that is why the metric does not apply. `proven` are the ends of an approximate value.
    `interval`, `chance` and `versus` are there if the user asked for them.
    """

    rule = VALUE_OR_REASON

    metric: Spec
    name: str
    family: PythonOnly[str]
    options: Options
    value: float | None
    status: Status
    reason: str | None
    worst: Annotated[float | None, "null where unknown or infinite."]
    best: Annotated[float | None, "null where unknown or infinite."]
    side: Annotated[str | None, Rule(enum=["a", "b", None])] = None
    details: Mapping[str, Any] = field(default_factory=dict)
    proven: Annotated[Proven, Key("bounds")] = None
    interval: Asked[Interval | None] = None
    chance: Asked[Chance | None] = None
    versus: Asked[Versus | None] = None
    convention: PythonOnly[str] = ""
    higher_is_better: PythonOnly[bool | None] = None
    obstacle: PythonOnly[Obstacle | None] = None

    def __post_init__(self) -> None:
        if (self.value is None) != (self.status is not Status.ok):
            raise ValueError(
                f"{self.metric}: status {self.status} with value {self.value}: "
                "`ok` has a value, no other status has one"
            )
        if self.value is None:
            return
        if not math.isfinite(self.value):
            raise ValueError(f"{self.metric}: {self.value} is not a finite value")
        if self.proven is not None and not all(map(math.isfinite, self.proven)):
            raise ValueError(f"{self.metric}: the proven ends {self.proven} are not finite")
        if self.proven is not None and not self.proven[0] <= self.value <= self.proven[1]:
            raise ValueError(
                f"{self.metric}: {self.value} is not between its proven ends {self.proven}"
            )

    @property
    def low(self) -> float | None:
        """The lower end of an approximate value."""
        return self.proven[0] if self.proven else None

    @property
    def high(self) -> float | None:
        """The upper end of an approximate value."""
        return self.proven[1] if self.proven else None


# What tables say about what a user may ask: intervals, chance and another candidate.
KINDS = {"interval": Interval, "chance": Chance, "versus": Versus}
ASKED = {part: tuple(one.name for one in fields(kind)) for part, kind in KINDS.items()}

# What rows are joined by if there are no ids.
POSITION = "position"

# What a table of results says about each of them.
FACTS = ("value", "status", "reason", "worst", "best")


def interval_columns(results: Iterable[Result]) -> tuple[str, ...]:
    """The columns that a table of results has if a value is approximate: the ends of its interval.

    They are the last columns, so that tables of exact values are the same with and without them.
    """
    return ("low", "high") if any(result.proven for result in results) else ()


class Reported(Record, ABC):
    """What every report can do: the same as the command, for Python and notebooks.

    A report is the record of the document that its `command` prints as JSON. `inputs` describe what
    was compared, `notes` are what a user should know about it.
    """

    command: ClassVar[str]
    # The module of `render` that shows the report, if it is not named after the command.
    document: ClassVar[str | None] = None

    if TYPE_CHECKING:
        # Fields of most reports, which an abstract property would hide at run time.
        @property
        def inputs(self) -> tuple[Described, ...]: ...

        @property
        def notes(self) -> tuple[str, ...]: ...

    def to_dict(self) -> JsonObject:
        """The document that the command prints as JSON."""
        document = json_object(self.in_texts())
        return {"schema": f"clustcmp/{self.command}/1", "version": VERSION, **document}

    def in_texts(self) -> Self:
        """The same report with labels of clusters as texts, whatever they were in Python."""
        return self

    @abstractmethod
    def to_frame(self) -> Frame:
        """The values as a pandas data frame."""

    def to_text(self, format: str = "table", **view: Any) -> str:
        """What the command prints: as table, markdown, latex, html, csv or json."""
        # An import from a higher layer; tests/test_layers.py allows it.
        from clustcmp.render import show

        return show(self, format, **view)

    def plot(self) -> Any:
        """The chart that says most, as a figure of plotly; `clustcmp.plots` has all."""
        from clustcmp.plots import plot

        return plot(self)

    def __repr__(self) -> str:
        from clustcmp.render import show_briefly

        return show_briefly(self)

    def _repr_html_(self) -> str:
        from clustcmp.render import show_in_notebook

        return show_in_notebook(self)


class Joined(Reported):
    """A report on clusterings whose points were joined."""

    @property
    @in_json()
    def joined_by(self) -> str | None:
        """The id columns that rows were joined by, or position; null if nothing was joined."""
        if any(side.is_counted for side in self.inputs):
            return None
        names = [side.id for side in self.inputs]
        known = [name for name in names if name is not None]
        if not names or len(known) < len(names):
            return POSITION if names else None
        return ", ".join(dict.fromkeys(known))


@dataclass(frozen=True, repr=False)
class Draws(Reported, Mapping[str, Sequence[float | None]]):
    """The values of a comparison's metrics for random clusterings, in the order of the draws.

    `draws["ari"]` are the values of one metric, None where the metric has none.
    """

    command = "draws"

    inputs: tuple[Side, ...] = ()
    draws: Mapping[str, tuple[float | None, ...]] = field(default_factory=dict)
    seed: Count | None = None
    notes: PythonOnly[tuple[Note, ...]] = ()

    def __len__(self) -> int:
        return len(self.draws)

    def __iter__(self) -> Iterator[str]:
        return iter(self.draws)

    def __getitem__(self, metric: str) -> Sequence[float | None]:
        found = self.draws.get(metric)
        return self.draws[canonical_spec(metric)] if found is None else found

    def rows(self) -> Iterator[tuple[str, int, float | None]]:
        """Metric, number of the draw from 1 on, and value."""
        for metric, values in self.draws.items():
            yield from ((metric, draw, value) for draw, value in enumerate(values, 1))

    def to_frame(self) -> Frame:
        """One row for each draw of each metric, indexed by both."""
        return as_frame(("metric", "draw", "value"), self.rows(), "metric", "draw")


@dataclass(frozen=True, repr=False)
class Report(Joined, Sequence[Result]):
    """All results of one comparison, in the order asked for, with what was compared.

    `report["ari"]` is the value of a metric; iterating gives the results. `draws` are the values of
    random clusterings, if the user asked for chance. `is_counted` says that a table of counts was
    given instead of points. `kept` is what a page needs to show points and flows.
    """

    command = "compare"

    inputs: tuple[Side, Side]
    coverage: Coverage
    results: Annotated[tuple[Result, ...], Rule(minItems=1)]
    notes: tuple[Note, ...] = ()
    seed: Annotated[Asked[Count | None], "The seed of all draws; null without any."] = None
    draws: PythonOnly[Draws] = field(default_factory=Draws)
    is_counted: PythonOnly[bool] = False
    kept: PythonOnly[Kept | None] = field(default=None, compare=False)

    @property
    @in_json()
    def joined_by(self) -> str | None:
        """The id columns that rows were joined by, or position; null if nothing was joined."""
        return None if self.is_counted else super().joined_by

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __contains__(self, metric: object) -> bool:
        return bool(self.results_of(metric)) if isinstance(metric, str) else metric in self.results

    @overload
    def __getitem__(self, key: str) -> float | None: ...
    @overload
    def __getitem__(self, key: int) -> Result: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Result, ...]: ...

    def __getitem__(self, key: str | int | slice) -> Any:
        if not isinstance(key, str):
            return self.results[key]
        return self.result(key).value

    def result(self, metric: str) -> Result:
        """The result of a metric, by its name, an alias, or a name with options."""
        for result in self.results_of(metric):
            return result
        raise KeyError(metric)

    def to_dict(self) -> JsonObject:
        """The document that the command prints as JSON.

        Whoever asks how sure values are gets a seed, which is null if nothing was drawn.
        """
        document = super().to_dict()
        if any(one.interval or one.chance or one.versus for one in self):
            document.setdefault("seed", None)
        return document

    def results_of(self, metric: str) -> tuple[Result, ...]:
        """All results of a metric: one, or one of each side, or none."""
        found = tuple(result for result in self.results if result.metric == metric)
        if found:
            return found
        grounds = [result.options.get("ground") for result in self.results]
        wanted = canonical_spec(metric, "precomputed" in grounds)
        return tuple(result for result in self.results if result.metric == wanted)

    def to_frame(self) -> Frame:
        """One row for each result, indexed by metric; `low` and `high` are the proven ends."""
        columns = ["metric", *FACTS, "side", "low", "high"]
        rows = [[getattr(one, column) for column in columns] for one in self]
        for part in [part for part in ASKED if any(getattr(one, part) for one in self)]:
            columns += [f"{part}_{name}" for name in ASKED[part]]
            for row, one in zip(rows, self, strict=True):
                row += [getattr(getattr(one, part), name, None) for name in ASKED[part]]
        return as_frame(columns, rows, "metric")


def canonical_spec(metric: str, has_distances: bool = False) -> str:
    """The canonical spec of a metric that is given by its name, an alias, or with options."""
    # Aliases are declared in a higher layer; tests/test_layers.py allows this import.
    from clustcmp.requests import canonical

    return canonical(metric, has_distances=has_distances)


def as_frame(columns: Sequence[str], rows: Iterable[Sequence[Any]], *index: str) -> Frame:
    """Rows as a pandas data frame, indexed by some of the columns."""
    import pandas as pd

    return pd.DataFrame(list(rows), columns=list(columns)).set_index(list(index))
