"""clustcmp stability: how many clusters the data supports, and which of them hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clustcmp.commands.arguments import metric_option
from clustcmp.commands.completion import complete_algorithm, complete_file
from clustcmp.commands.running import files_in, paths_of, run
from clustcmp.commands.takes import takes
from clustcmp.errors import UsageError
from clustcmp.keywords import declared
from clustcmp.stability_settings import (
    FollowSettings,
    RunsSettings,
    StabilityOutputSettings,
    StabilitySettings,
)
from clustcmp.wording import name_of

if TYPE_CHECKING:
    from clustcmp.analyses.stability.files import HasTables

EXAMPLES = """
\b
Examples:
  clustcmp stability cells.csv --algorithm kmeans --k 2:4
  clustcmp stability cells.csv::x,y --algorithm gmm --k 2:3 -m vi --seed 1
  clustcmp stability cells.csv --algorithm agglomerative \\
      --set linkage=single --k 2:4 --out stability/
  clustcmp stability cells.csv --algorithm dbscan --vary eps=0.2,0.4
  clustcmp stability --runs runs/*.csv
  clustcmp stability --runs 'results.csv::*' --group clusters
  clustcmp stability --runs fits/*.csv --group 'k([0-9]+)' \\
      --reference truth.csv -m vi --out stability/
"""


@takes
def stability(
    data: Annotated[
        list[str],
        typer.Argument(
            metavar="DATA|FILES...",
            help="The points: path, path::x,y to choose columns, or - for stdin. With --runs: two "
            "or more clusterings, path, NAME=path, path::COLUMN, or path::* for all columns.",
            autocompletion=complete_file,
        ),
    ],
    runs: Annotated[
        bool,
        typer.Option("--runs", help="FILES are clusterings that exist already; compare these."),
    ] = False,
    algorithm: Annotated[
        str | None,
        typer.Option(
            "--algorithm",
            "-a",
            metavar="NAME",
            help="kmeans, agglomerative, gmm, spectral, dbscan or hdbscan of scikit-learn.",
            autocompletion=complete_algorithm,
        ),
    ] = None,
    metric: Annotated[
        str | None,
        metric_option(
            "The metric that compares two samples or runs. Default: adjusted_rand; cc with --soft, "
            "cdistance with --all-points. See 'clustcmp metrics'."
        ),
    ] = None,
    *,
    settings: StabilitySettings,
    of_runs: FollowSettings,
    output: StabilityOutputSettings,
) -> None:
    """Say how many clusters the data supports, and which hold.

    Samples are drawn and clustered for each k, and all pairs of samples are compared on their
    common points. The best k is the most stable one. There is a most stable k in noise, too, so
    that the supported k counts: the largest one whose prediction strength is at least 0.8, which
    means that clusters of one half of the points are found again in the other half.

    Each cluster of all points is compared with the most similar one of each sample: dissolved up
    to a Jaccard similarity of 0.5, recovered above 0.75. Stable is not real: an algorithm can cut
    one cloud in the same way each time. docs/stability.md says what to use when.

    With --runs nothing is clustered: FILES are runs that exist already, one in each file or column,
    and an empty cell means that the point is not in that run. The clusters are those of the medoid,
    the run with the best mean value to the others, or of --reference.
    """
    if runs:
        check_runs(algorithm, settings)
        show_runs(data, metric, {**settings, **of_runs}, output)
    else:
        check_sampling(data, algorithm, settings, of_runs)
        show_samples(data[0], algorithm, metric, settings, output)


def show_samples(
    data: str,
    algorithm: str | None,
    metric: str | None,
    settings: StabilitySettings,
    output: StabilityOutputSettings,
) -> None:
    """Cluster samples of the points, and show how stable each k is."""
    from clustcmp.analyses.stability.library import stability
    from clustcmp.analyses.stability.tables import FILES

    write = writing(output, FILES, [data])
    run(output, [data], lambda: stability(data, algorithm, metric, **settings), write)


def show_runs(
    files: list[str], metric: str | None, settings: Any, output: StabilityOutputSettings
) -> None:
    """Compare clusterings that exist already."""
    from clustcmp.analyses.stability.of_runs import stability_of
    from clustcmp.analyses.stability.report_of_runs import TABLES

    reads = [*files, *files_in(FollowSettings, settings)]
    write = writing(output, tuple(TABLES), reads)
    run(output, reads, lambda: stability_of(files, metric, **settings), write)


def writing(
    output: StabilityOutputSettings, parts: Sequence[str], reads: Sequence[str]
) -> Callable[[HasTables], Iterable[str]]:
    """What writes the files of --out, if there is such a folder, which is checked now."""
    from clustcmp.analyses.stability.files import check_folder, write_files

    folder = output.get("out")
    if folder is None:
        return lambda report: ()
    check_folder(folder, parts, paths_of(reads))
    return lambda report: write_files(report, folder, parts)


def check_sampling(
    data: Sequence[str],
    algorithm: str | None,
    settings: StabilitySettings,
    of_runs: FollowSettings,
) -> None:
    """Refuse several files and what belongs to --runs, and two ways to cluster."""
    if len(data) > 1:
        raise UsageError(
            f"DATA is one file with the points, but {len(data)} files are given",
            hint="say --runs if these are clusterings that exist already",
        )
    if of_runs:
        flag = name_of(next(iter(of_runs)))
        raise UsageError(
            f"{flag} is for clusterings that exist already",
            hint=f"say --runs if DATA is such a clustering, or leave {flag} out",
        )
    if algorithm is not None and "command" in settings:
        raise UsageError(
            "--algorithm and --command are two ways to cluster points", hint="say one of them"
        )


def check_runs(algorithm: str | None, settings: StabilitySettings) -> None:
    """Refuse what belongs to samples, which --runs does not draw."""
    known = declared(RunsSettings)
    flags = [name_of(key) for key in settings if key not in known]
    if algorithm is not None:
        flags.insert(0, "--algorithm")
    if flags:
        raise UsageError(
            f"{flags[0]} is for clustering samples, but --runs compares clusterings that exist",
            hint=f"leave {' and '.join(flags)} out, or leave --runs out and name the points",
        )
