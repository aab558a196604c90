"""Compare several clusterings in one call: what the command does, for Python objects too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from clustcmp.analyses.matrix.build import build_report
from clustcmp.analyses.matrix.gather import Gathering, find_places
from clustcmp.analyses.matrix.report import MatrixReport
from clustcmp.errors import UsageError
from clustcmp.inputs import check_stdin, count_jobs
from clustcmp.keywords import takes_settings
from clustcmp.model import Clustering
from clustcmp.notes import Note
from clustcmp.read import (
    FileSpec,
    Space,
    as_clustering,
    is_pandas,
    read_clusterings,
    rows_correspond,
)
from clustcmp.read.objects import as_coordinates
from clustcmp.registry import Request
from clustcmp.requests import canonical, find_requests
from clustcmp.settings import InputSettings, MatrixSettings

DEFAULT_METRIC = "adjusted_rand"


@dataclass(frozen=True)
class Named:
    """A clustering under the name that it has in a matrix."""

    name: str
    clustering: Clustering
    has_index: bool = False


@takes_settings
def matrix(
    clusterings: Any,
    metric: Iterable[str | Request] | str | None = None,
    **settings: Unpack[MatrixSettings],
) -> MatrixReport:
    """Compare several clusterings, each with each other or all with one reference.

    `clusterings` is a mapping from names to clusterings, a DataFrame with a clustering in each
    column, or a list; each clustering is what `compare` takes, and `"results.csv::*"` stands for
    all columns of a file. `reference` is one more clustering, or the name of one of them.

    `report["ari"]` are the values in the order given; `report.matrix("ari")` knows the medoid and
    the order by similarity. Row i, column j is `compare(i, j)`.

        >>> clustcmp.matrix([[1, 1, 2, 2], [1, 1, 2, 3], [1, 2, 3, 4]], "ari")["ari"][0].round(2)
        array([1.  , 0.57, 0.  ])
    """
    requests = prepare_requests(metric)
    coordinates, reference = settings["coordinates"], settings["reference"]
    if isinstance(clusterings, list) and all(isinstance(one, str) for one in clusterings):
        named, chosen = read_named(clusterings, reference, settings)
    else:
        named, chosen = name_objects(clusterings, reference, Space(coordinates), settings)
    return matrix_of(named, requests, settings, chosen, coordinates)


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
            hint=f"choose a metric of two, or clustcmp compare A B -m {unfit[0].metric.name}",
        )
    return kept


def matrix_of(
    named: Sequence[Named],
    requests: Sequence[Request],
    settings: InputSettings,
    reference: Named | None = None,
    coordinates: Any = None,
) -> MatrixReport:
    """The matrices of named clusterings, or of a reference and each of the others."""
    check_names([one.name for one in named])
    others = [one for one in named if reference is None or one.name != reference.name]
    if len(others) < (2 if reference is None else 1):
        raise too_few(len(named), reference)
    everyone = [*others, reference] if reference is not None else others
    clusterings = [one.clustering for one in everyone]
    table = None
    if coordinates is not None:
        by_index = any(one.has_index for one in everyone)
        table = as_coordinates(coordinates, "coordinates", settings, clusterings, by_index)
    located, table = find_places(clusterings, table)
    titled = [
        retitle(clustering, one.name) for clustering, one in zip(located, everyone, strict=True)
    ]
    gathering = Gathering(tuple(titled), settings, table=table)
    jobs = count_jobs(settings["jobs"])
    report = build_report(gathering, requests, jobs, has_reference=reference is not None)
    return replace(report, _canonical=partial(canonical, has_distances=False))


def retitle(clustering: Clustering, name: str) -> Clustering:
    """The clustering under its name, with a note if it comes from a file without ids."""
    notes = clustering.notes
    if clustering.source and clustering.points.ids is None:
        notes += (Note("no id column, so rows are compared by position", name),)
    return replace(clustering, source=name, notes=notes)


def check_names(names: Sequence[str]) -> None:
    """Refuse two clusterings of the same name: nobody could tell their rows apart."""
    twice = [name for position, name in enumerate(names) if name in names[:position]]
    if twice:
        raise UsageError(f"{twice[0]} is given twice", hint="name each clustering once")


def too_few(n_named: int, reference: Named | None) -> UsageError:
    """The error when there is nothing to compare with."""
    given = "no clustering is" if not n_named else f"only {n_named} clustering is"
    if reference is not None:
        return UsageError(
            "there is no clustering beside the reference", hint="name some to compare with it"
        )
    return UsageError(
        f"{given} given, and a matrix needs two",
        hint="name more files, all columns of one with FILE::*, or a --reference",
    )


def read_named(
    files: Sequence[str], reference: str | None, settings: InputSettings
) -> tuple[list[Named], Named | None]:
    """The clusterings in files and the reference, each file read once, all at the same time."""
    typed = [*files, *([reference] if reference is not None and reference not in files else [])]
    specs = [FileSpec.parse(file) for file in typed]
    by_path: dict[str, list[FileSpec]] = {}
    for spec in specs:
        by_path.setdefault(spec.path, []).append(spec)
    check_stdin(list(by_path))
    pool = ThreadPoolExecutor(min(len(by_path), max(2, count_jobs(settings["jobs"]))) or 1)
    try:
        found = list(pool.map(lambda part: read_one(part, settings), by_path.values()))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    named = {spec.text: part for group in found for spec, part in group}
    chosen = None
    if reference is not None:
        if len(named[reference]) != 1:
            raise UsageError(
                f"{reference} names {len(named[reference])} clusterings, and the reference is one",
                hint="name a column with --reference FILE::COLUMN",
            )
        chosen = named[reference][0]
    return [one for file in files for one in named[file]], chosen


def read_one(
    specs: Sequence[FileSpec], settings: InputSettings
) -> list[tuple[FileSpec, list[Named]]]:
    """The clusterings that the specs name in one file."""
    found = []
    for spec, clusterings in zip(specs, read_clusterings(specs, settings), strict=True):
        names = [name_of(spec, clustering) for clustering in clusterings]
        named = [Named(name, one) for name, one in zip(names, clusterings, strict=True)]
        found.append((spec, named))
    return found


def name_of(spec: FileSpec, clustering: Clustering) -> str:
    """What was typed or, for one of all columns, the file and the column."""
    source = clustering.source or spec.text
    if source == spec.text:
        return spec.text
    return f"{spec.path}::{FileSpec.parse(source).label}"


def name_objects(
    clusterings: Any, reference: Any, space: Space, settings: InputSettings
) -> tuple[list[Named], Named | None]:
    """Objects as clusterings under their names, and the reference among them or besides."""
    given = name_each(clusterings)
    is_named = isinstance(reference, str) and any(name == reference for name, _ in given)
    if reference is not None and not is_named:
        name = str(reference) if isinstance(reference, str | Path) else "reference"
        given.append((name, reference))
    objects = [thing for _, thing in given]
    alike = all(rows_correspond(objects[0], other, space) for other in objects[1:])
    by_index = not (alike and len(objects) > 1)
    named = [one for name, thing in given for one in name_object(name, thing, by_index, settings)]
    if reference is None:
        return named, None
    if is_named:
        return named, next(one for one in named if one.name == reference)
    return named[:-1], named[-1]


def name_each(clusterings: Any) -> list[tuple[str, Any]]:
    """The things in a mapping, a DataFrame or a sequence, each with a name."""
    if isinstance(clusterings, str | Path):
        return [(str(clusterings), clusterings)]
    if isinstance(clusterings, Mapping) or is_pandas(clusterings):
        return [(str(name), thing) for name, thing in clusterings.items()]
    return [
        (str(thing) if isinstance(thing, str | Path) else str(position), thing)
        for position, thing in enumerate(clusterings, 1)
    ]


def name_object(name: str, thing: Any, by_index: bool, settings: InputSettings) -> list[Named]:
    """The clustering that an object stands for, or all those in a file."""
    if isinstance(thing, str | Path):
        ((_, found),) = read_one([FileSpec.parse(str(thing))], settings)
        return found if len(found) > 1 else [replace(one, name=name) for one in found]
    clustering = as_clustering(thing, name, settings, by_index)
    return [Named(name, clustering, has_index=by_index and is_pandas(thing))]
