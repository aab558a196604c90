"""What a metric is, how it is declared, and how it is found by the words of a user."""

from __future__ import annotations

import inspect
import math
import re
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from clustcmp.errors import UsageError, did_you_mean
from clustcmp.model import Comparison

Ends = tuple[float | None, float | None]
OptionValue = str | float | int | bool
Compute = Callable[..., float]
Options = Mapping[str, OptionValue]
Details = Callable[[Comparison, Options], Mapping[str, Any]]
Remarks = Callable[[Comparison, Options], Iterable[str]]

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
YES_OR_NO = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True)
class AtLeast:
    """The smallest value of a numeric option."""

    minimum: float
    sign: typing.ClassVar[str] = ">="

    def allows(self, value: float) -> bool:
        return value >= self.minimum


@dataclass(frozen=True)
class Above(AtLeast):
    """What a numeric option must exceed."""

    sign: typing.ClassVar[str] = ">"

    def allows(self, value: float) -> bool:
        return value > self.minimum


@dataclass(frozen=True)
class Option:
    """One keyword of a metric: its type, its default, what it may be."""

    name: str
    type: type
    default: OptionValue
    choices: tuple[str, ...] = ()
    limit: AtLeast | None = None
    help: str = ""

    @classmethod
    def of(cls, parameter: inspect.Parameter, annotation: Any) -> Option:
        """The option that a keyword-only parameter, annotated with its help, stands for."""
        kind, extras = annotation, list[Any]()
        if typing.get_origin(annotation) is typing.Annotated:
            kind, *extras = typing.get_args(annotation)
        choices = typing.get_args(kind) if typing.get_origin(kind) is typing.Literal else ()
        limits = [extra for extra in extras if isinstance(extra, AtLeast)]
        helps = [extra for extra in extras if isinstance(extra, str)]
        return cls(
            parameter.name,
            str if choices else kind,
            parameter.default,
            choices,
            limits[0] if limits else None,
            " ".join(helps),
        )

    @property
    def allowed(self) -> str:
        """What the option may be, in words."""
        if self.choices:
            return ", ".join(self.choices)
        if self.type is bool:
            return "true, false"
        if self.type is str:
            return "text without commas"
        number = "a whole number" if self.type is int else "a number"
        return (
            f"{number} {self.limit.sign} {show_option(self.limit.minimum)}"
            if self.limit
            else number
        )

    @property
    def example(self) -> str:
        """A value other than the default."""
        others = [choice for choice in self.choices if choice != self.default]
        return others[0] if others else "true" if self.type is bool else "2"

    def parse(self, text: str | None, metric: str) -> OptionValue:
        """The value that a user's text stands for; no text at all means true."""
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


@dataclass(frozen=True, eq=False)
class Metric:
    """A declared metric: the function that computes it and all that is known about it.

    The function takes a Comparison if the metric is of two clusterings (arity 2), and a Clustering
    if it is of one. `ends` tell worst and best where they depend on the options or on hard or soft,
    `details` what a result says besides its value, `remarks` what to know about this very input.
    """

    name: str
    aliases: tuple[str, ...]
    family: Family
    compute: Compute
    worst: float | None
    best: float | None
    citation: str
    formula: str
    convention: str | Callable[[Options], str] = ""
    ends: Callable[[Options, bool], Ends] | None = None
    details: Details | None = None
    remarks: Remarks | None = None
    symmetric: bool = True
    arity: int = 2
    accepts_soft: bool = False
    soft_identity: bool = False
    accepts_different_points: bool = False
    needs_coordinates: bool = False
    featured: bool = False

    @property
    def summary(self) -> str:
        """What the value is, in one sentence."""
        return inspect.getdoc(self.compute).split("\n\n")[0].replace("\n", " ")  # type: ignore[union-attr]

    @property
    def notes(self) -> tuple[str, ...]:
        """What else there is to know, a paragraph each."""
        paragraphs = inspect.getdoc(self.compute).split("\n\n")[1:]  # type: ignore[union-attr]
        return tuple(paragraph.replace("\n", " ") for paragraph in paragraphs)

    @cached_property
    def options(self) -> Mapping[str, Option]:
        """The keyword-only parameters of the function."""
        hints = typing.get_type_hints(self.compute, include_extras=True)
        parameters = inspect.signature(self.compute).parameters.values()
        keywords = [
            parameter for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY
        ]
        return {keyword.name: Option.of(keyword, hints[keyword.name]) for keyword in keywords}

    def describe(self, options: Options) -> str:
        """The convention behind a value: which variant, which unit."""
        return self.convention if isinstance(self.convention, str) else self.convention(options)

    @property
    def higher_is_better(self) -> bool | None:
        """The direction: True for a similarity, False for a distance, None for neither."""
        if self.worst is None or self.best is None:
            return None
        return self.best > self.worst

    @property
    def needs(self) -> tuple[str, ...]:
        """What the input must be for this metric, in words."""
        needs = []
        if not self.accepts_soft:
            needs.append("hard clusterings")
        if not self.accepts_different_points:
            needs.append("the same points in a and b")
        if self.needs_coordinates:
            needs.append("coordinates")
        return tuple(needs)


