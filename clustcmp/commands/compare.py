"""clustcmp compare: how far apart two clusterings are."""

from __future__ import annotations

from typing import Annotated

from clustcmp.commands.arguments import FileA, FileB, metric_option
from clustcmp.commands.running import files_in, run
from clustcmp.commands.takes import takes
from clustcmp.settings import CompareSettings, OutputSettings

EXAMPLES = """
\b
Examples:
  clustcmp compare old.csv new.csv
  clustcmp compare truth.csv found.csv -m pair_f1 -m bcubed_f1
  clustcmp compare cells.tsv::leiden cells.tsv::louvain \\
      -m nmi:average=geometric -f json
  clustcmp compare old.csv new.csv --metric cdistance
  clustcmp compare old.csv new.csv --coordinates cells.csv::x,y
  zcat new.csv.gz | clustcmp compare old.csv - -m all --points intersect
"""


@takes
def compare(
    a: FileA,
    b: FileB,
    metric: Annotated[
        list[str] | None,
        metric_option(
            "A metric (ari), with options (nmi:average=geometric), a family (information), "
            "or all; repeat for more. Default: the featured ones. See 'clustcmp metrics'."
        ),
    ] = None,
    *,
    settings: CompareSettings,
    output: OutputSettings,
) -> None:
    """Compare clustering B with the reference A.

    The files are CSV or TSV with a header, or .txt with one label per line; .gz, .bz2 and .xz are
    unpacked. Rows are joined by ids: the column id, the first one if it has no name, or the only
    one that could be ids; by position if no file has any. A column label or cluster, or the only
    other column, holds labels; several numeric columns are soft memberships.

    --confidence covers the value that as many other points of the same kind would give on average;
    --unit cluster is for records that come by entity. --permutations gives a p that speaks against
    independence, not for likeness: at a million points an ari of 0.000005 has p < 0.001.
    """
    from clustcmp.analyses.compare import compare

    run(
        output,
        [a, b, *files_in(CompareSettings, settings)],
        lambda: compare(a, b, metric or None, **settings),
    )
