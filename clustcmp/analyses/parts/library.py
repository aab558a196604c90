"""clustcmp.per_cluster and clustcmp.per_point: which clusters and which points are to mend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

import numpy as np

from clustcmp.analyses.parts.measures import (
    CLUSTER_MEASURES,
    POINT_MEASURES,
    USUAL,
    Measure,
    cells_of,
    cells_of_points,
    side_of,
)
from clustcmp.analyses.parts.report import ClusterReport, PointReport
from clustcmp.arrays import Floats, Integers
from clustcmp.errors import InputError, UsageError, did_you_mean
from clustcmp.inputs import prepare
from clustcmp.keywords import takes_settings
from clustcmp.metrics import METRICS
from clustcmp.model import Comparison, Texts
from clustcmp.settings import TwoSettings
from clustcmp.wording import name_of, say

# Both sides of a comparison, by the letters that reports call them.
SIDES = ("a", "b")


@takes_settings
def per_cluster(
    a: Any = None,
    b: Any = None,
    measures: Iterable[str] | str | None = None,
    **settings: Unpack[TwoSettings],
) -> ClusterReport:
    """How well each cluster of a is kept in b, and each of b in a; the worst clusters first.

    Takes what `compare` takes; both clusterings are hard. `measures` name the columns: f1, jaccard,
    parts, largest_share, exact, pairs_kept, pairs_kept_adjusted, element_centric, missing, extra,
    entropy, or "all". The first one decides about the order.

        >>> clustcmp.per_cluster(["x", "x", "y"], [1, 2, 2], "f1").to_frame().loc["a", "f1"].min()
        0.6666666666666666
    """
    chosen = choose(measures, CLUSTER_MEASURES, "cluster")
    comparison = prepare(a, b, settings)
    check_hard(comparison)
    table = comparison.contingency
    sides = [side_of(table, side) for side in SIDES]
    columns = {
        name: np.concatenate([CLUSTER_MEASURES[name].compute(one) for one in sides])
        for name in chosen
    }
    side = np.repeat([0, 1], [table.n_a, table.n_b])
    code = np.concatenate([np.arange(table.n_a), np.arange(table.n_b)])
    sizes = np.concatenate([table.masses_a, table.masses_b])
    names = [*comparison.a.names.tolist(), *comparison.b.names.tolist()]
    by_name = np.empty(len(names), dtype=np.int64)
    by_name[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    worst = badness(columns[chosen[0]], CLUSTER_MEASURES[chosen[0]])
    order = np.lexsort((by_name, side, -sizes, -worst))
    return ClusterReport(
        **about(comparison, chosen, columns, order),
        sides=side[order],
        codes=code[order],
        sizes=sizes[order],
    )


@takes_settings
def per_point(
    a: Any = None,
    b: Any = None,
    measures: Iterable[str] | str | None = None,
    **settings: Unpack[TwoSettings],
) -> PointReport:
    """How alike the clusters of each point in a and in b are; the worst points first.

    Takes what `compare` takes; both clusterings are hard. `measures` name the columns:
    element_centric, bcubed_precision, bcubed_recall, rand, overlap, or "all". The first one decides
    about the order; the means of the first four are the metrics of these names.

        >>> clustcmp.per_point(["x", "x", "y"], [1, 2, 2]).to_frame()["rand"].mean().round(6)
        0.333333
    """
    chosen = choose(measures, POINT_MEASURES, "point")
    comparison = prepare(a, b, settings)
    check_hard(comparison)
    if comparison.is_counted:
        raise UsageError(
            "a table of counts has no single points",
            hint="give the clusterings themselves, or look at its clusters",
        )
    table = comparison.contingency
    codes = [side.membership.strongest() for side in (comparison.a, comparison.b)]
    cell = cells_of_points(table, *codes)
    of_cells = cells_of(table)
    columns = {name: POINT_MEASURES[name].compute(of_cells)[cell] for name in chosen}
    side = 0 if comparison.given[0].points.ids is not None else 1
    rows, given = comparison.rows[side], comparison.given[side]
    order = np.lexsort((rows, -badness(columns[chosen[0]], POINT_MEASURES[chosen[0]])))
    rows = rows[order]
    ids = given.points.ids
    index = None if given.origin is None else given.origin.index
    return PointReport(
        **about(comparison, chosen, columns, order),
        ids=Texts.of(str(row + 1) for row in rows.tolist()) if ids is None else ids.take(rows),
        codes=(codes[0][order], codes[1][order]),
        index=None if index is None else tuple(index[row] for row in rows.tolist()),
    )


def about(
    comparison: Comparison, chosen: Sequence[str], columns: Mapping[str, Floats], order: Integers
) -> dict[str, Any]:
    """What both reports say."""
    return {
        "inputs": comparison.sides,
        "coverage": comparison.coverage,
        "measures": tuple(chosen),
        "columns": {name: column[order] for name, column in columns.items()},
        "names": (comparison.a.names, comparison.b.names),
        "origins": (comparison.a.origin, comparison.b.origin),
        "notes": comparison.notes,
    }


def badness(column: Floats, measure: Measure) -> Floats:
    """How bad values are: a higher number is worse; what has no value comes last."""
    worse = -column if measure.higher_is_better else column
    return np.where(np.isnan(worse), -np.inf, worse)


def choose(
    measures: Iterable[str] | str | None, known: Mapping[str, Measure], of: str
) -> list[str]:
    """The measures that are asked for, by their names or those of metrics; else the usual ones."""
    if measures is None:
        return list(USUAL[of])
    words = [measures] if isinstance(measures, str) else list(measures)
    if words == ["all"]:
        return list(known)
    if not words:
        raise UsageError("no measure is asked for", hint=f"name some of {', '.join(known)}")
    return list(dict.fromkeys(find_measure(word, known, of) for word in words))


def find_measure(word: str, known: Mapping[str, Measure], of: str) -> str:
    """The measure that a word names, or the error that lists all."""
    name = word.strip().lower().replace("-", "_")
    if name not in known and METRICS.knows(name):
        name = METRICS.find(name).name
    if name in known:
        return name
    hint = f"those that have are {', '.join(known)}"
    guess = did_you_mean(name, known)
    raise UsageError(
        f"{word}: has no value for each {of}", hint=f"{guess} {hint}" if guess else hint
    )


def check_hard(comparison: Comparison) -> None:
    """Refuse soft clusterings, different points, and weights that are not counts."""
    if comparison.weighting == "masses":
        raise UsageError(
            "the parts of a value need weights that are whole numbers",
            hint=f"leave out {name_of('weights')}",
        )
    if not comparison.is_hard:
        raise UsageError(
            "the parts of a value need hard clusterings",
            hint="give the cluster of each point, for example the one with the highest degree",
        )
    if not comparison.same_points:
        remedy = "give both the same points"
        if comparison.coverage.shared:
            remedy += f", or compare those in both with {say('points', 'intersect')}"
        raise InputError(comparison.difference, hint=remedy)
