"""Weights of the compared points: given for one side or both, or such that clusters count alike."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clustcmp.arrays import Floats
from clustcmp.errors import InputError, UsageError
from clustcmp.keywords import BALANCED
from clustcmp.model import Clustering, Side
from clustcmp.notes import Note
from clustcmp.wording import name_of, say

Weighed = tuple[tuple[Clustering, Side], tuple[Clustering, Side]]


def weigh(a: tuple[Clustering, Side], b: tuple[Clustering, Side], difference: str) -> Weighed:
    """Both sides with the weights of their points, if one of them has any.

    `difference` says how the points differ, if they do. The same point weighs the same on both
    sides, so weights that one side has are those of the other, too.
    """
    here, there = a[0].points.weights, b[0].points.weights
    if here is None and there is None:
        return a, b
    if difference:
        if here is None or there is None:
            raise InputError(
                f"{(b if there is None else a)[0].title} has no weights, and its points are not "
                "those of the other clustering, which has some",
                hint=f"give the weights of both, such as {say('weights', 'weights.csv::weight')}",
            )
    elif here is None:
        here = there
    elif there is None:
        there = here
    else:
        check_same(a[0], b[0], here, there)
        there = here
    return with_weights(a, here), with_weights(b, there)


def balance(a: tuple[Clustering, Side], b: tuple[Clustering, Side], difference: str) -> Weighed:
    """Both sides with masses that give every cluster of a the same total; all sum to 1."""
    clustering = a[0]
    if difference:
        raise InputError(
            f"{say('weights', BALANCED)} needs the same points in a and b: {difference}",
            hint=f"compare those in both with {say('points', 'intersect')}",
        )
    if not clustering.is_hard:
        raise UsageError(
            f"{say('weights', BALANCED)} needs a hard clustering a, but a is soft",
            hint=f"leave out {name_of('weights')}",
        )
    if clustering.points.weights is not None or b[0].points.weights is not None:
        raise UsageError(
            f"{say('weights', BALANCED)} makes weights, but the clusterings have some",
            hint="leave one of them out",
        )
    sizes = clustering.membership.masses
    weights = (1.0 / (len(sizes) * sizes))[clustering.membership.strongest()]
    return with_weights(a, weights), with_weights(b, weights)


def check_same(a: Clustering, b: Clustering, here: Floats, there: Floats) -> None:
    """Refuse weights that differ between the sides."""
    (wrong,) = np.nonzero(here != there)
    if len(wrong):
        raise InputError(
            f"{a.title} and {b.title} have other weights: the same point has the weight "
            f"{here[wrong[0]]:g} in one and {there[wrong[0]]:g} in the other",
            hint="give the weights of one of them only",
        )


def with_weights(side: tuple[Clustering, Side], weights: Floats | None) -> tuple[Clustering, Side]:
    """One side with the weights of its points."""
    clustering, described = side
    if clustering.points.weights is not weights:
        points = replace(clustering.points, weights=weights)
        clustering = replace(clustering, points=points)
    return clustering, replace(described, mass=float(clustering.points.mass))


def note_weights(*clusterings: Clustering) -> tuple[Note, ...]:
    """A note if the weights are masses and not counts."""
    if all(one.points.are_counts for one in clusterings):
        return ()
    return (
        Note(
            "the weights are not all whole numbers, so they are masses: only shares matter, and "
            "pairs of points are drawn with replacement"
        ),
    )
