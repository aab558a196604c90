"""What a user should know about a study: clusterings that are not what was asked for, limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from clustcmp.analyses.stability.fits import Fit, Setup, Task
from clustcmp.analyses.stability.study import Search, Studied, count_clusters
from clustcmp.clusterers.base import Value
from clustcmp.errors import plural
from clustcmp.notes import Note, condense
from clustcmp.wording import name_of

# Algorithms that take points drawn twice for dense places.
DENSITY = ("dbscan", "hdbscan")


def notes_on(setup: Setup, search: Search, studied: Studied) -> tuple[Note, ...]:
    """All notes on a study."""
    metric = search.request.metric
    notes = [*note_counts(search, studied.fits, setup.drawing.size), *note_fits(search, studied)]
    if setup.drawing.bootstrap and setup.clusterer.name in DENSITY:
        notes.append(
            Note(
                f"points that are drawn twice look dense to {setup.clusterer.name}, which finds "
                f"more clusters then; leave out {name_of('bootstrap')}"
            )
        )
    if search.soft and not search.request.soft_identity:
        notes.append(
            Note(
                f"{metric.name} of two identical soft clusterings is not its best value; "
                "adjusted_rand, cc and cdistance are at their best there"
            )
        )
    values = search.values
    if studied.supported is not None and search.varied == "k" and len(values) > 1:
        best = values[studied.supported]
        if best == values[-1]:
            notes.append(
                Note(f"k = {best} is the largest one tried, and a larger one may be supported, too")
            )
    return tuple(notes)


def note_fits(search: Search, studied: Studied) -> Iterator[Note]:
    """Warnings of the algorithm, failures, and pairs of samples without a value."""
    found = [
        Note(note, tell(search, task.value))
        for task, fit in studied.fits.items()
        for note in fit.notes
    ]
    yield from condense(found)
    failures = [fit.failure for fit in studied.fits.values() if fit.failure]
    if failures:
        yield Note(
            f"{len(failures)} of {plural(len(studied.fits), 'clustering')} failed and "
            f"{'was' if len(failures) == 1 else 'were'} skipped: {failures[0]}"
        )
    missing = [
        Note(f"pairs of samples without a value: {one.pairs.reason}", tell(search, one.value))
        for one in studied.tried
        if one.pairs.reason
    ]
    yield from condense(missing)


def note_counts(search: Search, fits: Mapping[Task, Fit], size: int) -> Iterator[Note]:
    """Notes on one cluster, on all singletons, and on fewer clusters than were asked for."""
    for value in search.values:
        memberships = [fit.membership for task, fit in fits.items() if task.value == value]
        counts = [count_clusters(one) for one in memberships if one is not None]
        where, n = tell(search, value), len(counts)
        if search.varied == "k" and value == 1:
            yield Note("one cluster is always stable and is not compared with other k", where)
            continue
        if search.varied == "k" and value == size:
            yield Note("each point is a cluster of its own, which says nothing", where)
            continue
        single = sum(one <= 1 for one in counts)
        alone = sum(one is not None and count_clusters(one) == one.n_points for one in memberships)
        fewer = sum(isinstance(value, int) and one < value for one in counts)
        if single:
            yield Note(f"{single} of {n} clusterings have one cluster or none", where)
        elif alone:
            yield Note(f"in {alone} of {n} clusterings each point is a cluster of its own", where)
        elif search.varied == "k" and fewer:
            yield Note(f"{fewer} of {n} clusterings have fewer clusters than k", where)


def tell(search: Search, value: Value) -> str:
    """The value that was tried, in words."""
    return f"{search.varied} = {value}"
