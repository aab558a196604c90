"""Records: dataclasses that declare an object in JSON, and the schema of this object."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from enum import Enum, auto
from functools import cache, cached_property
from inspect import cleandoc
from operator import attrgetter
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

T = TypeVar("T")
Property = TypeVar("Property", bound=Callable[[Any], Any])

JsonObject = dict[str, Any]

# The label of a cluster: a text in files and in JSON, in Python of the type that was given there.
if TYPE_CHECKING:
    Label = Any
else:
    Label = str

# Values that are the same in JSON.
PLAIN = frozenset({str, float, int, bool, type(None)})


class Rule:
    """Keywords of JSON Schema that a field or a whole record keeps besides its type."""

    def __init__(self, keywords: Mapping[str, Any] | None = None, **more: Any) -> None:
        self.keywords = {**(keywords or {}), **more}


Text = Annotated[str, Rule(minLength=1)]
Count = Annotated[int, Rule(minimum=0)]
AtLeastOne = Annotated[int, Rule(minimum=1)]
UpToOne = Annotated[float, Rule(minimum=0, maximum=1)]


class Key(NamedTuple):
    """The name that a field has in JSON, if it is not that of the attribute."""

    name: str


class Mark(Enum):
    """What is special about a field in JSON."""

    # The object in JSON does not have the field.
    python_only = auto()
    # The fields of this record stand in the object itself.
    merged = auto()
    # Documents that an earlier version wrote do not have the field.
    added = auto()
    # Only a user who asks for it gets the field: without a value it is left out.
    asked = auto()


PythonOnly = Annotated[T, Mark.python_only]
Merged = Annotated[T, Mark.merged]
Added = Annotated[T, Mark.added]
Asked = Annotated[T, Mark.asked]


class Record:
    """A dataclass whose fields declare an object in JSON, and the schema of this object.

    `Annotated` adds to a field its Key, a Mark, a description (a text) or a Rule. A property that
    is marked with `in_json` is a field in JSON, too. `rule` is the Rule of the whole.
    """

    rule: ClassVar[Rule] = Rule()

    def to_dict(self) -> JsonObject:
        """The object in JSON."""
        return json_object(self)


def in_json(*extras: Key | Mark | Rule) -> Callable[[Property], Property]:
    """Mark the function of a property: it is a field in JSON, described by its docstring."""

    def mark(function: Property) -> Property:
        description = " ".join(cleandoc(function.__doc__ or "").split("\n\n")[0].split())
        function.__dict__["in_json"] = (description, *extras)
        return function

    return mark


def json_object(record: Record) -> JsonObject:
    """A record as an object in JSON."""
    kind: type = type(record)
    keys, values_of, nested, asked = json_layout(kind)
    found = dict(zip(keys, values_of(record), strict=True))
    for key in asked:
        if found[key] is None:
            del found[key]
    for key in nested:
        if key in found:
            found[key] = as_json(found[key])
    return found


def as_json(value: Any) -> Any:
    """A value as JSON has it: records and mappings become dictionaries, sequences lists."""
    if type(value) in PLAIN:
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Record):
        return json_object(value)
    if isinstance(value, Mapping):
        return {key: as_json(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(entry) for entry in value]
    return value


@cache
def json_fields(kind: type) -> dict[str, tuple[str, Any]]:
    """The fields of a record by their names in JSON, each with its attribute and its type."""
    found: dict[str, tuple[str, Any]] = {}
    for name, hint in attributes_of(kind):
        extras = extras_of(hint)
        if Mark.merged in extras:
            inner = json_fields(get_args(hint)[0])
            found |= {key: (f"{name}.{inside}", of) for key, (inside, of) in inner.items()}
        elif Mark.python_only not in extras:
            key = next((extra for extra in extras if isinstance(extra, Key)), Key(name))
            found[key.name] = (name, hint)
    return found


def attributes_of(record: type) -> Iterator[tuple[str, Any]]:
    """The fields of a dataclass, then its properties that are marked, each with its type."""
    hints = get_type_hints(record, include_extras=True)
    for field in fields(record):
        yield field.name, hints[field.name]
    for name in dict.fromkeys(name for parent in record.__mro__[::-1] for name in vars(parent)):
        member = getattr(record, name, None)
        function = member.func if isinstance(member, cached_property) else None
        function = member.fget if isinstance(member, property) else function
        if function is not None and "in_json" in vars(function):
            kind = get_type_hints(function, include_extras=True)["return"]
            yield name, Annotated[(kind, *vars(function)["in_json"])]


def extras_of(hint: Any) -> tuple[Any, ...]:
    """What `Annotated` adds to a type."""
    return hint.__metadata__ if get_origin(hint) is Annotated else ()


@cache
def json_layout(kind: type) -> tuple[list[str], Callable[[Any], Any], list[str], list[str]]:
    """The keys of a record in JSON, and a function that gets their values.

    The third are the keys to convert, the fourth those that are left out without a value. There may
    be millions of records, and most of their values are the same in JSON.
    """
    declared = json_fields(kind)
    nested = [key for key, (_, hint) in declared.items() if not is_plain(hint)]
    asked = [key for key, (_, hint) in declared.items() if Mark.asked in extras_of(hint)]
    get = attrgetter(*(name for name, _ in declared.values()))
    # Of one attribute, attrgetter gives the value and not a tuple.
    values_of = get if len(declared) > 1 else lambda record: (get(record),)
    return list(declared), values_of, nested, asked


def is_plain(hint: Any) -> bool:
    """Whether all values of a type are the same in JSON."""
    bare = hint.__origin__ if get_origin(hint) is Annotated else hint
    kinds = get_args(bare) if get_origin(bare) in (Union, UnionType) else (bare,)
    return set(kinds) <= PLAIN
