"""Which value is the most stable one, and which number of clusters the data supports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from clustcmp.analyses.stability.pairs import Pairs
from clustcmp.analyses.stability.spread import margin_between
from clustcmp.analyses.stability.strength import ENOUGH

# Means that differ by at most this are equal.
TIED = 1e-9

# A margin of more than this many standard errors is clear.
CLEAR_ERRORS = 2.0

# A strength that one Gaussian cloud reaches at most this often is more than that of one cloud.
CLEAR_P = 0.05


class Candidate(NamedTuple):
    """A value that may be the best one: its position, its clusters, its mean, its strength."""

    position: int
    clusters: int
    mean: float | None = None
    strength: float | None = None


class Chosen(NamedTuple):
    """The best value and the next one, by their positions, and how far they are apart.

    The margin is above 0 if the best one is better. `ties` are the positions of values that are as
    good as the best one.
    """

    best: int
    next: int | None = None
    margin: float | None = None
    standard_error: float | None = None
    ties: tuple[int, ...] = ()

    @property
    def is_clear(self) -> bool | None:
        """Whether the margin is more than chance explains; None without anything to compare."""
        if self.margin is None or self.standard_error is None:
            return None
        return self.margin > max(CLEAR_ERRORS * self.standard_error, TIED)


def choose_best(
    candidates: Sequence[Candidate],
    pairs: Mapping[int, Pairs],
    n_samples: int,
    higher_is_better: bool,
) -> Chosen | None:
    """The candidate with the best mean; of equal ones the one with the most clusters.

    One cluster is always stable, and so is each point by itself: candidates have neither.
    """
    sign = 1.0 if higher_is_better else -1.0
    found = {one: sign * one.mean for one in candidates if one.mean is not None}
    if not found:
        return None
    best = best_of(found)
    least = max(found.values()) - TIED
    ties = tuple(one.position for one in found if one is not best and found[one] >= least)
    others = {one: mean for one, mean in found.items() if one is not best}
    if not others:
        return Chosen(best.position)
    second = best_of(others)
    margin = margin_between(pairs[best.position], pairs[second.position], n_samples)
    # Adding 0 makes 0 of a negative 0, which a tie of distances gives.
    value = None if margin.value is None else sign * margin.value + 0.0
    return Chosen(best.position, second.position, value, margin.standard_error, ties)


def best_of(means: Mapping[Candidate, float]) -> Candidate:
    """The candidate with the highest mean; of equal ones that with the most clusters, the last."""
    highest = max(means.values())
    tied = [one for one, mean in means.items() if mean >= highest - TIED]
    return max(tied, key=lambda one: (one.clusters, one.position))


def choose_supported(candidates: Sequence[Candidate]) -> Candidate | None:
    """The candidate with the most clusters whose prediction strength is high enough."""
    strong = [one for one in candidates if one.strength is not None and one.strength >= ENOUGH]
    return max(strong, key=lambda one: (one.clusters, one.position), default=None)
