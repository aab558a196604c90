"""Options of metrics: which values are allowed, how values are read and shown."""

from __future__ import annotations

import inspect
import math
import re
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clustcmp.errors import UsageError, did_you_mean
from clustcmp.records import PythonOnly, Record, Text, in_json

OptionValue = str | float | bool
Options = Mapping[str, OptionValue]

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
YES_OR_NO = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True)
class AtLeast:
    """The smallest value of a numeric option."""

    minimum: float
    sign: typing.ClassVar[str] = ">="

    def __str__(self) -> str:
        return f"{self.sign} {show_option(self.minimum)}"

    def allows(self, value: float) -> bool:
        """Whether the value is large enough."""
        return value >= self.minimum


@dataclass(frozen=True)
class Above(AtLeast):
    """The number that a numeric option must exceed."""

    sign: typing.ClassVar[str] = ">"

    def allows(self, value: float) -> bool:
        """Whether the value is large enough."""
        return value > self.minimum


@dataclass(frozen=True)
class ShareOfOne(AtLeast):
    """A numeric option from 0 to 1, or strictly between them."""

    minimum: float = 0.0
    is_inside: bool = False

    def __str__(self) -> str:
        return "above 0 and below 1" if self.is_inside else "from 0 to 1"

    def allows(self, value: float) -> bool:
        """Whether the value is in the range."""
        return 0.0 < value < 1.0 if self.is_inside else 0.0 <= value <= 1.0


@dataclass(frozen=True)
class ForSoft:
    """Marks an option that changes nothing unless a clustering is soft.

    `formerly` is the value that the metric had with soft clusterings before the option existed;
    None if it did not take them.
    """

    formerly: str | None = None


@dataclass(frozen=True)
class Option(Record):
    """One option of a metric: its type, its default, which values are allowed."""

    name: str
    type: PythonOnly[type]
    default: OptionValue
    choices: tuple[str, ...] = ()
    limit: PythonOnly[AtLeast | None] = None
    help: Text = ""
    for_soft: PythonOnly[ForSoft | None] = None

    @classmethod
    def of(cls, parameter: inspect.Parameter, annotation: Any) -> Option:
        """The option that a keyword-only parameter, annotated with its help, stands for."""
        kind, extras = annotation, list[Any]()
        if typing.get_origin(annotation) is typing.Annotated:
            kind, *extras = typing.get_args(annotation)
        choices = typing.get_args(kind) if typing.get_origin(kind) is typing.Literal else ()
        limits = [extra for extra in extras if isinstance(extra, AtLeast)]
        helps = [extra for extra in extras if isinstance(extra, str)]
        for_soft = [extra for extra in extras if isinstance(extra, ForSoft)]
        return cls(
            parameter.name,
            str if choices else kind,
            parameter.default,
            choices,
            limits[0] if limits else None,
            " ".join(helps),
            for_soft[0] if for_soft else None,
        )

    @property
    @in_json()
    def allowed(self) -> Text:
        """The values that are allowed, in words."""
        if self.choices:
            return ", ".join(self.choices)
        if self.type is bool:
            return "true, false"
        if self.type is str:
            return "text without commas"
        number = "a whole number" if self.type is int else "a number"
        return f"{number} {self.limit}" if self.limit else number

    @property
    def example(self) -> str:
        """A value other than the default."""
        others = [choice for choice in self.choices if choice != self.default]
        if self.type is bool:
            return show_option(not self.default)
        number = "0.25" if isinstance(self.limit, ShareOfOne) else "2"
        return others[0] if others else number

    def parse(self, text: str | None, metric: str) -> OptionValue:
        """The value that a user's text stands for; an option without any text is true."""
        value = self._read(text)
        if value is None or (self.limit and not self.limit.allows(float(value))):
            shown = "without a value" if text is None else f"= {text!r}"
            guess = did_you_mean(text or "", self.choices)
            raise UsageError(
                f"metric {metric}: option {self.name} {shown} is not allowed",
                hint=" ".join(filter(None, [guess, f"{self.name} is {self.allowed}"])),
            )
        return value

    def _read(self, text: str | None) -> OptionValue | None:
        """The value of the option's type that a text stands for, or None if there is none."""
        if self.type is bool:
            return True if text is None else YES_OR_NO.get(text.lower())
        if text is None:
            return None
        if self.choices:
            return text if text in self.choices else None
        if self.type is str:
            return text
        if self.type is int:
            return int(text) if re.fullmatch(r"[+-]?\d{1,18}", text, re.ASCII) else None
        if text == "e":
            return math.e
        number = float(text) if NUMBER.fullmatch(text) else math.inf
        return number if math.isfinite(number) else None


def show_option(value: OptionValue) -> str:
    """The value of an option as a user would write it."""
    if isinstance(value, bool):
        return str(value).lower()
    if value == math.e:
        return "e"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
