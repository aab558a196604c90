"""Compare two clusterings: what the command does, for Python objects too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

from clustcmp.evaluate import report_on
from clustcmp.inputs import prepare
from clustcmp.keywords import takes_settings
from clustcmp.requests import find_requests, find_unlocated
from clustcmp.results import Report
from clustcmp.settings import CompareSettings


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

        >>> clustcmp.compare([1, 1, 2, 2], ["x", "x", "y", "z"], metrics=["ari"])["ari"]
        0.5714285714285714
    """
    # Wrong words are found before any work is done.
    requests = find_requests(metrics, settings["distances"] is not None)
    return report_on(prepare(a, b, settings, find_unlocated(requests)), requests)
