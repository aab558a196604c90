"""Compare several clusterings in one call: what the command does, for Python objects too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from clustcmp.align import Collection, Labelings
from clustcmp.analyses.matrix.build import build_report
from clustcmp.analyses.matrix.report import MatrixReport
from clustcmp.backends import count_jobs
from clustcmp.errors import UsageError
from clustcmp.keywords import takes_settings
from clustcmp.model import Clustering, CoordinateTable
from clustcmp.progress import begin
from clustcmp.read import Address, Loader, Unlocated, Wanted, is_pandas, is_path
from clustcmp.registry import Request
from clustcmp.requests import find_requests, find_unlocated
from clustcmp.settings import InputSettings, MatrixSettings
from clustcmp.wording import either, name_of, say

DEFAULT_METRIC = "adjusted_rand"


@dataclass(frozen=True)
class Named:
    """A clustering under the name that it has in a matrix, with coordinates if it has its own."""

    name: str
    clustering: Clustering
    table: CoordinateTable | None = None


@takes_settings
def matrix(
    clusterings: Any,
    metric: Iterable[str | Request] | str | None = None,
    **settings: Unpack[MatrixSettings],
) -> MatrixReport:
    """Compare several clusterings, each with each other or all with one reference.

    `clusterings` is a mapping from names to clusterings, a DataFrame with a clustering in each
    column, or a list; each clustering is what `compare` takes, `"results.csv::*"` stands for all
    columns of a file, and `"NAME=path"` names the clustering in a file. `reference` is one more
    clustering, or the name of one of them.

    `report["ari"]` are the values in the order given; `report.matrix("ari")` knows the medoid and
    the order by similarity. Row i, column j is `compare(i, j)`.

        >>> clustcmp.matrix([[1, 1, 2, 2], [1, 1, 2, 3], [1, 2, 3, 4]], "ari")["ari"][0].round(2)
        array([1.  , 0.57, 0.  ])
    """
    requests = prepare_requests(metric)
    coordinates, reference = settings["coordinates"], settings["reference"]
    named, chosen, tables = load_named(
        clusterings, reference, coordinates, settings, find_unlocated(requests)
    )
    begin("compared")
    return matrix_of(named, requests, settings, chosen, tables)


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


def matrix_of(
    named: Sequence[Named],
    requests: Sequence[Request],
    settings: InputSettings,
    reference: Named | None = None,
    tables: tuple[CoordinateTable, ...] = (),
) -> MatrixReport:
    """The matrices of named clusterings, or of a reference and each of the others."""
    check_names([one.name for one in named])
    others = [one for one in named if reference is None or not is_same(one, reference)]
    if len(others) < (2 if reference is None else 1):
        raise too_few(len(named), reference)
    everyone = [*others, reference] if reference is not None else others
    # Metrics with coordinates divide each comparison among the threads themselves.
    inner, outer = count_jobs(settings["jobs"]), 1
    if not any(request.metric.needs_coordinates for request in requests):
        inner, outer = outer, inner
    clusterings = tuple(one.clustering for one in everyone)
    labelings = Labelings(clusterings, settings, tuple(one.name for one in everyone))
    own = tuple(one.table for one in everyone if one.table is not None)
    collection = Collection(labelings, own or tables, jobs=inner)
    return build_report(collection, requests, outer, has_reference=reference is not None)


def is_same(one: Named, other: Named) -> bool:
    """Whether two clusterings have the same name or come from the same column of a file."""
    source = one.clustering.source
    return one.name == other.name or (source is not None and source == other.clustering.source)


def check_names(names: Sequence[str]) -> None:
    """Refuse two clusterings of the same name, whose rows would look the same."""
    twice = [name for position, name in enumerate(names) if name in names[:position]]
    if twice:
        raise UsageError(f"{twice[0]} is given twice", hint="name each clustering once")


def too_few(n_named: int, reference: Named | None) -> UsageError:
    """The error for too few clusterings to compare."""
    given = "no clustering is" if not n_named else f"only {n_named} clustering is"
    if reference is not None:
        return UsageError(
            "there is no clustering besides the reference", hint="name some to compare with it"
        )
    return UsageError(
        f"{given} given, but a matrix needs two",
        hint=f"name more files, all columns of one with FILE::*, or a {name_of('reference')}",
    )


def load_named(
    clusterings: Any,
    reference: Any,
    coordinates: Any,
    settings: InputSettings,
    unlocated: Unlocated | None = None,
) -> tuple[list[Named], Named | None, tuple[CoordinateTable, ...]]:
    """Files or objects as clusterings under their names, the reference, and the coordinates."""
    given = name_each(clusterings)
    is_named = is_path(reference) and any(name == str(reference) for name, _ in given)
    if reference is not None and not is_named:
        name = name_of_file(reference) if is_path(reference) else "reference"
        check_names([*(one for one, _ in given), name])
        given.append((name, reference))
    names = [name for name, _ in given]
    tables = {} if coordinates is None else {"coordinates": coordinates}
    things = [thing for _, thing in given]
    wanted = Wanted(things, names, settings, tables, several=True, unlocated=unlocated)
    begin("read")
    loaded = Loader(wanted).load(wanted)
    groups = [
        name_group(name, thing, group)
        for (name, thing), group in zip(given, loaded.groups, strict=True)
    ]
    if loaded.tables and not tables:
        # The coordinates are in the files of the clusterings, a table for each of these.
        own = iter(loaded.tables)
        groups = [[replace(one, table=next(own)) for one in group] for group in groups]
    chosen = None
    if reference is not None:
        group = groups[names.index(str(reference))] if is_named else groups.pop()
        chosen = choose_reference(reference, group)
    named = [one for group in groups for one in group]
    return named, chosen, loaded.tables


def choose_reference(reference: Any, group: Sequence[Named]) -> Named:
    """The only clustering that the reference may stand for."""
    if len(group) != 1:
        raise UsageError(
            f"{reference} names {len(group)} clusterings, but the reference must be one",
            hint=f"name a column with {say('reference', 'FILE::COLUMN')}",
        )
    return group[0]


def name_group(name: str, thing: Any, group: Sequence[Clustering]) -> list[Named]:
    """The clusterings of one thing: under its name or, if they are columns, NAME::COLUMN."""
    if not is_path(thing):
        return [Named(name, clustering) for clustering in group]
    address = Address.of_clustering(str(thing))
    found = []
    for clustering in group:
        source = clustering.source or address.source
        if source != address.source:
            own = f"{address.title or address.path}::{Address.of_clustering(source).label}"
            found.append(Named(own if len(group) > 1 or name == address.text else name, clustering))
        else:
            found.append(Named(name, clustering))
    return found


def name_each(clusterings: Any) -> list[tuple[str, Any]]:
    """The things in a mapping, a DataFrame or a sequence, each with a name."""
    if is_path(clusterings):
        return [(name_of_file(clusterings), clusterings)]
    if isinstance(clusterings, Mapping) or is_pandas(clusterings):
        return [(str(name), thing) for name, thing in clusterings.items()]
    return [
        (name_of_file(thing) if is_path(thing) else str(position), thing)
        for position, thing in enumerate(clusterings, 1)
    ]


def name_of_file(file: Any) -> str:
    """The name that the user gives the clustering in a file, `NAME=path`, else what was typed."""
    text = str(file)
    return Address.of_file(text).title or text
