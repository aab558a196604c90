"""Compare several clusterings in one call: what the command does, for Python objects too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from clustcmp.align import Collection, Labelings
from clustcmp.analyses.matrix.build import Arrangement, build_report
from clustcmp.analyses.matrix.report import MatrixReport
from clustcmp.analyses.several.named import Gathered, gather
from clustcmp.backends import count_jobs
from clustcmp.errors import UsageError
from clustcmp.keywords import takes_settings
from clustcmp.machines import uses_machines
from clustcmp.progress import begin
from clustcmp.registry import Request
from clustcmp.requests import find_requests, find_unlocated
from clustcmp.settings import MatrixSettings
from clustcmp.shares import find_budget
from clustcmp.significance import find_question
from clustcmp.wording import either, name_of, say

if TYPE_CHECKING:
    from clustcmp.significance.assess import Question

DEFAULT_METRIC = "adjusted_rand"


@takes_settings
@uses_machines
def matrix(
    clusterings: Any,
    metric: Iterable[str | Request] | str | None = None,
    **settings: Unpack[MatrixSettings],
) -> MatrixReport:
    """Compare several clusterings, each with each other or all with one reference or several.

    `clusterings` is a mapping from names to clusterings, a DataFrame with a clustering in each
    column, or a list; each clustering is what `compare` takes, `"results.csv::*"` stands for all
    columns of a file, and `"NAME=path"` names the clustering in a file. `reference` is one more
    clustering, or the name of one of them, or a list of these. With `best=True` each value is the
    best over the references; `sort` names the metric by which clusterings are ordered.

    With `confidence=0.95` each result in `report.matrix("ari").cells` has an `interval`, and
    `report.matrix("ari").closer` says for each clustering whether its closest one is really closer
    than the others; with a reference, whether the best clustering is.

    `report["ari"]` are the values in the order given; `report.matrix("ari")` knows the medoid and
    the order by similarity. Row i, column j is `compare(i, j)`.

        >>> clustcmp.matrix([[1, 1, 2, 2], [1, 1, 2, 3], [1, 2, 3, 4]], "ari")["ari"][0].round(2)
        array([1.  , 0.57, 0.  ])
    """
    requests, sort = find_sort(prepare_requests(metric), settings)
    if settings["best"]:
        check_best(requests)
    question = find_question(settings, requests)
    gathered = gather(clusterings, settings, find_unlocated(requests))
    begin("compared")
    return matrix_of(gathered, requests, settings, sort, question)


def prepare_requests(
    metrics: Iterable[str | Request] | str | None,
) -> tuple[Request, ...]:
    """The metrics of two clusterings that are asked for; those of one have no matrix."""
    requests = find_requests(metrics or DEFAULT_METRIC)
    kept = tuple(request for request in requests if request.metric.arity == 2)
    unfit = [request for request in requests if request.metric.arity == 1]
    if unfit and (not kept or any(request.named for request in unfit)):
        raise UsageError(
            f"{unfit[0].metric.name} is a metric of one clustering and has no matrix",
            hint=f"choose a metric of two, or {compare_with(unfit[0].metric.name)}",
        )
    return kept


def compare_with(metric: str) -> str:
    """The call of `compare` with one metric."""
    return either(
        f"clustcmp compare A B -m {metric}", f'clustcmp.compare(a, b, metrics="{metric}")'
    )


def find_sort(
    requests: tuple[Request, ...], settings: MatrixSettings
) -> tuple[tuple[Request, ...], str | None]:
    """The metric to sort by, if one was named; if this metric does not fit, that is an error."""
    for key in ("sort", "best"):
        if settings[key] and settings["reference"] is None:
            raise UsageError(
                f"{name_of(key)} is about a table of references, but there is no reference",
                hint=f"name one with {say('reference')}",
            )
    word = settings["sort"]
    if word is None:
        return requests, None
    spec = find_column(word, requests)
    named = (replace(one, named=one.named or one.spec == spec) for one in requests)
    return tuple(named), spec


def find_column(word: str, requests: Sequence[Request]) -> str:
    """The spec of the metric that a word stands for, which is one of those asked for."""
    try:
        wanted = find_requests([word])
    except UsageError as error:
        raise UsageError(f"{say('sort', word)}: {error.message}", hint=error.hint) from None
    specs = [request.spec for request in requests]
    found = [request.spec for request in wanted if request.spec in specs]
    if not found and len(wanted) == 1 and not wanted[0].given:
        # The options of the metric need not be written again.
        found = [one.spec for one in requests if one.metric.name == wanted[0].metric.name]
    if len(found) == 1:
        return found[0]
    columns = f"its columns are {', '.join(specs)}"
    if found:
        raise UsageError(f"{say('sort', word)}: the table has several such columns", hint=columns)
    more = either(f"add -m {word}", f"add {word!r} to the metrics")
    raise UsageError(
        f"{say('sort', word)}: the table has no such column", hint=f"{columns}; {more}"
    )


def check_best(requests: Sequence[Request]) -> None:
    """Refuse the best value of a metric that does not say what is better, if it was named."""
    for request in requests:
        if request.named and request.metric.higher_is_better is None:
            raise UsageError(
                f"{request.metric.name} does not say what is better, so there is no best value",
                hint=f"leave out {request.metric.name} or {name_of('best')}",
            )


def matrix_of(
    gathered: Gathered,
    requests: Sequence[Request],
    settings: MatrixSettings,
    sort: str | None,
    question: Question | None,
) -> MatrixReport:
    """The matrices of clusterings, or of references and each of the others."""
    budget = find_budget(settings)
    # Metrics with coordinates divide each comparison among the threads themselves.
    inner, outer = count_jobs(settings["jobs"]), 1
    if not any(request.metric.needs_coordinates for request in requests):
        inner, outer = outer, inner
    everyone = gathered.everyone
    clusterings = tuple(one.clustering for one in everyone)
    labelings = Labelings(clusterings, settings, tuple(one.name for one in everyone))
    own = tuple(one.table for one in everyone if one.table is not None)
    collection = Collection(labelings, own or gathered.tables, jobs=inner, budget=budget)
    arrangement = Arrangement(len(gathered.references), settings["best"], sort)
    report = build_report(collection, requests, outer, arrangement)
    if question is None:
        return report
    from clustcmp.analyses.matrix.sure import with_intervals

    return with_intervals(report, collection, requests, question)
