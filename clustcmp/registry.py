"""What a metric is, how it is declared, and how it is found by the words of a user."""

from __future__ import annotations

import inspect
import math
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

from clustcmp.errors import UsageError, did_you_mean
from clustcmp.known import Known, normal, run_together
from clustcmp.model import Clustering, Comparison, Contingency
from clustcmp.options import Option, Options, OptionValue, show_option
from clustcmp.results import Estimate
from clustcmp.wording import say

Ends = tuple[float | None, float | None]
Compute = Callable[..., float | Estimate]
Function = TypeVar("Function", bound=Compute)

# What a metric can look at: a table of shared masses, two clusterings of points, or one of them.
SUBJECTS = (Contingency, Comparison, Clustering)

# Which weights of points a metric takes. With counts, which are whole numbers, the value is that of
# points repeated so often. Of masses only shares matter: pairs are drawn with replacement.
Weights = Literal["none", "counts", "masses"]

# Both take the subject of the metric, which is one of SUBJECTS, and the options.
Details = Callable[[Any, Options], Mapping[str, Any]]
Remarks = Callable[[Any, Options], Iterable[str]]


@dataclass(frozen=True, eq=False)
class Metric:
    """A declared metric: the function that computes it and all that is known about it.

    `brief` says what the value is in at most 37 characters, for lists in a terminal; the docstring
    of the function says it in full. The annotation of the function's first parameter is the
    `subject`, what the metric looks at.
    `accepts` are the kinds of clusterings that the metric takes. `ends` gives worst and best where
    they depend on the options or on hard or soft, `details` what a result says besides its value,
    `remarks` what a reader of the result should know about the input. `symmetric` is about the
    defaults of the options; `symmetric_with` decides for others, where they change it. `weights`
    says which weights of points the metric takes, which may depend on the options.
    """

    name: str
    aliases: tuple[str, ...]
    family: Family
    compute: Compute
    worst: float | None
    best: float | None
    citation: str
    formula: str
    brief: str
    convention: str | Callable[[Options], str] = ""
    ends: Callable[[Options, bool], Ends] | None = None
    details: Details | None = None
    remarks: Remarks | None = None
    symmetric: bool = True
    symmetric_with: Callable[[Options], bool] | None = None
    accepts: tuple[str, ...] = ("hard",)
    soft_identity: bool = False
    accepts_different_points: bool = False
    needs_coordinates: bool = False
    featured: bool = False
    weights: Weights | Callable[[Options], Weights] | None = None

    def __post_init__(self) -> None:
        if self.subject not in SUBJECTS:
            raise TypeError(
                f"metric {self.name}: the first parameter of its function is annotated with "
                f"{first_annotation(self.compute)!r}; allowed are Contingency, Comparison and "
                "Clustering, which say what the metric looks at"
            )

    @cached_property
    def subject(self) -> type:
        """What the metric looks at: a Contingency, a Comparison, or one Clustering."""
        annotation = first_annotation(self.compute)
        subject: type = getattr(self.compute, "__globals__", {}).get(annotation, annotation)
        return subject

    @property
    def arity(self) -> int:
        """How many clusterings a value describes: 1 or 2."""
        return 1 if self.subject is Clustering else 2

    @property
    def fits_different_points(self) -> bool:
        """Whether a and b may have different points."""
        return self.accepts_different_points or self.subject is Clustering

    @property
    def accepts_soft(self) -> bool:
        """Whether soft clusterings are accepted."""
        return "soft" in self.accepts

    @property
    def summary(self) -> str:
        """What the value is, in one sentence."""
        return self._paragraphs[0]

    @property
    def notes(self) -> tuple[str, ...]:
        """The other paragraphs of the docstring: degenerate cases, variants, properties."""
        return self._paragraphs[1:]

    @property
    def _paragraphs(self) -> tuple[str, ...]:
        """The paragraphs of the function's docstring, each in one line."""
        paragraphs = (inspect.getdoc(self.compute) or "").split("\n\n")
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

    def describe(self, options: Options, hard: bool = True) -> str:
        """The convention behind a value: which variant, which unit, and how soft ones count."""
        named = self.convention if isinstance(self.convention, str) else self.convention(options)
        if hard or "soft" not in options:
            return named
        return ", ".join(filter(None, [named, f"soft={options['soft']}"]))

    def takes_weights(self, options: Options) -> Weights:
        """Which weights are possible; by default a table takes counts, and points take none."""
        if self.weights is None:
            return "counts" if self.subject is Contingency else "none"
        return self.weights if isinstance(self.weights, str) else self.weights(options)

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
        if not self.fits_different_points:
            needs.append("the same points in a and b")
        if self.needs_coordinates:
            needs.append("coordinates")
        return tuple(needs)


def first_annotation(function: Compute) -> Any:
    """The annotation of the first parameter as it is written down, or None if it has none.

    `typing.get_type_hints` resolves all annotations; for all metrics that takes 8 ms at each start.
    """
    first = next(iter(inspect.signature(function).parameters), "")
    return inspect.get_annotations(function).get(first)


