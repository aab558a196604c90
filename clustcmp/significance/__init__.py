"""Significance: how sure a value is, whether it is more than chance, and which of two is closer.

    many        many tables at once, as arrays of the sums that formulas of metrics read
    leaving     the values of a metric without one point, one cluster or one group of points
    intervals   standard errors and the ends of intervals
    moments     exact mean and variance of the pairs that chance puts together
    drawing     random tables that keep the sizes of all clusters
    chance      a value among those of random clusterings
    versus      the difference between two candidates
    assess      all of these for the results of a comparison

None of these is imported unless a user asks for it, which `find_question` finds out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clustcmp.registry import Request
    from clustcmp.significance.assess import Question

# The settings that ask something about values, or say how an answer is found.
QUESTIONS = ("confidence", "unit", "versus", "permutations", "seed")


def find_question(settings: Mapping[str, Any], requests: Sequence[Request] = ()) -> Question | None:
    """What the settings ask about the values of metrics, checked; None if they ask nothing."""
    if all(settings.get(key) is None for key in QUESTIONS):
        return None
    from clustcmp.significance.assess import ask_about

    return ask_about(settings, requests)
