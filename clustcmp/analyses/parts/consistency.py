"""clustcmp.consistency: which points move from run to run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any, Self, Unpack

import numpy as np

from clustcmp.align import Collection, Labelings
from clustcmp.analyses.parts.measures import cells_of, cells_of_points, element_score
from clustcmp.analyses.several.named import gather
from clustcmp.arrays import Floats, same
from clustcmp.backends import count_jobs, map_tasks
from clustcmp.errors import InputError, UsageError
from clustcmp.keywords import complete, takes_settings
from clustcmp.model import Comparison, Described, Texts
from clustcmp.model.once import PicklesFields
from clustcmp.notes import Note, condense
from clustcmp.progress import begin
from clustcmp.records import AtLeastOne, Label, PythonOnly, Record, Rule, UpToOne, in_json
from clustcmp.results import Joined, as_frame
from clustcmp.settings import InputSettings, MatrixSettings

if TYPE_CHECKING:
    from clustcmp.results import Frame

# Seconds that a comparison must take to be worth a thread.
WORTHWHILE = 0.003


@dataclass(frozen=True)
class PointConsistency(Record):
    """One point, and how alike its clusters are in any two runs."""

    id: Annotated[Label, "The id or, without ids, the number of the row from 1 on."]
    element_consistency: UpToOne


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ConsistencyReport(PicklesFields, Joined):
    """For each point the mean of element_centric over all pairs of runs, the worst point first.

    `values[i]` is that of point `ids[i]`; `index` are the ids as Python gave them, if it did.
    """

    command = "consistency"

    inputs: Annotated[tuple[Described, ...], Rule(minItems=2)]
    pairs: Annotated[AtLeastOne, "The number of pairs of runs."]
    ids: PythonOnly[Texts]
    values: PythonOnly[Floats]
    index: PythonOnly[tuple[Any, ...] | None] = None
    notes: tuple[Note, ...] = ()

    def __eq__(self, other: object) -> bool:
        return same(self, other)

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    @in_json()
    def points(self) -> tuple[PointConsistency, ...]:
        """The points, the worst first."""
        return tuple(PointConsistency(*row) for row in self.rows())

    def rows(self, top: int | None = None) -> Iterator[tuple[Any, float]]:
        """The ids and the values of the first points, or of all."""
        for row in range(len(self) if top is None else min(top, len(self))):
            point = self.ids[row] if self.index is None else self.index[row]
            yield point, float(self.values[row])

    def to_frame(self) -> Frame:
        """A row for each point, indexed by its id, the worst first."""
        return as_frame(("id", "element_consistency"), self.rows(), "id")

    def in_texts(self) -> Self:
        """The same report with all ids as texts, as commands show it."""
        return replace(self, index=None)


@takes_settings
def consistency(clusterings: Any, **settings: Unpack[InputSettings]) -> ConsistencyReport:
    """Which points move from run to run: the mean of element_centric over all pairs of runs.

    `clusterings` are what `matrix` takes: two or more hard clusterings of the same points. A point
    that is with the same points in all runs has 1.

        >>> next(clustcmp.consistency([[1, 1, 1, 2], [1, 1, 2, 2]]).rows())
        ('3', 0.3333333333333333)
    """
    everything = complete(MatrixSettings, settings)
    gathered = gather(clusterings, everything, None, "element_consistency")
    begin("compared")
    runs = tuple(one.clustering for one in gathered.others)
    names = tuple(one.name for one in gathered.others)
    collection = Collection(Labelings(runs, settings, names))
    pairs = list(combinations(range(len(runs)), 2))
    first = collection.comparison(*pairs[0])
    check_runs(collection)
    scores = map_tasks(
        partial(score_points, collection),
        pairs,
        count_jobs(settings["jobs"]),
        what="comparing",
        worthwhile=WORTHWHILE,
    )
    values = np.clip(np.sum(scores, axis=0) / len(pairs), 0.0, 1.0)
    rows, given = first.rows[0], first.given[0]
    order = np.lexsort((rows, values))
    ids, origin = given.points.ids, given.origin
    index = None if origin is None else origin.index
    rows = rows[order]
    return ConsistencyReport(
        inputs=tuple(collection.describe(run) for run in range(len(runs))),
        pairs=len(pairs),
        ids=Texts.of(str(row + 1) for row in rows.tolist()) if ids is None else ids.take(rows),
        values=values[order],
        index=None if index is None else tuple(index[row] for row in rows.tolist()),
        notes=condense([*first.notes, *collection.note_labels()]),
    )


def check_runs(collection: Collection) -> None:
    """Refuse soft runs, and runs of different points."""
    for run, title in enumerate(collection.titles):
        if not collection.clusterings[run].is_hard:
            raise UsageError(
                f"{title} is soft, but element_consistency needs hard clusterings",
                hint="give the cluster of each point, for example the one with the highest degree",
            )
        alignment = collection.alignment(0, run)
        shared = len(alignment.rows_a)
        sizes = collection.clusterings[0].points.size, collection.clusterings[run].points.size
        if alignment.difference or (shared, shared) != sizes:
            raise InputError(
                f"{title} has other points than {collection.titles[0]}, but each point is followed "
                "through all runs",
                hint="give runs of the same points, and leave none of them out",
            )


def score_points(collection: Collection, pair: tuple[int, int]) -> Floats:
    """element_centric of each point for one pair of runs."""
    comparison: Comparison = collection.silent(*pair)
    table = comparison.contingency
    a, b = (side.membership.strongest() for side in (comparison.a, comparison.b))
    scores: Floats = element_score(cells_of(table))[cells_of_points(table, a, b)]
    return scores
