"""What a user asks about the results of a comparison, answered: interval, chance, versus."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from clustcmp.arrays import Integers
from clustcmp.errors import UsageError
from clustcmp.evaluate import answer_side, find_ends
from clustcmp.model import Comparison, Contingency
from clustcmp.notes import Note
from clustcmp.registry import Request
from clustcmp.results import Draws, Report, Result, Status
from clustcmp.significance.chance import compare_with_chance
from clustcmp.significance.intervals import blended_value, find_interval
from clustcmp.significance.leaving import (
    Ask,
    LeftOut,
    leave_out,
    leave_out_counts,
    make_groups,
    why_no_draws,
)
from clustcmp.significance.versus import check_rival, compare_candidates
from clustcmp.sureness import Chance, Interval
from clustcmp.wording import name_of, say

# The level of intervals if the user names none.
USUAL_LEVEL = 0.95

# With fewer clusters as units an interval says little.
FEWEST_CLUSTERS = 10

# A seed that nobody chose has at most so many values, so that people can type it.
SEEDS = 1 << 32

INDEPENDENCE = Note(
    "p speaks against independence, not for likeness: at a million points an ari of 0.000005 has "
    "p < 0.001"
)


NO_VALUE = Chance(0, reason="there is no value")


class Question(NamedTuple):
    """What a user asks about results: the settings confidence, unit, permutations and seed."""

    confidence: float | None = None
    unit: str = "point"
    permutations: int | None = None
    seed: int | None = None

    @property
    def level(self) -> float:
        """The level of intervals."""
        return USUAL_LEVEL if self.confidence is None else self.confidence


class Dice:
    """Random numbers from one seed, which is chosen when it is needed and not given."""

    def __init__(self, seed: int | None) -> None:
        """The seed that was given, or None."""
        self.seed = seed

    def throw(self, which: int) -> np.random.SeedSequence:
        """The seed of one kind of draws."""
        if self.seed is None:
            self.seed = int(np.random.default_rng().integers(SEEDS))
        return np.random.SeedSequence(self.seed, spawn_key=(which,))


def ask_about(settings: Mapping[str, Any], requests: Iterable[Request]) -> Question | None:
    """What the settings ask about results, checked; None if they ask nothing."""
    question = Question(
        settings.get("confidence"),
        settings.get("unit") or "point",
        settings.get("permutations"),
        settings.get("seed"),
    )
    level = question.confidence
    if level is not None and not 0.0 < level < 1.0:
        raise UsageError(
            f"{say('confidence', level)} is not possible",
            hint=f"a level is between 0 and 1: {say('confidence', 0.95)}",
        )
    if question.permutations is not None:
        check_directions(requests)
    has_interval = level is not None or settings.get("versus") is not None
    if settings.get("unit") is not None and not has_interval:
        raise no_effect("unit", ["confidence", "versus"], settings)
    if has_interval or question.permutations is not None:
        return question
    if question.seed is not None:
        raise no_effect("seed", ["confidence", "versus", "permutations"], settings)
    return None


def no_effect(key: str, needs: Sequence[str], settings: Mapping[str, Any]) -> UsageError:
    """The error for a setting that does nothing without one of others, where a call has these."""
    # A gate knows only the settings that were given, but always takes a level.
    names = ", ".join(name_of(one) for one in needs if one == "confidence" or one in settings)
    return UsageError(
        f"{name_of(key)} has no effect without {' or '.join(names.rsplit(', ', 1))}",
        hint=f"add {say('confidence', USUAL_LEVEL)}",
    )


def check_directions(requests: Iterable[Request]) -> None:
    """Refuse to compare a metric with chance that was named and has no direction."""
    for request in requests:
        if request.named and request.metric.higher_is_better is None:
            raise UsageError(
                f"{request.metric.name}: neither high nor low values are better, so that chance "
                "cannot be as good",
                hint=f"leave it out, or leave out {name_of('permutations')}",
            )


def assess(
    report: Report,
    comparison: Comparison,
    requests: Iterable[Request],
    question: Question,
    rival: Comparison | None = None,
) -> Report:
    """The report with what the user asks about its results."""
    by_spec = {request.spec: request for request in requests}
    dice = Dice(question.seed)
    results = {Ask(by_spec[one.metric], one.side): one for one in report.results}
    if question.confidence is not None or rival is not None:
        check_unit(comparison, question.unit)
    notes = report.notes
    draws = report.draws
    if question.confidence is not None:
        for ask, interval in find_intervals(comparison, results, question, dice).items():
            results[ask] = replace(results[ask], interval=interval)
    if rival is not None:
        results = with_versus(comparison, rival, results, question, dice)
    if question.permutations is not None:
        results, drawn = with_chance(comparison, results, question.permutations, dice)
        draws = Draws(report.inputs, drawn, dice.seed)
        notes = (*notes, INDEPENDENCE)
    return replace(
        report, results=tuple(results.values()), notes=notes, seed=dice.seed, draws=draws
    )


def check_unit(comparison: Comparison, unit: str) -> None:
    """Refuse to leave out clusters of which there are few, or which share points."""
    if unit != "cluster":
        return
    a = comparison.a
    if not a.is_hard:
        raise UsageError(
            f"{say('unit', 'cluster')} needs a hard clustering a, but a is soft",
            hint=f"leave out {name_of('unit')}",
        )
    if a.n_clusters < FEWEST_CLUSTERS:
        raise UsageError(
            f"{say('unit', 'cluster')} needs at least {FEWEST_CLUSTERS} clusters, but a has "
            f"{a.n_clusters}",
            hint=f"use {say('unit', 'point')}",
        )


def find_intervals(
    comparison: Comparison, results: Mapping[Ask, Result], question: Question, dice: Dice
) -> dict[Ask, Interval]:
    """The interval of each value."""
    level, unit = question.level, question.unit
    nothing = Interval(level, None, None, None, unit)
    found, asks = {}, []
    for ask, result in results.items():
        if reason := why_no_interval(ask, result, comparison):
            found[ask] = replace(nothing, reason=reason)
        else:
            asks.append(ask)
    for ask, left_out in leave_out_of(comparison, asks, unit, dice).items():
        found[ask] = interval_of(comparison, ask, results[ask], left_out, question)
    return found


def interval_of(
    comparison: Comparison, ask: Ask, result: Result, left_out: LeftOut, question: Question
) -> Interval:
    """The interval of a value, given the values with one unit left out at a time."""
    assert result.value is not None
    has_table = ask.request.metric.subject is Contingency and comparison.is_hard
    blended = partial(blended_value, ask.request, comparison.contingency) if has_table else None
    ends = find_ends(ask.request, comparison)
    return find_interval(result.value, left_out, question.level, ends, question.unit, blended)


def why_no_interval(ask: Ask, result: Result, comparison: Comparison) -> str | None:
    """Why a result has no interval, whatever is left out; None if it may have one."""
    if result.status is not Status.ok:
        return "there is no value"
    if reason := why_no_draws(ask, comparison):
        return reason
    if not comparison.same_points:
        return "a and b have different points"
    if comparison.a.points.mass < 2:
        return "there is only one point"
    return None


def leave_out_of(
    comparison: Comparison, asks: Sequence[Ask], unit: str, dice: Dice
) -> dict[Ask, LeftOut]:
    """The values of several metrics with one unit left out at a time."""
    if comparison.is_counted or comparison.weighting == "counts":
        table = comparison.contingency
        return leave_out_counts(table, asks, unit, lambda: np.random.default_rng(dice.throw(0)))
    return leave_out(comparison, asks, unit, lambda: groups_of(comparison, unit, dice))


def groups_of(comparison: Comparison, unit: str, dice: Dice) -> Integers:
    """The random group of each point, the same for all metrics and candidates."""
    return make_groups(comparison, unit, np.random.default_rng(dice.throw(0)))


def with_versus(
    comparison: Comparison,
    rival: Comparison,
    results: Mapping[Ask, Result],
    question: Question,
    dice: Dice,
) -> dict[Ask, Result]:
    """The results, each with the difference from the candidate c."""
    check_rival(comparison, rival)
    both = {ask: (one, answer_side(ask.request, rival, ask.side)) for ask, one in results.items()}
    found = compare_candidates(
        comparison,
        rival,
        both,
        question.unit,
        lambda: groups_of(comparison, question.unit, dice),
        question.level,
    )
    return {ask: replace(one, versus=found[ask]) for ask, one in results.items()}


def with_chance(
    comparison: Comparison, results: Mapping[Ask, Result], permutations: int, dice: Dice
) -> tuple[dict[Ask, Result], dict[str, tuple[float | None, ...]]]:
    """The results, each with its place among random ones, and the values that were drawn."""
    values = {ask: one.value for ask, one in results.items() if one.value is not None}
    found = compare_with_chance(comparison, values, permutations, dice.throw(1))
    with_them = {
        ask: replace(one, chance=found[ask][0] if ask in found else NO_VALUE)
        for ask, one in results.items()
    }
    draws = {
        ask.request.spec: tuple(None if math.isnan(one) else one for one in null.values.tolist())
        for ask, (_, null) in found.items()
        if null
    }
    return with_them, draws
