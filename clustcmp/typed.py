"""The one reader of declared types: a value from outside is of its type, or the error has its key.

Types are declared by annotations: of settings, of the fields of a record, of bounds. What stands in
configurations and baselines and what is given to library functions is read by `fit`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Number
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from clustcmp.errors import InputError, UsageError, did_you_mean
from clustcmp.records import Mark, Record, Rule, extras_of, json_fields

Read = TypeVar("Read")

# The largest count that an array or a file can have.
LARGEST = 2**63 - 1

# Characters of a value in a message.
LONGEST = 200

# What a value of a type is called, and the classes of such values.
NAMES: dict[Any, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    NoneType: "null",
    Sequence: "a list",
    Mapping: "a table",
}
CLASSES: dict[Any, Any] = {int: Integral, float: Number, Sequence: Iterable}

# What counts as a number or a list in Python, but is something else here.
NOT: dict[Any, Any] = {int: bool, float: (bool, complex), Sequence: (str, bytes, Mapping)}


def fit(kind: Any, value: Any, key: str) -> Any:
    """The value as one of a type, or a UsageError that names the key and says what is allowed.

    Numbers are finite, and whole ones become those of Python; lists become tuples.
    """
    origin = get_origin(kind)
    if origin is Annotated:
        fitted = fit(kind.__origin__, value, key)
        for extra in extras_of(kind):
            if isinstance(extra, Rule):
                check_rule(extra.keywords, fitted, key)
        return fitted
    if origin is Literal:
        return choose(get_args(kind), value, key)
    if origin in (Union, UnionType):
        fitting = [one for one in get_args(kind) if is_a(one, value)]
        if not fitting:
            raise unfit(kind, value, key)
        return fit(fitting[0], value, key)
    if not is_a(kind, value):
        raise unfit(kind, value, key)
    return fit_inside(kind, value, key)


def fit_inside(kind: Any, value: Any, key: str) -> Any:
    """A value that is of a type on the outside, with all that is inside of it."""
    shape, inside = shape_of(kind), get_args(kind)
    if shape in (int, float):
        return fit_number(shape, value, key)
    if shape is Sequence:
        return fit_list(inside, tuple(value), key)
    if isinstance(kind, type) and issubclass(kind, Record):
        return fit_record(kind, value, key)
    if shape is Mapping:
        return fit_table(inside[1], value, key)
    return value


def fit_number(kind: Any, value: Any, key: str) -> Any:
    """A number that is finite also as a float; larger ones can neither be computed nor written."""
    try:
        is_finite = math.isfinite(float(value))
    except OverflowError:
        is_finite = False
    if not is_finite:
        raise UsageError(
            f"{key}={show(value)} is not a finite number", hint="write a number such as 0.95 or 10"
        )
    return int(value) if kind is int else value


def fit_list(kinds: Sequence[Any], values: tuple[Any, ...], key: str) -> tuple[Any, ...]:
    """A list of things of one type, or of as many things as there are types."""
    types = kinds if kinds[1:] and kinds[1] is not ... else [kinds[0]] * len(values)
    if len(values) != len(types):
        raise UsageError(f"{key}={show(values)} has {len(values)} entries instead of {len(types)}")
    return tuple(
        fit(kind, value, f"{key}[{number}]")
        for number, (kind, value) in enumerate(zip(types, values, strict=True))
    )


def fit_table(kind: Any, value: Mapping[Any, Any], key: str) -> dict[str, Any]:
    """A table whose entries are all of one type."""
    for name in value:
        if not isinstance(name, str):
            raise UsageError(f"{key}: the name {show(name)} is not a text")
    return {name: fit(kind, entry, join(key, name)) for name, entry in value.items()}


def fit_record(kind: type[Read], value: Mapping[str, Any], key: str = "", **more: Any) -> Read:
    """A record from its object in JSON; `more` are fields that the object does not have."""
    record: type = kind
    fields = json_fields(record)
    check_names(fields, value, key)
    needed = [name for name, (_, hint) in fields.items() if Mark.added not in extras_of(hint)]
    for name in needed:
        if name not in value:
            raise UsageError(f"{join(key, name)} is missing")
    given = {
        fields[name][0]: fit(fields[name][1], entry, join(key, name))
        for name, entry in value.items()
    }
    try:
        return kind(**given, **more)
    except InputError as error:
        raise UsageError(f"{key}: {error.message}" if key else error.message, error.hint) from None


def check_rule(rule: Mapping[str, Any], value: Any, key: str) -> None:
    """Refuse a value that does not keep the rule of its field."""
    pattern, minimum, maximum = map(rule.get, ("pattern", "minimum", "maximum"))
    most = LARGEST if maximum is None else maximum
    if minimum is not None and is_a(int, value) and not minimum <= value <= most:
        too_small = maximum is None and value < minimum
        allowed = f"{minimum} or more" if too_small else f"from {minimum} to {most}"
        raise UsageError(
            f"{key}={show(value)} is not possible", hint=f"{key} is a whole number, {allowed}"
        )
    if pattern is not None and isinstance(value, str) and not re.fullmatch(pattern, value):
        raise UsageError(f"{key}={show(value)} is not possible", hint=f"{key} is like {pattern}")
    if rule.get("additionalProperties") is False:
        check_names(rule["properties"], value, key)


def check_names(known: Iterable[str], given: Iterable[Any], key: str) -> None:
    """Refuse an entry with a name that is not known."""
    for name in given:
        if name not in known:
            hint = did_you_mean(str(name), known, f"known are {', '.join(known)}")
            raise UsageError(f"{join(key, name)} is not known", hint=hint)


def choose(choices: Sequence[Any], value: Any, key: str) -> Any:
    """One of several words."""
    if isinstance(value, str) and value in choices:
        return str(value)
    otherwise = f"{key} is one of {', '.join(choices)}"
    hint = did_you_mean(value, choices, otherwise) if isinstance(value, str) else otherwise
    raise UsageError(f"{key}={show(value)} is not possible", hint=hint)


def is_a(kind: Any, value: Any) -> bool:
    """Whether a value is of a type on the outside; what is inside of it may be anything."""
    shape = shape_of(kind)
    if shape is Any:
        return True
    is_instance = isinstance(value, CLASSES.get(shape, shape))
    return is_instance and not (shape in NOT and isinstance(value, NOT[shape]))


def shape_of(kind: Any) -> Any:
    """What a type is on the outside: a number, a text, a list, a table."""
    if get_origin(kind) is Annotated:
        return shape_of(kind.__origin__)
    shape = get_origin(kind) or kind
    if shape is Literal:
        return str
    if shape in (tuple, list):
        return Sequence
    if shape is dict or (isinstance(shape, type) and issubclass(shape, Record)):
        return Mapping
    return shape


def unfit(kind: Any, value: Any, key: str) -> UsageError:
    """The error for a value that is of another type."""
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    names = [NAMES[shape_of(one)] for one in kinds]
    if kinds == (bool,):
        return UsageError(f"{key}={show(value)} is neither true nor false")
    return UsageError(f"{key}={show(value)} is not {' or '.join(dict.fromkeys(names))}")


def join(key: str, name: Any) -> str:
    """The key of an entry of a table."""
    return f"{key}.{name}" if key else str(name)


def show(value: Any) -> str:
    """A value as messages show it, cut off if it is long."""
    try:
        # Dates and times of TOML are shown as they are written there.
        shown = value.isoformat() if hasattr(value, "isoformat") else repr(value)
    except (ValueError, RecursionError):
        # Python does not write numbers of more than 4,300 digits, nor what is nested too deeply.
        return "a number of too many digits" if isinstance(value, int) else "a nested value"
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}..."
