"""How stable clusterings of samples are: what the command does, for Python objects too."""

from __future__ import annotations

from typing import Any, Unpack

from clustcmp.analyses.stability.asked import (
    check_timeout,
    fraction_of,
    numbers_of,
    parameters_of,
    request_of,
    values_of,
)
from clustcmp.analyses.stability.build import Asked, build_report
from clustcmp.analyses.stability.fits import Setup
from clustcmp.analyses.stability.points import as_sample, ids_of, load_points, title_of
from clustcmp.analyses.stability.report import StabilityReport
from clustcmp.analyses.stability.samples import Drawing, new_seed
from clustcmp.analyses.stability.study import Search, study
from clustcmp.backends import count_jobs
from clustcmp.clusterers.base import Value
from clustcmp.clusterers.make import make
from clustcmp.errors import UsageError
from clustcmp.keywords import declared, find_noise_policy, takes_settings
from clustcmp.machines import uses_machines
from clustcmp.progress import begin
from clustcmp.registry import Request
from clustcmp.settings import ReadSettings
from clustcmp.stability_settings import StabilitySettings
from clustcmp.wording import say


@takes_settings
@uses_machines
def stability(
    data: Any,
    estimator: Any = None,
    metric: str | Request | None = None,
    **settings: Unpack[StabilitySettings],
) -> StabilityReport:
    """How many clusters the data supports, and which of them hold, by clustering samples.

    `data` is an array, a DataFrame or the path of a file (`"cells.csv::x,y"`). `estimator` is the
    name of an algorithm (`"kmeans"`), an object with fit_predict or with fit and labels_, which is
    cloned, or a function (X, k, seed) -> labels or memberships. `k` are the numbers of clusters to
    try: `range(2, 11)`. All other settings are those of the command; docs/stability.md explains
    what to use when.

    `report.best.k` is the most stable number of clusters, `report.supported.k` the largest one that
    the data supports, or None. `report.to_frame("curve")` and so on are data frames: curve, best,
    supported, clusters, points, pairs.
    """
    request = request_of(metric, settings)
    check_timeout(settings)
    varied, values = values_of(settings)
    parameters, fraction = parameters_of(settings), fraction_of(settings)
    clusterer = make(
        estimator,
        varied=varied,
        parameters=parameters,
        soft=settings["soft"],
        command=settings["command"],
        timeout=settings["timeout"],
        reading={key: settings[key] for key in declared(ReadSettings)},  # type: ignore[literal-required]
        keeps_failures=not settings["skip_failures"],
    )
    begin("read")
    table = load_points(data, settings)
    seed = new_seed() if settings["seed"] is None else settings["seed"]
    drawing = Drawing(len(table.coordinates), seed, fraction, settings["bootstrap"])
    check_sizes(varied, values, drawing)
    search = Search(
        varied,
        values,
        settings["samples"],
        request,
        find_noise_policy(settings),
        settings["all_points"],
        settings["transfer"],
        settings["gaussians"],
        find_at(settings["at"], varied, values),
        settings["soft"],
    )
    jobs = count_jobs(settings["jobs"])
    setup = Setup(as_sample(table), clusterer, drawing, settings["skip_failures"], jobs)
    asked = Asked(
        title_of(data),
        ids_of(data, table),
        table,
        parameters,
        settings["scale"],
        settings["command"],
    )
    with clusterer.opened():
        return build_report(setup, search, study(setup, search), asked)


def check_sizes(varied: str, values: tuple[Value, ...], drawing: Drawing) -> None:
    """Refuse samples without two points, and more clusters than a sample has points."""
    if drawing.size < 2:
        raise UsageError(
            f"{say('fraction', drawing.fraction)}: a sample of {drawing.n_points} points has "
            f"{drawing.size}",
            hint="a sample needs at least 2 points",
        )
    if varied != "k":
        return
    for value in values:
        if isinstance(value, int) and value > drawing.size:
            raise UsageError(
                f"{say('k', value)}: a sample has only {drawing.size} points",
                hint=f"ask for at most {drawing.size} clusters",
            )


def find_at(given: Any, varied: str, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """The values whose clusters are wanted, which are among those that are tried."""
    if given is None:
        return ()
    wanted: tuple[Value, ...]
    if varied == "k":
        wanted = numbers_of(given, "at")
    elif isinstance(given, str):
        from clustcmp.clusterers.algorithms import parse_value

        wanted = tuple(map(parse_value, given.split(",")))
    else:
        wanted = tuple(given) if isinstance(given, list | tuple) else (given,)
    for one in wanted:
        if one not in values:
            raise UsageError(
                f"{say('at', one)} is not tried",
                hint=f"tried are {', '.join(map(str, values))}",
            )
    return wanted
