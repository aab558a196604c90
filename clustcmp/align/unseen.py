"""Points that one clustering has and the other has no cluster for, and what they mean for values.

A cluster that loses such points seems purer than it is: where one of them is wrong there, that is
not seen. An example is a truth that is known for a sample of the points only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from clustcmp.align.rows import Rows, append
from clustcmp.arrays import Flags, Integers
from clustcmp.errors import plural
from clustcmp.model import Clustering, Comparison, Hard
from clustcmp.notes import Note

# For each side the other one, and the values that are too high if its clusters lose points.
TOO_HIGH = {"a": ("b", "recall"), "b": ("a", "precision")}
PURITY = {"a": "inverse purity", "b": "purity"}


class Unseen(NamedTuple):
    """What the compared clusters of one side lost: clusters and points, and pairs of points.

    `lost` of the `clusters` lost `points`. Of the `compared` points, `affected` are in those
    clusters. Of the pairs within a cluster with one compared point at least, `pairs` are counted,
    and `unseen_pairs` have a point that was lost.
    """

    lost: int
    clusters: int
    points: float
    affected: float
    compared: int
    pairs: int
    unseen_pairs: int


def find_unseen(joined: Rows, kept: Rows, a: Clustering, b: Clustering) -> tuple[Integers, ...]:
    """The rows of a and of b for which the other side has no point or no label."""
    missing_a, missing_b = find_missing(a), find_missing(b)
    rows_a, rows_b = kept.only_a, kept.only_b
    if missing_b is not None:
        rows_a = append(rows_a, joined.shared_a[missing_b[joined.shared_b]])
    if missing_a is not None:
        rows_b = append(rows_b, joined.shared_b[missing_a[joined.shared_a]])
    return rows_a, rows_b


def find_missing(clustering: Clustering) -> Flags | None:
    """Which points have no label; None if all have one."""
    hard = clustering.membership
    return hard.is_missing if isinstance(hard, Hard) and not hard.is_complete else None


def count_unseen(given: Clustering, rows: Integers, unseen: Integers) -> Unseen | None:
    """What the clusters of the compared rows lost; None if they lost nothing.

    Points that are noise or have no label belong to no cluster.
    """
    kept = given.membership.take(rows).masses
    lost = given.membership.take(unseen).masses
    is_lost = (kept > 0) & (lost > 0)
    if not is_lost.any():
        return None
    return Unseen(
        int(is_lost.sum()),
        int((kept > 0).sum()),
        lost[is_lost].sum().item(),
        kept[is_lost].sum().item(),
        len(rows),
        int(np.dot(kept, kept - 1)) // 2,
        int(np.dot(kept, lost)),
    )


def note_unseen(comparison: Comparison) -> Iterator[Note]:
    """Notes on clusters that lost points which the other side has no cluster for."""
    sides = zip("ab", comparison.given, comparison.rows, comparison.unseen, strict=False)
    for side, given, rows, unseen in sides:
        if len(unseen) and (found := count_unseen(given, rows, unseen)):
            yield note_lost(side, found, given.is_hard)


def note_lost(side: str, found: Unseen, is_hard: bool) -> Note:
    """A note on the clusters of one side that lost points."""
    other, value = TOO_HIGH[side]
    clusters = f"{found.lost:,} of {plural(found.clusters, 'cluster')} of {side}"
    too_high = f"so {value} and {PURITY[side]} are too high"
    if not is_hard:
        return Note(f"{clusters} lost points that {other} has no cluster for, {too_high}")
    points = plural(int(found.points), "point")
    pairs = plural(found.pairs + found.unseen_pairs, "pair")
    return Note(
        f"{clusters} lost {points} that {other} has no cluster for, {too_high}: "
        f"pair {value} counts {found.pairs:,} of {pairs}, and {int(found.affected):,} of the "
        f"{plural(found.compared, 'point')} behind B-cubed {value} are in these clusters"
    )
