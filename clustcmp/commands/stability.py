"""clustcmp stability: how many clusters the data supports, and which of them hold."""

from __future__ import annotations

from typing import Annotated

import typer

from clustcmp.commands.arguments import metric_option
from clustcmp.commands.completion import complete_algorithm, complete_file
from clustcmp.commands.running import run
from clustcmp.commands.takes import takes
from clustcmp.errors import UsageError
from clustcmp.stability_settings import StabilityOutputSettings, StabilitySettings

EXAMPLES = """
\b
Examples:
  clustcmp stability cells.csv --algorithm kmeans --k 2:4
  clustcmp stability cells.csv::x,y --algorithm gmm --k 2:3 -m vi --seed 1
  clustcmp stability cells.csv --algorithm agglomerative \\
      --set linkage=single --k 2:4 --out stability/
  clustcmp stability cells.csv --algorithm dbscan --vary eps=0.2,0.4
"""


@takes
def stability(
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA",
            help="The points: path, path::x,y to choose columns, or - for stdin.",
            autocompletion=complete_file,
        ),
    ],
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
            "The metric that compares two samples. Default: adjusted_rand; cc with --soft, "
            "cdistance with --all-points. See 'clustcmp metrics'."
        ),
    ] = None,
    *,
    settings: StabilitySettings,
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
    """
    from clustcmp.analyses.stability.files import check_folder, write_files
    from clustcmp.analyses.stability.library import stability

    if algorithm is not None and "command" in settings:
        raise UsageError(
            "--algorithm and --command are two ways to cluster points", hint="say one of them"
        )
    folder = output.get("out")
    if folder is not None:
        check_folder(folder)
    run(
        output,
        [data],
        lambda: stability(data, algorithm, metric, **settings),
        lambda report: write_files(report, folder) if folder is not None else (),
    )
