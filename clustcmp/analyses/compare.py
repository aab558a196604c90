"""Compare two clusterings: what the command does, for Python objects too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

from clustcmp.evaluate import report_on
from clustcmp.inputs import Preparer
from clustcmp.keywords import takes_settings
from clustcmp.read import two
from clustcmp.requests import find_requests, find_unlocated
from clustcmp.results import Report
from clustcmp.settings import CompareSettings

# The settings that ask something about the results, or say how an answer is found.
QUESTIONS = ("confidence", "unit", "versus", "permutations", "seed")


@takes_settings
def compare(
    a: Any,
    b: Any,
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

    `confidence=0.95` gives each result an `interval`, `permutations=999` its `chance`, and
    `versus=c` says in `result.versus` whether b or c is closer to a; `unit` and `seed` are as on
    the command line, and docs/significance.md explains what to use when.

        >>> clustcmp.compare([1, 1, 2, 2], ["x", "x", "y", "z"], metrics=["ari"])["ari"]
        0.5714285714285714
    """
    # Wrong words are found before any work is done.
    requests = find_requests(metrics, settings["distances"] is not None)
    question = None
    if any(settings[key] is not None for key in QUESTIONS):  # type: ignore[literal-required]
        from clustcmp.significance.assess import ask_about

        question = ask_about(settings, requests)
    unlocated = find_unlocated(requests)
    wanted = [two(a, b, settings, unlocated)]
    if settings["versus"] is not None:
        wanted.append(two(a, settings["versus"], settings, unlocated))
    preparer = Preparer(*wanted)
    comparison, *rivals = map(preparer.prepare, wanted)
    report = report_on(comparison, requests)
    if question is None:
        return report
    from clustcmp.significance.assess import assess

    return assess(report, comparison, requests, question, *rivals)