@dataclass(frozen=True)
class Request:
    """A metric with its options, as the user asked for it.

    A request is `named` if the user wrote the name of the metric and not that of a family; `given`
    are the options that the user wrote. An `optional` request is left out where the metric does not
    fit the input.
    """

    metric: Metric
    options: Options
    named: bool = False
    given: frozenset[str] = frozenset()
    optional: bool = False

    @cached_property
    def spec(self) -> str:
        """The canonical way to write it down: the name and the options that are not defaults."""
        defaults = self.metric.options
        changed = [
            f"{name}={show_option(value)}"
            for name, value in sorted(self.options.items())
            if value != defaults[name].default
        ]
        return self.metric.name + (":" + ",".join(changed) if changed else "")

    @property
    def soft_identity(self) -> bool:
        """Whether a soft clustering compared with itself scores best, with these options."""
        option = self.metric.options.get("soft")
        former = option.for_soft.formerly if option and option.for_soft else None
        return self.metric.soft_identity and self.options.get("soft", "") != former

    @property
    def symmetric(self) -> bool:
        """Whether a and b exchanged give the same value, with these options."""
        decide = self.metric.symmetric_with
        return self.metric.symmetric if decide is None else decide(self.options)


@dataclass(frozen=True, eq=False)
class Family:
    """A group of related metrics, declared in one module."""

    name: str
    title: str
    details: Details | None = None
    metrics: dict[str, Metric] = field(default_factory=dict)

    def metric(self, name: str, *aliases: str, **facts: Any) -> Callable[[Function], Function]:
        """Declare the decorated function as a metric of this family."""

        def declare(compute: Function) -> Function:
            if compute.__name__ != name:
                raise ValueError(
                    f"metric {name} is declared for the function {compute.__name__}; both must "
                    "have the same name"
                )
            declared = {"details": self.details, **facts}
            self.metrics[name] = Metric(name, aliases, self, compute, **declared)
            return compute

        return declare


class Registry(Mapping[str, Metric]):
    """All metrics by name, in the order of their families; `known` are words from elsewhere."""

    def __init__(self, families: Iterable[Family], known: Iterable[Known] = ()) -> None:
        self.families = {family.name: family for family in families}
        self._metrics = {
            metric.name: metric
            for family in self.families.values()
            for metric in family.metrics.values()
        }
        self._words = {
            word: metric for metric in self.values() for word in (metric.name, *metric.aliases)
        }
        self._run_together = {run_together(word): metric for word, metric in self._words.items()}
        self.known = tuple(known)
        self._known = {run_together(word): entry for entry in self.known for word in entry.words}

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
        """The meaning of a word, in one line."""
        if word == "all":
            return "all metrics"
        if family := self.families.get(word):
            return f"all metrics of the family {family.title}"
        metric = self.find(word)
        return metric.brief or metric.summary

    def knows(self, word: str) -> bool:
        """Whether a word is the name or an alias of a metric."""
        return normal(word) in self._words

    def find(self, word: str) -> Metric:
        """The metric that a name, an alias or the name in another program stands for.

        Case, `-`, `_` and `.` make no difference. A known word comes before a name of ours without
        its underscores: CluSim's fmeasure is not f_measure.
        """
        if metric := self._words.get(normal(word)):
            return metric
        letters = run_together(word)
        if known := self._known.get(letters):
            if known.is_same:
                return self[known.metrics[0]]
            raise known.explain(word)
        if metric := self._run_together.get(letters):
            return metric
        raise unknown_metric(word, self.words)

    def formulas_of(self, metric: Metric) -> tuple[str, ...]:
        """The formulas that follow from a metric, each with the first of its names."""
        entries = [entry for entry in self.known if entry.formula]
        return tuple(
            f"{entry.words[0]} = {entry.formula}"
            for entry in entries
            if entry.metrics[0].partition(":")[0] == metric.name
        )

    def featured(self) -> tuple[Request, ...]:
        """The requests for the featured metrics, which are computed if the user names none."""
        featured = (ask(metric) for metric in self.values() if metric.featured)
        return tuple(replace(request, optional=True) for request in featured)

    def requests(self, specs: Iterable[str]) -> tuple[Request, ...]:
        """The metrics that the specs ask for, each once, in the order asked."""
        return unique(request for spec in specs for request in self._requests(spec))

    def _requests(self, spec: str) -> tuple[Request, ...]:
        """The requests of one spec: one metric with its options, or all metrics of a family."""
        word, colon, options = spec.partition(":")
        group = self._group(normal(word))
        if group is None:
            metric = self.find(word)
            given = parse_options(metric, options if colon else "")
            known = {**ask(metric).options, **given}
            return (Request(metric, known, named=True, given=frozenset(given)),)
        if colon:
            raise UsageError(
                f"options belong to one metric, but {word!r} names several: {spec!r}",
                hint=f"for example {say('metrics', f'{group[0].name}:{options}')}" if group else "",
            )
        return tuple(ask(metric) for metric in group)

    def _group(self, word: str) -> tuple[Metric, ...] | None:
        """The metrics that the name of a family or `all` stands for; None for other words."""
        if word == "all":
            return tuple(self.values())
        family = self.families.get(word)
        return tuple(family.metrics.values()) if family else None


def ask(metric: Metric) -> Request:
    """A metric with the defaults of all its options."""
    return Request(metric, {option.name: option.default for option in metric.options.values()})


def ends_if_normalized(options: Options, hard: bool) -> Ends:
    """A normalized value is at most 1."""
    return (1.0 if options["normalize"] else math.inf), 0.0


def unique(requests: Iterable[Request]) -> tuple[Request, ...]:
    """Each request once; of equal requests the named one is kept."""
    found: dict[str, Request] = {}
    for request in requests:
        if request.named or request.spec not in found:
            found[request.spec] = request
    return tuple(found.values())


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
    """The error for a word that is not the name of a metric or a family."""
    if "," in word:
        first, second = word.split(",")[:2]
        return UsageError(
            f"no metric is called {word!r}",
            hint=f"name each metric by itself: {say('metrics', [first, second])}",
        )
    hint = did_you_mean(normal(word), known, "'clustcmp metrics' lists them all")
    return UsageError(f"no metric is called {word!r}", hint=hint)