@dataclass(frozen=True)
class Request:
    """A metric with its options, as somebody asked for it.

    It is named if asked for by its own name; `given` are the options that were written down.
    """

    metric: Metric
    options: Options
    named: bool = False
    given: frozenset[str] = frozenset()

    @property
    def spec(self) -> str:
        """The canonical way to write it: the name and the options that are not the defaults."""
        defaults = self.metric.options
        changed = [
            f"{name}={show_option(value)}"
            for name, value in sorted(self.options.items())
            if value != defaults[name].default
        ]
        return self.metric.name + (":" + ",".join(changed) if changed else "")


@dataclass(frozen=True, eq=False)
class Family:
    """Metrics that look at the same thing, declared in one module."""

    name: str
    title: str
    details: Details | None = None
    metrics: dict[str, Metric] = field(default_factory=dict)

    def metric(self, name: str, *aliases: str, **facts: Any) -> Callable[[Compute], Compute]:
        """Declare the decorated function as a metric of this family."""

        def declare(compute: Compute) -> Compute:
            if compute.__name__ != name:
                raise ValueError(f"metric {name} is computed by a function {compute.__name__}")
            declared = {"details": self.details, **facts}
            self.metrics[name] = Metric(name, aliases, self, compute, **declared)
            return compute

        return declare


class Registry(Mapping[str, Metric]):
    """All metrics by name, in the order of their families."""

    def __init__(self, families: Iterable[Family]) -> None:
        self.families = {family.name: family for family in families}
        self._metrics = {
            metric.name: metric
            for family in self.families.values()
            for metric in family.metrics.values()
        }
        self._words = {
            word: metric for metric in self.values() for word in (metric.name, *metric.aliases)
        }

    def __getitem__(self, name: str) -> Metric:
        return self._metrics[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._metrics)

    def __len__(self) -> int:
        return len(self._metrics)

    @property
    def words(self) -> tuple[str, ...]:
        """Every word that names a metric or several: names, aliases, families, all."""
        return (*self._words, *self.families, "all")

    def explain(self, word: str) -> str:
        """What a word stands for, in one line."""
        if word == "all":
            return "all metrics"
        family = self.families.get(word)
        return f"all metrics of the family {family.title}" if family else self.find(word).summary

    def find(self, word: str) -> Metric:
        """The metric that a name or an alias stands for; `-` may stand for `_`."""
        if metric := self._words.get(normal(word)):
            return metric
        raise unknown_metric(word, self.words)

    def featured(self) -> tuple[Request, ...]:
        """What is computed when nothing is asked for."""
        return tuple(ask(metric) for metric in self.values() if metric.featured)

    def requests(self, specs: Iterable[str]) -> tuple[Request, ...]:
        """The metrics that the specs ask for, each once, in the order asked."""
        found: dict[str, Request] = {}
        for spec in specs:
            for request in self._requests(spec):
                earlier = found.setdefault(request.spec, request)
                if request.named and not earlier.named:
                    found[request.spec] = request
        return tuple(found.values())

    def _requests(self, spec: str) -> tuple[Request, ...]:
        word, colon, options = spec.partition(":")
        group = self._group(normal(word))
        if group is None:
            metric = self.find(word)
            given = parse_options(metric, options if colon else "")
            known = {**ask(metric).options, **given}
            return (Request(metric, known, named=True, given=frozenset(given)),)
        if colon:
            raise UsageError(
                f"options belong to one metric, and {word!r} names several: {spec!r}",
                hint=f"for example -m {group[0].name}:{options}" if group else "",
            )
        return tuple(ask(metric) for metric in group)

    def _group(self, word: str) -> tuple[Metric, ...] | None:
        if word == "all":
            return tuple(self.values())
        family = self.families.get(word)
        return tuple(family.metrics.values()) if family else None


def ask(metric: Metric) -> Request:
    """A metric with the defaults of all its options."""
    return Request(metric, {option.name: option.default for option in metric.options.values()})


def normal(word: str) -> str:
    """A word as metrics are named: lower case, with underscores."""
    return word.strip().lower().replace("-", "_")


def parse_options(metric: Metric, text: str) -> Options:
    """The options of a metric that are written down in `name=value,name=value`."""
    given: dict[str, OptionValue] = {}
    for part in text.split(",") if text else []:
        name, equals, value = part.partition("=")
        name = normal(name)
        if name not in metric.options:
            known = ", ".join(metric.options)
            raise UsageError(
                f"metric {metric.name} has no option {name!r}",
                hint=did_you_mean(name, metric.options)
                or (f"its options are {known}" if known else "it has no options"),
            )
        if name in given:
            raise UsageError(
                f"metric {metric.name}: option {name} is given twice", hint="choose one"
            )
        given[name] = metric.options[name].parse(value if equals else None, metric.name)
    return given


def unknown_metric(word: str, known: Iterable[str]) -> UsageError:
    """The error for a word that names no metric."""
    if "," in word:
        first, second = word.split(",")[:2]
        return UsageError(
            f"no metric is called {word!r}", hint=f"repeat the option: -m {first} -m {second}"
        )
    hint = did_you_mean(normal(word), known, "'clustcmp metrics' lists them all")
    return UsageError(f"no metric is called {word!r}", hint=hint)
