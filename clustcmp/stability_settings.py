"""Every setting of `stability`, declared once, in the way of `settings`.

This module has no `from __future__ import annotations`: its annotations are read at run time.
"""

from typing import Annotated, Any, Literal, TypedDict

from clustcmp.declarations import SCHEDULER, Setting, file
from clustcmp.output_settings import OutputSettings
from clustcmp.settings import COORDINATES, JoinSettings

# Parameters by name, {"n_init": 10}, or as they are typed, ["n_init=10"].
Parameters = Any


class SamplingSettings(TypedDict, total=False):
    """Which samples are drawn, and what is tried on each of them."""

    k: Annotated[
        Any,
        Setting(
            "The numbers of clusters to try: 2:10, or 3, or 2,4,8. Default: 2:10.", metavar="K"
        ),
    ]
    vary: Annotated[
        Parameters,
        Setting("A parameter to try instead of k: eps=0.2,0.4.", metavar="NAME=VALUES"),
    ]
    set: Annotated[
        Parameters,
        Setting(
            "A parameter of the algorithm, such as n_init=10; repeat for more.",
            metavar="NAME=VALUE",
            repeated=True,
        ),
    ]
    samples: Annotated[int, Setting("How many samples to draw.", 50, minimum=2, metavar="N")]
    fraction: Annotated[
        float | None,
        Setting(
            "The share of the points in each sample; 1 varies the seed alone. Default: 0.8.",
            metavar="SHARE",
        ),
    ]
    bootstrap: Annotated[
        bool, Setting("Draw as many points as there are, with replacement.", False)
    ]
    scale: Annotated[
        Literal["none", "standard"],
        Setting("Divide each column by its standard deviation, or not.", "none"),
    ]
    soft: Annotated[bool, Setting("Compare degrees of membership (gmm), not labels.", False)]
    seed: Annotated[
        int | None, Setting("The seed of all draws. Default: a new one, printed.", minimum=0)
    ]


class JobSettings(TypedDict, total=False):
    """How much is done at a time."""

    jobs: Annotated[
        int | None,
        Setting(
            "How many clusterings, or comparisons, to compute at a time. Default: one for each "
            "core.",
            flags=("--jobs", "-j"),
            minimum=1,
            decides=False,
        ),
    ]
    scheduler: Annotated[Any, SCHEDULER]


class StabilitySettings(SamplingSettings, JoinSettings, JobSettings, total=False):
    """The settings of `stability`."""

    command: Annotated[
        str | None,
        Setting(
            "A program instead of an algorithm: 'prog --k {k} --seed {seed} {input} {output}'. "
            "It is called without a shell, reads a CSV like DATA, and writes any file that "
            "clustcmp reads.",
            metavar="WORDS",
        ),
    ]
    timeout: Annotated[
        float | None,
        Setting("Seconds that each call of --command may take.", metavar="SECONDS"),
    ]
    skip_failures: Annotated[
        bool, Setting("Count clusterings that fail, and go on without them.", False)
    ]
    all_points: Annotated[
        bool,
        Setting(
            "Compare whole samples, not their common points, and subtract the value that "
            "sampling alone gives; for cdistance and other metrics of different points.",
            False,
        ),
    ]
    transfer: Annotated[
        Literal["predict", "centroid", "neighbours"] | None,
        Setting(
            "How a point gets the cluster that it would have in the other half. Default: as fits "
            "the algorithm.",
        ),
    ]
    gaussians: Annotated[
        int,
        Setting(
            "Compare the supported k with so many data sets of one Gaussian cloud.",
            19,
            minimum=0,
            metavar="N",
        ),
    ]
    at: Annotated[Any, Setting("Show the clusters of these k, too, as in --k.", metavar="K")]


class FollowSettings(TypedDict, total=False):
    """What is asked about runs that exist already."""

    reference: Annotated[
        Any,
        file(
            "With --runs: follow the clusters and points of this clustering, which does not count "
            "as a run. Default: the medoid of each group."
        ),
    ]
    group: Annotated[
        str | None,
        Setting(
            "With --runs: groups by the number of clusters, or by what a regular expression "
            "captures in the names of the runs. Default: all together.",
            metavar="clusters|REGEX",
        ),
    ]
    coordinates: Annotated[
        Any,
        file(
            "With --runs: where the points are, for metrics such as cdistance: path, or path::x,y "
            "to choose columns.",
            *COORDINATES,
        ),
    ]


class RunsSettings(FollowSettings, JoinSettings, JobSettings, total=False):
    """The settings of `stability_of`, and of `stability --runs`."""


class StabilityOutputSettings(OutputSettings, total=False):
    """How and where the result of `stability` is shown."""

    out: Annotated[
        str | None,
        Setting(
            "Write curve.csv, pairs.csv, clusters.csv, points.csv and, without --runs, labels.csv "
            "to this folder.",
            metavar="DIR",
        ),
    ]
