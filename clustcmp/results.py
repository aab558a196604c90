"""Results: the value of a metric, and what all reports share."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum, StrEnum
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    TypedDict,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from clustcmp.errors import Obstacle
from clustcmp.model import Coverage, Described
from clustcmp.notes import Note
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


class Rule:
    """Keywords of JSON Schema that a field of a document keeps besides its type."""

    def __init__(self, keywords: Mapping[str, Any] | None = None, **more: Any) -> None:
        self.keywords = {**(keywords or {}), **more}


Count = Annotated[int, Rule(minimum=0)]
AtLeastOne = Annotated[int, Rule(minimum=1)]
Interval = Annotated[list[float], Rule(minItems=2, maxItems=2)]


class Key(NamedTuple):
    """The name that a field has in JSON, if it is not that of the attribute."""

    name: str


# Marks a field that an object in JSON does not have.
PYTHON_ONLY = Key("")
T = TypeVar("T")
PythonOnly = Annotated[T, PYTHON_ONLY]

# Values that are the same in JSON.
PLAIN = frozenset({str, float, int, bool, type(None)})

# A record in JSON: `Annotated[JsonObject, Result]` says which one.
JsonObject = dict[str, Any]


class Record:
    """A dataclass whose fields declare an object in JSON, and the schema of this object.

    `Annotated` adds to a field its Key, a description (a text) or keywords of JSON Schema (a Rule).
    """

    def to_dict(self) -> JsonObject:
        """The object in JSON."""
        kind: type = type(self)
        keys, values_of, nested = json_layout(kind)
        found = dict(zip(keys, values_of(self), strict=True))
        for key in nested:
            found[key] = as_json(found[key])
        return found


@cache
def json_fields(kind: type) -> dict[str, tuple[str, Any]]:
    """The fields of a record by their names in JSON, each with its attribute and its type."""
    hints = get_type_hints(kind, include_extras=True)
    found = {}
    for name in (one.name for one in fields(kind)):
        extras = getattr(hints[name], "__metadata__", ())
        key = next((extra for extra in extras if isinstance(extra, Key)), Key(name))
        if key is not PYTHON_ONLY:
            found[key.name] = (name, hints[name])
    return found


@cache
def json_layout(kind: type) -> tuple[list[str], Callable[[Any], Any], list[str]]:
    """The keys of a record in JSON, a function that gets their values, and the keys to convert.

    There may be millions of records, and most of their values are the same in JSON.
    """
    declared = json_fields(kind)
    nested = [key for key, (_, hint) in declared.items() if not is_plain(hint)]
    return list(declared), attrgetter(*(name for name, _ in declared.values())), nested


def is_plain(hint: Any) -> bool:
    """Whether all values of a type are the same in JSON."""
    bare = hint.__origin__ if get_origin(hint) is Annotated else hint
    kinds = get_args(bare) if get_origin(bare) in (Union, UnionType) else (bare,)
    return set(kinds) <= PLAIN


def as_json(value: Any) -> Any:
    """A value as JSON has it: records and mappings become dictionaries, sequences lists."""
    if type(value) in PLAIN:
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {key: as_json(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(entry) for entry in value]
    return value


class SideDict(TypedDict):
    """One of two clusterings as it was compared, in JSON."""

    side: Annotated[str, Rule(enum=["a", "b"])]
    file: str | None
    kind: Annotated[str, Rule(enum=["hard", "soft"])]
    points: AtLeastOne
    clusters: AtLeastOne
    noise: Count


class CoverageDict(TypedDict):
    """Points in both clusterings and in one only, after drops and before an intersection."""

    shared: Count
    only_a: Count
    only_b: Count


VALUE_OR_REASON = Rule(
    {
        "if": {"properties": {"status": {"const": "ok"}}},
        "then": {"properties": {"value": {"type": "number"}, "reason": {"type": "null"}}},
        "else": {
            "properties": {"value": {"type": "null"}, "reason": {"type": "string", "minLength": 1}}
        },
    }
)


@dataclass(frozen=True)
class Result(Record):
    """The value of one metric, or the reason why it has none.

    `convention` says which variant and unit the value has. `obstacle` says what the input
    lacks, if that is why the metric does not apply.
    """

    metric: Annotated[str, "The canonical spec: the name and the options that are not defaults."]
    name: str
    family: PythonOnly[str]
    options: Mapping[str, str | float | bool]
    value: float | None
    status: Status
    reason: str | None
    worst: Annotated[float | None, "null where unknown or infinite."]
    best: Annotated[float | None, "null where unknown or infinite."]
    side: Annotated[str | None, Rule(enum=["a", "b", None])] = None
    details: Mapping[str, Any] = field(default_factory=dict)
    bounds: Annotated[tuple[float, float] | None, "The proven ends of an approximate value."] = None
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
        if self.bounds is not None and not all(map(math.isfinite, self.bounds)):
            raise ValueError(f"{self.metric}: the bounds {self.bounds} are not finite")
        if self.bounds is not None and not self.bounds[0] <= self.value <= self.bounds[1]:
            raise ValueError(f"{self.metric}: {self.value} is outside of its bounds {self.bounds}")

    @property
    def low(self) -> float | None:
        """The lower end of an approximate value."""
        return self.bounds[0] if self.bounds else None

    @property
    def high(self) -> float | None:
        """The upper end of an approximate value."""
        return self.bounds[1] if self.bounds else None


OneResult = Annotated[JsonObject, Result, VALUE_OR_REASON]


class CompareDict(TypedDict):
    """What `clustcmp compare -f json` prints."""

    schema: Literal["clustcmp/compare/1"]
    version: Annotated[str, "The version of clustcmp."]
    inputs: Annotated[list[SideDict], Rule(minItems=2, maxItems=2)]
    coverage: CoverageDict
    results: Annotated[list[OneResult], Rule(minItems=1)]
    notes: list[str]


# What a table of results says about each of them.
FACTS = ("value", "status", "reason", "worst", "best")


def interval_columns(results: Iterable[Result]) -> tuple[str, ...]:
    """The columns that a table of results has if a value is approximate: the ends of its interval.

    They are the last columns, so that tables of exact values are the same with and without them.
    """
    return ("low", "high") if any(result.bounds for result in results) else ()


class Reported(ABC):
    """What every report can do: the same as the command, for Python and notebooks.

    `command` is the command that shows the report. `inputs` describe what was compared, `notes` are
    what a user should know about it.
    """

    command: ClassVar[str]

    if TYPE_CHECKING:
        # Fields of most reports, which an abstract property would hide at run time.
        @property
        def inputs(self) -> tuple[Described, ...]: ...

        @property
        def notes(self) -> tuple[str, ...]: ...

    @abstractmethod
    def to_dict(self) -> Mapping[str, Any]:
        """The document that the command prints as JSON."""

    @abstractmethod
    def to_frame(self) -> Frame:
        """The values as a pandas data frame."""

    def to_text(self, format: str = "table", **view: Any) -> str:
        """What the command prints: as table, markdown, csv or json."""
        # The only import from a higher layer; tests/test_layers.py allows it.
        from clustcmp.render import show

        return show(self, format, **view)

    def __repr__(self) -> str:
        notes = [f"note: {note}" for note in self.notes]
        return "\n".join([self.to_text().rstrip("\n"), *notes])

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(repr(self))}</pre>"


@dataclass(frozen=True, repr=False)
class Report(Reported, Sequence[Result]):
    """All results of one comparison, in the order asked for, with what was compared.

    `report["ari"]` is the value of a metric; iterating gives the results.
    """

    command = "compare"

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

    def results_of(self, metric: str) -> tuple[Result, ...]:
        """All results of a metric: one, or one of each side, or none."""
        found = tuple(result for result in self.results if result.metric == metric)
        if found:
            return found
        wanted = self._canonical(metric)
        return tuple(result for result in self.results if result.metric == wanted)

    def to_dict(self) -> CompareDict:
        """The document that `clustcmp compare -f json` prints."""
        return {
            "schema": "clustcmp/compare/1",
            "version": VERSION,
            "inputs": [side_dict(side) for side in self.inputs],
            "coverage": coverage_dict(self.coverage),
            "results": [result.to_dict() for result in self.results],
            "notes": list(self.notes),
        }

    def to_frame(self) -> Frame:
        """One row for each result, indexed by metric; `low` and `high` are its interval."""
        columns = ("metric", *FACTS, "side", "low", "high")
        rows = ([getattr(result, column) for column in columns] for result in self.results)
        return as_frame(columns, rows, "metric")


def as_frame(columns: Sequence[str], rows: Iterable[Sequence[Any]], *index: str) -> Frame:
    """Rows as a pandas data frame, indexed by some of the columns."""
    import pandas as pd

    return pd.DataFrame(list(rows), columns=list(columns)).set_index(list(index))


def side_dict(side: Described) -> SideDict:
    """One of two clusterings in JSON."""
    return {
        "side": side.name,
        "file": side.file,
        "kind": side.kind,
        "points": side.points,
        "clusters": side.clusters,
        "noise": side.noise,
    }


def coverage_dict(coverage: Coverage) -> CoverageDict:
    """How many points are in both clusterings and in one only, in JSON."""
    return {"shared": coverage.shared, "only_a": coverage.only_a, "only_b": coverage.only_b}
