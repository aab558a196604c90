"""Compare two clusterings: what the command does, for Python objects too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from clustcmp.backends import sends_tasks
from clustcmp.errors import UsageError
from clustcmp.evaluate import report_on
from clustcmp.inputs import Preparer, prepare_counts
from clustcmp.keywords import takes_settings
from clustcmp.machines import uses_machines
from clustcmp.model import Comparison, Contingency
from clustcmp.model.columns import Kept
from clustcmp.read import Wanted, two
from clustcmp.registry import Request
from clustcmp.requests import find_requests, find_unlocated
from clustcmp.results import Report
from clustcmp.settings import CompareSettings
from clustcmp.significance import find_question
from clustcmp.significance_settings import TableSettings
from clustcmp.wording import name_of

if TYPE_CHECKING:
    from clustcmp.significance.assess import Question


@takes_settings
@uses_machines
def compare(
    a: Any = None,
    b: Any = None,
    metrics: Iterable[str] | str | None = None,
    **settings: Unpack[CompareSettings],
) -> Report:
    """Compare two clusterings; a is the reference where the order matters.

    Each of a and b is a list, an array, a Series or a column of labels, a matrix or a DataFrame of
    soft memberships, the path of a file (`"cells.csv::leiden"`), or a Clustering. Two pandas
    objects are joined by their index, everything else without ids by position.

    `metrics` are names as on the command line: `"ari"`, `"nmi:average=geometric"`, a family,
    `"all"`. Without them the featured metrics that fit the input are computed.

    `coordinates` (n, d) say where the points of both are, `coordinates_a` and `coordinates_b` those
    of each; `distances` (n_a, n_b) are given instead of coordinates. Each is an array, a DataFrame
    or the path of a file. A DataFrame is joined to pandas objects by their index, else by position.
    All other settings are those of the command: `noise`, `noise_a`, `noise_b`, `noise_policy`,
    `points`, `missing`, `missing_label`, `normalize`, `no_header`, `max_bytes`, `jobs`.

    Instead of a and b, `contingency` takes what `compare_table` takes, or the path of a file.

    `confidence=0.95` gives each result an `interval`, `permutations=999` its `chance`, and
    `versus=c` says in `result.versus` whether b or c is closer to a; `unit` and `seed` are as on
    the command line, and docs/significance.md explains what to use when.

        >>> clustcmp.compare([1, 1, 2, 2], ["x", "x", "y", "z"], metrics=["ari"])["ari"]
        0.5714285714285714
    """
    # Wrong words are found before any work is done.
    requests = find_requests(metrics, settings["distances"] is not None)
    question = find_question(settings, requests)
    unlocated = find_unlocated(requests)
    wanted = [two(a, b, settings, unlocated)]
    if settings["versus"] is not None:
        if settings["contingency"] is not None:
            raise UsageError(
                f"{name_of('versus')} needs the points of both candidates, not a table of counts",
                hint=f"leave out {name_of('versus')}, or compare the clusterings themselves",
            )
        wanted.append(two(a, settings["versus"], settings, unlocated))
    if question is None and (counted := count_elsewhere(wanted[0], requests)):
        return answer(requests, None, counted)
    preparer = Preparer(*wanted)
    return answer(requests, question, *map(preparer.prepare, wanted))


def count_elsewhere(wanted: Wanted, requests: Sequence[Request]) -> Comparison | None:
    """The comparison of a folder of parts that other machines count, where counts are enough."""
    if not sends_tasks() or any(one.metric.subject is not Contingency for one in requests):
        return None
    from clustcmp.folders import count_folder

    return count_folder(wanted)


@takes_settings
def compare_table(
    counts: Any,
    metrics: Iterable[str] | str | None = None,
    **settings: Unpack[TableSettings],
) -> Report:
    """Compare two clusterings of which only a contingency is known: a table of counted points.

    `counts` is a matrix with a row for each cluster of a and a column for each cluster of b, such
    as a pandas crosstab, a sparse matrix, or a list of lists; a DataFrame with the columns a, b and
    count, as a database gives it; or a Contingency. Counts are whole numbers, at least 0.

    The report is that of `compare` for the counted points, which are never listed, so that there
    may be billions of them. Metrics that look at single points or at coordinates do not apply.
    `metrics`, `confidence`, `unit`, `permutations` and `seed` are those of `compare`.

        >>> clustcmp.compare_table([[2, 0, 0], [0, 1, 1]], metrics=["ari"])["ari"]
        0.5714285714285714
    """
    from clustcmp.read.counts import as_counts

    requests = find_requests(metrics)
    question = find_question(settings, requests)
    return answer(requests, question, prepare_counts(as_counts(counts)))


def answer(
    requests: Sequence[Request],
    question: Question | None,
    comparison: Comparison,
    rival: Comparison | None = None,
) -> Report:
    """The report on a comparison, with what the user asks about its results."""
    report = replace(report_on(comparison, requests), kept=Kept.of(comparison))
    if question is None:
        return report
    from clustcmp.significance.assess import assess

    return assess(report, comparison, requests, question, rival)
